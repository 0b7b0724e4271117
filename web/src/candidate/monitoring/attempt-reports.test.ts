import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { StoredReport } from '../../proctoring/evidence/violation-store.ts';
import { provideIndexedDb } from '../../testing/indexed-db.ts';
import { AttemptReports } from './attempt-reports.ts';

provideIndexedDb();

const sent: string[] = [];
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  sent.length = 0;
  vi.stubGlobal('window', new EventTarget());
  vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }));
  vi.stubGlobal('fetch', async (_: string, { body }: { body: string }) => {
    const { id }: { id: string } = JSON.parse(body);
    sent.push(id);
    const answer = { id, counted: true, violationCount: 1, remaining: 2, status: 'in_progress' };
    return Response.json(answer, { status: 201 });
  });
});
afterEach(() => {
  vi.useRealTimers();
});

const report = (id: string): StoredReport => ({
  id,
  participantId: 'p',
  type: 'face_not_detected',
  wallAt: Date.now(),
  durationMs: null,
  notes: null,
  engine: null,
});

function reporting() {
  const answered: string[] = [];
  const refused: string[] = [];
  const reports = new AttemptReports({
    participantId: 'p',
    onAnswer: ({ id }) => void answered.push(id),
    onRefused: ({ id }) => void refused.push(id),
  });
  return { reports, answered, refused };
}

test('sends reports after ten seconds when the database never opens', async () => {
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  vi.spyOn(indexedDB, 'open').mockReturnValue(new IDBOpenDBRequest());
  const { reports, answered } = reporting();
  reports.add(report('before'));
  void reports.open();
  reports.add(report('between'));
  await vi.advanceTimersByTimeAsync(9_999);
  expect(sent).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  reports.add(report('after'));
  await expect.poll(() => answered).toEqual(['before', 'between', 'after']);
  expect(warned).toHaveBeenCalledTimes(1);
  reports.stop();
});

test('drops a type over its limit without blocking others', async () => {
  const ours = globalThis.fetch;
  vi.stubGlobal('fetch', async (url: string, init: { body: string }) => {
    if (!init.body.includes('tab_hidden_briefly')) return ours(url, init);
    const code = 'TOO_MANY_VIOLATIONS';
    const details = { isFull: true };
    const body = {
      statusCode: 429,
      error: 'Too Many Requests',
      code,
      message: 'Too many',
      details,
    };
    return Response.json(body, { status: 429, headers: { 'retry-after': '60' } });
  });
  const { reports, answered, refused } = reporting();
  await reports.open();
  reports.add({ ...report('harmless'), type: 'tab_hidden_briefly' });
  reports.add(report('counts'));
  await expect.poll(() => answered).toEqual(['counts']);
  expect(refused).toEqual(['harmless']);
  reports.stop();
});

test('sends nothing when stopped before the database opened', async () => {
  const { reports } = reporting();
  reports.add(report('early'));
  const opened = reports.open();
  reports.stop();
  await opened;
  expect(sent).toEqual([]);
});

test.each([
  [400, '<html>'],
  [403, '<html>'],
  [404, 'default backend - 404'],
  [409, ''],
  [401, '<html>'],
])("resends a report after a proxy's %i", async (status, body) => {
  const ours = globalThis.fetch;
  const replies = [new Response(body, { status })];
  vi.stubGlobal('fetch', async (...call: Parameters<typeof fetch>) => {
    return replies.shift() ?? ours(...call);
  });
  const { reports, answered } = reporting();
  await reports.open();
  reports.add(report(`behind-${status}`));
  await expect.poll(() => replies).toEqual([]);
  await vi.advanceTimersByTimeAsync(2_000);
  await expect.poll(() => answered).toEqual([`behind-${status}`]);
  reports.stop();
});
