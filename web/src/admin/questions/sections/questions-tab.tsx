import type { Quiz } from '@invigil/core/contract/assessments/quiz';
import { t } from '@invigil/core/texts/i18n';
import { FileUp, Library, Plus } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { Button, buttonClasses } from '../../../ui/button.tsx';
import { Card, EmptyState } from '../../../ui/page.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { toast } from '../../../ui/toast.ts';
import { useChangeBank } from '../../data/bank.ts';
import { useQuestions } from '../../data/questions.ts';
import { showFailure } from '../../data/show-failure.ts';
import { useStructure } from '../../data/structure.ts';
import { LoadFailure } from '../../parts/failures.tsx';
import { shareSentence } from '../manage/manage-questions-dialog.tsx';
import { QuestionList } from '../manage/question-list.tsx';
import { QuestionPicker } from './question-picker.tsx';
import { SectionsEditor } from './sections-editor.tsx';

/** The questions of an assessment, in sections or not, and the ways to add some. */
export function QuestionsTab({ quiz }: { quiz: Quiz }) {
  const structure = useStructure(quiz.id);
  const questions = useQuestions(quiz.id);
  if (structure.data === undefined || questions.data === undefined) {
    const failed = [structure, questions].find(({ isError }) => isError);
    return failed === undefined ? (
      <SkeletonRows>{t('portal.loadingQuestions', 'Loading questions...')}</SkeletonRows>
    ) : (
      <LoadFailure title={t('portal.questionsFailed', 'Failed to load questions')} read={failed} />
    );
  }
  const isEmpty = questions.data.length === 0;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <p className="text-ink-2">
          {quiz.hasSections
            ? t(
                'sections.decide',
                '{count, plural, one {The sections decide which # question a candidate gets.} other {The sections decide which # questions a candidate gets.}}',
                { count: quiz.totalQuestions },
              )
            : shareSentence(questions.data.length, quiz.totalQuestions)}
        </p>
        {!isEmpty && <AddQuestions quiz={quiz} />}
      </div>
      <SectionsEditor quiz={quiz} stored={structure.data}>
        {questions.isError && (
          <LoadFailure
            title={t('portal.questionsFailed', 'Failed to load questions')}
            read={questions}
          />
        )}
        <Card>
          {isEmpty ? (
            <EmptyState action={<AddQuestions quiz={quiz} isFirst />}>
              {t(
                'sections.empty',
                'No questions yet. Write them, take some from the bank, or import a file.',
              )}
            </EmptyState>
          ) : (
            <QuestionList
              isPage
              quizId={quiz.id}
              title={quiz.title}
              questions={questions.data}
              loading={questions.isFetching}
            />
          )}
        </Card>
      </SectionsEditor>
    </div>
  );
}

function AddQuestions({ quiz, isFirst = false }: { quiz: Quiz; isFirst?: boolean }) {
  const [isPicking, setPicking] = useState(false);
  const { change, isPending } = useChangeBank();
  const add = async (ids: string[]) => {
    try {
      await change(ids, { quizId: quiz.id });
      setPicking(false);
      toast({
        title: t(
          'portal.questions.added',
          '{count, plural, one {# question was added} other {# questions were added}}',
          { count: ids.length },
        ),
      });
    } catch (error) {
      showFailure(t('sections.addFailed', 'Failed to add questions'), error);
    }
  };
  return (
    <div className={`flex flex-wrap gap-2 ${isFirst ? 'justify-center' : ''}`}>
      <Link
        to={`/admin/questions/new?quiz=${quiz.id}`}
        className={buttonClasses(isFirst ? 'primary' : 'secondary', 'admin')}
      >
        <Plus />
        {t('sections.writeQuestion', 'Write a question')}
      </Link>
      <Button icon={<Library />} onClick={() => setPicking(true)}>
        {t(/* a button: adds questions that the bank has */ 'sections.fromBank', 'From the bank')}
      </Button>
      <Link
        to={`/admin/questions/import?quizId=${quiz.id}`}
        className={buttonClasses('secondary', 'admin')}
      >
        <FileUp />
        {t('sections.importFile', 'Import a file')}
      </Link>
      {isPicking && (
        <QuestionPicker
          quizId={quiz.id}
          taken={null}
          isBusy={isPending}
          onClose={() => setPicking(false)}
          onPick={(picked) => void add(picked.map(({ id }) => id))}
        />
      )}
    </div>
  );
}
