import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { makeQuiz, seat } from '../load/people.ts';
import { type LoadSystem, startLoadSystem } from '../load/system.ts';
import { type Crowd, startCrowd } from './crowd.ts';
import { openPgbench, type Pgbench } from './pgbench.ts';
import type { Seat } from './seat-candidates.ts';

/** Database connections of the server itself, a generous estimate. */
const OWN_CONNECTIONS = 64;
const BARE_FASTIFY = fileURLToPath(
  new URL('../../server/src/testing/bare-fastify.ts', import.meta.url),
);

/** A server with all candidates in progress, and what it is compared with. */
export interface PreparedSystem extends AsyncDisposable {
  system: LoadSystem;
  seats: Seat[];
  crowd: Crowd;
  /** `undefined` where it is not installed. */
  pgbench: Pgbench | undefined;
  /** Fastify alone, with the same candidates. */
  bare: { crowd: Crowd; pid: number };
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
  const seats = (await seat(system, quiz.quizId, wanted.candidates)).map((one) => ({
    ...one,
    questions,
  }));
  const crowd = undo.use(await startCrowd(system.server.port, seats));
  const child = fork(BARE_FASTIFY);
  undo.defer(() => child.disconnect());
  const [port] = await once(child, 'message');
  const bare = { crowd: undo.use(await startCrowd(port, seats)), pid: child.pid ?? 0 };
  const pgbench = await openPgbench(system.postgres, wanted.questions);
  const kept = undo.move();
  return { system, seats, crowd, pgbench, bare, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}
