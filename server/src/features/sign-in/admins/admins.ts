import { randomBytes } from 'node:crypto';
import type { Admin, createAdmin } from '@invigil/core/contract/accounts/admins';
import type { ParsedBodyOf } from '@invigil/core/contract/definition/endpoint';
import { SESSION_LIMITS } from '@invigil/core/domain/limits';
import { isCodeShaped } from '@invigil/core/domain/one-time-code';
import { type Grant, isOwner, OWNER } from '@invigil/core/domain/rights';
import type { BaseContext } from '../../../app-context.ts';
import type { Database, Queryable, Tx } from '../../../db/database.ts';
import {
  countAdmins,
  deleteAdmin,
  deletePasswordReset,
  findAdmin,
  insertAdmin,
  listPasswordResets,
  lockAdmins,
  type NewAdmin,
  putPasswordReset,
  setPasswordHash,
} from '../../../db/queries/admins.ts';
import { listReviewedBy } from '../../../db/queries/attempts/changes.ts';
import { findAdminByEmail } from '../../../db/queries/codes.ts';
import { deletePendingSignIns } from '../../../db/queries/pending-sign-ins.ts';
import { endOtherAdminSessions } from '../../../db/queries/session-changes.ts';
import { type AdminSession, DAY_MS } from '../../../db/queries/sessions.ts';
import { findSmtpSettings } from '../../../db/queries/smtp-settings.ts';
import { lockAdmin } from '../../../db/queries/two-step.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { passwordChanged } from '../../../deliveries/mails/password-changed.ts';
import { resetLink } from '../../../deliveries/mails/reset-link.ts';
import { setUpLink } from '../../../deliveries/mails/set-up-link.ts';
import { type NewMessage, queueMail, toAdmin } from '../../../deliveries/queue-mail.ts';
import type { Handlers } from '../../../http/endpoints.ts';
import { AppError, StartProblem } from '../../../runtime/app-error.ts';
import type { ServiceClock } from '../../../runtime/clock.ts';
import type { Config } from '../../../runtime/config.ts';
import type { Keys } from '../../../security/keys.ts';
import { isCommon, isGuessable } from '../../../security/secrets/guessable-password.ts';
import { hashPassword } from '../../../security/secrets/passwords.ts';
import { hashSessionToken, newSessionToken } from '../../../security/secrets/tokens.ts';
import { type Command, commandOf, SYSTEM } from '../../../sessions/command.ts';
import { guardOf } from '../../../sessions/session-reader.ts';
import { readInstitution, type ShownInstitution } from '../../../trust/institution.ts';
import { ADMINS, changeSealed, RESULTS } from '../../../trust/sealed-kinds.ts';
import { findGenuineAdmin, newAdmin, requirePassword } from '../check-password.ts';
import { changeGrants, givenRoles, type TeamMember } from './team.ts';

/**
 * Refuses a password that sign-in would take for a one-time code (product 5), and one that is common,
 * leaked or derived from known data. Throws LOOKS_LIKE_CODE, GUESSABLE_PASSWORD.
 *
 * @param path of the field, for the message
 */
export async function requireGoodPassword(
  { config }: Pick<BaseContext, 'config'>,
  email: string,
  password: string,
  path: string,
): Promise<void> {
  if (isCodeShaped(password)) throw AppError.at(path, 'LOOKS_LIKE_CODE');
  if (await isGuessable(password, [email, config.publicUrl])) {
    throw AppError.at(path, 'GUESSABLE_PASSWORD');
  }
}

/**
 * Adds an administrator, who without a password gets a link to set one. An administrator with this address
 * gets the roles in addition.
 *
 * Throws ADMIN_EXISTS, LOOKS_LIKE_CODE, GUESSABLE_PASSWORD, SMTP_NOT_CONFIGURED, NOT_FOUND, FORBIDDEN,
 * NOT_SIGNED_IN.
 */
export async function addAdmin(
  ctx: BaseContext,
  command: Command<'admin.added' | 'admin.roles_changed'>,
  { email, name = '', password, grants }: ParsedBodyOf<typeof createAdmin>,
): Promise<TeamMember> {
  if (password !== undefined) await requireGoodPassword(ctx, email, password, 'password');
  // A random text, which no one knows, stands in for a missing password.
  const passwordHash = await hashPassword(password ?? newSessionToken());
  return command(async (write) => {
    const { tx, actor, now, record, afterCommit } = write;
    const row = newAdmin(ctx.keys, { email, name, passwordHash, grants: grants ? [] : OWNER, now });
    await lockAdmins(tx);
    // Others who set a password can sign in as the person of this address. An owner is required first: a
    // refusal of the address would reveal that it has an account.
    if (!grants || password !== undefined) await requireOwner(tx, ctx, actor.id);
    const isNew = await insertAdmin(tx, row);
    const known = isNew ? undefined : (await findAdminByEmail(tx, email))?.admin;
    const id = known?.id ?? row.id;
    if (!isNew && (!known || !grants || password !== undefined)) {
      throw AppError.at('email', 'ADMIN_EXISTS');
    }
    if (isNew) await record('admin.added', ['admin', id]);
    const member = grants
      ? await changeGrants(ctx, write, id, (own) => [...own, ...grants], { isNew })
      : { ...row, hasTotp: false };
    if (isNew && password === undefined) {
      if (!(await canResetByMail({ db: tx }))) throw new AppError('SMTP_NOT_CONFIGURED');
      const days = SESSION_LIMITS.setUpLinkMs / DAY_MS;
      const institution = await readInstitution(ctx, tx);
      const given = await givenRoles(write, member.grants, institution);
      const link = await makeLink(tx, ctx, row, institution, SESSION_LIMITS.setUpLinkMs, now);
      const params = { ...given, days };
      await queueMail(tx, ctx, link.publicUrl, setUpLink, [{ ...link.message, params }], now);
      afterCommit(() => ctx.wakeMail());
    }
    return member;
  });
}

export function accountHandlers(ctx: BaseContext) {
  return {
    deleteAdmin: ({ params: { id }, command }) =>
      command(async ({ tx, actor, record }) => {
        if (id === actor.id) throw new AppError('OWN_ACCOUNT');
        // The lock keeps two owners from deleting or demoting each other concurrently: one stays an owner.
        await lockAdmins(tx);
        await requireOwner(tx, ctx, actor.id);
        if (!(await findAdmin(tx, id))) throw new AppError('NOT_FOUND');
        if ((await countAdmins(tx)) <= 1) throw new AppError('LAST_ADMIN');
        // Deletes their name on verdicts, too.
        const reviewed = await listReviewedBy(tx, id);
        await changeSealed(tx, ctx.keys.integrity, RESULTS, reviewed, () => deleteAdmin(tx, id));
        await record('admin.deleted', ['admin', id]);
      }),
    /** The other sessions end, including those waiting for a second step. */
    async changeOwnPassword({ body: { currentPassword, newPassword }, session, command, now }) {
      const { adminId, email } = session;
      await requireGoodPassword(ctx, email, newPassword, 'newPassword');
      const admin = await requirePassword(ctx, session, currentPassword, now);
      const passwordHash = await hashPassword(newPassword);
      await command(async ({ tx, record }) => {
        // A concurrent change by another session has ended this one.
        if ((await lockAdmin(tx, adminId))?.passwordHash !== admin.passwordHash) {
          throw AppError.at('currentPassword', 'WRONG_PASSWORD');
        }
        await replacePassword(tx, ctx, adminId, passwordHash, session.id, now);
        await record('admin.password_changed', ['admin', adminId]);
      });
      return await readOwn(ctx, session);
    },
    async getPasswordResetWays() {
      return { byMail: await canResetByMail(ctx) };
    },
  } satisfies Handlers;
}

export async function readOwn(
  { db }: BaseContext,
  { adminId, grants }: AdminSession,
): Promise<Admin> {
  const row = await findAdmin(db, adminId);
  if (!row) throw new AppError('NOT_SIGNED_IN');
  return presentAdmin({ ...row, grants }, true);
}

/** @param isWhole also what is about the account, and not about roles in the reader's reach */
export function presentAdmin(row: TeamMember, isWhole: boolean): Admin {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    grants: [...row.grants],
    ...(isWhole
      ? {
          createdAt: row.createdAt.toISOString(),
          lastSignInAt: row.lastSignInAt?.toISOString() ?? null,
          hasTotp: row.hasTotp,
        }
      : {}),
  };
}

/**
 * Requires an owner while the administrators are locked: someone may have taken the caller's role, or
 * account, since the request was admitted. Throws NOT_SIGNED_IN, FORBIDDEN.
 */
async function requireOwner(tx: Tx, ctx: BaseContext, by: string): Promise<void> {
  const own = (await guardOf(ctx).readAdmins(tx, [by])).get(by);
  if (!own) throw new AppError('NOT_SIGNED_IN');
  if (!isOwner(own.grants)) throw new AppError('FORBIDDEN');
}

/**
 * Sets a password for a locked administrator, and invalidates all access by the old one: sessions except
 * `keep`, sign-ins waiting for a second step, reset links.
 */
async function replacePassword(
  tx: Tx,
  { keys }: Pick<BaseContext, 'keys'>,
  adminId: string,
  passwordHash: string,
  keep: string | null,
  now: Date,
): Promise<void> {
  await changeSealed(tx, keys.integrity, ADMINS, [adminId], () =>
    setPasswordHash(tx, adminId, passwordHash),
  );
  await endOtherAdminSessions(tx, adminId, keep, now);
  await deletePendingSignIns(tx, adminId);
  await deletePasswordReset(tx, adminId);
}

/**
 * Account recovery by the operator, at the machine, for an administrator who forgot the password. The
 * second step stays. Throws NOT_FOUND.
 */
export async function resetPasswordAtMachine(
  ctx: Pick<BaseContext, 'db' | 'keys'>,
  email: string,
  passwordHash: string,
  now: Date,
): Promise<void> {
  const found = await findAdminByEmail(ctx.db, email);
  await commandOf(ctx.db, { actor: SYSTEM, now })(async ({ tx, record }) => {
    const admin = found?.admin;
    if (!admin || !(await lockAdmin(tx, admin.id))) throw new AppError('NOT_FOUND');
    await replacePassword(tx, ctx, admin.id, passwordHash, null, now);
    await record('admin.password_reset', ['admin', admin.id]);
  });
}

const DEFAULT_EMAIL = 'admin@localhost.localdomain';

/**
 * Creates the first administrator in a database without one: from ADMIN_EMAIL and ADMIN_PASSWORD, else
 * with a random password that is returned once, for the terminal. Returns `null` when no password was
 * generated. Two processes starting together create one. Throws StartProblem for a common ADMIN_PASSWORD.
 */
export async function ensureFirstAdmin(deps: {
  db: Database;
  clock: ServiceClock;
  config: Pick<Config, 'adminEmail' | 'adminPassword'>;
  keys: Keys;
}): Promise<{ email: string; password: string } | null> {
  if ((await countAdmins(deps.db)) > 0) return null;
  const email = deps.config.adminEmail ?? DEFAULT_EMAIL;
  const password = deps.config.adminPassword ?? randomBytes(15).toString('base64url');
  if (await isCommon(password)) {
    throw new StartProblem('ADMIN_PASSWORD is a common or leaked password. Use a different one.');
  }
  const passwordHash = await hashPassword(password);
  const made = await inTransaction(deps.db, async (tx) => {
    await lockAdmins(tx);
    if ((await countAdmins(tx)) > 0) return false;
    await insertAdmin(tx, newAdmin(deps.keys, { email, passwordHash, now: deps.clock.now() }));
    return true;
  });
  return made && deps.config.adminPassword === null ? { email, password } : null;
}

const MINUTE_MS = 60_000;

/** Whether a reset link can be sent. */
export async function canResetByMail({ db }: { db: Queryable }): Promise<boolean> {
  return (await findSmtpSettings(db))?.isActive === true;
}

/** Sends an administrator with this address, if there is one, a link to set a new password. */
export async function sendLink(ctx: BaseContext, email: string, now: Date): Promise<void> {
  const found = (await findAdminByEmail(ctx.db, email))?.admin;
  if (!found) return;
  await commandOf(ctx.db, { actor: SYSTEM, now })(async ({ tx, record, afterCommit }) => {
    if (!(await lockAdmin(tx, found.id))) return;
    // The link would go to an attacker if the address was changed in the database.
    const admin = await findGenuineAdmin(ctx, tx, found.id);
    if (!admin) return;
    await record('admin.reset_requested', ['admin', admin.id]);
    const minutes = SESSION_LIMITS.resetLinkMs / MINUTE_MS;
    const institution = await readInstitution(ctx, tx);
    const link = await makeLink(tx, ctx, admin, institution, SESSION_LIMITS.resetLinkMs, now);
    const params = { publicUrl: link.publicUrl, minutes };
    await queueMail(tx, ctx, link.publicUrl, resetLink, [{ ...link.message, params }], now);
    afterCommit(() => ctx.wakeMail());
  });
}

/** A link for an administrator to set a password, which replaces an earlier one, and where its message goes. */
async function makeLink(
  tx: Tx,
  ctx: BaseContext,
  admin: Pick<NewAdmin, 'id' | 'email' | 'language'>,
  institution: ShownInstitution,
  validMs: number,
  now: Date,
): Promise<{
  publicUrl: string;
  message: Pick<NewMessage<unknown>, 'recipient' | 'language' | 'secret'>;
}> {
  const token = newSessionToken();
  const of = { adminId: admin.id, expiresAt: new Date(now.getTime() + validMs) };
  await putPasswordReset(tx, { ...of, tokenHash: hashToken(ctx, of, token) });
  const { publicUrl } = institution;
  // Behind a #, so that no server or proxy logs it.
  const secret = `${publicUrl}/reset-password#${token}`;
  return { publicUrl, message: { ...toAdmin(admin, institution), secret } };
}

/**
 * Sets a new password with the token of a link. All sessions end; sign-in still requires the second step.
 * The account's owner is notified by email.
 *
 * @returns `opens`: for a first password, the page of the portal where someone with these roles begins
 *
 * Throws RESET_LINK_EXPIRED, LOOKS_LIKE_CODE, GUESSABLE_PASSWORD, UNAVAILABLE.
 */
export async function setResetPassword(
  ctx: BaseContext,
  token: string,
  password: string,
  now: Date,
): Promise<{ email: string; opens?: string }> {
  const { id: adminId, email, grants } = await findReset(ctx, ctx.db, token, now);
  await requireGoodPassword(ctx, email, password, 'newPassword');
  const passwordHash = await hashPassword(password);
  return commandOf(ctx.db, { actor: SYSTEM, now })(async ({ tx, record, afterCommit }) => {
    // Checked again under the lock: of two concurrent uses, one succeeds.
    await lockAdmin(tx, adminId);
    const before = await findAdmin(tx, adminId);
    await findReset(ctx, tx, token, now);
    await replacePassword(tx, ctx, adminId, passwordHash, null, now);
    await record('admin.password_reset', ['admin', adminId], { by: 'mail' });
    const institution = await readInstitution(ctx, tx);
    const { publicUrl } = institution;
    const to = toAdmin({ email, language: before?.language ?? null }, institution);
    const message = { ...to, params: { publicUrl } };
    await queueMail(tx, ctx, publicUrl, passwordChanged, [message], now);
    afterCommit(() => ctx.wakeMail());
    return { email, ...(before?.lastSignInAt === null ? { opens: pageOf(grants) } : {}) };
  });
}

const pageOf = ([first, ...others]: readonly Grant[]) =>
  first?.quizId && others.every(({ quizId }) => quizId === first.quizId)
    ? `/admin/quizzes/${first.quizId}`
    : '/admin';

/**
 * The administrator of the valid link with a token, not changed outside of Invigil. Throws
 * RESET_LINK_EXPIRED.
 */
async function findReset(ctx: BaseContext, db: Queryable, token: string, now: Date) {
  const links = await listPasswordResets(db, now);
  const link = links.find((one) => one.tokenHash.equals(hashToken(ctx, one, token)));
  const admin = link && (await findGenuineAdmin(ctx, db, link.adminId));
  if (!admin) throw new AppError('RESET_LINK_EXPIRED');
  return admin;
}

/** The hash covers one administrator and one expiry: neither can be changed in the database. */
const hashToken = (
  { keys }: Pick<BaseContext, 'keys'>,
  { adminId, expiresAt }: { adminId: string; expiresAt: Date },
  token: string,
) => hashSessionToken(keys.sessions, `reset/${adminId}/${expiresAt.toISOString()}/${token}`);
