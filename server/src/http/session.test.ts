import { startTestDatabase, type TestDatabase, testConfig } from '@invigil/testkit/app';
import { FakeClock } from '@invigil/testkit/fake-clock';
import { silentLog } from '@invigil/testkit/silent-log';
import { type StoredQuiz, storeQuiz, storeRunning } from '@invigil/testkit/stored';
import Fastify, { type FastifyInstance } from 'fastify';
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { openDatabase } from '../db/database.ts';
import { newId } from '../db/new-id.ts';
import { insertAdmin } from '../db/queries/admins.ts';
import { insertSession } from '../db/queries/session-changes.ts';
import { newAdmin } from '../features/sign-in/check-password.ts';
import { deriveKeys } from '../security/keys.ts';
import { hashSessionToken } from '../security/secrets/tokens.ts';
import { adminOwner } from '../sessions/session-reader.ts';
import { TrustRoot } from '../trust/trust-root.ts';
import { Budgets } from './admission/budgets.ts';
import { clearSessionCookie, sessionPlugin, setSessionCookie } from './session.ts';

const keys = deriveKeys('a secret for tests that nobody else uses');

describe('the session cookie', () => {
  let database: TestDatabase;
  let quiz: StoredQuiz;
  let app: FastifyInstance;
  let clock: FakeClock;

  beforeAll(async () => {
    database = await startTestDatabase();
    quiz = await storeQuiz(database.pool);
  });
  afterAll(() => database.stop());
  beforeEach(async () => {
    clock = new FakeClock();
    app = await build({});
    return () => app.close();
  });

  async function build(env: Record<string, string>) {
    const built = Fastify();
    const db = openDatabase(database.pool);
    const trust = new TrustRoot('/nonexistent/folder', keys.integrity, silentLog);
    const config = testConfig(env);
    const ctx = { config, clock, keys, trust, db, budgets: new Budgets(1) };
    await built.register(sessionPlugin, ctx);
    for (const how of ['fresh', 'cached'] as const) {
      built.get(`/${how}`, async (request) => {
        const session = await request.readSession(how);
        return session ? { id: session.id, end: session.endReason } : {};
      });
    }
    built.get('/set', (_, reply) => {
      setSessionCookie(reply, ctx, 'the-token');
      void reply.send();
    });
    built.get('/clear', (_, reply) => {
      clearSessionCookie(reply, ctx);
      void reply.send();
    });
    return built;
  }

  /** A session of one minute with this token. */
  async function signIn(token: string, kind: 'admin' | 'participant' = 'participant') {
    const tokenHash = hashSessionToken(keys.sessions, token);
    const expiresAt = new Date(clock.now().getTime() + 60_000);
    if (kind === 'participant') {
      const { sessionId } = await storeRunning(database.pool, quiz);
      await database.pool.query(
        'update sessions set token_hash = $2, expires_at = $3 where id = $1',
        [sessionId, tokenHash, expiresAt],
      );
      return sessionId;
    }
    const id = newId();
    const admin = newAdmin(keys, {
      ...{ email: `${id}@example.org`, passwordHash: 'x', now: clock.now() },
    });
    const adminId = admin.id;
    await insertAdmin(openDatabase(database.pool), admin);
    const owner = adminOwner(keys, { id, adminId, tokenHash, createdAt: clock.now(), expiresAt });
    const db = openDatabase(database.pool);
    await insertSession(db, { id, tokenHash, owner, now: clock.now(), expiresAt });
    return id;
  }
  const end = (id: string) =>
    database.pool.query('update sessions set ended_at = $2, end_reason = $3 where id = $1', [
      id,
      clock.now(),
      'signed_out',
    ]);
  const find = async (how: 'fresh' | 'cached', cookie?: string) =>
    (
      await app.inject({ url: `/${how}`, ...(cookie === undefined ? {} : { headers: { cookie } }) })
    ).json();

  it('is not looked up when missing, and causes no query', async () => {
    const asked = vi.spyOn(Client.prototype, 'query');
    for (const how of ['fresh', 'cached'] as const) {
      expect(await find(how)).toEqual({});
      expect(await find(how, 'other=token')).toEqual({});
      expect(await find(how, `invigil_session=${'x'.repeat(101)}`)).toEqual({});
    }
    expect(asked).not.toHaveBeenCalled();
    expect(await find('fresh', `invigil_session=${'x'.repeat(100)}`)).toEqual({});
    expect(asked).toHaveBeenCalled();
  });

  it('is found among others, by its exact value only', async () => {
    const id = await signIn('token-1');
    expect(await find('fresh', 'a=b; invigil_session=token-1; c=d')).toEqual({ id, end: null });
    expect(await find('fresh', 'invigil_session=token-2')).toEqual({});
    expect(await find('cached', 'invigil_session=token-1')).toEqual({ id, end: null });
  });

  it('is looked up each time, except where a cached session suffices', async () => {
    const id = await signIn('token-3');
    await find('fresh', 'invigil_session=token-3');
    await end(id);
    expect(await find('cached', 'invigil_session=token-3')).toEqual({ id, end: null });
    expect(await find('fresh', 'invigil_session=token-3')).toEqual({ id, end: 'signed_out' });
    clock.advance({ minutes: 1 });
    expect(await find('cached', 'invigil_session=token-3')).toEqual({});
  });

  it('is cached neither for an administrator nor for an ended session', async () => {
    const admin = await signIn('token-4', 'admin');
    await find('cached', 'invigil_session=token-4');
    await end(admin);
    expect(await find('cached', 'invigil_session=token-4')).toMatchObject({ end: 'signed_out' });

    const candidate = await signIn('token-5');
    await end(candidate);
    await find('cached', 'invigil_session=token-5');
    await database.pool.query('delete from sessions where id = $1', [candidate]);
    expect(await find('cached', 'invigil_session=token-5')).toEqual({});
  });

  it.each([
    ['http', {}, 'invigil_session', false],
    ['https', { PUBLIC_URL: 'https://invigil.example.org' }, '__Host-invigil_session', true],
  ])('is for this site only and for no script, on %s', async (_, env, name, secure) => {
    const built = await build(env);
    const attributes = { path: '/', httpOnly: true, sameSite: 'Lax' };
    const [set] = (await built.inject('/set')).cookies;
    expect(set).toMatchObject({ name, value: 'the-token', ...attributes });
    expect(set?.secure ?? false).toBe(secure);
    expect(set).not.toHaveProperty('domain');
    const [cleared] = (await built.inject('/clear')).cookies;
    expect(cleared).toMatchObject({ name, value: '', ...attributes });
    expect(cleared?.expires?.getTime()).toBe(0);
    await built.close();
  });
});
