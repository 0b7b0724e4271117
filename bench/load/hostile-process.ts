/*
 * The attacker's process. It sends one request on each of many connections, repeats it after each
 * response, and reconnects when a connection is closed, until it is stopped. It runs at the lowest
 * priority: a real attacker has another machine.
 */
import { connect } from 'node:net';
import { constants, setPriority } from 'node:os';

export interface Attack {
  port: number;
  connections: number;
  /** The whole request, in latin1. */
  request: string;
}

export interface AttackFigures {
  answers: Record<string, number>;
  /** Connections closed by the server. */
  ended: number;
}

setPriority(constants.priority.PRIORITY_LOW);
const answers: Record<string, number> = {};
let ended = 0;
let isOver = false;
const firstEffect = Promise.withResolvers<void>();

process.on('message', async (order: Attack | 'stop') => {
  if (order === 'stop') {
    isOver = true;
    process.send?.({ answers, ended } satisfies AttackFigures);
    return;
  }
  const bytes = Buffer.from(order.request, 'latin1');
  for (let i = 0; i < order.connections; i += 1) open(order.port, bytes);
  // At its low priority, the attack may take long to begin on a busy machine.
  await firstEffect.promise;
  process.send?.(null);
});
process.on('disconnect', () => process.exit());

function open(port: number, request: Buffer): void {
  if (isOver) return;
  const socket = connect(port, '127.0.0.1', () => socket.write(request));
  socket.on('data', (answer) => {
    const status = answer.toString('latin1', 9, 12);
    answers[status] = (answers[status] ?? 0) + 1;
    firstEffect.resolve();
    if (!isOver) socket.write(request);
  });
  socket.on('error', () => undefined);
  socket.once('close', () => {
    ended += 1;
    firstEffect.resolve();
    setImmediate(open, port, request);
  });
}
