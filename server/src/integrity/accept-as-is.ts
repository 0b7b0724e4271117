import type { AppContext } from '../app-context.ts';
import { lockUntilCommit } from '../db/advisory-locks.ts';
import { inTransaction } from '../db/database.ts';
import { recordAudit } from '../sessions/record-audit.ts';
import {
  ADMINS,
  EVIDENCE,
  POLICY,
  RESULTS,
  sealRows,
  VERSIONS,
  walkRows,
} from '../trust/sealed-kinds.ts';
import {
  deleteAdminSessions,
  dissolveChain,
  insertDefaultPolicy,
} from '../trust/sealed-queries.ts';

/**
 * Accepts everything as genuine as it is now: for an operator who has investigated an alarm, or who knows
 * its cause. The findings are audited. A broken chain is rebuilt. All administrators are signed out. No
 * process may be serving.
 */
export async function acceptAsIs(
  { db, keys }: Pick<AppContext, 'db' | 'keys'>,
  findings: { chainProblem: string | null; rows: readonly string[] },
  now: Date,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockUntilCommit(tx, 'sealing');
    await insertDefaultPolicy(tx, now);
    await deleteAdminSessions(tx);
    for (const kind of [ADMINS, POLICY, RESULTS, EVIDENCE, VERSIONS]) {
      for await (const rows of walkRows(tx, kind)) await sealRows(tx, keys.integrity, kind, rows);
    }
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
