import { sql } from 'drizzle-orm';
import { boolean, check, index, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { participants } from './attempts.ts';
import { instant } from './columns.ts';

/** What administrators said to a candidate during the attempt. */
export const participantMessages = pgTable(
  'participant_messages',
  {
    id: uuid('id').primaryKey(),
    participantId: uuid('participant_id')
      .notNull()
      .references(() => participants.id),
    text: text('text').notNull(),
    at: instant('at').notNull(),
  },
  (t) => [index('participant_messages_of').on(t.participantId, t.at)],
);

export const feedback = pgTable(
  'feedback',
  {
    participantId: uuid('participant_id')
      .primaryKey()
      .references(() => participants.id),
    emoji: text('emoji').notNull(),
    text: text('text'),
    skipped: boolean('skipped').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [check('feedback_emoji', sql`${t.emoji} in ('smile', 'neutral', 'sad')`)],
);
