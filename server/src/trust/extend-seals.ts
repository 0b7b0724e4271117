import type { KeyObject } from 'node:crypto';
import { stableJson } from '@invigil/core/domain/questions/question-versions';
import { OWNER } from '@invigil/core/domain/rights';
import type { Logger } from 'pino';
import type { AppContext } from '../app-context.ts';
import { lockUntilCommit } from '../db/advisory-locks.ts';
import { insideOf, type Queryable, type Tx } from '../db/database.ts';
import { insertAudit } from '../db/queries/audit.ts';
import { inTransaction } from '../db/transaction.ts';
import { boundContext, seal, unsealOrNull } from '../security/sealing.ts';
import { MAIL_SERVER, ROW_KINDS } from './row-kinds.ts';
import { sealAudit, verifyAudit } from './seal-audit.ts';
import { ADMINS, isWhole, sealRows, walkRows } from './sealed-kinds.ts';
import { listMailPasswords, listSealedSince, setMailPassword } from './sealed-queries.ts';

type Ctx = Pick<AppContext, 'db' | 'keys' | 'trust'>;

/**
 * Seals the rows of kinds that a former version did not seal, as they are, and records it in the audit log:
 * each kind once. From then on a row without a seal was written by something else, and no start seals it. The
 * entry cannot be removed to have it done again: nothing is sealed while the chain of the log is not whole.
 * Called by every start.
 */
export async function extendSeals(ctx: Ctx & { log: Logger }, now: Date): Promise<void> {
  const sealed = await inTransaction(ctx.db, async (tx) => {
    await lockUntilCommit(tx, 'sealing');
    return sealNewKinds(tx, ctx, now);
  });
  ctx.trust.isUnsealed = sealed === 'refused';
  if (sealed === 'refused') {
    ctx.log.error('rows of a former version are not sealed: the audit log is not intact');
  } else if (sealed !== null) {
    // The entry goes into the chain before anything else can happen.
    await sealAudit(ctx);
    ctx.log.info({ rows: sealed }, 'rows of a former version were sealed');
  }
}

/** Returns how many rows were sealed; null where no kind is new. The caller holds the lock of sealing. */
export async function sealNewKinds(
  tx: Tx,
  { keys, trust }: Pick<Ctx, 'keys' | 'trust'>,
  now: Date,
): Promise<number | 'refused' | null> {
  await sealOwners(tx, keys.integrity);
  const recorded = await listRecorded(tx);
  const missing = ROW_KINDS.filter(({ name }) => !recorded.has(name));
  if (missing.length === 0) return null;
  const { problem } = await verifyAudit({ db: insideOf(tx), keys, trust });
  if (problem !== null) return 'refused';
  let rows = 0;
  if (missing.includes(MAIL_SERVER)) await bindMailPassword(tx, keys.sealing);
  for (const kind of missing) {
    for await (const some of walkRows(tx, kind)) {
      await sealRows(tx, keys.integrity, kind, some);
      rows += some.length;
    }
  }
  const kinds = missing.map(({ name }) => name);
  await insertAudit(tx, now, null, 'trust.extended', null, { kinds, rows });
  return rows;
}

/** The kinds that the audit log says were sealed as they are, by an upgrade or by an operator. */
export async function listRecorded(db: Queryable): Promise<Set<string>> {
  return new Set((await listSealedSince(db)).flatMap(({ kinds }) => kinds ?? []));
}

/** The names of all kinds, for entries that record their sealing. */
export const recordedKinds = (): string[] => ROW_KINDS.map(({ name }) => name);

/**
 * A former version stored no grants for owners of everything, and sealed none. Only who matches that seal was
 * one, so this needs no record of being done.
 */
async function sealOwners(tx: Tx, key: KeyObject): Promise<void> {
  const owner = stableJson(OWNER);
  for await (const rows of walkRows(tx, ADMINS)) {
    const former = rows.filter(
      (row) =>
        row.fields.at(-1) === owner &&
        isWhole(key, ADMINS, { ...row, fields: row.fields.slice(0, -1) }),
    );
    await sealRows(tx, key, ADMINS, former);
  }
}

/** A former version bound the password to its row alone, not to the server, account and sender. */
export async function bindMailPassword(tx: Tx, key: Buffer): Promise<void> {
  for (const { id, host, port, username, fromEmail, sealedPassword } of await listMailPasswords(
    tx,
  )) {
    const password = unsealOrNull(key, sealedPassword, `smtp_settings/${id}`);
    if (password === null) continue;
    const bound = boundContext('smtp_settings', id, [host, String(port), username, fromEmail]);
    await setMailPassword(tx, id, seal(key, password, bound));
  }
}
