import fc from 'fast-check';
import { beforeEach, expect, test, vi } from 'vitest';
import { AnswerServer, resumed, settle } from '../testing/answer-server.ts';
import { provideIndexedDb, stopTime } from '../testing/browser-stubs.ts';
import type { AnswerChange } from './answer-sheet.ts';
import type { AnswerSync } from './answer-sync.ts';
import type { LastMoment } from './change-store.ts';
import { Submission } from './submission.ts';

provideIndexedDb();

stopTime({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
});

async function pass(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
  await settle();
}

let pages = 0;

/** A page on a device of its own, unless this is one that was used before. */
function opened(server?: AnswerServer, name?: string, lastMoment?: LastMoment) {
  pages += 1;
  const over = { name: name ?? `typing-${pages}` };
  return resumed(server, lastMoment ? { ...over, lastMoment } : over);
}

/** Changes that a page leaves for the next one of the same tab. */
function leftBehind() {
  let left: AnswerChange[] = [];
  const write = (changes: readonly AnswerChange[]) => {
    left = [...changes];
  };
  return { left: () => left, lastMoment: { read: () => left, write } };
}

/** Types a text letter by letter, one every 50 ms. */
async function typeIn(sync: AnswerSync, questionId: string, text: string): Promise<void> {
  for (let length = 1; length <= text.length; length += 1) {
    sync.type(questionId, text.slice(0, length));
    await vi.advanceTimersByTimeAsync(50);
    await settle(10);
  }
}

test('shows each keystroke at once, stores within 300 ms and sends many in one request', async () => {
  const { server, sync, held } = await opened();
  sync.type('q', '3');
  expect(sync.getSnapshot().values.get('q')?.answer).toBe('3');
  expect(sync.getSnapshot().state).toEqual({ kind: 'saving' });
  await pass(300);
  expect(await held()).toEqual(['3']);
  expect(server.saves).toEqual([]);
  await typeIn(sync, 'q', '3.14159265');
  await pass(2_000);
  expect(server.saves).toHaveLength(1);
  expect(server.stored.get('q')?.answer).toBe('3.14159265');
  expect(sync.getSnapshot().state.kind).toBe('saved');
  expect(await held()).toEqual([]);
});

test('sends while someone types on and on, at most every 2 s', async () => {
  const { server, sync } = await opened();
  await typeIn(sync, 'q', 'x'.repeat(200));
  await settle();
  expect(server.saves.length).toBeGreaterThanOrEqual(4);
  expect(server.saves.length).toBeLessThanOrEqual(5);
});

test('does not wait for more once the field is left', async () => {
  const { server, sync } = await opened();
  sync.type('q', 'Bern');
  sync.settle();
  await settle();
  expect(server.stored.get('q')?.answer).toBe('Bern');
  await pass(5_000);
  expect(server.saves).toHaveLength(1);
});

test('does not wait for more when another question is answered or flagged', async () => {
  const { server, sync } = await opened();
  sync.type('q1', 'Bern');
  sync.change('q1', { isFlagged: true });
  await settle();
  expect(server.stored.get('q1')).toMatchObject({ answer: 'Bern', isFlagged: true });
  sync.type('q1', 'Basel');
  sync.type('q2', '2');
  await settle();
  expect(server.stored.get('q1')?.answer).toBe('Basel');
});

test('a closing page sends the last keystroke and leaves it on the device', async () => {
  const { server, sync, held } = await opened();
  server.gate = new Promise(() => undefined);
  sync.type('q', 'Ber');
  sync.type('q', 'Bern');
  sync.flushForGood();
  expect(server.saves.at(-1)).toMatchObject([{ questionId: 'q', answer: 'Bern' }]);
  await settle();
  expect(await held()).toEqual(['Bern']);
});

test('a submit right after the last keystroke carries it', async () => {
  const { server, sync, held } = await opened();
  sync.type('q', 'Bern');
  const end = new Submission(sync, server).run(
    { auto: true, deadlineAt: null },
    new AbortController().signal,
    () => undefined,
  );
  await settle();
  expect((await end).kind).toBe('accepted');
  expect(server.stored.get('q')?.answer).toBe('Bern');
  await pass(5_000);
  expect(await held()).toEqual([]);
});

test('keeps what was typed when the session ends elsewhere', async () => {
  const { sync, held } = await opened();
  sync.type('q', 'Bern');
  sync.stop({ kind: 'replaced' });
  await settle();
  expect(await held()).toEqual(['Bern']);
  sync.type('q', 'Basel');
  expect(sync.getSnapshot().values.get('q')?.answer).toBe('Bern');
});

test('a crash costs at most the last 250 ms, and nothing that was acknowledged', async () => {
  const keystrokes = fc.array(
    fc.record({ text: fc.string({ minLength: 1, maxLength: 5 }), afterMs: fc.nat(1_000) }),
    { minLength: 1, maxLength: 12 },
  );
  await fc.assert(
    fc.asyncProperty(keystrokes, async (typed) => {
      const server = new AnswerServer();
      const first = await opened(server);
      const past: string[] = [''];
      for (const { text, afterMs } of typed) {
        first.sync.type('q', text);
        past.push(text);
        await pass(afterMs);
      }
      await pass(300);
      // The page is gone without a word: another visit reads the device and the server.
      const acknowledged = server.stored.get('q')?.answer;
      first.store.close();
      const second = await opened(server, first.name);
      const shown = second.sync.getSnapshot().values.get('q')?.answer;
      expect(shown).toBe(past.at(-1));
      if (acknowledged !== undefined) expect(past).toContain(acknowledged);
      await pass(5_000);
      expect(server.stored.get('q')?.answer).toBe(past.at(-1));
      first.sync.stop();
      second.sync.stop();
      second.store.close();
    }),
    { numRuns: 15 },
  );
});

test('a reload at once shows what was typed, though neither database nor request was quick enough', async () => {
  const server = new AnswerServer();
  const { left, lastMoment } = leftBehind();
  const first = await opened(server, undefined, lastMoment);
  first.sync.type('q1', 'Berne');
  server.save = () => new Promise(() => undefined);
  first.store.put = () => new Promise(() => undefined);
  first.sync.flushForGood();
  const { sync } = await opened(server, undefined, lastMoment);
  expect(sync.getSnapshot().values.get('q1')?.answer).toBe('Berne');
  await sync.finish();
  expect(left()).toEqual([]);
});

test('what was acknowledged after the page was hidden is not kept for a reload', async () => {
  const server = new AnswerServer();
  const { left, lastMoment } = leftBehind();
  const { sync } = await opened(server, undefined, lastMoment);
  sync.type('q1', 'B');
  sync.flushForGood();
  expect(left().map((change) => change.answer)).toEqual(['B']);
  await typeIn(sync, 'q1', 'Be');
  await pass(2_000);
  expect(left()).toEqual([]);
});
