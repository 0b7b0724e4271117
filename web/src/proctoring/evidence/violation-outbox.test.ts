import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type OutboxDeps, type SendOutcome, ViolationOutbox } from './violation-outbox.ts';
import type { StoredReport, ViolationStore } from './violation-store.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function report(id: string, wallAt = 1_000): StoredReport {
  const what = {
    type: 'face_not_detected',
    durationMs: null,
    notes: null,
    engine: 'model',
  } as const;
  return { id, participantId: 'p', wallAt, ...what };
}

const counted: SendOutcome = {
  kind: 'answered',
  answer: { id: 'v', counted: true, violationCount: 1, remaining: 2, status: 'in_progress' },
};
const again: SendOutcome = { kind: 'try-again', afterMs: null };

/** A store that outlives the outbox. */
function disk(): ViolationStore & { rows: Map<string, StoredReport> } {
  const rows = new Map<string, StoredReport>();
  return {
    rows,
    load: async (participantId) =>
      [...rows.values()].filter((r) => r.participantId === participantId),
    put: async (row) => {
      rows.set(row.id, row);
    },
    remove: async (id) => {
      rows.delete(id);
    },
    close: () => undefined,
  };
}

function outboxWith(over: Partial<OutboxDeps> & Pick<OutboxDeps, 'send'>, store = disk()) {
  const onAnswer = vi.fn();
  const onRefused = vi.fn();
  const outbox = new ViolationOutbox({
    store,
    onAnswer,
    onRefused,
    retryDelayMs: (failures) => 1_000 * (failures + 1),
    wallNow: () => 5_000,
    onStoreFailure: () => undefined,
    ...over,
  });
  return { outbox, onAnswer, onRefused, store };
}

test('sends one report at a time, in order, and removes each once answered', async () => {
  const waiting: ((outcome: SendOutcome) => void)[] = [];
  const sent: string[] = [];
  const { outbox, onAnswer, store } = outboxWith({
    send: (one) => {
      sent.push(one.id);
      return new Promise((resolve) => waiting.push(resolve));
    },
  });
  outbox.add(report('a'));
  outbox.add(report('b'));
  await vi.advanceTimersByTimeAsync(0);
  expect(sent).toEqual(['a']);
  expect([...store.rows.keys()]).toEqual(['a', 'b']);
  waiting[0]?.(counted);
  await vi.advanceTimersByTimeAsync(0);
  expect(sent).toEqual(['a', 'b']);
  expect([...store.rows.keys()]).toEqual(['b']);
  expect(onAnswer).toHaveBeenCalledExactlyOnceWith(report('a'), counted.answer);
});

test('retries under the same id after an increasing pause, or when the network is back', async () => {
  const send = vi.fn(async (): Promise<SendOutcome> => again);
  const { outbox } = outboxWith({ send });
  outbox.add(report('a'));
  await vi.advanceTimersByTimeAsync(999);
  expect(send).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(send).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(1_999);
  expect(send).toHaveBeenCalledTimes(2);
  outbox.retryNow();
  await vi.advanceTimersByTimeAsync(0);
  expect(send).toHaveBeenCalledTimes(3);
  expect(new Set(send.mock.calls.map((call: unknown[]) => JSON.stringify(call[0]))).size).toBe(1);
});

test("keeps the server's Retry-After when the network returns", async () => {
  const send = vi.fn(async (): Promise<SendOutcome> => ({ kind: 'try-again', afterMs: 30_000 }));
  const { outbox } = outboxWith({ send, retryDelayMs: (_n, afterMs) => afterMs ?? 0 });
  outbox.add(report('a'));
  await vi.advanceTimersByTimeAsync(10_000);
  outbox.retryNow();
  await vi.advanceTimersByTimeAsync(19_000);
  expect(send).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(send).toHaveBeenCalledTimes(2);
});

test("sends this attempt's stored reports after a reload, before newer ones", async () => {
  const store = disk();
  outboxWith({ send: async () => again }, store).outbox.add(report('old', 1_000));
  await store.put({ ...report('foreign'), participantId: 'someone else' });
  const sent: string[] = [];
  const { outbox } = outboxWith(
    {
      send: async (one) => {
        sent.push(one.id);
        return counted;
      },
    },
    store,
  );
  await outbox.resume('p');
  outbox.add(report('new', 4_000));
  await vi.advanceTimersByTimeAsync(0);
  expect(sent).toEqual(['old', 'new']);
});

test('continues after a refused report, and drops all when the attempt has ended', async () => {
  const outcomes: SendOutcome[] = [{ kind: 'refused' }, counted, { kind: 'over' }];
  const send = vi.fn(async () => outcomes.shift() ?? counted);
  const { outbox, onAnswer, onRefused, store } = outboxWith({ send });
  for (const id of ['a', 'b', 'c', 'd']) outbox.add(report(id));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(send).toHaveBeenCalledTimes(3);
  expect(onAnswer).toHaveBeenCalledTimes(1);
  expect(onRefused.mock.calls).toEqual([[report('a')], [report('c')], [report('d')]]);
  expect(store.rows.size).toBe(0);
  outbox.add(report('e'));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(send).toHaveBeenCalledTimes(3);
});

test('keeps pending reports when the candidate is signed out', async () => {
  const send = vi.fn(async (): Promise<SendOutcome> => ({ kind: 'signed-out' }));
  const { outbox, store } = outboxWith({ send });
  outbox.add(report('a'));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(send).toHaveBeenCalledTimes(1);
  expect([...store.rows.keys()]).toEqual(['a']);
});

test.each([
  ['four seconds old', 1_000, 4_000],
  ['zero when the clock was set back', 9_000, 0],
  ['capped when the clock was set forward by years', -1e13, 86_400_000],
])('sends the age of the report: %s', async (_, wallAt, ageMs) => {
  const send = vi.fn(async (_report: StoredReport, _age: number) => counted);
  outboxWith({ send }).outbox.add(report('a', wallAt));
  await vi.advanceTimersByTimeAsync(0);
  expect(send.mock.calls[0]?.[1]).toBe(ageMs);
});

test('sends reports when the browser cannot store them', async () => {
  const onStoreFailure = vi.fn();
  const broken = { ...disk(), put: () => Promise.reject(new Error('full')) };
  const { outbox, onAnswer } = outboxWith({
    send: async () => counted,
    onStoreFailure,
    store: broken,
  });
  outbox.add(report('a'));
  await vi.advanceTimersByTimeAsync(0);
  expect(onAnswer).toHaveBeenCalledTimes(1);
  expect(onStoreFailure).toHaveBeenCalledTimes(1);
});

test('is settled once everything is answered, immediately when nothing is pending', async () => {
  const waiting: ((outcome: SendOutcome) => void)[] = [];
  const { outbox } = outboxWith({ send: () => new Promise((resolve) => waiting.push(resolve)) });
  await outbox.settled();
  outbox.add(report('a'));
  outbox.add(report('b'));
  let settled = false;
  const wait = outbox.settled().then(() => {
    settled = true;
  });
  waiting.shift()?.(counted);
  await vi.advanceTimersByTimeAsync(0);
  expect(settled).toBe(false);
  waiting.shift()?.(counted);
  await wait;
});

test('retries at once when asked to settle, and settles after one failed try', async () => {
  const outcomes = [again, again];
  const send = vi.fn(async () => outcomes.shift() ?? counted);
  const { outbox } = outboxWith({ send });
  outbox.add(report('a'));
  await vi.advanceTimersByTimeAsync(0);
  await outbox.settled();
  expect(send).toHaveBeenCalledTimes(2);
  expect(outbox.waiting).toBe(1);
});
