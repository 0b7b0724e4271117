import { v7 } from 'uuid';

/** A UUIDv7: ordered by time of making, so that new rows land at the end of their indexes. */
export function newId(): string {
  return v7();
}
