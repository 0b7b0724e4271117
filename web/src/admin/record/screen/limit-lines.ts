import type { ParticipantRecord } from '@invigil/core/contract/review/participant-record';
import { ordinal } from '@invigil/core/domain/violations/ordinal';
import { tabSwitchLimit } from '@invigil/core/domain/violations/violation-policy';

const KINDS = [
  ['face_not_detected', 'face'],
  ['voice_detected', 'voice'],
] as const;

/**
 * What would have ended this attempt under its policy: `3 face and voice violations combined`. Only
 * reachable limits: a sensor that is off does not count. Empty: nothing.
 */
export function limitLines({
  policy,
  computerUsed,
}: Pick<ParticipantRecord, 'policy' | 'computerUsed'>): string[] {
  const { limits, combinedTypes, tabHidden } = policy;
  const isOn = {
    face: policy.camera && computerUsed && !policy.faceCovered,
    voice: policy.microphone,
  };
  const adding = KINDS.flatMap(([type, kind]) =>
    combinedTypes.includes(type) && isOn[kind] ? [kind] : [],
  );
  const lines: string[] = [];
  if (limits.combined !== null && adding.length > 0) {
    lines.push(
      adding.length === 1
        ? `${limits.combined} ${adding[0]} ${violations(limits.combined)}, the only kind in the combined limit`
        : `${limits.combined} ${adding.join(' and ')} ${violations(limits.combined)} combined`,
    );
  }
  for (const [, kind] of KINDS) {
    const limit = limits[kind];
    if (limit !== null && isOn[kind]) lines.push(`${limit} ${kind} ${violations(limit)}`);
  }
  const most = tabSwitchLimit(policy, !computerUsed);
  const tabsWarn = tabHidden !== 'record' && most === null;
  const exits = limits.fullscreen === null ? null : warnings(limits.fullscreen, policy, tabsWarn);
  if (exits !== null) lines.push(exits);
  if (most !== null) lines.push(`The ${ordinal(most)} tab switch`);
  return lines;
}

const violations = (n: number) => (n === 1 ? 'violation' : 'violations');

function warnings(
  limit: number,
  { fullscreen }: Pick<ParticipantRecord['policy'], 'fullscreen'>,
  tabsWarn: boolean,
): string | null {
  const many = limit === 1 ? '' : 's';
  const switches = limit === 1 ? 'tab switch' : 'tab switches';
  if (fullscreen && tabsWarn) {
    return `${limit} fullscreen exit${many} and ${switches} together`;
  }
  if (fullscreen) return `${limit} fullscreen exit${many}`;
  return tabsWarn ? `${limit} ${switches}` : null;
}
