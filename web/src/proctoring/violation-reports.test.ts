import { beforeEach, expect, test, vi } from 'vitest';
import { provideIndexedDb, stopTime } from '../testing/browser-stubs.ts';
import { type ViolationReport, ViolationReports } from './violation-reports.ts';

provideIndexedDb();

interface Body {
  id: string;
  participantId: string;
  ageMs: number;
}
const sent: Body[] = [];
/** The server's next replies, instead of an answer. */
let replies: (() => Response | Promise<Response>)[];
let participant = 0;
let page: EventTarget;

stopTime({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  // Reports remain stored across tests; each has its own attempt.
  participant += 1;
  sent.length = 0;
  replies = [];
  page = new EventTarget();
  vi.stubGlobal('window', page);
  vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }));
  vi.stubGlobal('fetch', async (_: string, init: { body: string }) => {
    const body: Body = JSON.parse(init.body);
    sent.push(body);
    const reply = replies.shift();
    return reply === undefined ? answered(body.id) : reply();
  });
});

function answered(id: string): Response {
  const answer = { id, counted: true, violationCount: 1, remaining: 2, status: 'in_progress' };
  return Response.json(answer, { status: 201 });
}

function refusal(status: number, code: string, details: object = {}, retryAfter = '') {
  const body = { statusCode: status, error: code, code, message: code, details };
  const headers = retryAfter === '' ? {} : { 'retry-after': retryAfter };
  return () => Response.json(body, { status, headers });
}
const proxyPage = () => new Response('<html>', { status: 502 });

const report = (id: string, change: Partial<ViolationReport> = {}): ViolationReport => ({
  id,
  participantId: `p${participant}`,
  type: 'face_not_detected',
  wallAt: Date.now(),
  durationMs: null,
  notes: null,
  engine: null,
  ...change,
});

function reporting() {
  const answers: string[] = [];
  const refused: string[] = [];
  const reports = new ViolationReports({
    participantId: `p${participant}`,
    onAnswer: ({ id }) => void answers.push(id),
    onRefused: ({ id }) => void refused.push(id),
  });
  return { reports, answers, refused };
}

async function opened(...ids: string[]) {
  const { reports, ...rest } = reporting();
  await reports.open();
  for (const id of ids) reports.add(report(id));
  return { reports, ...rest };
}
const ids = () => sent.map(({ id }) => id);
/** Flushes requests and the database without advancing time. */
const settle = async () => {
  for (let i = 0; i < 40; i += 1) await new Promise((resolve) => setImmediate(resolve));
};
const pass = async (ms: number) => {
  await vi.advanceTimersByTimeAsync(ms);
  await settle();
};

test('sends one report at a time, in order', async () => {
  const waiting: ((response: Response) => void)[] = [];
  const held = () => new Promise<Response>((resolve) => waiting.push(resolve));
  replies = [held, held];
  const { reports, answers } = await opened('a', 'b');
  await settle();
  expect(ids()).toEqual(['a']);
  let isSettled = false;
  const settled = reports.settled().then(() => {
    isSettled = true;
  });
  waiting.shift()?.(answered('a'));
  await settle();
  expect(ids()).toEqual(['a', 'b']);
  expect([answers, isSettled]).toEqual([['a'], false]);
  waiting.shift()?.(answered('b'));
  await settled;
  expect(answers).toEqual(['a', 'b']);
  await reports.settled();
  reports.stop();
});

test('resends under the same id after a pause, or when the network is back', async () => {
  replies = [proxyPage, proxyPage];
  const { reports, answers } = await opened('a');
  await settle();
  await pass(999);
  expect(ids()).toEqual(['a']);
  await pass(1);
  expect(ids()).toEqual(['a', 'a']);
  page.dispatchEvent(new Event('online'));
  await settle();
  expect(ids()).toEqual(['a', 'a', 'a']);
  expect(answers).toEqual(['a']);
  reports.stop();
});

test('retries at once when asked to settle, and settles after one failed try', async () => {
  replies = [proxyPage, proxyPage];
  const { reports, answers } = await opened('a');
  await settle();
  await reports.settled();
  expect(ids()).toEqual(['a', 'a']);
  expect(answers).toEqual([]);
  reports.stop();
});

test.each([
  [400, '<html>'],
  [403, '<html>'],
  [404, 'default backend - 404'],
  [409, ''],
  [401, '<html>'],
])("resends a report after a proxy's %i", async (status, body) => {
  replies = [() => new Response(body, { status })];
  const { reports, answers } = await opened('a');
  await settle();
  await pass(1_000);
  expect(answers).toEqual(['a']);
  reports.stop();
});

test('drops a type over its limit without blocking others', async () => {
  replies = [refusal(429, 'TOO_MANY_VIOLATIONS', { isFull: true }, '60')];
  const { reports, answers, refused } = await opened('harmless', 'counts');
  await settle();
  expect([answers, refused]).toEqual([['counts'], ['harmless']]);
  reports.stop();
});

test('continues after a refused report, and drops all when the attempt has ended', async () => {
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  replies = [
    refusal(400, 'INVALID_INPUT'),
    () => answered('b'),
    refusal(403, 'ATTEMPT_CLOSED', { status: 'completed' }),
  ];
  const { reports, answers, refused } = await opened('a', 'b', 'c', 'd');
  await settle();
  expect(ids()).toEqual(['a', 'b', 'c']);
  expect([answers, refused]).toEqual([['b'], ['a', 'c', 'd']]);
  expect(warned).toHaveBeenCalledTimes(1);
  reports.add(report('e'));
  await pass(60_000);
  expect(sent).toHaveLength(3);
  // Nothing of it is stored.
  const next = await opened();
  await settle();
  expect(sent).toHaveLength(3);
  next.reports.stop();
});

test("keeps reports when the candidate is signed out, and sends this attempt's after a reload, before newer ones", async () => {
  const now = Date.now();
  replies = [refusal(401, 'NOT_SIGNED_IN')];
  const { reports } = reporting();
  await reports.open();
  reports.add(report('late', { wallAt: now - 1_000 }));
  reports.add(report('early', { wallAt: now - 2_000 }));
  reports.add(report('of another attempt', { participantId: 'someone else' }));
  reports.add(report('too old', { wallAt: now - 100_000_000 }));
  await settle();
  await pass(60_000);
  expect(ids()).toEqual(['late']);
  const next = reporting();
  next.reports.add(report('new'));
  await next.reports.open();
  await settle();
  expect(next.answers).toEqual(['early', 'late', 'new']);
  next.reports.stop();
});

test.each([
  ['four seconds old', -4_000, 4_000],
  ['zero when the clock was set back', 9_000, 0],
  ['capped when the clock was set forward by years', -1e13, 86_400_000],
])('sends the age of the report: %s', async (_, at, ageMs) => {
  vi.setSystemTime(1e15);
  const { reports } = await opened();
  reports.add(report('a', { wallAt: Date.now() + at }));
  await settle();
  expect(Math.abs((sent[0]?.ageMs ?? -1_000) - ageMs)).toBeLessThan(500);
  reports.stop();
});

test('sends reports after ten seconds when the database never opens', async () => {
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  vi.spyOn(indexedDB, 'open').mockReturnValue(new IDBOpenDBRequest());
  const { reports, answers } = reporting();
  reports.add(report('before'));
  void reports.open();
  reports.add(report('between'));
  await pass(10_099);
  expect(sent).toEqual([]);
  await pass(1);
  reports.add(report('after'));
  await settle();
  expect(answers).toEqual(['before', 'between', 'after']);
  expect(warned).toHaveBeenCalledTimes(1);
  reports.stop();
});

test('sends nothing when stopped before the database opened', async () => {
  const { reports } = reporting();
  reports.add(report('early'));
  const open = reports.open();
  reports.stop();
  await open;
  expect(sent).toEqual([]);
});
