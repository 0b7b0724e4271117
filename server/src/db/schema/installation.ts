import type { LanguageCheck } from '@invigil/core/contract/installation/institution';
import type { PersonField } from '@invigil/core/domain/people';
import type { Language } from '@invigil/core/texts/languages';
import { sql } from 'drizzle-orm';
import { check, index, pgTable, uniqueIndex } from 'drizzle-orm/pg-core';
import { bytes, instant } from './columns.ts';

/**
 * The audit log: who did what to whom, by ids, without names. Append-only. A job gives each entry its number
 * and a hash that covers the previous one, so that no entry can be changed, removed, moved or cut off.
 */
export const auditEntries = pgTable(
  'audit_entries',
  (c) => ({
    id: c.uuid('id').primaryKey(),
    at: instant('at').notNull(),
    adminId: c.uuid('admin_id'),
    action: c.text('action').notNull(),
    subjectType: c.text('subject_type'),
    subjectId: c.uuid('subject_id'),
    details: c.jsonb('details'),
    number: c.bigint('number', { mode: 'number' }),
    hash: bytes('hash'),
  }),
  (t) => [
    index('audit_entries_newest').on(t.at.desc().nullsFirst(), t.id.desc().nullsFirst()),
    index('audit_entries_subject').on(t.subjectId, t.at),
    uniqueIndex('audit_entries_number').on(t.number),
    index('audit_entries_unsealed').on(t.at, t.id).where(sql`${t.number} is null`),
    check('audit_entries_sealed_whole', sql`(${t.number} is null) = (${t.hash} is null)`),
  ],
);

/** The end of the chain, so that entries cannot be cut off unnoticed. One row. */
export const auditHead = pgTable(
  'audit_head',
  (c) => ({
    one: c.boolean('one').primaryKey().default(true),
    number: c.bigint('number', { mode: 'number' }).notNull(),
    hash: bytes('hash').notNull(),
    /** HMAC over number and hash, with a key outside the database. */
    seal: bytes('seal').notNull(),
  }),
  (t) => [check('audit_head_one', sql`${t.one}`)],
);

/**
 * A sealed check value: opening it shows whether a SECRET_KEY is the one of this installation. One row.
 */
export const keyCheck = pgTable(
  'key_check',
  (c) => ({
    one: c.boolean('one').primaryKey().default(true),
    sealedWord: bytes('sealed_word').notNull(),
    madeAt: instant('made_at').notNull(),
  }),
  (t) => [check('key_check_one', sql`${t.one}`)],
);

/**
 * Old versions of erased rows are still in the files of the database (erased-leftovers.ts). One row, and
 * none once they are gone.
 */
export const erasedLeftovers = pgTable(
  'erased_leftovers',
  (c) => ({
    one: c.boolean('one').primaryKey().default(true),
    /** The oldest erasure that is not complete. */
    since: instant('since').notNull(),
  }),
  (t) => [check('erased_leftovers_one', sql`${t.one}`)],
);

/** How long monitoring data is stored; one row, and none while the default applies. */
export const retention = pgTable(
  'retention',
  (c) => ({
    one: c.boolean('one').primaryKey().default(true),
    days: c.smallint('days').notNull(),
    updatedAt: instant('updated_at').notNull(),
    /** MAC over the sealed columns (trust/table-list.ts); null only where Invigil did not write it. */
    seal: bytes('seal'),
  }),
  (t) => [
    check('retention_one', sql`${t.one}`),
    check('retention_days', sql`${t.days} between 1 and 3650`),
  ],
);

/** The operator, for mails and screens; one row, and none while the environment's values apply. */
export const institution = pgTable(
  'institution',
  (c) => ({
    one: c.boolean('one').primaryKey().default(true),
    /** Null: mails and the sign-in page name none. */
    name: c.text('name'),
    /** IANA name; null: TIME_ZONE. */
    timeZone: c.text('time_zone'),
    /** Scheme and host of the links in mails; null: PUBLIC_URL. */
    publicUrl: c.text('public_url'),
    /** Hash of an image, which stays; on certificates. */
    logo: c.text('logo'),
    /** Tags of the languages that candidates can read; the first is the one of who prefers none of them. */
    languages: c.text('languages').array().notNull().default(sql`'{en}'`),
    /** Who has read a translation, and which one: by the tag of its language. */
    languageChecks: c
      .jsonb('language_checks')
      .$type<Partial<Record<Language, LanguageCheck>>>()
      .notNull()
      .default({}),
    /** The installation's own fields of people, in the order of their columns. */
    personFields: c.jsonb('person_fields').$type<PersonField[]>().notNull().default([]),
    updatedAt: instant('updated_at').notNull(),
    /** MAC over the sealed columns (trust/table-list.ts); null only where Invigil did not write it. */
    seal: bytes('seal'),
  }),
  (t) => [check('institution_one', sql`${t.one}`)],
);

/** Times in which the service was down, so that what attempts lost can be given back. */
export const outages = pgTable('outages', (c) => ({
  id: c.uuid('id').primaryKey(),
  beganAt: instant('began_at').notNull(),
  endedAt: instant('ended_at').notNull(),
}));

/** The time until which the service is known to have been up (product 4.1); one row. */
export const liveness = pgTable(
  'liveness',
  (c) => ({
    one: c.boolean('one').primaryKey().default(true),
    aliveAt: instant('alive_at').notNull(),
  }),
  (t) => [check('liveness_one', sql`${t.one}`)],
);
