import { ordinal } from './ordinal.ts';
import type { CountingType } from './violation-types.ts';

/** States the absence and the rule by which it ends the attempt. */
export function leftPageText(durationMs: number | null): string {
  const forLong = durationMs === null ? '' : ` for ${awayText(durationMs)}`;
  return `You left this page${forLong}. Under this assessment's rules, that ends it.`;
}

/** A long absence is reported while it lasts (hidden-page.ts): then the duration is a lower bound. */
const REPORTED_WHILE_AWAY_MS = 5_000;

function awayText(ms: number): string {
  if (ms < REPORTED_WHILE_AWAY_MS) return secondsText(ms);
  return `more than ${Math.floor(ms / 1_000)} seconds`;
}

const LAST_FACT: Record<CountingType, string> = {
  face_not_detected: 'Your face was not in view',
  voice_detected: 'A voice or a loud sound was heard',
  fullscreen_exit: 'Fullscreen was left',
  tab_hidden: 'You left this page',
};

/** The sentence about the end of an attempt: the last violation and the rule. */
export function endingText({
  type,
  durationMs,
  limit,
  count = limit,
}: {
  type: CountingType;
  durationMs: number | null;
  /** How many it was; more than the limit where several came at once. */
  count?: number;
  limit: number;
}): string {
  if (type === 'tab_hidden' && limit === 1) return leftPageText(durationMs);
  const forLong = durationMs === null ? '' : ` for ${secondsText(durationMs)}`;
  return `${LAST_FACT[type]}${forLong}: that was ${count} of ${limit}. Under this assessment's rules, the ${ordinal(limit)} ends it.`;
}

/** '3.5 seconds', '1 second' */
function secondsText(ms: number): string {
  const seconds = Math.round(ms / 100) / 10;
  return `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`;
}
