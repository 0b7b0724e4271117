import type { AppContext } from '../app-context.ts';
import { lockUntilCommit } from '../db/advisory-locks.ts';
import { inTransaction, type Tx } from '../db/database.ts';
import { recordAudit } from '../sessions/record-audit.ts';
import { openProgress, putProgress, readProgress } from '../trust/seal-progress.ts';
import {
  ADMINS,
  EVIDENCE,
  isWhole,
  POLICY,
  RESULTS,
  type SealedKind,
  type SealedRow,
  sealRows,
  VERSIONS,
  walkRows,
} from '../trust/sealed-kinds.ts';
import {
  deleteAdminSessions,
  dissolveChain,
  findTrustState,
  hasTrustState,
  insertDefaultPolicy,
  isUnused,
  lockRows,
  lockTrustState,
} from '../trust/sealed-queries.ts';
import { isUpgradeMarked, markUpgrade, type Stage, unmarkUpgrade } from '../trust/trust-file.ts';

type Ctx = Pick<AppContext, 'db' | 'keys' | 'log' | 'trust'> & { config: { dataDir: string } };

/** Rows of an earlier version that are sealed in one transaction. */
const AT_A_TIME = 200;

/**
 * Call it before the schema is migrated: records beside the data that this start introduces the seals, so
 * that an interrupted one continues, and no later one accepts rows without a seal as earlier ones.
 */
export async function expectFirstSeals({
  db,
  trust,
  config,
}: Pick<Ctx, 'db' | 'trust' | 'config'>): Promise<void> {
  if (trust.read() === 'none' && !(await hasTrustState(db))) markUpgrade(config.dataDir);
}

/**
 * Seals the credentials of an earlier version, once per installation: in the start whose migration
 * introduced the seals. Results and evidence follow (`sealEarlierRows`). After that, rows without a seal
 * are forged and not sealed.
 */
export async function sealInstallation(ctx: Ctx, now: Date): Promise<void> {
  const { db, keys, log, trust, config } = ctx;
  await inTransaction(db, async (tx, afterCommit) => {
    await lockUntilCommit(tx, 'sealing');
    const row = await findTrustState(tx);
    const progress = row ? openProgress(keys.integrity, row) : null;
    const isFirst = row === undefined && (isUpgradeMarked(config.dataDir) || (await isUnused(tx)));
    if (isFirst && !trust.knowsSeals) {
      await sealCredentials(tx, ctx, now);
      await sealQuestions(tx, ctx);
      await putProgress(tx, keys.integrity, { stage: 'results', after: null });
    } else if (progress === null) {
      log.error(
        'trust alarm: the database does not say that its rows are sealed; run npm run verify',
      );
      return;
    }
    afterCommit(() => {
      trust.keepStage(progress?.stage ?? 'results');
      unmarkUpgrade(config.dataDir);
    });
  });
  // Before anyone is served: nothing is scored with a question that only waits for its seal.
  if ((await readProgress(ctx, db)).stage === 'all') await sealNext(ctx);
}

/**
 * Seals the questions of an earlier version, and adds the negative marks to the seals of results that
 * match without them.
 */
async function sealQuestions(tx: Tx, { keys }: Pick<Ctx, 'keys'>): Promise<void> {
  const key = keys.integrity;
  for await (const rows of walkRows(tx, VERSIONS)) {
    await sealRows(
      tx,
      key,
      VERSIONS,
      rows.filter(({ seal }) => seal === null),
    );
  }
  for await (const rows of walkRows(tx, RESULTS)) {
    const earlier = rows.map((row) => ({ ...row, fields: row.fields.slice(0, -1) }));
    const ids = new Set(earlier.filter((row) => isWhole(key, RESULTS, row)).map(({ id }) => id));
    await sealRows(
      tx,
      key,
      RESULTS,
      rows.filter(({ id }) => ids.has(id)),
    );
  }
}

async function sealCredentials(tx: Tx, { keys }: Pick<Ctx, 'keys'>, now: Date): Promise<void> {
  await insertDefaultPolicy(tx, now);
  for (const kind of [ADMINS, POLICY]) {
    for await (const rows of walkRows(tx, kind)) await sealRows(tx, keys.integrity, kind, rows);
  }
  await deleteAdminSessions(tx);
}

/**
 * Seals the results and the evidence of an earlier version in portions, by id. The progress is stored in
 * the same transactions, so it continues after a crash, and a row before that point is never sealed
 * again. Returns whether all is done.
 */
export async function sealEarlierRows(ctx: Omit<Ctx, 'config'>, signal?: AbortSignal) {
  while (!signal?.aborted) {
    if (await sealNext(ctx)) return true;
  }
  return false;
}

function sealNext(ctx: Omit<Ctx, 'config'>): Promise<boolean> {
  return inTransaction(ctx.db, async (tx, afterCommit) => {
    await lockTrustState(tx);
    const { stage, after } = await readProgress(ctx, tx);
    if (stage === 'questions') return true;
    if (stage === 'all') {
      await sealQuestions(tx, ctx);
      await putProgress(tx, ctx.keys.integrity, { stage: 'questions', after: null });
      afterCommit(() => ctx.trust.keepStage('questions'));
      return true;
    }
    const kind = stage === 'results' ? RESULTS : EVIDENCE;
    const rows = await kind.list(tx, { after, limit: AT_A_TIME });
    await sealBare(tx, ctx, kind, rows);
    const last = rows.at(-1)?.id ?? null;
    const isOver = rows.length < AT_A_TIME;
    const next: Stage = !isOver ? stage : stage === 'results' ? 'evidence' : 'all';
    await putProgress(tx, ctx.keys.integrity, { stage: next, after: isOver ? null : last });
    afterCommit(() => ctx.trust.keepStage(next));
    return false;
  });
}

/** Read again once they are locked: a verdict may have been recorded since. */
async function sealBare(
  tx: Tx,
  { keys }: Pick<Ctx, 'keys'>,
  kind: SealedKind,
  rows: readonly SealedRow[],
): Promise<void> {
  const ids = rows.filter(({ seal }) => seal === null).map(({ id }) => id);
  if (ids.length === 0) return;
  await lockRows(tx, kind.place, ids);
  const held = await kind.list(tx, { ids });
  await sealRows(
    tx,
    keys.integrity,
    kind,
    held.filter(({ seal }) => seal === null),
  );
}

/**
 * Accepts everything as genuine as it is now: for an operator who has investigated an alarm, or who knows
 * its cause. The findings are audited. A broken chain is rebuilt. All administrators are signed out. No
 * process may be serving.
 */
export async function acceptAsIs(
  { db, keys }: Pick<Ctx, 'db' | 'keys'>,
  findings: { chainProblem: string | null; rows: readonly string[] },
  now: Date,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockUntilCommit(tx, 'sealing');
    await sealCredentials(tx, { keys }, now);
    for (const kind of [RESULTS, EVIDENCE, VERSIONS]) {
      for await (const rows of walkRows(tx, kind)) await sealRows(tx, keys.integrity, kind, rows);
    }
    await putProgress(tx, keys.integrity, { stage: 'questions', after: null });
    const { chainProblem, rows } = findings;
    if (chainProblem !== null) await dissolveChain(tx);
    await recordAudit(tx, {
      adminId: null,
      action: 'trust.accepted',
      details: { chain: chainProblem, findings: rows.length, first: rows.slice(0, 100) },
      at: now,
    });
  });
}
