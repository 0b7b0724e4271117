import { randomBytes } from 'node:crypto';
import { drawPaper, type PaperPosition } from '@invigil/core/domain/questions/draw';
import {
  drawByPlan,
  type PaperSection,
  planDraw,
} from '@invigil/core/domain/questions/draw-by-rules';
import { drawableOf } from '@invigil/core/domain/questions/question-versions';
import { maxPointsOf } from '@invigil/core/domain/questions/scoring';
import type { Queryable } from '../../../db/database.ts';
import { listPool } from '../../../db/queries/question-pool.ts';
import { listQuestions } from '../../../db/queries/questions.ts';
import type { QuizRow } from '../../../db/queries/quizzes.ts';

/** A paper, and what an attempt stores about it. */
export interface DrawnPaper {
  paper: PaperPosition[];
  /** null without sections */
  sections: PaperSection[] | null;
  /** Ten-thousandths of a point; null where questions have no points of their own. */
  maxPoints: number | null;
}

/**
 * Reads what papers of an assessment are drawn from; the returned function draws one, at random unless
 * it gets a seed. `null` when there is no question to draw.
 */
export async function openDraw(
  db: Queryable,
  quiz: Pick<QuizRow, 'id' | 'structure' | 'negativeMarks' | 'totalQuestions'>,
): Promise<((seed?: string) => DrawnPaper) | null> {
  const { structure, negativeMarks } = quiz;
  const newSeed = () => randomBytes(16).toString('hex');
  if (structure) {
    const pool = await listPool(db, quiz.id, structure);
    // It has nothing but questions with a place and those that a rule can draw.
    if (pool.length === 0) return null;
    const plan = planDraw(structure, pool);
    const pointsOf = new Map(pool.map(({ questionId, points }) => [questionId, points]));
    return (seed = newSeed()) => finish(drawByPlan(plan, seed), pointsOf);
  }
  const versions = (await listQuestions(db, quiz.id)).map(({ version }) => version);
  const drawable = versions.flatMap((version) => drawableOf(version) ?? []);
  const pointsOf = new Map(versions.map((v) => [v.questionId, v.details?.points ?? null]));
  if (drawable.length === 0) return null;
  return (seed = newSeed()) => {
    const paper = drawPaper(drawable, quiz.totalQuestions, seed);
    return finish({ paper, sections: null }, pointsOf);
  };

  function finish(
    drawn: Omit<DrawnPaper, 'maxPoints'>,
    points: ReadonlyMap<string, number | null>,
  ): DrawnPaper {
    const own = drawn.paper.map(({ questionId }) => points.get(questionId) ?? null);
    return { ...drawn, maxPoints: maxPointsOf(own, negativeMarks) };
  }
}
