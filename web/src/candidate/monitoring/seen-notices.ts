import { COUNTING_TYPES, FLAG_TYPES } from '@invigil/core/domain/violations/violation-types';
import { useEffect } from 'react';
import { z } from 'zod';
import { isMadeByReact } from '../../lib/made-by-react.ts';
import { localKey } from '../../lib/person/local-keys.ts';
import type { DetectedItem } from './notice-board.ts';

/** A page that was not painted for longer is behind something, or the browser has stopped drawing it. */
const UNPAINTED_MS = 3_000;
const SAMPLE_MS = 1_000;

/** How many places that show warnings are on the page. */
let places = 0;
let paintedAt = 0;

/** The calling component shows warnings while it is mounted. */
export function useShowsWarnings(): void {
  useEffect(() => {
    places += 1;
    return () => {
      places -= 1;
    };
  }, []);
}

/** Notes that the page is painted, until the signal. */
export function watchPainting(signal: AbortSignal): void {
  const look = () =>
    requestAnimationFrame((at) => {
      paintedAt = at;
    });
  paintedAt = performance.now();
  const timer = setInterval(look, SAMPLE_MS);
  signal.addEventListener('abort', () => clearInterval(timer));
}

/**
 * Whether a warning that is shown now can be seen. While it cannot, because its part of the page has
 * failed, because something else lies over the page, or because nothing is painted, a detection is
 * recorded and does not count.
 *
 * @param isAboutHiding the detection is that the page was hidden: then it is not painted, of course
 */
export function canBeWarned(isAboutHiding: boolean): boolean {
  if (places === 0) return false;
  if (isAboutHiding) return true;
  const isPainted = performance.now() - paintedAt < UNPAINTED_MS;
  return document.visibilityState === 'visible' && isPainted && !isCovered();
}

/** Within the first warning, on every screen. */
const WARNING_Y_PX = 100;

/** Whether what lies over the warnings, or at the middle and around it, was put there by someone else. */
function isCovered(): boolean {
  const { innerWidth: width, innerHeight: height } = window;
  const points = [
    [0.5, 0.5],
    [0.25, 0.25],
    [0.75, 0.25],
    [0.25, 0.75],
    [0.75, 0.75],
  ] as const;
  return (
    isForeignAt(width / 2, WARNING_Y_PX) ||
    points.every(([x, y]) => isForeignAt(x * width, y * height))
  );
}

function isForeignAt(x: number, y: number): boolean {
  const top = document.elementFromPoint(x, y);
  return top !== null && top !== document.body && top !== document.documentElement && !isOurs(top);
}

function isOurs(element: Element): boolean {
  for (let at: Element | null = element; at !== null; at = at.parentElement) {
    if (isMadeByReact(at)) return true;
  }
  return false;
}

const StoredNotices = z.object({
  participantId: z.string(),
  detected: z.array(
    z.object({
      id: z.string(),
      type: z.enum([...COUNTING_TYPES, ...FLAG_TYPES]),
      /** milliseconds since 1970 */
      at: z.number(),
      durationMs: z.number().nullable(),
      counted: z.object({ count: z.int(), limit: z.int().nullable() }).nullable(),
      noted: z.boolean(),
    }),
  ),
});

const storedNoticesKey = localKey('detected', StoredNotices);

/** Stores the strip's content for a reload. Deleted with the other copies at the end. */
export function storeNotices(participantId: string, detected: readonly DetectedItem[]): void {
  const rows = detected.map((item) => ({ ...item, at: item.at.getTime() }));
  storedNoticesKey.write({ participantId, detected: rows });
}

/** The stored notices of this attempt, newest first. */
export function readStoredNotices(participantId: string): DetectedItem[] {
  const kept = storedNoticesKey.read();
  if (kept?.participantId !== participantId) return [];
  return kept.detected.map((item) => ({ ...item, at: new Date(item.at) }));
}
