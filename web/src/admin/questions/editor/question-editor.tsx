import type { BankQuestion } from '@invigil/core/contract/assessments/bank';
import {
  hasOptions,
  isDraft,
  type QuestionDefinition,
} from '@invigil/core/domain/questions/question-definition';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { ApiError, answerWasLost, sentenceOf } from '../../../net/api.ts';
import { leaveFor, useUnsaved } from '../../../ui/dialogs/unsaved.ts';
import { toast } from '../../../ui/toasts/toast.ts';
import { STALE_SENTENCE } from '../../assessments/form/stale-quiz-notice.tsx';
import { RescoreDialog } from '../manage/rescore-dialog.tsx';
import { EditorHeader } from './editor-header.tsx';
import { EditorNotices } from './editor-notices.tsx';
import { focusProblem, normalized, validateValues } from './editor-problems.ts';
import { LabelsPart } from './parts/labels-part.tsx';
import { NumericPart } from './parts/numeric-part.tsx';
import { OptionsPart } from './parts/options-part.tsx';
import { QuestionPart } from './parts/question-part.tsx';
import { ScoringPart } from './parts/scoring-part.tsx';
import { ShortTextPart } from './parts/short-text-part.tsx';
import { QuestionPreview } from './preview/question-preview.tsx';
import { bankQuestionQuery, useSaveBankQuestion } from './state/bank-api.ts';
import { useDeviceDraft } from './state/device-draft.ts';
import {
  changedLabels,
  definitionOf,
  definitionValues,
  NEW_QUESTION,
  type QuestionValues,
  same,
  valuesOf,
} from './state/question-values.ts';
import { isDialogOpen } from './state/shortcuts.ts';
import { useEditing } from './state/use-editing.ts';
import { hasOtherScores } from './versions/definition-changes.ts';
import { HistoryDialog } from './versions/history-dialog.tsx';
import { StaleQuestionNotice } from './versions/stale-question-notice.tsx';

/** What is stored, and the fields as they were then. */
interface Base {
  question: BankQuestion | null;
  values: QuestionValues;
}

const baseOf = (question: BankQuestion): Base => ({ question, values: valuesOf(question) });

/** The form of one question with its preview. */
export function QuestionEditor({
  stored,
  quiz,
  usedIn = [],
  onCreated,
  onLeave,
}: {
  /** Null: a new question. */
  stored: BankQuestion | null;
  /** The assessment that a new question is for. */
  quiz: { id: string; title: string } | null;
  /** Titles of assessments whose sections name the question. */
  usedIn?: readonly string[];
  onCreated(question: BankQuestion): void;
  onLeave(): void;
}) {
  const [base, setBase] = useState<Base>(() =>
    stored === null ? { question: null, values: NEW_QUESTION } : baseOf(stored),
  );
  const editing = useEditing(base.values);
  const { values, change } = editing;
  const isDirty = !same(values, base.values);
  const [problems, setProblems] = useState<ReadonlyMap<string, string>>(new Map());
  const [savedAt, setSavedAt] = useState<Date | null>(null);
  const [theirs, setTheirs] = useState<BankQuestion | null>(null);
  const [rescoring, setRescoring] = useState<{ question: BankQuestion; asked: boolean } | null>(
    null,
  );
  const [isHistoryOpen, setHistoryOpen] = useState(false);
  const [isPreviewed, setPreviewed] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const client = useQueryClient();
  const saving = useSaveBankQuestion();
  const [isLeaving, setLeaving] = useState(false);
  useUnsaved(isDirty && !isLeaving);
  const left = useEffectEvent(onLeave);
  // After `useUnsaved`, so that a step back in the history does not ask again.
  useEffect(() => {
    if (isLeaving) left();
  }, [isLeaving]);
  const leave = () => leaveFor(() => setLeaving(true));
  const device = useDeviceDraft(base.question?.id ?? `new_${quiz?.id ?? ''}`, {
    values,
    isDirty,
    version: base.question?.version ?? 0,
  });

  const hasProblems = problems.size > 0;
  // After a refused save, problems follow what is typed.
  const recheck = useEffectEvent(() => {
    const validated = validateValues(values);
    setProblems(validated.ok ? new Map() : validated.problems);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change is the reason
  useEffect(() => {
    if (hasProblems) recheck();
  }, [values, hasProblems]);

  const refuse = (found: ReadonlyMap<string, string>) => {
    setProblems(found);
    setPreviewed(false);
    requestAnimationFrame(() => focusProblem(form.current));
  };

  const save = async (over: Base = base) => {
    if (saving.isPending) return;
    const validated = validateValues(values);
    if (!validated.ok) {
      toast({ title: 'Some fields need your attention', variant: 'destructive' });
      return refuse(validated.problems);
    }
    const before = over.question;
    const { definition } = validated;
    const isSame = before !== null && same(definition, normalized(before.definition));
    const labels = changedLabels(values, over.values);
    try {
      const saved = await saving.mutateAsync({
        base: before,
        quizId: quiz?.id ?? null,
        definition: isSame ? null : definition,
        labels,
      });
      setBase({ question: saved, values });
      setSavedAt(new Date());
      setTheirs(null);
      toast(
        saved.isDraft
          ? { title: 'Draft saved', description: 'Without a correct answer no candidate gets it.' }
          : { title: before === null ? 'Question added' : 'Question saved' },
      );
      if (before === null) onCreated(saved);
      else if (!saved.isDraft && hasOtherScores(before.definition, saved.definition)) {
        setRescoring({ question: saved, asked: false });
      }
    } catch (error) {
      await refused(error, before);
    }
  };

  const refused = async (error: unknown, before: BankQuestion | null) => {
    const isStale = error instanceof ApiError && error.code === 'STALE';
    toast({
      title: 'Failed to save question',
      description: isStale
        ? STALE_SENTENCE
        : before === null && answerWasLost(error)
          ? 'The server did not respond. The question may have been added. Check the list before you save again.'
          : sentenceOf(error),
      variant: 'destructive',
    });
    if (error instanceof ApiError && error.issues.length > 0) {
      refuse(
        new Map(
          error.issues.map(({ path, message }) => [path.replace(/^definition\./, ''), message]),
        ),
      );
    }
    if (!isStale || before === null) return;
    setPreviewed(false);
    const query = { ...bankQuestionQuery(before.id), staleTime: 0 };
    setTheirs(await client.fetchQuery(query).catch(() => null));
  };

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || isDialogOpen()) return;
    const isCommand = (event.ctrlKey || event.metaKey) && !event.altKey;
    const key = event.key.toLowerCase();
    if (isCommand && key === 's') {
      event.preventDefault();
      void save();
    } else if (event.key === 'Escape') {
      leave();
    } else if (isCommand && (key === 'z' || key === 'y') && !isTextField(event.target)) {
      event.preventDefault();
      if (key === 'y' || event.shiftKey) editing.redo();
      else editing.undo();
    }
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);

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
        {...{ editing, isDirty, savedAt, isPreviewed, setPreviewed }}
        isSaving={saving.isPending}
        onHistory={base.question === null ? null : () => setHistoryOpen(true)}
        rescoring={
          inUse === null
            ? 'No paper has this question yet'
            : isDirty
              ? 'Save or undo your changes first'
              : () => setRescoring({ question: inUse, asked: true })
        }
        onLeave={leave}
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
              if (draft.version < (base.question?.version ?? 0)) setTheirs(base.question);
              device.settle(draft);
            }}
            onDiscard={device.settle}
          />
          {theirs !== null && (
            <StaleQuestionNotice
              theirs={theirs}
              mine={definition}
              values={values}
              onTakeTheirs={() => {
                const taken = baseOf(theirs);
                setBase(taken);
                change(taken.values);
                setTheirs(null);
              }}
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

/** Where the browser undoes by itself. */
function isTextField(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLTextAreaElement ||
    (target instanceof HTMLInputElement && target.type === 'text')
  );
}
