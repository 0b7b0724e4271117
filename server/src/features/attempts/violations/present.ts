import type { EvidenceSummary } from '@invigil/core/contract/attempts/evidence-views';
import { Violation } from '@invigil/core/contract/attempts/violation-views';
import { levelOf } from '@invigil/core/domain/violations/violation-types';
import { notesText } from '@invigil/core/texts/flag-notes';
import type { EvidenceRow } from '../../../db/queries/attempts/evidence.ts';
import type { ViolationRow } from '../../../db/queries/attempts/violations.ts';

const Type = Violation.shape.type;

export function presentType(row: Pick<ViolationRow, 'type'>) {
  return Type.parse(row.type);
}

/** A violation as a reviewer sees it, with its evidence. */
export function presentViolation(row: ViolationRow, evidence: readonly EvidenceRow[]): Violation {
  const type = presentType(row);
  return {
    id: row.id,
    type,
    at: row.at.toISOString(),
    receivedAt: row.receivedAt.toISOString(),
    counted: row.counted,
    level: levelOf(type, row.durationMs),
    notes: row.notes && notesText(row.notes),
    durationMs: row.durationMs,
    engine: row.engine,
    candidateNote: row.candidateNote,
    evidence: evidence.filter((e) => e.violationId === row.id).map(presentEvidenceSummary),
  };
}

export function presentEvidenceSummary(row: EvidenceRow): EvidenceSummary {
  return {
    id: row.id,
    at: row.at.toISOString(),
    receivedAt: row.receivedAt.toISOString(),
    stills: row.stills,
    hasLevels: row.hasLevels,
    bytes: row.bytes,
  };
}
