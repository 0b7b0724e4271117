import { secondsText } from './amounts.ts';
import { t } from './i18n.ts';

/* Sentences for candidates before something counts, and while they are away. They are here with the test. */

/** The warning before a voice counts, where the policy warns first. */
export const voiceWarning = (): string => t('notice.voice', 'We hear a voice. Quiet, please');

/** An exit from fullscreen with its number (specification 8). */
export function fullscreenWarning({ n, limit }: { n: number; limit: number }): string {
  return t('notice.fullscreenExit', 'Warning {n}/{limit}: You must stay in fullscreen mode.', {
    n,
    limit,
  });
}

/** A face that is out of view; `countsInMs`: until it counts, `null` where it does not. */
export function faceWarning(countsInMs: number | null): string {
  if (countsInMs === null) return backIntoView();
  return t(
    /* said of a face out of view; s: seconds */ 'notice.faceCounts',
    'Move back into view: it counts in {seconds} s',
    { seconds: Math.ceil(countsInMs / 1_000) },
  );
}

/** The same where a figure that changes would be read out again and again. */
export const backIntoView = (): string =>
  t(/* of the camera: the candidate’s face is out of it */ 'notice.face', 'Move back into view');

/** When the voice of `voiceWarning` counts. */
export function voiceCountsText({ warnMs }: { warnMs?: number | undefined }): string {
  return warnMs === undefined
    ? t(/* a voice */ 'notice.voiceCounts', 'It counts only if it goes on.')
    : t(
        /* a voice; {time} is a duration */ 'notice.voiceCountsFor',
        'It counts only if it goes on for {time}.',
        { time: secondsText(warnMs) },
      );
}

/** Explains an excused exit: Escape also left fullscreen, and how to make it not count. */
export function excuseText(returnMs: number, button: string): string {
  const seconds = Math.round(returnMs / 1_000);
  const how = t(
    /* {button} is the label of a button; “it”: that fullscreen was left */ 'notice.excuse',
    '{seconds, plural, one {Press {button} within # second and it does not count.} other {Press {button} within # seconds and it does not count.}}',
    { button, seconds },
  );
  return `${t(/* the key */ 'notice.escape', 'Escape also leaves fullscreen.')} ${how}`;
}

/** States the absence and the rule by which it ends the attempt. */
export function leftPageText(durationMs: number | null): string {
  const rule = t('ending.leftPageRule', "Under this assessment's rules, that ends it.");
  return `${leftPage(durationMs)} ${rule}`;
}

/** A long absence is reported while it lasts (hidden-page.ts): then the duration is a lower bound. */
const REPORTED_WHILE_AWAY_MS = 5_000;

function leftPage(durationMs: number | null): string {
  if (durationMs === null) return t('ending.leftPage', 'You left this page.');
  if (durationMs < REPORTED_WHILE_AWAY_MS) {
    return t(/* {time} is a duration */ 'ending.leftPageFor', 'You left this page for {time}.', {
      time: tenthsText(durationMs),
    });
  }
  return t(
    'ending.leftPageLonger',
    '{seconds, plural, one {You left this page for more than # second.} other {You left this page for more than # seconds.}}',
    { seconds: Math.floor(durationMs / 1_000) },
  );
}

/** A duration in tenths of a second. */
export const tenthsText = (ms: number) => secondsText(Math.round(ms / 100) * 100);
