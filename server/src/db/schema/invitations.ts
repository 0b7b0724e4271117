import type { TimeRule } from '@invigil/core/domain/schedule';
import { sql } from 'drizzle-orm';
import { check, index, pgTable, unique, uniqueIndex } from 'drizzle-orm/pg-core';
import { quizzes } from './assessments.ts';
import { bytes, idOf, instant } from './columns.ts';
import { admins } from './sign-in.ts';

/** Details of a person beside the address. */
export interface Entered {
  givenName: string;
  familyName: string;
  externalId: string | null;
  groups: string[];
  language: string;
  fields: Record<string, string>;
}

/** A person known by e-mail. */
export const users = pgTable(
  'users',
  (c) => ({
    id: c.uuid('id').primaryKey(),
    /** null once the person is erased; shown as 'Unknown' */
    email: c.text('email'),
    /** One-name people have a given name only; empty: unknown. */
    givenName: c.text('given_name').notNull().default(''),
    familyName: c.text('family_name').notNull().default(''),
    /** Student or employee number. */
    externalId: c.text('external_id'),
    groups: c.text('groups').array().notNull().default(sql`'{}'`),
    /** BCP 47; empty: unknown. */
    language: c.text('language').notNull().default(''),
    /** Values of the installation's own fields (`institution.person_fields`), by their id; none is empty. */
    fields: c.jsonb('fields').$type<Record<string, string>>().notNull().default({}),
    /** Percent beside the regular time, which a new invitation starts with (product 9). */
    extraTime: c.smallint('extra_time').notNull().default(0),
    /** Text for searches, as `search_letters` makes it: address, names in either order, number, groups, fields. */
    searchText: c
      .text('search_text')
      .notNull()
      .generatedAlwaysAs(
        sql`person_search_text(email, given_name, family_name, external_id, groups, fields)`,
      ),
    /** Administrators' own note on the person. */
    note: c.text('note').notNull().default(''),
    /** Addresses that were changed, the latest last. */
    formerEmails: c.text('former_emails').array().notNull().default(sql`'{}'`),
    /**
     * The sealed key of what is written about the person elsewhere, created on first use. Erasing the
     * person deletes it and so makes that data unreadable (product 9).
     */
    sealedKey: bytes('sealed_key'),
    /**
     * The assessment for which someone with a limited reach first entered this person; null: the
     * installation's. Anyone who manages that assessment may correct the row as long as no other invites the
     * person.
     */
    enteredFor: c.uuid('entered_for').references(() => quizzes.id),
    createdAt: instant('created_at').notNull(),
    /** MAC over the sealed columns (trust/table-list.ts); null only where Invigil did not write it. */
    seal: bytes('seal'),
  }),
  // Erased people first, the order of lists by address.
  (t) => [
    uniqueIndex('users_email_key').on(sql`lower(${t.email}) nulls first`),
    uniqueIndex('users_external_id_key').on(t.externalId),
    index('users_groups').using('gin', t.groups),
    index('users_search').using('gin', t.searchText.op('gin_trgm_ops')),
  ],
);

/** The code of a test invitation: it signs an administrator in to a preview of an assessment, for a day. */
export const previewCodes = pgTable(
  'preview_codes',
  (c) => ({
    id: c.uuid('id').primaryKey(),
    quizId: idOf('quiz_id', () => quizzes.id),
    adminId: idOf('admin_id', () => admins.id, { onDelete: 'cascade' }),
    codeHash: bytes('code_hash').notNull(),
    /** The latest sign-in with the code; null: none yet, or signed out. */
    tokenHash: bytes('token_hash'),
    createdAt: instant('created_at').notNull(),
  }),
  (t) => [
    unique('preview_codes_one').on(t.adminId, t.quizId),
    uniqueIndex('preview_codes_code').on(t.codeHash),
    uniqueIndex('preview_codes_token').on(t.tokenHash),
  ],
);

/** user x quiz. Codes, delivery and the person's accommodations belong to it. */
export const invitations = pgTable(
  'invitations',
  (c) => ({
    id: c.uuid('id').primaryKey(),
    userId: idOf('user_id', () => users.id),
    quizId: idOf('quiz_id', () => quizzes.id),
    extraTimeFactor: c
      .numeric('extra_time_factor', {
        precision: 4,
        scale: 2,
        mode: 'number',
      })
      .notNull(),
    cameraEnabled: c.boolean('camera_enabled').notNull(),
    microphoneEnabled: c.boolean('microphone_enabled').notNull(),
    faceCovered: c.boolean('face_covered').notNull().default(false),
    /** Breaks that the person may take, and the minutes of all of them. */
    breaks: c.smallint('breaks').notNull().default(0),
    breakMinutes: c.smallint('break_minutes').notNull().default(0),
    /** Times for this person alone; null: those of a group or the assessment. */
    ownTimes: c.jsonb('own_times').$type<TimeRule>(),
    // The times that follow from the rules (`scheduleOf`), written with whatever they depend on
    // (db/queries/schedules.ts). `duration` is null where no rule applies: all are the assessment's.
    opensAt: instant('opens_at'),
    endDate: instant('end_date'),
    startBy: instant('start_by'),
    duration: c.smallint('duration'),
    attempts: c.smallint('attempts'),
    /** When a reminder before the opening, and one before the end, was put into the outbox: once each. */
    remindedOfOpening: instant('reminded_of_opening'),
    remindedOfEnd: instant('reminded_of_end'),
    invitedBy: c.uuid('invited_by').references(() => admins.id, { onDelete: 'set null' }),
    /**
     * Details that someone with a limited reach typed about this person, which the assessment shows to those
     * who do not see everyone. A detail that is not in it, or any where it is null, is shown as the
     * installation knows it.
     */
    entered: c.jsonb('entered').$type<Partial<Entered>>(),
    createdAt: instant('created_at').notNull(),
    lastInvitedAt: instant('last_invited_at').notNull(),
    revokedAt: instant('revoked_at'),
    firstSignInAt: instant('first_sign_in_at'),
  }),
  (t) => [
    unique('invitations_user_quiz').on(t.userId, t.quizId),
    unique('invitations_identity').on(t.id, t.userId, t.quizId),
    index('invitations_of_quiz').on(t.quizId, t.createdAt),
    check('invitations_extra_time', sql`${t.extraTimeFactor} between 1 and 10`),
  ],
);

/** One-time passwords as keyed hashes; more than one may be valid for a person in progress. */
export const invitationCodes = pgTable(
  'invitation_codes',
  (c) => ({
    id: c.uuid('id').primaryKey(),
    invitationId: idOf('invitation_id', () => invitations.id),
    codeHash: bytes('code_hash').notNull(),
    createdAt: instant('created_at').notNull(),
    revokedAt: instant('revoked_at'),
    /**
     * false: someone who may not see scores made it, so it opens only the result of an attempt taken with it.
     */
    opensResults: c.boolean('opens_results').notNull().default(true),
    /** The latest session that such a password opened before the end. */
    sessionId: c.uuid('session_id'),
  }),
  (t) => [
    uniqueIndex('invitation_codes_hash').on(t.codeHash),
    index('invitation_codes_of_invitation').on(t.invitationId),
  ],
);
