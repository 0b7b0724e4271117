import { closeAtOf, type Verdict } from '@invigil/core/domain/attempt';
import type { ScoredSection } from '@invigil/core/domain/results/outcome';
import { STRICT_POLICY } from '@invigil/core/domain/violations/violation-policy';
import { sql } from 'drizzle-orm';
import type pg from 'pg';
import { newId } from '../server/src/db/new-id.ts';
import { participantEvents, participants } from '../server/src/db/schema/attempts.ts';
import { invitations, users } from '../server/src/db/schema/invitations.ts';
import { PEOPLE } from '../server/src/trust/row-kinds.ts';
import type { TestApp } from './app.ts';

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
  sections?: ScoredSection[];
  verdict?: Verdict;
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
    .values(
      emails.map((email) =>
        PEOPLE.sealed(app.context.keys.integrity, {
          ...{ id: newId(), email, givenName: '', familyName: '', externalId: null },
          ...{ groups: [], language: '', formerEmails: [], createdAt },
        }),
      ),
    )
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
      sections: a.sections ?? null,
      ...(a.verdict ? { verdict: a.verdict, verdictAt: createdAt } : {}),
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

/** A quiz of three questions with options 1 to 4, written into the tables. */
export interface StoredQuiz {
  quizId: string;
  questionIds: string[];
}

/** A person in an attempt that began at eight and lasts half an hour. */
export interface StoredRunning {
  userId: string;
  invitationId: string;
  sessionId: string;
  participantId: string;
}

const STARTED = new Date('2026-05-14T08:00:00.000Z');
export const RUNNING_DEADLINE = new Date('2026-05-14T08:30:00.000Z');
export const RUNNING_CLOSE = closeAtOf(RUNNING_DEADLINE);

let people = 0;

/** Writes a quiz into the tables, for tests of one module without an app. */
export async function storeQuiz(pool: pg.Pool): Promise<StoredQuiz> {
  const [categoryId, quizId] = [newId(), newId()];
  const questionIds = [newId(), newId(), newId()].sort();
  await pool.query(`insert into categories (id, name, created_at) values ($1, 'C', $2)`, [
    categoryId,
    STARTED,
  ]);
  await pool.query(
    `insert into quizzes (id, title, category_id, duration, total_questions, finish_after_end,
       is_active, policy_version, version, created_at, updated_at)
     values ($1, 'Q', $2, 30, 5, false, true, 1, 1, $3, $3)`,
    [quizId, categoryId, STARTED],
  );
  await pool.query('insert into quiz_policies values ($1, 1, $2, $3)', [
    quizId,
    STRICT_POLICY,
    STARTED,
  ]);
  await pool.query(
    `insert into questions (id, quiz_id, order_number, current_version, next_option_id, created_at)
     select id, $2, place, 1, 5, $3 from unnest($1::uuid[]) with ordinality q (id, place)`,
    [questionIds, quizId, STARTED],
  );
  await pool.query(
    `insert into question_versions
       (question_id, version, question, option_ids, option_texts, correct_option_id, created_at)
     select id, 1, 'Q', '{1,2,3,4}', '{a,b,c,d}', 1, $2 from unnest($1::uuid[]) q (id)`,
    [questionIds, STARTED],
  );
  return { quizId, questionIds };
}

/** Writes a person, an invitation, a session and an attempt with its paper into the tables. */
export async function storeRunning(pool: pg.Pool, quiz: StoredQuiz): Promise<StoredRunning> {
  people += 1;
  const [userId, invitationId, sessionId] = [newId(), newId(), newId()];
  const participantId = newId();
  await pool.query('insert into users (id, email, created_at) values ($1, $2, $3)', [
    userId,
    `running${people}@example.org`,
    STARTED,
  ]);
  await pool.query(
    `insert into invitations (id, user_id, quiz_id, extra_time_factor, camera_enabled,
       microphone_enabled, created_at, last_invited_at)
     values ($1, $2, $3, 1, true, true, $4, $4)`,
    [invitationId, userId, quiz.quizId, STARTED],
  );
  await pool.query(
    `insert into sessions (id, token_hash, invitation_id, created_at, last_seen_at, expires_at)
     values ($1, $2, $3, $4, $4, $5)`,
    [sessionId, Buffer.from(sessionId), invitationId, STARTED, RUNNING_CLOSE],
  );
  await pool.query(
    `insert into participants (id, invitation_id, user_id, quiz_id, attempt, status,
       policy_version, total_marks, started_at, deadline_at, close_at, close_reason, session_id,
       last_seen_at, counted_violations, violation_calls, fullscreen_exits, tab_switches,
       camera_enabled, microphone_enabled, face_covered, device)
     values ($1, $2, $3, $4, 1, 'in_progress', 1, 3, $5, $6, $7, 'auto', $8, $5, 2, 1, 0, 0, true,
       true, false, '{"kind": "computer"}')`,
    [
      participantId,
      invitationId,
      userId,
      quiz.quizId,
      STARTED,
      RUNNING_DEADLINE,
      RUNNING_CLOSE,
      sessionId,
    ],
  );
  await pool.query(
    `insert into paper_questions
     select $1, place, id, 1, '{1,2,3,4}' from unnest($2::uuid[]) with ordinality q (id, place)`,
    [participantId, quiz.questionIds],
  );
  return { userId, invitationId, sessionId, participantId };
}
