import type { ErrorCode } from '@invigil/core/contract/definition/errors';
import type { Work } from '@invigil/core/contract/installation/works';
import { index, pgTable } from 'drizzle-orm/pg-core';
import { quizzes } from './assessments.ts';
import { idOf, instant } from './columns.ts';
import { admins } from './sign-in.ts';

/** Long work of administrators, under way or ended; a row that is deleted cancels what is under way. */
export const works = pgTable(
  'works',
  (c) => ({
    id: c.uuid('id').primaryKey(),
    adminId: idOf('admin_id', () => admins.id, { onDelete: 'cascade' }),
    kind: c.text('kind').$type<Work['kind']>().notNull(),
    /** The name of the file that is imported; otherwise empty. */
    name: c.text('name').notNull(),
    quizId: c.uuid('quiz_id').references(() => quizzes.id),
    /** The question that is rescored; no reference, which would wait for the lock of another rescoring. */
    questionId: c.uuid('question_id'),
    /** Items that are read or scored, of so many; null: unknown. */
    done: c.integer('done').notNull().default(0),
    total: c.integer('total'),
    begunAt: instant('begun_at').notNull(),
    /** Written each second: after a stop of the server it is old. */
    aliveAt: instant('alive_at').notNull(),
    endedAt: instant('ended_at'),
    /** Stored with what it tells of, in one transaction; null without success. Counts alone of a rescoring. */
    result: c.jsonb('result').$type<NonNullable<Work['result']>>(),
    failure: c.text('failure').$type<ErrorCode>(),
  }),
  (t) => [index('works_of_admin').on(t.adminId, t.begunAt)],
);
