/*
 * The load generator's process: runs the commands of load-clients.ts one at a time. Its requests are raw
 * HTTP/1.1, because `node:http` would cost more than the server spends on them.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { Asked } from './asked.ts';
import { Candidate, enter, signInRequest, type TestSession } from './candidate.ts';
import { Connection } from './connection.ts';
import type { CountedPart } from './figures.ts';
import type { Entering, Repeated, Target } from './load-clients.ts';
import { headersOf, requestOf } from './requests.ts';
import { arrivalsOf, followTimetable, type Sitting, timetableOf } from './timetable.ts';

/** Whoever was refused at the sign-in is not waited for any longer after the opening. */
const MOST_MS = 60_000;
/** Connections opened concurrently, so that the server's accept queue does not overflow. */
const CONNECT_AT_ONCE = 64;

let target: Target = { port: 0, quizId: '', questions: [] };
let candidates: Candidate[] = [];
/** Connections of those who have not signed in or do not stay. */
let visitors: Connection[] = [];

/** Everything that load-clients.ts can ask of it. */
const orders = {
  configure(to: Target) {
    target = to;
  },
  enter: signInAll,
  async add(sessions: TestSession[]) {
    candidates.push(...sessions.map((session) => candidateAt(session)));
    await connect();
  },
  async sit(sitting: Omit<Sitting, 'candidates'>) {
    await connect();
    const table = timetableOf({ ...sitting, candidates: candidates.length });
    return watch(sitting.seconds, (asked) =>
      followTimetable(table.at, (i, scheduled) => {
        candidates[table.who[i] ?? 0]?.[table.what(i)](asked, scheduled);
      }),
    );
  },
  repeat,
  submit({ seed, seconds }: { seed: string; seconds: number }) {
    const at = arrivalsOf(seed, candidates.length, seconds);
    return watch(seconds, (asked) =>
      followTimetable(at, (i, scheduled) => candidates[i]?.submit(asked, scheduled)),
    );
  },
  acknowledged: () => candidates.map((candidate) => candidate.acknowledged()),
  leave() {
    for (const line of allLines()) line.close();
    candidates = [];
    visitors = [];
  },
};
export type Orders = typeof orders;
export type Order = [name: keyof Orders, how: unknown];

process.on('message', async ([name, how]: Order) => {
  process.send?.((await orders[name](how as never)) ?? null);
});
process.on('disconnect', () => process.exit());

/** Signs people in at random moments; with `stay` they become candidates. */
function signInAll({ seed, people, seconds, stay, ...how }: Entering): Promise<CountedPart> {
  const at = arrivalsOf(seed, people.length, seconds);
  return watch(seconds, async (asked) => {
    const starts: Promise<void>[] = [];
    const followed = await followTimetable(at, (i, scheduled) => {
      const person = people[i];
      if (!person) return;
      const line = new Connection(target.port);
      if (!stay) visitors.push(line);
      const sent = enter(asked, line, person, { ...target, ...how }, scheduled, (session) => {
        if (stay) candidates.push(candidateAt(session, line));
        else line.close();
      });
      starts.push(sent);
    });
    // Until then nothing is open that `watch` could wait for.
    if (how.opensAt !== undefined) {
      await Promise.race([Promise.all(starts), delay(how.opensAt - Date.now() + MOST_MS)]);
    }
    return followed;
  });
}

function repeat({ seconds, atOnce, signIn, request }: Repeated) {
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
