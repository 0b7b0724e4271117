import { isDeepStrictEqual } from 'node:util';
import { type Grant, permitAllOf } from '@invigil/core/domain/rights';
import type { BaseContext } from '../app-context.ts';
import { Batches } from '../db/batches.ts';
import { inBatch, type Queryable } from '../db/database.ts';
import { isDatabaseAway, timeoutOf } from '../db/database-away.ts';
import { keepAdminSessions } from '../db/queries/session-changes.ts';
import {
  type AdminRows,
  type AdminSession,
  type AdminSessionRow,
  findActingAdmin,
  findSessions,
  type ParticipantSession,
  type Session,
  type SessionGuard,
  type SignedInAdmin,
} from '../db/queries/sessions.ts';
import { AppError } from '../runtime/app-error.ts';
import { keepNewest } from '../runtime/keep-newest.ts';
import type { Keys } from '../security/keys.ts';
import { adminFields, sessionFields } from '../trust/sealed-fields.ts';
import { ADMINS, isWhole, SESSIONS, sealOf } from '../trust/sealed-kinds.ts';
import { listAdminsToSeal } from '../trust/sealed-queries.ts';
import { isTotpRequired } from './sign-in-policy.ts';

interface Asked {
  tokenHash: Buffer;
  now: Date;
}

const MAX_BATCH = 500;
/** The request itself must still be completed within its promised time. */
const TIMEOUT = timeoutOf(4_000, 'a session was not found in time');

/**
 * Looks up the current sessions, many at once: many candidates begin and submit in the same minute, and
 * after a restart ten thousand pages send sessions that this process does not know, within the ten
 * seconds between two heartbeats. One by one they would occupy every connection of the pool for longer
 * than anyone waits.
 */
export class SessionReader {
  readonly #batches: Batches<Asked, Session | undefined>;

  constructor(ctx: Pick<BaseContext, 'db' | 'keys' | 'trust'>) {
    const guard = guardOf(ctx);
    this.#batches = new Batches<Asked, Session | undefined>({
      keyOf: ({ tokenHash }) => tokenHash.toString('base64'),
      most: MAX_BATCH,
      isForAll: isDatabaseAway,
      timeout: TIMEOUT,
      // The latest moment of them all, so that none that has expired is accepted.
      run: (asked) =>
        inBatch(ctx.db, (tx) =>
          findSessions(
            tx,
            asked.map(({ tokenHash }) => tokenHash),
            new Date(Math.max(...asked.map(({ now }) => now.getTime()))),
            guard,
          ),
        ),
    });
  }

  find(tokenHash: Buffer, now: Date): Promise<Session | undefined> {
    return this.#batches.add({ tokenHash, now });
  }
}

const MAX_CACHED = 20_000;

/**
 * Facts of candidates' sessions that never change while the session lives; the oldest entry is evicted
 * first. Not an authority: users must check the session where they write. Keyed by the token itself,
 * which every request brings into memory anyway: hashing it costs more than the rest of the lookup.
 */
export class SessionCache {
  readonly #entries = new Map<string, ParticipantSession>();

  find(token: string, now: Date): ParticipantSession | undefined {
    const session = this.#entries.get(token);
    return session && session.expiresAt.getTime() > now.getTime() ? session : undefined;
  }

  keep(token: string, session: ParticipantSession): void {
    keepNewest(this.#entries, token, session, MAX_CACHED);
  }
}

/** Binds a session to its administrator. */
export function adminOwner(
  keys: Pick<Keys, 'integrity'>,
  row: Omit<AdminSessionRow, 'seal'> & { adminId: string },
): { adminId: string; seal: Buffer } {
  const seal = sealOf(keys.integrity, SESSIONS, row.id, sessionFields(row));
  return { adminId: row.adminId, seal };
}

/** A row that we did not write is no session: a candidate's row could be turned into another's. */
export function guardOf(ctx: Pick<BaseContext, 'keys' | 'trust'>): SessionGuard {
  const adminOf = ({ admin, totp }: AdminRows): SignedInAdmin | undefined => {
    const { id, email, name, language, grants, seal } = admin;
    const row = { id, fields: adminFields(admin, totp), seal };
    if (isWhole(ctx.keys.integrity, ADMINS, row)) {
      return { email, name, language, grants, hasTotp: totp?.confirmedAt != null };
    }
    ctx.trust.reportBroken('administrator', id);
    return undefined;
  };
  return {
    isGenuine(row) {
      const { id, seal } = row;
      if (isWhole(ctx.keys.integrity, SESSIONS, { id, fields: sessionFields(row), seal }))
        return true;
      ctx.trust.reportBroken('session', id);
      return false;
    },
    adminOf,
    async readAdmins(db, ids) {
      const rows = ids.length === 0 ? [] : await listAdminsToSeal(db, { ids });
      const genuine = rows.flatMap((row) => {
        const admin = adminOf(row);
        return admin ? [[row.admin.id, admin] as const] : [];
      });
      return new Map(genuine);
    },
    isTotpRequired: (db) => isTotpRequired(ctx, db),
  };
}

/** The grants of an administrator at this moment; none for an account that is gone. */
export async function readGrants(
  db: Queryable,
  ctx: Pick<BaseContext, 'keys' | 'trust'>,
  adminId: string,
): Promise<readonly Grant[]> {
  return (await guardOf(ctx).readAdmins(db, [adminId])).get(adminId)?.grants ?? [];
}

/**
 * Refuses to go on where the administrator's session under which a request is handled has ended since, or
 * lost any of the permissions with which it was admitted. Throws NOT_SIGNED_IN, FORBIDDEN.
 */
export type RequireActing = (db: Queryable, at: Date) => Promise<void>;

/**
 * Asks again for a session, as often as what it was admitted to goes on: a transaction that records it, a
 * portion of a file.
 *
 * @param isByPermission the call needs a permission, and not only an administrator
 */
export function requireActingOf(
  ctx: Pick<BaseContext, 'keys' | 'trust'>,
  { id, grants }: Pick<AdminSession, 'id' | 'grants'>,
  isByPermission: boolean,
): RequireActing {
  const { adminOf } = guardOf(ctx);
  return async (db, now) => {
    const rows = await findActingAdmin(db, id, now);
    const admin = rows && adminOf(rows);
    if (!admin) throw new AppError('NOT_SIGNED_IN');
    const isSame = isDeepStrictEqual(admin.grants, grants);
    if (isByPermission && !isSame && !permitAllOf(admin.grants, grants))
      throw new AppError('FORBIDDEN');
  };
}

/** The grants of administrators whose sessions are live, by the session; counts as activity. */
export async function readLiveGrants(
  ctx: Pick<BaseContext, 'db' | 'keys' | 'trust'>,
  ids: readonly string[],
  now: Date,
): Promise<Map<string, readonly Grant[]>> {
  const { adminOf } = guardOf(ctx);
  const sessions = await keepAdminSessions(ctx.db, ids, now);
  return new Map(
    [...sessions].flatMap(([id, rows]) => {
      const admin = adminOf(rows);
      return admin ? [[id, admin.grants] as const] : [];
    }),
  );
}
