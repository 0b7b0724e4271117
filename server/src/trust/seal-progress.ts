import type { KeyObject } from 'node:crypto';
import type { AppContext } from '../app-context.ts';
import type { Queryable, Tx } from '../db/database.ts';
import { fitsSeal, sealFields } from '../security/row-seal.ts';
import { EVIDENCE, type SealedKind } from './sealed-kinds.ts';
import { findTrustState, putTrustState, type TrustStateRow } from './sealed-queries.ts';
import { STAGES, type Stage } from './trust-file.ts';

const CONTEXT = 'trust_state/true';

/** How far the rows of an earlier version have been sealed. */
export interface Progress {
  stage: Stage;
  /** The last row of the stage that was sealed. */
  after: string | null;
}

/**
 * The combined knowledge of database and this machine. A database row that is missing, forged or older
 * than what this machine knows sets nothing back: then everything counts as sealed.
 */
export async function readProgress(
  { keys, trust }: Pick<AppContext, 'keys' | 'trust'>,
  db: Queryable,
): Promise<Progress> {
  const row = await findTrustState(db);
  const progress = row ? openProgress(keys.integrity, row) : null;
  const known = trust.read();
  const stage = typeof known === 'string' ? null : known.stage;
  const isBehind = stage !== null && progress !== null && place(stage) > place(progress.stage);
  return progress === null || isBehind ? { stage: 'questions', after: null } : progress;
}

/** `null`: not written by us. */
export function openProgress(key: KeyObject, row: TrustStateRow): Progress | null {
  const stage = STAGES.find((one) => one === row.stage);
  const { after, seal } = row;
  const isGenuine = fitsSeal(key, CONTEXT, [row.stage, after], seal);
  return stage !== undefined && isGenuine ? { stage, after } : null;
}

export async function putProgress(tx: Tx, key: KeyObject, { stage, after }: Progress) {
  await putTrustState(tx, { stage, after, seal: sealFields(key, CONTEXT, [stage, after]) });
}

/** Whether a row from before the first seals was processed: from then on a missing seal is broken. */
export async function isSealedYet(
  ctx: Pick<AppContext, 'keys' | 'trust'>,
  db: Queryable,
  kind: SealedKind,
  id: string,
): Promise<boolean> {
  return hadTurn(await readProgress(ctx, db), kind, id);
}

export function hadTurn({ stage, after }: Progress, kind: SealedKind, id: string): boolean {
  const turn: Stage = kind === EVIDENCE ? 'evidence' : 'results';
  if (stage !== turn) return place(stage) > place(turn);
  return after !== null && id <= after;
}

function place(stage: Stage): number {
  return STAGES.indexOf(stage);
}
