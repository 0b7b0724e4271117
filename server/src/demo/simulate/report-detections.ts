import { findParticipant } from '../../db/queries/attempts/attempts.ts';
import type { ParticipantSession } from '../../db/queries/sessions.ts';
import { storeEvidence } from '../../features/attempts/evidence/store-evidence.ts';
import { noteViolation } from '../../features/attempts/violations/note-violation.ts';
import { reportViolation } from '../../features/attempts/violations/report-violation.ts';
import type { Detection } from '../scenario/detections.ts';
import { drawnEvidence } from './drawn-evidence.ts';
import type { Simulation } from './simulation.ts';

/** Reports detections as the page does, so that the server counts them and applies limits. */
export async function reportDetections(
  { ctx, tx }: Pick<Simulation, 'ctx' | 'tx'>,
  participantId: string,
  detections: readonly Detection[],
): Promise<void> {
  const attempt = await findParticipant(tx, participantId);
  if (!attempt?.sessionId) throw new Error(`attempt ${participantId} has no session`);
  const { sessionId: id, invitationId, userId, quizId, closeAt: expiresAt } = attempt;
  const session: ParticipantSession = {
    kind: 'participant',
    id,
    invitationId,
    userId,
    quizId,
    email: '',
    expiresAt,
    endedAt: null,
    endReason: null,
  };
  for (const one of detections) {
    const { type, at, durationMs, engine, notes, candidateNote } = one;
    const report = {
      participantId,
      violationType: type,
      notes,
      id: undefined,
      ageMs: 0,
      durationMs,
      engine,
      from: { headers: {}, ip: '' },
    };
    const { answer } = await reportViolation(ctx, session, report, at);
    const evidence = drawnEvidence(one, answer.id);
    if (evidence !== null) await storeEvidence(ctx, session, participantId, evidence, at);
    if (candidateNote !== null) await noteViolation(ctx, session, answer.id, candidateNote, at);
  }
}
