import { expect, test, vi } from 'vitest';
import { stopTime } from '../../testing/browser-stubs.ts';
import { paperQuestion, refusal } from '../../testing/fixtures.ts';
import { enter, getPaper } from './attempt-loading.ts';

stopTime();

function server(...replies: (() => Response | Promise<Response>)[]) {
  const fetch = vi.fn(async () => {
    const reply = replies.length > 1 ? replies.shift() : replies[0];
    if (reply === undefined) throw new TypeError('Failed to fetch');
    return reply();
  });
  vi.stubGlobal('fetch', fetch);
  return fetch;
}
const load = (ios: boolean) => {
  const userAgent = ios ? 'iPhone' : 'Chrome/140';
  vi.stubGlobal('navigator', { userAgent, maxTouchPoints: 0 });
  return getPaper('q', [], new AbortController().signal);
};

test.each([
  [true, 3, 1_000],
  [false, 1, 500],
])('on iOS (%s) retries %i times, %i ms apart, then fails', async (ios, more, waitMs) => {
  const fetch = server();
  const outcome = load(ios);
  for (let tries = 1; tries <= more; tries += 1) {
    await vi.advanceTimersByTimeAsync(waitMs - 1);
    expect(fetch).toHaveBeenCalledTimes(tries);
    await vi.advanceTimersByTimeAsync(1);
    expect(fetch).toHaveBeenCalledTimes(tries + 1);
  }
  expect(await outcome).toMatchObject({ kind: 'failed', failure: { kind: 'questions' } });
});

test('does not retry a final refusal', async () => {
  const fetch = server(() => refusal(401, 'SESSION_REPLACED'));
  expect(await load(true)).toEqual({ kind: 'replaced' });
  expect(fetch).toHaveBeenCalledTimes(1);
});

test('reports an assessment without questions', async () => {
  server(() => Response.json([]));
  expect(await load(false)).toMatchObject({ kind: 'failed', failure: { kind: 'no-questions' } });
});

test('returns questions of the second try', async () => {
  server(
    () => Promise.reject(new TypeError('Failed to fetch')),
    () => Response.json([paperQuestion('a')]),
  );
  const outcome = load(false);
  await vi.advanceTimersByTimeAsync(500);
  expect(await outcome).toMatchObject({ kind: 'paper', paper: [{ id: 'a' }] });
});

test('logs a participant that cannot be fetched, but not a refusal by a rule', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  server(() => refusal(503, 'UNAVAILABLE'));
  expect(await enter('q')).toMatchObject({ kind: 'failed', failure: { kind: 'start' } });
  expect(warn.mock.calls[0]?.[0]).toBe('[invigil] Failed to fetch participant');
  server(() => refusal(403, 'QUIZ_INACTIVE'));
  expect(await enter('q')).toMatchObject({ kind: 'failed', failure: { kind: 'inactive' } });
  expect(warn).toHaveBeenCalledTimes(1);
});

test.each([
  ['no answer', () => Promise.reject(new TypeError('Failed to fetch')), true],
  ["a proxy's page", () => new Response('<html>', { status: 404 }), true],
  ['an unavailable server', () => refusal(503, 'UNAVAILABLE'), true],
  ['a full disk', () => refusal(503, 'DISK_LOW'), false],
  ['a rule', () => refusal(409, 'NO_QUESTIONS'), false],
])('decides whether the attempt may have started after %s', async (_, reply, unsure) => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  server(reply);
  expect(await enter('q')).toMatchObject({ kind: 'failed', failure: { unsure } });
});
