import type { BankQuestion } from '@invigil/core/contract/assessments/bank';
import {
  hasOptions,
  isDraft,
  type QuestionDefinition,
} from '@invigil/core/domain/questions/question-definition';
import { useRef, useState } from 'react';
import { useLocation, useNavigate, useParams, useSearchParams } from 'react-router';
import { z } from 'zod';
import { sentenceOf } from '../../../net/api.ts';
import { useUnsaved } from '../../../ui/dialogs/unsaved.ts';
import { FailureNotice } from '../../../ui/failure-notice.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { toast } from '../../../ui/toasts/toast.ts';
import { useQuizzes } from '../../assessments/api.ts';
import { RescoreDialog } from '../manage/rescore-dialog.tsx';
import { useBankQuestion } from '../questions-api.ts';
import { EditorHeader } from './editor-header.tsx';
import { EditorNotices, StaleEdit } from './editor-notices.tsx';
import { NumericPart, ShortTextPart } from './parts/numeric-part.tsx';
import { OptionsPart } from './parts/options-part.tsx';
import { LabelsPart, QuestionPart, ScoringPart } from './parts/question-part.tsx';
import { QuestionPreview } from './preview/question-preview.tsx';
import { useDeviceDraft } from './state/device-draft.ts';
import { definitionOf, definitionValues } from './state/question-values.ts';
import { useEditorKeys } from './state/shortcuts.ts';
import { baseOf, focusProblem, useSaving } from './use-saving.ts';
import { HistoryDialog } from './versions/changes-list.tsx';
import { hasOtherScores } from './versions/definition-changes.ts';

export function QuestionEditor({
  stored,
  quiz,
  usedIn = [],
  onCreated,
  onLeave,
}: {
  stored: BankQuestion | null;
  quiz: { id: string; title: string } | null;
  /** Titles of assessments whose sections name the question. */
  usedIn?: readonly string[];
  onCreated(question: BankQuestion): void;
  onLeave(): void;
}) {
  const form = useRef<HTMLFormElement>(null);
  const [rescoring, setRescoring] = useState<{ question: BankQuestion; asked: boolean } | null>(
    null,
  );
  const [isHistoryOpen, setHistoryOpen] = useState(false);
  const [isPreviewed, setPreviewed] = useState(false);
  const saving = useSaving(stored, quiz?.id ?? null, {
    onSaved: (saved, before) => {
      if (before === null) onCreated(saved);
      else if (!saved.isDraft && hasOtherScores(before.definition, saved.definition)) {
        setRescoring({ question: saved, asked: false });
      }
    },
    onRefused: () => {
      setPreviewed(false);
      requestAnimationFrame(() => focusProblem(form.current));
    },
  });
  const { editing, base, isDirty, problems, theirs, save } = saving;
  const { values, change } = editing;
  useUnsaved(isDirty);
  const device = useDeviceDraft(base.question?.id ?? `new_${quiz?.id ?? ''}`, {
    values,
    isDirty,
    version: base.question?.version ?? 0,
  });
  useEditorKeys({
    save: () => void save(),
    leave: onLeave,
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
              onKeepMine={() => void save(baseOf(theirs))}
            />
          )}
          <QuestionPart {...part} />
          {hasOptions(values.type) && <OptionsPart {...part} />}
          {values.type === 'numeric' && <NumericPart {...part} />}
          {values.type === 'short_text' && <ShortTextPart {...part} />}
          <ScoringPart {...part} definition={definition} />
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
          onClose={() => setRescoring(null)}
        />
      )}
    </form>
  );
}

/** The router's key for the page that the tab was opened with: a step back would leave the app. */
const FIRST_KEY = 'default';

/** History state: opened from the questions of this assessment. */
const FromQuestions = z.object({ questionsOf: z.string() });

/**
 * /admin/questions/new (`?quiz=`: for this assessment) and /admin/questions/:id. A new question keeps
 * its form when it gets its id.
 */
export function QuestionEditorScreen() {
  const { id = 'new' } = useParams();
  const [created, setCreated] = useState<BankQuestion | null>(null);
  const [address] = useSearchParams();
  const { state, key } = useLocation();
  const navigate = useNavigate();
  const quizzes = useQuizzes();
  const isStored = id !== 'new' && id !== created?.id;
  const question = useBankQuestion(isStored ? id : null);
  const quiz = quizzes.data?.find((one) => one.id === address.get('quiz')) ?? null;

  const leave = (quizId: string | null) => {
    const from = FromQuestions.safeParse(state).data?.questionsOf;
    if (from === undefined && key !== FIRST_KEY) void navigate(-1);
    else if ((from ?? quizId) === null) void navigate('/admin/questions');
    else void navigate('/admin/quizzes', { state: { questionsOf: from ?? quizId } });
  };
  // A failed second read leaves the form as it is.
  if (isStored ? question.isLoadingError : address.has('quiz') && quizzes.isLoadingError) {
    return (
      <FailureNotice
        title="Could not load the question"
        onRetry={() => void (isStored ? question : quizzes).refetch()}
        retrying={question.isFetching || quizzes.isFetching}
      >
        {sentenceOf(isStored ? question.error : quizzes.error)}
      </FailureNotice>
    );
  }
  // For its title; the question itself needs only the id.
  const isLoading = isStored ? question.isPending : address.has('quiz') && quizzes.isPending;
  if (isLoading) return <SkeletonRows rows={6}>Loading question...</SkeletonRows>;
  const stored = isStored ? (question.data ?? null) : null;
  return (
    <QuestionEditor
      key={isStored ? id : 'new'}
      stored={stored}
      quiz={quiz === null ? null : { id: quiz.id, title: quiz.title }}
      usedIn={(isStored ? (question.data?.usedIn ?? []) : [])
        .filter(({ quizId }) => quizId !== stored?.quizId)
        .map(({ title }) => title)}
      onCreated={(saved) => {
        setCreated(saved);
        void navigate(`/admin/questions/${saved.id}`, { replace: true, state });
      }}
      onLeave={() => leave(stored?.quizId ?? created?.quizId ?? quiz?.id ?? null)}
    />
  );
}
