import type { EndedAttempt } from '@invigil/core/contract/attempts/ended-attempt';
import { formatTime } from '../../lib/dates.ts';

/** What matters most after the end, in one line: the receipt, when, and until when notes are accepted. */
export function EndLine({ receiptId, ended }: { receiptId: string; ended: EndedAttempt | null }) {
  const notes = ended?.detected.length ? ended.notes : null;
  const at = ended === null ? '' : `, ${formatTime(ended.submittedAt)}`;
  return (
    <p>
      {`Your answers are saved${at}: receipt `}
      <span className="code text-sm text-ink">{receiptId}</span>
      {notes !== null && `. You can add a note until ${formatTime(notes.until)}.`}
    </p>
  );
}
