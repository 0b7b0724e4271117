import type { Question } from '@invigil/core/contract/assessments/question-list';
import { definitionOfDraft } from '@invigil/core/domain/questions/question-definition';
import { Plus, Trash2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { Button } from '../../../ui/button.tsx';
import { Checkbox } from '../../../ui/fields/checkbox.tsx';
import { EmptyState } from '../../../ui/tables/empty-state.tsx';
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx';
import { DeleteQuestions } from '../delete-questions.tsx';
import { SelectionBar, useSelection } from '../selection-bar.tsx';
import { EditQuestion } from './edit-question.tsx';
import { MoveHandle } from './move-handle.tsx';
import { QuestionItem } from './question-item.tsx';
import { QuestionsTools } from './questions-tools.tsx';
import { RescoreDialog } from './rescore-dialog.tsx';
import { movedTo, useReorder } from './use-reorder.ts';

/** The stored questions in order; one at a time can be edited inline. */
export function QuestionList({
  quizId,
  title,
  questions,
  loading,
  onAdd,
  onDirtyChange,
}: {
  quizId: string;
  title: string;
  questions: readonly Question[];
  /** The list is being refetched. */
  loading: boolean;
  onAdd(): void;
  onDirtyChange(dirty: boolean): void;
}) {
  const [editing, setEditing] = useState<string | null>(null);
  const [deleting, setDeleting] = useState<{ ids: string[]; number?: number } | null>(null);
  const [rescoring, setRescoring] = useState<{ question: Question; asked: boolean } | null>(null);
  const list = useRef<HTMLOListElement>(null);
  const lastEdited = useRef<string | null>(null);
  const stopEditing = () => {
    lastEdited.current = editing;
    setEditing(null);
    onDirtyChange(false);
  };
  // Return the focus to the edit button.
  useEffect(() => {
    if (editing !== null || lastEdited.current === null) return;
    const item = list.current?.querySelector(`[data-question="${lastEdited.current}"]`);
    item?.querySelector<HTMLElement>('[data-edit]')?.focus();
    lastEdited.current = null;
  }, [editing]);

  const [isSelecting, setSelecting] = useState(false);
  const { selected, select, clear } = useSelection<string>();
  const stopSelecting = () => {
    clear();
    setSelecting(false);
  };
  // Another administrator may have deleted some.
  const ids = questions.map(({ id }) => id);
  const present = new Set(ids.filter((id) => selected.has(id)));

  const navigate = useNavigate();
  const openInEditor = (id: string) =>
    void navigate(`/admin/questions/${id}`, { state: { questionsOf: quizId } });

  const reorder = useReorder(quizId);
  const [over, setOver] = useState<number | null>(null);
  const lastMoved = useRef<string | null>(null);
  const [moved, setMoved] = useState('');
  const move = (question: Question, from: number, to: number) => {
    lastMoved.current = question.id;
    setMoved(`Question moved to position ${to + 1} of ${questions.length}`);
    reorder.mutate(movedTo(questions, from, to));
  };
  // A moved row loses the focus: restore it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the new order is the reason
  useEffect(() => {
    if (lastMoved.current === null) return;
    const item = list.current?.querySelector(`[data-question="${lastMoved.current}"]`);
    item?.querySelector<HTMLElement>('[data-move]')?.focus();
    lastMoved.current = null;
  }, [questions]);

  if (questions.length === 0) {
    return (
      <EmptyState
        action={
          <Button variant="primary" onClick={onAdd} icon={<Plus />}>
            Add Questions
          </Button>
        }
      >
        No questions yet. Type them in or upload a CSV file.
      </EmptyState>
    );
  }
  return (
    <>
      {isSelecting ? (
        <div className="-mx-4 md:-mx-5">
          <SelectionBar label="Select all" ids={ids} selected={present} onSelect={select}>
            <span className="flex flex-wrap gap-2 sm:ml-auto">
              <Button size="dense" onClick={stopSelecting}>
                Cancel
              </Button>
              <Button
                variant="danger-ghost"
                size="dense"
                icon={<Trash2 />}
                aria-disabled={present.size === 0}
                onClick={() => setDeleting({ ids: [...present] })}
              >
                Delete selected
              </Button>
            </span>
          </SelectionBar>
        </div>
      ) : (
        <QuestionsTools
          title={title}
          questions={questions}
          loading={loading}
          onSelect={() => setSelecting(true)}
        />
      )}
      <p role="status" className="sr-only">
        {moved}
      </p>
      <ol ref={list}>
        {questions.map((question, index) => (
          <li
            key={question.id}
            data-question={question.id}
            data-place={index + 1}
            className={`border-b border-line py-4.5 last:border-b-0 ${over === index + 1 ? 'bg-accent-soft' : ''}`}
          >
            {editing === question.id ? (
              <EditQuestion
                question={question}
                number={index + 1}
                onDirtyChange={onDirtyChange}
                onDone={stopEditing}
                onKeyChanged={(saved) => setRescoring({ question: saved, asked: false })}
              />
            ) : (
              <QuestionItem
                question={question}
                number={index + 1}
                locked={editing !== null}
                handle={
                  isSelecting ? (
                    <Checkbox
                      label={<VisuallyHidden>{`Select question ${index + 1}`}</VisuallyHidden>}
                      checked={selected.has(question.id)}
                      onChange={(event) => select([question.id], event.target.checked)}
                    />
                  ) : (
                    <MoveHandle
                      number={index + 1}
                      last={questions.length}
                      locked={editing !== null}
                      onOver={setOver}
                      onMove={(to) => move(question, index, to - 1)}
                    />
                  )
                }
                onRescore={() => setRescoring({ question, asked: true })}
                onOpen={() => openInEditor(question.id)}
                // The form below holds plain questions only.
                onEdit={() =>
                  question.definition === undefined
                    ? setEditing(question.id)
                    : openInEditor(question.id)
                }
                onDelete={() => setDeleting({ ids: [question.id], number: index + 1 })}
              />
            )}
          </li>
        ))}
      </ol>
      {rescoring !== null && (
        <RescoreDialog
          {...rescoring}
          definition={rescoring.question.definition ?? definitionOfDraft(rescoring.question)}
          onClose={() => setRescoring(null)}
        />
      )}
      {deleting !== null && (
        <DeleteQuestions
          quizId={quizId}
          {...deleting}
          onClose={() => setDeleting(null)}
          onDeleted={stopSelecting}
        />
      )}
    </>
  );
}
