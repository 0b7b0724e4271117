import { SESSION_LIMITS } from '@invigil/core/domain/limits';
import { codeValidUntil } from '@invigil/core/domain/one-time-code';
import { t } from '@invigil/core/texts/i18n';
import { momentText } from '@invigil/core/texts/moments';
import type { BaseContext } from '../../app-context.ts';
import { ALONE, Batches } from '../../db/batches.ts';
import { inBatch, type Tx } from '../../db/database.ts';
import { isDatabaseAway, timeoutOf } from '../../db/database-away.ts';
import { newId } from '../../db/new-id.ts';
import {
  findCounting,
  hasAttempt,
  listInvitationsWithAttempt,
  type ParticipantView,
} from '../../db/queries/attempts/attempts.ts';
import { setParticipantSession } from '../../db/queries/attempts/changes.ts';
import { insertRepeatedEvent } from '../../db/queries/attempts/events.ts';
import { lockCurrentParticipant } from '../../db/queries/attempts/locks.ts';
import { notifyAttempts } from '../../db/queries/attempts/news.ts';
import {
  type Accommodations,
  type CodeHolder,
  findCodeHolders,
  type GivenCode,
  listLiveCodes,
  lockFreeInvitations,
  lockInvitation,
  setCodeSessions,
} from '../../db/queries/codes.ts';
import { findQuiz, listQuizzesById, type QuizView } from '../../db/queries/quizzes.ts';
import { withTimesOf } from '../../db/queries/schedules.ts';
import { type CandidateSession, replaceSessions } from '../../db/queries/session-changes.ts';
import { inTransaction } from '../../db/transaction.ts';
import { AppError } from '../../runtime/app-error.ts';
import { hashSessionToken, newSessionToken } from '../../security/secrets/tokens.ts';
import { expiryOf } from '../attempts/start-and-end/begin-attempts.ts';
import { findRetake, openingAfterWait } from '../attempts/start-and-end/retakes.ts';
import type { AccountParts, CodeSignIns, SignedIn } from './signed-in.ts';

const MOST_LOOKED_UP = 200;
const MOST_OPENED = 100;
const DAY_MS = 86_400_000;
const TIMEOUT = timeoutOf(12_000, 'a sign-in waited too long');

type InvitationRow = NonNullable<Awaited<ReturnType<typeof lockInvitation>>>;

interface Opening {
  holder: CodeHolder;
  now: Date;
}

/**
 * Sign-ins with shared lookups and commits, as many candidates sign in within the same minute and a
 * transaction each costs five times as much.
 */
export function openCodeSignIns(ctx: Pick<BaseContext, 'config' | 'db' | 'keys'>): CodeSignIns {
  const lookups = new Batches<GivenCode, CodeHolder | undefined>({
    keyOf: ({ codeHash }) => codeHash.toString('base64'),
    most: MOST_LOOKED_UP,
    isForAll: isDatabaseAway,
    timeout: TIMEOUT,
    run: (given) => inBatch(ctx.db, (tx) => findCodeHolders(tx, given)),
  });
  const openings = new Batches<Opening, SignedIn>({
    keyOf: ({ holder }) => holder.invitationId,
    most: MOST_OPENED,
    isForAll: isDatabaseAway,
    timeout: TIMEOUT,
    run: (some) => inBatch(ctx.db, (tx) => openFirst(tx, ctx, some)),
    alone: (opening) => inTransaction(ctx.db, (tx) => openAny(tx, ctx, opening)),
  });
  return {
    findHolder: (given) => lookups.add(given),
    open: (holder, now) => openings.add({ holder, now }),
    openResult: (holder, now) =>
      inTransaction(ctx.db, (tx) => openResult(tx, ctx, { holder, now })),
  };
}

/** Sign-ins before the first start with a fresh code, which is nearly all of them. */
async function openFirst(
  tx: Tx,
  ctx: Pick<BaseContext, 'config' | 'keys'>,
  openings: Opening[],
): Promise<(SignedIn | typeof ALONE)[]> {
  const ids = openings.map(({ holder }) => holder.invitationId);
  const invitations = await lockFreeInvitations(tx, ids);
  // Checked again under the lock: a code may have been revoked since its lookup.
  const live = await listLiveCodes(
    tx,
    openings.map(({ holder }) => holder.codeId),
  );
  const begun = await listInvitationsWithAttempt(tx, ids);
  const quizIds = new Set(openings.map(({ holder }) => holder.quizId));
  const quizzes = new Map((await listQuizzesById(tx, [...quizIds])).map((quiz) => [quiz.id, quiz]));
  const opened: Opened[] = [];
  const answers = openings.map((opening) => {
    const { codeId, invitationId } = opening.holder;
    const invitation = invitations.get(invitationId);
    if (!invitation || !live.has(codeId)) return ALONE;
    const known = quizzes.get(opening.holder.quizId);
    const quiz = known && withTimesOf(known, invitation);
    if (begun.has(invitationId) || endOf(opening, quiz) !== null) return ALONE;
    const accommodations = accommodationsOf(invitation);
    const found = { quiz, attempt: undefined, accommodations, isFirst: true as const };
    const { session, answer } = newSession(ctx, opening, found);
    opened.push({ holder: opening.holder, session });
    return answer;
  });
  if (opened.length > 0) await openSessions(tx, opened);
  return answers;
}

/** Any sign-in, with every rule: also those that wait for a lock, take over or are refused. */
async function openAny(
  tx: Tx,
  ctx: Pick<BaseContext, 'config' | 'keys'>,
  opening: Opening,
): Promise<SignedIn> {
  const { holder, now } = opening;
  const invitation = await lockLive(tx, ctx, holder);
  const attempt = await lockCurrentParticipant(tx, holder.userId, holder.quizId);
  const known = await findQuiz(tx, holder.quizId);
  const quiz = known && withTimesOf(known, invitation);
  const hasEnded = attempt && attempt.status !== 'in_progress';
  const retake = hasEnded ? await findRetake(tx, quiz, holder, now) : null;
  const isOver = attempt && (hasEnded || isLate(opening, attempt));
  if (isOver && retake === null) {
    const isDismissed = attempt.status === 'dismissed';
    throw new AppError(
      'ALREADY_COMPLETED',
      isDismissed ? { details: { status: 'dismissed' } } : {},
    );
  }
  // An attempt that was replaced had been started: the code works for the next one at any age.
  const endedAt = attempt ? null : endOf(opening, quiz);
  if (endedAt !== null && !(await hasAttempt(tx, holder.invitationId))) {
    const when = momentText(endedAt.toISOString(), quiz?.timeZone ?? ctx.config.timeZone);
    throw new AppError('CODE_EXPIRED', {
      message: t(
        /* {when} is a date with the time */ 'server.signIn.codeExpired',
        'This one-time password expired on {when}. Ask the person who invited you to send a new one',
        { when },
      ),
    });
  }
  const found = { quiz, attempt, retake, accommodations: accommodationsOf(invitation) };
  const { session, answer } = newSession(ctx, opening, found);
  await openSessions(tx, [{ holder, session }]);
  if (attempt && !hasEnded) {
    // The takeover: after this commit, a save from the older session no longer holds the attempt.
    await setParticipantSession(tx, attempt.id, session.id);
    await insertRepeatedEvent(tx, 'returns', {
      participantId: attempt.id,
      kind: 'signed_in',
      at: now,
    });
    await notifyAttempts(tx, [attempt.id]);
  }
  return answer;
}

/** Locks the invitation of a code and checks the code again. Throws CODE_WITHDRAWN, CODE_REPLACED. */
async function lockLive(
  tx: Tx,
  ctx: Pick<BaseContext, 'config'>,
  { invitationId, codeId }: CodeHolder,
): Promise<InvitationRow> {
  const invitation = await lockInvitation(tx, invitationId);
  if (invitation && (await listLiveCodes(tx, [codeId])).has(codeId)) return invitation;
  throw withdrawnError(ctx, invitation?.revokedAt);
}

/** Signs in to an ended attempt, which the session can only read. */
async function openResult(
  tx: Tx,
  ctx: Pick<BaseContext, 'config' | 'keys'>,
  opening: Opening,
): Promise<SignedIn> {
  const { holder } = opening;
  const invitation = await lockLive(tx, ctx, holder);
  const attempt = await findCounting(tx, holder.userId, holder.quizId);
  if (!attempt || attempt.status === 'in_progress' || !opensResult(holder, attempt)) {
    throw new AppError('NOT_RELEASED');
  }
  const known = await findQuiz(tx, holder.quizId);
  const quiz = known && withTimesOf(known, invitation);
  const accommodations = accommodationsOf(invitation);
  const { session, answer } = newSession(ctx, opening, { quiz, attempt, accommodations });
  await replaceSessions(tx, [session]);
  return answer;
}

/**
 * Whether a code opens the result of an ended attempt. One made by someone who may not see scores does only
 * if its session held the attempt last: a sign-in before the start, which nobody notices, is not enough.
 * Where that session signed out of the attempt, only its code still has one.
 */
export const opensResult = (
  { opensResults, sessionId }: CodeHolder,
  attempt: ParticipantView,
): boolean =>
  opensResults || (sessionId !== null && sessionId === (attempt.sessionId ?? sessionId));

/** Whether a code would take over an attempt that is due and not closed yet, only to open its result. */
const isLate = ({ holder, now }: Opening, attempt: ParticipantView): boolean =>
  !holder.opensResults && now > attempt.closeAt;

interface Opened {
  holder: CodeHolder;
  session: CandidateSession;
}

async function openSessions(tx: Tx, opened: readonly Opened[]): Promise<void> {
  await replaceSessions(
    tx,
    opened.map(({ session }) => session),
  );
  const noted = opened.filter(({ holder }) => !holder.opensResults);
  if (noted.length === 0) return;
  await setCodeSessions(
    tx,
    noted.map(({ holder, session }) => ({ codeId: holder.codeId, sessionId: session.id })),
  );
}

/** Reported only to someone who knows both address and former code, so it reveals nothing new. */
export function withdrawnError(
  { config: { timeZone } }: Pick<BaseContext, 'config'>,
  revokedAt: Date | null | undefined,
): AppError {
  if (!revokedAt) return new AppError('CODE_REPLACED');
  const when = momentText(revokedAt.toISOString(), timeZone);
  return new AppError('CODE_WITHDRAWN', {
    message: t(
      /* {when} is a date with the time */ 'server.signIn.codeRevoked',
      'This one-time password was revoked on {when}. Please ask the person who invited you, or your administrator',
      { when },
    ),
  });
}

function accommodationsOf(invitation: InvitationRow): Accommodations {
  return {
    camera: invitation.cameraEnabled,
    microphone: invitation.microphoneEnabled,
    faceCovered: invitation.faceCovered,
    extraTimeFactor: invitation.extraTimeFactor,
  };
}

/**
 * When a code that is too old stopped working; `null`: it works. After an end date it still signs in: the page
 * then says that the assessment is over.
 */
function endOf({ holder, now }: Opening, quiz: QuizView | undefined): Date | null {
  const { opensAt = null, endDate = null } = quiz ?? {};
  const until = codeValidUntil(holder.codeCreatedAt, { opensAt, endDate });
  return endDate === null && now > until ? until : null;
}

/**
 * The time from which a session waits: someone who signs in during the last day before the opening can stay
 * signed in until then.
 */
function beganWaiting(quiz: QuizView | undefined, now: Date): number {
  const opensAt = quiz?.opensAt?.getTime() ?? 0;
  return opensAt - now.getTime() > DAY_MS ? now.getTime() : Math.max(now.getTime(), opensAt);
}

/** The row of a session, and the reply to its holder. */
function newSession(
  ctx: Pick<BaseContext, 'config' | 'keys'>,
  { holder, now }: Opening,
  found: AccountParts,
): { session: CandidateSession; answer: SignedIn } {
  const id = newId();
  const token = newSessionToken();
  const { invitationId, userId, quizId, email } = holder;
  const { attempt, retake = null } = found;
  const quiz = found.quiz && openingAfterWait(found.quiz, retake, now);
  const isTaken = attempt && retake === null;
  const expiresAt = isTaken
    ? attempt.status === 'in_progress'
      ? expiryOf(attempt.closeAt)
      : new Date(now.getTime() + SESSION_LIMITS.candidateResultMs)
    : new Date(beganWaiting(quiz, now) + SESSION_LIMITS.candidateBeforeStartMs);
  return {
    session: {
      id,
      tokenHash: hashSessionToken(ctx.keys.sessions, token),
      invitationId,
      now,
      expiresAt,
    },
    answer: {
      token,
      found,
      session: {
        kind: 'participant',
        id,
        invitationId,
        userId,
        quizId,
        email,
        expiresAt,
        endedAt: null,
        endReason: null,
      },
    },
  };
}
