import { figureText } from '@invigil/core/domain/locale';
import {
  POLICY_PRESETS,
  type PolicySettings,
} from '@invigil/core/domain/violations/violation-policy';
import { t } from '@invigil/core/texts/i18n';
import { NUMBER_SENTENCES, policySummary } from '@invigil/core/texts/policy-form';

interface NumberRule {
  label: () => string;
  unit?: () => string;
  min: number;
  max: number;
  /** Whole numbers only; others have a resolution of a millisecond or a hundredth. */
  whole: boolean;
  mayBeEmpty?: true;
}

const limit = (label: () => string): NumberRule => ({
  label,
  min: 1,
  max: 100,
  whole: true,
  mayBeEmpty: true,
});
const seconds = (label: () => string, min: number, max: number): NumberRule => ({
  label,
  unit: () =>
    t(/* the unit of a number, in brackets behind a label */ 'parts.policy.seconds', 'seconds'),
  min,
  max,
  whole: false,
});

/** Every number of a policy with the server's range; a test keeps them in sync. */
export const NUMBER_RULES = {
  combined: limit(() =>
    t(/* a limit of violations */ 'parts.policy.combined', 'Face and voice combined'),
  ),
  face: limit(() => t(/* a limit of violations */ 'parts.policy.face', 'Face alone')),
  voice: limit(() => t(/* a limit of violations */ 'parts.policy.voice', 'Voice alone')),
  exits: limit(() => t(/* a limit of violations */ 'portal.fullscreenExits', 'Fullscreen exits')),
  tabHiddenFor: seconds(
    () =>
      t(/* seconds follow; said of a page */ 'parts.policy.tabHiddenFor', 'Hidden for more than'),
    0,
    60,
  ),
  faceEvery: seconds(
    () => t(/* seconds follow */ 'parts.policy.faceEvery', 'Check the picture every'),
    0.25,
    60,
  ),
  faceAbsent: seconds(
    () =>
      t(/* seconds follow; said of a face */ 'parts.policy.faceAbsent', 'Out of view counts after'),
    0.25,
    3_600,
  ),
  speechShare: {
    label: () => t(/* a percentage follows */ 'parts.policy.speechShare', 'Speech in at least'),
    unit: () => '%',
    min: 0,
    max: 100,
    whole: false,
  },
  speechWindow: seconds(
    () =>
      t(
        /* seconds follow; goes on “Speech in at least 60 %” */ 'parts.policy.speechWindow',
        'Of a window of',
      ),
    0.1,
    60,
  ),
  loudAbove: {
    label: () => t(/* a sound level follows */ 'parts.policy.loudAbove', 'Loud above'),
    min: 0,
    max: 120,
    whole: false,
  },
  loudSamples: {
    label: () => t('parts.policy.loudSamples', 'Loud readings allowed'),
    min: 1,
    max: 100,
    whole: true,
  },
  soundEvery: seconds(
    () =>
      t(/* seconds follow; the level of sound */ 'parts.policy.soundEvery', 'Read the level every'),
    0.05,
    10,
  ),
  soundEveryIos: seconds(
    () =>
      t(
        /* seconds follow; the level of sound is read */ 'parts.policy.soundEveryIos',
        'On iPhone and iPad every',
      ),
    0.05,
    10,
  ),
  redAbove: {
    label: () => t(/* a sound level follows */ 'parts.policy.redAbove', 'Level shown red above'),
    min: 0,
    max: 120,
    whole: false,
  },
  voiceWarn: {
    ...seconds(
      () => t(/* seconds follow */ 'parts.policy.voiceWarn', 'Warn of a voice for'),
      0.001,
      60,
    ),
    mayBeEmpty: true,
  },
  cooldown: seconds(
    () =>
      t(
        /* the time after a violation in which no other of its kind counts */ 'parts.policy.cooldown',
        'Cool-down',
      ),
    0,
    600,
  ),
  dismissDelay: seconds(
    () => t(/* seconds follow; said of an attempt */ 'parts.policy.dismissDelay', 'Ends after'),
    0,
    60,
  ),
  stillEvery: {
    ...seconds(
      () =>
        t(
          /* seconds follow; a still: a picture of the camera */ 'parts.policy.stillEvery',
          'Take a still every',
        ),
      30,
      3_600,
    ),
    mayBeEmpty: true,
  },
} as const satisfies Record<string, NumberRule>;

export type PolicyNumber = keyof typeof NUMBER_RULES;

const isPolicyNumber = (key: string): key is PolicyNumber => key in NUMBER_RULES;

export const POLICY_NUMBERS: readonly PolicyNumber[] =
  Object.keys(NUMBER_RULES).filter(isPolicyNumber);

/** Accepts a decimal comma; `null` when empty or not a number. */
function numberTyped(text: string): number | null {
  const plain = text.trim().replace(',', '.');
  return /^\d+(\.\d+)?$|^\.\d+$/.test(plain) ? Number(plain) : null;
}

function numberProblem(field: PolicyNumber, text: string): string | null {
  const { min, max, whole, mayBeEmpty }: NumberRule = NUMBER_RULES[field];
  if (mayBeEmpty && text.trim() === '') return null;
  const value = numberTyped(text);
  const fits =
    value !== null && value >= min && value <= max && (!whole || Number.isInteger(value));
  if (fits) return null;
  const [least, most] = [figureText(min), figureText(max)];
  if (whole) {
    return mayBeEmpty
      ? t('parts.policy.wholeOrEmpty', 'A whole number from {least} to {most}, or leave empty', {
          least,
          most,
        })
      : t('parts.policy.whole', 'A whole number from {least} to {most}', { least, most });
  }
  return mayBeEmpty
    ? t('parts.policy.numberOrEmpty', 'A number from {least} to {most}, or leave empty', {
        least,
        most,
      })
    : t('parts.policy.number', 'A number from {least} to {most}', { least, most });
}

/** The effect of a number; `null` where the value is not valid, and shows its error instead. */
export function numberSentence(field: PolicyNumber, values: PolicyFormValues): string | null {
  return numberProblem(field, values[field]) === null
    ? NUMBER_SENTENCES[field](settingsOf(values))
    : null;
}

export function formSummary(values: PolicyFormValues): string {
  return POLICY_NUMBERS.some((field) => numberProblem(field, values[field]) !== null)
    ? t('parts.policy.notValid', 'Some numbers are not valid.')
    : policySummary(settingsOf(values));
}

export type PolicyFormValues = Record<PolicyNumber, string> & {
  preset: PolicySettings['preset'];
  camera: boolean;
  cameraRequired: boolean;
  microphone: boolean;
  fullscreen: boolean;
  mayTranslate: boolean;
  mayUsePaper: boolean;
  addsFace: boolean;
  addsVoice: boolean;
  tabHidden: PolicySettings['tabHidden'];
};

export type PolicyField = Exclude<keyof PolicyFormValues, 'preset'>;
export type PolicyProblems = Partial<Record<PolicyNumber, string>>;

export type ValidatedPolicy =
  | { ok: true; settings: PolicySettings }
  | { ok: false; problems: PolicyProblems };

/** The limit of `face.misses` in the contract. */
const MOST_MISSES = 60;

const secondsText = (ms: number) => String(ms / 1_000);
const limitText = (n: number | null) => (n === null ? '' : String(n));

export function policyFormOf(settings: PolicySettings): PolicyFormValues {
  const { limits, face, sound, combinedTypes } = settings;
  return {
    preset: settings.preset,
    camera: settings.camera,
    cameraRequired: settings.cameraRequired,
    microphone: settings.microphone,
    fullscreen: settings.fullscreen,
    mayTranslate: settings.mayTranslate === true,
    mayUsePaper: settings.mayUsePaper === true,
    combined: limitText(limits.combined),
    face: limitText(limits.face),
    voice: limitText(limits.voice),
    exits: limitText(limits.fullscreen),
    addsFace: combinedTypes.includes('face_not_detected'),
    addsVoice: combinedTypes.includes('voice_detected'),
    tabHidden: settings.tabHidden,
    tabHiddenFor: secondsText(settings.tabHiddenMs),
    faceEvery: secondsText(face.everyMs),
    faceAbsent: secondsText(face.misses * face.everyMs),
    soundEvery: secondsText(sound.everyMs),
    soundEveryIos: secondsText(sound.everyMsIos),
    loudAbove: String(sound.level),
    loudSamples: String(sound.samples),
    // 0.57 * 100 is 56.99999999999999.
    speechShare: String(Math.round(sound.speechShare * 10_000) / 100),
    speechWindow: secondsText(sound.speechWindowMs),
    redAbove: String(sound.redAbove),
    voiceWarn: sound.warnMs === undefined ? '' : secondsText(sound.warnMs),
    cooldown: secondsText(settings.cooldownMs),
    dismissDelay: secondsText(settings.dismissDelayMs),
    stillEvery: settings.stillEveryMs === null ? '' : secondsText(settings.stillEveryMs),
  };
}

export function validatePolicy(values: PolicyFormValues): ValidatedPolicy {
  const problems: PolicyProblems = {};
  for (const field of POLICY_NUMBERS) {
    const problem = numberProblem(field, values[field]);
    if (problem !== null) problems[field] = problem;
  }
  if (problems.faceAbsent === undefined && missesOf(values) > MOST_MISSES) {
    const most = MOST_MISSES * (numberTyped(values.faceEvery) ?? 0);
    problems.faceAbsent = t(
      'parts.policy.mostMisses',
      'At most {checks} checks: {seconds} seconds here',
      { checks: MOST_MISSES, seconds: figureText(most) },
    );
  }
  if (Object.keys(problems).length > 0) return { ok: false, problems };
  const settings = settingsOf(values);
  return { ok: true, settings: { ...settings, preset: presetOf(values) } };
}

/**
 * The preset of the values: a named one only while every number matches it. Custom stays custom even
 * with the numbers of a preset, because it was selected.
 */
export function presetOf(values: PolicyFormValues): PolicySettings['preset'] {
  if (values.preset === 'custom') return 'custom';
  const named = presetFormOf(values.preset, values);
  return differentFields(values, named).length === 0 ? values.preset : 'custom';
}

export function presetFormOf(
  preset: keyof typeof POLICY_PRESETS,
  { mayTranslate, mayUsePaper }: Pick<PolicyFormValues, 'mayTranslate' | 'mayUsePaper'>,
): PolicyFormValues {
  return { ...policyFormOf(POLICY_PRESETS[preset]), mayTranslate, mayUsePaper };
}

/** Converts the typed seconds to checks in a row without a face; at least one. */
function missesOf({ faceAbsent, faceEvery }: PolicyFormValues): number {
  const every = numberTyped(faceEvery) ?? 0;
  return every === 0 ? 1 : Math.max(1, Math.round((numberTyped(faceAbsent) ?? 0) / every));
}

/** The differing settings of two policies, in the order of the screen, without the preset's name. */
export function differentFields(a: PolicyFormValues, b: PolicyFormValues): PolicyField[] {
  return FIELD_ORDER.filter((field) => {
    const [one, other] = [a[field], b[field]];
    if (!isNumberField(field) || typeof one !== 'string' || typeof other !== 'string') {
      return one !== other;
    }
    return numberTyped(one) !== numberTyped(other);
  });
}

const FIELD_ORDER = [
  'camera',
  'cameraRequired',
  'microphone',
  'fullscreen',
  'mayTranslate',
  'mayUsePaper',
  'addsFace',
  'addsVoice',
  'tabHidden',
  ...POLICY_NUMBERS,
] as const satisfies readonly PolicyField[];

const isNumberField = (field: PolicyField): field is PolicyNumber =>
  (POLICY_NUMBERS as readonly string[]).includes(field);

/** The settings that are typed; a number that is not valid is left out, or 0. */
export function settingsOf(values: PolicyFormValues): Omit<PolicySettings, 'preset'> {
  const limitOf = (field: PolicyNumber) =>
    numberProblem(field, values[field]) === null ? numberTyped(values[field]) : null;
  const number = (field: PolicyNumber) => limitOf(field) ?? 0;
  const ms = (field: PolicyNumber) => Math.round(number(field) * 1_000);
  const types: PolicySettings['combinedTypes'] = [];
  if (values.addsFace) types.push('face_not_detected');
  if (values.addsVoice) types.push('voice_detected');
  return {
    camera: values.camera,
    cameraRequired: values.cameraRequired,
    microphone: values.microphone,
    fullscreen: values.fullscreen,
    ...(values.mayTranslate ? { mayTranslate: true } : {}),
    ...(values.mayUsePaper ? { mayUsePaper: true } : {}),
    limits: {
      combined: limitOf('combined'),
      face: limitOf('face'),
      voice: limitOf('voice'),
      fullscreen: limitOf('exits'),
    },
    combinedTypes: types,
    tabHidden: values.tabHidden,
    tabHiddenMs: ms('tabHiddenFor'),
    face: { everyMs: ms('faceEvery'), misses: missesOf(values) },
    sound: {
      everyMs: ms('soundEvery'),
      everyMsIos: ms('soundEveryIos'),
      level: number('loudAbove'),
      samples: number('loudSamples'),
      speechShare: number('speechShare') / 100,
      speechWindowMs: ms('speechWindow'),
      redAbove: number('redAbove'),
      ...(limitOf('voiceWarn') === null ? {} : { warnMs: ms('voiceWarn') }),
    },
    cooldownMs: ms('cooldown'),
    dismissDelayMs: ms('dismissDelay'),
    stillEveryMs: limitOf('stillEvery') === null ? null : ms('stillEvery'),
  };
}
