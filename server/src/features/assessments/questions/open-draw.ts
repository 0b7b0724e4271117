import { randomBytes } from 'node:crypto';
import { drawPaper, type PaperPosition } from '@invigil/core/domain/questions/draw';
import {
  type DrawPlan,
  drawByPlan,
  type PaperSection,
  planDraw,
} from '@invigil/core/domain/questions/draw-by-rules';
import { drawableOf } from '@invigil/core/domain/questions/question-versions';
import type { QuizStructure } from '@invigil/core/domain/questions/quiz-structure';
import { maxPointsOf } from '@invigil/core/domain/questions/scoring';
import type { Queryable } from '../../../db/database.ts';
import { listPool, poolFingerprint } from '../../../db/queries/question-pool.ts';
import { listQuestions } from '../../../db/queries/questions.ts';
import type { QuizRow } from '../../../db/queries/quizzes.ts';
import { keepNewest } from '../../../runtime/keep-newest.ts';

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
    const { plan, pointsOf } = await planFor(db, quiz.id, structure);
    if (pointsOf.size === 0) return null;
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

interface Planned {
  /** Fingerprint of the pool, and the structure; another one makes the plan stale. */
  from: string;
  plan: DrawPlan;
  /** The points of every question that is on all papers or that a rule can draw. */
  pointsOf: ReadonlyMap<string, number | null>;
}

/** Plans of this process by assessment, the one used longest ago first. */
const plans = new Map<string, Planned>();
/** This number of plans takes some 100 MB with pools of 10,000 questions. */
const MOST_PLANS = 20;

/** Many start in the same minute, from a pool that is read once as long as it stays as it is. */
async function planFor(db: Queryable, quizId: string, structure: QuizStructure): Promise<Planned> {
  // Before the pool: one that changes in between is read again by the next start.
  const fingerprint = await poolFingerprint(db, quizId, structure);
  const from = `${fingerprint} ${JSON.stringify(structure)}`;
  let planned = plans.get(quizId);
  if (planned?.from !== from) {
    const pool = await listPool(db, quizId, structure);
    const pointsOf = new Map(pool.map(({ questionId, points }) => [questionId, points]));
    planned = { from, plan: planDraw(structure, pool), pointsOf };
  }
  keepNewest(plans, quizId, planned, MOST_PLANS);
  return planned;
}
