/*
 * The load generator's process. It gets the test sessions, opens a connection for each and then runs the
 * commands of crowd.ts one at a time. Closed loop: each candidate sends, waits for the response and
 * sends again.
 */
import { percentile } from '../statistics.ts';
import { emptyRequest, SaveRequest } from './browser-requests.ts';
import type { Acknowledged, Order, Tally } from './crowd.ts';
import type { Seat } from './seat-candidates.ts';
import { Wire } from './wire.ts';

/** One candidate with one connection. */
interface Sitter {
  wire: Wire;
  empty: Buffer;
  saves: SaveRequest[];
  /** Acknowledged revisions by question. */
  acknowledged: Map<string, number>;
  turn: number;
  sentAt: number;
  answered: () => void;
}

let sitters: Sitter[] = [];

process.on('message', (order: Order) => {
  void obey(order).then((answer) => process.send?.(answer));
});
process.on('disconnect', () => process.exit());

async function obey(order: Order): Promise<Tally | Acknowledged | null> {
  switch (order.kind) {
    case 'sit':
      sitters = order.seats.map((seat) => sit(order.port, seat));
      await Promise.all(sitters.map(({ wire }) => wire.opened()));
      return null;
    case 'save':
      return repeat(order.seconds, sitters.slice(0, order.candidates), sendSave, noteSave);
    case 'ask':
      return repeat(order.seconds, sitters, (sitter) => sitter.wire.send(sitter.empty));
    case 'acknowledged':
      return sitters.map(({ acknowledged }) => Object.fromEntries(acknowledged));
  }
}

function sit(port: number, seat: Seat): Sitter {
  const wire = new Wire(
    port,
    (status, answer) => {
      if (status !== 200) throw new Error(`refused: ${answer.toString('latin1')}`);
      sitter.answered();
    },
    (error) => {
      throw error;
    },
  );
  const sitter: Sitter = {
    wire,
    empty: emptyRequest(port, seat),
    saves: seat.questions.map((question) => new SaveRequest(port, seat, question)),
    acknowledged: new Map(),
    turn: 0,
    sentAt: 0,
    answered: () => undefined,
  };
  return sitter;
}

function sendSave(sitter: Sitter): void {
  sitter.turn = (sitter.turn + 1) % sitter.saves.length;
  const save = sitter.saves[sitter.turn];
  if (save) sitter.wire.send(save.next());
}

function noteSave({ saves, turn, acknowledged }: Sitter): void {
  const save = saves[turn];
  if (save) acknowledged.set(save.questionId, save.revision);
}

/** All clients send repeatedly until the time is up; then waits for the last responses. */
async function repeat(
  seconds: number,
  people: Sitter[],
  send: (sitter: Sitter) => void,
  note: (sitter: Sitter) => void = () => undefined,
): Promise<Tally> {
  const latencies: number[] = [];
  const before = process.cpuUsage();
  const from = performance.now();
  const until = from + seconds * 1_000;
  let late = 0;
  await Promise.all(
    people.map(
      (sitter) =>
        new Promise<void>((resolve) => {
          sitter.answered = () => {
            const now = performance.now();
            note(sitter);
            if (now < until) latencies.push(now - sitter.sentAt);
            else late += 1;
            if (now < until) start(now);
            else resolve();
          };
          const start = (now: number) => {
            sitter.sentAt = now;
            send(sitter);
          };
          start(performance.now());
        }),
    ),
  );
  const { user, system } = process.cpuUsage(before);
  return {
    perSecond: latencies.length / seconds,
    requests: latencies.length + late,
    p50Ms: percentile(latencies, 0.5),
    p99Ms: percentile(latencies, 0.99),
    longestMs: percentile(latencies, 1),
    wallSeconds: (performance.now() - from) / 1_000,
    loadMicros: user + system,
  };
}
