import { availableParallelism } from 'node:os';
import type { ProcessorTime } from '../answer-path/processor-time.ts';
import { rounded } from '../statistics.ts';
import type { Part } from './load-clients.ts';

/** Shares of all processors, 0 to 1. */
export interface PartShares {
  app: number;
  postgres: number;
  load: number;
  /** Unrelated programs. */
  other: number;
}

/** `null` without /proc. */
export function sharesOf(part: Part, spent: ProcessorTime | undefined): PartShares | null {
  if (spent === undefined) return null;
  const available = part.wallSeconds * 1_000_000 * availableParallelism();
  const share = (micros: number) => rounded(Math.max(0, micros) / available, 3);
  return {
    app: share(spent.app),
    postgres: share(spent.postgres),
    load: share(part.loadMicros),
    other: share(spent.machine - spent.app - spent.postgres - part.loadMicros),
  };
}
