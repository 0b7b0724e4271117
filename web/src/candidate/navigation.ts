import { useEffect } from 'react';
import {
  autoSubmittedKey,
  completionDataKey,
  dismissalContextKey,
} from '../lib/person/local-keys.ts';
import type { AttemptPhase } from './attempt/attempt-state.ts';

let phase: AttemptPhase = { kind: 'idle' };

export function storePhase(latest: AttemptPhase): void {
  phase = latest;
}

/** The last page of this page's attempt, or `null`. */
export function attemptPage(): string | null {
  return pageOf(phase);
}

export interface LocalMarkers {
  /** A submit is done or in progress (`completionData` or `autoSubmitted` is stored). */
  submitted: boolean;
  /** The attempt was dismissed on this screen (`dismissalContext` is stored). */
  dismissed: boolean;
}

/** Reads what this browser has stored about an end. */
export function endMarkers(): LocalMarkers {
  return {
    submitted: completionDataKey.read() !== null || autoSubmittedKey.read() !== null,
    dismissed: dismissalContextKey.read() !== null,
  };
}

/**
 * The page where this page's attempt continues, or `null` if none is running. Used by the screens before
 * the start: the browser's Back must neither stop the devices nor hide the clock.
 */
export function ongoingPage(): string | null {
  const ongoing = ['loading', 'running', 'paused', 'submitting'].includes(phase.kind);
  return ongoing ? (pageOf(phase) ?? '/quiz/assessment') : null;
}

/**
 * The page of an attempt in this phase; `null` for test and review. A submit without a response
 * continues on the thank-you screen (specification 8).
 */
export function pageOf(phase: AttemptPhase): string | null {
  switch (phase.kind) {
    case 'ended':
      return phase.summary.status === 'dismissed' ? '/quiz/dismissed' : '/quiz/thankyou';
    case 'submitting':
      if (phase.by === 'dismissal') return '/quiz/dismissed';
      return phase.by !== 'candidate' || phase.tries > 0 ? '/quiz/thankyou' : null;
    default:
      return null;
  }
}

/** Whether a link or a button led to this page, and not a reload, Back or Forward. */
let wasLedHere = false;

/** Learns how each page is reached; called once, before the first navigation. */
export function watchNavigation(): void {
  // The router sends the first two.
  for (const type of ['pushState', 'replaceState', 'popstate']) {
    window.addEventListener(type, () => {
      wasLedHere = type !== 'popstate';
    });
  }
}

/**
 * After navigation a screen starts at the top, with the focus on its heading if the focused element is
 * gone. After a reload or Back the browser restores the position.
 */
export function useArrival(): void {
  useEffect(() => {
    if (!wasLedHere) return;
    window.scrollTo(0, 0);
    const { activeElement, body } = document;
    if (activeElement === null || activeElement === body) focusHeading();
  }, []);
}

/**
 * Focuses the heading of the page, so that screen readers announce it when the focused element is gone.
 * Does not scroll.
 */
export function focusHeading(): void {
  const heading = document.querySelector<HTMLElement>('main h1');
  if (heading === null) return;
  heading.tabIndex = -1;
  heading.classList.add('outline-none');
  heading.focus({ preventScroll: true });
}
