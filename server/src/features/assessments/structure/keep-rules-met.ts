import { isDeepStrictEqual } from 'node:util';
import { qualifies } from '@invigil/core/domain/questions/draw-by-rules';
import type { QuizStructure } from '@invigil/core/domain/questions/quiz-structure';
import { lockUntilCommit } from '../../../db/advisory-locks.ts';
import type { Tx } from '../../../db/database.ts';
import {
  listPool,
  listPooled,
  listStructures,
  type PooledQuestion,
  type SomeQuestions,
  withContent,
} from '../../../db/queries/question-pool.ts';
import { AppError } from '../../../runtime/app-error.ts';
import { checkPool } from './structure.ts';

/**
 * Makes a change of some questions, unless an assessment that could draw its papers before could not
 * afterwards: at nine o'clock it would be too late to notice. One that could not before refuses nothing,
 * so that a bank can be repaired step by step. Call it before anything else is locked. Throws RULES_UNMET.
 *
 * Such changes wait for one another, and for new structures: of two that run at the same time, each would
 * count the question that the other takes away, and both would leave too few.
 */
export async function keepingRulesMet<T>(
  tx: Tx,
  which: SomeQuestions,
  change: () => Promise<T>,
): Promise<T> {
  await lockUntilCommit(tx, 'questionPool');
  const before = await listPooled(tx, which);
  const result = await change();
  const ids = before.map(({ questionId }) => questionId);
  const after = new Map((await listPooled(tx, { ids })).map((q) => [q.questionId, q]));
  const changed = before.filter((q) => !isDeepStrictEqual(q, after.get(q.questionId)));
  if (changed.length > 0) await requireRulesMet(tx, changed, after);
  return result;
}

async function requireRulesMet(
  tx: Tx,
  changed: readonly PooledQuestion[],
  after: ReadonlyMap<string, PooledQuestion>,
): Promise<void> {
  const isChanged = new Set(changed.map(({ questionId }) => questionId));
  for (const { id, title, structure } of await listStructures(tx)) {
    const loses = (q: PooledQuestion) => canLose(structure, id, q, after.get(q.questionId));
    if (!changed.some(loses)) continue;
    const pool = await listPool(tx, id, structure);
    const [problem] = checkPool(structure, pool).problems;
    if (!problem) continue;
    const others = pool.filter(({ questionId }) => !isChanged.has(questionId));
    const former = [...others, ...changed.filter((q) => placesOf(structure, id, q).length > 0)];
    if (checkPool(structure, await withContent(tx, former)).problems.length > 0) continue;
    const message = `“${title}” could no longer draw its papers: ${problem.message}`;
    throw new AppError('RULES_UNMET', { message });
  }
}

/** Whether a place that a question could fill before may be without it now. */
function canLose(
  structure: QuizStructure,
  quizId: string,
  before: PooledQuestion,
  after: PooledQuestion | undefined,
): boolean {
  // With another content it may be equal to one that is there already.
  const isKept = after?.version === before.version;
  const still = new Set(isKept ? placesOf(structure, quizId, after) : []);
  return placesOf(structure, quizId, before).some((place) => !still.has(place));
}

/** The entries of a structure that a question can be drawn for, as `listPool` reads them. */
function placesOf({ sections }: QuizStructure, quizId: string, question: PooledQuestion) {
  const isOpen = question.quizId === null || question.quizId === quizId;
  return sections
    .flatMap(({ items }) => items)
    .filter((item) =>
      'questionId' in item
        ? item.questionId === question.questionId
        : isOpen && qualifies(question, item.from),
    );
}
