import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ATTEMPT } from '../../testing/drawn.tsx';
import { AttemptStore } from './attempt-store.ts';
import { pageOf } from './where-next.ts';

const held = new Map<string, string>();
const stores: AttemptStore[] = [];
let page: EventTarget;

beforeEach(() => {
  held.clear();
  page = new EventTarget();
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
const ordinary: Record<string, () => Response> = {
  'POST /api/participants': () => answer(200, { ...ATTEMPT, remainingMs: 1_400_000 }),
  'GET /api/quizzes/q/questions': () => answer(200, [question]),
  'GET /api/participants/p/answers': () => answer(200, []),
};

/** Opens the attempt on a server that gives these answers, and no answer to everything else. */
function open(answers: Record<string, () => Response> = {}) {
  const all = { ...ordinary, ...answers };
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    const reply = all[`${init.method} ${url.split('?')[0]}`];
    return reply === undefined ? new Promise(() => undefined) : Promise.resolve(reply());
  });
  const store = new AttemptStore({
    monitorReport: () => ({}),
    onNotices: () => undefined,
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
