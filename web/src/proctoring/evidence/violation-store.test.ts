import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { provideIndexedDb } from '../../testing/indexed-db.ts';
import { openViolationStore, type StoredReport } from './violation-store.ts';

provideIndexedDb();

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const report = (id: string, change: Partial<StoredReport> = {}): StoredReport => ({
  id,
  participantId: 'p',
  type: 'print',
  wallAt: Date.now(),
  durationMs: null,
  notes: null,
  engine: null,
  ...change,
});

test('rejects after a timeout when the database never opens', async () => {
  vi.spyOn(indexedDB, 'open').mockReturnValue(new IDBOpenDBRequest());
  const opened = openViolationStore().then(
    () => 'open',
    () => 'given up',
  );
  await vi.advanceTimersByTimeAsync(10_099);
  expect(await Promise.race([opened, 'waiting'])).toBe('waiting');
  await vi.advanceTimersByTimeAsync(1);
  expect(await opened).toBe('given up');
});

test("loads this attempt's stored reports, oldest first", async () => {
  vi.useRealTimers();
  const before = await openViolationStore();
  const now = Date.now();
  await before.put(report('late', { wallAt: now - 1_000 }));
  await before.put(report('early', { wallAt: now - 2_000 }));
  await before.put(report('of another attempt', { participantId: 'q' }));
  await before.put(report('gone'));
  await before.remove('gone');
  before.close();
  const store = await openViolationStore();
  expect((await store.load('p')).map(({ id }) => id)).toEqual(['early', 'late']);
  store.close();
});
