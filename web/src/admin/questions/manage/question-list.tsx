import type { Question } from '@invigil/core/contract/assessments/question-list';
import { definitionOfDraft } from '@invigil/core/domain/questions/question-definition';
import type { QuestionDraft } from '@invigil/core/domain/questions/question-options';
import { useQueryClient } from '@tanstack/react-query';
import { Maximize2, Pencil, Plus, Scale, Trash2 } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { ApiError, sentenceOf } from '../../../net/api.ts';
import { QuestionText } from '../../../question-view/question-head.tsx';
import { Button } from '../../../ui/button.tsx';
import { DiscardDialog } from '../../../ui/dialogs/dialog.tsx';
import { Checkbox } from '../../../ui/fields/checkbox.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { EmptyState } from '../../../ui/page.tsx';
import { toast } from '../../../ui/toasts/toast.ts';
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx';
import { STALE_SENTENCE } from '../../assessments/form/stale-quiz-notice.tsx';
import { showFailure } from '../../failures.tsx';
import { SelectionBar, useSelection } from '../../selection-bar.tsx';
import { DeleteQuestions } from '../delete-questions.tsx';
import { definitionChanges } from '../editor/versions/definition-changes.ts';
import { StaleQuestionNotice } from '../editor/versions/stale-question-notice.tsx';
import { QuestionForm, typedQuestionOf } from '../question-form.tsx';
import { KeyedOptions } from '../question-key.tsx';
import { questionsQuery, useUpdateQuestion } from '../questions-api.ts';
import { MoveHandle, movedTo, useReorder } from './move-handle.tsx';
import { QuestionsTools } from './questions-tools.tsx';
import { RescoreDialog } from './rescore-dialog.tsx';

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

function QuestionItem({
  question,
  number,
  locked,
  handle,
  onRescore,
  onOpen,
  onEdit,
  onDelete,
}: {
  question: Question;
  number: number;
  /** Another question is being edited: finish that first. */
  locked: boolean;
  handle: ReactNode;
  onRescore(): void;
  onOpen(): void;
  onEdit(): void;
  onDelete(): void;
}) {
  const why = locked ? 'Finish the question you are editing first' : undefined;
  return (
    <div className="flex items-start gap-3.5 max-sm:gap-2">
      {handle}
      <span className="min-w-5.5 flex-none text-right leading-5.5 text-ink-3 tabular-nums max-sm:min-w-0">
        {number}
      </span>
      <div className="min-w-0 flex-1">
        <QuestionText
          text={question.question}
          format={question.definition?.format}
          className="max-w-[64ch] text-[0.9375rem] leading-5.5 break-words whitespace-pre-wrap"
        />
        <KeyedOptions {...question} />
      </div>
      <span className="-mt-1.5 flex flex-none flex-wrap justify-end gap-0.5 max-sm:flex-col">
        <IconButton
          label={`Rescore question ${number}`}
          tooltip="Rescore"
          unavailable={why}
          onClick={onRescore}
        >
          <Scale />
        </IconButton>
        <IconButton
          label={`Open question ${number} in editor`}
          tooltip="Open in editor"
          unavailable={why}
          onClick={onOpen}
        >
          <Maximize2 />
        </IconButton>
        <IconButton
          data-edit=""
          label={`Edit question ${number}`}
          tooltip="Edit"
          unavailable={why}
          onClick={onEdit}
        >
          <Pencil />
        </IconButton>
        <IconButton
          label={`Delete question ${number}`}
          tooltip="Delete"
          unavailable={why}
          onClick={onDelete}
        >
          <Trash2 />
        </IconButton>
      </span>
    </div>
  );
}

/** Edits a question inline. Existing papers keep the old version; later starts get the new one. */
function EditQuestion({
  question,
  number,
  onDirtyChange,
  onDone,
  onKeyChanged,
}: {
  question: Question;
  number: number;
  onDirtyChange(dirty: boolean): void;
  onDone(): void;
  onKeyChanged(saved: Question): void;
}) {
  const update = useUpdateQuestion(question.quizId);
  const client = useQueryClient();
  const [filled, setFilled] = useState(question);
  /** The stored version that a save replaces. */
  const [base, setBase] = useState(question);
  const [stale, setStale] = useState<{ theirs: Question; mine: QuestionDraft } | null>(null);
  const [isDirty, setDirty] = useState(false);
  const [asking, setAsking] = useState(false);
  const region = useRef<HTMLElement>(null);
  const tellDirty = (dirty: boolean) => {
    setDirty(dirty);
    onDirtyChange(dirty);
  };

  const save = async (draft: QuestionDraft, isUntouched: () => boolean) => {
    try {
      const saved = await update.mutateAsync({ draft, base });
      toast({ title: 'Question updated' });
      // Keep input typed during the save, as a change of the stored version.
      if (isUntouched()) onDone();
      else setBase(saved);
      if (saved.correctAnswer !== base.correctAnswer) onKeyChanged(saved);
      return false;
    } catch (error) {
      const isStale = error instanceof ApiError && error.code === 'STALE';
      showFailure('Failed to update question', isStale ? STALE_SENTENCE : sentenceOf(error));
      if (isStale) {
        const query = questionsQuery(question.quizId);
        const list = await client.fetchQuery({ ...query, staleTime: 0 }).catch(() => []);
        const theirs = list.find((other) => other.id === question.id);
        setStale(theirs ? { theirs, mine: draft } : null);
        // Saving again is then a deliberate choice.
        if (theirs) setBase(theirs);
      }
      return false;
    }
  };

  return (
    <section ref={region} aria-label={`Edit question ${number}`} className="grid gap-4">
      <h3>Edit question {number}</h3>
      {stale !== null && (
        <StaleQuestionNotice
          changes={definitionChanges(
            stale.theirs.definition ?? definitionOfDraft(stale.theirs),
            definitionOfDraft(stale.mine),
          )}
          onTakeTheirs={() => {
            setFilled(stale.theirs);
            setStale(null);
          }}
          onKeepMine={() => region.current?.querySelector('form')?.requestSubmit()}
        />
      )}
      <QuestionForm
        key={filled.version}
        initial={typedQuestionOf(filled)}
        startsFocused
        onDirtyChange={tellDirty}
        onSubmit={save}
      >
        <div className="flex flex-wrap justify-end gap-3">
          <Button onClick={() => (isDirty ? setAsking(true) : onDone())}>Cancel</Button>
          <Button variant="primary" type="submit" busy={update.isPending && 'Saving…'}>
            Save question
          </Button>
        </div>
      </QuestionForm>
      <DiscardDialog open={asking} onCancel={() => setAsking(false)} onConfirm={onDone} />
    </section>
  );
}
