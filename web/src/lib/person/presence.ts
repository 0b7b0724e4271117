import { useEffect, useEffectEvent } from 'react';

/**
 * No one touched the page for so long: it stops asking. Each call is activity, and a page that asks
 * by itself would keep the session of an administrator who has left the desk.
 */
export const LEFT_MS = 5 * 60_000;

const SIGNS = ['pointerdown', 'keydown', 'wheel'] as const;

/** Whether someone is at this page. */
export class Presence {
  #lastTouched: number;
  readonly #returning = new Set<() => void>();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
    this.#lastTouched = now();
  }

  /** Someone did something. Who waits for a return hears of the first sign after an absence. */
  touched(): void {
    const wasAway = !this.#isThere;
    this.#lastTouched = this.#now();
    if (wasAway) for (const tell of this.#returning) tell();
  }

  /** The pause before the next look, for `refetchInterval`; `false` while no one is there. */
  whileThere(everyMs: number): number | false {
    return this.#isThere ? everyMs : false;
  }

  /** Tells of each return, until the function given back is called. */
  onReturn(tell: () => void): () => void {
    this.#returning.add(tell);
    return () => this.#returning.delete(tell);
  }

  get #isThere(): boolean {
    return this.#now() - this.#lastTouched < LEFT_MS;
  }
}

/** Of the page, which has one: its frame and what stands in it ask under the same rule. */
export const presence = new Presence();

/** Follows who touches the page, and looks again when someone comes back to it. */
export function useReturn(look: () => unknown): void {
  const lookAgain = useEffectEvent(look);
  useEffect(() => {
    const touched = () => presence.touched();
    // Opening it was a sign of someone too.
    touched();
    for (const sign of SIGNS) document.addEventListener(sign, touched, { passive: true });
    const stop = presence.onReturn(() => void lookAgain());
    return () => {
      stop();
      for (const sign of SIGNS) document.removeEventListener(sign, touched);
    };
  }, []);
}
