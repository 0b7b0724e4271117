import type { Question } from '@invigil/core/contract/assessments/question-list';
import { plainDefinition } from '@invigil/core/domain/questions/question-definition';
import { Plus } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { Button } from '../../../ui/button.tsx';
import { Checkbox } from '../../../ui/fields/checkbox.tsx';
import { EmptyState } from '../../../ui/tables/empty-state.tsx';
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx';
import { DeleteQuestion } from './delete-question.tsx';
import { DeleteQuestions } from './delete-questions.tsx';
import { EditQuestion } from './edit-question.tsx';
import { MoveHandle } from './move-handle.tsx';
import { QuestionItem } from './question-item.tsx';
import { QuestionsSelection } from './questions-selection.tsx';
import { QuestionsTools } from './questions-tools.tsx';
import { RescoreDialog } from './rescore-dialog.tsx';
import { movedTo, useReorder } from './use-reorder.ts';

const definitionOf = ({ definition, question, options, correctAnswer }: Question) =>
  definition ?? plainDefinition(question, options, correctAnswer);

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
  const [deleting, setDeleting] = useState<{ question: Question; number: number } | null>(null);
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

  /** `null`: not in selection mode. */
  const [selected, setSelected] = useState<ReadonlySet<string> | null>(null);
  const [deletingAll, setDeletingAll] = useState(false);
  // Another administrator may have deleted some.
  const selectedIds = questions.flatMap(({ id }) => (selected?.has(id) === true ? [id] : []));
  const select = (id: string, isSelected: boolean) => {
    const next = new Set(selected);
    if (isSelected) next.add(id);
    else next.delete(id);
    setSelected(next);
  };

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
      {selected === null ? (
        <QuestionsTools
          title={title}
          questions={questions}
          loading={loading}
          onSelect={() => setSelected(new Set())}
        />
      ) : (
        <QuestionsSelection
          selected={selectedIds.length}
          total={questions.length}
          onAll={(isSelected) => setSelected(new Set(isSelected ? questions.map((q) => q.id) : []))}
          onDelete={() => setDeletingAll(true)}
          onDone={() => setSelected(null)}
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
                  selected !== null ? (
                    <Checkbox
                      label={<VisuallyHidden>{`Select question ${index + 1}`}</VisuallyHidden>}
                      checked={selected.has(question.id)}
                      onChange={(event) => select(question.id, event.target.checked)}
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
                onDelete={() => setDeleting({ question, number: index + 1 })}
              />
            )}
          </li>
        ))}
      </ol>
      {deletingAll && (
        <DeleteQuestions
          quizId={quizId}
          ids={selectedIds}
          onClose={() => setDeletingAll(false)}
          onDeleted={() => setSelected(null)}
        />
      )}
      {rescoring !== null && (
        <RescoreDialog
          {...rescoring}
          definition={definitionOf(rescoring.question)}
          onClose={() => setRescoring(null)}
        />
      )}
      {deleting !== null && (
        <DeleteQuestion quizId={quizId} {...deleting} onClose={() => setDeleting(null)} />
      )}
    </>
  );
}
