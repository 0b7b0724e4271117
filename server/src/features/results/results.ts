import { userNameOf } from '@invigil/core/domain/people';
import { pointsOf } from '@invigil/core/domain/questions/scoring';
import {
  figuresOf,
  type Outcome,
  outcomeOf,
  pointsIn,
  type ResultRules,
  type ScoredSection,
} from '@invigil/core/domain/results/outcome';
import type { Reach } from '@invigil/core/domain/rights';
import type { BaseContext } from '../../app-context.ts';
import { inSnapshot, type Tx } from '../../db/database.ts';
import { portionsOf } from '../../db/portions.ts';
import { setScores } from '../../db/queries/attempts/ends.ts';
import { lockQuizOfResults, type QuizView, updateQuiz } from '../../db/queries/quizzes.ts';
import type { Handlers } from '../../http/endpoints.ts';
import { AppError } from '../../runtime/app-error.ts';
import { inTurns, nextTurn } from '../../runtime/turns.ts';
import type { Write } from '../../sessions/command.ts';
import { requireQuiz } from '../../sessions/guards.ts';
import { ASSESSMENTS } from '../../trust/row-kinds.ts';
import { changeSealed, RESULTS } from '../../trust/sealed-kinds.ts';
import { scoreAttempts } from '../attempts/score-attempts.ts';
import {
  listPaperSections,
  listResults,
  listUnscoredSections,
  lockUnscoredSections,
} from './queries.ts';

/** Changes that a dry run names; their number is exact. */
const MOST_CHANGES = 200;

/** Throws NOT_FOUND. */
async function readResults({ db }: Pick<BaseContext, 'db'>, sees: Reach, quizId: string) {
  const quiz = await requireQuiz(db, quizId);
  const attempts = await listResults(db, sees, quizId);
  const most = new Set(attempts.map((attempt) => pointsIn(attempt).maxPoints));
  const [maxPoints = null] = most;
  return {
    rules: quiz.resultRules,
    sections: quiz.structure?.sections.map(({ title }) => title) ?? [],
    maxPoints: most.size === 1 && maxPoints !== null ? pointsOf(maxPoints) : null,
    figures: figuresOf(attempts, quiz.resultRules),
  };
}

/** The attempts whose outcome other rules would change. Throws NOT_FOUND. */
async function tryRules(
  ctx: Scoring & Pick<BaseContext, 'db'>,
  sees: Reach,
  quizId: string,
  rules: ResultRules | null,
) {
  const { attempts, former } = await inSnapshot(ctx.db, async (tx) => ({
    former: (await requireQuiz(tx, quizId)).resultRules,
    attempts: await listScored(tx, ctx, sees, quizId, rules),
  }));
  return { applied: false, ...(await compareOutcomes(attempts, former, rules)) };
}

/** Sets what decides who passes. Throws NOT_FOUND, STALE, RULES_UNMET. */
export async function changeRules(
  ctx: Scoring,
  { tx, actor, now, requireRead, record }: Write<'quiz.results_set'>,
  quizId: string,
  rules: ResultRules | null,
) {
  const quiz = await lockQuizOfResults(tx, quizId, 'update');
  if (!quiz) throw new AppError('NOT_FOUND');
  requireRead(quiz.resultRules);
  if (rules) await requireSections(tx, quiz, rules);
  if (hasSectionMarks(rules)) await scoreSections(tx, ctx, quizId);
  const attempts = await listResults(tx, actor.sees, quizId);
  const compared = await compareOutcomes(attempts, quiz.resultRules, rules);
  await changeSealed(tx, ctx.keys.integrity, ASSESSMENTS, [quizId], () =>
    updateQuiz(tx, quizId, { resultRules: rules, updatedAt: now }),
  );
  await record('quiz.results_set', ['quiz', quizId], { rules, changed: compared.changed });
  return { applied: true, ...compared };
}

/**
 * A minimum applies to the sections of its title: one that neither the assessment nor any paper has would let
 * everyone pass without it. Throws RULES_UNMET.
 */
async function requireSections(
  tx: Tx,
  { id, structure }: Pick<QuizView, 'id' | 'structure'>,
  { sectionMarks }: ResultRules,
): Promise<void> {
  if (sectionMarks.length === 0) return;
  const known = new Set([
    ...(structure?.sections ?? []).map(({ title }) => title),
    ...(await listPaperSections(tx, id)),
  ]);
  const issues = sectionMarks.flatMap(({ title }, i) =>
    known.has(title)
      ? []
      : {
          path: `rules.sectionMarks.${i}.title`,
          message: `No section is called “${title}”. Remove its minimum, or look at the titles again`,
        },
  );
  const [first] = issues;
  if (first) throw new AppError('RULES_UNMET', { message: first.message, issues });
}

type Result = Awaited<ReturnType<typeof listResults>>[number];

/** The attempts whose outcome changes with the rules, and the figures before and after. */
async function compareOutcomes(
  attempts: readonly Result[],
  former: ResultRules | null,
  rules: ResultRules | null,
) {
  const before: (Outcome | null)[] = [];
  const after: (Outcome | null)[] = [];
  const changes = [];
  let changed = 0;
  for await (const attempt of inTurns(attempts)) {
    const [one, other] = [outcomeOf(attempt, former), outcomeOf(attempt, rules)];
    before.push(one);
    after.push(other);
    if (isSame(one, other)) continue;
    changed += 1;
    if (changed > MOST_CHANGES) continue;
    const { id, userId, userEmail } = attempt;
    const who = { participantId: id, userId, userEmail, ...userNameOf(attempt) };
    changes.push({ ...who, before: one, after: other });
  }
  const figuresBefore = figuresOf(attempts, former, before);
  await nextTurn();
  return { before: figuresBefore, after: figuresOf(attempts, rules, after), changed, changes };
}

const isSame = (one: Outcome | null, other: Outcome | null) =>
  (one?.result ?? null) === (other?.result ?? null) &&
  (one?.grade ?? null) === (other?.grade ?? null);

type Scoring = Pick<BaseContext, 'keys' | 'trust'>;

const hasSectionMarks = (rules: ResultRules | null) => (rules?.sectionMarks.length ?? 0) > 0;

/** Results as `scoreSections` would leave them where the rules ask for sections; writes nothing. */
async function listScored(
  tx: Tx,
  ctx: Scoring,
  sees: Reach,
  quizId: string,
  rules: ResultRules | null,
) {
  const attempts = await listResults(tx, sees, quizId);
  if (!hasSectionMarks(rules)) return attempts;
  const sectionsOf = new Map<string, ScoredSection[] | null>();
  for await (const { id, sections } of scored(tx, ctx, await listUnscoredSections(tx, quizId))) {
    sectionsOf.set(id, sections);
  }
  return attempts.map((attempt) => ({
    ...attempt,
    sections: sectionsOf.get(attempt.id) ?? attempt.sections,
  }));
}

/** Attempts that ended before sections had points of their own get them now. */
async function scoreSections(tx: Tx, ctx: Scoring, quizId: string): Promise<void> {
  const attempts = await lockUnscoredSections(tx, quizId);
  const ids = attempts.map(({ id }) => id);
  await changeSealed(tx, ctx.keys.integrity, RESULTS, ids, async () => {
    const scores = [];
    for await (const score of scored(tx, ctx, attempts)) scores.push(score);
    await setScores(tx, scores);
  });
}

/** Attempts whose papers and answers are read together. */
const SCORED_AT_ONCE = 100;

async function* scored(
  tx: Tx,
  ctx: Scoring,
  attempts: Awaited<ReturnType<typeof listUnscoredSections>>,
) {
  for (const portion of portionsOf(attempts, SCORED_AT_ONCE)) {
    const scoreOf = await scoreAttempts(tx, ctx, portion);
    for await (const { id, score, points, maxPoints } of inTurns(portion)) {
      yield { id, score: score ?? 0, points, maxPoints, sections: scoreOf(id).sections };
    }
  }
}

export function resultHandlers(ctx: BaseContext) {
  return {
    getQuizResults: ({ params, sees }) => readResults(ctx, sees, params.id),
    setResultRules: ({ params, body: { rules, dryRun }, sees, command }) =>
      dryRun
        ? tryRules(ctx, sees, params.id, rules)
        : command((write) => changeRules(ctx, write, params.id, rules)),
  } satisfies Handlers;
}
