import { scorePaper } from '@invigil/core/domain/scoring';
import type { Tx } from '../../db/database.ts';
import { listAnswersOf } from '../answers/queries.ts';
import { listPaperKeys } from './queries.ts';

/** What the stored answers of an attempt come to. */
export interface AttemptScore {
  score: number;
  answeredCount: number;
}

/** Reads papers and stored answers of attempts; the function then scores each of them. */
export async function scoreAttempts(tx: Tx, ids: string[]): Promise<(id: string) => AttemptScore> {
  const keys = Map.groupBy(await listPaperKeys(tx, ids), (k) => k.participantId);
  const answers = Map.groupBy(await listAnswersOf(tx, ids), (a) => a.participantId);
  return (id) => {
    const given = answers.get(id) ?? [];
    return {
      score: scorePaper(keys.get(id) ?? [], given).score,
      answeredCount: given.filter((a) => a.optionId !== null).length,
    };
  };
}
