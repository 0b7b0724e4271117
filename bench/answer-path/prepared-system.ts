import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { createSessions, makeQuiz } from '../load/people.ts';
import { type LoadSystem, startLoadSystem } from '../load/system.ts';
import { type LoadClients, startLoadClients } from './load-clients.ts';
import { openPgbench, type Pgbench } from './pgbench.ts';
import type { TestSession } from './start-candidates.ts';

/** Database connections of the server itself, a generous estimate. */
const OWN_CONNECTIONS = 64;
const BARE_FASTIFY = fileURLToPath(
  new URL('../../server/src/testing/bare-fastify.ts', import.meta.url),
);

/** A server with all candidates in progress, and what it is compared with. */
export interface PreparedSystem extends AsyncDisposable {
  system: LoadSystem;
  sessions: TestSession[];
  load: LoadClients;
  /** `undefined` where it is not installed. */
  pgbench: Pgbench | undefined;
  /** Fastify alone, with the same candidates. */
  bare: { load: LoadClients; pid: number };
}

/** @param wanted.processes number of serving processes (WEB_CONCURRENCY) */
export async function prepareSystem(wanted: {
  processes: number;
  candidates: number;
  questions: number;
}): Promise<PreparedSystem> {
  await using undo = new AsyncDisposableStack();
  const system = undo.use(
    await startLoadSystem({
      name: 'answer-path',
      database: 'external',
      env: { WEB_CONCURRENCY: String(wanted.processes) },
      // pgbench opens one for each of its clients.
      maxConnections: wanted.candidates + OWN_CONNECTIONS,
    }),
  );
  const quiz = await makeQuiz(system, wanted.questions);
  const questions = quiz.questions.map(({ id, textBefore, textAfter }) => ({
    id,
    option: `${textBefore}A${textAfter}`,
  }));
  const sessions = (await createSessions(system, quiz.quizId, wanted.candidates)).map((one) => ({
    ...one,
    questions,
  }));
  const load = undo.use(await startLoadClients(system.server.port, sessions));
  const child = fork(BARE_FASTIFY);
  undo.defer(() => child.disconnect());
  const [port] = await once(child, 'message');
  const bare = { load: undo.use(await startLoadClients(port, sessions)), pid: child.pid ?? 0 };
  const pgbench = await openPgbench(system.postgres, wanted.questions);
  const kept = undo.move();
  return {
    system,
    sessions,
    load,
    pgbench,
    bare,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
