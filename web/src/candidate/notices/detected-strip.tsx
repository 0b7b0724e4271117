import { VIOLATION_LIMITS } from '@invigil/core/domain/limits';
import { adviceText, detectedText, outcomeText } from '@invigil/core/texts/detected';
import { t } from '@invigil/core/texts/i18n';
import { Eye, X } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { formatClock } from '../../lib/format.ts';
import { sentenceOf } from '../../net/api.ts';
import { Button } from '../../ui/button.tsx';
import { TextArea } from '../../ui/fields/text-area.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import type { DetectedItem } from '../monitoring/notice-board.ts';

type AdvisedPolicy = Parameters<typeof adviceText>[1];

/**
 * Detections with time and a form for notes: the newest one, the others on request. It takes no focus
 * and stays until closed; its announcement is in notices.tsx.
 */
export default function DetectedStrip({
  detected,
  policy,
  onNote,
  onClose,
  onUse,
  className = '',
}: {
  detected: readonly DetectedItem[];
  /** The rules of the running attempt, which advice follows; absent after its end. */
  policy?: AdvisedPolicy;
  /** Rejects if the note could not be saved. Absent once notes are closed. */
  onNote?: (id: string, note: string) => Promise<void>;
  /** Absent after the end, when the strip cannot be closed. */
  onClose?: () => void;
  /** Called when the candidate opens more or starts a note. */
  onUse?: () => void;
  className?: string;
}) {
  const [isOpen, setOpen] = useState(false);
  // An open form stays in place when something else is detected.
  const [writing, setWriting] = useState<{ about: DetectedItem; atHead: boolean } | null>(null);
  const listId = useId();
  const pinned = writing?.atHead ? writing.about : detected[0];
  const head = detected.find(({ id }) => id === pinned?.id) ?? pinned;
  if (head === undefined) return null;
  const others = detected.filter(({ id }) => id !== head.id);
  const entry = (item: DetectedItem) => ({
    item,
    policy,
    canWrite: onNote !== undefined && writing === null,
    isWriting: writing?.about.id === item.id,
    onWrite: () => {
      onUse?.();
      setWriting({ about: item, atHead: item === head });
    },
    onNote: async (note: string) => onNote?.(item.id, note),
    onDone: () => setWriting(null),
  });
  return (
    <section
      aria-label={t('detected.label', 'What was detected')}
      className={`rounded-lg border border-line bg-surface px-4 py-2.5 text-ink-2 ${className}`}
    >
      <DetectedEntry
        key={head.id}
        {...entry(head)}
        sign={<Eye className="size-4.5 flex-none text-ink-3" />}
        more={
          others.length > 0 && (
            <>
              {' '}
              <button
                type="button"
                // Closing the list would discard an open form.
                disabled={writing !== null}
                aria-expanded={isOpen}
                aria-controls={listId}
                className="whitespace-nowrap underline underline-offset-3 hover:text-ink disabled:no-underline disabled:hover:text-ink-2"
                onClick={() => {
                  onUse?.();
                  setOpen(!isOpen);
                }}
              >
                {t(
                  /* detections, after the newest one */
                  'detected.more',
                  '{n, plural, other {and # more}}',
                  { n: others.length },
                )}
              </button>
            </>
          )
        }
        actions={
          onClose !== undefined &&
          writing === null && (
            <IconButton label={t('detected.close', 'Close this notice')} onClick={onClose}>
              <X />
            </IconButton>
          )
        }
      />
      <ul id={listId} hidden={!isOpen || others.length === 0} className="mt-1.5">
        {isOpen &&
          others.map((item) => (
            <li key={item.id} className="border-t border-line py-1.5 last:pb-0">
              <DetectedEntry {...entry(item)} />
            </li>
          ))}
      </ul>
    </section>
  );
}

const notedText = (note: string | undefined) =>
  note === undefined
    ? t(/* after what was detected */ 'detected.noted', 'your note was added')
    : t(
        /* after what was detected; {note}: the candidate's words */
        'detected.note',
        'your note was added: “{note}”',
        { note },
      );

export function DetectedEntry({
  item,
  sign,
  more,
  actions,
  policy,
  canWrite,
  isWriting,
  onWrite,
  onNote,
  onDone,
}: {
  item: DetectedItem;
  sign?: ReactNode;
  more?: ReactNode;
  actions?: ReactNode;
  /** Given while the attempt continues: then there is advice. */
  policy?: AdvisedPolicy | undefined;
  /** No other note is being written. */
  canWrite: boolean;
  isWriting: boolean;
  onWrite(): void;
  onNote(note: string): Promise<void>;
  onDone(): void;
}) {
  const id = useId();
  const row = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const wasWriting = useRef(isWriting);
  const advice = policy === undefined ? null : adviceText(item.type, policy, item.past);
  useEffect(() => {
    const isDone = wasWriting.current && !isWriting;
    wasWriting.current = isWriting;
    // Return the focus to the button that opened the form, or to the item if it now has a note.
    if (isDone) (button.current ?? row.current)?.focus({ preventScroll: true });
  }, [isWriting]);
  return (
    <>
      <div
        ref={row}
        tabIndex={-1}
        className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-1 outline-none"
      >
        {sign}
        <p className="min-w-0 flex-[1_1_13rem]">
          <span id={id}>
            <span className="text-ink">{detectedText(item.type, item.durationMs)}</span>{' '}
            <span className="whitespace-nowrap">{formatClock(item.at)}</span>
            {item.type !== 'ended_by_person' && ` · ${outcomeText(item.counted)}`}
            {advice !== null && ` · ${advice}`}
          </span>
          {more}
          <span role="status">{item.noted && ` · ${notedText(item.note)}`}</span>
        </p>
        <span className="ms-auto flex items-center gap-2 empty:hidden">
          {canWrite && !item.noted && (
            <Button ref={button} size="dense" aria-describedby={id} onClick={onWrite}>
              {t('note.add', 'Add a note')}
            </Button>
          )}
          {actions}
        </span>
      </div>
      {isWriting && <NoteForm onSave={onNote} onDone={onDone} />}
    </>
  );
}

export function NoteForm({
  onSave,
  onDone,
}: {
  /** Rejects if the note could not be saved. */
  onSave(note: string): Promise<void>;
  onDone(): void;
}) {
  const [note, setNote] = useState('');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  // The bottom bar of a phone would cover the buttons.
  useEffect(() => {
    // Returns a promise in newer browsers, which is not a cleanup function.
    void form.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  const save = async () => {
    setBusy(true);
    setProblem(null);
    try {
      await onSave(note.trim());
      onDone();
    } catch (cause) {
      const why = `${sentenceOf(cause)}.`.replace('..', '.');
      setProblem(`${why} ${t('note.kept', 'Your note is still here.')}`);
      setBusy(false);
    }
  };
  return (
    <form
      ref={form}
      aria-labelledby={id}
      className="mt-2 grid scroll-mb-28 gap-3 pb-1.5"
      onSubmit={(event) => {
        event.preventDefault();
        if (note.trim() !== '' && !busy) void save();
      }}
    >
      <h2 id={id} className="sr-only">
        {t('note.title', 'Your note')}
      </h2>
      <TextArea
        label={t('note.label', 'What happened, in your own words')}
        hint={t('note.hint', 'The reviewer sees your note beside this event.')}
        size="candidate"
        rows={2}
        // Opened on request.
        autoFocus
        maxLength={VIOLATION_LIMITS.candidateNoteMaxCharacters}
        value={note}
        error={problem ?? undefined}
        onChange={(event) => setNote(event.target.value)}
      />
      <div className="flex gap-3">
        <Button
          type="submit"
          variant="primary"
          size="dense"
          busy={busy && t(/* the note */ 'test.saving', 'Saving…')}
          disabled={note.trim() === ''}
        >
          {t('note.save', 'Save note')}
        </Button>
        <Button size="dense" onClick={onDone}>
          {t(/* a button: no note is written */ 'ui.cancel', 'Cancel')}
        </Button>
      </div>
    </form>
  );
}
