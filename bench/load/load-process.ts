/*
 * The load generator's process: runs the commands of load-clients.ts one at a time. Its requests are raw
 * HTTP/1.1, because `node:http` would cost more than the server spends on them.
 */
import { Asked } from './asked.ts';
import { Candidate } from './candidate.ts';
import { Connection } from './connection.ts';
import { enter, signInRequest } from './entering.ts';
import { followTimetable } from './follow-timetable.ts';
import type { CountedPart, Order } from './load-clients.ts';
import type { Acknowledged } from './lost-answers.ts';
import { headersOf, type LoadQuestion, requestOf } from './requests.ts';
import { arrivalsOf, timetableOf } from './timetable.ts';

/** Connections opened concurrently, so that the server's accept queue does not overflow. */
const CONNECT_AT_ONCE = 64;

let target: { port: number; quizId: string; questions: LoadQuestion[] } = {
  port: 0,
  quizId: '',
  questions: [],
};
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
      candidates = order.sessions.map((session) => candidateAt(session));
      return null;
    case 'sit':
      return sit(order);
    case 'sign-in':
      return signInRepeatedly(order);
    case 'ask': {
      const request = requestOf('GET', '/healthz', headersOf(target.port));
      const lines = visit(order.atOnce);
      return watch(order.seconds, (asked) =>
        asked.repeat(lines, order.seconds, 'empty', () => () => request),
      );
    }
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
}: Extract<Order, { kind: 'enter' }>): Promise<CountedPart> {
  const at = arrivalsOf(seed, people.length, seconds);
  return watch(seconds, (asked) =>
    followTimetable(at, (i, scheduled) => {
      const person = people[i];
      if (!person) return;
      const line = new Connection(target.port);
      if (!stay) visitors.push(line);
      enter(asked, line, person, target, scheduled, (session) => {
        if (stay) candidates.push(candidateAt(session, line));
        else line.close();
      });
    }),
  );
}

async function sit({ sitting }: Extract<Order, { kind: 'sit' }>): Promise<CountedPart> {
  const table = timetableOf({ ...sitting, candidates: candidates.length });
  const waiting = [...candidates];
  const connectSome = async () => {
    for (let c = waiting.pop(); c; c = waiting.pop()) await c.line.connect();
  };
  await Promise.all(Array.from({ length: CONNECT_AT_ONCE }, connectSome));
  return watch(sitting.seconds, (asked) =>
    followTimetable(table.at, (i, scheduled) => {
      candidates[table.who[i] ?? 0]?.[table.what(i)](asked, scheduled);
    }),
  );
}

function signInRepeatedly(order: Extract<Order, { kind: 'sign-in' }>): Promise<CountedPart> {
  const lines = visit(order.atOnce);
  let turn = order.from;
  return watch(order.seconds, (asked) =>
    asked.repeat(lines, order.seconds, 'sign-in', () => {
      const person = order.people[turn % order.people.length];
      turn += 1;
      if (!person) throw new Error('no one to sign in');
      return signInRequest(target.port, person);
    }),
  );
}

function watch(
  plannedSeconds: number,
  work: (asked: Asked) => Promise<{ latestMs: number }>,
): Promise<CountedPart> {
  const asked = new Asked();
  return asked.during(plannedSeconds, allLines, () => work(asked));
}

function candidateAt(
  session: { cookie: string; participantId: string },
  line?: Connection,
): Candidate {
  return new Candidate(session, target.port, target.questions, line);
}

/** Returns `many` connections that stay open. */
function visit(many: number): Connection[] {
  while (visitors.length < many) visitors.push(new Connection(target.port));
  return visitors.slice(0, many);
}

function allLines(): Connection[] {
  return [...candidates.map(({ line }) => line), ...visitors];
}
