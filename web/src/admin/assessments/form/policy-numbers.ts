/** A number of the policy, as an input of the screen. */
interface NumberRule {
  label: string;
  unit?: string;
  min: number;
  max: number;
  /** Whole numbers only; others have a resolution of a millisecond or a hundredth. */
  whole: boolean;
  /** Empty means "never". */
  mayBeEmpty?: true;
}

const limit = (label: string): NumberRule => ({
  label,
  min: 1,
  max: 100,
  whole: true,
  mayBeEmpty: true,
});
const seconds = (label: string, min: number, max: number): NumberRule => ({
  label,
  unit: 'seconds',
  min,
  max,
  whole: false,
});

/** Every number of a policy with the server's range; a test keeps them in sync. */
export const NUMBER_RULES = {
  combined: limit('Face and voice combined'),
  face: limit('Face alone'),
  voice: limit('Voice alone'),
  exits: limit('Fullscreen exits'),
  tabHiddenFor: seconds('Hidden for more than', 0, 60),
  faceEvery: seconds('Check the picture every', 0.25, 60),
  faceAbsent: seconds('Out of view counts after', 0.25, 3_600),
  speechShare: { label: 'Speech in at least', unit: '%', min: 0, max: 100, whole: false },
  speechWindow: seconds('Of a window of', 0.1, 60),
  loudAbove: { label: 'Loud above', min: 0, max: 120, whole: false },
  loudSamples: { label: 'Loud readings allowed', min: 1, max: 100, whole: true },
  soundEvery: seconds('Read the level every', 0.05, 10),
  soundEveryIos: seconds('On iPhone and iPad every', 0.05, 10),
  redAbove: { label: 'Level shown red above', min: 0, max: 120, whole: false },
  voiceWarn: { ...seconds('Warn of a voice for', 0.001, 60), mayBeEmpty: true },
  cooldown: seconds('Cool-down', 0, 600),
  dismissDelay: seconds('Ends after', 0, 60),
  stillEvery: { ...seconds('Take a still every', 30, 3_600), mayBeEmpty: true },
} as const satisfies Record<string, NumberRule>;

export type PolicyNumber = keyof typeof NUMBER_RULES;

const isPolicyNumber = (key: string): key is PolicyNumber => key in NUMBER_RULES;

/** In the order of the screen. */
export const POLICY_NUMBERS: readonly PolicyNumber[] =
  Object.keys(NUMBER_RULES).filter(isPolicyNumber);

/** Accepts a decimal comma; `null` when empty or not a number. */
export function numberTyped(text: string): number | null {
  const plain = text.trim().replace(',', '.');
  return /^\d+(\.\d+)?$|^\.\d+$/.test(plain) ? Number(plain) : null;
}

/** The problem of a number; `null` if valid. */
export function numberProblem(field: PolicyNumber, text: string): string | null {
  const { min, max, whole, mayBeEmpty }: NumberRule = NUMBER_RULES[field];
  if (mayBeEmpty && text.trim() === '') return null;
  const value = numberTyped(text);
  const fits =
    value !== null && value >= min && value <= max && (!whole || Number.isInteger(value));
  if (fits) return null;
  const kind = whole ? 'A whole number' : 'A number';
  return `${kind} from ${min} to ${max}${mayBeEmpty ? ', or leave empty' : ''}`;
}
