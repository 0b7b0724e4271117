import { isDeepStrictEqual } from 'node:util';
import type { PaperQuestion } from '@invigil/core/contract/assessments/question-list';
import type {
  createQuiz,
  updateQuiz as updateQuizEndpoint,
} from '@invigil/core/contract/assessments/quizzes';
import { STARTS_OUTSIDE, startsWithin } from '@invigil/core/contract/assessments/schedule';
import type { ParsedBodyOf } from '@invigil/core/contract/definition/endpoint';
import { QUIZ_LIMITS } from '@invigil/core/domain/limits';
import { optionLetter } from '@invigil/core/domain/locale';
import { PLAIN_TYPE } from '@invigil/core/domain/questions/question-definition';
import type { QuizStructure } from '@invigil/core/domain/questions/quiz-structure';
import { ONCE, type RetakeRule } from '@invigil/core/domain/retakes';
import { may, permitTheSame } from '@invigil/core/domain/rights';
import {
  POLICY_PRESETS,
  type PolicySettings,
  STRICT_POLICY,
} from '@invigil/core/domain/violations/violation-policy';
import { t } from '@invigil/core/texts/i18n';
import type { AppContext, BaseContext } from '../../app-context.ts';
import { lockUntilCommit } from '../../db/advisory-locks.ts';
import type { Queryable, Tx } from '../../db/database.ts';
import { newId } from '../../db/new-id.ts';
import { listAdmins, lockAdmins } from '../../db/queries/admins.ts';
import { notifyAttempts } from '../../db/queries/attempts/news.ts';
import { cancelMessagesOfArchived } from '../../db/queries/outbox.ts';
import {
  insertQuestions,
  listQuestions,
  listQuestionVersions,
  type QuestionVersionRow,
} from '../../db/queries/questions.ts';
import {
  countAttempts,
  findQuiz,
  getPolicy,
  hasBeenRetaken,
  hasRunningAttempts,
  insertPolicy,
  insertQuiz,
  listQuizzes,
  lockQuiz,
  type QuizView,
  updateQuiz,
} from '../../db/queries/quizzes.ts';
import type { Handlers } from '../../http/endpoints.ts';
import { AppError } from '../../runtime/app-error.ts';
import type { Administrator, Write } from '../../sessions/command.ts';
import { requireFreshPassword, requireUnarchived, requireWithin } from '../../sessions/guards.ts';
import { readGrants } from '../../sessions/session-reader.ts';
import { ASSESSMENTS, MONITORING_POLICIES, requireGenuine } from '../../trust/row-kinds.ts';
import { changeSealed, isWholeVersion, sealedVersion } from '../../trust/sealed-kinds.ts';
import { requireCategory } from './categories.ts';
import { parsePolicySettings, presentQuiz } from './present-quiz.ts';
import { withoutUndefined } from './questions/change-questions.ts';
import { openDraw } from './questions/open-draw.ts';
import { presentDrawn, shownOf } from './questions/present.ts';
import { keepingRulesMet } from './structure.ts';

type CreateBody = ParsedBodyOf<typeof createQuiz>;
type UpdateBody = ParsedBodyOf<typeof updateQuizEndpoint>;

/** Creates an assessment, active by default, with policy version 1. */
export async function makeQuiz(
  ctx: BaseContext,
  { tx, now, record }: Write<'quiz.created'>,
  body: CreateBody,
): Promise<QuizView> {
  const id = newId();
  const opening = openingOf(
    { opensAt: null, endDate: null, startBy: null, startTogether: null },
    body,
  );
  await requireCategory(tx, body.categoryId);
  const quiz = {
    id,
    title: body.title,
    description: body.description || null,
    categoryId: body.categoryId,
    duration: body.duration,
    totalQuestions: body.totalQuestions,
    ...opening,
    finishAfterEnd: body.finishAfterEnd ?? false,
    closingMail: body.closingMail ?? false,
    reminders: remindersOf(null, body.reminders, now),
    languages: body.languages ?? null,
    timeRules: null,
    retakes: body.retakes ?? null,
    commonStarts: null,
    isActive: body.isActive ?? true,
    archivedAt: null,
    structure: null,
    negativeMarks: null,
    resultRules: null,
    releaseRules: null,
    policyVersion: 1,
    practiceToken: null,
    practiceQuizId: null,
    version: 1,
    createdAt: now,
    updatedAt: now,
  };
  await insertQuiz(tx, ASSESSMENTS.sealed(ctx.keys.integrity, quiz));
  const settings = body.policy ? withPreset(body.policy) : STRICT_POLICY;
  await storePolicy(tx, ctx, { quizId: id, version: 1, settings, createdAt: now });
  await record('quiz.created', ['quiz', id]);
  return getQuiz(tx, id);
}

/**
 * Changes an assessment. Fields that the body omits stay. Running attempts keep their deadline and
 * policy: both were fixed when they started (I2). Throws NOT_FOUND, STALE, TAKEN_AGAIN where which attempt counts
 * would change after someone relied on it, or CONFIRM_PASSWORD if the policy changes while attempts run, or FORBIDDEN for a category out of reach, or where the move would
 * change who may do what.
 */
export async function editQuiz(
  ctx: BaseContext,
  { tx, actor, now, record }: Write<'quiz.edited'>,
  id: string,
  body: UpdateBody,
): Promise<QuizView> {
  const quiz = await lockQuiz(tx, id, 'update');
  if (!quiz) throw new AppError('NOT_FOUND');
  if (body.version !== undefined && body.version !== quiz.version) throw new AppError('STALE');
  const { categoryId, finishAfterEnd, closingMail, isActive, languages, retakes } = body;
  if (retakes !== undefined && countsIn(retakes) !== countsIn(quiz.retakes)) {
    if (await hasBeenRetaken(tx, id)) throw new AppError('TAKEN_AGAIN');
  }
  const isMoved = categoryId !== quiz.categoryId;
  if (isMoved) requireWithin(actor.reach, { categoryId });
  await requireCategory(tx, categoryId);
  if (isMoved) await requireMovable(tx, ctx, actor.id, quiz, categoryId);
  const opening = openingOf(quiz, body);
  const policyVersion = await nextPolicyVersion(tx, ctx, actor, quiz, body.policy, now);
  const set = {
    title: body.title,
    categoryId,
    duration: body.duration,
    // Sections decide it where there are any.
    totalQuestions: quiz.structure ? quiz.totalQuestions : body.totalQuestions,
    ...(body.description === undefined ? {} : { description: body.description || null }),
    ...opening,
    ...withoutUndefined({ finishAfterEnd, closingMail, isActive, languages, retakes }),
    reminders: remindersOf(quiz.reminders, body.reminders, now),
    policyVersion,
    version: quiz.version + 1,
    updatedAt: now,
  };
  await changeSealed(tx, ctx.keys.integrity, ASSESSMENTS, [id], () => updateQuiz(tx, id, set));
  const move = isMoved ? { fromCategoryId: quiz.categoryId, toCategoryId: categoryId } : undefined;
  await record('quiz.edited', ['quiz', id], move);
  // Candidates who wait for the opening are notified.
  await notifyAttempts(tx, [id]);
  return getQuiz(tx, id);
}

const countsIn = (rule: RetakeRule | null) => (rule ?? ONCE).counts;

/**
 * Roles for a category hold for its assessments, so a move gives and takes them. Who may give roles on the
 * assessment may move it anywhere; anyone else only where everybody has the same permissions before and
 * after: neither gain results nor take them out of their owner's sight. Throws FORBIDDEN.
 */
async function requireMovable(
  tx: Tx,
  ctx: BaseContext,
  by: string,
  { id: quizId, categoryId }: Pick<QuizView, 'id' | 'categoryId'>,
  toCategoryId: string,
): Promise<void> {
  // A role that is given at this moment would not be compared.
  await lockAdmins(tx);
  const [from, to] = [
    { quizId, categoryId },
    { quizId, categoryId: toCategoryId },
  ];
  if (may(await readGrants(tx, ctx, by), 'team.edit', from)) return;
  const all = await listAdmins(tx);
  if (all.every(({ grants }) => permitTheSame(grants, from, to))) return;
  const message = t(
    /* “it”: the assessment */ 'server.quiz.othersHaveRoles',
    'In that category other people have roles. Ask an owner of this assessment to move it.',
  );
  throw new AppError('FORBIDDEN', { message });
}

/** Reminders after a request; a changed one counts from now on. */
function remindersOf(
  stored: QuizView['reminders'],
  wanted: CreateBody['reminders'],
  now: Date,
): QuizView['reminders'] {
  if (wanted === undefined) return stored;
  if (wanted === null || (wanted.beforeOpening === null && wanted.beforeEnd === null)) return null;
  const { beforeOpening, beforeEnd } = wanted;
  const isSame = stored?.beforeOpening === beforeOpening && stored.beforeEnd === beforeEnd;
  return isSame ? stored : { beforeOpening, beforeEnd, since: now.toISOString() };
}

type Opening = Pick<QuizView, 'opensAt' | 'endDate' | 'startBy' | 'startTogether'>;

/**
 * Opening time, end date, latest and common start after a request. Throws INVALID_INPUT unless the times follow one
 * another, or where all start at a time that there is not. A latest start that is not in the body goes with times
 * that it does not fit.
 */
function openingOf(current: Opening, body: Pick<CreateBody, keyof Opening>): Opening {
  const changed = (text: string | null | undefined, before: Date | null) =>
    text === undefined ? before : text === null ? null : new Date(text);
  const opensAt = changed(body.opensAt, current.opensAt);
  const endDate = changed(body.endDate, current.endDate);
  if (opensAt !== null && endDate !== null && opensAt >= endDate) {
    const message = t(
      /* of the opening */ 'server.quiz.opensTooLate',
      'Select a time before the end date',
    );
    throw new AppError('INVALID_INPUT', { issues: [{ path: 'opensAt', message }] });
  }
  const { startTogether = current.startTogether } = body;
  if (startTogether?.by === 'time' && opensAt === null) {
    const message = t(
      /* all who take the assessment start together when it opens */ 'server.quiz.opensForAll',
      'Select when it opens: everyone starts together then',
    );
    throw new AppError('INVALID_INPUT', { issues: [{ path: 'opensAt', message }] });
  }
  const startBy = changed(body.startBy, current.startBy);
  const iso = (at: Date | null) => at?.toISOString();
  const isWithin = startsWithin({
    ...{ opensAt: iso(opensAt), endDate: iso(endDate), startBy: iso(startBy) },
  });
  if (isWithin) return { opensAt, endDate, startBy, startTogether };
  if (body.startBy === undefined) {
    return { opensAt, endDate, startBy: null, startTogether };
  }
  const issues = [{ path: 'startBy', message: STARTS_OUTSIDE.error() }];
  throw new AppError('INVALID_INPUT', { issues });
}

/** Read in the transaction that wrote it: later, it could be someone else's version. */
async function getQuiz(tx: Tx, id: string): Promise<QuizView> {
  const quiz = await findQuiz(tx, id);
  if (!quiz) throw new AppError('NOT_FOUND');
  return quiz;
}

/** Stores a version of a policy with its seal. */
async function storePolicy(
  tx: Tx,
  { keys }: Pick<BaseContext, 'keys'>,
  policy: { quizId: string; version: number; settings: unknown; createdAt: Date },
): Promise<void> {
  await insertPolicy(tx, MONITORING_POLICIES.sealed(keys.integrity, policy));
}

async function nextPolicyVersion(
  tx: Tx,
  ctx: Pick<BaseContext, 'keys'>,
  by: Pick<Administrator, 'passwordAt'>,
  { id: quizId, policyVersion: current }: { id: string; policyVersion: number },
  wanted: CreateBody['policy'],
  now: Date,
): Promise<number> {
  if (wanted === undefined) return current;
  const settings = withPreset(wanted);
  // A stored preset may differ from today's preset; sent back as it is, it counts as unchanged.
  const stored = parsePolicySettings((await getPolicy(tx, quizId, current)).settings);
  if (isDeepStrictEqual(withPreset(stored), settings)) return current;
  if (await hasRunningAttempts(tx, quizId)) requireFreshPassword(by, now);
  await storePolicy(tx, ctx, { quizId, version: current + 1, settings, createdAt: now });
  return current + 1;
}

/** Settings without a preset name are custom; so are those that differ from the named preset. */
function withPreset(policy: NonNullable<CreateBody['policy']>): PolicySettings {
  const { preset = 'custom', mayTranslate: _, mayUsePaper: __, ...rules } = policy;
  const isPreset =
    preset !== 'custom' && isDeepStrictEqual({ ...rules, preset }, POLICY_PRESETS[preset]);
  return { ...policy, preset: isPreset ? preset : 'custom' };
}

const wasTaken = (): string =>
  t(
    'server.quiz.wasTaken',
    'This assessment has been taken. Ask an owner of it to delete it, or make it inactive.',
  );

export function quizHandlers(ctx: BaseContext) {
  return {
    async listQuizzes({ reach, now }) {
      const rows = await listQuizzes(ctx.db, reach);
      return rows.map((row) => presentQuiz(row, now));
    },
    getQuiz: async ({ params, now }) =>
      presentQuiz(await requireUnarchived(ctx.db, params.id), now),
    async createQuiz({ body, command, reach, now }) {
      requireWithin(reach, { categoryId: body.categoryId });
      return presentQuiz(await command((write) => makeQuiz(ctx, write, body)), now);
    },
    async updateQuiz({ params, body, command, now }) {
      return presentQuiz(await command((write) => editQuiz(ctx, write, params.id, body)), now);
    },
    /**
     * Removes it from the lists and its own questions from the bank; its results stay reportable (product 4.9).
     * Queued invitations are not sent. Once there are attempts it leaves only by who may give roles on it.
     */
    deleteQuiz: ({ params: { id }, command }) =>
      command(({ tx, actor, now, record }) => {
        const archive = async () => {
          const quiz = await lockQuiz(tx, id, 'update');
          if (!quiz) throw new AppError('NOT_FOUND');
          const place = { quizId: id, categoryId: quiz.categoryId };
          const grants = await readGrants(tx, ctx, actor.id);
          if (!may(grants, 'team.edit', place) && (await countAttempts(tx, id)) > 0) {
            throw new AppError('FORBIDDEN', { message: wasTaken() });
          }
          await changeSealed(tx, ctx.keys.integrity, ASSESSMENTS, [id], () =>
            updateQuiz(tx, id, { archivedAt: now }),
          );
          await cancelMessagesOfArchived(tx, id);
          await record('quiz.archived', ['quiz', id]);
        };
        return keepingRulesMet(tx, { quizId: id }, actor.reach, archive);
      }),
    async duplicateQuiz({ params, command, now }) {
      return presentQuiz(await command((write) => duplicateQuiz(ctx, write, params.id)), now);
    },
    previewQuiz: ({ params }) => previewQuiz(ctx, params.id),
    getPreviewPaper: ({ session }) =>
      may(session.grants, 'questions.edit', session)
        ? previewQuiz(ctx, session.quizId)
        : previewSample(ctx, session.quizId),
  } satisfies Handlers;
}

/**
 * Draws a paper as a start would, and stores nothing. Without the key, because it is shown as
 * a candidate sees it. Throws NOT_FOUND, NO_QUESTIONS.
 */
async function previewQuiz({ db }: BaseContext, quizId: string): Promise<PaperQuestion[]> {
  return drawForNobody(db, await requireUnarchived(db, quizId));
}

/** The same of an assessment that was read. Throws NO_QUESTIONS. */
export async function drawForNobody(db: Queryable, quiz: QuizView): Promise<PaperQuestion[]> {
  const draw = await openDraw(db, quiz);
  if (!draw) throw new AppError('NO_QUESTIONS');
  const { paper, ...drawn } = draw();
  const wanted = paper.map(({ questionId, version }) => ({ questionId, version }));
  const byId = new Map((await listQuestionVersions(db, wanted)).map((v) => [v.questionId, v]));
  return paper.flatMap(({ position, questionId, optionOrder }) => {
    const version = byId.get(questionId);
    if (!version) return [];
    const textOf = new Map(version.optionIds.map((id, i) => [id, version.optionTexts[i] ?? '']));
    const content = {
      question: version.question,
      details: version.details && shownOf(version.details),
      textOf,
    };
    return presentDrawn(quiz.id, { position, questionId, optionOrder, content }, drawn);
  });
}

const sampleOptions = (): string[] =>
  [0, 1, 2, 3].map((i) =>
    t(/* {letter}: A, B, C */ 'server.sample.option', 'Sample option {letter}', {
      letter: optionLetter(i),
    }),
  );

/**
 * A paper of the same length with texts of our own, for who may send invitations and not see the questions.
 * Throws NOT_FOUND, NO_QUESTIONS.
 */
async function previewSample(ctx: BaseContext, quizId: string): Promise<PaperQuestion[]> {
  const quiz = await requireUnarchived(ctx.db, quizId);
  const { structure, questionCount, totalQuestions } = quiz;
  const length = structure ? totalQuestions : Math.min(questionCount, totalQuestions);
  if (length === 0) throw new AppError('NO_QUESTIONS');
  return Array.from({ length }, (_, i) => ({
    id: `sample-${i + 1}`,
    quizId,
    type: PLAIN_TYPE,
    question: t('server.sample.question', 'Sample question {number}', { number: i + 1 }),
    options: sampleOptions(),
    orderNumber: i + 1,
  }));
}

const MARK = ' (copy)';

/**
 * Copies an assessment with its settings, policy and questions. The copy is inactive, has no end
 * date and is not for practice, so that no one can start it before an administrator has checked it. Throws NOT_FOUND, FORBIDDEN.
 */
async function duplicateQuiz(
  ctx: BaseContext,
  { tx, actor, now, record }: Write<'quiz.duplicated'>,
  sourceId: string,
): Promise<QuizView> {
  const id = newId();
  // A change of the bank at the same time would not see the rules of the copy.
  await lockUntilCommit(tx, 'questionPool');
  const source = await lockQuiz(tx, sourceId, 'share');
  if (!source) throw new AppError('NOT_FOUND');
  requireWithin(actor.reach, { categoryId: source.categoryId });
  const own = await listQuestions(tx, sourceId);
  const newIds = new Map(own.map(({ row }) => [row.id, newId()]));
  // A copy makes nothing genuine.
  requireGenuine(ctx, ASSESSMENTS, source);
  const copied = {
    ...source,
    id,
    structure: source.structure && withOwnCopies(source.structure, newIds),
    title: titleOfCopy(source.title),
    releaseRules: null,
    opensAt: null,
    endDate: null,
    startBy: null,
    timeRules: null,
    practiceToken: null,
    commonStarts: null,
    isActive: false,
    policyVersion: 1,
    version: 1,
    createdAt: now,
    updatedAt: now,
  };
  await insertQuiz(tx, ASSESSMENTS.sealed(ctx.keys.integrity, copied));
  const policy = await getPolicy(tx, sourceId, source.policyVersion);
  requireGenuine(ctx, MONITORING_POLICIES, policy);
  const { settings } = policy;
  await storePolicy(tx, ctx, { quizId: id, version: 1, settings, createdAt: now });
  const questions = own.map(({ row, version }) => {
    const questionId = newIds.get(row.id) ?? newId();
    return {
      row: { ...row, id: questionId, quizId: id, currentVersion: 1, createdAt: now },
      version: copyOf(ctx, version, questionId, now),
    };
  });
  if (questions.length > 0) await insertQuestions(tx, questions);
  await record('quiz.duplicated', ['quiz', id], { from: sourceId });
  return getQuiz(tx, id);
}

/**
 * The copy has no seal if the original does not match its own: a copy makes nothing genuine. An answer that
 * was found to be correct as well stays so; what made up for a bad question to those who had it does not
 * apply to others.
 */
function copyOf(
  { keys }: Pick<AppContext, 'keys'>,
  original: QuestionVersionRow,
  questionId: string,
  now: Date,
): QuestionVersionRow {
  const correction = original.correction?.kind === 'also_right' ? original.correction : null;
  const copy = { ...original, questionId, version: 1, correction, createdAt: now };
  const isGenuine = isWholeVersion(keys.integrity, original);
  return isGenuine ? sealedVersion(keys.integrity, copy) : { ...copy, seal: null };
}

/** The copy's sections name its own copies of the questions; those of the bank stay. */
function withOwnCopies(
  { sections }: QuizStructure,
  newIds: ReadonlyMap<string, string>,
): QuizStructure {
  return {
    sections: sections.map((section) => ({
      ...section,
      items: section.items.map((item) =>
        'questionId' in item
          ? { questionId: newIds.get(item.questionId) ?? item.questionId }
          : item,
      ),
    })),
  };
}

/** Cuts to the limit, and never within a surrogate pair. */
function titleOfCopy(title: string): string {
  const cut = title.slice(0, QUIZ_LIMITS.titleMaxCharacters - MARK.length);
  return cut.replace(/[\ud800-\udbff]$/, '').trimEnd() + MARK;
}
