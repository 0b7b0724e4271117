import { randomUUID } from 'node:crypto';

/** The range of 12 bits. */
const MOST_PER_MS = 0xfff;

let lastMs = 0;
let count = 0;

/**
 * A UUIDv7 (RFC 9562): ordered by creation, so that new rows are appended to their indexes. Those of one
 * process ascend strictly, whatever its clock does: a counter follows the milliseconds, then 62 random
 * bits. Node buffers random bits for `randomUUID`; asking the system for each id costs ten times as much.
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
