import type { Question } from '@invigil/core/contract/assessments/question-list';
import type { Quiz } from '@invigil/core/contract/assessments/quiz';
import type { QuestionDraft } from '@invigil/core/domain/questions/question-options';
import { isolated } from '@invigil/core/domain/typed-text';
import { t } from '@invigil/core/texts/i18n';
import { useQueryClient } from '@tanstack/react-query';
import { FileUp, Maximize2, Plus } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { answerWasLost, sentenceOf } from '../../../net/api.ts';
import { Button, buttonClasses } from '../../../ui/button.tsx';
import { Dialog, DialogClose } from '../../../ui/dialogs/dialog.tsx';
import { FailureNotice } from '../../../ui/failure-notice.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { EmptyState } from '../../../ui/page.tsx';
import { scrollIntoViewAndFocus } from '../../../ui/scroll-into-view.ts';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { TabList, TabPanel, Tabs } from '../../../ui/tables/tabs.tsx';
import { toast } from '../../../ui/toast.ts';
import { Trans } from '../../../ui/trans.tsx';
import { questionsKey, useCreateQuestion, useQuestions } from '../../data/questions.ts';
import { showFailure } from '../../data/show-failure.ts';
import { DeleteQuestions } from '../delete-questions.tsx';
import { UploadQuestions } from '../import/upload-questions.tsx';
import { NO_QUESTION, QuestionForm } from '../question-form.tsx';
import { QuestionList } from './question-list.tsx';

export function ManageQuestionsDialog({ quiz, onClose }: { quiz: Quiz; onClose(): void }) {
  const questions = useQuestions(quiz.id);
  const [tab, setTab] = useState('questions');
  const [editing, setEditing] = useState(false);
  const [adding, setAdding] = useState(false);
  /** The questions of the last import, which can be undone while the dialog is open. */
  const [imported, setImported] = useState<readonly string[]>([]);
  const [undoing, setUndoing] = useState(false);
  const undoable = (questions.data ?? []).flatMap(({ id }) => (imported.includes(id) ? [id] : []));
  const count = questions.data?.length ?? quiz.questionCount;

  return (
    <Tabs value={tab} onChange={setTab} className="contents">
      <Dialog
        open
        onClose={onClose}
        size="wide"
        page={tab}
        title={t('manage.title', 'Manage Questions')}
        description={t(
          /* the title of an assessment, then a sentence about its questions */ 'manage.description',
          '{title}. {sentence}',
          {
            title: isolated(quiz.title),
            sentence: quiz.hasSections
              ? t(
                  'manage.sectionsDecide',
                  '{count, plural, one {Its sections decide which # question a candidate gets.} other {Its sections decide which # questions a candidate gets.}}',
                  { count: quiz.totalQuestions },
                )
              : shareSentence(count, quiz.totalQuestions),
          },
        )}
        unsaved={editing || adding}
        bar={
          <div className="mt-3 border-b border-line px-5 md:px-6">
            <TabList
              label={t(/* name of a list */ 'portal.questions', 'Questions')}
              tabs={[
                {
                  value: 'questions',
                  label: t(
                    /* a tab, with how many there are */ 'manage.tab.questions',
                    'Questions ({count})',
                    { count },
                  ),
                },
                { value: 'add', label: t('manage.addQuestions', 'Add Questions') },
              ]}
            />
          </div>
        }
        footer={
          <>
            <p className="text-sm text-ink-3 me-auto max-md:sr-only">
              {t(
                'manage.filledBubble',
                'The filled bubble marks the correct answer. Candidates never receive it.',
              )}
            </p>
            <Link
              to={`/admin/quizzes/${quiz.id}/questions`}
              className={buttonClasses('secondary', 'admin')}
            >
              {t(/* a link to a page */ 'manage.sectionsAndScoring', 'Sections and scoring')}
            </Link>
            <DialogClose>
              {/* The primary button is in the body. */}
              <Button data-autofocus="">
                {t(/* a button: closes the dialog */ 'manage.done', 'Done')}
              </Button>
            </DialogClose>
          </>
        }
      >
        <TabPanel value="questions">
          {questions.isError && (
            <div className="py-4">
              <FailureNotice
                title={t('portal.questionsFailed', 'Failed to load questions')}
                onRetry={() => void questions.refetch()}
                retrying={questions.isFetching}
              >
                {sentenceOf(questions.error)}
                {questions.data !== undefined &&
                  ` ${t('manage.outOfDate', 'This list is out of date.')}`}
              </FailureNotice>
            </div>
          )}
          {undoable.length > 0 && (
            <div className="py-4">
              <Notice
                action={
                  <Button size="dense" onClick={() => setUndoing(true)}>
                    {t('manage.undoImport', 'Undo import')}
                  </Button>
                }
              >
                {t(
                  'manage.imported',
                  '{count, plural, one {# question was imported from your file.} other {# questions were imported from your file.}}',
                  { count: undoable.length },
                )}
              </Notice>
            </div>
          )}
          {undoing && (
            <DeleteQuestions
              quizId={quiz.id}
              ids={undoable}
              onClose={() => setUndoing(false)}
              onDeleted={() => setImported([])}
            />
          )}
          {questions.isPending && (
            <SkeletonRows>{t('portal.loadingQuestions', 'Loading questions...')}</SkeletonRows>
          )}
          {/* Stays mounted if a refetch fails: it may have unsaved input. */}
          {questions.data !== undefined &&
            (questions.data.length === 0 ? (
              <EmptyState
                action={
                  <Button variant="primary" onClick={() => setTab('add')} icon={<Plus />}>
                    {t('manage.addQuestions', 'Add Questions')}
                  </Button>
                }
              >
                {t('manage.empty', 'No questions yet. Type them in or upload a CSV file.')}
              </EmptyState>
            ) : (
              <QuestionList
                quizId={quiz.id}
                loading={questions.isFetching}
                title={quiz.title}
                questions={questions.data}
                onDirtyChange={setEditing}
              />
            ))}
        </TabPanel>
        <TabPanel value="add" className="py-4">
          <AddQuestions
            quizId={quiz.id}
            onDirtyChange={setAdding}
            onImported={(ids) => {
              setImported(ids);
              setTab('questions');
            }}
          />
        </TabPanel>
      </Dialog>
    </Tabs>
  );
}

export function shareSentence(count: number, total: number): string {
  if (count === 0) {
    return t(
      /* total: how many questions */ 'manage.share.none',
      'This assessment has no questions yet but needs {total}.',
      { total },
    );
  }
  if (count > total) {
    return t(
      /* total: how many questions a candidate gets, count: how many there are */ 'manage.share.some',
      '{count, plural, one {Each candidate gets {total} of this # question, in random order.} other {Each candidate gets {total} of these # questions, in random order.}}',
      { count, total },
    );
  }
  return count === total
    ? t(
        'manage.share.all',
        '{count, plural, =1 {Each candidate gets the only question.} other {Each candidate gets all # questions, in random order.}}',
        { count },
      )
    : t(
        /* total: how many questions the assessment needs */ 'manage.share.tooFew',
        '{count, plural, =1 {Each candidate gets the only question. The assessment needs {total}.} other {Each candidate gets all # questions, in random order. The assessment needs {total}.}}',
        { count, total },
      );
}

function AddQuestions({
  quizId,
  onDirtyChange,
  onImported,
}: {
  quizId: string;
  onDirtyChange(dirty: boolean): void;
  onImported(ids: string[]): void;
}) {
  const create = useCreateQuestion(quizId);
  const client = useQueryClient();
  const navigate = useNavigate();
  const [typing, setTyping] = useState(false);
  const [uploading, setUploading] = useState(false);
  const upload = useRef<HTMLElement>(null);
  const isDirty = typing || uploading;
  useEffect(() => onDirtyChange(isDirty), [isDirty, onDirtyChange]);

  const add = useCallback(
    async (draft: QuestionDraft) => {
      try {
        const { id } = await create.mutateAsync(draft);
        const list = client.getQueryData<Question[]>(questionsKey(quizId)) ?? [];
        const number = list.findIndex((question) => question.id === id) + 1;
        toast({
          title: t('manage.questionAdded', 'Question added'),
          ...(number === 0
            ? {}
            : {
                description: t(
                  /* of a question, in its list */ 'manage.addedNumber',
                  'It is number {number}.',
                  { number },
                ),
              }),
        });
        return true;
      } catch (error) {
        showFailure(
          t('manage.add.failed', 'Failed to add question'),
          answerWasLost(error)
            ? t(
                'manage.add.noAnswer',
                'The server did not respond. The question may have been added. Check the list before you add it again.',
              )
            : sentenceOf(error),
        );
        return false;
      }
    },
    [create, client, quizId],
  );

  return (
    <div className="grid gap-8">
      <section aria-label={t('manage.addManually', 'Add manually')} className="grid gap-4">
        <div className="flex flex-wrap items-center justify-between gap-2">
          <h3>{t('manage.addManually', 'Add manually')}</h3>
          <span className="flex flex-wrap gap-x-1">
            <Button
              variant="ghost"
              size="dense"
              icon={<Maximize2 />}
              onClick={() => void navigate(`/admin/questions/new?quiz=${quizId}`)}
            >
              {t('manage.openEditor', 'Open the question editor')}
            </Button>
            <Button
              variant="ghost"
              size="dense"
              icon={<FileUp />}
              onClick={() => scrollIntoViewAndFocus(upload.current)}
            >
              {t('manage.uploadInstead', 'Upload a CSV file instead')}
            </Button>
          </span>
        </div>
        <QuestionForm
          initial={NO_QUESTION}
          onDirtyChange={(dirty) => {
            setTyping(dirty);
            onDirtyChange(dirty || uploading);
          }}
          onSubmit={add}
        >
          <div className="flex justify-end">
            <Button
              type="submit"
              // Importing is the primary action once a file is selected.
              variant={uploading ? 'secondary' : 'primary'}
              busy={create.isPending && t('portal.adding', 'Adding…')}
              icon={<Plus />}
            >
              {t('manage.addQuestion', 'Add Question')}
            </Button>
          </div>
        </QuestionForm>
      </section>
      <section
        ref={upload}
        aria-label={t('manage.uploadCsv', 'Upload CSV')}
        tabIndex={-1}
        className="grid scroll-mt-4 gap-4 border-t border-line pt-6 outline-none"
      >
        <h3>{t('manage.uploadCsv', 'Upload CSV')}</h3>
        <UploadQuestions quizId={quizId} onPendingChange={setUploading} onImported={onImported} />
        <p className="text-ink-2">
          <Trans
            id="manage.otherFiles"
            message="Excel, Moodle, Canvas, GIFT and QTI files have <link>a page of their own</link>."
            components={{
              link: (
                <Link
                  to={`/admin/questions/import?quizId=${quizId}`}
                  className="text-accent-ink underline underline-offset-4"
                />
              ),
            }}
          />
        </p>
      </section>
    </div>
  );
}
