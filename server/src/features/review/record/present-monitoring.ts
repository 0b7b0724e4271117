import type { GivenVerdict, SensorState } from '@invigil/core/contract/review/participant-record';
import type { ParticipantView } from '../../../db/queries/attempts/attempts.ts';
import type { listParticipantEvents } from '../../../db/queries/attempts/events.ts';
import { policyOf } from '../../attempts/present.ts';
import { gapSince } from '../../attempts/start-and-end/start-participant.ts';

/** Which sensors were on, and which were switched off for this person. */
export function sensorsOf(
  attempt: Pick<ParticipantView, 'policySettings' | 'cameraEnabled' | 'microphoneEnabled'>,
): { camera: SensorState; microphone: SensorState; fullscreen: SensorState } {
  const policy = policyOf(attempt);
  const state = (isRequired: boolean, isEnabled: boolean): SensorState => {
    if (!isRequired) return 'off';
    return isEnabled ? 'on' : 'not_applicable';
  };
  return {
    camera: state(policy.camera, attempt.cameraEnabled),
    microphone: state(policy.microphone, attempt.microphoneEnabled),
    fullscreen: state(policy.fullscreen, true),
  };
}

/**
 * Times without contact with the browser, including one that is still open or lasted until the end.
 */
export function connectionGaps(
  attempt: ParticipantView,
  events: Awaited<ReturnType<typeof listParticipantEvents>>,
  now: Date,
): { from: string; to: string }[] {
  const gaps = events.flatMap(({ kind, at, details }) => {
    const from = kind === 'gap' ? fromOf(details) : undefined;
    return from === undefined ? [] : [{ from, to: at.toISOString() }];
  });
  const end = attempt.submittedAt ?? now;
  const last = gapSince(attempt.lastSeenAt, end);
  return last ? [...gaps, { from: last.details.from, to: end.toISOString() }] : gaps;
}

function fromOf(details: unknown): string | undefined {
  const hasFrom = typeof details === 'object' && details !== null && 'from' in details;
  return hasFrom && typeof details.from === 'string' ? details.from : undefined;
}

export function verdictOf(attempt: ParticipantView, adminEmail: string): GivenVerdict | null {
  if (attempt.verdict === null || attempt.verdictAt === null) return null;
  return {
    verdict: attempt.verdict,
    note: attempt.verdictNote,
    at: attempt.verdictAt.toISOString(),
    adminEmail,
  };
}
