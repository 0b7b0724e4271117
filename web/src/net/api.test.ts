import { login, logout, me } from '@invigil/core/contract/accounts/auth';
import { listCategories } from '@invigil/core/contract/assessments/categories';
import { saveAnswers } from '@invigil/core/contract/attempts/answers';
import { exportParticipants, listParticipants } from '@invigil/core/contract/review/participants';
import { takeLanguageFrom } from '@invigil/core/domain/locale';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import {
  ApiError,
  answerWasLost,
  ConnectionError,
  callEndpoint,
  headersFor,
  inTime,
  mayPass,
  retryAfterMsOf,
  sentenceOf,
  urlOf,
  whenPasswordIsNeeded,
} from './api.ts';
import { endpointKey } from './endpoint-query.ts';

const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140';
const ID = '019a6f3e-7b1c-7d3a-9f2e-4c5d7f3a91c2';

function answerWith(response: () => Response | Promise<Response>) {
  const fetch = vi.fn(async (_url: string, _init: RequestInit) => response());
  vi.stubGlobal('fetch', fetch);
  return fetch;
}

const failure = async (call: Promise<unknown>) => call.then(() => null).catch((e: unknown) => e);
const refusal = (code: string, status: number) => new ApiError({ status, code, sentence: '' });
const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers });

beforeEach(() => {
  vi.stubGlobal('navigator', { userAgent: CHROME });
});

describe('a refusal that requires the password again', () => {
  const needed = () =>
    json(403, {
      statusCode: 403,
      error: 'Forbidden',
      code: 'CONFIRM_PASSWORD',
      message: 'Confirm your password to continue',
    });
  /** Refuses the first `many` calls and answers the rest. */
  const refusing = (many: number) => {
    let n = 0;
    return answerWith(() => {
      n += 1;
      return n <= many ? needed() : json(200, []);
    });
  };

  test('resends the same call after the password is confirmed', async () => {
    const fetch = refusing(1);
    const stop = whenPasswordIsNeeded(async () => true);
    const body = { email: 'a@example.org', password: 'x' };
    await failure(callEndpoint(login, { body, signal: AbortSignal.timeout(10) }));
    stop();
    expect(fetch).toHaveBeenCalledTimes(2);
    expect(fetch.mock.calls.map(([url, init]) => [url, init.body])).toEqual([
      ['/api/auth/login', JSON.stringify(body)],
      ['/api/auth/login', JSON.stringify(body)],
    ]);
  });

  test('asks once for calls refused at the same time', async () => {
    refusing(2);
    const ask = vi.fn(async () => true);
    const stop = whenPasswordIsNeeded(ask);
    const both = [callEndpoint(listCategories), callEndpoint(listCategories)];
    expect(await Promise.all(both)).toEqual([[], []]);
    stop();
    expect(ask).toHaveBeenCalledTimes(1);
  });

  test.each([
    ['the dialog is canceled', async () => false],
    ['the call is refused again', async () => true],
  ])('is passed on if %s', async (_, ask) => {
    const fetch = answerWith(needed);
    const stop = whenPasswordIsNeeded(ask);
    expect(await failure(callEndpoint(listCategories))).toMatchObject({ code: 'CONFIRM_PASSWORD' });
    stop();
    expect(fetch.mock.calls.length).toBeLessThanOrEqual(2);
    expect(await failure(callEndpoint(listCategories))).toMatchObject({ code: 'CONFIRM_PASSWORD' });
  });
});

describe('a refusal', () => {
  test('is "status: sentence" with code, issues and the seconds to wait', async () => {
    answerWith(() =>
      json(
        409,
        {
          statusCode: 409,
          error: 'Conflict',
          code: 'STALE',
          message: 'Someone else has changed this',
          issues: [{ path: 'title', message: 'Taken' }],
        },
        { 'retry-after': '7' },
      ),
    );
    const error = await failure(callEndpoint(listCategories));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      message: '409: Someone else has changed this',
      status: 409,
      code: 'STALE',
      sentence: 'Someone else has changed this',
      retryAfterSeconds: 7,
    });
    expect(error instanceof ApiError && error.issueAt('title')).toBe('Taken');
  });

  test.each([
    ['86400', 60],
    ['9'.repeat(400), 60],
    ['Wed, 21 Oct 2099 07:28:00 GMT', 60],
    ['soon', null],
  ])('caps a Retry-After of %s at a minute', async (asked, seconds) => {
    answerWith(() => json(503, {}, { 'retry-after': asked }));
    expect(await failure(callEndpoint(listCategories))).toMatchObject({
      retryAfterSeconds: seconds,
    });
  });

  test.each([
    ['plain text', new Response('No room', { status: 507 }), '507: No room'],
    [
      'an empty body',
      new Response('', { status: 502, statusText: 'Bad Gateway' }),
      '502: Bad Gateway',
    ],
    ['a page', new Response('<html>..', { status: 503, statusText: 'Away' }), '503: Away'],
    ['no body and no status text', new Response(null, { status: 500 }), '500: Request failed'],
  ])('from a proxy with %s', async (_, response, message) => {
    answerWith(() => response);
    expect(await failure(callEndpoint(listCategories))).toMatchObject({ message, code: 'UNKNOWN' });
  });
});

describe('a failed call', () => {
  test('is a connection error with a sentence if there is no response', async () => {
    answerWith(() => Promise.reject(new TypeError('Failed to fetch')));
    const error = await failure(callEndpoint(listCategories));
    expect(error).toBeInstanceOf(ConnectionError);
    expect(sentenceOf(error)).toMatch(/cannot be reached/);
  });

  test("is a connection error if the response is not our server's", async () => {
    answerWith(() => new Response('<html>Sign in to the hotel</html>', { status: 200 }));
    expect(await failure(callEndpoint(listCategories))).toMatchObject({ reason: 'unreadable' });
    answerWith(() => json(200, [{ id: 1 }]));
    expect(await failure(callEndpoint(listCategories))).toMatchObject({ reason: 'unreadable' });
  });

  test('is a connection error after the timeout', async () => {
    const late = AbortSignal.abort(new DOMException('too late', 'TimeoutError'));
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(late);
    vi.stubGlobal('fetch', (_url: string, { signal }: RequestInit) =>
      Promise.reject(signal?.reason),
    );
    const call = { params: { id: 'p' }, body: { answers: [] }, signal: inTime() };
    await expect(callEndpoint(saveAnswers, call)).rejects.toMatchObject({ reason: 'unreachable' });
    expect(timeout).toHaveBeenCalledWith(15_000);
    // An abort by the page is not.
    const left = AbortSignal.abort();
    expect(inTime(left).reason).toBe(left.reason);
  });

  test('may have applied its write if the response was lost, not if it was refused', () => {
    expect(answerWasLost(new ConnectionError('unreachable', null))).toBe(true);
    expect(answerWasLost(new ConnectionError('unreadable', null))).toBe(true);
    // A proxy timed out.
    expect(answerWasLost(refusal('UNKNOWN', 504))).toBe(true);
    expect(answerWasLost(refusal('UNKNOWN', 500))).toBe(false);
    expect(answerWasLost(refusal('QUIZ_NOT_OPEN', 409))).toBe(false);
    expect(answerWasLost(null)).toBe(false);
  });

  test.each([
    ['no answer', new ConnectionError('unreachable', null), true],
    ["a proxy's page", refusal('UNKNOWN', 403), true],
    ['throttled', refusal('TOO_MANY_REQUESTS', 429), true],
    ['an unavailable server', refusal('UNAVAILABLE', 503), true],
    ['an error of the page', new TypeError('no such thing'), true],
    ['a refusal', refusal('ATTEMPT_ENDED', 409), false],
    ['an expired session', refusal('SESSION_EXPIRED', 401), false],
  ])('is temporary or not: %s', (_, error, passes) => {
    expect(mayPass(error)).toBe(passes);
  });

  test('has the Retry-After of the response, if any', () => {
    const busy = new ApiError({ status: 503, code: 'BUSY', sentence: '', retryAfterSeconds: 7 });
    expect(retryAfterMsOf(busy)).toBe(7_000);
    expect(retryAfterMsOf(refusal('BUSY', 503))).toBeNull();
    expect(retryAfterMsOf(new ConnectionError('unreachable', null))).toBeNull();
  });

  test('remains an abort when aborted', async () => {
    const abort = new DOMException('Given up', 'AbortError');
    answerWith(() => Promise.reject(abort));
    expect(await failure(callEndpoint(me))).toBe(abort);
  });
});

describe('a call', () => {
  test('without a body has no content type, sends credentials and bypasses caches', async () => {
    const fetch = answerWith(() => json(200, []));
    expect(await callEndpoint(listCategories)).toEqual([]);
    const [url, init] = fetch.mock.calls[0]!;
    expect(url).toBe('/api/categories');
    expect(init).toMatchObject({ method: 'GET', credentials: 'include', cache: 'no-store' });
    expect(init.body).toBeUndefined();
    const headers = new Headers(init.headers);
    expect(headers.get('accept')).toBe('application/json');
    expect(headers.get('cache-control')).toMatch(/no-store/);
    expect(headers.get('pragma')).toBe('no-cache');
    expect(headers.has('content-type')).toBe(false);
  });

  test('with a body sends it as JSON', async () => {
    const fetch = answerWith(() => json(403, {}));
    await failure(callEndpoint(login, { body: { email: 'a@example.org', password: 'x' } }));
    const [, init] = fetch.mock.calls[0]!;
    expect(init.body).toBe('{"email":"a@example.org","password":"x"}');
    expect(new Headers(init.headers).get('content-type')).toBe('application/json');
  });

  test('resolves to undefined for a response without a body', async () => {
    answerWith(() => new Response(null, { status: 204 }));
    expect(await callEndpoint(logout)).toBeUndefined();
  });

  test.each(['iPhone', 'iPad', 'iPod'])('on %s adds the seed’s extra header', (device) => {
    const headers = headersFor(me, false, `Mozilla/5.0 (${device}; CPU OS 18_0 like Mac OS X)`);
    expect(headers.get('x-requested-with')).toBe('XMLHttpRequest');
    expect(headersFor(me, false, CHROME).has('x-requested-with')).toBe(false);
  });

  test('names a language other than English', () => {
    expect(headersFor(me, false, CHROME).has('x-language')).toBe(false);
    takeLanguageFrom(() => 'ar');
    expect(headersFor(me, false, CHROME).get('x-language')).toBe('ar');
    takeLanguageFrom(() => 'en');
  });

  test("accepts a file's media type", () => {
    expect(headersFor(exportParticipants, false, CHROME).get('accept')).toMatch(/^text\/csv/);
  });
});

describe('addresses and keys', () => {
  test('throws on a missing parameter', () => {
    expect(() => urlOf(saveAnswers, {})).toThrow(TypeError);
  });

  test('fill in and escape parameters and omit absent query values', () => {
    expect(urlOf(saveAnswers, { id: ID })).toBe(`/api/participants/${ID}/answers`);
    expect(urlOf(saveAnswers, { id: 'a/b' })).toBe('/api/participants/a%2Fb/answers');
    expect(
      urlOf(listParticipants, undefined, { limit: 10, search: 'a&b', status: undefined }),
    ).toBe('/api/participants?limit=10&search=a%26b');
  });

  test('build a key from the parts of the path, followed by the query', () => {
    expect(endpointKey(saveAnswers, { params: { id: ID } })).toEqual([
      'api',
      'participants',
      ID,
      'answers',
    ]);
    expect(endpointKey(listParticipants, { query: { limit: 5 } })).toEqual([
      'api',
      'participants',
      { limit: 5 },
    ]);
  });
});
