import {
  COMPUTER,
  endingRules,
  type RuledDevice,
} from '@invigil/core/domain/violations/applied-limits';
import {
  EMPTY_TALLY,
  evaluateViolation,
  type ViolationRules,
} from '@invigil/core/domain/violations/violation-counting';
import {
  BALANCED_POLICY,
  OFF_POLICY,
  REVIEW_POLICY,
  STRICT_POLICY,
  type ViolationPolicy,
} from '@invigil/core/domain/violations/violation-policy';
import {
  type CountingType,
  isCountingType,
  LOOKING_AWAY,
  levelOf,
} from '@invigil/core/domain/violations/violation-types';
import { guidelines, POLICY_SENTENCES, ruleText } from '@invigil/core/texts/policy';
import { expect, test } from 'vitest';
import { FaceDebouncer } from '../proctoring/detection/face-debouncer.ts';
import { SoundDebouncer } from '../proctoring/detection/sound-debouncer.ts';
import type { CannotTell, FaceReport } from '../proctoring/detectors/sensor-reports.ts';
import { DARK, FACE, NO_FACE } from '../testing/sensor-reports.ts';

/*
 * Every sentence about a rule has its rule here, which is played, not read from the policy: by the detectors of
 * the page and the counting of the server. The sentence is built from what happened. A sentence without a rule
 * does not compile and fails; a rule that changed without its sentence makes another text.
 */

type Policy = Omit<ViolationPolicy, 'version'>;
type Sentences = typeof POLICY_SENTENCES;
type Id = keyof Sentences['rule'] | keyof Sentences['guideline'];
/** The sentence as the rule makes it; `null` where the rule is not one of this policy on this device. */
type Rule = (policy: Policy, device: RuledDevice) => string | null;

const { rule, guideline } = POLICY_SENTENCES;
const hasCamera = (policy: Policy, device: RuledDevice) => policy.camera && !device.mobile;

/** The number of reports, of these types in turn, after which the server ends the attempt. */
function endsAfter(policy: Policy, device: RuledDevice, types: readonly CountingType[]) {
  const isPhone = device.mobile && device.computerUsed !== true;
  const rules: ViolationRules = { policy, isPhone, cameraEnabled: true, microphoneEnabled: true };
  let tally = EMPTY_TALLY;
  for (let n = 0; n < 200 && types.length > 0; n += 1) {
    const type = types[n % types.length] ?? 'tab_hidden';
    const at = new Date(n * (policy.cooldownMs + 1_000));
    const verdict = evaluateViolation(rules, tally, {
      type,
      at,
      durationMs: policy.tabHiddenMs + 1,
    });
    if (verdict.dismiss) return n + 1;
    tally = verdict.tally;
  }
  return null;
}

const counts = (policy: Policy, type: CountingType) =>
  evaluateViolation(
    { policy, isPhone: false, cameraEnabled: true, microphoneEnabled: true },
    EMPTY_TALLY,
    { type, at: new Date(0), durationMs: policy.tabHiddenMs + 1 },
  ).counted;

/** All events from these reports, of which the last goes on, after ten seconds of a face. */
function allOf(policy: Policy, reports: readonly FaceReport[]) {
  const debouncer = new FaceDebouncer({ ...policy.face, ...policy }, { yaw: 0, pitch: 0 });
  const { everyMs } = policy.face;
  const began = 10 * everyMs;
  for (let n = 0; n < 10; n += 1) debouncer.check(FACE, n * everyMs);
  return Array.from({ length: Math.max(400, reports.length) }, (_, n) => {
    const at = began + n * everyMs;
    const report = reports[Math.min(n, reports.length - 1)] ?? NO_FACE;
    return debouncer.check(report, at).map((one) => ({ ...one, afterMs: at - began }));
  }).flat();
}

const firstOf = (policy: Policy, wanted: string, reports: readonly FaceReport[]) =>
  allOf(policy, reports).find(({ type }) => type === wanted) ?? null;

/** How long a face is out of view until it counts, the check that misses it first included. */
const missingMs = (policy: Policy, reports: readonly FaceReport[] = [NO_FACE]) => {
  const found = firstOf(policy, 'face_not_detected', reports);
  return found?.durationMs ?? null;
};

/** How long a voice goes on after the warning until it counts; `null`: it counts without one. */
function warnedMs({ sound, cooldownMs }: Policy): number | null {
  const debouncer = new SoundDebouncer({ ...sound, cooldownMs });
  let warnedAt: number | null = null;
  for (let at = 0; at < 60_000; at += sound.everyMs) {
    const found = debouncer.check({ level: 60, speech: 1, engine: 'model' }, at);
    if (found.some(({ type }) => type === 'voice_detected')) {
      return warnedAt === null ? null : Math.floor((at - warnedAt) / 1_000) * 1_000;
    }
    if (debouncer.isWarning) warnedAt ??= at;
  }
  throw new Error('a voice never counts');
}

const exitsUntilEnd = (policy: Policy, device: RuledDevice) =>
  policy.fullscreen && device.fullscreen ? endsAfter(policy, device, ['fullscreen_exit']) : null;
const switchesUntilEnd = (policy: Policy, device: RuledDevice) =>
  endsAfter(policy, device, ['tab_hidden']);
/** Whether exits and switches add up to one limit. */
const isShared = (policy: Policy, device: RuledDevice) => {
  const exits = exitsUntilEnd(policy, device);
  const mixed = endsAfter(policy, device, ['tab_hidden', 'fullscreen_exit']);
  return exits !== null && exits === switchesUntilEnd(policy, device) && mixed === exits;
};
const sensed = (policy: Policy, device: RuledDevice): CountingType[] => [
  ...(hasCamera(policy, device) && counts(policy, 'face_not_detected')
    ? (['face_not_detected'] as const)
    : []),
  ...(policy.microphone ? (['voice_detected'] as const) : []),
];
const everyLimit = (policy: Policy, device: RuledDevice) => [
  ...sensed(policy, device).map((type) => endsAfter(policy, device, [type])),
  exitsUntilEnd(policy, device),
  switchesUntilEnd(policy, device),
];
/** A combined limit counts both kinds, or the one kind that this device has. */
const combined = (policy: Policy, device: RuledDevice) => {
  const adding = sensed(policy, device).filter((type) =>
    policy.combinedTypes.includes(type as never),
  );
  return policy.limits.combined === null ? null : endsAfter(policy, device, adding);
};
const isMonitored = (policy: Policy) => policy.camera || policy.microphone || policy.fullscreen;
const REASONS: CannotTell[] = [
  'dark',
  'covered',
  'blurred',
  'unsure',
  'no-frame',
  'not-loaded',
  'slow',
  'falsified',
];
const LOWERED: FaceReport = { ...FACE, pitch: -15 };

const RULES: Record<Id, Rule> = {
  face: (policy, device) => {
    if (!hasCamera(policy, device) || !counts(policy, 'face_not_detected')) return null;
    return rule.face({ ms: missingMs(policy) ?? 0 });
  },
  lowered: (policy, device) => {
    if (!hasCamera(policy, device) || !counts(policy, 'face_not_detected')) return null;
    const lowered = missingMs(policy, [LOWERED, LOWERED, NO_FACE]) ?? 0;
    const more = lowered - (missingMs(policy) ?? 0);
    // A lowered head itself is fine as well.
    if (more > 0) expect(firstOf(policy, 'looking_away', [LOWERED])).toBeNull();
    return more === 0 ? null : rule.lowered({ ms: more });
  },
  voice: (policy, device) => {
    const ends = policy.microphone && endsAfter(policy, device, ['voice_detected']) !== null;
    return ends && warnedMs(policy) === null ? rule.voice() : null;
  },
  voiceWarned: (policy, device) => {
    const ends = policy.microphone && endsAfter(policy, device, ['voice_detected']) !== null;
    const ms = warnedMs(policy);
    return ends && ms !== null ? rule.voiceWarned({ ms }) : null;
  },
  exits: (policy, device) => {
    const limit = exitsUntilEnd(policy, device);
    return limit === null || isShared(policy, device) ? null : rule.exits({ limit });
  },
  switches: (policy, device) => {
    const limit = switchesUntilEnd(policy, device);
    return limit === null || limit <= 2 || isShared(policy, device)
      ? null
      : rule.switches({ limit });
  },
  exitsAndSwitches: (policy, device) =>
    isShared(policy, device)
      ? rule.exitsAndSwitches({ limit: exitsUntilEnd(policy, device) ?? 0 })
      : null,
  firstSwitch: (policy, device) =>
    switchesUntilEnd(policy, device) === 1 ? rule.firstSwitch() : null,
  secondSwitch: (policy, device) =>
    switchesUntilEnd(policy, device) === 2 ? rule.secondSwitch() : null,
  stills: (policy, device) => {
    // Pictures are collected of what is above this level (monitoring.ts).
    expect(levelOf('looking_away')).toBe('info');
    return hasCamera(policy, device) && policy.stillEveryMs === null ? guideline.stills() : null;
  },
  stillsEvery: (policy, device) =>
    hasCamera(policy, device) && policy.stillEveryMs !== null
      ? guideline.stillsEvery({ ms: policy.stillEveryMs })
      : null,
  microphone: (policy) => (policy.microphone ? guideline.microphone() : null),
  faceCovered: (policy, device) =>
    hasCamera(policy, device) && !counts(policy, 'face_not_detected')
      ? guideline.faceCovered()
      : null,
  paper: (policy, device) => {
    const isOpen = hasCamera(policy, device) && counts(policy, 'face_not_detected');
    return policy.mayUsePaper && !isOpen ? guideline.paper() : null;
  },
  lookingAway: (policy, device) => {
    if (!hasCamera(policy, device)) return null;
    const aside = { ...FACE, yaw: 25 };
    const noted = firstOf(policy, 'looking_away', [aside]);
    const isMarked = (everySeconds: number) =>
      allOf(
        policy,
        Array.from({ length: 900 }, (_, s) => (s % everySeconds < 11 ? aside : FACE)),
      ).some(({ type, durationMs }) => levelOf(type, durationMs) === 'low');
    // Six times ten seconds, within the time and over it.
    const { withinMs } = LOOKING_AWAY;
    expect([isMarked(withinMs / 6_500), isMarked(withinMs / 4_000)]).toEqual([true, false]);
    expect(isCountingType('looking_away')).toBe(false);
    return guideline.lookingAway({ ...LOOKING_AWAY, afterMs: noted?.afterMs as 5_000 });
  },
  unclear: (policy, device) => {
    if (!hasCamera(policy, device) || !counts(policy, 'face_not_detected')) return null;
    const counted = REASONS.filter(
      (reason) => firstOf(policy, 'face_not_detected', [{ ...DARK, reason }]) !== null,
    );
    expect(counted).toEqual([]);
    return guideline.unclear();
  },
  fullscreen: (policy, device) =>
    policy.fullscreen && device.fullscreen ? guideline.fullscreen() : null,
  exitsRecorded: (policy, device) =>
    policy.fullscreen && device.fullscreen && exitsUntilEnd(policy, device) === null
      ? guideline.exitsRecorded()
      : null,
  switchesRecorded: (policy, device) =>
    switchesUntilEnd(policy, device) === null ? guideline.switchesRecorded() : null,
  most: (policy, device) => {
    const n = combined(policy, device);
    return n === null ? null : guideline.most({ n });
  },
  ownLimits: (policy, device) =>
    combined(policy, device) === null && everyLimit(policy, device).some((limit) => limit !== null)
      ? guideline.ownLimits()
      : null,
  noLimit: (policy, device) =>
    isMonitored(policy) && everyLimit(policy, device).every((limit) => limit === null)
      ? guideline.noLimit()
      : null,
};

const LIMITS: Partial<Policy>[] = [
  {},
  { limits: { combined: null, face: 3, voice: 5, fullscreen: 5 } },
  { limits: { combined: 4, face: null, voice: null, fullscreen: null } },
  { tabHidden: 'warn' },
  { tabHidden: 'record' },
  { fullscreen: false, tabHidden: 'warn' },
  { camera: false },
  { microphone: false },
  { stillEveryMs: 60_000 },
  { mayUsePaper: true },
  { mayUsePaper: true, face: { everyMs: 1_000, misses: 4 } },
  { faceCovered: true },
  { faceCovered: true, mayUsePaper: true },
];
const POLICIES: [string, Policy][] = [
  ['Strict', STRICT_POLICY],
  ['Balanced', BALANCED_POLICY],
  ['Review', REVIEW_POLICY],
  ['Off', OFF_POLICY],
].flatMap(([name, policy]) =>
  LIMITS.map((change): [string, Policy] => [
    `${name} with ${JSON.stringify(change)}`,
    { ...(policy as Policy), ...change },
  ]),
);
const DEVICES: RuledDevice[] = [
  { mobile: false, fullscreen: true },
  { mobile: true, fullscreen: false },
  { mobile: true, fullscreen: true },
  { mobile: true, fullscreen: false, computerUsed: true },
];

/** The parts of the sentences that have no rule, and the rules that have no sentence. */
function untold(sentences: string, policy: Policy, device: RuledDevice) {
  const missing: string[] = [];
  let rest = sentences;
  for (const [id, made] of Object.entries(RULES)) {
    const sentence = made(policy, device);
    if (sentence === null) continue;
    if (!rest.includes(sentence)) missing.push(`${id}: ${sentence}`);
    rest = rest.replace(sentence, '');
  }
  return { missing, unexplained: rest.trim() };
}

const told = (policy: Policy, device: RuledDevice) =>
  guidelines(policy, device)
    .map(({ text }) => text)
    .join(' ');

test.each(POLICIES)(
  'the instructions say the rules as they are, and no others: %s',
  (_, policy) => {
    for (const device of DEVICES) {
      expect(untold(told(policy, device), policy, device), JSON.stringify(device)).toEqual({
        missing: [],
        unexplained: '',
      });
    }
  },
);

test.each(POLICIES)(
  'the invitation says the rules that can end it as they are: %s',
  (_, policy) => {
    const sentences = endingRules(policy).map(ruleText).join(' ');
    expect(untold(sentences, policy, COMPUTER).unexplained).toBe('');
  },
);

test('has a rule for each sentence', () => {
  const { rule: rules, guideline: guides } = POLICY_SENTENCES;
  expect(Object.keys(RULES).sort()).toEqual([...Object.keys(rules), ...Object.keys(guides)].sort());
});

test('finds a sentence without a rule, and a rule that changed without its sentence', () => {
  const [device = { mobile: false, fullscreen: true }] = DEVICES;
  const before = told(STRICT_POLICY, device);
  expect(untold(`${before} Drinks are not allowed.`, STRICT_POLICY, device).unexplained).toBe(
    'Drinks are not allowed.',
  );
  for (const change of [
    { face: { everyMs: 1_000, misses: 4 } },
    { sound: { ...STRICT_POLICY.sound, warnMs: 4_000 } },
    { tabHidden: 'warn_once' as const },
    { limits: { ...STRICT_POLICY.limits, fullscreen: 4 } },
    { limits: { ...STRICT_POLICY.limits, combined: 2 } },
    { mayUsePaper: true as const },
    { faceCovered: true as const },
  ]) {
    expect(
      untold(before, { ...STRICT_POLICY, ...change }, device).missing,
      JSON.stringify(change),
    ).not.toEqual([]);
  }
});
