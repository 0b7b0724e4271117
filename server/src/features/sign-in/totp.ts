import { TOTP_LIMITS } from '@invigil/core/domain/limits';
import { groupCode, isCodeShaped } from '@invigil/core/domain/one-time-code';
import type { BaseContext } from '../../app-context.ts';
import { lockUntilCommit } from '../../db/advisory-locks.ts';
import type { Tx } from '../../db/database.ts';
import { findAdminByEmail } from '../../db/queries/codes.ts';
import { deletePendingSignIns } from '../../db/queries/pending-sign-ins.ts';
import { endOtherAdminSessions } from '../../db/queries/session-changes.ts';
import type { AdminSession } from '../../db/queries/sessions.ts';
import { clearFailures } from '../../db/queries/throttle.ts';
import {
  consumeRecoveryCode,
  consumeStep,
  countRecoveryCodes,
  deleteTotp,
  findTotp,
  lockAdmin,
  putUnconfirmedTotp,
  replaceRecoveryCodes,
  setTotpConfirmed,
  type TotpRow,
} from '../../db/queries/two-step.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Handlers } from '../../http/endpoints.ts';
import { AppError } from '../../runtime/app-error.ts';
import { seal, unsealOrNull } from '../../security/sealing.ts';
import { hashOneTimeCode, newOneTimeCode } from '../../security/secrets/codes.ts';
import { newTotpSecret, stepOfCode, totpUri } from '../../security/secrets/totp.ts';
import { accountThrottleKey } from '../../security/throttle-key.ts';
import { type Actor, type Command, commandOf, SYSTEM, type Write } from '../../sessions/command.ts';
import { requireLive } from '../../sessions/guards.ts';
import { isTotpRequired, setTotpRequired } from '../../sessions/sign-in-policy.ts';
import { ADMINS, changeSealed } from '../../trust/sealed-kinds.ts';
import { requirePassword, requireReservedTry } from './check-password.ts';

export function totpHandlers(ctx: BaseContext) {
  return {
    async getTotp({ session }) {
      return {
        enabled: (await findTotp(ctx.db, session.adminId))?.confirmedAt != null,
        recoveryCodesLeft: await countRecoveryCodes(ctx.db, session.adminId),
        required: await isTotpRequired(ctx, ctx.db),
      };
    },
    /** It is not required until a first code confirms it, so an abandoned setup has no effect. */
    async beginTotp({ body, session, now }) {
      const { adminId } = session;
      await requirePassword(ctx, session, body.currentPassword, now);
      const secret = newTotpSecret();
      await inTransaction(ctx.db, async (tx) => {
        await requireHeld(tx, session, now);
        if ((await findTotp(tx, adminId))?.confirmedAt) throw new AppError('TOTP_ON');
        // Readable only with a key outside the database, and only in its row.
        const sealed = seal(ctx.keys.sealing, secret, contextOf(adminId));
        await putUnconfirmedTotp(tx, adminId, sealed, now);
      });
      return { secret, uri: totpUri(secret, session.email) };
    },
    async confirmTotp({ body, session, command, now }) {
      return { recoveryCodes: await confirmTotp(ctx, command, session, body.code, now) };
    },
    async renewRecoveryCodes({ body, session, command, now }) {
      await requireBothSteps(ctx, session, body, now);
      const recoveryCodes = await command(async ({ tx, actor, record }) => {
        await requireOn(tx, actor.id);
        await requireLive(tx, session.id, now);
        await record('admin.recovery_codes_renewed', ['admin', actor.id]);
        return putNewRecoveryCodes(tx, ctx, actor.id);
      });
      return { recoveryCodes };
    },
    async switchOffTotp({ body, session, command, now }) {
      await requireBothSteps(ctx, session, body, now);
      await command(async ({ tx, actor, record }) => {
        await removeTotp(tx, ctx, actor.id);
        await requireLive(tx, session.id, now);
        await endOtherAdminSessions(tx, actor.id, session.id, now);
        await record('admin.totp_disabled', ['admin', actor.id]);
      });
    },
    resetTotp: ({ params, command }) => command((write) => resetTotp(ctx, write, params.id)),
    async getSignInPolicy() {
      return { totpRequired: await isTotpRequired(ctx, ctx.db) };
    },
    /** Administrators without a second step must set it up from the next request on. */
    putSignInPolicy: ({ body: { totpRequired }, command }) =>
      command(async ({ tx, actor, now, record, requireRead }) => {
        await lockUntilCommit(tx, 'settings');
        requireRead({ totpRequired: await isTotpRequired(ctx, tx) }, { totpRequired });
        if (totpRequired && !(await findTotp(tx, actor.id))?.confirmedAt) {
          throw new AppError('TOTP_FIRST');
        }
        await setTotpRequired(tx, ctx, totpRequired, now);
        await record('sign_in_policy.changed', null, { totpRequired });
        return { totpRequired };
      }),
  } satisfies Handlers;
}

/**
 * Turns on your own second step with a first code. The other sessions, opened without one, end. Returns
 * the recovery codes, which are never shown again.
 *
 * Throws TOTP_OFF when no setup was begun, TOTP_ON, TOTP_UNREADABLE, WRONG_CODE, THROTTLED.
 */
async function confirmTotp(
  ctx: BaseContext,
  command: Command<'admin.totp_enabled'>,
  session: AdminSession,
  code: string,
  now: Date,
): Promise<string[]> {
  const { adminId } = session;
  const key = accountThrottleKey(ctx.keys.throttle, adminId);
  await requireReservedTry(ctx.db, key, now, TOTP_LIMITS.throttleMaxSeconds);
  const codes = await command(async ({ tx, record }) => {
    await requireHeld(tx, session, now);
    const totp = await findTotp(tx, adminId);
    if (!totp) throw new AppError('TOTP_OFF');
    if (totp.confirmedAt) throw new AppError('TOTP_ON');
    const step = stepOfCode(openTotpSecret(ctx, totp), code, now);
    if (step === null) throw AppError.at('code', 'WRONG_CODE');
    await changeSealed(tx, ctx.keys.integrity, ADMINS, [adminId], () =>
      setTotpConfirmed(tx, adminId, step, now),
    );
    await endOtherAdminSessions(tx, adminId, session.id, now);
    await deletePendingSignIns(tx, adminId);
    await record('admin.totp_enabled', ['admin', adminId]);
    return putNewRecoveryCodes(tx, ctx, adminId);
  });
  await clearFailures(ctx.db, key);
  return codes;
}

/** Creates ten recovery codes; earlier ones become void. */
async function putNewRecoveryCodes(tx: Tx, ctx: BaseContext, adminId: string): Promise<string[]> {
  const codes = Array.from({ length: TOTP_LIMITS.recoveryCodes }, newOneTimeCode);
  const hashes = codes.map((code) => hashOneTimeCode(ctx.keys.recovery, code));
  await replaceRecoveryCodes(tx, adminId, hashes);
  return codes.map(groupCode);
}

/** A concurrent password change may have ended this session while it waited for the lock. */
async function requireHeld(tx: Tx, session: AdminSession, now: Date): Promise<void> {
  if (!(await lockAdmin(tx, session.adminId))) throw new AppError('NOT_SIGNED_IN');
  await requireLive(tx, session.id, now);
}

/**
 * Removes the second step of another administrator, who lost it, and ends their sessions. Throws
 * TOTP_OWN, NOT_FOUND, TOTP_OFF, NOT_SIGNED_IN.
 */
async function resetTotp(
  ctx: BaseContext,
  write: Write<'admin.totp_reset'>,
  adminId: string,
): Promise<void> {
  const { tx, actor } = write;
  if (adminId === actor.id) throw new AppError('TOTP_OWN');
  // Rows are locked in a fixed order: two administrators who reset each other would deadlock.
  for (const id of [actor.id, adminId].sort()) {
    if (!(await lockAdmin(tx, id))) {
      throw new AppError(id === adminId ? 'NOT_FOUND' : 'NOT_SIGNED_IN');
    }
  }
  await takeSecondStep(ctx, write, adminId);
}

/**
 * Account recovery by the operator, at the machine, when no other administrator can help. Throws
 * NOT_FOUND, TOTP_OFF.
 */
export async function resetTotpAtMachine(
  ctx: Pick<BaseContext, 'db' | 'keys'>,
  email: string,
  now: Date,
): Promise<void> {
  const admin = (await findAdminByEmail(ctx.db, email))?.admin;
  if (!admin) throw new AppError('NOT_FOUND');
  const command = commandOf(ctx.db, { actor: SYSTEM, now });
  await command((write) => takeSecondStep(ctx, write, admin.id));
}

async function takeSecondStep(
  ctx: Pick<BaseContext, 'keys'>,
  { tx, now, record }: Write<'admin.totp_reset', Actor>,
  adminId: string,
): Promise<void> {
  await removeTotp(tx, ctx, adminId);
  await endOtherAdminSessions(tx, adminId, null, now);
  await record('admin.totp_reset', ['admin', adminId]);
}

/**
 * Requires both steps again: access to an open page must not suffice. Throws TOTP_OFF, WRONG_PASSWORD,
 * WRONG_CODE, THROTTLED.
 */
async function requireBothSteps(
  ctx: BaseContext,
  session: AdminSession,
  { currentPassword, code }: { currentPassword: string; code: string },
  now: Date,
): Promise<void> {
  if (!(await findTotp(ctx.db, session.adminId))?.confirmedAt) throw new AppError('TOTP_OFF');
  await requirePassword(ctx, session, currentPassword, now);
  await requireCode(ctx, session.adminId, code, now);
}

async function removeTotp(tx: Tx, { keys }: Pick<BaseContext, 'keys'>, adminId: string) {
  await requireOn(tx, adminId);
  await changeSealed(tx, keys.integrity, ADMINS, [adminId], () => deleteTotp(tx, adminId));
  await deletePendingSignIns(tx, adminId);
}

async function requireOn(tx: Tx, adminId: string): Promise<void> {
  await lockAdmin(tx, adminId);
  if (!(await findTotp(tx, adminId))?.confirmedAt) throw new AppError('TOTP_OFF');
}

/** Throws TOTP_UNREADABLE when it was sealed with another SECRET_KEY; sign-in is then impossible. */
function openTotpSecret(ctx: BaseContext, { adminId, sealedSecret }: TotpRow): string {
  const secret = unsealOrNull(ctx.keys.sealing, sealedSecret, contextOf(adminId));
  if (secret !== null) return secret;
  ctx.log.error({ admin: adminId }, 'a two-step secret cannot be opened with this SECRET_KEY');
  throw new AppError('TOTP_UNREADABLE');
}

const contextOf = (adminId: string) => `admin_totp/${adminId}`;

/** The kind of code that was accepted as the second step. */
export type SecondStepKind = 'app' | 'recovery_code';

/**
 * Verifies the code of an administrator's second step and uses it up. A recovery code is checked before
 * the throttle: it has 75 random bits, and someone who knows the password and guesses codes must not lock
 * the owner out.
 *
 * Throws WRONG_CODE, TOTP_UNREADABLE, THROTTLED.
 */
export async function requireCode(
  ctx: BaseContext,
  adminId: string,
  typed: string,
  now: Date,
): Promise<SecondStepKind> {
  const key = accountThrottleKey(ctx.keys.throttle, adminId);
  if (isCodeShaped(typed)) {
    if (await consumeRecoveryCode(ctx.db, adminId, hashOneTimeCode(ctx.keys.recovery, typed))) {
      await clearFailures(ctx.db, key);
      return 'recovery_code';
    }
  }
  const totp = await findTotp(ctx.db, adminId);
  // Before the throttle: while no code can be verified, none counts as wrong.
  const secret = totp?.confirmedAt ? openTotpSecret(ctx, totp) : null;
  await requireReservedTry(ctx.db, key, now, TOTP_LIMITS.throttleMaxSeconds);
  const step = secret === null ? null : stepOfCode(secret, typed, now);
  if (step === null || !(await consumeStep(ctx.db, adminId, step))) {
    throw AppError.at('code', 'WRONG_CODE');
  }
  await clearFailures(ctx.db, key);
  return 'app';
}
