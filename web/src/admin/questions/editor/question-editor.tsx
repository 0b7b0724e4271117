import type { BankQuestion } from '@invigil/core/contract/assessments/bank';
import {
  hasOptions,
  isDraft,
  type QuestionDefinition,
} from '@invigil/core/domain/questions/question-definition';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { leaveFor, useUnsaved } from '../../../ui/dialogs/unsaved.ts';
import { toast } from '../../../ui/toasts/toast.ts';
import { RescoreDialog } from '../manage/rescore-dialog.tsx';
import { EditorHeader } from './editor-header.tsx';
import { EditorNotices, StaleEdit } from './editor-notices.tsx';
import { focusProblem } from './editor-problems.ts';
import { LabelsPart } from './parts/labels-part.tsx';
import { NumericPart } from './parts/numeric-part.tsx';
import { OptionsPart } from './parts/options-part.tsx';
import { QuestionPart } from './parts/question-part.tsx';
import { ScoringPart } from './parts/scoring-part.tsx';
import { ShortTextPart } from './parts/short-text-part.tsx';
import { QuestionPreview } from './preview/question-preview.tsx';
import { useDeviceDraft } from './state/device-draft.ts';
import { definitionOf, definitionValues } from './state/question-values.ts';
import { useEditorKeys } from './state/shortcuts.ts';
import { baseOf, useSaving } from './use-saving.ts';
import { hasOtherScores } from './versions/definition-changes.ts';
import { HistoryDialog } from './versions/history-dialog.tsx';

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
  const form = useRef<HTMLFormElement>(null);
  const [rescoring, setRescoring] = useState<{ question: BankQuestion; asked: boolean } | null>(
    null,
  );
  const [isHistoryOpen, setHistoryOpen] = useState(false);
  const [isPreviewed, setPreviewed] = useState(false);
  const [isLeaving, setLeaving] = useState(false);
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
  useUnsaved(isDirty && !isLeaving);
  const leave = () =>
    leaveFor(() => {
      // At once, so that a step back in the history does not ask again.
      flushSync(() => setLeaving(true));
      onLeave();
    });
  const device = useDeviceDraft(base.question?.id ?? `new_${quiz?.id ?? ''}`, {
    values,
    isDirty,
    version: base.question?.version ?? 0,
  });
  useEditorKeys({ save: () => void save(), leave, undo: editing.undo, redo: editing.redo });

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
