import { SESSION_LIMITS } from '@invigil/core/domain/limits';
import { expect } from 'vitest';
import { newId } from '../../server/src/db/new-id.ts';
import type { Reply } from '../app.ts';
import { AttemptModel, type Change, type Detected } from './model.ts';
import { onTheWire, type Play } from './play.ts';
import type { StepOf } from './steps.ts';

const BY_ANOTHER = { questionId: '', selectedOption: '', isFlagged: true, revision: 1_000_000 };

/** Any number of concurrent starts: one attempt (I1), the running one, or the right refusal. */
export async function start(play: Play, { times }: StepOf<'start'>): Promise<void> {
  if (!play.isSignedIn) await signIn(play);
  const { current } = play;
  const body = { quizId: play.scene.quizId };
  const replies = await Promise.all(
    Array.from({ length: times }, () => play.ask('startParticipant', { body })),
  );
  const seen = replies.filter((r) => r !== undefined);
  if (seen.length === 0) return;
  if (current?.isOpen(play.now)) {
    for (const reply of seen) {
      expect(reply).toMatchObject({ status: 200, body: { id: current.id } });
      play.sees(current, reply.body.remainingMs);
    }
  } else if (current) {
    play.afterwards(current, () => current.endIfDue(play.now));
    for (const reply of seen) expectRefusal(reply, 403, 'ALREADY_COMPLETED');
  } else if (play.isRevoked) {
    for (const reply of seen) expectRefusal(reply, 401, 'NOT_SIGNED_IN');
  } else if (!play.mayBegin) {
    for (const reply of seen) expectRefusal(reply, 403, 'QUIZ_INACTIVE');
  } else if (play.notTogether !== null) {
    for (const reply of seen) expectRefusal(reply, 403, play.notTogether);
  } else {
    await begin(play, seen);
  }
}

/** The next attempt by the rule, as often as it is asked for: the named one is followed once (I1). */
export async function retake(play: Play, { times }: StepOf<'retake'>): Promise<void> {
  const { current } = play;
  if (!current?.ended) return;
  if (!play.isSignedIn) await signIn(play);
  const replies = await Promise.all(
    Array.from({ length: times }, () =>
      play.ask('startParticipant', { body: { retakes: current.id } }),
    ),
  );
  const seen = replies.filter((r) => r !== undefined);
  if (seen.length === 0) return;
  const from = play.retakeFrom;
  const refuse = (status: number, code: string) => {
    for (const reply of seen) expectRefusal(reply, status, code);
  };
  if (play.isRevoked) return refuse(401, 'NOT_SIGNED_IN');
  if (from === null) return refuse(403, 'ALREADY_COMPLETED');
  if (!play.isQuizOpen) return refuse(403, 'QUIZ_INACTIVE');
  if (play.now < from) return refuse(403, 'NOT_OPEN_YET');
  return begin(play, seen);
}

async function begin(play: Play, replies: Reply[]): Promise<void> {
  const statuses = replies.map((r) => r.status).sort();
  expect(statuses).toEqual([...replies.slice(1).map(() => 200), 201]);
  const facts = replies.map(({ body }) => `${body.id} ${body.startedAt} ${body.deadlineAt}`);
  expect(new Set(facts).size).toBe(1);
  const body = replies[0]?.body;
  expect(Date.parse(body.startedAt)).toBe(play.now);
  const before = play.attempts.at(-1);
  const again = before?.replaced === 'reinstate' ? before : undefined;
  const { endDate, duration } = play.times;
  const full = play.now + duration * 60_000;
  const attempt = new AttemptModel({
    id: body.id,
    number: play.attempts.length + 1,
    startedAt: play.now,
    deadlineAt: again ? play.now + again.left : Math.min(full, endDate ?? full),
    paper: again?.paper ?? (await newPaper(play)),
    keys: again?.keys ?? new Map(play.questions.map((q) => [q.id, q.correctAnswer])),
    answers: again?.answers ?? new Map(),
    breaks: again?.breaks ?? play.breaks,
  });
  for (const other of play.attempts) other.replaced ??= 'retake';
  play.attempts.push(attempt);
  play.sessionFollows(attempt);
  for (const reply of replies) play.sees(attempt, reply.body.remainingMs);
}

/** All questions, or as many as the quiz requests, each with its own options (I18). */
async function newPaper(play: Play) {
  const paper = await readPaper(play);
  expect(paper).toHaveLength(Math.min(5, play.questions.length));
  expect(new Set(paper.map((q) => q.id)).size).toBe(paper.length);
  for (const q of paper) {
    const source = play.questions.find((other) => other.id === q.id);
    expect([...q.options].sort()).toEqual([...(source?.options ?? [])].sort());
  }
  return paper;
}

async function readPaper(play: Play): Promise<{ id: string; options: string[] }[]> {
  const reply = await play.call('listQuestions', {
    as: play.session.cookie,
    params: { id: play.scene.quizId },
    query: { forAssessment: 'true' },
  });
  expect(reply.status).toBe(200);
  expect(reply.text).not.toMatch(/correctAnswer|isCorrect|score/i);
  return reply.body.map((q: { id: string; options: string[] }) => ({
    id: q.id,
    options: q.options,
  }));
}

export async function save(play: Play, { rows }: StepOf<'save'>): Promise<void> {
  const { current } = play;
  if (current) await deliver(play, current, play.changes(current, rows));
}

/** The last save is repeated, as when its reply was lost (I7). */
export async function replay(play: Play): Promise<void> {
  const { current } = play;
  if (current?.lastSave) await deliver(play, current, current.lastSave);
}

/** Two changes of a question arrive in reverse order (I8). */
export async function reorder(play: Play, { first, second }: StepOf<'reorder'>): Promise<void> {
  const { current } = play;
  if (!current) return;
  const [earlier, later] = [first, second].map((row, i) =>
    play.changes(current, [{ ...row, question: first.question, step: i + 1 }]),
  );
  if (!earlier || !later) return;
  await deliver(play, current, later);
  await deliver(play, current, earlier);
}

async function deliver(play: Play, attempt: AttemptModel, changes: Change[]): Promise<void> {
  const params = { id: attempt.id };
  const reply = await play.ask('saveAnswers', { params, body: { answers: onTheWire(changes) } });
  if (!reply) return;
  const outcome = attempt.save(changes, play.now);
  if (outcome === 'late') expectRefusal(reply, 403, 'ATTEMPT_CLOSED');
  else if (outcome === 'conflict') expectRefusal(reply, 409, 'REVISION_CONFLICT');
  else {
    expect(reply.status).toBe(200);
    play.sees(attempt, reply.body.remainingMs);
    attempt.lastSave = changes;
  }
}

/** A set of saves and the end; repetitions get the identical reply (I9, I10). */
export async function submit(play: Play, { rows, claimsAuto }: StepOf<'submit'>): Promise<void> {
  const { current } = play;
  if (!current) return;
  const changes = play.changes(current, rows);
  const answers = onTheWire(changes).map((a) => ({ participantId: current.id, ...a }));
  // Claims of a browser are ignored (I11).
  const participant = {
    status: 'completed',
    score: 999,
    timeSpent: 1,
    submissionType: claimsAuto ? 'auto' : 'manual',
  };
  const params = { id: current.id };
  const reply = await play.ask('submitParticipant', { params, body: { answers, participant } });
  if (!reply) return;
  const outcome = play.afterwards(current, () => current.submit(changes, claimsAuto, play.now));
  if (outcome === 'conflict') return expectRefusal(reply, 409, 'REVISION_CONFLICT');
  expect(reply.status).toBe(200);
  expect(reply.text).not.toMatch(/score|isCorrect|correctAnswer|totalMarks/);
  current.submitted ??= reply.text;
  expect(reply.text).toBe(current.submitted);
}

/** Signs in again where the attempt can continue: the older session ends (I16, I17, I22). */
export async function signIn(play: Play): Promise<void> {
  const [code] = play.codes;
  if (code === undefined) return;
  const body = { email: play.scene.email, password: code };
  const reply = await play.call('login', { body });
  const { current } = play;
  if (current?.ended && !play.mayReturn) return expectRefusal(reply, 403, 'ALREADY_COMPLETED');
  expect(reply.status).toBe(200);
  const older = play.session;
  const waitsUntil = Math.max(play.now, play.retakeFrom ?? 0);
  play.session = {
    cookie: reply.cookie ?? '',
    since: play.now,
    until: waitsUntil + SESSION_LIMITS.candidateBeforeStartMs,
  };
  if (!current || current.ended) return;
  play.sessionFollows(current);
  if (play.now >= older.until) return;
  const answers = [{ ...BY_ANOTHER, questionId: current.paper[0]?.id }];
  const late = await play.call('saveAnswers', {
    as: older.cookie,
    params: { id: current.id },
    body: { answers },
  });
  expectRefusal(late, 401, 'SESSION_REPLACED');
}

/** A replaced or revoked code fails at once (I22), with the respective reason. */
export async function signInDead(play: Play): Promise<void> {
  const password = play.deadCodes.at(-1);
  if (password === undefined) return;
  const reply = await play.call('login', { body: { email: play.scene.email, password } });
  expect(reply.status).toBe(401);
  expect(['CODE_WITHDRAWN', 'CODE_REPLACED']).toContain(reply.body.code);
}

/** Someone else, and the same person with a replaced attempt, can change nothing (I23). */
export async function strangers(play: Play): Promise<void> {
  const attempt = play.attempts.at(-1);
  if (!attempt) return;
  await expectNoAccess(play, attempt, play.stage.stranger);
}

export async function saveReplaced(play: Play): Promise<void> {
  const replaced = play.attempts.find((a) => a.isSetAside);
  if (replaced && play.isSignedIn) await expectNoAccess(play, replaced, play.session.cookie);
  // One that was followed by rule keeps its reply (I10).
  const followed = play.attempts.slice(0, -1).find((a) => a.replaced === 'retake');
  if (!followed || !play.isSignedIn) return;
  const again = { params: { id: followed.id }, body: { answers: [] } };
  const reply = await play.call('submitParticipant', { as: play.session.cookie, ...again });
  expect(reply.status).toBe(200);
  followed.submitted ??= reply.text;
  expect(reply.text).toBe(followed.submitted);
}

async function expectNoAccess(play: Play, attempt: AttemptModel, as: string): Promise<void> {
  const answers = [{ ...BY_ANOTHER, questionId: attempt.paper[0]?.id }];
  const input = { as, params: { id: attempt.id } };
  const replies = [
    await play.call('saveAnswers', { ...input, body: { answers } }),
    await play.call('submitParticipant', { ...input, body: { answers } }),
    await play.call('listAnswers', input),
    await play.call('askForHelp', { ...input, body: { handUp: true } }),
    await play.call('takeBreak', { ...input, body: { onBreak: true } }),
    await play.call('giveFeedback', { as, body: { participantId: attempt.id, emoji: 'sad' } }),
  ];
  for (const reply of replies) expectRefusal(reply, 404, 'NOT_FOUND');
}

export async function heartbeat(play: Play): Promise<void> {
  const { current } = play;
  if (!current) return;
  const reply = await play.ask('heartbeat', { params: { id: current.id }, body: { seq: 1 } });
  if (!reply) return;
  const { ended, shownViolations: violationCount } = current;
  const status = !ended ? 'in_progress' : ended.type === 'dismissed' ? 'dismissed' : 'completed';
  expect(reply).toMatchObject({ status: 200, body: { status, violationCount } });
  if (!current.ended) play.sees(current, reply.body.remainingMs);
}

/** The hand goes up or down; nothing else of the attempt changes. */
export async function hand(play: Play, { handUp }: StepOf<'hand'>): Promise<void> {
  const { current } = play;
  if (!current) return;
  const reply = await play.ask('askForHelp', { params: { id: current.id }, body: { handUp } });
  if (!reply) return;
  if (!current.isOpen(play.now)) return expectRefusal(reply, 403, 'ATTEMPT_CLOSED');
  expect(reply).toMatchObject({ status: 200, body: { handUp } });
  current.handUp = handUp;
}

/** A break begins or ends; a pause is not the candidate's. */
export async function takeBreak(play: Play, { onBreak }: StepOf<'takeBreak'>): Promise<void> {
  const { current } = play;
  if (!current) return;
  const reply = await play.ask('takeBreak', { params: { id: current.id }, body: { onBreak } });
  if (!reply) return;
  if (!current.isOpen(play.now)) return expectRefusal(reply, 403, 'ATTEMPT_CLOSED');
  const isPaused = current.isPaused(play.now);
  if ((!isPaused || current.isBreak) && isPaused !== onBreak) {
    const { left, ms } = current.breaks;
    if (onBreak && (left === 0 || ms === 0)) return expectRefusal(reply, 409, 'NO_BREAK_LEFT');
    const until = play.now + (onBreak ? ms : 0);
    if (!current.pause(until, play.now, onBreak)) return expectRefusal(reply, 409, 'NOT_RUNNING');
    if (onBreak) current.breaks = { left: left - 1, ms: 0 };
    play.sessionFollows(current);
  }
  expect(reply.status).toBe(200);
  expect(reply.body.pause !== undefined).toBe(current.isPaused(play.now));
  play.sees(current, reply.body.remainingMs);
}

/** One feedback, within ten minutes after the end (I25). */
export async function feedback(play: Play, { emoji }: StepOf<'feedback'>) {
  const { current } = play;
  if (!current) return;
  const reply = await play.ask('giveFeedback', { body: { participantId: current.id, emoji } });
  if (!reply) return;
  if (!current.takesFeedback(play.now)) expectRefusal(reply, 403, 'FEEDBACK_CLOSED');
  else if (current.feedback !== null) expectRefusal(reply, 409, 'FEEDBACK_GIVEN');
  else {
    expect(reply.status).toBe(201);
    current.feedback = emoji;
  }
}

/**
 * Checks what the candidate reads: while the attempt runs the same paper and every acknowledged value
 * (I6, I18), afterwards only the end (I16).
 */
export async function read(play: Play): Promise<void> {
  const { current } = play;
  if (!current || !play.isSignedIn) return;
  const params = { id: current.id };
  const reply = await play.call('listAnswers', { as: play.session.cookie, params });
  if (!current.isOpen(play.now)) {
    expectRefusal(reply, 403, 'ATTEMPT_CLOSED');
    const questions = await play.call('listQuestions', {
      as: play.session.cookie,
      params: { id: play.scene.quizId },
      query: { forAssessment: 'true' },
    });
    return expectRefusal(questions, 403, 'ATTEMPT_CLOSED');
  }
  expect(await readPaper(play)).toEqual(current.paper);
  const found = reply.body.map(
    (a: { questionId: string; selectedOption: string; isFlagged: boolean; revision: number }) =>
      [
        a.questionId,
        { option: a.selectedOption, flag: a.isFlagged, revision: a.revision },
      ] as const,
  );
  const expected = [...current.answers].map(([q, { savedAt: _, ...shown }]) => [q, shown] as const);
  expect(new Map(found)).toEqual(new Map(expected));
}

export function expectRefusal(reply: Reply, status: number, code: string): void {
  expect({ status: reply.status, code: reply.body?.code }).toEqual({ status, code });
}

/** The page detects several things, one right after the other (I14, I15). */
export async function detect(play: Play, { types }: StepOf<'detect'>): Promise<void> {
  for (const type of types) await report(play, type, newId());
}

/** The last report is repeated, as when its reply was lost: it gets the first reply (I14). */
export async function detectAgain(play: Play): Promise<void> {
  const { current } = play;
  if (!current?.lastReport) return;
  const { id, type, answer } = current.lastReport;
  const reply = await play.ask('reportViolation', bodyOf(current.id, type, id));
  if (!reply) return;
  expect({ status: reply.status, text: reply.text }).toEqual({ status: 200, text: answer });
}

async function report(play: Play, type: Detected, id: string): Promise<void> {
  const { current } = play;
  if (!current) return;
  const reply = await play.ask('reportViolation', bodyOf(current.id, type, id));
  if (!reply) return;
  if (!current.isOpen(play.now)) return expectRefusal(reply, 403, 'ATTEMPT_CLOSED');
  const counted = current.detect(type, play.now);
  const { shownViolations: violationCount } = current;
  expect(reply).toMatchObject({ status: 201, body: { id, counted, violationCount } });
  current.lastReport = { id, type, answer: reply.text };
}

/** The specification's counter: it is displayed, and never ends an attempt. */
export async function count(play: Play): Promise<void> {
  const { current } = play;
  if (!current) return;
  const reply = await play.ask('countViolation', { params: { id: current.id } });
  if (!reply) return;
  if (!current.isOpen(play.now)) return expectRefusal(reply, 403, 'ATTEMPT_CLOSED');
  if (!current.isPaused(play.now)) current.calls += 1;
  expect(reply.body).toEqual({ violationCount: current.shownViolations });
}

function bodyOf(participantId: string, violationType: Detected, id: string) {
  return { body: { participantId, violationType, id } };
}
