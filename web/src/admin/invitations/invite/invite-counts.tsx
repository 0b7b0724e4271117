import type { InviteLines } from './invite-lines.ts';

/** Counts of valid, invalid and repeated lines, while typing. */
export function InviteCounts({ lines }: { lines: InviteLines }) {
  const { valid, invalid, duplicates } = lines;
  return (
    <div role="status" className="grid gap-1 text-sm text-ink-2 tabular-nums">
      <p>{`${valid} valid, ${invalid.length} invalid, ${duplicates} duplicate`}</p>
      {invalid.length > 0 && (
        <p className="break-words text-bad-ink">
          Not an address: {invalid.slice(0, 3).join(', ')}
          {invalid.length > 3 && ` and ${invalid.length - 3} more`}
        </p>
      )}
    </div>
  );
}
