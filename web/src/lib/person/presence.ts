import { useEffect, useEffectEvent } from 'react';

/**
 * Idle time after which the page stops polling: every call extends the session, so polling would keep
 * alive the session of an administrator who has left.
 */
export const LEFT_MS = 5 * 60_000;

const SIGNS = ['pointerdown', 'keydown', 'wheel'] as const;

export class Presence {
  #lastTouched: number;
  readonly #returning = new Set<() => void>();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
    this.#lastTouched = now();
  }

  /** Records activity; notifies listeners of the first one after an absence. */
  touched(): void {
    const wasAway = !this.#isThere;
    this.#lastTouched = this.#now();
    if (wasAway) for (const listener of this.#returning) listener();
  }

  /** `everyMs` for `refetchInterval`; `false` while the page is idle. */
  whileThere(everyMs: number): number | false {
    return this.#isThere ? everyMs : false;
  }

  /** Subscribes to returns; returns the unsubscribe function. */
  onReturn(listener: () => void): () => void {
    this.#returning.add(listener);
    return () => this.#returning.delete(listener);
  }

  get #isThere(): boolean {
    return this.#now() - this.#lastTouched < LEFT_MS;
  }
}

export const presence = new Presence();

/** Tracks activity on the page, and calls `refetch` on the first one after an absence. */
export function useReturn(refetch: () => unknown): void {
  const onReturn = useEffectEvent(refetch);
  useEffect(() => {
    const touched = () => presence.touched();
    // Opening the page is activity too.
    touched();
    for (const sign of SIGNS) document.addEventListener(sign, touched, { passive: true });
    const stop = presence.onReturn(() => void onReturn());
    return () => {
      stop();
      for (const sign of SIGNS) document.removeEventListener(sign, touched);
    };
  }, []);
}
