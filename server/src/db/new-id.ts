import { randomUUID } from 'node:crypto';

/** What 12 bits can count. */
const MOST_PER_MS = 0xfff;

let lastMs = 0;
let count = 0;

/**
 * A UUIDv7 (RFC 9562): ordered by time of making, so that new rows land at the end of their indexes.
 * Those of one process ascend strictly, whatever its clock does: a count stands below the
 * milliseconds, and 62 random bits below the count. Node keeps random bits in store for `randomUUID`;
 * asking the system for each id costs ten times as much.
 */
export function newId(): string {
  const now = Date.now();
  if (now > lastMs) {
    lastMs = now;
    count = 0;
  } else if (count < MOST_PER_MS) {
    count += 1;
  } else {
    lastMs += 1;
    count = 0;
  }
  const time = lastMs.toString(16).padStart(12, '0');
  const below = count.toString(16).padStart(3, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${below}${randomUUID().slice(18)}`;
}
