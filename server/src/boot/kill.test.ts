import { fileURLToPath } from 'node:url';
import {
  beginOverHttp,
  HttpPerson,
  type RunningServer,
  type Sitting,
  startServer,
} from '@invigil/testkit/running-server';
import { inForm } from '@invigil/testkit/test-form';
import { describe, expect, it } from 'vitest';

const CANDIDATES = 20;
const KILLS = inForm({ short: 1, long: 3 });
const BROKEN_BUILD = fileURLToPath(
  new URL('../../../testkit/acknowledge-before-commit.mjs', import.meta.url),
);

interface Started extends Sitting {
  /** Answers that the server has acknowledged, by question. */
  acknowledged: Map<string, { revision: number; option: string }>;
}

/*
 * kill -9 of server and database while answers are being saved. After the restart every acknowledged
 * answer is there (I6). Real processes, the default durable settings, real HTTP.
 */
describe('kill -9', () => {
  it(`loses no acknowledged answer, killed ${KILLS} times in a row`, async () => {
    const { lost, acknowledged } = await killWhileSaving({ kills: KILLS, nodeArgs: [] });
    expect(acknowledged).toBeGreaterThan(30 * KILLS);
    expect(lost).toEqual([]);
  });

  it('detects losses when answers are acknowledged before the commit', {
    tags: 'long',
  }, async () => {
    const { lost } = await killWhileSaving({ kills: 1, nodeArgs: ['--import', BROKEN_BUILD] });
    expect(lost.length).toBeGreaterThan(0);
  });

  it('keeps an acknowledged end, and repeats the same response', { tags: 'long' }, async () => {
    let server = await startServer();
    const { dataDir, port } = server;
    try {
      const attempts = await startAll(server);
      const killed = Promise.withResolvers<void>();
      const isLate = (i: number) => i >= CANDIDATES - 5;
      const ends = attempts.map(async (started, i) => {
        if (isLate(i)) await killed.promise;
        return submitAfter(started, isLate(i) ? 0 : i * 15);
      });
      // The kill comes in the middle: some are acknowledged, some in progress, some not sent yet.
      await Promise.race(ends);
      await new Promise((resolve) => setTimeout(resolve, 60));
      await server.kill();
      killed.resolve();
      const before = await Promise.all(ends);
      expect(before.filter((text) => text !== null).length).toBeGreaterThan(0);
      expect(before.filter((text) => text === null).length).toBeGreaterThan(0);
      server = await startServer({ dataDir, port });
      const after = await Promise.all(attempts.map((started) => submitAfter(started, 0)));
      expect(after).not.toContain(null);
      for (const [i, text] of before.entries()) if (text !== null) expect(after[i]).toBe(text);
      expect(await countEnds(server, attempts)).toEqual(attempts.map(() => 1));
    } finally {
      await server.stop();
      server.removeData();
    }
  });

  async function killWhileSaving({ kills, nodeArgs }: { kills: number; nodeArgs: string[] }) {
    let server = await startServer({ nodeArgs });
    const { dataDir, port } = server;
    try {
      const attempts = await startAll(server);
      for (let i = 0; i < kills; i += 1) {
        const saving = attempts.map(saveUntilItBreaks);
        await new Promise((resolve) => setTimeout(resolve, 1_200));
        await server.kill();
        await Promise.all(saving);
        server = await startServer({ nodeArgs, dataDir, port });
      }
      const lost = (await Promise.all(attempts.map((s) => findLost(server, s)))).flat();
      const acknowledged = attempts.reduce(
        (sum, s) => sum + [...s.acknowledged.values()].reduce((n, a) => n + a.revision, 0),
        0,
      );
      return { lost, acknowledged };
    } finally {
      await server.stop();
      server.removeData();
    }
  }

  /** The reply to a submit, or `null` when the server ended before it came. */
  async function submitAfter(started: Started, ms: number): Promise<string | null> {
    await new Promise((resolve) => setTimeout(resolve, ms));
    try {
      const params = { id: started.id };
      const reply = await started.person.call('submitParticipant', { params, body: {} });
      expect(reply.status).toBe(200);
      return JSON.stringify(reply.body);
    } catch (error) {
      if (error instanceof TypeError) return null;
      throw error;
    }
  }

  async function countEnds(server: RunningServer, attempts: Started[]): Promise<number[]> {
    const admin = new HttpPerson(server.url);
    await admin.signIn();
    const records = await Promise.all(
      attempts.map(({ id }) => admin.call('getParticipantRecord', { params: { id } })),
    );
    return records.map(
      ({ body }) => body.events.filter((e: { kind: string }) => e.kind === 'ended').length,
    );
  }

  async function startAll({ url }: RunningServer): Promise<Started[]> {
    const { sittings } = await beginOverHttp(url, CANDIDATES);
    return sittings.map((sitting) => ({ ...sitting, acknowledged: new Map() }));
  }

  /** Saves one answer after the other, recording each acknowledgement, until the server is gone. */
  async function saveUntilItBreaks(started: Started): Promise<void> {
    for (let n = 0; ; n += 1) {
      const question = started.questions[n % started.questions.length];
      if (!question) throw new Error('no questions');
      const revision = (started.acknowledged.get(question.id)?.revision ?? 0) + 1;
      // An unanswered revision may be stored; the next try must not reuse it for another value.
      const option = question.options[revision % question.options.length] ?? '';
      const change = {
        questionId: question.id,
        selectedOption: option,
        isFlagged: false,
        revision,
      };
      try {
        const reply = await started.person.call('saveAnswers', {
          params: { id: started.id },
          body: { answers: [change] },
        });
        if (reply.status !== 200) throw new Error(`refused: ${JSON.stringify(reply.body)}`);
        started.acknowledged.set(question.id, { revision, option });
      } catch (error) {
        if (error instanceof TypeError) return;
        throw error;
      }
    }
  }

  /** Reads everything after signing in again, and returns what is missing. */
  async function findLost(server: RunningServer, started: Started): Promise<string[]> {
    const person = new HttpPerson(server.url);
    await person.signIn(started.email, started.code);
    await person.call('startParticipant', { body: {} });
    const answers = await person.call('listAnswers', { params: { id: started.id } });
    const stored = new Map<string, { revision: number; selectedOption: string }>(
      answers.body.map((a: { questionId: string }) => [a.questionId, a]),
    );
    return [...started.acknowledged].flatMap(([question, promised]) => {
      const found = stored.get(question);
      const kept =
        found !== undefined &&
        (found.revision > promised.revision ||
          (found.revision === promised.revision && found.selectedOption === promised.option));
      return kept
        ? []
        : [
            `${started.email} ${question}: acknowledged revision ${promised.revision}, found ${found?.revision ?? 'nothing'}`,
          ];
    });
  }
});
