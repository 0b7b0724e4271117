import { ENDPOINTS } from '@invigil/core/contract/endpoints';
import { BUDGET_LIMITS } from '@invigil/core/domain/limits';
import {
  type BegunAttempt,
  beginAttempt,
  setUpApp,
  signInAdmin,
  useUpBudget,
} from '@invigil/testkit/factories';
import { openRawConnection, type RawResponse, rawHead } from '@invigil/testkit/raw-connection';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

const HEARTBEAT = { ...ENDPOINTS.heartbeat, body: '{"seq":1}' };
const LOGIN = {
  ...ENDPOINTS.login,
  body: '{"email":"a@example.org","password":"AAAAA-BBBBB-CCCCC"}',
};
type Called = typeof HEARTBEAT | typeof LOGIN;

/** Ways to write a path of the API, and whether they reach its route. */
const SPELLINGS: [name: string, spell: (path: string) => string, reaches: boolean][] = [
  ['as it is', (path) => path, true],
  ['one letter encoded', (path) => path.replace('/api', '/%61pi'), true],
  ['one letter encoded in capitals', (path) => path.replace('/api', '/ap%69'), true],
  ['every letter encoded', (path) => path.replace(/[a-z]/g, encoded), true],
  ['a query', (path) => `${path}?/api`, true],
  ['a fragment', (path) => `${path}#/x`, true],
  ['two slashes', (path) => `/${path}`, false],
  ['two slashes inside', (path) => path.replace('/api/', '/api//'), false],
  ['an encoded slash', (path) => path.replace('/api/', '/api%2f'), false],
  ['a dot', (path) => `/.${path}`, false],
  ['two dots', (path) => `/x/..${path}`, false],
  ['encoded dots', (path) => `/x/%2e%2e${path}`, false],
  ['capitals', (path) => path.replace('/api', '/API'), false],
  ['a backslash', (path) => path.replace('/api/', '/api\\'), false],
  ['a slash at the end', (path) => `${path}/`, false],
  ['a target with a host', (path) => `http://localhost${path}`, false],
  ['a target with another host', (path) => `https://example.org${path}`, false],
  [
    'a target with a host and an encoded letter',
    (path) => `http://x${path.replace('a', '%61')}`,
    false,
  ],
];

function encoded(letter: string): string {
  return `%${letter.charCodeAt(0).toString(16)}`;
}

describe('however a path is spelled', () => {
  const app = setUpApp({ REQUEST_BUDGET: '1' });
  let port: number;
  let attempt: BegunAttempt;

  beforeAll(async () => {
    attempt = await beginAttempt(app, await signInAdmin(app));
    await attempt.heartbeat();
    port = Number(new URL(await app.fastify.listen({ port: 0, host: '127.0.0.1' })).port);
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  /** Sends a request on a connection of its own. */
  async function send(
    called: Called,
    spell: (path: string) => string,
    { headers = {}, announced = called.body.length }: { headers?: object; announced?: number } = {},
  ): Promise<RawResponse> {
    const connection = openRawConnection(port);
    const head = rawHead(called.method, spell(called.path.replace(':id', attempt.id)), {
      'content-type': 'application/json',
      'content-length': `${announced}`,
      ...(called === HEARTBEAT ? { cookie: `invigil_session=${attempt.candidate.cookie}` } : {}),
      ...headers,
    });
    connection.write(head + called.body);
    const response = await connection.next();
    connection.destroy();
    if (response === null) throw new Error('no response');
    return response;
  }
  const useUpSession = () => useUpBudget(app, { session: attempt.candidate.cookie });
  const useUpNetwork = () => useUpBudget(app, { network: '127.0.0.1' });

  describe.each(SPELLINGS)('%s', (_, spell, reaches) => {
    const reached = reaches ? 200 : expect.toSatisfy((status) => status === 404 || status === 400);

    it('reaches the route or nothing', async () => {
      expect((await send(HEARTBEAT, spell)).status).toEqual(reached);
    });

    it('counts for the session, and is refused once that has none left', async () => {
      useUpSession();
      const counted = vi.spyOn(app.context.metrics.requestsRefused, 'inc');
      expect((await send(HEARTBEAT, spell)).status).toBe(429);
      expect(counted.mock.calls).toEqual([[{ reason: 'session' }]]);
    });

    it('counts for the network without a session', async () => {
      useUpNetwork();
      expect((await send(LOGIN, spell)).status).toBe(429);
    });

    it('is refused beside too many others of the session', async () => {
      const caller = app.context.budgets.callerOf(attempt.candidate.cookie);
      if (!caller) throw new Error('no such session');
      caller.inFlight += BUDGET_LIMITS.session.inFlight;
      const { status } = await send(HEARTBEAT, spell);
      caller.inFlight -= BUDGET_LIMITS.session.inFlight;
      expect(status).toBe(429);
    });

    it('with a far larger body is not read', async () => {
      const { status } = await send(HEARTBEAT, spell, {
        announced: 2 * BUDGET_LIMITS.unreadMaxBytes,
      });
      expect(reaches ? [413] : [404, 413]).toContain(status);
    });

    it('from another site is refused', async () => {
      const { status } = await send(HEARTBEAT, spell, {
        headers: { origin: 'https://evil.example' },
      });
      expect(status).toEqual(reaches ? 403 : reached);
    });
  });

  it('one that cannot be read counts for the network', async () => {
    const spell = (path: string) => `${path}%ff`;
    expect((await send(LOGIN, spell)).status).toBe(400);
    useUpNetwork();
    expect((await send(LOGIN, spell)).status).toBe(429);
  });
});
