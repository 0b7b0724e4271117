import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { ENDPOINTS } from '@invigil/core/contract/endpoints';
import { REQUEST_LIMITS } from '@invigil/core/domain/limits';
import { setUpApp, signInAdmin } from '@invigil/testkit/factories';
import {
  HttpPerson,
  inviteOverHttp,
  type RunningServer,
  startServer,
} from '@invigil/testkit/running-server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** `npm run attacks` requires the program. */
const PROGRAM = process.env.INVIGIL_SLOWHTTPTEST;
const { path: LOGIN } = ENDPOINTS.login;

describe('a deliberately slow client', () => {
  const app = setUpApp();
  let port: number;
  beforeAll(async () => {
    const url = await app.fastify.listen({ port: 0, host: '127.0.0.1' });
    port = Number(new URL(url).port);
  });

  /** The answer until the connection is closed, and the milliseconds until then. */
  async function drip(first: string, more: string): Promise<{ answer: string; ms: number }> {
    const socket = connect(port, '127.0.0.1');
    let answer = '';
    socket.on('data', (bytes) => {
      answer += bytes.toString();
    });
    socket.on('error', () => undefined);
    // Not `once` of Node's events, which rejects when the server resets the connection.
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write(first);
    const dripping = setInterval(() => socket.write(more), 500);
    const began = performance.now();
    expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
    await closed;
    clearInterval(dripping);
    return { answer, ms: performance.now() - began };
  }

  it.concurrent.each([
    ['head', `GET /readyz HTTP/1.1\r\nHost: localhost\r\nX-a: b\r\n`, 'X-a: b\r\n'],
    [
      'body',
      `POST ${LOGIN} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 4000\r\n\r\n{`,
      ' ',
    ],
  ])(
    'is cut off when its %s has not arrived in time, however steadily it drips',
    async (_, first, more) => {
      const { answer, ms } = await drip(first, more);
      // Not before: a slow connection of an honest candidate has that much time.
      expect(ms).toBeGreaterThan(REQUEST_LIMITS.timeoutMs - 1_000);
      expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    },
  );

  it.concurrent('is cut off as soon under a path that cannot be read', async () => {
    const first = 'POST /api/%zz HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4000\r\n\r\n{';
    const { answer, ms } = await drip(first, ' ');
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(ms).toBeLessThan(REQUEST_LIMITS.uploadTimeoutMs / 4);
  });

  it.concurrent('is cut off as soon when an administrator sends no file', async () => {
    const { method, path } = ENDPOINTS.createCategory;
    const token = await signInAdmin(app, 'slow@example.org');
    const headers = `Cookie: invigil_session=${token}\r\nContent-Type: application/json`;
    const first = `${method} ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\nContent-Length: 4000\r\n\r\n{`;
    const { answer, ms } = await drip(first, ' ');
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(ms).toBeLessThan(REQUEST_LIMITS.uploadTimeoutMs / 4);
  });

  it.concurrent('is cut off after four minutes when an administrator sends a file', async () => {
    const { path } = ENDPOINTS.readImport;
    const token = await signInAdmin(app, 'slower@example.org');
    const headers = `Cookie: invigil_session=${token}\r\nContent-Type: application/octet-stream`;
    const first = `POST ${path}?name=q.gift HTTP/1.1\r\nHost: localhost\r\n${headers}\r\nContent-Length: 4000\r\n\r\n{`;
    const { answer, ms } = await drip(first, ' ');
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(ms).toBeGreaterThan(239_000);
    // Looked for every three seconds.
    expect(ms).toBeLessThan(250_000);
  });

  it.concurrent('is waited for when an administrator sends a file', async () => {
    const { path } = ENDPOINTS.readImport;
    const token = await signInAdmin(app);
    const socket = connect(port, '127.0.0.1');
    const answered = once(socket, 'data');
    const file = 'Two? {=2 ~3}';
    socket.write(
      `POST ${path}?name=q.gift HTTP/1.1\r\nHost: localhost\r\nCookie: invigil_session=${token}\r\n` +
        `Content-Type: application/octet-stream\r\nContent-Length: ${file.length}\r\n\r\n`,
    );
    socket.write(file.slice(0, 1));
    await delay(REQUEST_LIMITS.timeoutMs + 2 * REQUEST_LIMITS.slowCheckMs);
    socket.write(file.slice(1));
    const [bytes] = await answered;
    socket.destroy();
    expect(String(bytes)).toMatch(/^HTTP\/1\.1 200 /);
  });
});

if (PROGRAM !== undefined) {
  describe('while slowhttptest holds connections', () => {
    const SAVE_EVERY_MS = 20;
    const SAVES = 300;
    const ROUNDS = 3;
    const CONNECTIONS = '800';
    const admin = { email: 'admin@example.org', password: 'correct horse battery' };
    let server: RunningServer;
    let candidate: HttpPerson;
    let save: (n: number) => Promise<number>;
    let saved = 0;
    let attack: ChildProcess | undefined;

    beforeAll(async () => {
      const env = { ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password };
      server = await startServer({ env });
      const person = new HttpPerson(server.url);
      await person.signIn(admin.email, admin.password);
      const { codes, questions } = await inviteOverHttp(person, ['c@example.org']);
      candidate = new HttpPerson(server.url);
      await candidate.signIn('c@example.org', codes[0] ?? '');
      const id = (await candidate.call('startParticipant', { body: {} })).body.id;
      const [question] = questions;
      save = async (revision) => {
        const selectedOption = question?.options[revision % 4];
        const answer = { questionId: question?.id, selectedOption, isFlagged: false, revision };
        const body = { answers: [answer] };
        return (await candidate.call('saveAnswers', { params: { id }, body })).status;
      };
    });
    afterAll(async () => {
      attack?.kill('SIGKILL');
      await server.stop();
      server.removeData();
    });

    /** Milliseconds from when each save was due to its answer, on a fixed schedule. */
    async function p99OfSaves(): Promise<number> {
      const began = performance.now();
      const times = await Promise.all(
        Array.from({ length: SAVES }, async (_, i) => {
          const due = began + i * SAVE_EVERY_MS;
          await delay(Math.max(0, due - performance.now()));
          saved += 1;
          expect(await save(saved)).toBe(200);
          return performance.now() - due;
        }),
      );
      return times.sort((a, b) => a - b)[Math.ceil(SAVES * 0.99) - 1] ?? Number.NaN;
    }

    /** Starts the attack and resolves once its connections are open. */
    async function beginAttack(mode: readonly string[], path: string) {
      const args = [...mode, '-c', CONNECTIONS, '-r', '400', '-l', '60', '-p', '30', '-v', '0'];
      const program = spawn(PROGRAM ?? '', [...args, '-u', `${server.url}${path}`], {
        stdio: 'ignore',
      });
      attack = program;
      await delay(3_500);
      expect(program.exitCode).toBeNull();
      return async () => {
        const ended = once(program, 'exit');
        program.kill('SIGKILL');
        await ended;
        await delay(500);
      };
    }

    it.each([
      ['slow heads', ['-H', '-i', '2', '-x', '24'], '/readyz'],
      // The body is as large as a sign-in may be: a larger one is refused before its first byte.
      ['slow bodies', ['-B', '-i', '2', '-s', '4000', '-f', 'application/json'], LOGIN],
      ['slow readers', ['-X', '-n', '2', '-z', '16', '-k', '3'], '/api/openapi.json'],
    ])('%s: the p99 of saves at most doubles', async (name, mode, path) => {
      const ratios: number[] = [];
      const measured: string[] = [];
      await p99OfSaves();
      for (let round = 0; round < ROUNDS; round += 1) {
        const before = await p99OfSaves();
        const end = await beginAttack(mode, path);
        const during = await p99OfSaves();
        await end();
        ratios.push(during / before);
        measured.push(`${before.toFixed(1)} → ${during.toFixed(1)} ms`);
      }
      process.stdout.write(`${name}, p99 before → during: ${measured.join(', ')}\n`);
      const median = ratios.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)];
      expect(median, measured.join(', ')).toBeLessThanOrEqual(2);
    });
  });
}
