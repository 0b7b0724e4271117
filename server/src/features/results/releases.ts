import type { Elsewhere, Releases } from '@invigil/core/contract/review/releases';
import { nameOf, userNameOf } from '@invigil/core/domain/people';
import { resultOf } from '@invigil/core/domain/results/outcome';
import {
  holdOf,
  keyPartsOf,
  openDecision,
  type ReleaseRules,
  takesBack,
} from '@invigil/core/domain/results/release';
import { isWithin, type Reach } from '@invigil/core/domain/rights';
import { widestWindow } from '@invigil/core/domain/schedule';
import { t } from '@invigil/core/texts/i18n';
import type { AttemptContext, BaseContext, FileContext } from '../../app-context.ts';
import type { Queryable } from '../../db/database.ts';
import {
  countKeySeen,
  countUnfinished,
  listReleasable,
  lockReleases,
  noteReleases,
  type ReleasableRow,
} from '../../db/queries/attempts/releases.ts';
import {
  countOnPapers,
  listPaperQuestions,
  listStartable,
} from '../../db/queries/question-pool.ts';
import { lockQuizOfResults, type QuizView, updateQuiz } from '../../db/queries/quizzes.ts';
import type { Handlers } from '../../http/endpoints.ts';
import { AppError } from '../../runtime/app-error.ts';
import type { Write } from '../../sessions/command.ts';
import { requireQuiz, requireReach } from '../../sessions/guards.ts';
import { readInstitution } from '../../trust/institution.ts';
import { ASSESSMENTS, RELEASES, requireGenuine } from '../../trust/row-kinds.ts';
import { changeSealed } from '../../trust/sealed-kinds.ts';
import { isQuizOpen } from '../assessments/present-quiz.ts';
import { canMail, hasChanged, releaseByHand, shownOf } from '../attempts/release-results.ts';
import { issueCertificate } from './certificates.ts';

type Context = AttemptContext & Pick<FileContext, 'certificatePrinter'>;

/** Certificates issued before the answer: someone waits for it. */
const MOST_CERTIFIED = 50;
/** Number of changed results, and of problems of certificates, that are listed; more are only counted. */
const MOST_CHANGES = 200;

/** Throws NOT_FOUND. */
async function readReleases(
  ctx: Context,
  sees: Reach,
  quizId: string,
  now: Date,
): Promise<Releases> {
  const quiz = await requireQuiz(ctx.db, quizId);
  const rows = await listReleasable(ctx.db, sees, quizId);
  const institution = await readInstitution(ctx, ctx.db);
  const isOn = await canMail(ctx.db);
  const held: Releases['held'] = {};
  for (const row of rows) {
    if (row.released !== null) continue;
    const rules = quiz.releaseRules ?? { when: { kind: 'by_hand' as const } };
    const hold = holdOf(rules, row, now, isOn);
    // A result that nothing holds is released with the next run of its job.
    if (hold !== null) held[hold] = (held[hold] ?? 0) + 1;
  }
  // A result with a breach in question is decided on its record.
  const changed = rows.filter((row) => hasChanged(row) && openDecision(row) === null);
  const changes = changed.slice(0, MOST_CHANGES).map((row) => ({
    ...{ participantId: row.id, userId: row.userId, userEmail: row.email },
    ...userNameOf(row),
  }));
  return {
    rules: quiz.releaseRules,
    released: rows.filter(({ released }) => released !== null).length,
    changed: changed.length,
    ...(changes.length === 0 ? {} : { changes }),
    held,
    seen: rows.filter(({ isSeen }) => isSeen).length,
    toReview: rows.filter((row) => row.toReview && !row.released && openDecision(row) === null)
      .length,
    open: await countOpen(ctx.db, quiz, now),
    ...(quiz.releaseRules?.parts.includes('certificate')
      ? { certificates: await checkCertificates(ctx, sees, rows, quiz, institution.name) }
      : {}),
    timeZone: institution.timeZone,
  };
}

/** The certificates of passed attempts that lack a name, or letters that no font has. */
async function checkCertificates(
  ctx: Context,
  sees: Reach,
  rows: readonly ReleasableRow[],
  quiz: QuizView,
  institution: string | null,
): Promise<Releases['certificates']> {
  const passed = rows.filter((row) => {
    const { outcome } = row.released ?? resultOf(row, row.resultRules);
    return outcome?.result === 'passed' && openDecision(row) === null;
  });
  // A certificate has the name that the installation knows, whatever a list of one assessment says.
  const all = sees === 'all' ? rows : await listReleasable(ctx.db, 'all', quiz.id);
  const known = new Map(all.map((row) => [row.id, nameOf(row)]));
  const names = passed.map(({ id }) => known.get(id) ?? '');
  const texts = [quiz.title, institution ?? ''];
  const unprintable = await ctx.certificatePrinter.unprintable([...texts, ...names]);
  const problems = passed.flatMap((row, i) => {
    const [name = '', letters = []] = [names[i], unprintable[texts.length + i]];
    if (name !== '' && letters.length === 0) return [];
    const who = { participantId: row.id, userId: row.userId, userEmail: row.email };
    // Nothing of a name that the reader does not see.
    const isSeen = name === nameOf(row);
    const shown = isSeen ? letters : [];
    return [{ ...who, ...userNameOf(row), hasName: name !== '', letters: shown }];
  });
  return {
    letters: [...new Set(unprintable.slice(0, texts.length).flat())],
    count: problems.length,
    problems: problems.slice(0, MOST_CHANGES),
  };
}

/** Finds other assessments that can still be started and whose questions have been on papers of this one. */
async function findElsewhere(
  db: Queryable,
  { id, releaseRules }: QuizView,
  reach: Reach,
  now: Date,
): Promise<Elsewhere> {
  const none = { named: [], others: 0 };
  if (releaseRules === null || keyPartsOf(releaseRules).length === 0) return none;
  const startable = (await listStartable(db, now)).filter((other) => other.id !== id);
  if (startable.length === 0) return none;
  const counts = await countOnPapers(db, startable, await listPaperQuestions(db, id));
  const named: Elsewhere['named'] = [];
  let others = 0;
  for (const other of startable) {
    const questions = counts.get(other.id);
    if (questions === undefined) continue;
    if (isWithin(reach, { quizId: other.id, categoryId: other.categoryId }))
      named.push({ quizId: other.id, title: other.title, questions });
    else others += 1;
  }
  return { named, others };
}

async function countOpen(db: Queryable, quiz: QuizView, now: Date): Promise<Releases['open']> {
  const { canStart, running } = await countUnfinished(db, quiz.id);
  if (!isQuizOpen(quiz, now)) return { canStart: 0, running, until: null };
  return { canStart, running, until: widestWindow(quiz).endDate?.toISOString() ?? null };
}

/** How many have right answers of an assessment, or can read them now: someone else is about to start. */
export async function countKeyReaders(db: Queryable, quiz: QuizView, now: Date): Promise<number> {
  const { releaseRules: rules } = quiz;
  const shown = rules && (await shownOf(db, quiz, rules, now));
  const canRead = shown !== null && keyPartsOf({ parts: [...shown.parts] }).length > 0;
  return countKeySeen(db, quiz.id, canRead);
}

/** Rules that take back what is released do so at once. Throws NOT_FOUND, STALE. */
export async function changeReleaseRules(
  { keys }: Pick<BaseContext, 'keys'>,
  { tx, now, requireRead, record }: Write<'quiz.release_set'>,
  quizId: string,
  rules: ReleaseRules | null,
): Promise<void> {
  const quiz = await lockQuizOfResults(tx, quizId, 'update');
  if (!quiz) throw new AppError('NOT_FOUND');
  requireRead(quiz.releaseRules);
  await changeSealed(tx, keys.integrity, ASSESSMENTS, [quizId], () =>
    updateQuiz(tx, quizId, { releaseRules: rules, updatedAt: now }),
  );
  const released = takesBack(quiz.releaseRules, rules, now)
    ? await lockReleases(tx, { quizId })
    : [];
  if (released.length > 0) {
    await changeSealed(tx, keys.integrity, RELEASES, released, () =>
      noteReleases(tx, released, { takenBackAt: now.toISOString() }),
    );
  }
  const takenBack = released.length > 0 ? { takenBack: released.length } : {};
  await record('quiz.release_set', ['quiz', quizId], { rules, ...takenBack });
}

/**
 * Releases results, those named or all that have no decision open. Throws NOT_FOUND, also for an attempt at
 * another assessment; RULES_UNMET without a rule; CHANGED_OUTSIDE.
 *
 * @returns the attempts
 */
export async function releaseNow(
  ctx: AttemptContext,
  { tx, actor, now, record, afterCommit }: Write<'quiz.results_released'>,
  quizId: string,
  ids?: readonly string[],
): Promise<string[]> {
  const quiz = await requireQuiz(tx, quizId);
  requireGenuine(ctx, ASSESSMENTS, quiz);
  if (quiz.releaseRules === null) {
    const message = t(
      'server.results.setRelease',
      'Set first what candidates see of their results',
    );
    throw new AppError('RULES_UNMET', { message, issues: [{ path: 'rules', message }] });
  }
  const all = await listReleasable(tx, actor.sees, quizId);
  const known = new Set(all.map(({ id }) => id));
  if (ids?.some((id) => !known.has(id))) throw new AppError('NOT_FOUND');
  const named = ids ?? all.filter((row) => openDecision(row) === null).map(({ id }) => id);
  const isNamed = ids !== undefined;
  const released = await releaseByHand(tx, ctx, named, { isNamed, by: actor.id }, now);
  const details = { released: released.length, isNamed };
  await record('quiz.results_released', ['quiz', quizId], details);
  afterCommit(() => ctx.wakeMail());
  return released;
}

export function releaseHandlers(ctx: Context) {
  return {
    getReleases: ({ params, sees, now }) => readReleases(ctx, sees, params.id, now),
    async listElsewhere({ params, reach, now }) {
      return findElsewhere(ctx.db, await requireQuiz(ctx.db, params.id), reach, now);
    },
    async countKeyReaders({ params, now }) {
      const quiz = await requireQuiz(ctx.db, params.id);
      const { canStart: notStarted, running } = await countUnfinished(ctx.db, quiz.id);
      return { people: await countKeyReaders(ctx.db, quiz, now), notStarted, running };
    },
    async setReleaseRules({ params, body, command, sees, now }) {
      await command((write) => changeReleaseRules(ctx, write, params.id, body.rules));
      return readReleases(ctx, sees, params.id, now);
    },
    async releaseResults({ params, body, command, reach, sees, now }) {
      if (body.ids) await requireReach(ctx.db, reach, 'participant', body.ids);
      const released = await command((write) => releaseNow(ctx, write, params.id, body.ids));
      // The others follow with the next run of the job.
      for (const id of released.slice(0, MOST_CERTIFIED)) await issueCertificate(ctx, id, now);
      const releases = await readReleases(ctx, sees, params.id, now);
      return { released: released.length, releases };
    },
  } satisfies Handlers;
}
