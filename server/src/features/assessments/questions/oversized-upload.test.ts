import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type MadeQuiz, makeQuiz, setUpAppWithAdmin } from '@invigil/testkit/factories';
import { beforeAll, describe, expect, it } from 'vitest';

const MIB = 1_048_576;

describe('an upload of 50 MB', () => {
  const app = setUpAppWithAdmin();
  let quiz: MadeQuiz;
  let port: number;

  beforeAll(async () => {
    quiz = await makeQuiz(app, app.admin);
    await app.fastify.listen({ port: 0, host: '127.0.0.1' });
    port = (app.fastify.server.address() as AddressInfo).port;
  });

  /**
   * Sends as much as the server accepts; resolves with its response, which may come before the end.
   */
  function upload(headers: Record<string, string | number>, megabytes: number) {
    return new Promise<{ status: number; body: { code?: string } }>((resolve, reject) => {
      const sent = request(
        {
          port,
          host: '127.0.0.1',
          method: 'POST',
          path: `/api/quizzes/${quiz.id}/questions/csv`,
          headers: { cookie: `invigil_session=${app.admin}`, ...headers },
        },
        (answer) => {
          let text = '';
          answer.setEncoding('utf8');
          answer.on('data', (chunk: string) => {
            text += chunk;
          });
          answer.on('end', () => {
            resolve({ status: answer.statusCode ?? 0, body: JSON.parse(text) });
            sent.destroy();
          });
        },
      );
      sent.on('error', (error: NodeJS.ErrnoException) => {
        // A server that has responded may close the connection before the rest.
        if (error.code !== 'EPIPE' && error.code !== 'ECONNRESET') reject(error);
      });
      const chunk = Buffer.alloc(MIB, 'Question,a,b,A\n');
      let left = megabytes;
      const write = () => {
        while (left > 0 && !sent.destroyed) {
          left -= 1;
          if (!sent.write(chunk)) return void sent.once('drain', write);
        }
        if (left === 0) sent.end();
      };
      write();
    });
  }

  it.each([
    ['a file that states its size', { 'content-type': 'text/csv', 'content-length': 50 * MIB }],
    ['a file that does not', { 'content-type': 'text/csv', 'transfer-encoding': 'chunked' }],
    ['rows', { 'content-type': 'application/json', 'content-length': 50 * MIB }],
  ])('as %s is refused with 413, and nothing is stored', async (_, headers) => {
    expect(await upload(headers, 50)).toMatchObject({ status: 413, body: { code: 'TOO_LARGE' } });
    const listed = await app.call('listQuestions', { as: app.admin, params: { id: quiz.id } });
    expect(listed.body).toHaveLength(5);
  });

  it('does not affect the server: the next file of normal size is imported', async () => {
    const file = 'Question,A,B,Key\nQ6,a,b,A\n';
    const reply = await fetch(`http://127.0.0.1:${port}/api/quizzes/${quiz.id}/questions/csv`, {
      method: 'POST',
      headers: { cookie: `invigil_session=${app.admin}`, 'content-type': 'text/csv' },
      body: file,
    });
    expect([reply.status, await reply.json()]).toMatchObject([201, { created: 1 }]);
  });
});
