import type { Grant } from '@invigil/core/domain/rights';
import { sql } from 'drizzle-orm';
import { check, index, pgTable, primaryKey, uniqueIndex } from 'drizzle-orm/pg-core';
import { bytes, idOf, instant } from './columns.ts';

export const admins = pgTable(
  'admins',
  (c) => ({
    id: c.uuid('id').primaryKey(),
    email: c.text('email').notNull(),
    passwordHash: c.text('password_hash').notNull(),
    /** Shown to colleagues beside the address; empty: none given. */
    name: c.text('name').notNull().default(''),
    /** Tag of the language that was chosen for the portal; null: as the browser asks. */
    language: c.text('language'),
    /** Roles and their objects (core/domain/rights.ts), sealed with the rest. */
    grants: c.jsonb('grants').$type<readonly Grant[]>().notNull(),
    createdAt: instant('created_at').notNull(),
    lastSignInAt: instant('last_sign_in_at'),
    /** MAC over the credential and the confirmed second step (trust/sealed-kinds.ts). */
    seal: bytes('seal'),
  }),
  (t) => [uniqueIndex('admins_email_key').on(sql`lower(${t.email})`)],
);

/** An administrator's second step (RFC 6238); while `confirmedAt` is null it is not required. */
export const adminTotp = pgTable('admin_totp', (c) => ({
  adminId: idOf('admin_id', () => admins.id, { onDelete: 'cascade' }).primaryKey(),
  sealedSecret: bytes('sealed_secret').notNull(),
  createdAt: instant('created_at').notNull(),
  confirmedAt: instant('confirmed_at'),
  /** The time step of the last accepted code: it and those before it are used up. */
  lastStep: c.bigint('last_step', { mode: 'number' }),
}));

/** Admits an administrator once without the device; a used one is deleted. */
export const adminRecoveryCodes = pgTable(
  'admin_recovery_codes',
  {
    adminId: idOf('admin_id', () => admins.id, { onDelete: 'cascade' }),
    codeHash: bytes('code_hash').notNull(),
  },
  (t) => [primaryKey({ columns: [t.adminId, t.codeHash] })],
);

/** A correct password that waits for its code. It opens no session on its own. */
export const pendingSignIns = pgTable(
  'pending_sign_ins',
  {
    tokenHash: bytes('token_hash').primaryKey(),
    adminId: idOf('admin_id', () => admins.id, { onDelete: 'cascade' }),
    expiresAt: instant('expires_at').notNull(),
    /** MAC: a row that was written or moved to another administrator in the database is rejected. */
    seal: bytes('seal'),
  },
  (t) => [
    index('pending_sign_ins_of_admin').on(t.adminId),
    index('pending_sign_ins_expiry').on(t.expiresAt),
  ],
);

/** A link to set a new password, sent by mail; one per administrator, the newest. */
export const passwordResets = pgTable('password_resets', {
  adminId: idOf('admin_id', () => admins.id, { onDelete: 'cascade' }).primaryKey(),
  tokenHash: bytes('token_hash').notNull().unique(),
  expiresAt: instant('expires_at').notNull(),
});

/** The requirements of every administrator's sign-in; one row, and none while nothing is required. */
export const signInPolicy = pgTable(
  'sign_in_policy',
  (c) => ({
    one: c.boolean('one').primaryKey().default(true),
    totpRequired: c.boolean('totp_required').notNull(),
    updatedAt: instant('updated_at').notNull(),
    seal: bytes('seal'),
  }),
  (t) => [check('sign_in_policy_one', sql`${t.one}`)],
);
