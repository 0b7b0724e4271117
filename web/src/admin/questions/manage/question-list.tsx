import type { Question } from '@invigil/core/contract/assessments/question-list';
import { definitionOfDraft } from '@invigil/core/domain/questions/question-definition';
import type { QuestionDraft } from '@invigil/core/domain/questions/question-options';
import { t } from '@invigil/core/texts/i18n';
import { useQueryClient } from '@tanstack/react-query';
import { Archive, ListChecks, Maximize2, Pencil, Scale, Trash2 } from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { questionsText } from '../../../lib/question-labels.ts';
import { hasCode, sentenceOf } from '../../../net/api.ts';
import { Button } from '../../../ui/button.tsx';
import { DiscardDialog } from '../../../ui/dialogs/dialog.tsx';
import { Checkbox } from '../../../ui/fields/checkbox.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { MoveHandle, movedTo } from '../../../ui/move-handle.tsx';
import { toast } from '../../../ui/toast.ts';
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx';
import { useQuizFigures } from '../../data/assessments.ts';
import { useQuestionsUsedIn } from '../../data/bank.ts';
import { editorOf, questionsQuery, useUpdateQuestion } from '../../data/questions.ts';
import { showFailure } from '../../data/show-failure.ts';
import { SelectionBar, useSelection } from '../../list/selection-bar.tsx';
import { RescoreDialog } from '../../parts/rescore-dialog.tsx';
import { staleSentence } from '../../parts/stale-notice.tsx';
import { DeleteQuestions, useDeleting } from '../delete-questions.tsx';
import { definitionChanges } from '../editor/versions/definition-changes.ts';
import { StaleQuestionNotice } from '../editor/versions/stale-question-notice.tsx';
import { QuestionForm, typedQuestionOf } from '../question-form.tsx';
import { useArchive } from '../use-archive.ts';
import { useReorder } from '../use-reorder.ts';
import { QuestionRow, questionNames, type RowLabels, WholeQuestion } from './question-row.tsx';
import { QuestionsTools } from './questions-tools.tsx';

export function QuestionList({
  quizId,
  title,
  questions,
  loading,
  isPage = false,
  onDirtyChange,
}: {
  quizId: string;
  title: string;
  questions: readonly Question[];
  loading: boolean;
  /** True on the page of the assessment: compact, and changed in the editor. The dialog shows all of it. */
  isPage?: boolean;
  onDirtyChange?(dirty: boolean): void;
}) {
  const list = useRef<HTMLOListElement>(null);
  const [editing, setEditing] = useEdited(list);
  const [deleting, setDeleting] = useState<{ ids: string[]; number?: number } | null>(null);
  const [rescoring, setRescoring] = useState<{ question: Question; asked: boolean } | null>(null);
  const stopEditing = () => {
    setEditing(null);
    onDirtyChange?.(false);
  };

  const [isSelecting, setSelecting] = useState(false);
  const { selected, select, clear } = useSelection<string>();
  const stopSelecting = () => {
    clear();
    setSelecting(false);
  };
  // Another administrator may have deleted some.
  const ids = questions.map(({ id }) => id);
  const present = new Set(ids.filter((id) => selected.has(id)));

  const labels = new Map(useQuestionsUsedIn(quizId).map((one) => [one.id, one]));
  const hasStarted = (useQuizFigures().get(quizId)?.started ?? 0) > 0;
  /** Whether one of them can only be archived. */
  const isKept = (some: readonly string[]) =>
    hasStarted || some.some((id) => (labels.get(id)?.timesSeen ?? 0) > 0);
  const archives = isKept([...present]);
  const archive = useArchive(stopSelecting);
  const { deleteAll } = useDeleting(quizId);
  const putAway = (away: string[], number?: number) => {
    if (isKept(away)) return void archive(away);
    const areDrafts = away.every((id) => labels.get(id)?.isDraft === true);
    if (!areDrafts) return setDeleting({ ids: away, ...(number === undefined ? {} : { number }) });
    void deleteAll(away).then(stopSelecting, (error: unknown) =>
      showFailure(t('manage.delete.failed', 'Failed to delete question'), error),
    );
  };
  const navigate = useNavigate();
  const openInEditor = (id: string) => void navigate(editorOf({ id, quizId }));

  const { move, moved } = useMoving(quizId, questions, list);
  const [over, setOver] = useState<number | null>(null);

  return (
    <>
      {isSelecting ? (
        <div className={isPage ? '' : '-mx-4 md:-mx-5'}>
          <SelectionBar
            label={t('manage.selectAll', 'Select all')}
            ids={ids}
            selected={present}
            onSelect={select}
          >
            <SelectionButtons
              archives={archives}
              isOff={present.size === 0}
              onCancel={stopSelecting}
              onPutAway={() => putAway([...present])}
            />
          </SelectionBar>
        </div>
      ) : isPage ? (
        <PageTools count={questions.length} onSelect={() => setSelecting(true)} />
      ) : (
        <QuestionsTools {...{ title, questions, loading }} onSelect={() => setSelecting(true)} />
      )}
      <p role="status" className="sr-only">
        {moved}
      </p>
      <ol ref={list} aria-label={t(/* name of a list */ 'portal.questions', 'Questions')}>
        {questions.map((question, index) => (
          <li
            key={question.id}
            data-question={question.id}
            data-place={index + 1}
            className={`border-b border-line last:border-b-0 ${isPage ? 'px-4 py-1.5 md:px-5' : 'py-4.5'} ${over === index + 1 ? 'bg-accent-soft' : ''}`}
          >
            {editing === question.id ? (
              <EditQuestion
                question={question}
                number={index + 1}
                onDirtyChange={(dirty) => onDirtyChange?.(dirty)}
                onDone={stopEditing}
                onKeyChanged={(saved) => setRescoring({ question: saved, asked: false })}
              />
            ) : (
              <QuestionItem
                question={question}
                labels={labels.get(question.id)}
                number={index + 1}
                isPage={isPage}
                isKept={isKept([question.id])}
                locked={editing !== null}
                handle={
                  isSelecting ? (
                    <SelectBox
                      number={index + 1}
                      checked={selected.has(question.id)}
                      onSelect={(isSelected) => select([question.id], isSelected)}
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
                // The form of the dialog holds plain questions only.
                onEdit={() =>
                  question.definition === undefined
                    ? setEditing(question.id)
                    : openInEditor(question.id)
                }
                onOpen={() => openInEditor(question.id)}
                onPutAway={() => putAway([question.id], index + 1)}
              />
            )}
          </li>
        ))}
      </ol>
      {rescoring !== null && (
        <RescoreDialog
          {...rescoring}
          definition={definitionIn(rescoring.question)}
          quizId={quizId}
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

function PageTools({ count, onSelect }: { count: number; onSelect(): void }) {
  return (
    <div className="flex min-h-12 flex-wrap items-center justify-between gap-2 border-b border-line px-4 py-2 md:px-5">
      <h2>{questionsText(count)}</h2>
      <Button size="dense" icon={<ListChecks />} onClick={onSelect}>
        {t(/* a button: begins to select questions */ 'manage.select', 'Select')}
      </Button>
    </div>
  );
}

function SelectBox({
  number,
  checked,
  onSelect,
}: {
  number: number;
  checked: boolean;
  onSelect(isSelected: boolean): void;
}) {
  const label = t('manage.selectQuestion', 'Select question {number}', { number });
  return (
    <Checkbox
      label={<VisuallyHidden>{label}</VisuallyHidden>}
      checked={checked}
      onChange={(event) => onSelect(event.target.checked)}
    />
  );
}

function SelectionButtons({
  archives,
  isOff,
  onCancel,
  onPutAway,
}: {
  /** The selected questions can only be archived. */
  archives: boolean;
  isOff: boolean;
  onCancel(): void;
  onPutAway(): void;
}) {
  return (
    <span className="flex flex-wrap gap-2 sm:ms-auto">
      <Button size="dense" onClick={onCancel}>
        {t(/* a button */ 'ui.cancel', 'Cancel')}
      </Button>
      <Button
        variant={archives ? 'secondary' : 'danger-ghost'}
        size="dense"
        icon={archives ? <Archive /> : <Trash2 />}
        aria-disabled={isOff}
        onClick={onPutAway}
      >
        {archives
          ? t('manage.archiveSelected', 'Archive selected')
          : t('manage.deleteSelected', 'Delete selected')}
      </Button>
    </span>
  );
}

/** The id of the question that is edited; afterwards the focus returns to its edit button. */
function useEdited(list: RefObject<HTMLOListElement | null>) {
  const [editing, setEditing] = useState<string | null>(null);
  const lastEdited = useRef(editing);
  useEffect(() => {
    const last = editing === null ? lastEdited.current : null;
    lastEdited.current = editing;
    const item = last && list.current?.querySelector(`[data-question="${last}"]`);
    if (item) item.querySelector<HTMLElement>('[data-edit]')?.focus();
  }, [editing, list]);
  return [editing, setEditing] as const;
}

/** Moves a question to another position; its handle keeps the focus. */
function useMoving(
  quizId: string,
  questions: readonly Question[],
  list: RefObject<HTMLOListElement | null>,
) {
  const reorder = useReorder(quizId);
  const lastMoved = useRef<string | null>(null);
  const [moved, setMoved] = useState('');
  const move = (question: Question, from: number, to: number) => {
    lastMoved.current = question.id;
    setMoved(
      t(
        /* read out after a move in a list */ 'manage.moved',
        'Question moved to position {position} of {count}',
        { position: to + 1, count: questions.length },
      ),
    );
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
  return { move, moved };
}

const definitionIn = (question: Question) => question.definition ?? definitionOfDraft(question);

function QuestionItem({
  question,
  labels,
  number,
  isPage,
  isKept,
  locked,
  handle,
  onRescore,
  onOpen,
  onEdit,
  onPutAway,
}: {
  question: Question;
  labels: RowLabels | undefined;
  number: number;
  isPage: boolean;
  /** It can only be archived. */
  isKept: boolean;
  /** Another question is being edited: finish that first. */
  locked: boolean;
  handle: ReactNode;
  onRescore(): void;
  onOpen(): void;
  onEdit(): void;
  /** Archives or deletes. */
  onPutAway(): void;
}) {
  const definition = definitionIn(question);
  const why = locked
    ? t(
        /* why a button cannot be used */ 'manage.finishEditing',
        'Finish the question you are editing first',
      )
    : undefined;
  const start = (
    <>
      {handle}
      <span className="min-w-5.5 flex-none text-end leading-5.5 text-ink-3 tabular-nums max-sm:min-w-0">
        {number}
      </span>
    </>
  );
  const rescore = (
    <IconButton
      label={t('manage.rescoreQuestion', 'Rescore question {number}', { number })}
      tooltip={t(/* a button: scores the saved answers again */ 'portal.rescore', 'Rescore')}
      unavailable={why}
      onClick={onRescore}
    >
      <Scale />
    </IconButton>
  );
  const putAway = (
    <IconButton
      label={
        isKept
          ? t('manage.archiveQuestion', 'Archive question {number}', { number })
          : t('manage.deleteQuestion', 'Delete question {number}', { number })
      }
      tooltip={
        isKept
          ? t(
              /* a button, and why it does not delete */ 'manage.archiveStarted',
              'Archive. A candidate has started: it cannot be deleted',
            )
          : t(/* a button */ 'portal.delete', 'Delete')
      }
      unavailable={why}
      onClick={onPutAway}
    >
      {isKept ? <Archive /> : <Trash2 />}
    </IconButton>
  );
  if (isPage) {
    return (
      <QuestionRow
        names={questionNames(number)}
        definition={definition}
        labels={labels}
        to={editorOf(question)}
        start={start}
        actions={
          <>
            {(labels?.timesSeen ?? 0) > 0 && rescore}
            {putAway}
          </>
        }
      />
    );
  }
  return (
    <div className="flex items-start gap-3.5 max-sm:gap-2">
      {start}
      <div className="min-w-0 flex-1">
        <WholeQuestion definition={definition} />
      </div>
      <span className="-mt-1.5 flex flex-none flex-wrap justify-end gap-0.5 max-sm:flex-col">
        {rescore}
        <IconButton
          label={t('manage.openQuestion', 'Open question {number} in editor', { number })}
          tooltip={t(/* a button */ 'manage.openInEditor', 'Open in editor')}
          unavailable={why}
          onClick={onOpen}
        >
          <Maximize2 />
        </IconButton>
        <IconButton
          data-edit=""
          label={t('manage.editQuestion', 'Edit question {number}', { number })}
          tooltip={t(/* a button */ 'portal.edit', 'Edit')}
          unavailable={why}
          onClick={onEdit}
        >
          <Pencil />
        </IconButton>
        {putAway}
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
      toast({ title: t('manage.update.done', 'Question updated') });
      // Keep input typed during the save, as a change of the stored version.
      if (isUntouched()) onDone();
      else setBase(saved);
      if (saved.correctAnswer !== base.correctAnswer) onKeyChanged(saved);
      return false;
    } catch (error) {
      const isStale = hasCode(error, 'STALE');
      showFailure(
        t('manage.update.failed', 'Failed to update question'),
        isStale ? staleSentence() : sentenceOf(error),
      );
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
    <section
      ref={region}
      aria-label={t('manage.editQuestion', 'Edit question {number}', { number })}
      className="grid gap-4"
    >
      <h3>{t('manage.editQuestion', 'Edit question {number}', { number })}</h3>
      {stale !== null && (
        <StaleQuestionNotice
          changes={definitionChanges(definitionIn(stale.theirs), definitionOfDraft(stale.mine))}
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
          <Button onClick={() => (isDirty ? setAsking(true) : onDone())}>
            {t(/* a button */ 'ui.cancel', 'Cancel')}
          </Button>
          <Button
            variant="primary"
            type="submit"
            busy={update.isPending && t('portal.saving', 'Saving…')}
          >
            {t('manage.saveQuestion', 'Save question')}
          </Button>
        </div>
      </QuestionForm>
      <DiscardDialog open={asking} onCancel={() => setAsking(false)} onConfirm={onDone} />
    </section>
  );
}
