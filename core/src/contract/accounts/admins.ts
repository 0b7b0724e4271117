import { z } from 'zod';
import { ROLES } from '../../domain/rights.ts';
import { isVisible, notVisible } from '../../domain/typed-text.ts';
import { t } from '../../texts/i18n.ts';
import { EmailAddress } from '../definition/email-address.ts';
import { endpoint, Id, Instant } from '../definition/endpoint.ts';
import { atMostCharacters, ENTER_PASSWORD } from '../definition/field-problems.ts';
import { NewPassword } from './auth.ts';

/** A role, and where it holds: one assessment, a category with its assessments, or everything. */
export const Grant = z
  .object({ role: z.enum(ROLES), quizId: Id.optional(), categoryId: Id.optional() })
  .refine(({ quizId, categoryId }) => !quizId || !categoryId, {
    error: () =>
      t(/* where a role holds: not both */ 'field.grantPlace', 'An assessment or a category'),
  });
const Grants = z.array(Grant).max(200, {
  error: () =>
    t('field.roles', '{max, plural, one {At most # role} other {At most # roles}}', { max: 200 }),
});

export const AdminName = z
  .string()
  .trim()
  .max(200, atMostCharacters(200))
  .refine(isVisible, { error: notVisible });

export const Admin = z.object({
  id: z.string(),
  email: z.string(),
  /** Empty: none given. */
  name: z.string(),
  /**
   * The grants that the reader may see: those for everything, and those for objects on which the reader may
   * give roles.
   */
  grants: z.array(Grant),
  /**
   * Facts of the account, up to `hasTotp`: only for readers who may give roles on everything, and for
   * oneself.
   */
  createdAt: Instant.optional(),
  lastSignInAt: Instant.nullable().optional(),
  /** Two-step sign-in is on. */
  hasTotp: z.boolean().optional(),
});
export type Admin = z.infer<typeof Admin>;

export const AdminBody = z
  .object({
    email: EmailAddress,
    name: AdminName.optional(),
    /** Absent, with roles: they get an email with a link to set one. */
    password: NewPassword.optional(),
    /** Absent: an owner of everything. Someone who is an administrator already gets these in addition. */
    grants: Grants.optional(),
  })
  .refine(({ password, grants }) => password !== undefined || grants !== undefined, {
    path: ['password'],
    ...ENTER_PASSWORD,
  });

export const listAdmins = endpoint('GET /api/admins', ['anywhere: team.edit'], {
  summary: 'All administrators, oldest first',
  responses: { 200: z.array(Admin) },
});

export const createAdmin = endpoint('POST /api/admins', ['anywhere: team.edit'], {
  freshPassword: true,
  audit: ['admin.added', 'admin.roles_changed'],
  summary:
    'Add an administrator, with a password or by an email in which they set one; or give one more roles',
  body: AdminBody,
  responses: { 201: Admin },
  errors: [
    'ADMIN_EXISTS',
    'LOOKS_LIKE_CODE',
    'GUESSABLE_PASSWORD',
    'SMTP_NOT_CONFIGURED',
    'NOT_FOUND',
  ],
});

export const setGrants = endpoint('PUT /api/admins/:id/grants', ['anywhere: team.edit'], {
  freshPassword: true,
  audit: 'admin.roles_changed',
  summary:
    'Replace the roles of an administrator on what is yours to give roles on; others stay. One owner of everything always remains',
  /** `before`: as they were read; only what differs from it is given and taken. */
  body: z.object({ grants: Grants, before: Grants.optional() }),
  responses: { 200: Admin },
  errors: ['LAST_OWNER'],
});

export const setOwnName = endpoint('PUT /api/admins/me/name', ['self'], {
  audit: 'admin.renamed',
  summary: 'Change your own name, which colleagues see beside your address',
  body: z.object({ name: AdminName }),
  responses: { 200: Admin },
});

/** A sign-in of an administrator that has not ended. */
export const OwnSession = z.object({
  id: z.string(),
  signedInAt: Instant,
  lastSeenAt: Instant,
  /** The one that asks. */
  isThis: z.boolean(),
});
export type OwnSession = z.infer<typeof OwnSession>;

export const listOwnSessions = endpoint('GET /api/admins/me/sessions', ['self'], {
  summary: 'Where you are signed in, latest first',
  responses: { 200: z.array(OwnSession) },
});

export const endOwnSession = endpoint('DELETE /api/admins/me/sessions/:id', ['self'], {
  audit: 'admin.session_ended',
  summary: 'End one of your sessions',
  responses: { 204: null },
});

export const deleteAdmin = endpoint('DELETE /api/admins/:id', ['installation: team.edit'], {
  freshPassword: true,
  audit: 'admin.deleted',
  summary:
    'Delete an administrator and end their sessions; refused for the last one and for yourself',
  responses: { 204: null },
  errors: ['OWN_ACCOUNT', 'LAST_ADMIN'],
});

const ENTER_CURRENT = { error: () => t('field.currentPassword', 'Enter your current password') };

export const changeOwnPassword = endpoint('PUT /api/admins/me/password', ['self'], {
  audit: 'admin.password_changed',
  summary: 'Change your own password; your other sessions end',
  body: z.object({
    currentPassword: z.string(ENTER_CURRENT).min(1, ENTER_CURRENT),
    newPassword: NewPassword,
  }),
  responses: { 200: Admin },
  errors: ['WRONG_PASSWORD', 'LOOKS_LIKE_CODE', 'GUESSABLE_PASSWORD', 'THROTTLED'],
});
