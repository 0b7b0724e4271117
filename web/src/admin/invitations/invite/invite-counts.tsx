import { whyNotEmailAddress } from '@invigil/core/domain/email-address';
import type { InviteLines } from './invite-lines.ts';

/** Counts of valid, invalid and repeated lines, while typing. */
export function InviteCounts({ lines }: { lines: InviteLines }) {
  const { valid, invalid, duplicates } = lines;
  // That it is none is said above; a sign that no mail server takes is not seen by looking.
  const reason = invalid.map(whyNotEmailAddress).find((why) => why?.includes('@'));
  return (
    <div role="status" className="grid gap-1 text-sm text-ink-2 tabular-nums">
      <p>{`${valid} valid, ${invalid.length} invalid, ${duplicates} duplicate`}</p>
      {invalid.length > 0 && (
        <p className="break-words text-bad-ink">
          Not an address: {invalid.slice(0, 3).join(', ')}
          {invalid.length > 3 && ` and ${invalid.length - 3} more`}
        </p>
      )}
      {reason !== undefined && <p className="break-words text-bad-ink">{`${reason}.`}</p>}
    </div>
  );
}
