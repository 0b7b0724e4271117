import { readFileSync } from 'node:fs';
import type { TestApp } from '@invigil/testkit/app';
import { signInCandidate } from '@invigil/testkit/factories';
import { findings, startUpgradedApp, type Written } from '@invigil/testkit/upgraded-app';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openMessage } from '../../features/invitations/outbox.ts';
import { newId } from '../new-id.ts';
import { pageOutbox } from '../queries/outbox.ts';

/**
 * All rows of a database of version 6f74877d, the last one without pauses, as its server wrote them: an attempt
 * of ten minutes that has ended, one of an hour that is running with two answers, someone in a group with a rule
 * whose invitation is queued, and someone with times of their own whose reminder is queued.
 */
const WRITTEN: Written & {
  session: string;
  ended: { id: string };
  running: Record<'id' | 'email' | 'code' | 'cookie' | 'deadlineAt' | 'closeAt', string> & {
    questionIds: string[];
  };
  group: { email: string; code: string };
  own: { email: string; code: string };
} = JSON.parse(readFileSync(new URL('rows-before-pauses.json', import.meta.url), 'utf8'));
const MIGRATIONS_THEN = 30;
const { session: as, running, ended } = WRITTEN;
const params = { id: running.id };
const MINUTE_MS = 60_000;

let app: TestApp;
let lost: string[];

beforeAll(async () => {
  ({ app, lost } = await startUpgradedApp(WRITTEN, MIGRATIONS_THEN));
});
afterAll(() => app.stop());

const recordOf = async (id: string) =>
  (await app.call('getParticipantRecord', { as, params: { id } })).body;
const heartbeat = async (cookie: string) =>
  (await app.call('heartbeat', { as: cookie, params, body: { seq: 2 } })).body;
const act = async (action: object) => {
  const body = { id: newId(), ids: [running.id], action, reason: 'Fire alarm' };
  expect((await app.call('applyToMany', { as, body })).body.refused).toEqual([]);
};

it('an upgrade keeps every row and every seal, and the time that an ended attempt took', async () => {
  expect(lost).toEqual([]);
  expect(await findings(app)).toEqual([]);
  const { participant } = await recordOf(ended.id);
  expect(participant).toMatchObject({ status: 'completed', score: 2, timeSpent: 600 });
});

it('no attempt is paused, and no one has breaks', async () => {
  const { rows } = await app.pool.query(
    `select distinct paused_at, paused_until, paused_ms, pause_reason, breaks_left, break_ms_left, breaks,
       break_minutes from participants p join invitations i on i.id = p.invitation_id`,
  );
  expect(rows).toEqual([
    {
      ...{ paused_at: null, paused_until: null, paused_ms: 0, pause_reason: null },
      ...{ breaks_left: 0, break_ms_left: 0, breaks: 0, break_minutes: 0 },
    },
  ]);
  const body = await heartbeat(running.cookie);
  expect(body).not.toHaveProperty('pause');
  const denied = await app.call('takeBreak', {
    ...{ as: running.cookie, params, body: { onBreak: true } },
  });
  expect(denied.body.code).toBe('NO_BREAK_LEFT');
});

it('queued messages say the times that their readers had', async () => {
  const { rows } = await pageOutbox(app.context.db, { limit: 10, offset: 0 });
  const textTo = async (email: string) => {
    const row = rows.find(({ recipient, state }) => recipient === email && state === 'queued');
    return (row && (await openMessage(app.context, row)))?.text;
  };
  const group = await textTo(WRITTEN.group.email);
  expect(group).toMatch(/^You are invited to take/);
  expect(group).toContain(WRITTEN.group.code);
  expect(group).toMatch(/Duration: +45 minutes\n/);
  expect(group).toMatch(/Opens at: +Thursday, 14 May 2026 at 10:05 \(/);
  expect(group).toMatch(/Complete it by: +Friday, 15 May 2026 at 20:00 \(/);
  const own = await textTo(WRITTEN.own.email);
  expect(own).toMatch(/^This is a reminder/);
  expect(own).toContain(WRITTEN.own.code);
  expect(own).toMatch(/Duration: +112 minutes 30 seconds, if you start by .* at 16:07 \(/);
  expect(own).toMatch(/Opens at: +Thursday, 21 May 2026 at 09:00 \(/);
  expect(own).toMatch(/Complete it by: +Thursday, 21 May 2026 at 18:00 \(/);
});

it('people keep the times of their rule or their own', async () => {
  const group = await signInCandidate(app, WRITTEN.group.email, WRITTEN.group.code);
  const { quiz } = (await app.call('me', { as: group.cookie })).body;
  expect(quiz).toMatchObject({ duration: 45, endDate: '2026-05-15T18:00:00.000Z' });
  const own = await signInCandidate(app, WRITTEN.own.email, WRITTEN.own.code);
  const start = await app.call('startParticipant', { as: own.cookie, body: {} });
  expect(start.body).toMatchObject({ code: 'NOT_OPEN_YET' });
});

it('a running attempt keeps its deadline, is saved, paused and resumed, and ends', async () => {
  const { rows } = await app.pool.query(
    'select deadline_at, close_at from participants where id = $1',
    [running.id],
  );
  const [deadlineAt, closeAt] = [new Date(running.deadlineAt), new Date(running.closeAt)];
  expect(rows).toEqual([{ deadline_at: deadlineAt, close_at: closeAt }]);
  const leftMs = deadlineAt.getTime() - app.clock.now().getTime();
  expect(await heartbeat(running.cookie)).toMatchObject({
    ...{ remainingMs: leftMs, deadlineAt: running.deadlineAt },
  });
  const save = async (cookie: string, question: number) => {
    const questionId = running.questionIds[question] ?? '';
    const selectedOption = `Q${question + 1} b`;
    const answers = [{ questionId, selectedOption, isFlagged: false, revision: 1 }];
    return (await app.call('saveAnswers', { as: cookie, params, body: { answers } })).status;
  };
  expect(await save(running.cookie, 2)).toBe(200);

  await act({ kind: 'pause' });
  app.clock.advance({ minutes: 7 });
  const paused = await heartbeat(running.cookie);
  expect(paused).toMatchObject({ remainingMs: leftMs, pause: { reason: 'Fire alarm' } });
  await act({ kind: 'resume' });
  // Another browser takes over.
  const { cookie } = await signInCandidate(app, running.email, running.code);
  expect((await app.call('startParticipant', { as: cookie, body: {} })).body).toMatchObject({
    ...{ id: running.id, answeredCount: 3, remainingMs: leftMs },
  });
  app.clock.advance({ minutes: 1 });
  expect(await save(cookie, 3)).toBe(200);
  expect((await heartbeat(cookie)).remainingMs).toBe(leftMs - MINUTE_MS);
  const submit = await app.call('submitParticipant', { as: cookie, params, body: {} });
  expect(submit.status).toBe(200);
  const { participant } = await recordOf(running.id);
  // 40 seconds before the upgrade, one minute after it; the pause does not count.
  expect(participant).toMatchObject({ score: 3, answeredCount: 4, timeSpent: 100 });
  expect(await findings(app)).toEqual([]);
});
