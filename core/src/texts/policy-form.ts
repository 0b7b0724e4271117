import { listText } from '../domain/locale.ts';
import {
  type AppliedLimits,
  appliedLimits,
  COMPUTER,
  type EndingRule,
  endingRules,
  reachableLimits,
  type Warnings,
} from '../domain/violations/applied-limits.ts';
import {
  LOWERED_MS,
  needsCamera,
  type PolicySettings,
} from '../domain/violations/violation-policy.ts';
import { ordinal, secondsText } from './amounts.ts';

/* Sentences for administrators about a policy that they set. Candidates load none of it. */

export const PRESET_NAMES: Record<PolicySettings['preset'], string> = {
  strict: 'Strict',
  balanced: 'Balanced',
  review: 'Review',
  off: 'Off',
  custom: 'Custom',
};

export const PRESET_WORDS: Record<PolicySettings['preset'], string> = {
  strict: 'Reaching a limit ends the attempt. Two seconds out of view count.',
  balanced:
    'Recommended. As Strict, but everything warns first: six seconds out of view count, a voice that goes on, and the second tab switch.',
  review: 'Nothing ends automatically. Everything is recorded for review.',
  off: 'No camera, microphone or fullscreen is required.',
  custom: 'Your own numbers.',
};

export const TAB_CHOICES: Record<PolicySettings['tabHidden'], { label: string; words: string }> = {
  dismiss: {
    label: 'End the attempt',
    words:
      'The first switch to another tab or app ends the attempt. On phones it counts as a fullscreen warning.',
  },
  warn_once: {
    label: 'Warn, then end the attempt',
    words:
      'The first switch to another tab or app is a warning, the second ends the attempt. On phones each counts as a fullscreen warning.',
  },
  warn: {
    label: 'Give a warning',
    words: 'Each switch to another tab or app counts as a fullscreen warning.',
  },
  record: {
    label: 'Record only',
    words: 'A switch to another tab or app is recorded and never ends the attempt.',
  },
};

const CAMERA_OFF = 'Has no effect while the camera is off.';
const MICROPHONE_OFF = 'Has no effect while the microphone is off.';

/** Switches of the policy, with the effect of either state. */
export const SWITCHES = {
  camera: {
    label: 'Camera',
    on: 'Needed on computers. Phones have no camera check.',
    off: 'Not required. Faces are not checked.',
  },
  cameraRequired: {
    label: 'Camera required',
    on: 'On phones and tablets, a notice appears instead of the start button.',
    off: 'Candidates on phones and tablets take the assessment without a camera.',
  },
  microphone: {
    label: 'Microphone',
    on: 'Needed on every device.',
    off: 'Not required. Sound is not checked.',
  },
  fullscreen: {
    label: 'Fullscreen',
    on: 'The assessment is covered outside fullscreen. iPhones do not support fullscreen.',
    off: 'The assessment runs in a normal window.',
  },
  mayUsePaper: {
    label: 'Pen and paper',
    on: `The instructions allow it. A lowered head is no flag, and a face that is lost while it is lowered counts only after ${secondsText(LOWERED_MS)}.`,
    off: 'The instructions do not mention paper, and a lowered head is looking away.',
  },
  mayTranslate: {
    label: 'Translation by the browser',
    on: 'The browser may translate questions. A translation can change what a question asks.',
    off: 'The browser is asked not to translate the pages of candidates.',
  },
} as const;

export function switchHint(policy: Settings, name: keyof typeof SWITCHES): string {
  if (name === 'cameraRequired' && !policy.camera) return CAMERA_OFF;
  return SWITCHES[name][policy[name] ? 'on' : 'off'];
}

/** Violations that a limit counts, by the kinds that add to it. */
const KINDS = {
  face: (n: number) => `${ordinal(n)} face violation`,
  voice: (n: number) => `${ordinal(n)} voice violation`,
  both: (n: number) => `${ordinal(n)} face or voice violation`,
};

const addingKind = ({ adding }: AppliedLimits) =>
  adding.length === 2 ? 'both' : (adding[0] ?? null);

function warned({ exits, switches }: Omit<Warnings, 'limit'>): string {
  if (exits && switches) return 'fullscreen exit or tab switch';
  return exits ? 'fullscreen exit' : 'tab switch';
}

type Settings = Omit<PolicySettings, 'preset'>;
type Sentence = (policy: Settings) => string;

const ends = (what: string) => `The ${what} ends the attempt.`;

const camera =
  (sentence: Sentence): Sentence =>
  (policy) =>
    policy.camera ? sentence(policy) : CAMERA_OFF;
const microphone =
  (sentence: Sentence): Sentence =>
  (policy) =>
    policy.microphone ? sentence(policy) : MICROPHONE_OFF;

/** A limit of a kind, with a lower combined limit that is always reached first. */
const alone =
  (
    kind: 'face' | 'voice',
    type: PolicySettings['combinedTypes'][number],
    never: string,
  ): Sentence =>
  ({ limits, combinedTypes }) => {
    const n = limits[kind];
    if (n === null) return never;
    const { combined } = limits;
    const isLate = combinedTypes.includes(type) && combined !== null && combined < n;
    const first = isLate ? ` The combined limit of ${combined} is reached first.` : '';
    return `${ends(KINDS[kind](n))}${first}`;
  };

/** The effect of each number. */
export const NUMBER_SENTENCES = {
  combined(policy) {
    const kind = addingKind(appliedLimits(policy, COMPUTER));
    const n = policy.limits.combined;
    if (kind === null) {
      return 'Neither face nor voice violations count toward it, so it never ends the attempt.';
    }
    return n === null
      ? 'Face and voice violations together never end the attempt.'
      : ends(KINDS[kind](n));
  },
  face: camera(alone('face', 'face_not_detected', 'Face violations alone never end the attempt.')),
  voice: microphone(
    alone('voice', 'voice_detected', 'Voice violations alone never end the attempt.'),
  ),
  exits({ fullscreen: exits, tabHidden, limits: { fullscreen: n } }) {
    if (!exits && tabHidden === 'record') return 'Has no effect while fullscreen is off.';
    if (n === null) return 'Leaving fullscreen is recorded and never ends the attempt.';
    const switches = tabHidden === 'warn';
    const what = exits || switches ? warned({ exits, switches }) : 'tab switch on a phone';
    return n === 1
      ? `The first ${what} ends the attempt.`
      : `Each ${what} is a warning; the ${ordinal(n)} ends the attempt.`;
  },
  tabHiddenFor: ({ tabHiddenMs: ms }) =>
    ms === 0
      ? 'Hiding the page for any length of time counts as a tab switch.'
      : `A page hidden for more than ${secondsText(ms)} counts as a tab switch. Shorter times are only recorded.`,
  faceEvery: camera(({ face: { everyMs: ms } }) =>
    ms === 1_000 ? 'The picture is checked every second.' : `Every ${secondsText(ms)}, one check.`,
  ),
  faceAbsent: camera(({ face: { misses, everyMs } }) => {
    if (misses === 1) return 'One check without a face is a violation.';
    const warning = misses > 2 ? ' The second shows a warning.' : '';
    return `${misses} checks in a row without a face, about ${secondsText(misses * everyMs)}, are a violation.${warning}`;
  }),
  speechShare: microphone(
    ({ sound: { speechShare } }) =>
      `Speech in at least ${round(speechShare * 100)} % of the window is a violation.`,
  ),
  speechWindow: microphone(
    ({ sound: { speechShare, speechWindowMs: ms } }) =>
      `About ${secondsText(ms * speechShare)} of speech within ${secondsText(ms)}.`,
  ),
  loudAbove: microphone(({ sound: { level } }) =>
    level >= 120
      ? 'Only a reading of 120 counts as loud: 60 dB over the quiet room.'
      : `A level above ${level} is loud: ${round(level / 2)} dB over the quiet room.`,
  ),
  loudSamples: microphone(
    ({ sound: { samples, everyMs } }) =>
      `Loud in more than ${samples} readings in a row, about ${secondsText((samples + 1) * everyMs)}, is a violation.`,
  ),
  soundEvery: microphone(
    ({ sound }) => `The sound level is read every ${secondsText(sound.everyMs)}.`,
  ),
  soundEveryIos: microphone(
    ({ sound }) => `On these devices it is read every ${secondsText(sound.everyMsIos)}.`,
  ),
  voiceWarn: microphone(({ sound: { warnMs } }) =>
    warnMs === undefined
      ? 'A voice counts without a warning before it.'
      : `A voice first warns the candidate; it counts if it goes on for ${secondsText(warnMs)} more.`,
  ),
  redAbove: microphone(({ sound }) => `Candidates see the level in red above ${sound.redAbove}.`),
  cooldown: ({ cooldownMs: ms }) =>
    ms === 0
      ? 'Every violation counts, however soon after the previous one.'
      : `After one has counted, the next of its kind counts ${secondsText(ms)} later at the earliest.`,
  dismissDelay: ({ dismissDelayMs: ms }) =>
    ms === 0
      ? 'The attempt ends immediately when a limit is reached.'
      : `The attempt ends ${secondsText(ms)} after a limit is reached.`,
  stillEvery: camera(({ stillEveryMs: ms }) =>
    ms === null
      ? 'Stills are kept only before and after a violation.'
      : `One still is kept every ${secondsText(ms)}, even without a violation.`,
  ),
} satisfies Record<string, Sentence>;

/** The rules by which an attempt can end on a computer, as its author says them: candidates are told the same of themselves. */
export const rulesForAuthors = (policy: PolicySettings): string[] =>
  endingRules(policy).map(ruleForAuthors);

function ruleForAuthors(rule: EndingRule): string {
  switch (rule.rule) {
    case 'face': {
      const lowered =
        rule.loweredMs === null ? '' : `, with a lowered head for ${secondsText(rule.loweredMs)}`;
      return `A face out of view for ${secondsText(rule.ms)}${lowered} counts.`;
    }
    case 'voice':
      return rule.warnMs === null
        ? 'A voice counts without a warning before it.'
        : `A voice first warns the candidate; it counts if it goes on for ${secondsText(rule.warnMs)}.`;
    case 'warnings':
      return `Each ${warned(rule)} is a warning; the ${ordinal(rule.limit)} ends the attempt.`;
    case 'tab':
      return rule.limit === 1
        ? 'The first tab switch ends the attempt.'
        : 'The first tab switch is a warning, the second ends the attempt.';
  }
}

/** 0.57 * 100 is 56.99999999999999. */
const round = (n: number) => Math.round(n * 1_000) / 1_000;

const listed = (words: readonly (string | false)[], type: 'conjunction' | 'disjunction') =>
  listText(
    words.filter((word) => word !== false),
    type,
  );

export function policySummary(policy: Settings): string {
  const { camera, microphone, fullscreen } = policy;
  const asked = [camera && 'camera', microphone && 'microphone', fullscreen && 'fullscreen'];
  const needs = asked.some(Boolean)
    ? `Requires ${listed(asked, 'conjunction')}.${needsCamera(policy) ? ' Phones cannot be used.' : ''}`
    : 'No camera, microphone or fullscreen is required.';
  const end = endings(policy);
  return end === ''
    ? `${needs} Nothing ends the attempt automatically.`
    : `${needs} The attempt ends with the ${end}.`;
}

/** The limits that end an attempt (empty: none), and the events that are only noted for a reviewer. */
export function presetFacts(policy: Settings): { ends: string; noted: string } {
  const { adding, combined, ...own } = appliedLimits(policy, COMPUTER);
  const isNoted = (kind: 'face' | 'voice') =>
    own[kind] === null && !(adding.includes(kind) && combined !== null);
  const { camera } = policy;
  const noted = [
    camera && isNoted('face') && 'a face out of view',
    policy.microphone && isNoted('voice') && 'a voice',
    policy.fullscreen && policy.limits.fullscreen === null && 'leaving fullscreen',
    policy.tabHidden === 'record' && 'another tab or app',
    camera && 'more than one person',
    camera && 'looking away',
    'copy and paste',
  ];
  const end = endings(policy);
  return { ends: end === '' ? '' : `the ${end}.`, noted: `${listed(noted, 'conjunction')}.` };
}

/** The limits that end an attempt, without those that another one always precedes; empty: none. */
function endings(policy: Settings): string {
  const limits = reachableLimits(appliedLimits(policy, COMPUTER));
  const { combined, face, voice, warnings, tab } = limits;
  const kind = addingKind(limits);
  return listed(
    [
      kind !== null && combined !== null && KINDS[kind](combined),
      face !== null && KINDS.face(face),
      voice !== null && KINDS.voice(voice),
      warnings !== null && `${ordinal(warnings.limit)} ${warned(warnings)}`,
      tab !== null && `${ordinal(tab)} tab switch`,
    ],
    'disjunction',
  );
}

/**
 * The limits that would have ended an attempt under its policy: `3 face and voice violations combined`. Only
 * reachable limits: a sensor that is off does not count. Empty: nothing.
 */
export function recordedLimits(
  policy: Parameters<typeof appliedLimits>[0],
  computerUsed: boolean,
): string[] {
  const limits = appliedLimits(policy, { ...COMPUTER, mobile: !computerUsed });
  const { combined, face, voice, warnings, tab } = limits;
  const kind = addingKind(limits);
  const lines = [
    kind !== null && combined !== null && COMBINED[kind](combined),
    face !== null && `${face} face ${violations(face)}`,
    voice !== null && `${voice} voice ${violations(voice)}`,
    warnings !== null && warningsLine(warnings),
    tab !== null && `The ${ordinal(tab)} tab switch`,
  ];
  return lines.filter((line) => line !== false);
}

const violations = (n: number) => (n === 1 ? 'violation' : 'violations');

const COMBINED = {
  face: (n: number) => `${n} face ${violations(n)}, the only kind in the combined limit`,
  voice: (n: number) => `${n} voice ${violations(n)}, the only kind in the combined limit`,
  both: (n: number) => `${n} face and voice ${violations(n)} combined`,
};

function warningsLine({ limit: n, exits, switches }: Warnings): string {
  const left = `${n} fullscreen ${n === 1 ? 'exit' : 'exits'}`;
  const hidden = n === 1 ? 'tab switch' : 'tab switches';
  if (exits && switches) return `${left} and ${hidden} together`;
  return exits ? left : `${n} ${hidden}`;
}
