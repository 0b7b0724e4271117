import fc from 'fast-check';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import {
  AnswerServer,
  type Fault,
  openSync,
  PARTICIPANT,
  resumed,
  settle,
} from '../testing/answer-server.ts';
import { provideIndexedDb, stopTime } from '../testing/browser-stubs.ts';
import type { AnswerSync } from './answer-sync.ts';
import { type ChangeStore, memoryChangeStore, openChangeStore } from './change-store.ts';
import { Submission } from './submission.ts';

provideIndexedDb();

stopTime({
  toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'],
  now: new Date('2026-05-14T10:00:00Z'),
});
beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
});

/**
 * Advances time in small steps and flushes pending work after each, so that answered requests take
 * at most a second of the timeouts' time.
 */
async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= STEP_MS) {
    await vi.advanceTimersByTimeAsync(Math.min(left, STEP_MS));
    await settle(20);
  }
}

const STEP_MS = 1_000;

const stored = (questionId: string, answer: string, revision: number) => ({
  questionId,
  answer,
  isFlagged: false,
  revision,
});

describe('opened from copies, without a connection', () => {
  test('is replaced by what the server has, once it answers, except what was changed since', async () => {
    const server = new AnswerServer();
    // The server has more than the copy: it was acknowledged after the last one was written.
    for (const row of [stored('q1', 'A', 1), stored('q2', 'B', 7), stored('q3', 'C', 2)])
      server.stored.set(row.questionId, row);
    const load = vi.spyOn(server, 'load');
    load.mockResolvedValueOnce({ kind: 'loaded', answers: [stored('q1', 'A', 1)], isCopy: true });
    const { sync, shown, state } = await resumed(server);
    expect(shown('q2')).toBeUndefined();
    // The revision must be above the server's, which this page does not know.
    sync.change('q2', { answer: 'D' });
    await settle();
    expect(server.stored.get('q2')?.answer).toBe('D');
    load.mockResolvedValueOnce({ kind: 'try-again', afterMs: null });
    await sync.confirm(new AbortController().signal);
    expect(shown('q3')).toBeUndefined();
    await sync.confirm(new AbortController().signal);
    expect([shown('q1'), shown('q2'), shown('q3'), state().kind]).toEqual(['A', 'D', 'C', 'saved']);
    const calls = load.mock.calls.length;
    await sync.confirm(new AbortController().signal);
    expect(load).toHaveBeenCalledTimes(calls);
  });

  test('shows a newer answer of the server, and flags that one', async () => {
    const server = new AnswerServer();
    server.stored.set('q1', stored('q1', 'B', 5));
    vi.spyOn(server, 'load').mockResolvedValueOnce({
      kind: 'loaded',
      answers: [stored('q1', 'A', 4)],
      isCopy: true,
    });
    const { sync, shown } = await resumed(server);
    expect([shown('q1'), sync.acknowledged]).toEqual(['A', [stored('q1', 'A', 4)]]);
    await sync.confirm(new AbortController().signal);
    expect(shown('q1')).toBe('B');
    sync.change('q1', { isFlagged: true });
    await settle();
    expect(server.stored.get('q1')).toMatchObject({ answer: 'B', isFlagged: true });
  });

  test('keeps what was acknowledged while the answers of the server were read', async () => {
    const server = new AnswerServer();
    const earlier = stored('q1', 'A', 1);
    server.stored.set('q1', earlier);
    const load = vi.spyOn(server, 'load');
    load.mockResolvedValueOnce({ kind: 'loaded', answers: [earlier], isCopy: true });
    const { sync, shown } = await resumed(server);
    const read = Promise.withResolvers<Awaited<ReturnType<typeof server.load>>>();
    load.mockReturnValueOnce(read.promise);
    const confirmed = sync.confirm(new AbortController().signal);
    sync.change('q1', { answer: 'B' });
    await settle();
    expect(server.stored.get('q1')?.answer).toBe('B');
    read.resolve({ kind: 'loaded', answers: [earlier] });
    await confirmed;
    expect(shown('q1')).toBe('B');
  });

  test('offers what the server has acknowledged for a copy, and nothing else', async () => {
    const server = new AnswerServer();
    server.stored.set('q1', stored('q1', 'A', 3));
    const { sync } = await resumed(server);
    sync.change('q2', { answer: 'B' });
    expect(sync.acknowledged).toEqual([stored('q1', 'A', 3)]);
    await settle();
    expect(sync.acknowledged).toEqual([stored('q1', 'A', 3), stored('q2', 'B', 1)]);
  });
});

describe('refusals', () => {
  test('takes the server value on a conflict, with a notice, and sends the rest at once', async () => {
    const { server, sync, notices, state, shown } = await resumed();
    sync.change('q1', { answer: 'A' });
    sync.change('q2', { answer: 'B' });
    server.stored.set('q1', stored('q1', 'C', 1));
    await settle();

    expect(server.stored.get('q2')?.answer).toBe('B');
    expect(shown('q1')).toBe('C');
    expect(notices).toEqual([{ questionId: 'q1', reason: 'conflict', message: 'row 0' }]);
    expect(state().kind).toBe('saved');
    // No time has passed, so there was no back-off.
    sync.change('q1', { answer: 'D' });
    await settle();
    expect(server.stored.get('q1')).toEqual(stored('q1', 'D', 2));
  });

  test('parks a refused row and saves the others', async () => {
    const { server, sync, store, notices, shown } = await resumed();
    server.refusedQuestions.add('q2');
    for (const question of ['q1', 'q2', 'q3']) sync.change(question, { answer: 'A' });
    await settle();
    expect([...server.stored.keys()].sort()).toEqual(['q1', 'q3']);
    expect(notices.map(({ questionId, reason }) => [questionId, reason])).toEqual([
      ['q2', 'refused'],
    ]);
    expect(shown('q2')).toBe('');
    expect(await store.load(PARTICIPANT)).toEqual([]);
  });

  test('halves the batch after a refusal without row names until the bad row is alone', async () => {
    const { server, sync, notices } = await resumed();
    server.namesRows = false;
    server.refusedQuestions.add('q4');
    server.faults.push('lost');
    for (let i = 1; i <= 7; i += 1) sync.change(`q${i}`, { answer: 'B' });
    await settle();
    await pass(1_000);
    expect([...server.stored.keys()].sort()).toEqual(['q1', 'q2', 'q3', 'q5', 'q6', 'q7']);
    expect(notices.map(({ questionId }) => questionId)).toEqual(['q4']);
  });

  test('saves a click made after the refused one', async () => {
    const { server, sync, shown } = await resumed();
    const reply = Promise.withResolvers<void>();
    server.gate = reply.promise;
    server.stored.set('q1', stored('q1', 'C', 1));
    sync.change('q1', { answer: 'A' });
    await settle();
    expect(server.saves).toEqual([[stored('q1', 'A', 1)]]);
    sync.change('q1', { answer: 'B' });
    reply.resolve();
    await settle();
    expect(shown('q1')).toBe('B');
    expect(server.stored.get('q1')).toEqual(stored('q1', 'B', 2));
  });

  test('halves the request after a 413', async () => {
    const { server, sync } = await resumed();
    server.maxRows = 2;
    server.faults.push('lost');
    for (let i = 1; i <= 8; i += 1) sync.change(`q${i}`, { answer: 'A' });
    await settle();
    await pass(1_000);
    expect(server.stored.size).toBe(8);
    expect(server.saves.slice(2).map((rows) => rows.length)).toEqual([4, 2, 2, 2, 2]);
  });

  test('saves the others when a single row is too large', async () => {
    const { server, sync, notices } = await resumed();
    server.script.push({ kind: 'too-large' });
    sync.change('q1', { answer: 'A' });
    await settle();
    sync.change('q2', { answer: 'B' });
    await settle();
    expect(notices).toHaveLength(1);
    expect([...server.stored.keys()]).toEqual(['q2']);
  });

  test('sends requests of at most 48 KiB', async () => {
    const { server, sync } = await resumed();
    server.faults.push('lost');
    const long = 'ü'.repeat(4_000);
    for (let i = 0; i < 20; i += 1) sync.change(`q${i}`, { answer: long });
    await settle();
    await pass(1_000);
    const sizes = server.saves.map(
      (answers) => new TextEncoder().encode(JSON.stringify({ answers })).length,
    );
    expect(Math.max(...sizes)).toBeLessThanOrEqual(49_152);
    expect(Math.max(...sizes)).toBeGreaterThan(30_000);
    expect(server.stored.size).toBe(20);
  });

  test('stops sending and keeps the changes when the session is replaced', async () => {
    const { server, sync, store, state } = await resumed();
    server.script.push({ kind: 'replaced' });
    sync.change('q1', { answer: 'A' });
    await settle();
    sync.change('q2', { answer: 'B' });
    await pass(60_000);
    expect(state()).toEqual({ kind: 'replaced', waiting: 1 });
    expect(server.saves).toHaveLength(1);
    expect(await store.load(PARTICIPANT)).toEqual([stored('q1', 'A', 1)]);
  });

  test("stops sending when the attempt is closed, with the server's details", async () => {
    const { server, sync, state } = await resumed();
    server.ended = true;
    sync.change('q1', { answer: 'A' });
    await settle();
    expect(state()).toEqual({
      kind: 'closed',
      status: 'completed',
      submissionType: 'auto',
      waiting: 1,
    });
  });

  test('backs off after an acknowledgement without any of the rows', async () => {
    const { server, sync, state } = await resumed();
    const news = { status: 'in_progress', remainingMs: 1, violationCount: 0 } as const;
    server.script.push({ kind: 'saved', saved: [], stale: [], news });
    sync.change('q1', { answer: 'A' });
    await settle();
    expect(server.saves).toHaveLength(1);
    expect(state()).toEqual({ kind: 'offline', waiting: 1 });
    await pass(1_000);
    expect(state().kind).toBe('saved');
  });
});

describe('a bad connection', () => {
  test('is "saved" only after the acknowledgement, and counts pending changes offline', async () => {
    const { server, sync, state } = await resumed();
    expect(state()).toEqual({ kind: 'saved', at: null });
    server.faults.push('lost', 'lost');
    sync.change('q1', { answer: 'A' });
    expect(state()).toEqual({ kind: 'saving' });
    await settle();
    expect(state()).toEqual({ kind: 'offline', waiting: 1 });
    sync.change('q2', { answer: 'B' });
    sync.change('q1', { answer: 'C' });
    expect(state()).toEqual({ kind: 'offline', waiting: 2 });
    await pass(1_000);
    expect(state()).toEqual({ kind: 'offline', waiting: 2 });
    await pass(1_000);
    expect(state()).toEqual({ kind: 'saved', at: new Date('2026-05-14T10:00:02Z') });
  });

  test('has one request in flight while later clicks coalesce per question', async () => {
    const { server, sync } = await resumed();
    sync.change('q1', { answer: 'A' });
    sync.change('q1', { answer: 'B' });
    sync.change('q2', { answer: 'A' });
    sync.change('q1', { answer: 'C' });
    sync.change('q1', { isFlagged: true });
    await settle();
    const rows = server.saves.flat();
    expect(rows.length).toBeLessThanOrEqual(3);
    expect(server.stored.get('q1')).toEqual({ ...stored('q1', 'C', 4), isFlagged: true });
  });

  test('gives up on a request after 15 s', async () => {
    const { server, sync, state } = await resumed();
    server.faults.push('hangs');
    sync.change('q1', { answer: 'A' });
    await settle();
    await pass(14_000);
    expect(server.saves).toHaveLength(1);
    await pass(2_000);
    expect(server.saves).toHaveLength(2);
    expect(state().kind).toBe('saved');
  });

  test('backs off up to 15 s and retries at once when the network is back', async () => {
    const { server, sync } = await resumed();
    server.faults.push(...Array<Fault>(6).fill('lost'));
    sync.change('q1', { answer: 'A' });
    await settle();
    expect(server.saves).toHaveLength(1);
    sync.retryNow();
    await settle();
    expect(server.saves).toHaveLength(2);
  });

  test('honors Retry-After', async () => {
    const { server, sync } = await resumed();
    server.script.push({ kind: 'try-again', afterMs: 20_000 });
    sync.change('q1', { answer: 'A' });
    await settle();
    await pass(19_000);
    expect(server.saves).toHaveLength(1);
    await pass(1_000);
    expect(server.saves).toHaveLength(2);
  });

  test('honors only the first 5 s of a Retry-After once the network is back', async () => {
    const { server, sync } = await resumed();
    server.script.push({ kind: 'try-again', afterMs: 60_000 });
    sync.change('q1', { answer: 'A' });
    await settle();
    await pass(4_000);
    sync.retryNow();
    await settle();
    expect(server.saves).toHaveLength(1);
    await pass(1_000);
    sync.retryNow();
    await settle();
    expect(server.saves).toHaveLength(2);
  });
});

describe('resuming', () => {
  test('takes the higher revision, with a notice unless the values are equal', async () => {
    const server = new AnswerServer();
    const store = await openChangeStore('test');
    for (const row of [
      stored('older', 'A', 1),
      stored('equal', 'B', 2),
      stored('clash', 'A', 2),
      stored('newer', 'D', 5),
    ]) {
      await store.put(PARTICIPANT, row);
    }
    store.close();
    server.stored.set('older', stored('older', 'C', 4));
    server.stored.set('equal', stored('equal', 'B', 2));
    server.stored.set('clash', stored('clash', 'B', 2));
    server.stored.set('newer', stored('newer', 'A', 4));
    const { notices, shown } = await resumed(server);
    expect(['older', 'equal', 'clash', 'newer'].map(shown)).toEqual(['C', 'B', 'B', 'D']);
    expect(server.stored.get('newer')?.revision).toBe(5);
    expect(notices.map(({ questionId, reason }) => [questionId, reason]).sort()).toEqual([
      ['clash', 'conflict'],
      ['older', 'older'],
    ]);
  });

  test('keeps changes of other attempts on the same device separate', async () => {
    const store = await openChangeStore('test');
    await store.put('another-attempt', stored('q1', 'D', 3));
    store.close();
    const { sync, shown } = await resumed();
    expect(shown('q1')).toBeUndefined();
    await sync.finish();
    const again = await openChangeStore('test');
    expect(await again.load('another-attempt')).toHaveLength(1);
    again.close();
  });

  test('works without storage and reports that changes are not durable', async () => {
    const server = new AnswerServer();
    const broken = { ...memoryChangeStore(), put: () => Promise.reject(new Error('disk full')) };
    const { sync, state } = await resumed(server, { store: broken });
    sync.change('q1', { answer: 'A' });
    await settle();
    expect(sync.getSnapshot().durable).toBe(false);
    expect(state().kind).toBe('saved');
    expect(server.stored.get('q1')?.answer).toBe('A');
  });
});

describe('storage that fails', () => {
  const refusing = (what: 'put' | 'load'): ChangeStore => ({
    ...memoryChangeStore(),
    [what]: () => Promise.reject(new Error('no storage')),
  });

  test('sends changes that could not be stored on the next visit of the page', async () => {
    const server = new AnswerServer();
    const memory = memoryChangeStore();
    const first = await resumed(server, { store: refusing('put'), memory });
    server.script.push({ kind: 'signed-out' });
    first.sync.change('q1', { answer: 'A' });
    await settle();
    expect(first.state()).toEqual({ kind: 'signed-out', waiting: 1 });
    const second = await resumed(server, { store: refusing('put'), memory });
    expect(second.shown('q1')).toBe('A');
    expect(server.stored.get('q1')).toEqual(stored('q1', 'A', 1));
    await settle();
    expect(await memory.load(PARTICIPANT)).toEqual([]);
  });

  test('never lets a change that was unreadable win over a later one', async () => {
    const server = new AnswerServer();
    server.stored.set('q1', stored('q1', 'A', 5));
    const disk = await openChangeStore('test');
    await disk.put(PARTICIPANT, stored('q1', 'B', 9));
    await disk.put(PARTICIPANT, stored('q2', 'B', 4));
    const blind = { ...memoryChangeStore(), load: () => Promise.reject(new Error('it hangs')) };
    const visit = await resumed(server, { store: blind });
    visit.sync.change('q1', { answer: 'C' });
    visit.sync.change('q2', { answer: 'C' });
    await settle();
    visit.sync.stop();
    const later = await resumed(server);
    disk.close();
    for (const id of ['q1', 'q2']) {
      expect(server.stored.get(id)?.answer).toBe('C');
      expect(later.shown(id)).toBe('C');
    }
  });

  test('gives up loading answers after 15 s', async () => {
    const server = new AnswerServer();
    server.faults.push('hangs');
    const { sync } = await openSync(server);
    const outcome = sync.resume(new AbortController().signal);
    await settle();
    await pass(16_000);
    expect(await outcome).toEqual({ kind: 'try-again', afterMs: null });
  });
});

describe('submitting', () => {
  const BY_HAND = { auto: false, deadlineAt: null };
  const submission = (sync: AnswerSync, server: AnswerServer) => new Submission(sync, server);

  test('settles a conflict by the normal path without blocking the submit', async () => {
    const { server, sync, notices } = await resumed();
    sync.change('q1', { answer: 'A' });
    sync.change('q2', { answer: 'B' });
    server.stored.set('q1', stored('q1', 'C', 1));
    const end = submission(sync, server).run(
      BY_HAND,
      new AbortController().signal,
      () => undefined,
    );
    await pass(5_000);
    expect((await end).kind).toBe('accepted');
    expect(server.stored.get('q1')?.answer).toBe('C');
    expect(server.stored.get('q2')?.answer).toBe('B');
    expect(notices).toHaveLength(1);
  });

  test('retries until acknowledged, carries unsaved changes, and clears the device', async () => {
    const { server, sync, store } = await resumed();
    server.faults.push('lost', 'lost', 'reply-lost');
    sync.change('q1', { answer: 'A' });
    await settle();
    const tries: number[] = [];
    const end = submission(sync, server).run(BY_HAND, new AbortController().signal, (n) =>
      tries.push(n),
    );
    await pass(20_000);
    expect((await end).kind).toBe('accepted');
    expect(tries).toEqual([1, 2]);
    expect(server.stored.get('q1')?.answer).toBe('A');
    expect(await store.load(PARTICIPANT)).toEqual([]);
  });

  test.each([
    ['in flight', 'hangs', 0],
    ['waiting for the next try', 'lost', 500],
  ] as const)('reports only the abort when aborted while %s', async (_, fault, afterMs) => {
    const { server, sync } = await resumed();
    server.faults.push(fault, 'hangs');
    const tries: number[] = [];
    const over = new AbortController();
    const end = submission(sync, server).run(BY_HAND, over.signal, (n) => tries.push(n));
    await settle();
    await pass(afterMs);
    const before = tries.length;
    over.abort();
    expect((await end).kind).toBe('aborted');
    expect(tries).toHaveLength(before);
  });

  test('sends nothing when aborted while waiting for the save in flight', async () => {
    const { server, sync } = await resumed();
    server.faults.push('hangs');
    sync.change('q1', { answer: 'A' });
    await settle();
    const over = new AbortController();
    const end = submission(sync, server).run(BY_HAND, over.signal, () => undefined);
    over.abort();
    await pass(3_000);
    expect((await end).kind).toBe('aborted');
    expect(server.requests.map(({ kind }) => kind)).not.toContain('submit');
  });
});

test('stores the last click of each question for any sequence of clicks, faults and restarts', async () => {
  const step = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constant('click' as const),
        question: fc.integer({ min: 1, max: 4 }),
        option: fc.constantFrom('', 'A', 'B', 'C', 'D'),
        turns: fc.nat(12),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('fault' as const),
        fault: fc.constantFrom<Fault>('lost', 'reply-lost', 'hangs', 'overtaken'),
      }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.nat(20_000) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('crash' as const) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('hide' as const) }) },
  );
  let database = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      database += 1;
      const name = `test-${database}`;
      const server = new AnswerServer();
      server.slow = true;
      const last = new Map<string, string>();
      let visit = await resumed(server, { name });
      for (const s of steps) {
        if (s.kind === 'click') {
          visit.sync.change(`q${s.question}`, { answer: s.option });
          if (s.option !== '' || last.has(`q${s.question}`)) last.set(`q${s.question}`, s.option);
          await settle(s.turns);
        } else if (s.kind === 'fault') server.faults.push(s.fault);
        else if (s.kind === 'wait') await pass(s.ms);
        else if (s.kind === 'hide') visit.sync.flushForGood();
        else {
          // Let writes finish: a click is durable, or it never happened.
          await settle();
          visit.sync.stop();
          visit.store.close();
          server.faults.length = 0;
          visit = await resumed(server, { name });
        }
      }
      server.faults.length = 0;
      await pass(60_000);
      server.deliverLate();
      for (const [question, option] of last) {
        expect(server.stored.get(question)?.answer).toBe(option);
        expect(visit.shown(question) ?? '').toBe(option);
      }
      expect(visit.sync.getSnapshot().state.kind).toBe('saved');
      expect(visit.notices).toEqual([]);
      visit.sync.stop();
    }),
    { numRuns: 100 },
  );
});
