import { PAUSE_LIMITS } from '@invigil/core/domain/limits';
import { expect } from 'vitest';
import { newId } from '../../server/src/db/new-id.ts';
import { recordAlive } from '../../server/src/db/queries/liveness.ts';
import { closeDueParticipants } from '../../server/src/jobs/close-due-participants.ts';
import { recordAliveAndRecover } from '../../server/src/jobs/liveness/liveness.ts';
import { expectRefusal } from './candidate-steps.ts';
import type { Play } from './play.ts';
import type { StepOf } from './steps.ts';

const REASON = { reason: 'as the sequence says' };

/** Time passes while the service is up and its closing job lags behind. */
export async function wait(play: Play, { ms }: { ms: number }): Promise<void> {
  const { app } = play.stage;
  app.clock.advance({ ms });
  await recordAlive(app.context.db, app.clock.now());
}

/** All running attempts are ended by the clock. */
export async function waitForTheEnd(play: Play): Promise<void> {
  const left = (play.current?.closeAt ?? 0) - play.now;
  await wait(play, { ms: Math.max(0, left) + 1 });
  await tick(play, { trusted: true });
}

/** A run of the closing job; while the clock is not trusted it ends nothing (product 4.1). */
export async function tick(
  play: Play,
  { trusted }: Pick<StepOf<'tick'>, 'trusted'>,
): Promise<void> {
  const { app } = play.stage;
  const { current } = play;
  app.clock.trusted = trusted;
  await recordAliveAndRecover(app.context, app.clock.now());
  await closeDueParticipants(app.context);
  app.clock.trusted = true;
  if (trusted && current) play.afterwards(current, () => current.endIfDue(play.now));
}

/** The database is away, or the service: then another process starts on the same database. */
export async function outage(play: Play, { ms, restart }: StepOf<'outage'>): Promise<void> {
  const { app } = play.stage;
  const { current } = play;
  const aliveUntil = play.now;
  app.clock.advance({ ms });
  if (restart) await app.rebuild();
  if (current && !current.ended) {
    const due = current.closeAt;
    current.outage(aliveUntil, play.now);
    if (current.closeAt !== due) play.sessionFollows(current);
  }
  await tick(play, { trusted: true });
}

/** Later starts use the edit; a running or ended attempt is not affected (I2, I18). */
export async function edit(play: Play, step: StepOf<'edit'>): Promise<void> {
  const { duration, isActive, options } = step;
  play.stage.retire(play.scene.quizId);
  const endDate = step.endsIn === null ? null : play.now + step.endsIn;
  const params = { id: play.scene.quizId };
  const edited = await play.administrate('updateQuiz', {
    params,
    body: {
      ...play.stage.settings,
      duration,
      isActive,
      endDate: endDate === null ? null : new Date(endDate).toISOString(),
    },
  });
  expect(edited.status).toBe(200);
  play.quiz = { duration, isActive, endDate };
  const [first, ...others] = play.questions;
  if (!first) return;
  const changed = { question: 'Changed', options, correctAnswer: options[0] ?? '' };
  const reply = await play.administrate('updateQuestion', {
    params: { ...params, questionId: first.id },
    body: changed,
  });
  expect(reply.status).toBe(200);
  play.questions = [{ id: first.id, ...changed }, ...others];
}

/** All start together by the button, or each when they like; attempts are not affected. */
export async function together(play: Play, { late }: StepOf<'together'>): Promise<void> {
  play.stage.retire(play.scene.quizId);
  const { duration, isActive, endDate } = play.quiz;
  const reply = await play.administrate('updateQuiz', {
    params: { id: play.scene.quizId },
    body: {
      ...{ ...play.stage.settings, duration, isActive },
      endDate: endDate === null ? null : new Date(endDate).toISOString(),
      startTogether: late === null ? null : { by: 'button', lateMinutes: late },
    },
  });
  expect(reply.status).toBe(200);
  play.together = late === null ? null : late * 60_000;
}

/** An invigilator starts all who wait: for good, and again for those who were late. */
export async function press(play: Play): Promise<void> {
  const reply = await play.administrate('startTogether', {
    params: { id: play.scene.quizId },
    body: { group: null },
  });
  const { together, startedAt, now } = play;
  const { isActive, endDate } = play.quiz;
  if (together === null) return expectRefusal(reply, 409, 'NO_COMMON_START');
  if (!isActive || (endDate !== null && now >= endDate)) {
    return expectRefusal(reply, 409, 'NOT_OPEN_FOR_START');
  }
  if (startedAt !== null && now < startedAt + together) {
    return expectRefusal(reply, 409, 'STARTED_ALREADY');
  }
  expect(reply.status).toBe(200);
  play.startedAt = now;
}

export async function extend(play: Play, { minutes }: StepOf<'extend'>): Promise<void> {
  const { current } = play;
  if (!current) return;
  const input = { params: { id: current.id }, body: { minutes, ...REASON } };
  const reply = await play.administrate('extendParticipant', input);
  if (!current.isOpen(play.now) || current.closeReason !== 'auto') {
    return expectRefusal(reply, 409, 'NOT_RUNNING');
  }
  expect(reply.status).toBe(200);
  current.extend(minutes, play.now);
  play.sessionFollows(current);
}

/** A message puts the hand down. */
export async function message(play: Play): Promise<void> {
  const { current } = play;
  if (!current) return;
  const input = { params: { id: current.id }, body: { text: 'as the sequence says' } };
  const reply = await play.administrate('sendMessage', input);
  if (!current.isOpen(play.now)) return expectRefusal(reply, 409, 'NOT_RUNNING');
  expect(reply.status).toBe(201);
  current.handUp = false;
}

/** The clock stands still, for some minutes or until somebody says so. */
export async function pause(play: Play, { minutes }: StepOf<'pause'>): Promise<void> {
  const ms = minutes === null ? PAUSE_LIMITS.longestMs : minutes * 60_000;
  const action = { kind: 'pause', ...(minutes === null ? {} : { minutes }) };
  await stopClock(play, action, play.now + ms);
}

export async function resume(play: Play): Promise<void> {
  await stopClock(play, { kind: 'resume' }, null);
}

async function stopClock(play: Play, action: object, until: number | null): Promise<void> {
  const { current } = play;
  if (!current) return;
  const body = { id: newId(), ids: [current.id], action, ...REASON };
  const reply = await play.administrate('applyToMany', { body });
  expect(reply.status).toBe(200);
  const isOpen = current.isOpen(play.now);
  const isDone = isOpen && (until === null ? true : current.pause(until, play.now));
  if (isOpen && until === null && current.isPaused(play.now)) current.pause(play.now, play.now);
  expect(reply.body.done).toEqual(isDone ? [current.id] : []);
  if (!isDone) expect(reply.body.refused).toMatchObject([{ code: 'NOT_RUNNING' }]);
  else if (current.pausedMs > 0) play.sessionFollows(current);
}

export async function endNow(play: Play): Promise<void> {
  const { current } = play;
  if (!current) return;
  const reply = await play.administrate('endParticipant', {
    params: { id: current.id },
    body: REASON,
  });
  if (!current.isOpen(play.now)) return expectRefusal(reply, 409, 'NOT_RUNNING');
  expect(reply.status).toBe(200);
  current.endNow(play.now);
}

/** A rule for retakes; which attempt counts stays once someone has relied on it. */
export async function rule(play: Play, { retakes }: StepOf<'rule'>): Promise<void> {
  play.stage.retire(play.scene.quizId);
  const { duration, isActive, endDate } = play.quiz;
  const reply = await play.administrate('updateQuiz', {
    params: { id: play.scene.quizId },
    body: {
      ...{ ...play.stage.settings, duration, isActive, retakes },
      endDate: endDate === null ? null : new Date(endDate).toISOString(),
    },
  });
  const isOther = (retakes?.counts ?? 'last') !== (play.rule?.counts ?? 'last');
  if (isOther && play.attempts.some((a) => a.replaced === 'retake')) {
    return expectRefusal(reply, 409, 'TAKEN_AGAIN');
  }
  expect(reply.status).toBe(200);
  play.rule = retakes;
}

/** Another attempt or a reinstated one, created when the candidate next enters (product 4.2). */
export async function replace(
  play: Play,
  { how, minutes, ofCounting }: StepOf<'replace'>,
): Promise<void> {
  const latest = play.attempts.at(-1);
  const attempt = ofCounting ? play.counting : latest;
  if (!attempt) return;
  const reply = await play.administrate('replaceParticipant', {
    params: { id: attempt.id },
    body: { how, ...REASON, ...(minutes !== null && how === 'reinstate' ? { minutes } : {}) },
  });
  const isFollowed = how === 'reinstate' && attempt !== latest;
  if (attempt.isSetAside || isFollowed) return expectRefusal(reply, 409, 'ALREADY_REPLACED');
  if (!attempt.ended) return expectRefusal(reply, 409, 'STILL_RUNNING');
  // Minutes reinstate an attempt in spite of the end.
  const added = how === 'reinstate' ? minutes : null;
  const isOpen = play.isQuizOpen && (how === 'reinstate' || !play.isTooLate);
  if (!isOpen && !(play.quiz.isActive && added !== null)) {
    return expectRefusal(reply, 409, 'QUIZ_NOT_OPEN');
  }
  expect(reply.status).toBe(200);
  attempt.replaced = how;
  attempt.replacedAt = play.now;
  attempt.added = (added ?? 0) * 60_000;
  play.settle();
}

/** Times for the person alone, before the start; running attempts keep theirs. */
export async function ownTimes(
  play: Play,
  { endsIn, startsIn, minutes, attempts, breaks }: StepOf<'ownTimes'>,
): Promise<void> {
  const endDate = endsIn === null ? undefined : play.now + endsIn;
  const startBy =
    startsIn === null || endsIn === null ? undefined : play.now + Math.min(startsIn, endsIn);
  const times = {
    ...(endDate === undefined
      ? {}
      : {
          window: {
            ...{ opensAt: null, endDate: new Date(endDate).toISOString() },
            ...(startBy === undefined ? {} : { startBy: new Date(startBy).toISOString() }),
          },
        }),
    ...(minutes === null ? {} : { minutes }),
    ...(attempts === null ? {} : { attempts }),
  };
  const reply = await play.administrate('updateInvitation', {
    params: { id: play.scene.invitationId },
    body: { ownTimes: Object.keys(times).length === 0 ? null : times, breaks, ...REASON },
  });
  const { current } = play;
  if (current && !(current.ended && play.rule)) {
    return expectRefusal(reply, 409, 'ALREADY_STARTED');
  }
  expect(reply.status).toBe(200);
  play.breaks = { left: breaks?.count ?? 0, ms: (breaks?.minutes ?? 0) * 60_000 };
  play.own = {
    ...(endDate === undefined ? {} : { endDate }),
    ...(startBy === undefined ? {} : { startBy }),
    ...(minutes === null ? {} : { minutes }),
    ...(attempts === null ? {} : { attempts }),
  };
}

/** A new code: beside the earlier ones while the attempt runs, else instead of them (I22). */
export async function resend(play: Play): Promise<void> {
  const { current } = play;
  const reply = await play.administrate('resendInvitations', invitation(play));
  const isFresh = current ? play.retakeFrom !== null : true;
  const mayBegin = current ? play.isQuizOpen : play.mayBegin;
  if (isFresh && !mayBegin) return expectRefusal(reply, 409, 'QUIZ_NOT_OPEN');
  expect(reply.status).toBe(200);
  if (current?.ended && !isFresh) return;
  if (isFresh) play.deadCodes.push(...play.codes.splice(0));
  play.codes.push(await play.stage.newestCode(play.scene.invitationId));
  play.isRevoked = false;
}

/** Codes fail at once, and sessions before the start end; a started attempt continues (I22). */
export async function revoke(play: Play): Promise<void> {
  const reply = await play.administrate('revokeInvitations', invitation(play));
  expect(reply.status).toBe(200);
  play.deadCodes.push(...play.codes.splice(0));
  const { since } = play.session;
  const took = play.attempts.some((a) => !a.isSetAside && (a.ended?.submittedAt ?? since) >= since);
  if (!play.isRevoked && !took) play.session.until = play.now;
  play.isRevoked = true;
}

function invitation(play: Play) {
  return { params: { id: play.scene.quizId }, body: { ids: [play.scene.invitationId] } };
}
