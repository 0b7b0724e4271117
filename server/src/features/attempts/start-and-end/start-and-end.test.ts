import { ATTEMPT_LIMITS } from '@invigil/core/domain/limits';
import { STRICT_POLICY } from '@invigil/core/domain/violations/violation-policy';
import { startTestDatabase, type TestDatabase, testConfig } from '@invigil/testkit/app';
import { silentLog } from '@invigil/testkit/silent-log';
import {
  RUNNING_CLOSE,
  RUNNING_DEADLINE,
  type StoredInvited,
  type StoredQuiz,
  type StoredRunning,
  storeInvited,
  storeQuiz,
  storeRunning,
} from '@invigil/testkit/stored';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { BaseContext } from '../../../app-context.ts';
import { type Database, inTransaction, openDatabase } from '../../../db/database.ts';
import { newId } from '../../../db/new-id.ts';
import type { ParticipantSession } from '../../../db/queries/sessions.ts';
import type { Config } from '../../../runtime/config.ts';
import { deriveKeys } from '../../../security/keys.ts';
import { TrustRoot } from '../../../trust/trust-root.ts';
import { PaperCache } from '../paper/paper-cache.ts';
import type { AttemptStarts, StartDetails } from './attempt-work.ts';
import { closeParticipants } from './close-participants.ts';
import { openAttemptStarts } from './start-participant.ts';
import { openAttemptSubmits, type Submit, submitParticipant } from './submit-participant.ts';

const NOW = new Date('2026-05-14T08:10:00.000Z');
const at = (minutes: number, ms = 0) => new Date(NOW.getTime() + minutes * 60_000 + ms);
const DETAILS: StartDetails = {
  consentTextVersion: null,
  deviceCheck: null,
  address: '192.0.2.1',
  device: { kind: 'computer' },
  sees: null,
  saysMobile: false,
  consentTo: null,
};

/* The rows that starts and ends write. The tests by name beside this file cover what people see. */
describe('the rows of starts and ends', () => {
  let database: TestDatabase;
  let db: Database;
  let quiz: StoredQuiz;
  let ctx: Parameters<typeof submitParticipant>[0] &
    Pick<BaseContext, 'trust'> & { config: Config; disk: { isLow: boolean } };
  let starts: AttemptStarts;

  beforeAll(async () => {
    database = await startTestDatabase();
    db = openDatabase(database.pool);
  });
  afterAll(() => database.stop());
  beforeEach(async () => {
    quiz = await storeQuiz(database.pool);
    const keys = deriveKeys('a secret for tests that nobody else uses');
    const config = testConfig();
    const trust = new TrustRoot(config.dataDir, keys.integrity, silentLog);
    const attemptSubmits = openAttemptSubmits({ config, db, keys, trust });
    const papers = new PaperCache(db, 1_000_000);
    ctx = { config, db, keys, papers, trust, attemptSubmits, disk: { isLow: false } };
    starts = openAttemptStarts(ctx);
  });

  const query = async (text: string, ...values: unknown[]) =>
    (await database.pool.query(text, values)).rows;
  const sessionOf = (one: StoredInvited): ParticipantSession => ({
    kind: 'participant',
    id: one.sessionId,
    invitationId: one.invitationId,
    userId: one.userId,
    quizId: quiz.quizId,
    email: 'c@example.org',
    expiresAt: RUNNING_CLOSE,
    endedAt: null,
    endReason: null,
  });
  const attemptsOf = (one: StoredInvited) =>
    query('select * from participants where user_id = $1 order by attempt', one.userId);
  const row = async ({ participantId }: StoredRunning) =>
    (await query('select * from participants where id = $1', participantId))[0];
  const eventsOf = (id: string) =>
    query(
      'select kind, at, details from participant_events where participant_id = $1 order by kind',
      id,
    );
  const expiryOf = async ({ sessionId }: StoredInvited) =>
    (await query('select expires_at from sessions where id = $1', sessionId))[0]?.expires_at;
  const store = (one: StoredRunning, question: number, optionId: number | null, revision: number) =>
    query(
      `insert into answers (participant_id, question_id, id, option_id, is_flagged, revision,
         created_at, saved_at) values ($1, $2, $3, $4, false, $5, $6, $6)`,
      one.participantId,
      quiz.questionIds[question],
      newId(),
      optionId,
      revision,
      NOW,
    );
  const answersOf = async (id: string) =>
    (
      await query(
        `select question_id, option_id, is_flagged, revision from answers
         where participant_id = $1 order by question_id`,
        id,
      )
    ).map((r) => [quiz.questionIds.indexOf(r.question_id), r.option_id, r.is_flagged, r.revision]);
  const requireCamera = () =>
    query('update quiz_policies set settings = $2 where quiz_id = $1', quiz.quizId, {
      ...STRICT_POLICY,
      cameraRequired: true,
    });

  describe('a start', () => {
    let invited: StoredInvited;
    beforeEach(async () => {
      invited = await storeInvited(database.pool, quiz);
    });
    const start = (change: Partial<StartDetails> = {}, now = NOW, one = invited) =>
      starts.start({ session: sessionOf(one), details: { ...DETAILS, ...change }, now });

    it.each([
      ['QUIZ_INACTIVE', 'update quizzes set is_active = false where id = $1'],
      ['NO_QUESTIONS', 'update questions set deleted_at = now() where quiz_id = $1'],
      ['NOT_SIGNED_IN', 'update invitations set revoked_at = now() where quiz_id = $1'],
      [
        'SESSION_REPLACED',
        `update sessions set ended_at = now(), end_reason = 'replaced'
         where invitation_id in (select id from invitations where quiz_id = $1)`,
      ],
    ])('refused with %s writes no row', async (code, change) => {
      await query(change, quiz.quizId);
      await expect(start()).rejects.toMatchObject({ code });
      expect(await attemptsOf(invited)).toEqual([]);
    });

    it('for an unknown invitation is refused', async () => {
      await expect(start({}, NOW, { ...invited, invitationId: newId() })).rejects.toMatchObject({
        code: 'NOT_FOUND',
      });
    });

    it('from a phone is refused where a camera is required', async () => {
      await requireCamera();
      for (const details of [{ device: { kind: 'phone' as const } }, { saysMobile: true }]) {
        await expect(start(details)).rejects.toMatchObject({ code: 'CAMERA_REQUIRED' });
      }
      expect(await attemptsOf(invited)).toEqual([]);
      expect((await start()).isNew).toBe(true);
    });

    it('writes one complete row, a paper and an event, and extends the session', async () => {
      const { isNew, attempt } = await start();
      expect(isNew).toBe(true);
      const [made, ...others] = await attemptsOf(invited);
      expect(others).toEqual([]);
      expect(made).toMatchObject({
        id: attempt.id,
        invitation_id: invited.invitationId,
        quiz_id: quiz.quizId,
        attempt: 1,
        replaced_at: null,
        replaced_how: null,
        status: 'in_progress',
        policy_version: 1,
        total_marks: 3,
        started_at: NOW,
        deadline_at: at(30),
        close_at: at(30, ATTEMPT_LIMITS.graceMs),
        close_reason: 'auto',
        submitted_at: null,
        submission_type: null,
        score: null,
        answered_count: null,
        receipt_id: null,
        session_id: invited.sessionId,
        last_seen_at: NOW,
        monitor_at: NOW,
        counted_violations: 0,
        violation_calls: 0,
        fullscreen_exits: 0,
        tab_switches: 0,
        is_phone: false,
        consent_text_version: null,
        consent_at: null,
        consent_address: null,
        device_check: null,
        note: '',
        message_count: 0,
      });
      const paper = await query(
        'select * from paper_questions where participant_id = $1 order by position',
        attempt.id,
      );
      expect(paper.map((p) => p.position)).toEqual([1, 2, 3]);
      expect(paper.map((p) => p.question_id).sort()).toEqual(quiz.questionIds);
      expect(await eventsOf(attempt.id)).toEqual([{ kind: 'started', at: NOW, details: null }]);
      expect(await expiryOf(invited)).toEqual(at(45, ATTEMPT_LIMITS.graceMs));
      expect(await answersOf(attempt.id)).toEqual([]);
    });

    it('records consent, device and phone', async () => {
      const deviceCheck = { camera: 'granted' };
      await start({ consentTextVersion: '2', deviceCheck, device: { kind: 'phone' } });
      expect((await attemptsOf(invited))[0]).toMatchObject({
        consent_text_version: '2',
        consent_at: NOW,
        consent_address: '192.0.2.1',
        device_check: deviceCheck,
        is_phone: true,
      });
    });

    it.each([
      ['extra time', 'update invitations set extra_time_factor = 1.5', at(45)],
      ['the end of the quiz', `update quizzes set end_date = '2026-05-14T08:20:00Z'`, at(10)],
      [
        'running past the end of the quiz where allowed',
        `update quizzes set end_date = '2026-05-14T08:20:00Z', finish_after_end = true`,
        at(30),
      ],
    ])('sets a deadline that respects %s', async (_, change, deadlineAt) => {
      await query(change);
      expect((await start()).attempt.deadlineAt).toEqual(deadlineAt);
    });

    it('draws a different order for each attempt', async () => {
      const orders = new Set<string>();
      for (let i = 0; i < 12; i += 1) {
        const one = await storeInvited(database.pool, quiz);
        const { attempt } = await start({}, NOW, one);
        const drawn = 'select question_id, option_order from paper_questions';
        const paper = await query(
          `${drawn} where participant_id = $1 order by position`,
          attempt.id,
        );
        orders.add(JSON.stringify(paper));
      }
      expect(orders.size).toBeGreaterThan(6);
    });
  });

  describe('a resume', () => {
    let running: StoredRunning;
    beforeEach(async () => {
      running = await storeRunning(database.pool, quiz);
      await query(
        'update participants set last_seen_at = $2 where id = $1',
        running.participantId,
        at(0, -1_000),
      );
    });
    const resume = (change: Partial<StartDetails> = {}, now = NOW) =>
      starts.start({ session: sessionOf(running), details: { ...DETAILS, ...change }, now });

    it('returns the same attempt with its times, and records the return', async () => {
      const before = await row(running);
      const expiry = await expiryOf(running);
      const { isNew, attempt } = await resume();
      expect([isNew, attempt.id]).toEqual([false, running.participantId]);
      expect(await row(running)).toEqual({
        ...before,
        last_seen_at: NOW,
        monitor_at: NOW,
        checks_stalled_since: NOW,
        device: DETAILS.device,
        used_computer: true,
      });
      expect(await expiryOf(running)).toEqual(expiry);
      expect(await eventsOf(attempt.id)).toEqual([{ kind: 'resumed', at: NOW, details: null }]);
    });

    it('continues although the invitation was revoked', async () => {
      await query(
        'update invitations set revoked_at = $2 where id = $1',
        running.invitationId,
        NOW,
      );
      expect((await resume()).isNew).toBe(false);
    });

    it('records how long the candidate was away', async () => {
      const from = at(-5);
      await query(
        'update participants set last_seen_at = $2 where id = $1',
        running.participantId,
        from,
      );
      await resume();
      expect(await eventsOf(running.participantId)).toEqual([
        { kind: 'gap', at: NOW, details: { from: from.toISOString() } },
        { kind: 'resumed', at: NOW, details: null },
      ]);
    });

    it('moves the attempt to the newer session and extends that session', async () => {
      const newer = newId();
      await query(
        `update sessions set ended_at = $2, end_reason = 'replaced' where id = $1`,
        running.sessionId,
        NOW,
      );
      await query(
        `insert into sessions (id, token_hash, invitation_id, created_at, last_seen_at, expires_at)
         values ($1, $2, $3, $4, $4, $4)`,
        newer,
        Buffer.from(newer),
        running.invitationId,
        NOW,
      );
      running = { ...running, sessionId: newer };
      await resume();
      expect(await row(running)).toMatchObject({ session_id: newer });
      expect(await expiryOf(running)).toEqual(new Date(RUNNING_CLOSE.getTime() + 15 * 60_000));
    });

    it('on a phone reports it and flags the missing camera once per move', async () => {
      await resume();
      expect(await row(running)).toMatchObject({ is_phone: false, review_flags: 0 });
      await resume({ device: { kind: 'phone' as const } });
      await resume({ device: { kind: 'phone' as const } });
      expect(await row(running)).toMatchObject({
        is_phone: true,
        used_computer: true,
        review_flags: 1,
      });
      await resume();
      expect(await row(running)).toMatchObject({ is_phone: false, review_flags: 1 });
    });

    it('continues at the last moment that saves are accepted, and ends the attempt after it', async () => {
      expect((await resume({}, RUNNING_CLOSE)).isNew).toBe(false);
      const late = new Date(RUNNING_CLOSE.getTime() + 1);
      await expect(resume({}, late)).rejects.toMatchObject({ code: 'ALREADY_COMPLETED' });
      const ended = await row(running);
      expect(ended).toMatchObject({ submission_type: 'auto', submitted_at: RUNNING_DEADLINE });
      await expect(resume({}, late)).rejects.toMatchObject({ code: 'ALREADY_COMPLETED' });
      expect(await row(running)).toEqual(ended);
    });

    describe('after a replacement', () => {
      const replace = async (how: 'another' | 'reinstate', submittedAt = NOW) => {
        await query(
          `update participants set status = 'completed', submission_type = 'manual',
             submitted_at = $2, score = 0, answered_count = 0, receipt_id = 'A-B',
             replaced_at = $2, replaced_how = $3 where id = $1`,
          running.participantId,
          submittedAt,
          how,
        );
      };
      const tomorrow = at(24 * 60);

      it('starts another attempt with a new paper and the full time', async () => {
        await store(running, 0, 2, 4);
        await replace('another');
        const { isNew, attempt } = await resume({}, tomorrow);
        expect(isNew).toBe(true);
        expect((await attemptsOf(running))[1]).toMatchObject({
          id: attempt.id,
          attempt: 2,
          deadline_at: at(24 * 60 + 30),
          close_at: at(24 * 60 + 30, ATTEMPT_LIMITS.graceMs),
        });
        expect(await answersOf(attempt.id)).toEqual([]);
      });

      it('continues a reinstated one with its paper, answers and remaining time', async () => {
        await store(running, 0, 2, 4);
        await store(running, 2, null, 7);
        await replace('reinstate');
        const { attempt } = await resume({}, tomorrow);
        expect((await attemptsOf(running))[1]).toMatchObject({
          attempt: 2,
          policy_version: 1,
          total_marks: 3,
          started_at: tomorrow,
          deadline_at: at(24 * 60 + 20),
          close_at: at(24 * 60 + 20, ATTEMPT_LIMITS.graceMs),
          close_reason: 'auto',
        });
        expect(await answersOf(attempt.id)).toEqual([
          [0, 2, false, 4],
          [2, null, false, 7],
        ]);
        const paper = `select position, question_id, question_version, option_order
          from paper_questions where participant_id = $1 order by position`;
        expect(await query(paper, attempt.id)).toEqual(await query(paper, running.participantId));
      });

      it('gives one reinstated after the deadline no time, and no negative time', async () => {
        await replace('reinstate', new Date(RUNNING_DEADLINE.getTime() + 5_000));
        expect((await resume({}, tomorrow)).attempt.deadlineAt).toEqual(tomorrow);
      });
    });
  });

  describe('a submit', () => {
    let running: StoredRunning;
    beforeEach(async () => {
      running = await storeRunning(database.pool, quiz);
    });
    const submit = (given: Partial<Submit> = {}, now = NOW, one = running) =>
      submitParticipant(ctx, sessionOf(one), running.participantId, { answers: [], ...given }, now);
    const answer = (question: number, option: string, revision?: number, isFlagged = false) => ({
      questionId: quiz.questionIds[question] ?? '',
      selectedOption: option,
      isFlagged,
      revision,
    });
    const isRunning = async () => expect((await row(running)).status).toBe('in_progress');

    it('for someone else’s attempt or with a row of another is refused as not found', async () => {
      const other = await storeRunning(database.pool, quiz);
      await expect(submit({}, NOW, other)).rejects.toMatchObject({ code: 'NOT_FOUND' });
      const rows = [
        { ...answer(0, 'a', 1), participantId: running.participantId },
        { ...answer(1, 'a', 1), participantId: other.participantId },
      ];
      await expect(submit({ answers: rows })).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await isRunning();
      expect((await submit({ answers: rows.slice(0, 1) })).body.summary.answeredCount).toBe(1);
    });

    it('for a replaced attempt is refused as not found', async () => {
      await submit();
      await query(
        `update participants set replaced_at = $2, replaced_how = 'another' where id = $1`,
        running.participantId,
        NOW,
      );
      await expect(submit()).rejects.toMatchObject({ code: 'NOT_FOUND' });
    });

    it('from an older session is refused', async () => {
      const older = { ...running, sessionId: newId() };
      await expect(submit({}, NOW, older)).rejects.toMatchObject({ code: 'SESSION_REPLACED' });
      await isRunning();
    });

    it('with a revision stored with other content is refused, naming each such row', async () => {
      await store(running, 0, 2, 4);
      await store(running, 2, 2, 4);
      const answers = [answer(1, 'a', 1), answer(0, 'a', 4), answer(2, 'b', 4)];
      await expect(submit({ answers })).rejects.toMatchObject({
        code: 'REVISION_CONFLICT',
        issues: [{ path: 'answers.1', message: 'Changed somewhere else at this revision' }],
      });
      await isRunning();
      expect(await answersOf(running.participantId)).toHaveLength(2);
    });

    it('stores newer rows, and rows without a revision where nothing is stored', async () => {
      await store(running, 0, 2, 4);
      const first = await submit({ answers: [answer(0, 'a', 5), answer(1, 'a'), answer(2, '')] });
      expect(await answersOf(running.participantId)).toEqual([
        [0, 1, false, 5],
        [1, 1, false, 1],
      ]);
      expect(await row(running)).toMatchObject({ score: 2, answered_count: 2 });
      expect(first.late).toBe(0);
    });

    it('stores a blank with a revision as a removed answer', async () => {
      await submit({ answers: [answer(1, '', 3)] });
      expect(await answersOf(running.participantId)).toEqual([[1, null, false, 3]]);
      expect(await row(running)).toMatchObject({ score: 0, answered_count: 0 });
    });

    it('stores a flag without an option, and overwrites nothing without a revision', async () => {
      await store(running, 0, 2, 4);
      await submit({ answers: [answer(0, 'a'), answer(2, '', undefined, true)] });
      expect(await answersOf(running.participantId)).toEqual([
        [0, 2, false, 4],
        [2, null, true, 1],
      ]);
    });

    it('ends the attempt with one event and extends the session briefly', async () => {
      const { body } = await submit({ answers: [answer(0, 'a', 1)] });
      expect(await row(running)).toMatchObject({
        status: 'completed',
        submission_type: 'manual',
        submitted_at: NOW,
        score: 1,
        answered_count: 1,
        receipt_id: body.receipt.id,
      });
      expect(await eventsOf(running.participantId)).toEqual([
        { kind: 'ended', at: NOW, details: { submissionType: 'manual' } },
      ]);
      expect(await expiryOf(running)).toEqual(at(15));
      expect(body.participant).toMatchObject({ submittedAt: NOW.toISOString(), timeSpent: 600 });
      expect(body.summary).toMatchObject({ answeredCount: 1, totalQuestions: 3 });
      expect(body.receipt.signed).toMatch(/\S{40,}/);
    });

    it('returns the same on repetition, changes nothing, and counts late rows', async () => {
      const first = await submit({ answers: [answer(0, 'a', 1)] });
      const before = await row(running);
      const again = await submit({ answers: [answer(0, 'a', 1), answer(1, 'b', 1)] }, at(1));
      expect(again).toEqual({ body: first.body, late: 1 });
      expect(await row(running)).toEqual(before);
      expect(await answersOf(running.participantId)).toEqual([[0, 1, false, 1]]);
    });

    it('after the grace period finds the attempt ended by the clock', async () => {
      const late = new Date(RUNNING_CLOSE.getTime() + 1);
      const { body, late: count } = await submit({ answers: [answer(0, 'a', 1)] }, late);
      expect(body.summary).toMatchObject({ submissionType: 'auto', answeredCount: 0 });
      expect(body.participant.submittedAt).toBe(RUNNING_DEADLINE.toISOString());
      expect(count).toBe(1);
    });

    it.each([
      ['manual before the deadline, although the browser claims the clock', -1, 'auto', 'manual'],
      ['automatic at the deadline when the browser reports the clock', 0, 'auto', 'auto'],
      ['manual in the grace period', 5_000, undefined, 'manual'],
      ['manual in the grace period, whatever is claimed', 5_000, 'dismissed', 'manual'],
    ])('is %s', async (_, ms, claimed, submissionType) => {
      const participant = claimed === undefined ? undefined : { submissionType: claimed };
      const now = new Date(RUNNING_DEADLINE.getTime() + ms);
      const { body } = await submit({ participant }, now);
      expect(body.summary.submissionType).toBe(submissionType);
    });

    it('adds answers but does not avoid a dismissal', async () => {
      await query(
        `update participants set close_at = $2, close_reason = 'dismissed' where id = $1`,
        running.participantId,
        at(0, 500),
      );
      const { body } = await submit({ answers: [answer(0, 'a', 1)] });
      expect(body.summary).toMatchObject({ status: 'dismissed', answeredCount: 1 });
    });

    it('queues a receipt where the quiz sends them', async () => {
      await submit();
      expect(await query('select * from outbox')).toEqual([]);
      await query('update quizzes set closing_mail = true where id = $1', quiz.quizId);
      running = await storeRunning(database.pool, quiz);
      await submit();
      const queued = await query('select kind, participant_id from outbox');
      expect(queued).toEqual([{ kind: 'receipt', participant_id: running.participantId }]);
    });

    it('for an unknown attempt ends nothing', async () => {
      await inTransaction(db, (tx) => closeParticipants(tx, ctx, []));
      await isRunning();
    });
  });
});
