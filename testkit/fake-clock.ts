import { ATTEMPT_LIMITS } from '@invigil/core/domain/limits';
import type { ServiceClock } from '../server/src/runtime/clock.ts';

interface Duration {
  ms?: number;
  seconds?: number;
  minutes?: number;
  days?: number;
}

/** From now until one second after the grace period of a deadline that is `toDeadline` away. */
export function afterGrace(toDeadline: Duration = {}): Duration {
  return { ...toDeadline, ms: (toDeadline.ms ?? 0) + ATTEMPT_LIMITS.graceMs + 1_000 };
}

/** A clock that only a test moves. */
export class FakeClock implements ServiceClock {
  trusted = true;
  #ms: number;

  constructor(start: string | Date = '2026-05-14T08:00:00.000Z') {
    this.#ms = new Date(start).getTime();
  }

  now(): Date {
    return new Date(this.#ms);
  }

  isTrusted(): boolean {
    return this.trusted;
  }

  isLate(): boolean {
    return false;
  }

  machineAgrees(): boolean {
    return true;
  }

  advance(by: Duration): void {
    const { ms = 0, seconds = 0, minutes = 0, days = 0 } = by;
    this.#ms += ms + seconds * 1_000 + minutes * 60_000 + days * 86_400_000;
  }
}
