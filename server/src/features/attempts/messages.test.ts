import { startTestApp } from '@invigil/testkit/app';
import {
  type BegunAttempt,
  beginAttempt,
  type MadeQuiz,
  makeQuiz,
  passTime,
  setUpAppWithAdmin,
  signInAdmin,
  signInCandidate,
} from '@invigil/testkit/factories';
import { afterGrace } from '@invigil/testkit/fake-clock';
import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../db/new-id.ts';

const app = setUpAppWithAdmin();

describe('messages to a candidate', () => {
  let attempt: BegunAttempt;
  let id: string;

  beforeAll(async () => {
    attempt = await beginAttempt(app, app.admin);
    id = attempt.id;
  });
  const send = (text: unknown, to = id) =>
    app.call('sendMessage', { as: app.admin, params: { id: to }, body: { text } });
  const read = (as: string) => app.call('listMessages', { as, params: { id } });

  it.each([
    ['', 'Write a message'],
    ['  ', 'Write a message'],
    [undefined, 'Write a message'],
    ['x'.repeat(1_001), 'At most 1,000 characters'],
  ])('are refused for %j', async (text, message) => {
    expect(await send(text)).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'text', message }] },
    });
    expect((await read(app.admin)).body).toEqual([]);
  });

  it('reach the candidate unchanged, counted by the heartbeat, and audited by id', async () => {
    expect((await attempt.heartbeat()).body.messageCount).toBe(0);
    const first = await send(' <b>Please</b> close the window ');
    expect(first).toMatchObject({ status: 201, body: { text: '<b>Please</b> close the window' } });
    app.clock.advance({ seconds: 1 });
    const second = await send('Thank you');
    expect((await attempt.heartbeat()).body.messageCount).toBe(2);
    expect((await read(attempt.candidate.cookie)).body).toEqual([first.body, second.body]);
    expect((await read(app.admin)).body).toEqual([first.body, second.body]);
    const log = await app.call('listAudit', { as: app.admin, query: { search: 'messaged' } });
    expect(log.body).toMatchObject([
      { subjectId: id, details: { message: second.body.id } },
      { subjectId: id, details: { message: first.body.id } },
    ]);
    expect(JSON.stringify(log.body)).not.toContain('window');
    expect((await attempt.record()).body.messages).toEqual([first.body, second.body]);
  });

  it('name a question by the number that it has on each paper', async () => {
    const other = await beginAttempt(app, app.admin, attempt.quiz);
    const [first, second] = attempt.quiz.questions;
    const about = (questionId: string | undefined, text: string) =>
      app.call('applyToMany', {
        as: app.admin,
        body: { id: newId(), ids: [id, other.id], action: { kind: 'message', text, questionId } },
      });
    const text = 'Question {question} has a misprint. See {question}.';
    for (const question of [first, second]) {
      expect((await about(question?.id, text)).body.refused).toEqual([]);
      for (const one of [attempt, other]) {
        const paper = await app.call('listQuestions', {
          as: one.candidate.cookie,
          params: { id: one.quiz.id },
          query: { forAssessment: 'true' },
        });
        const n = paper.body.findIndex((own: { id: string }) => own.id === question?.id) + 1;
        const messages = await app.call('listMessages', {
          as: one.candidate.cookie,
          params: { id: one.id },
        });
        expect(messages.body.at(-1).text).toBe(`Question ${n} has a misprint. See ${n}.`);
      }
    }
    const foreign = await makeQuiz(app, app.admin);
    expect((await about(foreign.questions[0]?.id, text)).body).toMatchObject({
      done: [],
      refused: [{ code: 'NOT_ON_PAPER' }, { code: 'NOT_ON_PAPER' }],
    });
    // No question: the text is the administrator's, to the letter.
    await about(undefined, text);
    expect((await read(app.admin)).body.at(-1).text).toBe(text);
  });

  it('are refused after the end, and are erased with the person', async () => {
    await passTime(app, afterGrace({ minutes: 25 }));
    expect(await read(attempt.candidate.cookie)).toMatchObject({
      status: 403,
      body: { code: 'ATTEMPT_CLOSED' },
    });
    expect(await send('Too late')).toMatchObject({ status: 409, body: { code: 'NOT_RUNNING' } });
    await app.call('erasePerson', {
      as: app.admin,
      params: { id: attempt.candidate.userId },
      body: { reason: 'Asked for it' },
    });
    const texts = (await read(app.admin)).body.map((message: { text: string }) => message.text);
    expect(new Set(texts)).toEqual(new Set(['']));
  });
});

describe('the event stream of an attempt', () => {
  let quiz: MadeQuiz;
  let url: string;

  beforeAll(async () => {
    url = await app.fastify.listen({ port: 0, host: '127.0.0.1' });
    quiz = await makeQuiz(app, app.admin);
  });

  const started = () => beginAttempt(app, app.admin, quiz);

  /** The frames of a stream, one by one. */
  async function open(id: string, cookie: string) {
    const ending = new AbortController();
    const response = await fetch(`${url}/api/participants/${id}/events`, {
      headers: { cookie: `invigil_session=${cookie}` },
      signal: ending.signal,
    });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    return {
      status: response.status,
      headers: response.headers,
      close: () => ending.abort(),
      /** The next frame; `undefined` once the server has ended the stream. */
      async next(): Promise<Record<string, unknown> | undefined> {
        for (;;) {
          const frame = /event: news\ndata: (.*)\n\n/.exec(text);
          if (frame) {
            text = text.slice(frame.index + frame[0].length);
            return JSON.parse(frame[1] ?? '');
          }
          const { value, done } = (await reader?.read()) ?? { done: true };
          if (done) return undefined;
          text += value;
        }
      },
    };
  }

  const action = (
    name: 'extendParticipant' | 'endParticipant' | 'sendMessage',
    id: string,
    body: object,
  ) => app.call(name, { as: app.admin, params: { id }, body: { reason: 'r', ...body } });

  it('sends the current state at once, as a heartbeat does', async () => {
    const { candidate, id, heartbeat } = await started();
    const stream = await open(id, candidate.cookie);
    expect(stream.status).toBe(200);
    expect(stream.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(stream.headers.get('cache-control')).toBe('no-store');
    expect(await stream.next()).toEqual((await heartbeat()).body);
    stream.close();
  });

  it('sends an extension, a message, and the end by an administrator, and then ends', async () => {
    const { candidate, id } = await started();
    const stream = await open(id, candidate.cookie);
    expect(await stream.next()).toMatchObject({ remainingMs: 1_800_000, messageCount: 0 });

    await action('extendParticipant', id, { minutes: 5 });
    expect(await stream.next()).toMatchObject({ remainingMs: 2_100_000 });

    expect((await action('sendMessage', id, { text: 'Please close the window' })).status).toBe(201);
    expect(await stream.next()).toMatchObject({ messageCount: 1 });

    await action('endParticipant', id, {});
    expect(await stream.next()).toMatchObject({ status: 'in_progress', endsInMs: 10_000 });
    await passTime(app, { seconds: 11 });
    expect(await stream.next()).toMatchObject({
      status: 'completed',
      submissionType: 'database',
      remainingMs: 0,
    });
    expect(await stream.next()).toBeUndefined();
  });

  it('carries one attempt only', async () => {
    const one = await started();
    const two = await started();
    const stream = await open(one.id, one.candidate.cookie);
    await stream.next();
    await action('extendParticipant', two.id, { minutes: 5 });
    await action('sendMessage', one.id, { text: 'x' });
    expect(await stream.next()).toMatchObject({ remainingMs: 1_800_000, messageCount: 1 });
    stream.close();
    expect((await open(two.id, one.candidate.cookie)).status).toBe(404);
  });

  it('ends for a session that was replaced', async () => {
    const { candidate, id } = await started();
    const stream = await open(id, candidate.cookie);
    await stream.next();
    const later = await signInCandidate(app, candidate.email, candidate.code);
    expect(await stream.next()).toBeUndefined();
    await action('sendMessage', id, { text: 'For the new place only' });
    expect((await open(id, candidate.cookie)).status).toBe(401);
    const newer = await open(id, later.cookie);
    expect(await newer.next()).toMatchObject({ messageCount: 1 });
    newer.close();
  });

  it('ends the oldest of a session that opens one after another', async () => {
    const { candidate, id } = await started();
    const streams = [];
    for (let i = 0; i < 4; i += 1) {
      const stream = await open(id, candidate.cookie);
      await stream.next();
      streams.push(stream);
    }
    expect(await streams[0]?.next()).toBeUndefined();
    await action('sendMessage', id, { text: 'To all that are left' });
    for (const stream of streams.slice(1)) {
      expect(await stream.next()).toMatchObject({ messageCount: 1 });
      stream.close();
    }
  });

  it('reads the state again after the listening connection was lost', async () => {
    const { candidate, id } = await started();
    const stream = await open(id, candidate.cookie);
    await stream.next();
    await app.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and query like 'listen%'`,
    );
    await action('extendParticipant', id, { minutes: 1 });
    await expect.poll(async () => (await stream.next())?.remainingMs).toBe(1_860_000);
    stream.close();
  });

  it('is ended when the server stops, so that it does not delay the stop', async () => {
    const other = await startTestApp();
    const at = await other.fastify.listen({ port: 0, host: '127.0.0.1' });
    const otherAdmin = await signInAdmin(other);
    const { candidate, id } = await beginAttempt(other, otherAdmin);
    const response = await fetch(`${at}/api/participants/${id}/events`, {
      headers: { cookie: `invigil_session=${candidate.cookie}` },
    });
    const all = response.text();
    await other.stop();
    expect(await all).toMatch(/^event: news/);
  });
});
