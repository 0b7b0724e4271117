import { call } from '@invigil/testkit/app';
import { setUpApp } from '@invigil/testkit/factories';
import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { createApp } from '../boot/app.ts';
import { users } from '../db/schema/invitations.ts';
import { createLog, forPeople } from './log.ts';

const at = (level: number, more: Record<string, unknown>) =>
  JSON.stringify({ level, time: Date.now(), pid: 1, hostname: 'here', ...more });

it.each([
  [at(30, { msg: 'PostgreSQL is running', version: '18.4' }), 'PostgreSQL is running'],
  [at(40, { msg: 'slow', waited: 3 }), 'warning: slow {"waited":3}'],
  [at(50, { msg: 'it failed' }), 'error: it failed'],
])('writes %s for a person', (line, expected) => {
  expect(forPeople(line)).toMatch(/^\d\d:\d\d:\d\d [^\n]*\n$/);
  expect(forPeople(line).slice('00:00:00 '.length).trimEnd()).toBe(expected);
});

it('passes on what is not a log entry', () => {
  expect(forPeople('null')).toBe('null');
});

describe('an error in the log', () => {
  const app = setUpApp();

  /** The log line of what a piece of work throws. */
  async function lineOf(work: () => Promise<unknown>): Promise<string> {
    const lines: string[] = [];
    const log = createLog('info', { write: (line) => void lines.push(line) });
    await work().catch((error: unknown) => log.error({ err: error }, 'failed'));
    return lines.join('');
  }
  const insert = (id: string, email: string) =>
    app.context.db.insert(users).values({ id, email, createdAt: app.clock.now() });

  it('contains a failed query without its parameters', async () => {
    await app.tamper('insert into users (id, email, created_at) values ($1, $2, now())', [
      crypto.randomUUID(),
      'twice@example.org',
    ]);
    const line = await lineOf(() => insert(crypto.randomUUID(), 'Twice@example.org'));
    expect(line).not.toMatch(/twice|example|params|detail/i);
    expect(JSON.parse(line)).toMatchObject({
      err: {
        message: expect.stringContaining('Failed query: insert into "users"'),
        cause: { code: '23505', constraint: 'users_email_key', table: 'users' },
      },
    });
    expect(JSON.parse(line).err.cause.stack).toMatch(/\n {4}at /);
  });

  it('contains no parameters of a failed request either', async () => {
    const lines: string[] = [];
    const log = createLog('info', { write: (line) => void lines.push(line) });
    const { config, clock, keys } = app.context;
    const { pool } = app;
    const other = await createApp({ config, pool, clock, keys, log, webDist: null });
    await pool.query('alter table users rename to users_away');
    const reply = await call(other, 'login', {
      body: { email: 'guest@example.org', password: 'ABCDE-FGHJK-LMNPQ' },
    });
    await pool.query('alter table users_away rename to users');
    await other.close();
    expect(reply.status).toBe(500);
    const line = lines.find((l) => l.includes('request failed')) ?? '';
    expect(line).toContain(reply.body.details.reference);
    expect(line).toContain('relation');
    expect(lines.join('')).not.toMatch(/guest@|params|ABCDE/);
  });

  it('quotes no malformed input', async () => {
    const line = await lineOf(() => insert('no id, but a word', 'a@example.org'));
    expect(line).not.toMatch(/but a word|a@example/);
    expect(line).toContain('invalid input syntax for type uuid');
  });

  it("names no recipient of a mail server's response, even in nested errors", async () => {
    const answer = Object.assign(new Error('550 <jo@example.org>: unknown'), {
      response: '550 <jo@example.org>: unknown',
      rejected: ['jo@example.org'],
      responseCode: 550,
    });
    const all = new AggregateError([answer], 'failed for jo@example.org', { cause: answer });
    const line = await lineOf(() => Promise.reject(all));
    expect(line).not.toContain('jo@');
    expect(JSON.parse(line)).toMatchObject({ err: { errors: [{ responseCode: 550 }] } });
  });

  it('contains where it happened', async () => {
    const line = await lineOf(() => app.context.db.execute(sql`select 1 / 0`));
    expect(JSON.parse(line).err).toMatchObject({ cause: { code: '22012' } });
    expect(line).toContain('division by zero');
  });
});
