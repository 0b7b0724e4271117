import { type ReactNode, useEffect, useId, useRef } from 'react';
import { Button } from '../../ui/button.tsx';
import type { DetectedItem } from '../monitoring/notice-board.ts';
import { adviceText, detectedText, outcomeText } from '../monitoring/notice-words.ts';
import { NoteForm } from './note-form.tsx';

const clock = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});

/** One detection, with a form for a note. */
export function DetectedEntry({
  item,
  sign,
  more,
  actions,
  advises,
  canWrite,
  isWriting,
  onWrite,
  onNote,
  onDone,
}: {
  item: DetectedItem;
  sign?: ReactNode;
  /** Shown after the text. */
  more?: ReactNode;
  actions?: ReactNode;
  /** The attempt continues, so show advice. */
  advises: boolean;
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
  const advice = advises ? adviceText(item.type) : null;
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
            <span className="text-ink">{detectedText(item.type)}</span>{' '}
            <span className="whitespace-nowrap">{clock.format(item.at)}</span>
            {` · ${outcomeText(item.counted)}`}
            {advice !== null && ` · ${advice}`}
          </span>
          {more}
          <span role="status">
            {item.noted && ' · your note was added'}
            {item.note !== undefined && `: “${item.note}”`}
          </span>
        </p>
        <span className="ml-auto flex items-center gap-2 empty:hidden">
          {canWrite && !item.noted && (
            <Button ref={button} size="dense" aria-describedby={id} onClick={onWrite}>
              Add a note
            </Button>
          )}
          {actions}
        </span>
      </div>
      {isWriting && <NoteForm onSave={onNote} onDone={onDone} />}
    </>
  );
}
