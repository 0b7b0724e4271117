import { isBlank } from '@invigil/core/domain/questions/given-answer';
import {
  doesCountRight,
  maxPointsOf,
  type PaperScore,
  scorePaper,
} from '@invigil/core/domain/questions/scoring';
import type { ScoredSection } from '@invigil/core/domain/results/outcome';
import type { BaseContext } from '../../app-context.ts';
import type { Tx } from '../../db/database.ts';
import { listAnswersOf, type StoredAnswer } from '../../db/queries/attempts/answers.ts';
import type { Row } from '../../db/queries/attempts/attempts.ts';
import type { StoredScore } from '../../db/queries/attempts/ends.ts';
import { listPaperKeys, type PaperKey } from '../../db/queries/attempts/paper-keys.ts';
import { isWhole, VERSIONS, versionRow } from '../../trust/sealed-kinds.ts';

/** An attempt for scoring, without its paper and answers. */
type Scored = Pick<Row, 'id' | 'maxPoints' | 'countsRight' | 'negativeMarks' | 'sections'>;

/** The score of an attempt's stored answers, and the answers. */
interface AttemptScore extends StoredScore {
  answeredCount: number;
  keys: readonly PaperKey[];
  answers: readonly StoredAnswer[];
}

/**
 * Reads papers and stored answers of attempts; the returned function scores each of them. A question that
 * was changed outside of Invigil is reported, and scored as it is: the result counts as broken until an
 * administrator has decided.
 */
export async function scoreAttempts(
  tx: Tx,
  { keys: { integrity }, trust }: Pick<BaseContext, 'keys' | 'trust'>,
  attempts: readonly Scored[],
): Promise<(id: string) => AttemptScore> {
  const ids = attempts.map(({ id }) => id);
  const attemptOf = new Map(attempts.map((attempt) => [attempt.id, attempt]));
  const allKeys = await listPaperKeys(tx, ids);
  const versions = new Map(allKeys.map(versionRow).map((version) => [version.id, version]));
  for (const version of versions.values()) {
    if (!isWhole(integrity, VERSIONS, version)) trust.reportBroken('question', version.id);
  }
  const keysOf = Map.groupBy(allKeys, (k) => k.participantId);
  const answersOf = Map.groupBy(await listAnswersOf(tx, ids), (a) => a.participantId);
  return (id) => {
    const attempt = attemptOf.get(id);
    const keys = keysOf.get(id) ?? [];
    const answers = answersOf.get(id) ?? [];
    const hasPoints = attempt !== undefined && countsPoints(attempt, keys);
    const countsRight = !hasPoints || doesCountRight(attempt);
    const scoreOf = (part: readonly PaperKey[]) =>
      scorePaper(part, answers, attempt?.negativeMarks ?? null, countsRight);
    const { score, points, maxPoints } = scoreOf(keys);
    return {
      score,
      points: hasPoints ? points : null,
      maxPoints: hasPoints ? maxPoints : null,
      countsRight: hasPoints && countsRight ? true : null,
      sections: attempt?.sections ? scoreSections(attempt.sections, keys, scoreOf) : null,
      answeredCount: answers.filter((answer) => !isBlank(answer)).length,
      keys,
      answers,
    };
  };
}

/** The points of each section: like the whole an exact sum, rounded once, and never less than 0. */
function scoreSections(
  sections: readonly ScoredSection[],
  keys: readonly PaperKey[],
  scoreOf: (part: readonly PaperKey[]) => PaperScore,
): ScoredSection[] {
  return sections.map((section, i) => {
    const end = sections[i + 1]?.first ?? Number.POSITIVE_INFINITY;
    const own = keys.filter(({ position }) => position >= section.first && position < end);
    const { points, maxPoints } = scoreOf(own);
    return { ...section, points, maxPoints };
  });
}

/**
 * An attempt counts points if it has before and its questions still give some. One with a question left out
 * always does, because leaving it out lowers their maximum.
 */
function countsPoints(attempt: Scored, keys: readonly PaperKey[]): boolean {
  if (keys.some(({ correction }) => correction?.kind === 'left_out')) return true;
  const points = keys.map(({ details }) => details?.points ?? null);
  return !doesCountRight(attempt) && maxPointsOf(points, attempt.negativeMarks) !== null;
}
