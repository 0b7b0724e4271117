import type { ServiceClock } from '../runtime/clock.ts';

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

  advance(by: { ms?: number; seconds?: number; minutes?: number; days?: number }): void {
    const { ms = 0, seconds = 0, minutes = 0, days = 0 } = by;
    this.#ms += ms + seconds * 1_000 + minutes * 60_000 + days * 86_400_000;
  }
}
