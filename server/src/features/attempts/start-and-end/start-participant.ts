import { commonStartOf, hasGroupStarts, whyNotTogether } from '@invigil/core/domain/common-start';
import { type ConsentTo, consentAskedBy, coversConsent } from '@invigil/core/domain/consent';
import { ATTEMPT_LIMITS } from '@invigil/core/domain/limits';
import { isSetAside, ONCE, type Retake, retakeAfter } from '@invigil/core/domain/retakes';
import type { BaseContext } from '../../../app-context.ts';
import { ALONE, Batches } from '../../../db/batches.ts';
import { inBatch, type Tx } from '../../../db/database.ts';
import { isDatabaseAway, timeoutOf } from '../../../db/database-away.ts';
import {
  findCurrentParticipant,
  findParticipant,
  listInvitationsWithAttempt,
  listParticipantsById,
  type ParticipantView,
} from '../../../db/queries/attempts/attempts.ts';
import { recordReturn, setParticipantSession } from '../../../db/queries/attempts/changes.ts';
import { insertRepeatedEvent } from '../../../db/queries/attempts/events.ts';
import { lockAttemptsOf, lockParticipant } from '../../../db/queries/attempts/locks.ts';
import { countViolations } from '../../../db/queries/attempts/violations.ts';
import { lockFreeInvitations, lockInvitation } from '../../../db/queries/codes.ts';
import { getPolicy, lockFreeQuizzes, lockQuiz, type QuizRow } from '../../../db/queries/quizzes.ts';
import { withTimesOf } from '../../../db/queries/schedules.ts';
import { setSessionExpiry } from '../../../db/queries/session-changes.ts';
import { isSessionLive, listLiveSessions } from '../../../db/queries/sessions.ts';
import { listGroupsOf } from '../../../db/queries/waiting.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { AppError } from '../../../runtime/app-error.ts';
import { ASSESSMENTS, MONITORING_POLICIES, requireGenuine } from '../../../trust/row-kinds.ts';
import { changeSealed, RESULTS } from '../../../trust/sealed-kinds.ts';
import { canContinue, hasOpened, isQuizOpen } from '../../assessments/present-quiz.ts';
import { openDraw } from '../../assessments/questions/open-draw.ts';
import { contradictionOf, isPhoneRefused, recordDevice } from '../device.ts';
import { policyFor } from '../present.ts';
import { raiseFlag } from '../store-violation.ts';
import {
  type AttemptStarts,
  type Beginning,
  beginAttempts,
  beginNew,
  expiryOf,
  reinstate,
  type Start,
  type StartDetails,
  type Started,
} from './begin-attempts.ts';
import { closeParticipants } from './close-participants.ts';
import { leaveBehind, openingAfterWait } from './retakes.ts';

/** An operator has to free space first. */
const DISK_LOW_SECONDS = 60;
/** Most attempts that begin in one commit: some 2,000 paper rows. */
const MOST_STARTS = 50;
const TIMEOUT_MS = 12_000;

type InvitationRow = NonNullable<Awaited<ReturnType<typeof lockInvitation>>>;
type Context = Pick<BaseContext, 'config' | 'db' | 'keys' | 'trust'> & { disk: { isLow: boolean } };

/** Starts in group commits, as many candidates begin within the same minute. */
export function openAttemptStarts(ctx: Context): AttemptStarts {
  const batches = new Batches<Start, Started>({
    keyOf: ({ session }) => session.invitationId,
    most: MOST_STARTS,
    isForAll: isDatabaseAway,
    timeout: timeoutOf(TIMEOUT_MS, 'a start waited too long'),
    run: (starts) =>
      ctx.disk.isLow
        ? Promise.resolve(starts.map(() => ALONE))
        : inBatch(ctx.db, (tx) => startFirst(tx, ctx, starts)),
    alone: (start) => startAny(ctx, start),
  });
  return { start: (start) => batches.add(start) };
}

/** First starts without an obstacle, which is nearly all of them; the others are left to `startAny`. */
async function startFirst(
  tx: Tx,
  ctx: Context,
  starts: Start[],
): Promise<(Started | typeof ALONE)[]> {
  const ids = starts.map(({ session }) => session.invitationId);
  const invitations = await lockFreeInvitations(tx, ids);
  // Checked again under the lock: a newer sign-in may have replaced the session.
  const live = await listLiveSessions(
    tx,
    starts.map(({ session }) => session.id),
  );
  const begun = await listInvitationsWithAttempt(tx, ids);
  const fresh = starts.flatMap((start) => {
    const { id, invitationId } = start.session;
    const invitation = invitations.get(invitationId);
    const mayBegin = start.resumes === undefined && !begun.has(invitationId);
    const isFresh = mayBegin && invitation?.revokedAt === null && live.has(id);
    return isFresh ? [{ start, invitation }] : [];
  });
  // A resume needs no data of the assessment.
  const quizzes = await readQuizzes(
    tx,
    ctx,
    fresh.map(({ start }) => start.session.quizId),
  );
  const groupsOf = await readGroups(tx, [...quizzes.values()], ids);
  const first = fresh.flatMap(({ start, invitation }) => {
    const of = quizzes.get(start.session.quizId);
    const beginning = beginningOf(of, start, invitation, FIRST, groupsOf);
    return typeof beginning === 'string' ? [] : [{ ...start, beginning, invitation }];
  });
  if (first.length === 0) return starts.map(() => ALONE);
  const attempts = await listParticipantsById(tx, await beginAttempts(tx, first));
  const started = new Map(attempts.map((attempt) => [attempt.invitationId, attempt]));
  for (const { session, details, now } of first) {
    await flagContradiction(tx, started.get(session.invitationId), details, now);
  }
  return starts.map(({ session }) => {
    const attempt = started.get(session.invitationId);
    return attempt ? { isNew: true, attempt } : ALONE;
  });
}

/**
 * The assessments that are about to begin, locked against changes. Those being changed are missing, and those
 * changed outside of Invigil, whose starts are refused alone.
 */
async function readQuizzes(tx: Tx, ctx: Context, ids: string[]) {
  const found = new Map<string, Awaited<ReturnType<typeof readQuiz>>>();
  if (ids.length === 0) return found;
  for (const quiz of await lockFreeQuizzes(tx, [...new Set(ids)])) {
    if (ASSESSMENTS.isWhole(ctx.keys.integrity, quiz)) {
      found.set(quiz.id, await readQuiz(tx, ctx, quiz));
    }
  }
  return found;
}

/** The assessment with the draw and the policy that a start follows. Throws CHANGED_OUTSIDE. */
async function readQuiz(tx: Tx, ctx: Context, quiz: QuizRow) {
  requireGenuine(ctx, ASSESSMENTS, quiz);
  return {
    quiz,
    draw: await openDraw(tx, quiz),
    policySettings: await readPolicy(tx, ctx, quiz.id, quiz.policyVersion),
  };
}

type Groups = ReadonlyMap<string, readonly string[]>;

/** The groups of the people of some invitations, where a common start depends on them. */
async function readGroups(
  tx: Tx,
  read: readonly { quiz: QuizRow }[],
  invitationIds: readonly string[],
): Promise<Groups> {
  const areNeeded = read.some(({ quiz }) => hasGroupStarts(quiz));
  return areNeeded ? listGroupsOf(tx, invitationIds) : new Map();
}

/** The settings of one version of a policy. Throws CHANGED_OUTSIDE. */
async function readPolicy(tx: Tx, ctx: Context, quizId: string, version: number): Promise<unknown> {
  const policy = await getPolicy(tx, quizId, version);
  requireGenuine(ctx, MONITORING_POLICIES, policy);
  return policy.settings;
}

/** Any start, with every rule: also resumed, reinstated and refused ones. */
async function startAny(ctx: Context, start: Start): Promise<Started> {
  const { session } = start;
  const outcome = await inTransaction(ctx.db, async (tx) => {
    // Before the invitation, as who changes its times locks both; a page that resumes waits for no such change.
    const isFirst = !(await findCurrentParticipant(tx, session.userId, session.quizId));
    const mayBegin = isFirst || start.retakes !== undefined;
    const quiz = mayBegin ? await lockQuiz(tx, session.quizId, 'share') : undefined;
    const invitation = await lockInvitation(tx, session.invitationId);
    if (!invitation) throw new AppError('NOT_FOUND');
    if (!(await isSessionLive(tx, session.id))) throw new AppError('SESSION_REPLACED');
    const current = await findCurrentParticipant(tx, session.userId, session.quizId);
    // After a replacement a page that tries again would otherwise begin another one unasked.
    if (start.resumes !== undefined && start.resumes !== current?.id) {
      throw new AppError('NOT_FOUND');
    }
    if (current) {
      const outcome = await resume(tx, ctx, start, current);
      if (outcome !== 'ended' || start.retakes === undefined) return outcome;
    }
    // Revoked during the session: a running attempt continues, but no new one begins.
    if (invitation.revokedAt !== null) throw new AppError('NOT_SIGNED_IN');
    if (ctx.disk.isLow) throw new AppError('DISK_LOW', { retryAfterSeconds: DISK_LOW_SECONDS });
    const known = mayBegin ? quiz : await lockQuiz(tx, session.quizId, 'share');
    return begin(tx, ctx, known, start, invitation);
  });
  if (outcome === 'ended') throw new AppError('ALREADY_COMPLETED');
  const attempt = await findCurrentParticipant(ctx.db, session.userId, session.quizId);
  if (!attempt) throw new Error('an attempt was started but not found');
  return { isNew: outcome !== 'resumed', hasAnswers: outcome === 'again', attempt };
}

async function resume(
  tx: Tx,
  ctx: Pick<BaseContext, 'config' | 'keys' | 'trust'>,
  { session, details, now }: Start,
  current: ParticipantView,
) {
  await lockParticipant(tx, current.id);
  const locked = await findCurrentParticipant(tx, session.userId, session.quizId);
  if (locked?.status !== 'in_progress') return 'ended';
  if (now > locked.closeAt) {
    // Due, and the closing job has not run yet: this call closes it.
    await closeParticipants(tx, ctx, [{ attempt: locked, how: 'due', now }]);
    return 'ended';
  }
  if (locked.sessionId !== session.id) {
    await setParticipantSession(tx, locked.id, session.id);
    await setSessionExpiry(tx, [session.id], expiryOf(locked.closeAt));
  }
  await recordDevice(tx, locked, details.device, now);
  await flagContradiction(tx, locked, details, now);
  const gap = gapSince(locked.lastSeenAt, now);
  if (gap) await insertRepeatedEvent(tx, 'returns', { participantId: locked.id, ...gap });
  await recordReturn(tx, locked.id, now, gap !== undefined);
  await insertRepeatedEvent(tx, 'returns', { participantId: locked.id, kind: 'resumed', at: now });
  return 'resumed';
}

async function begin(
  tx: Tx,
  ctx: Context,
  quiz: QuizRow | undefined,
  start: Start,
  invitation: InvitationRow,
): Promise<'started' | 'again' | 'ended'> {
  const { session, details, now } = start;
  const attempts = await lockAttemptsOf(tx, [session]);
  const before = attempts.at(-1);
  const { retakes } = quiz ? withTimesOf(quiz, invitation) : { retakes: null };
  const retake = retakeAfter(attempts, retakes ?? ONCE);
  // One that has ended and stands is followed only by rule, and only where the page asks for just that.
  const isFollowed = before === undefined || isSetAside(before);
  if (!isFollowed && (retake === null || retake.after !== start.retakes)) return 'ended';
  const isAgain = before?.replacedHow === 'reinstate';
  const readNew = async () => {
    const isOpen = quiz && isQuizOpen(withTimesOf(quiz, invitation), now);
    const read = isOpen ? await readQuiz(tx, ctx, quiz) : undefined;
    const groupsOf = await readGroups(tx, read ? [read] : [], [invitation.id]);
    const next = { number: (before?.attempt ?? 0) + 1, retake };
    return beginningOf(read, start, invitation, next, groupsOf);
  };
  const beginning =
    quiz && isAgain ? await beginAgain(tx, ctx, quiz, before, start, invitation) : await readNew();
  if (typeof beginning === 'string') throw new AppError(beginning);
  const counting = attempts.filter(({ replacedAt }) => replacedAt === null);
  const ids = counting.map(({ id }) => id);
  await changeSealed(tx, ctx.keys.integrity, RESULTS, ids, () => leaveBehind(tx, counting, now));
  const [id = ''] = await beginAttempts(tx, [{ ...start, beginning, invitation }]);
  if (contradictionOf(details) !== null) {
    await flagContradiction(tx, await findParticipant(tx, id), details, now);
  }
  return isAgain ? 'again' : 'started';
}

/** Which attempt begins, and whether it follows another one by rule. */
interface Next {
  number: number;
  retake: Retake | null;
}

const FIRST: Next = { number: 1, retake: null };

type Refusal = 'QUIZ_INACTIVE' | 'NOT_OPEN_YET' | 'CAMERA_REQUIRED';

/** A new attempt at an assessment, or the code of the error that refuses it. */
function beginningOf(
  of: Awaited<ReturnType<typeof readQuiz>> | undefined,
  { details, now }: Start,
  invitation: InvitationRow,
  { number, retake }: Next,
  groupsOf: Groups,
): Beginning | Refusal | 'NOT_STARTED_YET' | 'TOO_LATE' | 'NO_QUESTIONS' | 'CONSENT_OUTDATED' {
  const quiz = of && openingAfterWait(withTimesOf(of.quiz, invitation), retake, now);
  if (!quiz || !isQuizOpen(quiz, now)) return 'QUIZ_INACTIVE';
  if (!hasOpened(quiz, now)) return 'NOT_OPEN_YET';
  const together = commonStartOf(quiz, groupsOf.get(invitation.id) ?? [], now);
  const notTogether = whyNotTogether(together, number, now);
  if (notTogether !== null) return notTogether;
  if (!of.draw) return 'NO_QUESTIONS';
  if (isPhone(details) && isPhoneRefused(of.policySettings, invitation)) return 'CAMERA_REQUIRED';
  if (exceedsConsent(of.policySettings, invitation, details.consentTo)) return 'CONSENT_OUTDATED';
  return beginNew(quiz, of.draw(), invitation, number, now);
}

/** A reinstated attempt follows the policy that was agreed to when it began. */
async function beginAgain(
  tx: Tx,
  ctx: Context,
  quiz: QuizRow,
  before: ParticipantView,
  { details, now }: Start,
  invitation: InvitationRow,
): Promise<Beginning | Refusal> {
  requireGenuine(ctx, ASSESSMENTS, quiz);
  const timed = withTimesOf(quiz, invitation);
  if (!canContinue(timed, before, now)) return 'QUIZ_INACTIVE';
  if (!hasOpened(timed, now)) return 'NOT_OPEN_YET';
  const settings = await readPolicy(tx, ctx, quiz.id, before.policyVersion);
  if (isPhone(details) && isPhoneRefused(settings, invitation)) return 'CAMERA_REQUIRED';
  return reinstate(tx, before, now);
}

/** A device that contradicts itself is flagged, once per attempt (docs/proctoring.md). */
async function flagContradiction(
  tx: Tx,
  attempt: ParticipantView | undefined,
  details: StartDetails,
  now: Date,
): Promise<void> {
  const type = 'device_contradiction';
  const notes = contradictionOf(details);
  if (!attempt || notes === null || (await countViolations(tx, attempt.id, type)) > 0) return;
  await raiseFlag(tx, attempt, { type, at: now, notes }, now);
}

/** The request shows a phone, or the page reports one: either is enough for a refusal. */
function isPhone(details: StartDetails): boolean {
  return details.device.kind === 'phone' || details.saysMobile;
}

/**
 * The event of a connection gap that ends now, or `undefined` when the browser's last contact was recent.
 * A gap is recorded and never counted (product 6).
 */
export function gapSince(lastSeenAt: Date, now: Date) {
  if (now.getTime() - lastSeenAt.getTime() <= ATTEMPT_LIMITS.connectionGapMs) return undefined;
  return { kind: 'gap' as const, at: now, details: { from: lastSeenAt.toISOString() } };
}

/**
 * Whether an attempt would be monitored more than the person has agreed to, because the policy or the
 * person's exemptions changed after they were read.
 */
function exceedsConsent(
  policySettings: unknown,
  enabled: { cameraEnabled: boolean; microphoneEnabled: boolean },
  agreed: ConsentTo | null,
): boolean {
  const asked = consentAskedBy(policyFor({ policySettings, ...enabled }));
  return agreed !== null && !coversConsent(agreed, asked);
}
