import type { AttemptStatus, Verdict } from '@invigil/core/domain/attempt';
import { and, asc, eq, isNull, ne, sql } from 'drizzle-orm';
import type { Queryable, Tx } from '../../../db/database.ts';
import { participants } from '../../../db/schema/attempts.ts';
import { users } from '../../../db/schema/invitations.ts';

const resultColumns = {
  id: participants.id,
  status: sql<AttemptStatus>`${participants.status}`,
  verdict: sql<Verdict | null>`${participants.verdict}`,
  score: participants.score,
  totalMarks: participants.totalMarks,
  points: participants.points,
  maxPoints: participants.maxPoints,
  sections: participants.sections,
};

/** The results of the current attempts at an assessment that have ended, and whose they are. */
export function listResults(db: Queryable, quizId: string) {
  return db
    .select({
      ...resultColumns,
      userId: participants.userId,
      userEmail: users.email,
      givenName: users.givenName,
      familyName: users.familyName,
    })
    .from(participants)
    .innerJoin(users, eq(users.id, participants.userId))
    .where(
      and(
        eq(participants.quizId, quizId),
        isNull(participants.replacedAt),
        ne(participants.status, 'in_progress'),
      ),
    )
    .orderBy(asc(participants.submittedAt), asc(participants.id));
}

/** Locks ended attempts whose sections have no points yet: they ended before sections were scored. */
export function lockUnscoredSections(tx: Tx, quizId: string) {
  return tx
    .select({ ...resultColumns, negativeMarks: participants.negativeMarks })
    .from(participants)
    .where(
      and(
        eq(participants.quizId, quizId),
        ne(participants.status, 'in_progress'),
        sql`not ${participants.sections} @? '$[*].points'`,
      ),
    )
    .orderBy(asc(participants.id))
    .for('no key update');
}
