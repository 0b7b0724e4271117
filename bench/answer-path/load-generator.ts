/*
 * The load generator's process. It gets the test sessions, opens a connection for each and then runs the
 * commands of load-clients.ts one at a time. Closed loop: each candidate sends, waits for the response and
 * sends again.
 */
import { percentile } from '../statistics.ts';
import { emptyRequest, SaveRequest } from './browser-requests.ts';
import type { Acknowledged, Order, Tally } from './load-clients.ts';
import type { TestSession } from './start-candidates.ts';
import { Wire } from './wire.ts';

/** One candidate with one connection. */
interface Client {
  wire: Wire;
  empty: Buffer;
  saves: SaveRequest[];
  /** Acknowledged revisions by question. */
  acknowledged: Map<string, number>;
  turn: number;
  sentAt: number;
  answered: () => void;
}

let clients: Client[] = [];

process.on('message', (order: Order) => {
  void execute(order).then((answer) => process.send?.(answer));
});
process.on('disconnect', () => process.exit());

async function execute(order: Order): Promise<Tally | Acknowledged | null> {
  switch (order.kind) {
    case 'connect':
      clients = order.sessions.map((session) => connectClient(order.port, session));
      await Promise.all(clients.map(({ wire }) => wire.opened()));
      return null;
    case 'save':
      return repeat(order.seconds, clients.slice(0, order.candidates), sendSave, noteSave);
    case 'ask':
      return repeat(order.seconds, clients, (client) => client.wire.send(client.empty));
    case 'acknowledged':
      return clients.map(({ acknowledged }) => Object.fromEntries(acknowledged));
  }
}

function connectClient(port: number, session: TestSession): Client {
  const wire = new Wire(
    port,
    (status, answer) => {
      if (status !== 200) throw new Error(`refused: ${answer.toString('latin1')}`);
      client.answered();
    },
    (error) => {
      throw error;
    },
  );
  const client: Client = {
    wire,
    empty: emptyRequest(port, session),
    saves: session.questions.map((question) => new SaveRequest(port, session, question)),
    acknowledged: new Map(),
    turn: 0,
    sentAt: 0,
    answered: () => undefined,
  };
  return client;
}

function sendSave(client: Client): void {
  client.turn = (client.turn + 1) % client.saves.length;
  const save = client.saves[client.turn];
  if (save) client.wire.send(save.next());
}

function noteSave({ saves, turn, acknowledged }: Client): void {
  const save = saves[turn];
  if (save) acknowledged.set(save.questionId, save.revision);
}

/** All clients send repeatedly until the time is up; then waits for the last responses. */
async function repeat(
  seconds: number,
  people: Client[],
  send: (client: Client) => void,
  note: (client: Client) => void = () => undefined,
): Promise<Tally> {
  const latencies: number[] = [];
  const before = process.cpuUsage();
  const from = performance.now();
  const until = from + seconds * 1_000;
  let inTime = 0;
  await Promise.all(
    people.map(
      (client) =>
        new Promise<void>((resolve) => {
          client.answered = () => {
            const now = performance.now();
            note(client);
            latencies.push(now - client.sentAt);
            if (now >= until) return resolve();
            inTime += 1;
            start(now);
          };
          const start = (now: number) => {
            client.sentAt = now;
            send(client);
          };
          start(performance.now());
        }),
    ),
  );
  const { user, system } = process.cpuUsage(before);
  return {
    perSecond: inTime / seconds,
    requests: latencies.length,
    p50Ms: percentile(latencies, 0.5),
    p99Ms: percentile(latencies, 0.99),
    longestMs: percentile(latencies, 1),
    wallSeconds: (performance.now() - from) / 1_000,
    loadMicros: user + system,
  };
}
