import type { ViolationPolicy } from '../domain/violations/violation-policy.ts';
import {
  type CountingType,
  type FlagType,
  isCountingType,
} from '../domain/violations/violation-types.ts';
import { minutesText, ordinal, secondsText } from './amounts.ts';
import { t } from './i18n.ts';
import { leftPageText, tenthsText } from './notices.ts';

/* Sentences for candidates about what was detected and counted, which the first question does not wait for. */

/** Specification 8, letter for letter; our own texts are equally neutral. */
const WARNINGS: Record<CountingType, () => string> = {
  face_not_detected: () =>
    t('warning.faceNotDetected', 'Face not detected! Please ensure your face is visible.'),
  voice_detected: () =>
    t('warning.voiceDetected', 'Voice/sound detected! Please maintain silence.'),
  fullscreen_exit: () => t('warning.fullscreenExit', 'You must stay in fullscreen mode.'),
  tab_hidden: () => t('warning.tabHidden', 'This page was hidden. Please stay on this page.'),
};

export function warningText(type: CountingType): string {
  return WARNINGS[type]();
}

/** The remaining violations, as the pips show them. */
export function remainingText({ remaining }: { remaining: number | null }): string {
  if (remaining === null) {
    return t('notice.noLimit', 'Nothing ends automatically. A person reviews it later.');
  }
  if (remaining === 0) return t('notice.submitting', 'Your answers are being submitted now');
  return t(
    /* violations: the attempt ends with the last of them */ 'notice.remaining',
    '{remaining, plural, =1 {One more violation ends your assessment} other {# more violations end your assessment}}',
    { remaining },
  );
}

/** Whether the server counted it. */
export function outcomeText(counted: { count: number; limit: number | null } | null): string {
  if (counted === null) return t(/* said of a violation */ 'notice.noted', 'noted, not counted');
  const { count, limit } = counted;
  return limit === null
    ? t(/* said of a violation */ 'notice.counted', 'counted')
    : t(
        /* said of a violation: which it was of those that are allowed */ 'notice.countedOf',
        'counted {count} of {limit}',
        { count, limit },
      );
}

/** Texts of the strip: facts, without blame. */
const DETECTED: Record<CountingType | FlagType, () => string> = {
  face_not_detected: () => t('detected.faceNotDetected', 'We could not see your face'),
  voice_detected: () => t('detected.voiceDetected', 'We heard a voice or a loud sound'),
  fullscreen_exit: () => t('detected.fullscreenExit', 'Fullscreen was left'),
  tab_hidden: () => t('detected.tabHidden', 'This page was hidden'),
  multiple_faces: () => t('detected.multipleFaces', 'We saw more than one face'),
  looking_away: () => t('detected.lookingAway', 'You looked away for a while'),
  camera_dark: () => t('detected.cameraDark', 'The camera picture is very dark'),
  camera_covered: () => t('detected.cameraCovered', 'The camera seems to be covered'),
  frozen_camera: () => t('detected.frozenCamera', 'The camera picture does not move'),
  camera_lost: () => t('detected.cameraLost', 'The camera was lost'),
  still_face: () => t('detected.stillFace', 'The face in the picture does not move'),
  short_speech: () => t('detected.shortSpeech', 'We heard short words several times'),
  microphone_lost: () => t('detected.microphoneLost', 'The microphone was lost'),
  microphone_unjudged: () => t('detected.microphoneUnjudged', 'The sound could not be checked'),
  virtual_camera: () =>
    t('detected.virtualCamera', 'The camera seems to be software, not a device'),
  second_screen: () => t(/* a monitor */ 'detected.secondScreen', 'A second screen is connected'),
  tab_hidden_briefly: () => t('detected.tabHiddenBriefly', 'This page was hidden for a moment'),
  fullscreen_left_briefly: () =>
    t('detected.fullscreenLeftBriefly', 'Fullscreen was left for a moment'),
  device_slept: () =>
    t(
      /* scripts stood still, as on a device that slept */ 'detected.deviceSlept',
      'This page was paused',
    ),
  page_failed: () => t('detected.pageFailed', 'Part of this page could not be shown'),
  window_blur: () => t('detected.windowBlur', 'Another window was in front'),
  clipboard: () => t('detected.clipboard', 'Copying and pasting is switched off here'),
  context_menu: () => t('detected.contextMenu', 'The context menu is switched off here'),
  print: () => t('detected.print', 'Printing is switched off here'),
  monitor_silent: () => t('detected.monitorSilent', 'Monitoring was interrupted'),
  camera_unjudged: () => t('detected.cameraUnjudged', 'The camera picture could not be checked'),
  stills_missing: () => t('detected.stillsMissing', 'Photos did not arrive'),
  repeated_still: () => t('detected.repeatedStill', 'The camera sent the same photo again'),
  device_contradiction: () =>
    t('detected.deviceContradiction', 'This device reported conflicting details'),
  ended_by_person: () => t('detected.endedByPerson', 'The administrator ended your assessment'),
};

/** A page whose timers were late for longer did not just have to wait for the processor. */
const LONG_PAUSE_MS = 60_000;

/** @param durationMs how long it lasted, if known */
export function detectedText(
  type: CountingType | FlagType,
  durationMs: number | null = null,
): string {
  if (type !== 'device_slept' || durationMs === null) return DETECTED[type]();
  // The page's clocks do not tell a sleeping device from a busy one.
  return durationMs < LONG_PAUSE_MS
    ? t(/* {time} is a duration */ 'detected.slow', 'This page was slow for {time}', {
        time: secondsText(Math.ceil(durationMs / 1_000) * 1_000),
      })
    : t(/* {time} is a duration */ 'detected.paused', 'This page was paused for {time}', {
        time: minutesText(durationMs),
      });
}

/** Advice to the candidate, if there is something to do. */
const ADVICE: Partial<Record<CountingType | FlagType, () => string>> = {
  face_not_detected: () => t('advice.faceNotDetected', 'Stay where the camera sees your face.'),
  voice_detected: () => t('advice.voiceDetected', 'Only speech and very loud sounds count.'),
  multiple_faces: () =>
    t(
      'advice.multipleFaces',
      'Only you should be in the picture. Turn away photos and posters of people.',
    ),
  looking_away: () => t('advice.lookingAway', 'Keep your eyes on the screen.'),
  camera_dark: () => t('advice.cameraDark', 'Turn on a light, or sit facing a window.'),
  camera_covered: () =>
    t('advice.cameraCovered', 'Remove what covers the lens, or turn on a light.'),
  frozen_camera: () =>
    t('advice.frozenCamera', 'Close other programs that use the camera, or connect it again.'),
  camera_lost: () => t('advice.cameraLost', 'Connect the camera again.'),
  still_face: () => t('advice.stillFace', 'Stay in view yourself. Take down pictures of people.'),
  short_speech: () => t('advice.shortSpeech', 'Please stay silent.'),
  microphone_lost: () => t('advice.microphoneLost', 'Connect the microphone again.'),
  second_screen: () =>
    t(/* the second screen */ 'advice.secondScreen', 'Disconnect it, or switch it off.'),
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
    return past === 'over' && type in ADVICE
      ? t(/* what was noticed has ended */ 'advice.over', 'fine again')
      : null;
  }
  if (type === 'looking_away' && mayUsePaper) {
    return t('advice.lookingAwayWithPaper', 'Keep your eyes on the screen or your paper.');
  }
  return ADVICE[type]?.() ?? null;
}

/** The n-th of those after which the attempt ends. */
type Nth = Readonly<{ n: number; limit: number }>;

/** The last violation and which it was, without and with how long it lasted. */
const LAST: Record<
  CountingType,
  { alone: (of: Nth) => string; lasting: (of: Nth & { time: string }) => string }
> = {
  face_not_detected: {
    alone: ({ n, limit }) =>
      t(
        /* a violation: the third of three, for example */ 'ending.face',
        'Your face was not in view: that was {n} of {limit}.',
        { n, limit },
      ),
    lasting: ({ n, limit, time }) =>
      t(
        /* a violation: the third of three, for example */ 'ending.faceFor',
        'Your face was not in view for {time}: that was {n} of {limit}.',
        { n, limit, time },
      ),
  },
  voice_detected: {
    alone: ({ n, limit }) =>
      t('ending.voice', 'A voice or a loud sound was heard: that was {n} of {limit}.', {
        n,
        limit,
      }),
    lasting: ({ n, limit, time }) =>
      t(
        'ending.voiceFor',
        'A voice or a loud sound was heard for {time}: that was {n} of {limit}.',
        { n, limit, time },
      ),
  },
  fullscreen_exit: {
    alone: ({ n, limit }) =>
      t('ending.exit', 'Fullscreen was left: that was {n} of {limit}.', { n, limit }),
    lasting: ({ n, limit, time }) =>
      t('ending.exitFor', 'Fullscreen was left for {time}: that was {n} of {limit}.', {
        n,
        limit,
        time,
      }),
  },
  tab_hidden: {
    alone: ({ n, limit }) =>
      t('ending.switch', 'You left this page: that was {n} of {limit}.', { n, limit }),
    lasting: ({ n, limit, time }) =>
      t('ending.switchFor', 'You left this page for {time}: that was {n} of {limit}.', {
        n,
        limit,
        time,
      }),
  },
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
  const { alone, lasting } = LAST[type];
  const last =
    durationMs === null
      ? alone({ n: count, limit })
      : lasting({ n: count, limit, time: tenthsText(durationMs) });
  const rule = t(
    /* {nth} is “third”: the third violation ends the assessment */ 'ending.rule',
    "Under this assessment's rules, the {nth} ends it.",
    { nth: ordinal(limit) },
  );
  return `${last} ${rule}`;
}
