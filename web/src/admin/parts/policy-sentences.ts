import { ordinal } from '@invigil/core/domain/violations/ordinal';
import { needsCamera, type PolicySettings } from '@invigil/core/domain/violations/violation-policy';
import {
  missesOf,
  numberProblem,
  numberTyped,
  POLICY_NUMBERS,
  type PolicyFormValues,
  type PolicyNumber,
  presetOf,
} from './policy-form.ts';

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

const secondsText = (n: number) => (n === 1 ? '1 second' : `${round(n)} seconds`);
/** 0.1 + 0.2 in thousandths. */
const round = (n: number) => Math.round(n * 1_000) / 1_000;

function validNumber(field: PolicyNumber, values: PolicyFormValues): number | null {
  return numberProblem(field, values[field]) === null ? numberTyped(values[field]) : null;
}

export function numberSentence(field: PolicyNumber, values: PolicyFormValues): string | null {
  if (numberProblem(field, values[field]) !== null) return null;
  const off = switchedOff(field, values);
  if (off !== null) return off;
  const n = numberTyped(values[field]);
  if (n === null) return NEVER[field] ?? null;
  return SENTENCES[field](n, values);
}

function switchedOff(field: PolicyNumber, values: PolicyFormValues): string | null {
  if (!values.camera && /^(face|still)/.test(field))
    return 'Has no effect while the camera is off.';
  if (!values.microphone && /^(voice|speech|loud|sound|red)/.test(field)) {
    return 'Has no effect while the microphone is off.';
  }
  if (!values.fullscreen && field === 'exits' && values.tabHidden === 'record') {
    return 'Has no effect while fullscreen is off.';
  }
  if (field === 'combined' && adding(values) === null) {
    return 'Neither face nor voice violations count toward it, so it never ends the attempt.';
  }
  return null;
}

export function requiredSentence({ camera, cameraRequired }: PolicyFormValues): string {
  if (!camera) return 'Has no effect while the camera is off.';
  return cameraRequired
    ? 'On phones and tablets, a notice appears instead of the start button.'
    : 'Candidates on phones and tablets take the assessment without a camera.';
}

const NEVER: Partial<Record<PolicyNumber, string>> = {
  combined: 'Face and voice violations together never end the attempt.',
  face: 'Face violations alone never end the attempt.',
  voice: 'Voice violations alone never end the attempt.',
  exits: 'Leaving fullscreen is recorded and never ends the attempt.',
  voiceWarn: 'A voice counts without a warning before it.',
  stillEvery: 'Stills are kept only before and after a violation.',
};

function adding(values: PolicyFormValues): string | null {
  const kinds: string[] = [];
  if (values.addsFace && values.camera) kinds.push('face');
  if (values.addsVoice && values.microphone) kinds.push('voice');
  return kinds.length === 0 ? null : kinds.join(' or ');
}

function warned({ fullscreen, tabHidden }: PolicyFormValues): string | null {
  const tabs = tabHidden === 'warn' ? 'tab switch' : null;
  if (!fullscreen) return tabs;
  return tabs === null ? 'fullscreen exit' : `fullscreen exit or ${tabs}`;
}

type Sentence = (n: number, values: PolicyFormValues) => string;

/** Mentions a lower limit that is always reached first. */
const alone =
  (kind: 'face' | 'voice', adds: 'addsFace' | 'addsVoice'): Sentence =>
  (n, values) => {
    const together = values[adds] ? validNumber('combined', values) : null;
    const first =
      together !== null && together < n
        ? ` The combined limit of ${together} is reached first.`
        : '';
    return `The ${ordinal(n)} ${kind} violation ends the attempt.${first}`;
  };

const SENTENCES: Record<PolicyNumber, Sentence> = {
  combined: (n, values) => `The ${ordinal(n)} ${adding(values)} violation ends the attempt.`,
  face: alone('face', 'addsFace'),
  voice: alone('voice', 'addsVoice'),
  exits: (n, values) => {
    const what = warned(values) ?? 'tab switch on a phone';
    return n === 1
      ? `The first ${what} ends the attempt.`
      : `Each ${what} is a warning; the ${ordinal(n)} ends the attempt.`;
  },
  tabHiddenFor: (n) =>
    n === 0
      ? 'Hiding the page for any length of time counts as a tab switch.'
      : `A page hidden for more than ${secondsText(n)} counts as a tab switch. Shorter times are only recorded.`,
  faceEvery: (n) =>
    n === 1 ? 'The picture is checked every second.' : `Every ${secondsText(n)}, one check.`,
  faceAbsent: (_n, values) => {
    const misses = missesOf(values);
    const after = secondsText(misses * (validNumber('faceEvery', values) ?? 0));
    if (misses === 1) return 'One check without a face is a violation.';
    const warning = misses > 2 ? ' The second shows a warning.' : '';
    return `${misses} checks in a row without a face, about ${after}, are a violation.${warning}`;
  },
  speechShare: (n) => `Speech in at least ${n} % of the window is a violation.`,
  speechWindow: (n, values) => {
    const share = validNumber('speechShare', values) ?? 0;
    return `About ${secondsText((n * share) / 100)} of speech within ${secondsText(n)}.`;
  },
  loudAbove: (n) =>
    n >= 120
      ? 'Only a reading of 120 counts as loud: 60 dB over the quiet room.'
      : `A level above ${n} is loud: ${round(n / 2)} dB over the quiet room.`,
  loudSamples: (n, values) => {
    const after = secondsText((n + 1) * (validNumber('soundEvery', values) ?? 0));
    return `Loud in more than ${n} readings in a row, about ${after}, is a violation.`;
  },
  soundEvery: (n) => `The sound level is read every ${secondsText(n)}.`,
  soundEveryIos: (n) => `On these devices it is read every ${secondsText(n)}.`,
  voiceWarn: (n) =>
    `A voice first warns the candidate; it counts if it goes on for ${secondsText(n)} more.`,
  redAbove: (n) => `Candidates see the level in red above ${n}.`,
  cooldown: (n) =>
    n === 0
      ? 'Every violation counts, however soon after the previous one.'
      : `After one has counted, the next of its kind counts ${secondsText(n)} later at the earliest.`,
  dismissDelay: (n) =>
    n === 0
      ? 'The attempt ends immediately when a limit is reached.'
      : `The attempt ends ${secondsText(n)} after a limit is reached.`,
  stillEvery: (n) => `One still is kept every ${secondsText(n)}, even without a violation.`,
};

export function policySummary(values: PolicyFormValues): string {
  if (POLICY_NUMBERS.some((field) => numberProblem(field, values[field]) !== null)) {
    return 'Some numbers are not valid.';
  }
  const asked = [
    values.camera && 'camera',
    values.microphone && 'microphone',
    values.fullscreen && 'fullscreen',
  ].filter((word) => word !== false);
  const needs =
    asked.length === 0
      ? 'No camera, microphone or fullscreen is required.'
      : `Requires ${listed(asked, 'and')}.${needsCamera(values) ? ' Phones cannot be used.' : ''}`;
  const ends = endings(values);
  if (ends.length === 0) return `${needs} Nothing ends the attempt automatically.`;
  return `${needs} The attempt ends with the ${listed(ends, 'or')}.`;
}

/** The limits that end an attempt (empty: none), and the events that are only noted for a reviewer. */
export function presetFacts(values: PolicyFormValues): { ends: string; noted: string } {
  const noted = [
    values.camera && endsBy(values, 'face') === null && 'a face out of view',
    values.microphone && endsBy(values, 'voice') === null && 'a voice',
    values.fullscreen && numberTyped(values.exits) === null && 'leaving fullscreen',
    values.tabHidden === 'record' && 'another tab or app',
    values.camera && 'more than one person',
    values.camera && 'looking away',
    'copy and paste',
  ].filter((word) => word !== false);
  const ends = endings(values);
  return {
    ends: ends.length === 0 ? '' : `the ${listed(ends, 'or')}.`,
    noted: `${listed(noted, 'and')}.`,
  };
}

/**
 * The number of the violation of a kind that ends an attempt, alone or together with the other kind; `null`:
 * none.
 */
function endsBy(values: PolicyFormValues, kind: 'face' | 'voice'): number | null {
  const adds = kind === 'face' ? values.addsFace : values.addsVoice;
  return numberTyped(values[kind]) ?? (adds ? numberTyped(values.combined) : null);
}

/** The limits that end an attempt, without those that another one always precedes. */
function endings(values: PolicyFormValues): string[] {
  const kinds = adding(values);
  const together = kinds === null ? null : numberTyped(values.combined);
  const first = (adds: boolean, limit: number | null) =>
    limit === null || (adds && together !== null && together <= limit) ? null : limit;
  const face = values.camera ? first(values.addsFace, numberTyped(values.face)) : null;
  const voice = values.microphone ? first(values.addsVoice, numberTyped(values.voice)) : null;
  const warning = warned(values);
  const exits = numberTyped(values.exits);
  const ends: string[] = [];
  if (together !== null) ends.push(`${ordinal(together)} ${kinds} violation`);
  if (face !== null) ends.push(`${ordinal(face)} face violation`);
  if (voice !== null) ends.push(`${ordinal(voice)} voice violation`);
  if (exits !== null && warning !== null) ends.push(`${ordinal(exits)} ${warning}`);
  if (values.tabHidden === 'dismiss') ends.push('first tab switch');
  if (values.tabHidden === 'warn_once') ends.push('second tab switch');
  return ends;
}

function listed(words: readonly string[], last: 'and' | 'or'): string {
  const head = words.slice(0, -1).join(', ');
  const tail = words.at(-1) ?? '';
  return head === '' ? tail : `${head} ${last} ${tail}`;
}

export function presetName(values: PolicyFormValues): string {
  return PRESET_NAMES[presetOf(values)];
}

interface PolicySwitch {
  label: string;
  hint(values: PolicyFormValues): string;
}

/** Switches of the policy, with the effect of either state. */
export const SWITCHES = {
  camera: {
    label: 'Camera',
    hint: ({ camera }) =>
      camera
        ? 'Needed on computers. Phones have no camera check.'
        : 'Not required. Faces are not checked.',
  },
  cameraRequired: { label: 'Camera required', hint: requiredSentence },
  microphone: {
    label: 'Microphone',
    hint: ({ microphone }) =>
      microphone ? 'Needed on every device.' : 'Not required. Sound is not checked.',
  },
  fullscreen: {
    label: 'Fullscreen',
    hint: ({ fullscreen }) =>
      fullscreen
        ? 'The assessment is covered outside fullscreen. iPhones do not support fullscreen.'
        : 'The assessment runs in a normal window.',
  },
  mayUsePaper: {
    label: 'Pen and paper',
    hint: ({ mayUsePaper }) =>
      mayUsePaper
        ? 'The instructions say that looking down to write is fine.'
        : 'The instructions do not mention paper.',
  },
  mayTranslate: {
    label: 'Translation by the browser',
    hint: ({ mayTranslate }) =>
      mayTranslate
        ? 'The browser may translate questions. A translation can change what a question asks.'
        : 'The browser is asked not to translate the pages of candidates.',
  },
} as const satisfies Record<string, PolicySwitch>;
