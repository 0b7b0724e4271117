/*
 * The load generator's process: runs the commands of load-clients.ts one at a time. Its requests are raw
 * HTTP/1.1, because `node:http` would cost more than the server spends on them.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { Asked } from './asked.ts';
import { Candidate, enter, signInRequest, type TestSession } from './candidate.ts';
import { Connection } from './connection.ts';
import type { CountedPart } from './figures.ts';
import type { Order, Target } from './load-clients.ts';
import type { Acknowledged } from './read-back.ts';
import { headersOf, requestOf } from './requests.ts';
import { arrivalsOf, followTimetable, timetableOf } from './timetable.ts';

/** Connections opened concurrently, so that the server's accept queue does not overflow. */
const CONNECT_AT_ONCE = 64;

let target: Target = { port: 0, quizId: '', questions: [] };
let candidates: Candidate[] = [];
/** Connections of those who have not signed in or do not stay. */
let visitors: Connection[] = [];

process.on('message', (order: Order) => {
  void execute(order).then((answer) => process.send?.(answer));
});
process.on('disconnect', () => process.exit());

async function execute(order: Order): Promise<CountedPart | Acknowledged[] | null> {
  switch (order.kind) {
    case 'configure':
      target = order;
      return null;
    case 'enter':
      return signInAll(order);
    case 'add':
      candidates.push(...order.sessions.map((session) => candidateAt(session)));
      await connect();
      return null;
    case 'sit': {
      await connect();
      const table = timetableOf({ ...order.sitting, candidates: candidates.length });
      return watch(order.sitting.seconds, (asked) =>
        followTimetable(table.at, (i, scheduled) => {
          candidates[table.who[i] ?? 0]?.[table.what(i)](asked, scheduled);
        }),
      );
    }
    case 'repeat':
      return repeat(order);
    case 'submit': {
      const at = arrivalsOf(order.seed, candidates.length, order.seconds);
      return watch(order.seconds, (asked) =>
        followTimetable(at, (i, scheduled) => candidates[i]?.submit(asked, scheduled)),
      );
    }
    case 'acknowledged':
      return candidates.map((candidate) => candidate.acknowledged());
    case 'leave':
      for (const line of allLines()) line.close();
      candidates = [];
      visitors = [];
      return null;
  }
}

/** Signs people in at random moments; with `stay` they become candidates. */
function signInAll({
  seed,
  people,
  seconds,
  stay,
  opensAt,
}: Extract<Order, { kind: 'enter' }>): Promise<CountedPart> {
  const at = arrivalsOf(seed, people.length, seconds);
  return watch(seconds, async (asked) => {
    const followed = await followTimetable(at, (i, scheduled) => {
      const person = people[i];
      if (!person) return;
      const line = new Connection(target.port);
      if (!stay) visitors.push(line);
      enter(asked, line, person, { ...target, opensAt }, scheduled, (session) => {
        if (stay) candidates.push(candidateAt(session, line));
        else line.close();
      });
    });
    // Until then nothing is open that `watch` could wait for.
    if (opensAt !== undefined) await delay(Math.max(0, opensAt - Date.now()) + 100);
    return followed;
  });
}

function repeat({ seconds, atOnce, signIn, request }: Extract<Order, { kind: 'repeat' }>) {
  if (request === 'save') {
    return watch(seconds, (asked) =>
      asked.repeat(candidates.slice(0, atOnce), seconds, (candidate, at, then) =>
        candidate.save(asked, at, then),
      ),
    );
  }
  while (visitors.length < atOnce) visitors.push(new Connection(target.port));
  const empty = requestOf('GET', '/healthz', headersOf(target.port));
  let next = signIn?.from ?? 0;
  return watch(seconds, (asked) =>
    asked.repeat(visitors.slice(0, atOnce), seconds, (line, at, then) => {
      if (!signIn) return asked.ask(line, 'empty', at, () => empty, then);
      const person = signIn.people[next % signIn.people.length];
      next += 1;
      if (!person) throw new Error('no one to sign in');
      asked.ask(line, 'sign-in', at, signInRequest(target.port, person), then);
    }),
  );
}

async function connect(): Promise<void> {
  const waiting = [...candidates];
  const connectSome = async () => {
    for (let c = waiting.pop(); c; c = waiting.pop()) await c.line.connect();
  };
  await Promise.all(Array.from({ length: CONNECT_AT_ONCE }, connectSome));
}

function watch(
  plannedSeconds: number,
  work: (asked: Asked) => Promise<{ latestMs: number }>,
): Promise<CountedPart> {
  const asked = new Asked();
  return asked.during(plannedSeconds, allLines, () => work(asked));
}

function candidateAt(session: TestSession, line?: Connection): Candidate {
  return new Candidate(session, target.port, target.questions, line);
}

function allLines(): Connection[] {
  return [...candidates.map(({ line }) => line), ...visitors];
}
