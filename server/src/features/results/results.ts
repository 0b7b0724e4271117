import { userNameOf } from '@invigil/core/domain/people';
import {
  type NamedSection,
  type QuizStructure,
  sectionIdOf,
} from '@invigil/core/domain/questions/quiz-structure';
import { pointsOf } from '@invigil/core/domain/questions/scoring';
import {
  figuresOf,
  type Outcome,
  outcomeOf,
  pointsIn,
  type ResultFigures,
  type ResultRules,
  type ScoredSection,
} from '@invigil/core/domain/results/outcome';
import type { Reach } from '@invigil/core/domain/rights';
import { t } from '@invigil/core/texts/i18n';
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

/**
 * Throws NOT_FOUND.
 *
 * @param among only these attempts count
 */
export async function readResults(
  { db }: Pick<BaseContext, 'db'>,
  sees: Reach,
  quizId: string,
  among?: ReadonlySet<string>,
) {
  const quiz = await requireQuiz(db, quizId);
  const attempts = (await listResults(db, sees, quizId)).filter(
    ({ id }) => among?.has(id) !== false,
  );
  const most = new Set(attempts.map((attempt) => pointsIn(attempt).maxPoints));
  const [maxPoints = null] = most;
  return {
    rules: rulesNow(quiz),
    sections:
      quiz.structure?.sections.map((one) => ({ id: sectionIdOf(one), title: one.title })) ?? [],
    maxPoints: most.size === 1 && maxPoints !== null ? pointsOf(maxPoints) : null,
    figures: titled(figuresOf(attempts, quiz.resultRules), quiz),
  };
}

type WithSections = Pick<QuizView, 'structure' | 'resultRules'>;

/** Sections and minimums by their ids, under the titles that the sections have now. */
function titledNow<S extends NamedSection>(
  sections: readonly S[],
  structure: QuizStructure | null,
) {
  const titles = new Map(structure?.sections.map((one) => [sectionIdOf(one), one.title]));
  return sections.map((section) => {
    const id = sectionIdOf(section);
    return { ...section, id, title: titles.get(id) ?? section.title };
  });
}

const rulesNow = ({ resultRules, structure }: WithSections): ResultRules | null =>
  resultRules && {
    ...resultRules,
    sectionMarks: titledNow(resultRules.sectionMarks, structure),
  };

const titled = (figures: ResultFigures, { structure }: WithSections): ResultFigures => ({
  ...figures,
  sections: titledNow(figures.sections, structure),
});

/** The attempts whose outcome other rules would change. Throws NOT_FOUND. */
async function tryRules(
  ctx: Scoring & Pick<BaseContext, 'db'>,
  sees: Reach,
  quizId: string,
  rules: ResultRules | null,
) {
  const { quiz, attempts, tried } = await inSnapshot(ctx.db, async (tx) => {
    const quiz = await requireQuiz(tx, quizId);
    const { rules: tried } = await identified(tx, quiz, rules);
    return { quiz, tried, attempts: await listScored(tx, ctx, sees, quizId, tried) };
  });
  return { applied: false, ...(await compareOutcomes(attempts, quiz, tried)) };
}

/** Sets what decides who passes. Throws NOT_FOUND, STALE, RULES_UNMET. */
export async function changeRules(
  ctx: Scoring,
  { tx, actor, now, requireRead, record }: Write<'quiz.results_set'>,
  quizId: string,
  wanted: ResultRules | null,
) {
  const quiz = await lockQuizOfResults(tx, quizId, 'update');
  if (!quiz) throw new AppError('NOT_FOUND');
  requireRead(rulesNow(quiz));
  const { rules, issues } = await identified(tx, quiz, wanted);
  const [first] = issues;
  if (first) throw new AppError('RULES_UNMET', { message: first.message, issues });
  if (hasSectionMarks(rules)) await scoreSections(tx, ctx, quizId);
  const attempts = await listResults(tx, actor.sees, quizId);
  const compared = await compareOutcomes(attempts, quiz, rules);
  await changeSealed(tx, ctx.keys.integrity, ASSESSMENTS, [quizId], () =>
    updateQuiz(tx, quizId, { resultRules: rules, updatedAt: now }),
  );
  await record('quiz.results_set', ['quiz', quizId], { rules, changed: compared.changed });
  return { applied: true, ...compared };
}

/**
 * The rules with the id of the section of each minimum, which programs may name by its title alone. A section
 * that neither the assessment nor any paper has is an issue: everyone would pass without its minimum.
 */
async function identified(
  tx: Tx,
  { id: quizId, structure }: Pick<QuizView, 'id' | 'structure'>,
  rules: ResultRules | null,
) {
  const issues: { path: string; message: string }[] = [];
  if (rules === null || rules.sectionMarks.length === 0) return { rules, issues };
  const known = [...(structure?.sections ?? []), ...(await listPaperSections(tx, quizId))];
  const seen = new Set<string>();
  const sectionMarks = rules.sectionMarks.map((mark, i) => {
    const path = `rules.sectionMarks.${i}.${mark.id === undefined ? 'title' : 'id'}`;
    const section = known.find((one) =>
      mark.id === undefined ? one.title === mark.title : sectionIdOf(one) === mark.id,
    );
    if (section === undefined) {
      const message = t(
        /* {title} is that of a section; “its”: the section’s */ 'server.results.noSection',
        'No section is called “{title}”. Remove its minimum, or look at the titles again',
        { title: mark.title },
      );
      issues.push({ path, message });
      return mark;
    }
    const id = sectionIdOf(section);
    if (seen.has(id)) {
      const message = t('server.results.sectionTwice', 'A section is there twice');
      issues.push({ path, message });
    }
    seen.add(id);
    return { ...mark, id };
  });
  return { rules: { ...rules, sectionMarks }, issues };
}

type Result = Awaited<ReturnType<typeof listResults>>[number];

/** The attempts whose outcome changes with the rules, and the figures before and after. */
async function compareOutcomes(
  attempts: readonly Result[],
  quiz: WithSections,
  rules: ResultRules | null,
) {
  const former = quiz.resultRules;
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
  const figuresBefore = titled(figuresOf(attempts, former, before), quiz);
  await nextTurn();
  const figuresAfter = titled(figuresOf(attempts, rules, after), quiz);
  return { before: figuresBefore, after: figuresAfter, changed, changes };
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
    for await (const { id, score, points, maxPoints, countsRight } of inTurns(portion)) {
      const { sections } = scoreOf(id);
      yield { id, score: score ?? 0, points, maxPoints, countsRight, sections };
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
