import type { Releases } from '@invigil/core/contract/review/releases';
import { userNameOf } from '@invigil/core/domain/people';
import { holdOf, openDecision, type ReleaseRules } from '@invigil/core/domain/results/release';
import type { Reach } from '@invigil/core/domain/rights';
import type { AttemptContext, BaseContext } from '../../app-context.ts';
import { listReleasable } from '../../db/queries/attempts/releases.ts';
import { lockQuizOfResults, updateQuiz } from '../../db/queries/quizzes.ts';
import type { Handlers } from '../../http/endpoints.ts';
import { AppError } from '../../runtime/app-error.ts';
import type { Write } from '../../sessions/command.ts';
import { requireQuiz, requireReach } from '../../sessions/guards.ts';
import { readInstitution } from '../../trust/institution.ts';
import { ASSESSMENTS, requireGenuine } from '../../trust/row-kinds.ts';
import { changeSealed } from '../../trust/sealed-kinds.ts';
import { canMail, hasChanged, releaseByHand } from '../attempts/release-results.ts';
import { issueCertificate } from './certificates.ts';

/** Certificates issued before the answer: someone waits for it. */
const MOST_CERTIFIED = 50;
/** Number of changed results that are listed; more are only counted. */
const MOST_CHANGES = 200;

/** Throws NOT_FOUND. */
async function readReleases(
  ctx: BaseContext,
  sees: Reach,
  quizId: string,
  now: Date,
): Promise<Releases> {
  const quiz = await requireQuiz(ctx.db, quizId);
  const rows = await listReleasable(ctx.db, sees, quizId);
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
    timeZone: (await readInstitution(ctx, ctx.db)).timeZone,
  };
}

/** Throws NOT_FOUND, STALE. */
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
  await record('quiz.release_set', ['quiz', quizId], { rules });
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
    const message = 'Set first what candidates see of their results';
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

export function releaseHandlers(ctx: AttemptContext) {
  return {
    getReleases: ({ params, sees, now }) => readReleases(ctx, sees, params.id, now),
    async setReleaseRules({ params, body, command, sees, now }) {
      await command((write) => changeReleaseRules(ctx, write, params.id, body.rules));
      return readReleases(ctx, sees, params.id, now);
    },
    async releaseResults({ params, body, command, reach, sees, now }) {
      if (body.ids) await requireReach(ctx.db, reach, 'participant', body.ids);
      const released = await command((write) => releaseNow(ctx, write, params.id, body.ids));
      // The others follow with the next run of the job.
      for (const id of released.slice(0, MOST_CERTIFIED)) await issueCertificate(ctx, id, now);
      return { released: released.length, releases: await readReleases(ctx, sees, params.id, now) };
    },
  } satisfies Handlers;
}
