import type {
  Evidence,
  readEvidence as endpoint,
  OpenedEvidence,
} from '@invigil/core/contract/attempts/evidence-views';
import type { ParsedQueryOf } from '@invigil/core/contract/definition/endpoint';
import { EVIDENCE_LIMITS } from '@invigil/core/domain/limits';
import type { BaseContext, FileContext } from '../../../app-context.ts';
import {
  type EvidenceRow,
  findEvidenceKey,
  holdEvidenceKey,
  listEvidence,
} from '../../../db/queries/attempts/evidence.ts';
import { AppError } from '../../../runtime/app-error.ts';
import { unseal } from '../../../security/sealing.ts';
import type { Command } from '../../../sessions/command.ts';
import { fileContext, openEvidenceKey, parseEvidenceFile } from '../../../trust/evidence-file.ts';

type Wanted = ParsedQueryOf<typeof endpoint>;

/**
 * Opens the evidence of a violation, or the periodic stills, for an administrator, up to the limit of one
 * view. The view is audited before anything is shown, as one entry that counts each kind. Throws
 * NOT_FOUND, EVIDENCE_GONE.
 */
export async function readEvidence(
  ctx: FileContext,
  command: Command<'evidence.viewed'>,
  { participantId, violationId, after }: Wanted,
): Promise<OpenedEvidence> {
  const all = (await listEvidence(ctx.db, participantId)).filter(
    (row) => row.violationId === (violationId ?? null),
  );
  const from = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1;
  const isUnknown = after !== undefined && from === 0;
  const view = isUnknown ? [] : oneView(all.slice(from));
  const last = view.at(-1);
  if (last === undefined) throw new AppError('NOT_FOUND');
  const key = await findKey(ctx, participantId);
  if (key === null) throw new AppError('EVIDENCE_GONE');
  const evidence: Evidence[] = [];
  for (const row of view) {
    const opened = await open(ctx, key, row);
    if (opened) evidence.push(opened);
  }
  if (evidence.length === 0) throw new AppError('EVIDENCE_GONE');
  await command(async ({ tx, record }) => {
    // Deleted since it was read: it is not shown, and no view follows the deletion in the log.
    if (!(await holdEvidenceKey(tx, participantId))) throw new AppError('EVIDENCE_GONE');
    await record('evidence.viewed', ['participant', participantId], {
      ...(violationId ? { kind: 'violation', violation: violationId } : { kind: 'in_between' }),
      uploads: evidence.length,
      stills: evidence.reduce((sum, { stills }) => sum + stills.length, 0),
    });
  });
  return {
    evidence,
    unreadable: view.length - evidence.length,
    next: all.at(-1) === last ? null : last.id,
  };
}

/**
 * All evidence of an attempt that can still be opened, one upload at a time to bound memory. For a
 * person's own copy; the caller writes the audit entry first.
 */
export async function* openAllEvidence(
  ctx: FileContext,
  participantId: string,
): AsyncGenerator<Evidence> {
  const key = await findKey(ctx, participantId);
  if (key === null) return;
  for (const row of await listEvidence(ctx.db, participantId)) {
    const opened = await open(ctx, key, row);
    if (opened) yield opened;
  }
}

async function findKey(ctx: BaseContext, participantId: string): Promise<Buffer | null> {
  const row = await findEvidenceKey(ctx.db, participantId);
  return row ? openEvidenceKey(ctx, row) : null;
}

/** The first rows, as many as fit, and at least one. */
function oneView(rows: readonly EvidenceRow[]): EvidenceRow[] {
  let bytes = 0;
  return rows.filter((row, i) => {
    bytes += row.bytes;
    return i === 0 || bytes <= EVIDENCE_LIMITS.readBytes;
  });
}

async function open(ctx: FileContext, key: Buffer, row: EvidenceRow): Promise<Evidence | null> {
  const { id, participantId, violationId, at } = row;
  const sealed = await ctx.storage.get(participantId, id);
  if (sealed === undefined) return null;
  try {
    const file = parseEvidenceFile(unseal(key, sealed, fileContext(participantId, id)));
    return { id, participantId, violationId, at: at.toISOString(), ...file };
  } catch (error) {
    ctx.log.warn({ err: error, evidence: id }, 'evidence cannot be opened');
    return null;
  }
}
