import { isDeepStrictEqual } from 'node:util';
import type { checkStructure as checkStructureEndpoint } from '@invigil/core/contract/assessments/structure';
import type { ResponseOf } from '@invigil/core/contract/definition/endpoint';
import { QUIZ_LIMITS } from '@invigil/core/domain/limits';
import { figureText } from '@invigil/core/domain/locale';
import {
  contentOf,
  planDraw,
  qualifies,
  type StructureProblem,
  unmetRules,
} from '@invigil/core/domain/questions/draw-by-rules';
import {
  countOf,
  type QuizStructure,
  sectionIdOf,
  withSectionIds,
} from '@invigil/core/domain/questions/quiz-structure';
import { isWithin, type Reach } from '@invigil/core/domain/rights';
import { t } from '@invigil/core/texts/i18n';
import type { AppContext, BaseContext } from '../../app-context.ts';
import { lockUntilCommit } from '../../db/advisory-locks.ts';
import type { Queryable, Tx } from '../../db/database.ts';
import { newId } from '../../db/new-id.ts';
import {
  listPool,
  listPooled,
  listStructures,
  type PooledQuestion,
  type SomeQuestions,
  withContent,
} from '../../db/queries/question-pool.ts';
import { findQuiz, lockQuiz, type QuizView, updateQuiz } from '../../db/queries/quizzes.ts';
import type { Handlers } from '../../http/endpoints.ts';
import { AppError } from '../../runtime/app-error.ts';
import type { Write } from '../../sessions/command.ts';
import { requireReach, requireUnarchived, requireWithin } from '../../sessions/guards.ts';
import { ASSESSMENTS } from '../../trust/row-kinds.ts';
import { changeSealed } from '../../trust/sealed-kinds.ts';

/** The rules of an assessment: the questions of its papers, and the cost of wrong answers. */
type StructureSettings = Pick<QuizView, 'structure' | 'negativeMarks'>;

type StructureCheck = ResponseOf<typeof checkStructureEndpoint>;

/** Name of the structure in a request. */
const FIELD = 'structure';

const settingsOf = ({ structure, negativeMarks }: StructureSettings): StructureSettings => ({
  structure: structure && withSectionIds(structure),
  negativeMarks,
});

/**
 * The structure with the id of each section: its own, that of the stored section with its title, or else its
 * title, unless that is the id of a section that has been renamed.
 */
function identified({ sections }: QuizStructure, stored: QuizStructure | null): QuizStructure {
  const given = new Set(sections.map(({ id }) => id));
  const free = (stored?.sections ?? []).filter((one) => !given.has(sectionIdOf(one)));
  const idOf = (wanted: string) => {
    const found = free.find(({ title }) => title === wanted);
    return found && sectionIdOf(found);
  };
  const ids = sections.map(({ id, title }) => id ?? idOf(title));
  const isTaken = new Set(ids);
  return {
    sections: sections.map((section, i) => {
      const { title } = section;
      return { ...section, id: ids[i] ?? (isTaken.has(title) ? newId() : title) };
    }),
  };
}

/** How many questions qualify for each entry, and what is wrong. */
async function checkStructure(
  db: Queryable,
  quizId: string,
  structure: QuizStructure | null,
): Promise<StructureCheck> {
  if (!structure) return { qualified: [], problems: [] };
  // Checked first: a request can have 4,000 entries with 400,000 places, and each costs time.
  const entries = structure.sections.reduce((sum, { items }) => sum + items.length, 0);
  if (entries > QUIZ_LIMITS.totalQuestionsMax) {
    return { qualified: [], problems: totalProblems(structure) };
  }
  return checkPool(structure, await listPool(db, quizId, structure));
}

/**
 * Sections with a minimum in the pass mark that are gone: later papers would pass without it. One that
 * only earlier papers have can have a minimum too, and loses nothing.
 */
function lostMinimums(
  { resultRules, structure: stored }: Pick<QuizView, 'resultRules' | 'structure'>,
  structure: QuizStructure | null,
): StructureProblem[] {
  const marked = new Set(resultRules?.sectionMarks.map(sectionIdOf));
  const kept = new Set(structure?.sections.map(sectionIdOf));
  return (stored?.sections ?? [])
    .filter((section) => marked.has(sectionIdOf(section)) && !kept.has(sectionIdOf(section)))
    .map(({ title }) => ({
      path: `${FIELD}.sections`,
      message: t(
        /* {title} is that of a section; “it”: the minimum; Results is a page */ 'server.structure.hasMinimum',
        '“{title}” has a minimum in the pass mark. Remove it under Results before you delete this section',
        { title },
      ),
    }));
}

/** `checkStructure` for a pool that is already read. */
function checkPool(structure: QuizStructure, pool: readonly PooledQuestion[]): StructureCheck {
  const byId = new Map(pool.map((question) => [question.questionId, question]));
  const plan = planDraw(structure, pool);
  const seen = new Set<string>();
  const problems: StructureProblem[] = [];
  const qualified = structure.sections.map(({ items }, s) =>
    items.map((item, i) => {
      const path = `${FIELD}.sections.${s}.items.${i}`;
      if ('questionId' in item) {
        const found = byId.get(item.questionId);
        if (!found) problems.push({ path, message: notReadyText() });
        const content = found ? contentOf(found) : item.questionId;
        if (seen.has(content)) problems.push({ path, message: twiceText() });
        seen.add(content);
        return found ? 1 : 0;
      }
      if (!item.from.tags?.length && item.from.categoryId === undefined) {
        problems.push({ path, message: nothingToDrawText() });
      }
      const rule = plan.rules.find(({ section, item: at }) => section === s && at === i);
      return rule?.qualified.length ?? 0;
    }),
  );
  const wrongTotal = totalProblems(structure);
  if (countOf(structure) <= QUIZ_LIMITS.totalQuestionsMax) {
    const unmet = unmetRules(plan);
    problems.push(...unmet.map(({ path, message }) => ({ path: `${FIELD}.${path}`, message })));
  }
  return { qualified, problems: [...problems, ...wrongTotal] };
}

const notReadyText = (): string =>
  t(
    /* the key says which answer is right */ 'server.structure.notReady',
    'This question is deleted, or has no key yet',
  );
const twiceText = (): string => t('server.structure.twice', 'This question is there twice');
const nothingToDrawText = (): string =>
  t(
    /* questions are drawn from those with a tag or of a category */ 'server.structure.nothingToDraw',
    'Select at least one tag or a category to draw from',
  );

function totalProblems(structure: QuizStructure): StructureProblem[] {
  const { totalQuestionsMin: min, totalQuestionsMax: max } = QUIZ_LIMITS;
  const total = countOf(structure);
  if (total >= min && total <= max) return [];
  const message = t(
    /* {total} decides on the form, {figure} is the same number; {min} and {max}: how many an assessment has */ 'server.structure.total',
    '{total, plural, one {The sections have {figure} questions. An assessment has {min} to {max}} other {The sections have {figure} questions. An assessment has {min} to {max}}}',
    { total, figure: figureText(total), min, max },
  );
  return [{ path: `${FIELD}.sections`, message }];
}

/**
 * Stores the rules for later starts. Throws NOT_FOUND, RULES_UNMET with the problems, and STALE for other
 * settings than `before`.
 */
export async function changeStructure(
  ctx: Pick<BaseContext, 'keys'>,
  { tx, now, record, requireRead }: Write<'quiz.structured'>,
  quizId: string,
  { structure: wanted, negativeMarks }: StructureSettings,
) {
  // No question leaves the bank between the check and the commit.
  await lockUntilCommit(tx, 'questionPool');
  const quiz = await lockQuiz(tx, quizId, 'update');
  if (!quiz) throw new AppError('NOT_FOUND');
  requireRead(settingsOf(quiz));
  const structure = wanted && identified(wanted, quiz.structure);
  const check = await checkStructure(tx, quizId, structure);
  const issues = [...lostMinimums(quiz, structure), ...check.problems];
  const [first] = issues;
  if (first) throw new AppError('RULES_UNMET', { message: first.message, issues });
  const set = {
    structure,
    negativeMarks,
    ...(structure ? { totalQuestions: countOf(structure) } : {}),
    version: quiz.version + 1,
    updatedAt: now,
  };
  await changeSealed(tx, ctx.keys.integrity, ASSESSMENTS, [quizId], () =>
    updateQuiz(tx, quizId, set),
  );
  await record('quiz.structured', ['quiz', quizId], {
    sections: structure?.sections.length ?? 0,
    negativeMarks: negativeMarks?.percent ?? 0,
  });
  return { structure, negativeMarks, check };
}

export function structureHandlers(ctx: BaseContext) {
  return {
    async getStructure({ params }) {
      const quiz = await requireUnarchived(ctx.db, params.id);
      return { ...settingsOf(quiz), check: await checkStructure(ctx.db, quiz.id, quiz.structure) };
    },
    async checkStructure({ params, body, reach }) {
      const quiz = await requireUnarchived(ctx.db, params.id);
      await requireSources(ctx, reach, quiz.id, body.structure);
      return await checkStructure(ctx.db, quiz.id, body.structure);
    },
    async setStructure({ params, body, command, reach }) {
      await requireSources(ctx, reach, params.id, body.structure);
      return await command((write) => changeStructure(ctx, write, params.id, body));
    },
  } satisfies Handlers;
}

/**
 * Refuses to draw from questions out of reach: a preview would show them. What is stored already may stay.
 * Throws NOT_FOUND for a question, FORBIDDEN for a rule.
 */
async function requireSources(
  { db }: Pick<AppContext, 'db'>,
  reach: Reach,
  quizId: string,
  wanted: QuizStructure | null,
): Promise<void> {
  if (reach === 'all') return;
  const itemsOf = (structure: QuizStructure | null) =>
    (structure?.sections ?? []).flatMap(({ items }) => items);
  const known = itemsOf((await findQuiz(db, quizId))?.structure ?? null);
  const added = itemsOf(wanted).filter(
    (item) =>
      !known.some((one) =>
        'from' in one && 'from' in item
          ? isDeepStrictEqual(one.from, item.from)
          : isDeepStrictEqual(one, item),
      ),
  );
  for (const item of added) {
    if ('from' in item) requireWithin(reach, { categoryId: item.from.categoryId });
  }
  const ids = added.flatMap((item) => ('questionId' in item ? item.questionId : []));
  await requireReach(db, reach, 'question', ids);
}

/**
 * Makes a change of some questions, unless an assessment that could draw its papers before could not
 * afterwards: at nine o'clock it would be too late to notice. One that could not before refuses nothing, so
 * that a bank can be repaired step by step. Only one in reach is named. Call it before anything else is
 * locked. Throws RULES_UNMET.
 *
 * Such changes wait for one another, and for new structures: of two that run at the same time, each would
 * count the question that the other takes away, and both would leave too few.
 */
export async function keepingRulesMet<T>(
  tx: Tx,
  which: SomeQuestions,
  reach: Reach,
  change: () => Promise<T>,
): Promise<T> {
  await lockUntilCommit(tx, 'questionPool');
  const before = await listPooled(tx, which);
  const result = await change();
  const ids = before.map(({ questionId }) => questionId);
  const after = new Map((await listPooled(tx, { ids })).map((q) => [q.questionId, q]));
  const changed = before.filter((q) => !isDeepStrictEqual(q, after.get(q.questionId)));
  if (changed.length > 0) await requireRulesMet(tx, changed, after, reach);
  return result;
}

async function requireRulesMet(
  tx: Tx,
  changed: readonly PooledQuestion[],
  after: ReadonlyMap<string, PooledQuestion>,
  reach: Reach,
): Promise<void> {
  const isChanged = new Set(changed.map(({ questionId }) => questionId));
  for (const { id, title, categoryId, structure } of await listStructures(tx)) {
    const loses = (q: PooledQuestion) => canLose(structure, id, q, after.get(q.questionId));
    if (!changed.some(loses)) continue;
    const pool = await listPool(tx, id, structure);
    const [problem] = checkPool(structure, pool).problems;
    if (!problem) continue;
    const others = pool.filter(({ questionId }) => !isChanged.has(questionId));
    const former = [...others, ...changed.filter((q) => placesOf(structure, id, q).length > 0)];
    if (checkPool(structure, await withContent(tx, former)).problems.length > 0) continue;
    const message = isWithin(reach, { quizId: id, categoryId })
      ? t(
          /* {title} is that of an assessment, which draws questions; {problem} a sentence */ 'server.structure.breaksPapers',
          '“{title}” could no longer draw its papers: {problem}',
          { title, problem: problem.message },
        )
      : t(
          /* “of others”: of other administrators; “all of them”: all assessments */ 'server.structure.breaksOthers',
          'An assessment of others could no longer draw its papers. Ask an administrator who manages all of them',
        );
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
  // A changed content may equal that of another question in the same place.
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
