import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import { participants } from './attempts.ts';
import { bytes, instant } from './columns.ts';

/** What a sensor or the page detected, and whether it counted. Only the candidate's note is later. */
export const violations = pgTable(
  'violations',
  {
    /** Made by the browser, so that sending again counts once. */
    id: uuid('id').primaryKey(),
    participantId: uuid('participant_id')
      .notNull()
      .references(() => participants.id),
    type: text('type').notNull(),
    at: instant('at').notNull(),
    receivedAt: instant('received_at').notNull(),
    counted: boolean('counted').notNull(),
    durationMs: integer('duration_ms'),
    notes: text('notes'),
    /** Which detector judged. */
    engine: text('engine'),
    /** The candidate's own words about it. */
    candidateNote: text('candidate_note'),
    /** The first answer, for anyone who sends it again. */
    answer: jsonb('answer').notNull(),
  },
  (t) => [index('violations_of').on(t.participantId, t.at)],
);

/**
 * The key of an attempt's evidence, sealed with the service's. Destroying it is how evidence is
 * deleted: by the retention, and when the person is erased.
 */
export const evidenceKeys = pgTable(
  'evidence_keys',
  {
    participantId: uuid('participant_id')
      .primaryKey()
      .references(() => participants.id),
    sealedKey: bytes('sealed_key'),
    createdAt: instant('created_at').notNull(),
    destroyedAt: instant('destroyed_at'),
    /** When the files were gone as well; a storage that was away is asked again until then. */
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

/** What was uploaded; the bytes are files, sealed with the attempt's key. */
export const evidence = pgTable(
  'evidence',
  {
    /** Made by the browser, so that sending again stores once. */
    id: uuid('id').primaryKey(),
    participantId: uuid('participant_id')
      .notNull()
      .references(() => evidenceKeys.participantId),
    /** null: a still that the policy asks for every so often. */
    violationId: uuid('violation_id').references(() => violations.id),
    at: instant('at').notNull(),
    receivedAt: instant('received_at').notNull(),
    /** Since when the file is on stable storage; until then the row only holds its room. */
    storedAt: instant('stored_at'),
    stills: smallint('stills').notNull(),
    hasLevels: boolean('has_levels').notNull(),
    bytes: integer('bytes').notNull(),
    /** MAC over the row, made when the file is stored. */
    seal: bytes('seal'),
  },
  (t) => [
    index('evidence_of').on(t.participantId, t.receivedAt),
    index('evidence_of_violation').on(t.violationId),
  ],
);

/**
 * Keyed hashes of the stills of kept evidence, to see one that comes again. Without the key they say
 * nothing; they go with their evidence.
 */
export const stillHashes = pgTable(
  'still_hashes',
  {
    participantId: uuid('participant_id').notNull(),
    hash: bytes('hash').notNull(),
    evidenceId: uuid('evidence_id')
      .notNull()
      .references(() => evidence.id, { onDelete: 'cascade' }),
    /** When the page says that it was taken. */
    takenAt: instant('taken_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.participantId, t.hash] }),
    index('still_hashes_same').on(t.hash),
    index('still_hashes_of_evidence').on(t.evidenceId),
  ],
);

/**
 * An action for many attempts at once, where it was done already: sent again after a failure it is done
 * to the others only.
 */
export const appliedActions = pgTable(
  'done_deeds',
  {
    /** Made by the browser, one for each thing that an administrator wants done. */
    actionId: uuid('deed_id').notNull(),
    participantId: uuid('participant_id')
      .notNull()
      .references(() => participants.id),
    at: instant('at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.actionId, t.participantId] })],
);

/**
 * Whose turn it is to look at the live board: one look a second in the whole installation. Times are
 * the database's own and decide nothing but that. One row; unlogged, so that it costs no WAL.
 */
export const liveTurn = pgTable(
  'live_turn',
  {
    one: boolean('one').primaryKey().default(true),
    number: bigint('number', { mode: 'number' }).notNull(),
    /** The next turn begins then at the earliest. */
    nextAt: instant('next_at').notNull(),
  },
  (t) => [check('live_turn_one', sql`${t.one}`)],
);

/** What the last looks at the live board found, for the processes that did not look; unlogged. */
export const liveLooks = pgTable('live_looks', {
  number: bigint('number', { mode: 'number' }).primaryKey(),
  /** What changed since the look before, as it is sent; null: everybody looks for themselves. */
  frame: text('frame'),
});
