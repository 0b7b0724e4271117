import { isDeepStrictEqual } from 'node:util';
import type {
  rescoreBankQuestion as rescoreBankQuestionEndpoint,
  ScoreChange,
} from '@invigil/core/contract/assessments/questions';
import type { ParsedBodyOf } from '@invigil/core/contract/definition/endpoint';
import { userNameOf } from '@invigil/core/domain/people';
import type { Correction } from '@invigil/core/domain/questions/question-definition';
import {
  correctionFor,
  hasOneRightOption,
  keyFor,
  matchOptions,
  optionsToConfirm,
  type SameOption,
} from '@invigil/core/domain/questions/question-versions';
import { doesCountRight, pointsOf } from '@invigil/core/domain/questions/scoring';
import { outcomeOf, pointsIn } from '@invigil/core/domain/results/outcome';
import type { Reach } from '@invigil/core/domain/rights';
import { t } from '@invigil/core/texts/i18n';
import type { z } from 'zod';
import type { BaseContext } from '../../app-context.ts';
import type { Tx } from '../../db/database.ts';
import { portionsOf } from '../../db/portions.ts';
import { type StoredScore, setScores } from '../../db/queries/attempts/ends.ts';
import { listHoldersOf } from '../../db/queries/attempts/paper-keys.ts';
import { listPlaces } from '../../db/queries/places.ts';
import { isUsedIn, listUses, lockQuestions } from '../../db/queries/question-bank.ts';
import {
  listVersionsOf,
  type QuestionVersionRow,
  type QuestionView,
  setKeyOfVersion,
} from '../../db/queries/questions.ts';
import type { Handlers } from '../../http/endpoints.ts';
import { AppError } from '../../runtime/app-error.ts';
import type { Command, Write } from '../../sessions/command.ts';
import { requireWithin } from '../../sessions/guards.ts';
import { doLongWork, type LongWork } from '../../sessions/long-work.ts';
import { changeSealed, isWholeVersion, RESULTS, VERSIONS } from '../../trust/sealed-kinds.ts';
import { scoreAttempts } from '../attempts/score-attempts.ts';
import { settleCounting } from '../attempts/start-and-end/retakes.ts';

type Rescoring = z.infer<(typeof rescoreBankQuestionEndpoint.responses)[200]>;
type How = ParsedBodyOf<typeof rescoreBankQuestionEndpoint>;

/** Participants scored per statement. */
const AT_A_TIME = 200;

/**
 * Applies the current key of a question to the earlier versions that papers hold (product 4.9), and what
 * is decided beside it: full points for everyone, left out, or one more right option. Options are found by
 * their ids, which they keep across versions, and as the author decides; a version that lacks the right
 * one keeps its key. Ended attempts get a new score; running ones are scored with the new key when they
 * end. A dry run does all of it and rolls back, so it lists exactly what would change. A question of the
 * bank is corrected in every assessment whose papers hold it.
 *
 * @param quizId an assessment that has to use the question; every other one that uses it or whose papers hold
 *   it must be in reach as well; null: any
 *
 * Throws NOT_FOUND, FORBIDDEN; INVALID_INPUT where no further option can be right.
 */
export async function rescoreQuestion(
  ctx: BaseContext,
  { tx, actor, now, record, recordAll }: Write<'question.rescored' | 'participant.rescored'>,
  quizId: string | null,
  questionId: string,
  how: How,
  work?: LongWork,
): Promise<Rescoring> {
  const [question] = await lockQuestions(tx, [questionId]);
  const isThere = quizId === null || (await isUsedIn(tx, questionId, quizId));
  if (!question || !isThere) throw new AppError('NOT_FOUND');
  // Locked first: their seals are checked before the key, which is part of each result, changes.
  const holders = await listHoldersOf(tx, actor.sees, questionId);
  if (quizId !== null) await requireAllUses(tx, actor.reach, questionId, holders);
  const rescored = await rescore(tx, ctx, question, holders, how, work);
  const changedIds = new Set(rescored.changes.map(({ participantId }) => participantId));
  // Another attempt can be the best one now.
  const takers = holders.filter(({ id }) => changedIds.has(id));
  for (const some of portionsOf(takers, AT_A_TIME)) await settleCounting(tx, ctx, some, now);
  const rescoring = { ...rescored, applied: !how.dryRun };
  if (how.dryRun) return rescoring;
  await record('question.rescored', ['question', questionId], {
    participants: rescoring.participants,
    changed: rescoring.changes.length,
    reason: how.reason ?? null,
    ...(rescoring.correction ? { correction: rescoring.correction.kind } : {}),
  });
  const changed = rescoring.changes.map(
    ({ participantId, userEmail: _, userName: __, ...change }) => ({
      id: participantId,
      details: { ...change, questionId, reason: how.reason ?? null },
    }),
  );
  await recordAll('participant.rescored', 'participant', changed);
  await work?.finish(tx, countsOf(rescoring), now);
  return rescoring;
}

/** The result that is kept: no one whose score changes, because not everyone may know them tomorrow. */
const countsOf = ({ participants, changes }: Rescoring) => ({
  participants,
  changed: changes.length,
});

/** A correction also applies to other assessments with the question, and a dry run lists their candidates. */
async function requireAllUses(
  tx: Tx,
  reach: Reach,
  questionId: string,
  holders: readonly Holder[],
): Promise<void> {
  if (reach === 'all') return;
  const uses = [...(await listUses(tx, questionId, 'all')), ...holders];
  const ids = new Set(uses.map(({ quizId }) => quizId));
  for (const place of await listPlaces(tx, 'quiz', [...ids])) requireWithin(reach, place);
}

async function rescore(
  tx: Tx,
  ctx: Pick<BaseContext, 'keys' | 'trust'>,
  question: QuestionView,
  holders: readonly Holder[],
  how: How,
  work: LongWork | undefined,
): Promise<Omit<Rescoring, 'applied'>> {
  const correction = correctionOf(question, how);
  const ended = holders.filter((holder) => holder.score !== null).map((holder) => holder.id);
  // Each attempt is read three times: to check its seal, to score it, and to seal it again.
  let steps = 0;
  const onProgress = (attempts: number) => {
    work?.signal.throwIfAborted();
    steps += attempts;
    work?.report(Math.floor(steps / 3), ended.length);
  };
  onProgress(0);
  const change = () => apply(tx, ctx, question, holders, correction, how.options, onProgress);
  return changeSealed(tx, ctx.keys.integrity, RESULTS, ended, change, onProgress);
}

async function apply(
  tx: Tx,
  ctx: Pick<BaseContext, 'keys' | 'trust'>,
  { version }: QuestionView,
  holders: readonly Holder[],
  correction: Correction | null | undefined,
  decided: readonly SameOption[] | undefined,
  onProgress: (attempts: number) => void,
): Promise<Omit<Rescoring, 'applied'>> {
  const { fitting, kinds, toConfirm } = await correctVersions(
    tx,
    ctx,
    version,
    correction,
    decided,
  );
  const inEffect = correction === undefined ? version.correction : correction;
  const isMixed =
    correction === undefined &&
    holders.some(({ questionVersion }) => kinds.get(questionVersion) !== version.correction?.kind);
  const changes: ScoreChange[] = [];
  const scores: (StoredScore & { id: string })[] = [];
  for (const some of portionsOf(holders, AT_A_TIME)) {
    const batch = some.filter((holder) => holder.score !== null);
    if (batch.length === 0) continue;
    const scoreOf = await scoreAttempts(tx, ctx, batch);
    for (const holder of batch) {
      const { score, points, maxPoints, countsRight, sections } = scoreOf(holder.id);
      if (holder.score === null) continue;
      const isSame =
        score === holder.score && points === holder.points && maxPoints === holder.maxPoints;
      // Sections can change without the whole: two mistakes that make up for each other.
      if (!isSame || !isDeepStrictEqual(sections, holder.sections)) {
        scores.push({ id: holder.id, score, points, maxPoints, countsRight, sections });
      }
      const change = changeOf(holder, { score, points, maxPoints, countsRight, sections });
      // A section can change the outcome and leave the whole as it was.
      const isSameOutcome = isDeepStrictEqual(change.outcomeBefore, change.outcomeAfter);
      if (!isSame || !isSameOutcome) changes.push(change);
    }
    onProgress(batch.length);
  }
  await setScores(tx, scores);
  const held = (of: QuestionVersionRow) =>
    holders.filter((holder) => holder.questionVersion === of.version).length;
  const options = confirmed(toConfirm.map(([of, pairs]) => [held(of), pairs]));
  const withoutPoints = hasOwnPoints(version) ? holders.filter(doesCountRight).length : 0;
  return {
    participants: holders.length,
    unchanged: holders.filter((holder) => !fitting.has(holder.questionVersion)).length,
    ...(withoutPoints > 0 ? { withoutPoints } : {}),
    changes,
    ...(inEffect ? { correction: presentCorrection(version, inEffect) } : {}),
    ...(isMixed ? { isMixed } : {}),
    ...(options.length > 0 ? { options } : {}),
  };
}

type Holder = Awaited<ReturnType<typeof listHoldersOf>>[number];

function changeOf(holder: Holder, after: StoredScore): ScoreChange {
  const { points, maxPoints } = after;
  const before = pointsIn(holder);
  const outcomeBefore = outcomeOf(holder, holder.resultRules);
  const outcomeAfter = outcomeOf({ ...holder, ...after }, holder.resultRules);
  return {
    participantId: holder.id,
    userEmail: holder.userEmail,
    ...userNameOf(holder),
    before: holder.score ?? 0,
    after: after.score,
    totalMarks: holder.totalMarks,
    ...(points === null || maxPoints === null
      ? {}
      : {
          pointsBefore: pointsOf(before.points),
          pointsAfter: pointsOf(points),
          maxPoints: pointsOf(maxPoints),
          ...(maxPoints === holder.maxPoints
            ? {}
            : { maxPointsBefore: pointsOf(before.maxPoints) }),
        }),
    ...(outcomeBefore ? { outcomeBefore } : {}),
    ...(outcomeAfter ? { outcomeAfter } : {}),
  };
}

/**
 * Sets key and correction of all versions. Returns the versions that have them now, the corrections of all,
 * and what their authors should confirm. A key that was changed outside of Invigil makes no version genuine
 * that takes it over.
 */
async function correctVersions(
  tx: Tx,
  { keys: { integrity } }: Pick<BaseContext, 'keys'>,
  current: QuestionVersionRow,
  given: Correction | null | undefined,
  decided: readonly SameOption[] | undefined,
) {
  const versions = await listVersionsOf(tx, current.questionId);
  const ids = versions.map(({ questionId, version }) => `${questionId}/${version}`);
  const whole = isWholeVersion(integrity, current) ? ids : [];
  const fitting = new Set<number>();
  const kinds = new Map<number, Correction['kind'] | undefined>();
  const toConfirm: [QuestionVersionRow, SameOption[]][] = [];
  await changeSealed(tx, integrity, VERSIONS, whole, async () => {
    for (const version of versions) {
      const match = matchOptions(version, current, decided);
      const key = version.version === current.version ? {} : keyFor(version, current, match);
      const correction =
        given === undefined ? version.correction : correctionFor(version, given, match);
      await setKeyOfVersion(tx, version, { ...key, correction });
      kinds.set(version.version, correction?.kind);
      const isForAll = correction !== null && correction.kind !== 'also_right';
      const lacksAnswer = given?.kind === 'also_right' && correction === null;
      if ((key && !lacksAnswer) || isForAll) fitting.add(version.version);
      if (!isForAll && version.version !== current.version) {
        toConfirm.push([version, optionsToConfirm(version, current, match, decided, given)]);
      }
    }
  });
  return { fitting, kinds, toConfirm };
}

/** Pairs of options to confirm, with the number of participants whose paper has them. */
function confirmed(of: readonly (readonly [number, readonly SameOption[]])[]) {
  const found = new Map<string, SameOption & { participants: number }>();
  for (const [participants, pairs] of of) {
    if (participants === 0) continue;
    for (const pair of pairs) {
      const key = JSON.stringify([pair.before, pair.now]);
      const sum = participants + (found.get(key)?.participants ?? 0);
      found.set(key, { ...pair, participants: sum });
    }
  }
  return [...found.values()];
}

/** The given correction, with the ids of options; `null`: none, `undefined`: every version keeps its own. */
function correctionOf(
  { version }: QuestionView,
  { correction }: How,
): Correction | null | undefined {
  if (!correction) return undefined;
  if (correction.kind === 'key') return null;
  if (correction.kind !== 'also_right') return correction;
  const places = correction.options.map((text) => version.optionTexts.indexOf(text));
  const wrong = !hasOneRightOption(version)
    ? t(
        /* “another one”: a further right option */ 'server.results.onlyOneRight',
        'Only a question that is all or nothing, with one right option, can have another one beside it',
      )
    : places.includes(-1)
      ? t('server.results.optionGone', 'The question no longer has this option. Reload the page')
      : null;
  if (wrong !== null) {
    const issues = [{ path: 'correction', message: wrong }];
    throw new AppError('INVALID_INPUT', { message: wrong, issues });
  }
  return { kind: 'also_right', optionIds: places.map((place) => version.optionIds[place] ?? 0) };
}

function presentCorrection(
  { optionIds, optionTexts }: QuestionVersionRow,
  correction: Correction,
): Rescoring['correction'] {
  if (correction.kind !== 'also_right') return correction;
  const options = optionTexts.filter((_, i) => correction.optionIds.includes(optionIds[i] ?? 0));
  return { kind: 'also_right', options };
}

/** Whether the question is worth more than "right or wrong, one mark", which is all some attempts count. */
function hasOwnPoints({ details }: QuestionView['version']): boolean {
  return details !== null && (details.points !== 1 || details.rule !== 'all_or_nothing');
}

type Action = 'question.rescored' | 'participant.rescored';

/** Rescores as `rescoreQuestion` does; with an id for the work it goes on when the caller leaves. */
async function rescoreAsWork(
  ctx: BaseContext,
  command: Command<Action>,
  adminId: string,
  quizId: string | null,
  questionId: string,
  { work: id, ...how }: How,
): Promise<Rescoring> {
  const run = (work?: LongWork) =>
    command((write) => rescoreQuestion(ctx, write, quizId, questionId, how, work));
  if (id === undefined) return run();
  if (quizId !== null && !(await isUsedIn(ctx.db, questionId, quizId))) {
    throw new AppError('NOT_FOUND');
  }
  const kind = how.dryRun ? ('scores.check' as const) : ('scores.correct' as const);
  const begun = { id, adminId, kind, name: '', quizId, questionId, total: null };
  return doLongWork(ctx, begun, async (work) => {
    const rescoring = await run(work);
    // The transaction of a dry run is rolled back.
    if (how.dryRun) await work.finish(ctx.db, countsOf(rescoring), ctx.clock.now());
    return rescoring;
  });
}

export function scoringHandlers(ctx: BaseContext) {
  return {
    rescoreQuestion: ({ params: { id, questionId }, body, command, session: { adminId } }) =>
      rescoreAsWork(ctx, command, adminId, id, questionId, body),
    rescoreBankQuestion: ({ params, body, command, session: { adminId } }) =>
      rescoreAsWork(ctx, command, adminId, null, params.id, body),
  } satisfies Handlers;
}
