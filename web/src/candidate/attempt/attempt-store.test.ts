import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ATTEMPT } from '../../testing/fixtures.ts';
import { pageOf } from '../where-next.ts';
import { pageMemory } from './attempt-answers.ts';
import { AttemptStore } from './attempt-store.ts';

const held = new Map<string, string>();
const stores: AttemptStore[] = [];
let page: EventTarget;
let reports: Promise<void>;

beforeEach(async () => {
  held.clear();
  // Without IndexedDB what waits is kept as long as the page lives.
  await pageMemory.clear(ATTEMPT.id);
  page = new EventTarget();
  reports = Promise.resolve();
  vi.stubGlobal('window', page);
  vi.stubGlobal('document', new EventTarget());
  vi.stubGlobal('navigator', { userAgent: 'Chrome/140', maxTouchPoints: 0 });
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => held.get(name) ?? null,
    setItem: (name: string, value: string) => held.set(name, value),
    removeItem: (name: string) => held.delete(name),
  });
  // No IndexedDB here, which is logged.
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
});
afterEach(() => {
  for (const store of stores.splice(0)) store.close();
});

const answer = (status: number, body: unknown) => new Response(JSON.stringify(body), { status });
const closed = {
  statusCode: 403,
  error: 'Forbidden',
  code: 'ATTEMPT_CLOSED',
  message: 'This attempt has ended.',
};
const question = {
  id: 'a',
  quizId: 'q',
  type: 'multiple_choice',
  question: '?',
  options: ['yes', 'no'],
  orderNumber: 1,
  version: 1,
};
/** What the server says to a call with this body. */
type Answers = Record<string, (body: string) => Response>;
const ordinary: Answers = {
  'POST /api/participants': () => answer(200, { ...ATTEMPT, remainingMs: 1_400_000 }),
  'GET /api/quizzes/q/questions': () => answer(200, [question]),
  'GET /api/participants/p/answers': () => answer(200, []),
};

/** Opens the attempt on a server that gives these answers, and no answer to everything else. */
function open(answers: Answers = {}) {
  const all = { ...ordinary, ...answers };
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    const reply = all[`${init.method} ${url.split('?')[0]}`];
    return reply === undefined
      ? new Promise(() => undefined)
      : Promise.resolve(reply(String(init.body)));
  });
  const store = new AttemptStore({
    monitorReport: () => ({}),
    onNotices: () => undefined,
    reportsSettled: () => reports,
    onWatched: () => undefined,
  });
  stores.push(store);
  store.open(ATTEMPT);
  return store;
}

test('an attempt that ended while the page was loading: its last page opens, by the mark it finds', async () => {
  const store = open({
    'GET /api/participants/p/answers': () =>
      answer(403, { ...closed, details: { status: 'completed', submissionType: 'database' } }),
  });
  await vi.waitFor(() => expect(pageOf(store.getSnapshot().phase)).toBe('/quiz/thankyou'));
  expect(JSON.parse(held.get('completionData') ?? '')).toMatchObject({
    status: 'completed',
    answeredCount: ATTEMPT.answeredCount,
    submissionType: 'database',
  });
});

test('news of a dismissal lead to its page, with where it happened and how long it took', async () => {
  const store = open({
    'POST /api/participants/p/heartbeat': () =>
      answer(200, {
        status: 'dismissed',
        submissionType: 'dismissed',
        remainingMs: 0,
        deadlineAt: ATTEMPT.deadlineAt,
        violationCount: 3,
        messageCount: 0,
      }),
  });
  await vi.waitFor(() => expect(store.getSnapshot().phase.kind).toBe('running'));
  store.setPage('Review Page');
  store.choose('a', 'yes');
  // The page is back: a heartbeat goes out at once.
  page.dispatchEvent(new Event('online'));
  await vi.waitFor(() => expect(pageOf(store.getSnapshot().phase)).toBe('/quiz/dismissed'));
  expect(JSON.parse(held.get('dismissalContext') ?? '')).toMatchObject({
    fromPage: 'Review Page',
    answeredCount: 1,
  });
  // An ended attempt has no time left; that is not the time it took.
  expect(JSON.parse(held.get('completionData') ?? '').timeSpent).toBe(100);
});

const news = (change: object = {}) =>
  answer(200, {
    status: 'in_progress',
    submissionType: null,
    remainingMs: 900_000,
    deadlineAt: '2026-05-14T10:15:00Z',
    violationCount: 0,
    messageCount: 0,
    ...change,
  });
const proxyPage = () => new Response('<html>', { status: 502 });
const signedOut = () => answer(401, { ...closed, statusCode: 401, code: 'NOT_SIGNED_IN' });

const timeLeft = () =>
  answer(409, { statusCode: 409, error: 'Conflict', code: 'TIME_LEFT', message: 'More time.' });

/** An attempt whose time runs out at once, with a server that answers its submits in this order. */
function runningOut(replies: (() => Response)[], answers: Answers = {}) {
  const time = { leftMs: 1 };
  const submits: unknown[] = [];
  const store = open({
    'POST /api/participants': () => answer(200, { ...ATTEMPT, remainingMs: time.leftMs }),
    'POST /api/participants/p/submit': (body) => {
      submits.push(JSON.parse(body));
      return replies.shift()?.() ?? proxyPage();
    },
    ...answers,
  });
  return { store, submits, time };
}
const tried = (store: AttemptStore) => () =>
  expect(store.getSnapshot().phase).toMatchObject({ kind: 'submitting', by: 'time', tries: 1 });

test('time that was given while nothing got through takes an automatic end back', async () => {
  const { store, submits, time } = runningOut([proxyPage, timeLeft]);
  await vi.waitFor(tried(store));
  time.leftMs = 900_000;
  page.dispatchEvent(new Event('online'));
  await vi.waitFor(() => expect(store.getSnapshot().phase.kind).toBe('running'));
  expect(store.remainingMs()).toBeGreaterThan(890_000);
  const ofTime = { submissionType: 'auto', deadlineAt: ATTEMPT.deadlineAt };
  expect(submits).toMatchObject([{ participant: ofTime }, { participant: ofTime }]);
  expect(await pageMemory.loadSubmission('p')).toBeNull();
});

test('without more time the automatic end is sent again', async () => {
  const { store, submits } = runningOut([]);
  await vi.waitFor(tried(store));
  page.dispatchEvent(new Event('online'));
  await vi.waitFor(() => expect(submits).toHaveLength(2));
});

test('an automatic end of an earlier visit is not sent when there is time left', async () => {
  await pageMemory.putSubmission('p', { auto: true, deadlineAt: null, feedback: null });
  const store = open();
  await vi.waitFor(() => expect(store.getSnapshot().phase.kind).toBe('running'));
  expect(await pageMemory.loadSubmission('p')).toBeNull();
});

test('nor taken when the page cannot ask how much: it tells the deadline it knew', async () => {
  const deadlineAt = '2026-05-14T09:40:00Z';
  await pageMemory.putSubmission('p', { auto: true, deadlineAt, feedback: null });
  const starts = [proxyPage];
  const { store, submits } = runningOut([timeLeft], {
    'POST /api/participants': () =>
      starts.shift()?.() ?? answer(200, { ...ATTEMPT, remainingMs: 900_000 }),
  });
  await vi.waitFor(() => expect(store.getSnapshot().phase.kind).toBe('running'));
  expect(submits).toMatchObject([{ participant: { submissionType: 'auto', deadlineAt } }]);
  expect(await pageMemory.loadSubmission('p')).toBeNull();
});

test('an end that the candidate asked for continues after a reload, whatever time is left', async () => {
  await pageMemory.putSubmission('p', { auto: false, deadlineAt: null, feedback: null });
  const submits: number[] = [];
  open({
    'POST /api/participants/p/submit': () => {
      submits.push(1);
      return proxyPage();
    },
  });
  await vi.waitFor(() => expect(submits).toHaveLength(1));
});

test('signed out by the heartbeat it says how many changes wait, and the next visit sends them', async () => {
  const replies = [signedOut];
  const saved: unknown[] = [];
  const store = open({
    'POST /api/participants/p/heartbeat': () => replies.shift()?.() ?? news(),
    'PUT /api/participants/p/answers': () => {
      saved.push(1);
      return proxyPage();
    },
  });
  await vi.waitFor(() => expect(store.getSnapshot().phase.kind).toBe('running'));
  store.choose('a', 'yes');
  await vi.waitFor(() => expect(store.getSnapshot().sync.state.kind).toBe('offline'));
  page.dispatchEvent(new Event('online'));
  await vi.waitFor(() => expect(store.getSnapshot().phase.kind).toBe('stopped'));
  expect(store.getSnapshot().sync.state).toEqual({ kind: 'signed-out', waiting: 1 });
  const before = saved.length;
  store.open(ATTEMPT);
  await vi.waitFor(() => expect(store.getSnapshot().phase.kind).toBe('running'));
  expect(store.getSnapshot().sync.values.get('a')?.selectedOption).toBe('yes');
  expect(saved.length).toBeGreaterThan(before);
});

test('signed out while the end is on its way it stays stopped', async () => {
  const store = open({ 'POST /api/participants/p/heartbeat': signedOut });
  await vi.waitFor(() => expect(store.getSnapshot().phase.kind).toBe('running'));
  store.submit({ emoji: 'smile', skipped: true });
  await vi.waitFor(() => expect(store.getSnapshot().phase.kind).toBe('submitting'));
  page.dispatchEvent(new Event('online'));
  await vi.waitFor(() => expect(store.getSnapshot().phase.kind).toBe('stopped'));
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(store.getSnapshot().phase).toEqual({ kind: 'stopped', why: 'signed-out' });
});

test('the last reports go before the end, which does not wait for them longer than 2 s', async () => {
  const submits: number[] = [];
  const submit = {
    'POST /api/participants/p/submit': () => {
      submits.push(1);
      return proxyPage();
    },
  };
  const reporting = Promise.withResolvers<void>();
  reports = reporting.promise;
  const patient = open(submit);
  await vi.waitFor(() => expect(patient.getSnapshot().phase.kind).toBe('running'));
  patient.submit({ emoji: 'smile', skipped: true });
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(submits).toHaveLength(0);
  reporting.resolve();
  await vi.waitFor(() => expect(submits).toHaveLength(1));
  patient.close();
  await pageMemory.clear('p');

  reports = new Promise(() => undefined);
  const store = open(submit);
  await vi.waitFor(() => expect(store.getSnapshot().phase.kind).toBe('running'));
  store.submit({ emoji: 'smile', skipped: true });
  await vi.waitFor(() => expect(submits).toHaveLength(2), { timeout: 2_500 });
});
