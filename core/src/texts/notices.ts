import type { ViolationPolicy } from '../domain/violations/violation-policy.ts';
import {
  type CountingType,
  type FlagType,
  isCountingType,
} from '../domain/violations/violation-types.ts';
import { minutesText, ordinal, secondsText } from './amounts.ts';

/* Sentences for candidates while they are monitored, and when it ends their attempt. */

/** Specification 8, letter for letter; our own texts are equally neutral. */
const WARNINGS: Record<CountingType, string> = {
  face_not_detected: 'Face not detected! Please ensure your face is visible.',
  voice_detected: 'Voice/sound detected! Please maintain silence.',
  fullscreen_exit: 'You must stay in fullscreen mode.',
  tab_hidden: 'This page was hidden. Please stay on this page.',
};

/** The warning before a voice counts, where the policy warns first. */
export const VOICE_WARNING = 'We hear a voice. Quiet, please';

export function warningText(type: CountingType): string {
  return WARNINGS[type];
}

/** An exit from fullscreen with its number (specification 8). */
export function fullscreenWarning({ n, limit }: { n: number; limit: number }): string {
  return `Warning ${n}/${limit}: You must stay in fullscreen mode.`;
}

/** The remaining violations, as the pips show them. */
export function remainingText({ remaining }: { remaining: number | null }): string {
  if (remaining === null) return 'Nothing ends automatically. A person reviews it later.';
  if (remaining === 0) return 'Your answers are being submitted now';
  return remaining === 1
    ? 'One more violation ends your assessment'
    : `${remaining} more violations end your assessment`;
}

/** A face that is out of view; `countsInMs`: until it counts, `null` where it does not. */
export function faceWarning(countsInMs: number | null): string {
  const counts = countsInMs === null ? '' : `: it counts in ${Math.ceil(countsInMs / 1_000)} s`;
  return `${FACE_WARNING}${counts}`;
}

/** The same where a figure that changes would be read out again and again. */
export const FACE_WARNING = 'Move back into view';

/** When the voice of VOICE_WARNING counts. */
export function voiceCountsText({ warnMs }: { warnMs?: number | undefined }): string {
  const forLong = warnMs === undefined ? '' : ` for ${secondsText(warnMs)}`;
  return `It counts only if it goes on${forLong}.`;
}

/** Whether the server counted it. */
export function outcomeText(counted: { count: number; limit: number | null } | null): string {
  if (counted === null) return 'noted, not counted';
  return counted.limit === null ? 'counted' : `counted ${counted.count} of ${counted.limit}`;
}

/** Texts of the strip: facts, without blame. */
const DETECTED: Record<CountingType | FlagType, string> = {
  face_not_detected: 'We could not see your face',
  voice_detected: 'We heard a voice or a loud sound',
  fullscreen_exit: 'Fullscreen was left',
  tab_hidden: 'This page was hidden',
  multiple_faces: 'We saw more than one face',
  looking_away: 'You looked away for a while',
  camera_dark: 'The camera picture is very dark',
  camera_covered: 'The camera seems to be covered',
  frozen_camera: 'The camera picture does not move',
  camera_lost: 'The camera was lost',
  still_face: 'The face in the picture does not move',
  short_speech: 'We heard short words several times',
  microphone_lost: 'The microphone was lost',
  microphone_unjudged: 'The sound could not be checked',
  virtual_camera: 'The camera seems to be software, not a device',
  second_screen: 'A second screen is connected',
  tab_hidden_briefly: 'This page was hidden for a moment',
  fullscreen_left_briefly: 'Fullscreen was left for a moment',
  device_slept: 'This page was paused',
  page_failed: 'Part of this page could not be shown',
  window_blur: 'Another window was in front',
  clipboard: 'Copying and pasting is switched off here',
  context_menu: 'The context menu is switched off here',
  print: 'Printing is switched off here',
  monitor_silent: 'Monitoring was interrupted',
  camera_unjudged: 'The camera picture could not be checked',
  stills_missing: 'Photos did not arrive',
  repeated_still: 'The camera sent the same photo again',
  device_contradiction: 'This device reported conflicting details',
  ended_by_person: 'The administrator ended your assessment',
};

/** A page whose timers were late for longer did not just have to wait for the processor. */
const LONG_PAUSE_MS = 60_000;

/** @param durationMs how long it lasted, if known */
export function detectedText(
  type: CountingType | FlagType,
  durationMs: number | null = null,
): string {
  if (type !== 'device_slept' || durationMs === null) return DETECTED[type];
  // The page's clocks do not tell a sleeping device from a busy one.
  return durationMs < LONG_PAUSE_MS
    ? `This page was slow for ${secondsText(Math.ceil(durationMs / 1_000) * 1_000)}`
    : `${DETECTED[type]} for ${minutesText(durationMs)}`;
}

/** Advice to the candidate, if there is something to do. */
const ADVICE: Partial<Record<CountingType | FlagType, string>> = {
  face_not_detected: 'Stay where the camera sees your face.',
  voice_detected: 'Only speech and very loud sounds count.',
  multiple_faces: 'Only you should be in the picture. Turn away photos and posters of people.',
  looking_away: 'Keep your eyes on the screen.',
  camera_dark: 'Turn on a light, or sit facing a window.',
  camera_covered: 'Remove what covers the lens, or turn on a light.',
  frozen_camera: 'Close other programs that use the camera, or connect it again.',
  camera_lost: 'Connect the camera again.',
  still_face: 'Stay in view yourself. Take down pictures of people.',
  short_speech: 'Please stay silent.',
  microphone_lost: 'Connect the microphone again.',
  second_screen: 'Disconnect it, or switch it off.',
};

/**
 * Never the opposite of what the instructions of this policy allow.
 *
 * @param past its cause has ended, or is not known after a reload
 */
export function adviceText(
  type: CountingType | FlagType,
  { faceCovered, mayUsePaper }: Pick<ViolationPolicy, 'faceCovered' | 'mayUsePaper'>,
  past?: 'over' | 'reloaded',
): string | null {
  if (type === 'face_not_detected' && faceCovered) return null;
  if (past !== undefined && !isCountingType(type)) {
    return past === 'over' && type in ADVICE ? 'fine again' : null;
  }
  if (type === 'looking_away' && mayUsePaper) return 'Keep your eyes on the screen or your paper.';
  return ADVICE[type] ?? null;
}

/** Explains an excused exit: Escape also left fullscreen, and how to make it not count. */
export function excuseText(returnMs: number, button: string): string {
  return `Escape also leaves fullscreen. Press ${button} within ${Math.round(returnMs / 1_000)} seconds and it does not count.`;
}

/** States the absence and the rule by which it ends the attempt. */
export function leftPageText(durationMs: number | null): string {
  const forLong = durationMs === null ? '' : ` for ${awayText(durationMs)}`;
  return `You left this page${forLong}. Under this assessment's rules, that ends it.`;
}

/** A long absence is reported while it lasts (hidden-page.ts): then the duration is a lower bound. */
const REPORTED_WHILE_AWAY_MS = 5_000;

function awayText(ms: number): string {
  if (ms < REPORTED_WHILE_AWAY_MS) return tenthsText(ms);
  return `more than ${Math.floor(ms / 1_000)} seconds`;
}

const tenthsText = (ms: number) => secondsText(Math.round(ms / 100) * 100);

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
  const forLong = durationMs === null ? '' : ` for ${tenthsText(durationMs)}`;
  return `${LAST_FACT[type]}${forLong}: that was ${count} of ${limit}. Under this assessment's rules, the ${ordinal(limit)} ends it.`;
}
