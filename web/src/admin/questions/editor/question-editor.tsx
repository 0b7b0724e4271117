import type { BankQuestion } from '@invigil/core/contract/assessments/bank';
import type { QuestionDefinition } from '@invigil/core/domain/questions/question-definition';
import { isDraft } from '@invigil/core/domain/questions/types/question-types';
import { t } from '@invigil/core/texts/i18n';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useUnsaved } from '../../../ui/dialogs/unsaved.ts';
import { toast } from '../../../ui/toast.ts';
import { useMayOn } from '../../data/assessments.ts';
import type { SectionPlace } from '../../data/questions.ts';
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

type StartsAt = 'text' | 'title';

const STARTS: Record<StartsAt, string> = {
  text: ':is([name="question"], [data-field="question"])',
  title: 'h1',
};

/** Focuses where an author starts, once the page is there. */
function useStart(form: RefObject<HTMLFormElement | null>, startsAt: StartsAt | undefined) {
  useEffect(() => {
    if (startsAt === undefined) return;
    // The focus moves after the frame of the app has moved it to the new page.
    const frame = requestAnimationFrame(() =>
      form.current?.querySelector<HTMLElement>(STARTS[startsAt])?.focus(),
    );
    return () => cancelAnimationFrame(frame);
  }, [form, startsAt]);
}

/** The step after a save. */
type Then = 'stay' | 'new' | 'next';

interface Rescoring {
  question: BankQuestion;
  asked: boolean;
  next?: () => void;
}

/** Saves, offers to rescore what papers have, and goes on. */
function useSteps(
  saving: ReturnType<typeof useSaving>,
  {
    mayRescore,
    neighbours,
    onCreated,
    onNew,
  }: Pick<EditorProps, 'onCreated' | 'onNew'> & {
    mayRescore: boolean;
    neighbours: Neighbours | null;
  },
) {
  const [opened, setRescoring] = useState<Rescoring | null>(null);
  const [address, setAddress] = useSearchParams();
  /** The address asks for it, too: a rescoring that is under way is found there. */
  const isLinked = address.has('rescore');
  const { question } = saving.base;
  const linked = isLinked && question !== null ? { question, asked: true } : null;
  const rescoring = opened ?? linked;
  const endRescoring = () => {
    setRescoring(null);
    if (isLinked) {
      address.delete('rescore');
      setAddress(address, { replace: true });
    }
    opened?.next?.();
  };
  const { values } = saving.editing;
  /** Also what is typed while it is being saved. */
  const latest = useRef(values);
  useEffect(() => {
    latest.current = values;
  }, [values]);
  const save = async (then: Then = 'stay', over = saving.base) => {
    const before = over.question;
    const saved = await saving.save(over, then === 'stay');
    if (saved === null) return;
    const next = () => {
      const isDone = latest.current === values;
      if (isDone && then === 'next' && neighbours?.onNext) neighbours.onNext();
      else if (isDone && then !== 'stay') onNew(nextAfter(values));
      else if (before === null) onCreated(saved);
    };
    const isOffered = mayRescore && saved.timesSeen > 0 && !saved.isDraft;
    if (isOffered && before !== null && hasOtherScores(before.definition, saved.definition)) {
      setRescoring({ question: saved, asked: false, next });
    } else next();
  };
  return { save, rescoring, setRescoring, endRescoring };
}

interface EditorProps {
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
  /** Another new question is wanted, with these fields. */
  onNew(next: QuestionValues): void;
  onLeave(): void;
}

const changesFirst = () =>
  t(/* why a button cannot be used */ 'editor.changesFirst', 'Save or undo your changes first');

const tellRestored = () =>
  toast({
    title: t('editor.history.restored', 'Earlier version restored'),
    description: t(
      /* an earlier version of a question */ 'editor.history.restoredHint',
      'Save to make it current.',
    ),
  });

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
}: EditorProps) {
  const form = useRef<HTMLFormElement>(null);
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
  const steps = useSteps(saving, { mayRescore, neighbours, onCreated, onNew });
  const { save, rescoring, setRescoring, endRescoring } = steps;
  const saveAndNew = () => void save('new');
  useStart(form, startsAt);
  useUnsaved(isDirty);
  const device = useDeviceDraft(base.question?.id ?? `new_${quiz?.id ?? ''}`, {
    values,
    isDirty,
    version: base.question?.version ?? 0,
  });
  useEditorKeys({
    save: () => void save(),
    saveAndNext: () => void save('next'),
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
      aria-label={t(/* the form in which a question is edited */ 'portal.question', 'Question')}
      // Below the header of the page, and on a phone that of the app, the buttons of a text stay in view.
      className="[--editor-top:7.5rem] md:[--editor-top:3.5rem]"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <EditorHeader
        title={
          base.question === null
            ? t(/* the title of a page */ 'editor.title.new', 'New question')
            : t(/* the title of a page */ 'editor.title.edit', 'Edit question')
        }
        isDraft={base.question !== null && isDraft(definition)}
        {...{ editing, isDirty, isPreviewed, setPreviewed }}
        isSaving={saving.isSaving}
        onSaveAndNew={saveAndNew}
        neighbours={neighbours}
        savedAt={saving.savedAt}
        onDuplicate={
          base.question === null
            ? t(
                /* why a button cannot be used */ 'editor.duplicate.unsaved',
                'Save the question first',
              )
            : isDirty
              ? changesFirst()
              : () => onNew(values)
        }
        onHistory={base.question === null ? null : () => setHistoryOpen(true)}
        rescoring={
          inUse === null
            ? t(
                /* why a button cannot be used; a paper is the test of one candidate */ 'editor.rescore.unused',
                'No paper has this question yet',
              )
            : isDirty
              ? changesFirst()
              : () => setRescoring({ question: inUse, asked: true })
        }
        onLeave={onLeave}
      />
      {/* The form is as wide as the paper: lines of 44 em, and what is around them. */}
      <div className="grid grid-cols-[minmax(0,54rem)] gap-6 2xl:grid-cols-[minmax(0,54rem)_minmax(18rem,1fr)]">
        <div
          className={`grid grid-cols-[minmax(0,1fr)] content-start gap-4 ${isPreviewed ? 'max-2xl:hidden' : ''}`}
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
              onKeepMine={() => void save('stay', baseOf(theirs))}
            />
          )}
          <QuestionFields {...part} definition={definition} />
          <LabelsPart
            {...part}
            usedIn={usedIn}
            quizTitle={base.question === null ? (quiz?.title ?? null) : base.question.quizTitle}
          />
        </div>
        <div className={isPreviewed ? '' : 'max-2xl:hidden'}>
          <div className="2xl:sticky 2xl:top-18 2xl:max-h-[calc(100dvh-5.5rem)] 2xl:overflow-y-auto">
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
            tellRestored();
          }}
          onClose={() => setHistoryOpen(false)}
        />
      )}
      {rescoring !== null && (
        <RescoreDialog
          {...rescoring}
          definition={rescoring.question.definition}
          quizId={quizId}
          onClose={endRescoring}
        />
      )}
    </form>
  );
}
