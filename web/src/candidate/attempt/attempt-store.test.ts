import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { pageMemory } from '../../answer-sync/answer-sync.ts';
import { stubStorage } from '../../testing/browser-stubs.ts';
import { ATTEMPT, paperQuestion, refusal } from '../../testing/fixtures.ts';
import { pageOf } from '../navigation.ts';
import { AttemptStore } from './attempt-store.ts';

const held = stubStorage();
const stores: AttemptStore[] = [];
let page: EventTarget;
let reports: Promise<void>;

beforeEach(async () => {
  // Pending changes are in the page's memory, as there is no IndexedDB.
  await pageMemory.clear(ATTEMPT.id);
  page = new EventTarget();
  reports = Promise.resolve();
  vi.stubGlobal('window', page);
  vi.stubGlobal('document', new EventTarget());
  vi.stubGlobal('navigator', { userAgent: 'Chrome/140', maxTouchPoints: 0 });
  // The missing IndexedDB is logged.
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
});
afterEach(() => {
  for (const store of stores.splice(0)) store.close();
  vi.useRealTimers();
});

const proxyPage = () => new Response('<html>', { status: 502 });
const signedOut = () => refusal(401, 'NOT_SIGNED_IN');
const timeLeft = () => refusal(409, 'TIME_LEFT');

/** The server's responses to calls with this body. */
type Answers = Record<string, (body: string) => Response>;
const ordinary: Answers = {
  'POST /api/participants': () => Response.json({ ...ATTEMPT, remainingMs: 1_400_000 }),
  'GET /api/quizzes/q/questions': () => Response.json([paperQuestion('a')]),
  'GET /api/participants/p/answers': () => Response.json([]),
};

/** Opens the attempt on a server with these responses; other calls fail. */
function open(answers: Answers = {}) {
  const all = { ...ordinary, ...answers };
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    const reply = all[`${init.method} ${url.split('?')[0]}`];
    return reply === undefined
      ? new Promise(() => undefined)
      : Promise.resolve(reply(String(init.body)));
  });
  const store = new AttemptStore({
    monitoring: {
      report: () => ({}),
      reportsSettled: () => reports,
      setWatched: () => undefined,
    },
    onNotices: () => undefined,
    onPhase: () => undefined,
  });
  stores.push(store);
  store.open(ATTEMPT);
  return store;
}

test('opens the last page of an attempt that ended while the page was loading', async () => {
  const store = open({
    'GET /api/participants/p/answers': () =>
      refusal(403, 'ATTEMPT_CLOSED', {
        details: { status: 'completed', submissionType: 'database' },
      }),
  });
  await expect.poll(() => pageOf(store.getSnapshot().phase)).toBe('/quiz/thankyou');
  expect(JSON.parse(held.get('completionData') ?? '')).toMatchObject({
    status: 'completed',
    answeredCount: ATTEMPT.answeredCount,
    submissionType: 'database',
  });
});

test('opens the dismissal page on an update, with place and time taken', async () => {
  const store = open({
    'POST /api/participants/p/heartbeat': () =>
      Response.json({
        status: 'dismissed',
        submissionType: 'dismissed',
        remainingMs: 0,
        deadlineAt: ATTEMPT.deadlineAt,
        violationCount: 3,
        messageCount: 0,
      }),
  });
  await expect.poll(() => store.getSnapshot().phase.kind).toBe('running');
  store.setPage('Review Page');
  store.answers?.change('a', { answer: 'yes' });
  // The page is back: a heartbeat is sent at once.
  page.dispatchEvent(new Event('online'));
  await expect.poll(() => pageOf(store.getSnapshot().phase)).toBe('/quiz/dismissed');
  expect(JSON.parse(held.get('dismissalContext') ?? '')).toMatchObject({
    fromPage: 'Review Page',
    answeredCount: 1,
  });
  // The time left of an ended attempt is 0; the time taken is not derived from it.
  expect(JSON.parse(held.get('completionData') ?? '').timeSpent).toBe(100);
});

test('repeats a start that came from a copy as soon as the server answers', async () => {
  const starts: unknown[] = [];
  const copy = { headers: { 'x-offline-copy': 'yes' } };
  const replies = [proxyPage, () => Response.json(ATTEMPT)];
  const store = open({
    'POST /api/participants': (body) => {
      starts.push(JSON.parse(body));
      return starts.length === 1 ? Response.json(ATTEMPT, copy) : (replies.shift() ?? proxyPage)();
    },
    'POST /api/participants/p/heartbeat': () => news(),
  });
  await expect.poll(() => store.getSnapshot().phase.kind).toBe('running');
  expect(starts).toHaveLength(1);
  const now = performance.now.bind(performance);
  let laterMs = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now() + laterMs);
  // The second try fails, the third, a minute later, reaches the server.
  for (const [tries, minutes] of [
    [2, 0],
    [2, 0],
    [3, 1],
    [3, 2],
  ] as const) {
    laterMs = minutes * 60_000;
    page.dispatchEvent(new Event('online'));
    await expect.poll(() => starts).toHaveLength(tries);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  expect(starts).toMatchObject([{ resumes: 'p' }, { resumes: 'p' }, { resumes: 'p' }]);
});

const news = (change: object = {}) =>
  Response.json({
    status: 'in_progress',
    submissionType: null,
    remainingMs: 900_000,
    deadlineAt: '2026-05-14T10:15:00Z',
    violationCount: 0,
    messageCount: 0,
    ...change,
  });
/** An attempt whose time runs out at once, with these responses to its submits. */
function runningOut(replies: (() => Response)[], answers: Answers = {}) {
  const time = { leftMs: 1 };
  const submits: unknown[] = [];
  const store = open({
    'POST /api/participants': () => Response.json({ ...ATTEMPT, remainingMs: time.leftMs }),
    'POST /api/participants/p/submit': (body) => {
      submits.push(JSON.parse(body));
      return replies.shift()?.() ?? proxyPage();
    },
    ...answers,
  });
  return { store, submits, time };
}
const untilTried = (store: AttemptStore) =>
  expect
    .poll(() => store.getSnapshot().phase)
    .toMatchObject({ kind: 'submitting', by: 'time', tries: 1 });

test('withdraws an automatic submit after an extension during an outage', async () => {
  const { store, submits, time } = runningOut([proxyPage, timeLeft]);
  await untilTried(store);
  time.leftMs = 900_000;
  page.dispatchEvent(new Event('online'));
  await expect.poll(() => store.getSnapshot().phase.kind).toBe('running');
  expect(store.remainingMs()).toBeGreaterThan(890_000);
  const ofTime = { submissionType: 'auto', deadlineAt: ATTEMPT.deadlineAt };
  expect(submits).toMatchObject([{ participant: ofTime }, { participant: ofTime }]);
  expect(await pageMemory.loadEnd('p')).toBeNull();
});

test('resends an automatic submit without an extension', async () => {
  const { store, submits } = runningOut([]);
  await untilTried(store);
  page.dispatchEvent(new Event('online'));
  await expect.poll(() => submits).toHaveLength(2);
});

test('does not send an automatic submit of an earlier visit when there is time left', async () => {
  await pageMemory.putEnd('p', { auto: true, deadlineAt: null, feedback: null, known: null });
  const store = open();
  await expect.poll(() => store.getSnapshot().phase.kind).toBe('running');
  expect(await pageMemory.loadEnd('p')).toBeNull();
});

test('sends the known deadline with an automatic submit if the time left is unknown', async () => {
  const deadlineAt = '2026-05-14T09:40:00Z';
  await pageMemory.putEnd('p', { auto: true, deadlineAt, feedback: null, known: null });
  const starts = [proxyPage];
  const { store, submits } = runningOut([timeLeft], {
    'POST /api/participants': () =>
      starts.shift()?.() ?? Response.json({ ...ATTEMPT, remainingMs: 900_000 }),
  });
  await expect.poll(() => store.getSnapshot().phase.kind).toBe('running');
  expect(submits).toMatchObject([{ participant: { submissionType: 'auto', deadlineAt } }]);
  expect(await pageMemory.loadEnd('p')).toBeNull();
});

test("continues the candidate's submit after a reload, regardless of the time left", async () => {
  await pageMemory.putEnd('p', { auto: false, deadlineAt: null, feedback: null, known: null });
  const submits: number[] = [];
  open({
    'POST /api/participants/p/submit': () => {
      submits.push(1);
      return proxyPage();
    },
  });
  await expect.poll(() => submits).toHaveLength(1);
});

test('carries what was not sent, although the answers cannot be read', async () => {
  const change = { questionId: 'a', revision: 1, answer: 'yes', isFlagged: false };
  await pageMemory.put('p', change);
  await pageMemory.putEnd('p', { auto: false, deadlineAt: null, feedback: null, known: null });
  const submits: { answers: unknown[] }[] = [];
  open({
    'GET /api/participants/p/answers': proxyPage,
    'POST /api/participants/p/submit': (body) => {
      submits.push(JSON.parse(body));
      return proxyPage();
    },
  });
  await expect.poll(() => submits).toHaveLength(1);
  expect(submits[0]?.answers).toMatchObject([{ questionId: 'a', selectedOption: 'yes' }]);
  await pageMemory.clear('p');
});

test('is not sent later when the attempt goes on elsewhere', async () => {
  await pageMemory.putEnd('p', { auto: false, deadlineAt: null, feedback: null, known: null });
  const replaced = () => refusal(401, 'SESSION_REPLACED');
  const store = open({ 'POST /api/participants/p/submit': replaced });
  await expect.poll(() => store.getSnapshot().phase.kind).toBe('stopped');
  expect(await pageMemory.loadEnd('p')).toBeNull();
});

test.each([
  ['continues an attempt that has newer answers from elsewhere', 1_003, 'running'],
  ['submits an attempt without newer answers', 1_002, 'submitting'],
] as const)('a submit that was not sent %s', async (_, revision, phase) => {
  const answer = { questionId: 'a', selectedOption: 'yes', isFlagged: false };
  const row = { ...answer, id: 'a', participantId: 'p', createdAt: ATTEMPT.startedAt };
  const stored = { ...row, revision: 1 };
  const answers = { 'GET /api/participants/p/answers': () => Response.json([stored]) };
  const store = open({ ...answers, 'POST /api/participants/p/submit': proxyPage });
  await expect.poll(() => store.getSnapshot().phase.kind).toBe('running');
  store.answers?.change('a', { answer: 'no' });
  store.submit({ emoji: 'smile', skipped: true });
  // Revisions leap, as there is no IndexedDB.
  const known = { a: 1_002 };
  await expect.poll(async () => await pageMemory.loadEnd('p')).toMatchObject({ known });
  // Another device has answered, or the change of this one has arrived.
  Object.assign(stored, { selectedOption: 'no', revision });
  store.close();
  const again = open({ ...answers, 'POST /api/participants/p/submit': proxyPage });
  await expect.poll(() => again.getSnapshot().phase.kind).toBe(phase);
  expect(await pageMemory.loadEnd('p')).toEqual(phase === 'running' ? null : expect.anything());
});

test('counts pending changes when signed out, and sends them on the next visit', async () => {
  const replies = [signedOut];
  const saved: unknown[] = [];
  const store = open({
    'POST /api/participants/p/heartbeat': () => replies.shift()?.() ?? news(),
    'PUT /api/participants/p/answers': () => {
      saved.push(1);
      return proxyPage();
    },
  });
  await expect.poll(() => store.getSnapshot().phase.kind).toBe('running');
  store.answers?.change('a', { answer: 'yes' });
  await expect.poll(() => store.getSnapshot().sync.state.kind).toBe('offline');
  page.dispatchEvent(new Event('online'));
  await expect.poll(() => store.getSnapshot().phase.kind).toBe('stopped');
  expect(store.getSnapshot().sync.state).toEqual({ kind: 'signed-out', waiting: 1 });
  const before = saved.length;
  store.open(ATTEMPT);
  await expect.poll(() => store.getSnapshot().phase.kind).toBe('running');
  expect(store.getSnapshot().sync.values.get('a')?.answer).toBe('yes');
  expect(saved.length).toBeGreaterThan(before);
});

test('remains stopped when signed out during a submit', async () => {
  const store = open({ 'POST /api/participants/p/heartbeat': signedOut });
  await expect.poll(() => store.getSnapshot().phase.kind).toBe('running');
  store.submit({ emoji: 'smile', skipped: true });
  await expect.poll(() => store.getSnapshot().phase.kind).toBe('submitting');
  page.dispatchEvent(new Event('online'));
  await expect.poll(() => store.getSnapshot().phase.kind).toBe('stopped');
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(store.getSnapshot().phase).toEqual({ kind: 'stopped', why: 'signed-out' });
});

test('sends the last reports before the submit, which waits for at most 2 s', async () => {
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
  await expect.poll(() => patient.getSnapshot().phase.kind).toBe('running');
  patient.submit({ emoji: 'smile', skipped: true });
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(submits).toHaveLength(0);
  reporting.resolve();
  await expect.poll(() => submits).toHaveLength(1);
  patient.close();
  await pageMemory.clear('p');

  reports = new Promise(() => undefined);
  const store = open(submit);
  await expect.poll(() => store.getSnapshot().phase.kind).toBe('running');
  vi.useFakeTimers();
  store.submit({ emoji: 'smile', skipped: true });
  await vi.advanceTimersByTimeAsync(1_999);
  expect(submits).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(submits).toHaveLength(2);
});

test('keeps the hand as the server has it, and says when a press did not arrive', async () => {
  const replies = [
    proxyPage,
    () => Response.json({ handUp: true }),
    () => Response.json({ handUp: false }),
  ];
  const sent: unknown[] = [];
  let heartbeat: object = {};
  const store = open({
    'PUT /api/participants/p/help': (body) => {
      sent.push(JSON.parse(body));
      return (replies.shift() ?? proxyPage)();
    },
    'POST /api/participants/p/heartbeat': () => news(heartbeat),
  });
  await expect.poll(() => store.getSnapshot().phase.kind).toBe('running');
  const hand = () => store.getSnapshot().hand;
  const idle = { isSending: false, hasFailed: false };
  store.askForHelp(true);
  expect(hand()).toEqual({ isUp: false, isSending: true, hasFailed: false });
  // A second press before the answer is not sent.
  store.askForHelp(true);
  await expect.poll(hand).toEqual({ isUp: false, isSending: false, hasFailed: true });
  store.askForHelp(true);
  await expect.poll(hand).toEqual({ ...idle, isUp: true });
  // It was answered.
  page.dispatchEvent(new Event('online'));
  await expect.poll(hand).toEqual({ ...idle, isUp: false });
  // Up again, as after a reload.
  heartbeat = { handUp: true };
  page.dispatchEvent(new Event('online'));
  await expect.poll(hand).toEqual({ ...idle, isUp: true });
  store.askForHelp(false);
  await expect.poll(hand).toEqual({ ...idle, isUp: false });
  expect(sent).toEqual([{ handUp: true }, { handUp: true }, { handUp: false }]);
});

test('stops when the hand is raised in a session that was replaced', async () => {
  const store = open({
    'PUT /api/participants/p/help': () => refusal(401, 'SESSION_REPLACED'),
  });
  await expect.poll(() => store.getSnapshot().phase.kind).toBe('running');
  store.askForHelp(true);
  await expect.poll(() => store.getSnapshot().phase).toEqual({ kind: 'stopped', why: 'replaced' });
});

test('covers the questions in a pause and a break, keeps answers, and goes on', async () => {
  const deadlineAt = '2026-05-14T10:15:00Z';
  const later = '2026-05-14T10:16:00Z';
  let heartbeat: object = { pause: { reason: 'Fire alarm', leftMs: 40_000_000, isOpen: true } };
  const breaks = { left: 1, leftMs: 300_000 };
  const onBreak = { ...ATTEMPT, deadlineAt: later, pausedMs: 60_000, remainingMs: 1_400_000 };
  const store = open({
    'POST /api/participants': () =>
      Response.json({ ...ATTEMPT, deadlineAt, remainingMs: 1_400_000, breaks }),
    'POST /api/participants/p/heartbeat': () => news(heartbeat),
    'PUT /api/participants/p/break': (body) =>
      JSON.parse(body).onBreak
        ? Response.json({ ...onBreak, pause: { reason: null, leftMs: 300_000 } })
        : signedOut(),
  });
  const phase = () => store.getSnapshot().phase;
  await expect.poll(() => phase().kind).toBe('running');
  store.answers?.change('a', { answer: 'yes' });
  page.dispatchEvent(new Event('online'));
  await expect.poll(phase).toEqual({ kind: 'paused', reason: 'Fire alarm', isOpen: true });
  expect(pageOf(phase())).toBeNull();
  expect(store.answers).toBeNull();
  expect(store.getSnapshot().sync.values.get('a')?.answer).toBe('yes');
  const left = store.remainingMs();
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(store.remainingMs()).toBe(left);

  heartbeat = { deadlineAt: later, pausedMs: 60_000, remainingMs: 1_400_000 };
  page.dispatchEvent(new Event('online'));
  await expect.poll(() => phase().kind).toBe('running');
  expect(store.getSnapshot().announcements).toEqual([]);

  await store.takeBreak(true);
  expect(phase()).toEqual({ kind: 'paused', reason: null, isOpen: false });
  expect(store.getSnapshot().participant).not.toHaveProperty('breaks');
  expect(store.pausedLeftMs()).toBeGreaterThan(299_000);
  await expect(store.takeBreak(false)).rejects.toMatchObject({ code: 'NOT_SIGNED_IN' });
});
