import { closeAtOf } from '@invigil/core/domain/attempt';
import { sql } from 'drizzle-orm';
import { newId } from '../db/new-id.ts';
import { participantEvents, participants } from '../db/schema/attempts.ts';
import { invitations, users } from '../db/schema/invitations.ts';
import type { TestApp } from './test-app.ts';

/** An attempt for tests of lists, reports and figures; omitted fields do not matter. */
export interface StoredAttempt {
  email: string;
  startedAt: Date;
  /** seconds after the start; `null` or absent: in progress */
  endedAfter?: number | null;
  status?: 'completed' | 'dismissed';
  submissionType?: 'manual' | 'auto' | 'database';
  score?: number;
  totalMarks?: number;
  /** In ten-thousandths; with them the attempt has points. */
  points?: number;
  maxPoints?: number;
  countedViolations?: number;
  violationCalls?: number;
  /** Replaced by a later attempt: not listed. */
  replaced?: boolean;
}

/**
 * Writes attempts into the tables, without papers and answers: thousands in a moment. Returns their ids
 * in order.
 */
export async function storeAttempts(
  app: TestApp,
  quizId: string,
  attempts: readonly StoredAttempt[],
): Promise<string[]> {
  const { db } = app.context;
  const emails = [...new Set(attempts.map((a) => a.email))];
  const createdAt = app.clock.now();
  await db
    .insert(users)
    .values(emails.map((email) => ({ id: newId(), email, createdAt })))
    .onConflictDoNothing();
  await db.execute(sql`
    insert into ${invitations}
      (id, user_id, quiz_id, extra_time_factor, camera_enabled, microphone_enabled, created_at, last_invited_at)
    select gen_random_uuid(), u.id, ${quizId}, 1, true, true, ${createdAt.toISOString()}, ${createdAt.toISOString()}
    from ${users} u where u.email = any (${sql.param(emails)})
    on conflict do nothing`);
  const { rows } = await db.execute<{ id: string; user_id: string; email: string }>(sql`
    select i.id, i.user_id, u.email from ${invitations} i join ${users} u on u.id = i.user_id
    where i.quiz_id = ${quizId}`);
  const invitationOf = new Map(rows.map((row) => [row.email, row]));
  const numbers = new Map<string, number>();
  const stored = attempts.map((a): typeof participants.$inferInsert => {
    const invitation = invitationOf.get(a.email);
    if (!invitation) throw new Error(`no invitation for ${a.email}`);
    const attempt = (numbers.get(a.email) ?? 0) + 1;
    numbers.set(a.email, attempt);
    const endedAfter = a.endedAfter ?? null;
    const ended = endedAfter !== null;
    const later = (seconds: number) => new Date(a.startedAt.getTime() + seconds * 1_000);
    const status = ended ? (a.status ?? 'completed') : 'in_progress';
    return {
      id: newId(),
      invitationId: invitation.id,
      userId: invitation.user_id,
      quizId,
      attempt,
      replacedAt: a.replaced ? createdAt : null,
      replacedHow: a.replaced ? 'another' : null,
      status,
      policyVersion: 1,
      totalMarks: a.totalMarks ?? 10,
      startedAt: a.startedAt,
      deadlineAt: later(1_800),
      closeAt: closeAtOf(later(1_800)),
      closeReason: 'auto',
      submittedAt: ended ? later(endedAfter) : null,
      submissionType: !ended
        ? null
        : status === 'dismissed'
          ? 'dismissed'
          : (a.submissionType ?? 'manual'),
      score: ended ? (a.score ?? 0) : null,
      points: ended ? (a.points ?? null) : null,
      maxPoints: a.maxPoints ?? null,
      answeredCount: ended ? 0 : null,
      receiptId: ended ? 'AAAAA-BBBBB' : null,
      lastSeenAt: a.startedAt,
      countedViolations: a.countedViolations ?? 0,
      violationCalls: a.violationCalls ?? 0,
      fullscreenExits: 0,
      tabSwitches: 0,
      cameraEnabled: true,
      microphoneEnabled: true,
      faceCovered: false,
    };
  });
  for (let i = 0; i < stored.length; i += 1_000) {
    const some = stored.slice(i, i + 1_000);
    await db.insert(participants).values(some);
    await db
      .insert(participantEvents)
      .values(
        some.flatMap((p) => [
          { id: newId(), participantId: p.id, kind: 'started', at: p.startedAt },
          ...(p.submittedAt
            ? [{ id: newId(), participantId: p.id, kind: 'ended', at: p.submittedAt }]
            : []),
        ]),
      );
  }
  return stored.map((p) => p.id);
}
