import type { AnswerChange } from './answer-sheet.ts';

const encoder = new TextEncoder();
const ENVELOPE_BYTES = encoder.encode('{"answers":[]}').length;

/** Bytes of a request that carries these changes. */
function requestBytes(changes: readonly AnswerChange[]): number {
  return changes.reduce((sum, change) => sum + rowBytes(change) + 1, ENVELOPE_BYTES - 1);
}

/** A limit that fits half of these changes. */
export function halfBytes(changes: readonly AnswerChange[]): number {
  return ENVELOPE_BYTES + Math.ceil((requestBytes(changes) - ENVELOPE_BYTES) / 2);
}

/** The longest prefix of `changes` that fits both limits; at least one row if there is any. */
export function firstBatch(
  changes: readonly AnswerChange[],
  limit: { bytes: number; rows: number },
): AnswerChange[] {
  const batch: AnswerChange[] = [];
  let bytes = ENVELOPE_BYTES - 1;
  for (const change of changes) {
    bytes += rowBytes(change) + 1;
    if (batch.length > 0 && (bytes > limit.bytes || batch.length >= limit.rows)) break;
    batch.push(change);
  }
  return batch;
}

function rowBytes(change: AnswerChange): number {
  return encoder.encode(JSON.stringify(wireRow(change))).length;
}

/** Only the fields of the contract. */
export function wireRow({ questionId, selectedOption, isFlagged, revision }: AnswerChange) {
  return { questionId, selectedOption, isFlagged, revision };
}
