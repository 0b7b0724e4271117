/*
 * The attacker's process. It sends one request on each of many connections, repeats it after each
 * response, or leaves before it, and reconnects when a connection is closed, until it is stopped. It runs at the lowest
 * priority: a real attacker has another machine.
 */
import { connect } from 'node:net';
import { constants, setPriority } from 'node:os';
import { COUNTED } from './requests.ts';

export interface Attack {
  port: number;
  connections: number;
  /** The whole request, in latin1; a number of the request takes the place of COUNTED. */
  request: string;
  /** Closes the connection so long after the request was sent, without an answer. */
  leavesAfterMs?: number | undefined;
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
let sent = 0;
const firstEffect = Promise.withResolvers<void>();

process.on('message', async (order: Attack | 'stop') => {
  if (order === 'stop') {
    isOver = true;
    process.send?.({ answers, ended } satisfies AttackFigures);
    return;
  }
  for (let i = 0; i < order.connections; i += 1) open(order);
  // At its low priority, the attack may take long to begin on a busy machine.
  await firstEffect.promise;
  process.send?.(null);
});
process.on('disconnect', () => process.exit());

function open(attack: Attack, same = requestOf(attack)): void {
  if (isOver) return;
  const { port, leavesAfterMs } = attack;
  const send = () => {
    sent += 1;
    socket.write(same ?? requestOf(attack, sent) ?? '', () => {
      if (leavesAfterMs !== undefined) setTimeout(() => socket.destroy(), leavesAfterMs);
    });
  };
  const socket = connect(port, '127.0.0.1', send);
  // Bytes left of the response that is being received; one in chunks ends with an empty chunk.
  let rest = 0;
  let isChunked = false;
  socket.on('data', (piece) => {
    if (rest <= 0) {
      const head = piece.toString('latin1', 0, 4_096);
      const status = head.slice(9, 12);
      answers[status] = (answers[status] ?? 0) + 1;
      firstEffect.resolve();
      isChunked = /^transfer-encoding: *chunked/im.test(head);
      const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
      rest = isChunked ? Number.POSITIVE_INFINITY : head.indexOf('\r\n\r\n') + 4 + length;
    }
    rest -= piece.length;
    if (isChunked && piece.subarray(-5).toString('latin1') === '0\r\n\r\n') rest = 0;
    if (rest <= 0 && !isOver) send();
  });
  socket.on('error', () => undefined);
  socket.once('close', () => {
    ended += 1;
    firstEffect.resolve();
    setImmediate(open, attack, same);
  });
}

/** The request with this number; without a number, that of an attack that repeats one request. */
function requestOf({ request }: Attack, number?: number): Buffer | undefined {
  if (number === undefined) {
    return request.includes(COUNTED) ? undefined : Buffer.from(request, 'latin1');
  }
  const digits = String(number % 10 ** COUNTED.length).padStart(COUNTED.length, '0');
  return Buffer.from(request.replace(COUNTED, digits), 'latin1');
}
