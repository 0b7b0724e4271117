import { type PolicySettings, tabSwitchLimit, type ViolationPolicy } from './violation-policy.ts';
import { COUNTING_TYPES, type CountingType } from './violation-types.ts';

export interface ViolationTally {
  face: number;
  voice: number;
  fullscreenExits: number;
  tabSwitches: number;
  /** When the last one of each kind counted; `null` before the first. */
  lastFaceAt: Date | null;
  lastVoiceAt: Date | null;
}

export const EMPTY_TALLY: ViolationTally = {
  face: 0,
  voice: 0,
  fullscreenExits: 0,
  tabSwitches: 0,
  lastFaceAt: null,
  lastVoiceAt: null,
};

export interface ViolationRules {
  policy: Omit<ViolationPolicy, 'version'>;
  /** An accommodation can turn a sensor off; nothing of it then counts. */
  cameraEnabled: boolean;
  microphoneEnabled: boolean;
  /**
   * Only phones were used. They have no tab strip: hiding the page counts with the fullscreen warnings.
   */
  isPhone: boolean;
}

export interface ReportedViolation {
  type: CountingType;
  /** The time of the event, by the service's clock. */
  at: Date;
  /** How long the page was hidden; `null` for other types. */
  durationMs: number | null;
}

export interface ViolationVerdict {
  /** Whether it changed a count. */
  counted: boolean;
  tally: ViolationTally;
  /** A limit of the policy is reached: the attempt is to be dismissed. */
  dismiss: boolean;
}

/** Evaluates one violation against what counted before (I15). Pure: only the server applies it. */
export function evaluateViolation(
  rules: ViolationRules,
  before: ViolationTally,
  violation: ReportedViolation,
): ViolationVerdict {
  const tally = countIn(rules, before, violation);
  if (tally === null) return { counted: false, tally: before, dismiss: false };
  return { counted: true, tally, dismiss: isOverLimit(rules, tally, violation.type) };
}

function countIn(
  { policy, cameraEnabled, microphoneEnabled }: ViolationRules,
  before: ViolationTally,
  { type, at, durationMs }: ReportedViolation,
): ViolationTally | null {
  const cool = (last: Date | null) =>
    last !== null && Math.abs(at.getTime() - last.getTime()) < policy.cooldownMs;
  switch (type) {
    case 'face_not_detected':
      if (!policy.camera || !cameraEnabled || policy.faceCovered) return null;
      if (cool(before.lastFaceAt)) return null;
      return { ...before, face: before.face + 1, lastFaceAt: latest(before.lastFaceAt, at) };
    case 'voice_detected':
      if (!policy.microphone || !microphoneEnabled || cool(before.lastVoiceAt)) return null;
      return { ...before, voice: before.voice + 1, lastVoiceAt: latest(before.lastVoiceAt, at) };
    case 'fullscreen_exit':
      if (!policy.fullscreen) return null;
      return { ...before, fullscreenExits: before.fullscreenExits + 1 };
    case 'tab_hidden':
      if (durationMs !== null && durationMs <= policy.tabHiddenMs) return null;
      return { ...before, tabSwitches: before.tabSwitches + 1 };
  }
}

const latest = (a: Date | null, b: Date) => (a !== null && a.getTime() > b.getTime() ? a : b);

/** Face and voice together, as far as the policy combines them; shown as n/limit. */
export function combinedCount({ combinedTypes }: PolicySettings, tally: ViolationTally): number {
  return (
    (combinedTypes.includes('face_not_detected') ? tally.face : 0) +
    (combinedTypes.includes('voice_detected') ? tally.voice : 0)
  );
}

/**
 * How many more of a type may happen before one ends the attempt: the lowest of its limits, never
 * negative. `null`: it never ends an attempt.
 */
export function remainingOf(
  rules: ViolationRules,
  tally: ViolationTally,
  type: CountingType,
): number | null {
  const counts = countsOf(rules, tally);
  const left = limitsOf(rules, counts, type).map(({ limit, count }) => Math.max(0, limit - count));
  return left.length === 0 ? null : Math.min(...left);
}

function isOverLimit(rules: ViolationRules, tally: ViolationTally, type: CountingType): boolean {
  return reachedLimit(rules, tally, type) !== null;
}

/** The limit of a type that is used up; `null`: none. */
export function reachedLimit(
  rules: ViolationRules,
  tally: ViolationTally,
  type: CountingType,
): number | null {
  const used = limitsOf(rules, countsOf(rules, tally), type);
  return used.find(({ limit, count }) => count >= limit)?.limit ?? null;
}

/** The counts that are compared with limits. */
export interface LimitedCounts {
  /** Face and voice, as far as the policy combines them. */
  combined: number;
  face: number;
  voice: number;
  fullscreenExits: number;
  tabSwitches: number;
}

function countsOf({ policy }: ViolationRules, tally: ViolationTally): LimitedCounts {
  return { ...tally, combined: combinedCount(policy, tally) };
}

/** Whether one more of a type that has already counted ends the attempt. */
export function isLastChance(
  rules: Pick<ViolationRules, 'policy' | 'isPhone'>,
  counts: LimitedCounts,
): boolean {
  return COUNTING_TYPES.some((type) =>
    limitsOf(rules, counts, type).some(({ limit, count }) => count > 0 && count >= limit - 1),
  );
}

/** The limits that a type can reach, each with what counts towards it. */
function limitsOf(
  { policy, isPhone }: Pick<ViolationRules, 'policy' | 'isPhone'>,
  counts: LimitedCounts,
  type: CountingType,
): { limit: number; count: number }[] {
  const { limits, combinedTypes, tabHidden } = policy;
  if (type === 'face_not_detected' && policy.faceCovered) return [];
  const found: { limit: number | null; count: number }[] = [];
  if (type === 'face_not_detected') found.push({ limit: limits.face, count: counts.face });
  if (type === 'voice_detected') found.push({ limit: limits.voice, count: counts.voice });
  if (type === 'face_not_detected' || type === 'voice_detected') {
    if (combinedTypes.includes(type)) {
      found.push({ limit: limits.combined, count: counts.combined });
    }
  } else {
    const most = tabSwitchLimit(policy, isPhone);
    const warns = tabHidden !== 'record' && most === null;
    // Includes those on a phone before the attempt moved to a computer, where the first one ends it.
    const isApart = tabHidden === 'record' || most === 2;
    const warnings = counts.fullscreenExits + (isApart ? 0 : counts.tabSwitches);
    if (type === 'fullscreen_exit' || warns) {
      found.push({ limit: limits.fullscreen, count: warnings });
    } else if (most !== null) {
      found.push({ limit: most, count: counts.tabSwitches });
    }
  }
  return found.flatMap(({ limit, count }) => (limit === null ? [] : [{ limit, count }]));
}
