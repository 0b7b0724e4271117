import { sql } from 'drizzle-orm';
import { check, index, pgTable, primaryKey } from 'drizzle-orm/pg-core';
import { participants } from './attempts.ts';
import { bytes, idOf, instant } from './columns.ts';

/** A detection of a sensor or the page, and whether it counted. Only the candidate's note may change. */
export const violations = pgTable(
  'violations',
  (c) => ({
    /** Created by the browser, so that a resent report counts once. */
    id: c.uuid('id').primaryKey(),
    participantId: idOf('participant_id', () => participants.id),
    type: c.text('type').notNull(),
    at: instant('at').notNull(),
    receivedAt: instant('received_at').notNull(),
    counted: c.boolean('counted').notNull(),
    durationMs: c.integer('duration_ms'),
    /** The measurement of the page; for a flag of the server's own a code of core/src/texts/flag-notes.ts. */
    notes: c.text('notes'),
    /** The detector that classified it. */
    engine: c.text('engine'),
    /** The candidate's own words about it. */
    candidateNote: c.text('candidate_note'),
    /** The first reply, repeated when the report is resent. */
    answer: c.jsonb('answer').notNull(),
  }),
  (t) => [index('violations_of').on(t.participantId, t.at)],
);

/**
 * The key of an attempt's evidence, sealed with the service's. The retention and an erasure delete
 * evidence by destroying it.
 */
export const evidenceKeys = pgTable(
  'evidence_keys',
  {
    participantId: idOf('participant_id', () => participants.id).primaryKey(),
    sealedKey: bytes('sealed_key'),
    createdAt: instant('created_at').notNull(),
    destroyedAt: instant('destroyed_at'),
    /** When the files were removed, too; a storage that was away is retried until then. */
    filesRemovedAt: instant('files_removed_at'),
  },
  (t) => [
    index('evidence_keys_kept').on(t.createdAt).where(sql`${t.sealedKey} is not null`),
    index('evidence_keys_leftover')
      .on(t.destroyedAt)
      .where(sql`${t.sealedKey} is null and ${t.filesRemovedAt} is null`),
    check('evidence_keys_whole', sql`(${t.sealedKey} is null) = (${t.destroyedAt} is not null)`),
  ],
);

/** An upload; the bytes are files, sealed with the attempt's key. */
export const evidence = pgTable(
  'evidence',
  (c) => ({
    /** Created by the browser, so that a resent upload is stored once. */
    id: c.uuid('id').primaryKey(),
    participantId: idOf('participant_id', () => evidenceKeys.participantId),
    /** null: a periodic still that the policy requests. */
    violationId: c.uuid('violation_id').references(() => violations.id),
    at: instant('at').notNull(),
    receivedAt: instant('received_at').notNull(),
    /** Since when the file is durable; until then the row only reserves its space. */
    storedAt: instant('stored_at'),
    stills: c.smallint('stills').notNull(),
    hasLevels: c.boolean('has_levels').notNull(),
    bytes: c.integer('bytes').notNull(),
    /** MAC over the row, made when the file is stored. */
    seal: bytes('seal'),
  }),
  (t) => [
    index('evidence_of').on(t.participantId, t.receivedAt),
    index('evidence_of_violation').on(t.violationId),
  ],
);

/**
 * Keyed hashes of the stills of stored evidence, to detect repeated ones. Meaningless without the key,
 * and deleted with their evidence.
 */
export const stillHashes = pgTable(
  'still_hashes',
  (c) => ({
    participantId: c.uuid('participant_id').notNull(),
    hash: bytes('hash').notNull(),
    evidenceId: idOf('evidence_id', () => evidence.id, { onDelete: 'cascade' }),
    /** When it was taken, as the page reports. */
    takenAt: instant('taken_at').notNull(),
  }),
  (t) => [
    primaryKey({ columns: [t.participantId, t.hash] }),
    index('still_hashes_same').on(t.hash),
    index('still_hashes_of_evidence').on(t.evidenceId),
  ],
);

/**
 * The attempts to which an action on many was applied already: resent after a failure, it is applied only to
 * the others.
 */
export const appliedActions = pgTable(
  'applied_actions',
  (c) => ({
    /** Created by the browser, one per action of an administrator. */
    actionId: c.uuid('action_id').notNull(),
    participantId: idOf('participant_id', () => participants.id),
    at: instant('at').notNull(),
  }),
  (t) => [primaryKey({ columns: [t.actionId, t.participantId] })],
);

/**
 * The process that queries the live board next: one query a second in the whole installation. Times are the
 * database's own and decide nothing else. One row; unlogged, so that it costs no WAL.
 */
export const liveTurn = pgTable(
  'live_turn',
  (c) => ({
    one: c.boolean('one').primaryKey().default(true),
    number: c.bigint('number', { mode: 'number' }).notNull(),
    /** The next query begins no earlier. */
    nextAt: instant('next_at').notNull(),
  }),
  (t) => [check('live_turn_one', sql`${t.one}`)],
);

/** Results of the last queries of the live board, for the other processes; unlogged. */
export const liveFrames = pgTable('live_frames', (c) => ({
  number: c.bigint('number', { mode: 'number' }).primaryKey(),
  /** The changes since the query before, as they are sent; null: each process queries for itself. */
  frame: c.text('frame'),
}));

/** Messages of administrators to a candidate during the attempt. */
export const participantMessages = pgTable(
  'participant_messages',
  (c) => ({
    id: c.uuid('id').primaryKey(),
    participantId: idOf('participant_id', () => participants.id),
    text: c.text('text').notNull(),
    at: instant('at').notNull(),
  }),
  (t) => [index('participant_messages_of').on(t.participantId, t.at)],
);

export const feedback = pgTable(
  'feedback',
  (c) => ({
    participantId: idOf('participant_id', () => participants.id).primaryKey(),
    emoji: c.text('emoji').notNull(),
    text: c.text('text'),
    skipped: c.boolean('skipped').notNull(),
    createdAt: instant('created_at').notNull(),
  }),
  (t) => [check('feedback_emoji', sql`${t.emoji} in ('smile', 'neutral', 'sad')`)],
);
