import type { BankQuestion } from '@invigil/core/contract/assessments/bank';
import type { QuestionDefinition } from '@invigil/core/domain/questions/question-definition';
import { isDraft } from '@invigil/core/domain/questions/types/question-types';
import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate, useParams, useSearchParams } from 'react-router';
import { z } from 'zod';
import { hasCode, sentenceOf } from '../../../net/api.ts';
import { useUnsaved } from '../../../ui/dialogs/unsaved.ts';
import { FailureNotice } from '../../../ui/failure-notice.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { toast } from '../../../ui/toast.ts';
import { useMayOn, useQuiz } from '../../data/assessments.ts';
import { type SectionPlace, useBankQuestion, useQuestionOrder } from '../../data/questions.ts';
import { RescoreDialog } from '../../parts/rescore-dialog.tsx';
import { EditorHeader, type Neighbours } from './editor-header.tsx';
import { EditorNotices, StaleEdit } from './editor-notices.tsx';
import { QuestionFields } from './parts/question-fields.tsx';
import { LabelsPart } from './parts/question-part.tsx';
import { focusProblem } from './parts/validate-values.ts';
import { QuestionPreview } from './question-preview.tsx';
import { useDeviceDraft } from './state/device-draft.ts';
import {
  definitionOf,
  definitionValues,
  NEW_QUESTION,
  nextAfter,
  type QuestionValues,
} from './state/question-values.ts';
import { useEditorKeys } from './state/shortcuts.ts';
import { baseOf, useSaving } from './use-saving.ts';
import { HistoryDialog } from './versions/changes-list.tsx';
import { hasOtherScores } from './versions/definition-changes.ts';

export function QuestionEditor({
  stored,
  quiz,
  section = null,
  usedIn = [],
  initial = NEW_QUESTION,
  startsAt,
  neighbours = null,
  onCreated,
  onNew,
  onLeave,
}: {
  stored: BankQuestion | null;
  quiz: { id: string; title: string } | null;
  /** The section to which the question is added. */
  section?: SectionPlace | null;
  /** Titles of assessments whose sections name the question. */
  usedIn?: readonly string[];
  /** The fields of a new question. */
  initial?: QuestionValues;
  /** The element that has the focus at first. */
  startsAt?: StartsAt | undefined;
  /** null: it was not opened among others. */
  neighbours?: Neighbours | null;
  onCreated(question: BankQuestion): void;
  /** Saved, and another new question is wanted, with these fields. */
  onNew(next: QuestionValues): void;
  onLeave(): void;
}) {
  const form = useRef<HTMLFormElement>(null);
  const [rescoring, setRescoring] = useState<{
    question: BankQuestion;
    asked: boolean;
    next?: () => void;
  } | null>(null);
  const quizId = quiz?.id ?? stored?.quizId ?? undefined;
  const mayRescore = useMayOn(quizId ?? '')('scores.correct');
  const [isHistoryOpen, setHistoryOpen] = useState(false);
  const [isPreviewed, setPreviewed] = useState(false);
  const saving = useSaving(stored, {
    quizId: quiz?.id ?? null,
    section,
    initial,
    onRefused: () => {
      setPreviewed(false);
      requestAnimationFrame(() => focusProblem(form.current));
    },
  });
  const { editing, base, isDirty, problems, theirs } = saving;
  const { values, change } = editing;
  /** Also what is typed while it is being saved. */
  const latest = useRef(values);
  useEffect(() => {
    latest.current = values;
  }, [values]);
  const save = async ({ over = base, isLast = true } = {}) => {
    const before = over.question;
    const saved = await saving.save(over, isLast);
    if (saved === null) return;
    const next = () => {
      if (!isLast && latest.current === values) onNew(nextAfter(values));
      else if (before === null) onCreated(saved);
    };
    const isOffered = mayRescore && saved.timesSeen > 0 && !saved.isDraft;
    if (isOffered && before !== null && hasOtherScores(before.definition, saved.definition)) {
      setRescoring({ question: saved, asked: false, next });
    } else next();
  };
  const saveAndNew = () => void save({ isLast: false });
  useEffect(() => {
    if (startsAt === undefined) return;
    // The focus moves after the frame of the app has moved it to the new page.
    const frame = requestAnimationFrame(() =>
      form.current?.querySelector<HTMLElement>(STARTS[startsAt])?.focus(),
    );
    return () => cancelAnimationFrame(frame);
  }, [startsAt]);
  useUnsaved(isDirty);
  const device = useDeviceDraft(base.question?.id ?? `new_${quiz?.id ?? ''}`, {
    values,
    isDirty,
    version: base.question?.version ?? 0,
  });
  useEditorKeys({
    save: () => void save(),
    saveAndNew,
    leave: onLeave,
    previous: () => neighbours?.onPrevious?.(),
    next: () => neighbours?.onNext?.(),
    undo: editing.undo,
    redo: editing.redo,
  });

  const inUse = (base.question?.timesSeen ?? 0) > 0 ? base.question : null;
  const definition = definitionOf(values);
  const part = { values, change, problemAt: (path: string) => problems.get(path) };
  const restore = (next: QuestionDefinition) => change(definitionValues(next));
  return (
    <form
      ref={form}
      noValidate
      aria-label="Question"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <EditorHeader
        title={base.question === null ? 'New question' : 'Edit question'}
        isDraft={base.question !== null && isDraft(definition)}
        {...{ editing, isDirty, isPreviewed, setPreviewed }}
        isSaving={saving.isSaving}
        onSaveAndNew={saveAndNew}
        neighbours={neighbours}
        savedAt={saving.savedAt}
        onHistory={base.question === null ? null : () => setHistoryOpen(true)}
        rescoring={
          inUse === null
            ? 'No paper has this question yet'
            : isDirty
              ? 'Save or undo your changes first'
              : () => setRescoring({ question: inUse, asked: true })
        }
        onLeave={onLeave}
      />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6 xl:grid-cols-[minmax(0,1fr)_minmax(20rem,27rem)]">
        <div
          className={`grid grid-cols-[minmax(0,1fr)] content-start gap-4 ${isPreviewed ? 'max-xl:hidden' : ''}`}
        >
          <EditorNotices
            question={base.question}
            isDirty={isDirty}
            drafts={device.found}
            onRestore={(draft) => {
              change(draft.values);
              // Saved by someone since: not to be overwritten unseen.
              if (draft.version < (base.question?.version ?? 0)) saving.showTheirs(base.question);
              device.settle(draft);
            }}
            onDiscard={device.settle}
          />
          {theirs !== null && (
            <StaleEdit
              theirs={theirs}
              mine={definition}
              values={values}
              onTakeTheirs={() => saving.takeTheirs(theirs)}
              onKeepMine={() => void save({ over: baseOf(theirs) })}
            />
          )}
          <QuestionFields {...part} definition={definition} />
          <LabelsPart
            {...part}
            usedIn={usedIn}
            quizTitle={base.question === null ? (quiz?.title ?? null) : base.question.quizTitle}
          />
        </div>
        <div className={isPreviewed ? '' : 'max-xl:hidden'}>
          <div className="xl:sticky xl:top-18 xl:max-h-[calc(100dvh-5.5rem)] xl:overflow-y-auto">
            <QuestionPreview definition={definition} />
          </div>
        </div>
      </div>
      {isHistoryOpen && base.question !== null && (
        <HistoryDialog
          id={base.question.id}
          onRestore={(earlier) => {
            setHistoryOpen(false);
            restore(earlier);
            toast({ title: 'Earlier version restored', description: 'Save to make it current.' });
          }}
          onClose={() => setHistoryOpen(false)}
        />
      )}
      {rescoring !== null && (
        <RescoreDialog
          {...rescoring}
          definition={rescoring.question.definition}
          quizId={quizId}
          onClose={() => {
            setRescoring(null);
            rescoring.next?.();
          }}
        />
      )}
    </form>
  );
}

type StartsAt = 'text' | 'title';

const STARTS: Record<StartsAt, string> = { text: '[name="question"]', title: 'h1' };

/** The router's key for the page that the tab was opened with: a step back would leave the app. */
const FIRST_KEY = 'default';

/** History state. */
const Opened = z.object({
  startsAt: z.enum(['text', 'title']).optional(),
});

/** A new question is after the last. */
function useNeighbours(quizId: string | null, id: string): Neighbours | null {
  const order = useQuestionOrder(quizId);
  const { state } = useLocation();
  const navigate = useNavigate();
  const open = (other: string | undefined) =>
    other === undefined
      ? undefined
      : () =>
          void navigate(`/admin/questions/${other}?quiz=${quizId}`, {
            state: { ...Opened.safeParse(state).data, startsAt: 'title' },
          });
  if (order.length === 0) return null;
  const place = order.indexOf(id);
  return place < 0
    ? { words: '', onPrevious: open(order.at(-1)), onNext: undefined }
    : {
        words: `${place + 1} of ${order.length}`,
        onPrevious: open(order[place - 1]),
        onNext: open(order[place + 1]),
      };
}

/**
 * /admin/questions/new and /admin/questions/:id, both with `?quiz=` (among the questions of this
 * assessment) and `&section=` (for its section with this id). A new question keeps its form when it gets its id.
 */
export function QuestionEditorScreen() {
  const { id = 'new' } = useParams();
  const [created, setCreated] = useState<BankQuestion | null>(null);
  // Another question was opened: when its address is opened again, it is read.
  if (created !== null && id !== 'new' && id !== created.id) setCreated(null);
  const [fresh, setFresh] = useState({ round: 0, values: NEW_QUESTION });
  const [address] = useSearchParams();
  const { state, key, search } = useLocation();
  const navigate = useNavigate();
  const isStored = id !== 'new' && id !== created?.id;
  const question = useBankQuestion(isStored ? id : null);
  const quizId = address.get('quiz');
  const ofQuiz = useQuiz(quizId);
  const quiz = ofQuiz.data ?? null;
  const sectionId = address.get('section');
  const neighbours = useNeighbours(quizId, id);
  const { startsAt } = Opened.safeParse(state).data ?? {};

  /** `owner`: the assessment of a question that was opened outside it. */
  const leave = (owner: string | null) => {
    const tab = quizId ?? (key === FIRST_KEY ? owner : null);
    if (tab !== null) void navigate(`/admin/quizzes/${tab}/questions`);
    else if (key === FIRST_KEY) void navigate('/admin/questions');
    else void navigate(-1);
  };
  // A failed second read leaves the form as it is.
  const isLost = ofQuiz.isLoadingError && !hasCode(ofQuiz.error, 'NOT_FOUND');
  if (isStored ? question.isLoadingError : isLost) {
    return (
      <FailureNotice
        title="Could not load the question"
        onRetry={() => void (isStored ? question : ofQuiz).refetch()}
        retrying={question.isFetching || ofQuiz.isFetching}
      >
        {sentenceOf(isStored ? question.error : ofQuiz.error)}
      </FailureNotice>
    );
  }
  // The assessment is loaded for its title; the question itself needs only the id.
  const isLoading = isStored ? question.isPending : quizId !== null && ofQuiz.isPending;
  if (isLoading) return <SkeletonRows rows={6}>Loading question...</SkeletonRows>;
  const stored = isStored ? (question.data ?? null) : null;
  return (
    <QuestionEditor
      key={isStored ? id : `new-${fresh.round}`}
      stored={stored}
      quiz={quiz === null ? null : { id: quiz.id, title: quiz.title }}
      section={quizId !== null && sectionId !== null ? { quizId, sectionId } : null}
      initial={fresh.values}
      startsAt={startsAt ?? (id === 'new' ? 'text' : undefined)}
      neighbours={neighbours}
      usedIn={(isStored ? (question.data?.usedIn ?? []) : [])
        .filter(({ quizId }) => quizId !== stored?.quizId)
        .map(({ title }) => title)}
      onCreated={(saved) => {
        setCreated(saved);
        void navigate(
          { pathname: `/admin/questions/${saved.id}`, search },
          { replace: true, state },
        );
      }}
      onNew={(values) => {
        setCreated(null);
        setFresh(({ round }) => ({ round: round + 1, values }));
        void navigate(
          { pathname: '/admin/questions/new', search },
          { replace: true, state: { startsAt: 'text' } },
        );
      }}
      onLeave={() => leave(stored?.quizId ?? created?.quizId ?? quiz?.id ?? null)}
    />
  );
}
