import { closeAtOf, type Verdict } from '@invigil/core/domain/attempt';
import type { ScoredSection } from '@invigil/core/domain/results/outcome';
import { STRICT_POLICY } from '@invigil/core/domain/violations/violation-policy';
import { eq, inArray } from 'drizzle-orm';
import type pg from 'pg';
import { openDatabase } from '../server/src/db/database.ts';
import { newId } from '../server/src/db/new-id.ts';
import {
  categories,
  questions,
  questionVersions,
  quizPolicies,
  quizzes,
} from '../server/src/db/schema/assessments.ts';
import {
  paperQuestions,
  participantEvents,
  participants,
} from '../server/src/db/schema/attempts.ts';
import { invitations, users } from '../server/src/db/schema/invitations.ts';
import { sessions } from '../server/src/db/schema/sessions.ts';
import { PEOPLE } from '../server/src/trust/row-kinds.ts';
import type { TestApp } from './app.ts';

/** Values of an attempt that a test does not care about, unless it sets them. */
const PLAIN_ATTEMPT = {
  ...{ policyVersion: 1, closeReason: 'auto', countedViolations: 0, violationCalls: 0 },
  ...{ fullscreenExits: 0, tabSwitches: 0 },
  ...{ cameraEnabled: true, microphoneEnabled: true, faceCovered: false },
} as const;

/** An invitation without accommodations. */
const invitationOf = (userId: string, quizId: string, createdAt: Date) => ({
  ...{ id: newId(), userId, quizId, extraTimeFactor: 1, createdAt, lastInvitedAt: createdAt },
  ...{ cameraEnabled: true, microphoneEnabled: true },
});

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
  /** Ten-thousandths of a point; with them the attempt has points. */
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
  const people = await db.select({ id: users.id }).from(users).where(inArray(users.email, emails));
  await db
    .insert(invitations)
    .values(people.map(({ id }) => invitationOf(id, quizId, createdAt)))
    .onConflictDoNothing();
  const rows = await db
    .select({ email: users.email, invitationId: invitations.id, userId: users.id })
    .from(invitations)
    .innerJoin(users, eq(users.id, invitations.userId))
    .where(eq(invitations.quizId, quizId));
  const invited = new Map(rows.map(({ email, ...ids }) => [email, ids]));
  const numbers = new Map<string, number>();
  const stored = attempts.map((a): typeof participants.$inferInsert => {
    const ids = invited.get(a.email);
    if (!ids) throw new Error(`no invitation for ${a.email}`);
    const attempt = (numbers.get(a.email) ?? 0) + 1;
    numbers.set(a.email, attempt);
    const endedAfter = a.endedAfter ?? null;
    const ended = endedAfter !== null;
    const later = (seconds: number) => new Date(a.startedAt.getTime() + seconds * 1_000);
    const status = ended ? (a.status ?? 'completed') : 'in_progress';
    const manner = status === 'dismissed' ? 'dismissed' : (a.submissionType ?? 'manual');
    const { startedAt, maxPoints = null, sections = null, totalMarks = 10 } = a;
    return {
      ...{ ...PLAIN_ATTEMPT, ...ids, id: newId(), quizId, attempt, status, totalMarks },
      ...{ replacedAt: a.replaced ? createdAt : null, replacedHow: a.replaced ? 'another' : null },
      ...{ startedAt, lastSeenAt: startedAt },
      ...{ deadlineAt: later(1_800), closeAt: closeAtOf(later(1_800)) },
      submittedAt: ended ? later(endedAfter) : null,
      submissionType: ended ? manner : null,
      score: ended ? (a.score ?? 0) : null,
      points: ended ? (a.points ?? null) : null,
      ...{ maxPoints, sections },
      ...(a.verdict ? { verdict: a.verdict, verdictAt: createdAt } : {}),
      answeredCount: ended ? 0 : null,
      receiptId: ended ? 'AAAAA-BBBBB' : null,
      countedViolations: a.countedViolations ?? 0,
      violationCalls: a.violationCalls ?? 0,
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
  const db = openDatabase(pool);
  const [categoryId, quizId] = [newId(), newId()];
  const questionIds = [newId(), newId(), newId()].sort();
  const first = { version: 1, createdAt: STARTED };
  await db.insert(categories).values({ id: categoryId, name: 'C', createdAt: STARTED });
  await db.insert(quizzes).values({
    ...{ ...first, id: quizId, categoryId, title: 'Q', duration: 30, totalQuestions: 5 },
    ...{ finishAfterEnd: false, isActive: true, policyVersion: 1, updatedAt: STARTED },
  });
  await db.insert(quizPolicies).values({ ...first, quizId, settings: STRICT_POLICY });
  await db.insert(questions).values(
    questionIds.map((id, i) => ({
      ...{ id, quizId, orderNumber: i + 1, currentVersion: 1, nextOptionId: 5, createdAt: STARTED },
    })),
  );
  await db.insert(questionVersions).values(
    questionIds.map((questionId) => ({
      ...{ ...first, questionId, question: 'Q', correctOptionId: 1 },
      ...{ optionIds: [1, 2, 3, 4], optionTexts: ['a', 'b', 'c', 'd'] },
    })),
  );
  return { quizId, questionIds };
}

/** Writes a person, an invitation, a session and an attempt with its paper into the tables. */
export async function storeRunning(pool: pg.Pool, quiz: StoredQuiz): Promise<StoredRunning> {
  const db = openDatabase(pool);
  const { quizId } = quiz;
  people += 1;
  const [userId, sessionId, participantId] = [newId(), newId(), newId()];
  const invitation = invitationOf(userId, quizId, STARTED);
  const { id: invitationId } = invitation;
  const email = `running${people}@example.org`;
  await db.insert(users).values({ id: userId, email, createdAt: STARTED });
  await db.insert(invitations).values(invitation);
  await db.insert(sessions).values({
    ...{ id: sessionId, tokenHash: Buffer.from(sessionId), invitationId, createdAt: STARTED },
    ...{ lastSeenAt: STARTED, expiresAt: RUNNING_CLOSE },
  });
  await db.insert(participants).values({
    ...{ ...PLAIN_ATTEMPT, id: participantId, invitationId, userId, quizId, sessionId },
    ...{ attempt: 1, status: 'in_progress', totalMarks: 3, device: { kind: 'computer' } },
    ...{ startedAt: STARTED, lastSeenAt: STARTED },
    ...{ deadlineAt: RUNNING_DEADLINE, closeAt: RUNNING_CLOSE },
    ...{ countedViolations: 2, violationCalls: 1 },
  });
  await db.insert(paperQuestions).values(
    quiz.questionIds.map((questionId, i) => ({
      ...{ participantId, questionId, position: i + 1, questionVersion: 1 },
      optionOrder: [1, 2, 3, 4],
    })),
  );
  return { userId, invitationId, sessionId, participantId };
}
