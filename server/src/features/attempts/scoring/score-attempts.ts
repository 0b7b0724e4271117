import { scorePaper } from '@invigil/core/domain/questions/scoring';
import type { Tx } from '../../../db/database.ts';
import { listAnswersOf, type StoredChoice } from '../../../db/queries/attempts/answers.ts';
import { listPaperKeys, type PaperKey } from '../../../db/queries/attempts/paper-keys.ts';

/** The score of an attempt's stored answers, and the answers. */
export interface AttemptScore {
  score: number;
  answeredCount: number;
  keys: readonly PaperKey[];
  answers: readonly StoredChoice[];
}

/** Reads papers and stored answers of attempts; the returned function scores each of them. */
export async function scoreAttempts(tx: Tx, ids: string[]): Promise<(id: string) => AttemptScore> {
  const keysOf = Map.groupBy(await listPaperKeys(tx, ids), (k) => k.participantId);
  const answersOf = Map.groupBy(await listAnswersOf(tx, ids), (a) => a.participantId);
  return (id) => {
    const keys = keysOf.get(id) ?? [];
    const answers = answersOf.get(id) ?? [];
    return {
      score: scorePaper(keys, answers).score,
      answeredCount: answers.filter((a) => a.optionId !== null).length,
      keys,
      answers,
    };
  };
}
