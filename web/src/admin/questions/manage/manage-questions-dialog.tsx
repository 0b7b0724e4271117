import type { Quiz } from '@invigil/core/contract/assessments/quiz';
import { useState } from 'react';
import { Link } from 'react-router';
import { sentenceOf } from '../../../net/api.ts';
import { Button, buttonClasses } from '../../../ui/button.tsx';
import { Dialog, DialogClose } from '../../../ui/dialogs/dialog.tsx';
import { FailureNotice } from '../../../ui/failure-notice.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { TabList, TabPanel, Tabs } from '../../../ui/tables/tabs.tsx';
import { DeleteQuestions } from '../delete-questions.tsx';
import { useQuestions } from '../questions-api.ts';
import { AddQuestions } from './add-questions.tsx';
import { QuestionList } from './question-list.tsx';

/** Manage Questions: the list with its keys, and the ways to add to it. */
export function ManageQuestionsDialog({
  quiz,
  isNew,
  onClose,
}: {
  quiz: Quiz;
  /** The assessment was just created: opens on adding questions. */
  isNew: boolean;
  onClose(): void;
}) {
  const questions = useQuestions(quiz.id);
  const [tab, setTab] = useState(isNew ? 'add' : 'questions');
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
        title="Manage Questions"
        description={`${quiz.title}. ${quiz.hasSections ? `Its sections decide which ${quiz.totalQuestions} questions a candidate gets.` : shareSentence(count, quiz.totalQuestions)}`}
        unsaved={editing || adding}
        bar={
          <div className="mt-3 border-b border-line px-5 md:px-6">
            <TabList
              label="Questions"
              tabs={[
                { value: 'questions', label: `Questions (${count})` },
                { value: 'add', label: 'Add Questions' },
              ]}
            />
          </div>
        }
        footer={
          <>
            <p className="text-sm text-ink-3 max-sm:sr-only md:mr-auto">
              The filled bubble marks the correct answer. Candidates never receive it.
            </p>
            <Link
              to={`/admin/quizzes/${quiz.id}/sections`}
              className={buttonClasses('secondary', 'admin')}
            >
              Sections and scoring
            </Link>
            <DialogClose>
              {/* The primary button is in the body. */}
              <Button data-autofocus="">Done</Button>
            </DialogClose>
          </>
        }
      >
        <TabPanel value="questions" keep>
          {questions.isError && (
            <div className="py-4">
              <FailureNotice
                title="Failed to load questions"
                onRetry={() => void questions.refetch()}
                retrying={questions.isFetching}
              >
                {sentenceOf(questions.error)}
                {questions.data !== undefined && ' This list is out of date.'}
              </FailureNotice>
            </div>
          )}
          {undoable.length > 0 && (
            <div className="py-4">
              <Notice
                action={
                  <Button size="dense" onClick={() => setUndoing(true)}>
                    Undo import
                  </Button>
                }
              >
                {undoable.length === 1
                  ? '1 question was imported from your file.'
                  : `${undoable.length.toLocaleString('en-GB')} questions were imported from your file.`}
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
          {questions.isPending && <SkeletonRows>Loading questions...</SkeletonRows>}
          {/* Stays mounted if a refetch fails: it may have unsaved input. */}
          {questions.data !== undefined && (
            <QuestionList
              quizId={quiz.id}
              loading={questions.isFetching}
              title={quiz.title}
              questions={questions.data}
              onAdd={() => setTab('add')}
              onDirtyChange={setEditing}
            />
          )}
        </TabPanel>
        <TabPanel value="add" keep className="py-4">
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

/** How many of the questions a candidate gets, and in which order. */
function shareSentence(count: number, total: number): string {
  if (count === 0) return `This assessment has no questions yet but needs ${total}.`;
  if (count > total) {
    return `Each candidate gets ${total} of these ${count} questions, in random order.`;
  }
  const all = count === 1 ? 'the only question' : `all ${count} questions, in random order`;
  return count === total
    ? `Each candidate gets ${all}.`
    : `Each candidate gets ${all}. The assessment needs ${total}.`;
}
