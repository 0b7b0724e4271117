import type { ParsedBodyOf } from '@invigil/core/contract/definition/endpoint';
import type { giveVerdict } from '@invigil/core/contract/review/participant-record';
import {
  acceptsSaves,
  dueTimeAfter,
  dueTimeExtended,
  isPaused,
} from '@invigil/core/domain/attempt';
import { isSetAside } from '@invigil/core/domain/retakes';
import { t } from '@invigil/core/texts/i18n';
import type { BaseContext } from '../../app-context.ts';
import { newId } from '../../db/new-id.ts';
import type { ParticipantView } from '../../db/queries/attempts/attempts.ts';
import { setNote, setVerdict } from '../../db/queries/attempts/changes.ts';
import { setDueTime, setReplaced } from '../../db/queries/attempts/ends.ts';
import { insertParticipantEvent } from '../../db/queries/attempts/events.ts';
import { insertMessage } from '../../db/queries/attempts/messages.ts';
import { notifyAttempts, recordAction } from '../../db/queries/attempts/news.ts';
import { findUser } from '../../db/queries/people.ts';
import { lockQuiz, type QuizRow } from '../../db/queries/quizzes.ts';
import { findTimes, withTimesOf } from '../../db/queries/schedules.ts';
import { setSessionExpiry } from '../../db/queries/session-changes.ts';
import type { Handlers } from '../../http/endpoints.ts';
import { AppError } from '../../runtime/app-error.ts';
import { sealForPerson } from '../../security/person-key.ts';
import type { Write } from '../../sessions/command.ts';
import { changeSealed, RESULTS } from '../../trust/sealed-kinds.ts';
import { isQuizOpen } from '../assessments/present-quiz.ts';
import { lockAttempt, lockWithOthers, requireAttempt } from '../attempts/own-attempt.ts';
import { aboutToEnd, stopClock } from '../attempts/pauses.ts';
import { expiryOf } from '../attempts/start-and-end/begin-attempts.ts';
import { settleCounting } from '../attempts/start-and-end/retakes.ts';
import { raiseFlag } from '../attempts/store-violation.ts';
import { getListed } from './find-participants.ts';

/** Why someone acts, which goes into the audit log. */
export interface Action {
  /** Idempotency key of a bulk action: an attempt that already had it stays as it is. */
  id?: string;
  reason: string;
}

/** Extends an attempt in progress (I2: the only way a deadline moves). Throws NOT_RUNNING. */
export async function extendParticipant(
  ctx: BaseContext,
  write: Write<'participant.extended'>,
  id: string,
  minutes: number,
  action: Action,
) {
  const { tx, now } = write;
  await changeRunning(write, id, action, async (attempt) => {
    const due = dueTimeExtended(attempt, minutes, now);
    if (!due) throw aboutToEnd();
    await setDueTime(tx, id, due);
    if (attempt.sessionId !== null) {
      const expiresAt = expiryOf(due.closeAt);
      await setSessionExpiry(tx, [attempt.sessionId], expiresAt);
    }
    const details = { minutes };
    await insertParticipantEvent(tx, { participantId: id, kind: 'extended', at: now, details });
    await audit(ctx, write, 'participant.extended', attempt, action, details);
  });
}

/**
 * Stops the clock of an attempt until a moment, or changes when it goes on. Throws NOT_RUNNING.
 *
 * @param action its reason is shown to the candidate while the clock stands still
 * @param until at most `PAUSE_LIMITS.longestMs` from now
 */
export function pauseParticipant(
  ctx: BaseContext,
  write: Write<'participant.paused'>,
  id: string,
  until: Date,
  action: Action,
) {
  const { tx, now } = write;
  return changeRunning(write, id, action, async (attempt) => {
    await stopClock(tx, attempt, { until, now }, action.reason);
    const details = { until: until.toISOString() };
    await insertParticipantEvent(tx, { participantId: id, kind: 'paused', at: now, details });
    await audit(ctx, write, 'participant.paused', attempt, action, details);
  });
}

/** Lets the clock of an attempt go on; nothing where it runs. Throws NOT_RUNNING. */
export function resumeParticipant(
  ctx: BaseContext,
  write: Write<'participant.resumed'>,
  id: string,
  action: Action,
) {
  const { tx, now } = write;
  return changeRunning(write, id, action, async (attempt) => {
    if (!isPaused(attempt, now)) return;
    await stopClock(tx, attempt, { until: now, now }, null);
    await insertParticipantEvent(tx, { participantId: id, kind: 'clock_resumed', at: now });
    await audit(ctx, write, 'participant.resumed', attempt, action);
  });
}

/**
 * Ends an attempt in ten seconds, so that the browser can send its pending changes. Throws
 * NOT_RUNNING.
 */
export async function endParticipant(
  ctx: BaseContext,
  write: Write<'participant.ended'>,
  id: string,
  action: Action & { message?: string | undefined },
) {
  const { tx, now } = write;
  await changeRunning(write, id, action, async (attempt) => {
    const due = dueTimeAfter(attempt, 'database', now);
    // Already due earlier, or already being ended: the attempt does not change (I4).
    if (due.closeAt >= attempt.closeAt) return;
    await setDueTime(tx, id, due);
    const { message: text } = action;
    const message = text === undefined ? null : { id: newId(), participantId: id, text, at: now };
    if (message !== null) await insertMessage(tx, message);
    const details = message === null ? {} : { message: message.id };
    await insertParticipantEvent(tx, { participantId: id, kind: 'ending', at: now, details });
    await raiseFlag(tx, attempt, { type: 'ended_by_person', at: now }, now);
    await audit(ctx, write, 'participant.ended', attempt, action, details);
  });
}

/**
 * "Allow another attempt" and "Reinstate": marks the ended row; the next attempt is created when
 * the candidate next enters (product 4.2). Refused where no next attempt is possible: the result
 * would leave lists and reports, and no later record would lead to it. A revoked invitation is
 * resent only afterwards: someone who has completed the assessment is sent none. Where the person has
 * other attempts by the rule of the assessment, one of those counts in the meantime.
 *
 * Throws NOT_FOUND, STILL_RUNNING, ALREADY_REPLACED, PERSON_ERASED, QUIZ_NOT_OPEN.
 *
 * @param minutes of `reinstate`: added to the time that was left
 */
export async function replaceParticipant(
  ctx: BaseContext,
  write: Write<'participant.another_attempt' | 'participant.reinstated'>,
  id: string,
  { how, minutes }: { how: 'another' | 'reinstate'; minutes?: number | undefined },
  action: Action,
) {
  const { tx, now } = write;
  const added = (how === 'reinstate' && minutes) || null;
  const details = added === null ? {} : { minutes: added };
  // Keeps the quiz from being closed until commit. Locked before the attempt: while someone edits
  // the quiz, only this call waits, not the candidate's.
  const quiz = await lockQuiz(tx, (await requireAttempt(tx, id)).quizId, 'share');
  const { attempt, all } = await lockWithOthers(tx, id);
  if (attempt.status === 'in_progress') throw new AppError('STILL_RUNNING');
  const latest = all.at(-1);
  const isFollowed = latest?.status === 'in_progress' || (how === 'reinstate' && latest?.id !== id);
  if (isSetAside(attempt) || isFollowed) throw new AppError('ALREADY_REPLACED');
  // No race with an erasure: it locks all attempts of the person first.
  if ((await findUser(tx, attempt.userId))?.email == null) throw new AppError('PERSON_ERASED');
  const times = await findTimes(tx, attempt.invitationId);
  requireOpen(quiz && times && withTimesOf(quiz, times), { how, added }, now);
  await changeSealed(tx, ctx.keys.integrity, RESULTS, [id], () =>
    setReplaced(tx, [id], how, added, now),
  );
  await settleCounting(tx, ctx, [attempt], now);
  const event = { participantId: id, kind: 'replaced', at: now } as const;
  await insertParticipantEvent(tx, { ...event, details: { how, ...details } });
  const name = how === 'another' ? 'participant.another_attempt' : 'participant.reinstated';
  await audit(ctx, write, name, attempt, action, details);
}

/**
 * Stores the note of an attempt. Throws NOT_FOUND; STALE with the stored note in its details.
 *
 * @param change `from`: the note that was edited (optimistic lock); without it the last write wins
 */
export async function noteParticipant(
  { tx, record }: Write<'participant.noted'>,
  id: string,
  { note, from }: { note: string; from?: string | undefined },
) {
  const { note: stored } = await lockAttempt(tx, id);
  // A repeated request, or the same text from both: nothing is lost.
  if (from !== undefined && stored !== from && stored !== note) {
    throw new AppError('STALE', { details: { note: stored } });
  }
  await setNote(tx, id, note);
  await record('participant.noted', ['participant', id], { characters: note.length });
}

async function changeRunning(
  { tx, now }: Pick<Write<never>, 'tx' | 'now'>,
  id: string,
  { id: actionId }: Action,
  change: (attempt: ParticipantView) => Promise<void>,
) {
  const attempt = await lockAttempt(tx, id);
  if (actionId !== undefined && !(await recordAction(tx, actionId, id, now))) return;
  if (!acceptsSaves(attempt.status, attempt.closeAt, now)) throw new AppError('NOT_RUNNING');
  await change(attempt);
  await notifyAttempts(tx, [id]);
}

/**
 * An attempt can be reinstated after the end date, with minutes that say how long it then has.
 *
 * @param quiz with the person's times; `undefined`: archived
 */
function requireOpen(
  quiz: QuizRow | undefined,
  { how, added }: { how: 'another' | 'reinstate'; added: number | null },
  now: Date,
): void {
  const refusal = (message: string) => new AppError('QUIZ_NOT_OPEN', { message });
  if (!quiz) {
    throw refusal(
      t(
        'server.attempt.quizDeleted',
        'This assessment was deleted, so there can be no further attempt',
      ),
    );
  }
  if (!quiz.isActive) {
    throw refusal(
      t('server.attempt.quizInactive', 'This assessment is inactive. Activate it first'),
    );
  }
  // A reinstated attempt has been started: a latest start does not concern it.
  const isBeforeEnd = isQuizOpen({ ...quiz, startBy: null }, now);
  const isInTime = how === 'reinstate' ? isBeforeEnd : isQuizOpen(quiz, now);
  if (isInTime || added !== null) return;
  if (isBeforeEnd) {
    throw refusal(
      t(
        /* “it”: the time */ 'server.attempt.startOver',
        'The latest time to start this assessment has passed. Move it first',
      ),
    );
  }
  if (how === 'reinstate') {
    throw refusal(
      t(
        /* “it”: the date */ 'server.attempt.overAddMinutes',
        'The end date of this assessment has passed. Add minutes, or move it',
      ),
    );
  }
  throw refusal(
    t(
      /* “it”: the date */ 'server.attempt.quizOver',
      'The end date of this assessment has passed. Move it first',
    ),
  );
}

/** The reason may contain personal data, so it is sealed with the person's key (product 9). */
async function audit<Name extends string>(
  ctx: BaseContext,
  { tx, record }: Write<Name>,
  name: Name,
  { id, userId }: ParticipantView,
  action: Action,
  details: object = {},
) {
  const reason = await sealForPerson(tx, ctx, userId, action.reason);
  await record(name, ['participant', id], { reason, ...details });
}

export function actionHandlers(ctx: BaseContext) {
  return {
    async extendParticipant({ params: { id }, body, command, sees, now }) {
      await command((write) => extendParticipant(ctx, write, id, body.minutes, body));
      return await getListed(ctx, sees, id, now);
    },

    async endParticipant({ params: { id }, body, command, sees, now }) {
      await command((write) => endParticipant(ctx, write, id, body));
      return await getListed(ctx, sees, id, now);
    },

    async replaceParticipant({ params: { id }, body, command, sees, now }) {
      await command((write) => replaceParticipant(ctx, write, id, body, body));
      return await getListed(ctx, sees, id, now);
    },

    async giveVerdict({ params, body, session, command, now }) {
      await command((write) => recordVerdict(ctx, write, params.id, body));
      return {
        verdict: body.verdict,
        note: body.note,
        at: now.toISOString(),
        adminEmail: session.email,
      };
    },

    async noteParticipant({ params, body, command }) {
      await command((write) => noteParticipant(write, params.id, body));
      return { note: body.note };
    },
  } satisfies Handlers;
}

/**
 * Records a reviewer's verdict on an ended attempt. The latest one counts; each is in the audit
 * log, its note sealed with the person's key. Throws NOT_FOUND, STILL_RUNNING,
 * and STALE for another verdict than `before`.
 */
export async function recordVerdict(
  ctx: BaseContext,
  { tx, actor, now, record, requireRead }: Write<'participant.verdict_recorded'>,
  id: string,
  { verdict, note }: Pick<ParsedBodyOf<typeof giveVerdict>, 'verdict' | 'note'>,
): Promise<void> {
  const { attempt } = await lockWithOthers(tx, id);
  if (attempt.status === 'in_progress') throw new AppError('STILL_RUNNING');
  const stored = attempt.verdict && { verdict: attempt.verdict, note: attempt.verdictNote };
  // A repeated request, or the same one from both: nothing is lost.
  requireRead(stored, { verdict, note });
  const change = { verdict, verdictNote: note, verdictAt: now, verdictBy: actor.id };
  await changeSealed(tx, ctx.keys.integrity, RESULTS, [id], () => setVerdict(tx, id, change));
  if (attempt.verdict !== verdict) await settleCounting(tx, ctx, [attempt], now);
  const reason = note === '' ? null : await sealForPerson(tx, ctx, attempt.userId, note);
  const details = { verdict, before: attempt.verdict, ...(reason ? { reason } : {}) };
  await record('participant.verdict_recorded', ['participant', id], details);
}
