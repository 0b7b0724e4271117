import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { handOver } from './smtp-transport.ts';

/** What the name server answers, one list of addresses a time. It is the attacker's. */
const { answers, asked, LOOPBACK } = vi.hoisted(() => ({
  answers: [] as string[][],
  asked: [] as string[],
  // A port of mail, at an address of this machine where nothing else listens (Linux has all of 127/8).
  LOOPBACK: process.platform === 'linux' ? `127.83.${process.pid & 255}.77` : '127.0.0.1',
}));
vi.mock('node:dns/promises', () => ({
  lookup: async (host: string) => {
    asked.push(host);
    return (answers.shift() ?? [LOOPBACK]).map((address) => ({ address, family: 4 }));
  },
}));

const MESSAGE = { subject: 'S', text: 't', html: '<p>t</p>' };
const ENVELOPE = { to: 'a@example.org', messageId: '<1@example.org>', date: new Date(0) };
const PATIENCE = { connectMs: 300, answerMs: 300 };

/*
 * A name that is judged as one address and connected to as another. The machine's own port stands for
 * whatever must not be reached.
 */
describe('a mail host whose name changes its mind', () => {
  let inside: Server;
  let connections = 0;

  beforeEach(async () => {
    answers.length = 0;
    asked.length = 0;
    connections = 0;
    inside = createServer((socket) => {
      connections += 1;
      socket.end('220 inside\r\n');
    }).listen(2525, LOOPBACK);
    await once(inside, 'listening');
  });
  afterEach(() => new Promise((resolve) => inside.close(resolve)));

  const tryIt = () => {
    const server = {
      host: 'rebind.example.org',
      port: 2525,
      username: 'u',
      password: 'secret',
      fromEmail: 'tests@example.org',
    };
    return handOver(server, [], ENVELOPE, MESSAGE, PATIENCE);
  };

  it('is asked for once, and the address that was judged is the one connected to', async () => {
    // Harmless, and nobody is there; from then on the machine itself.
    answers.push(['192.0.2.1']);
    expect(await tryIt()).toMatchObject({ kind: 'failed', handedOver: false });
    expect([asked, connections]).toEqual([['rebind.example.org'], 0]);
  });

  it('is refused when any of its addresses is forbidden, first or last', async () => {
    for (const addresses of [[LOOPBACK], ['192.0.2.7', LOOPBACK], ['::ffff:169.254.169.254']]) {
      answers.push(addresses);
      expect(await tryIt()).toMatchObject({ kind: 'unresolved', forbidden: true });
    }
    expect(connections).toBe(0);
  });

  it('is judged anew at each try of delivery, not only when it was set', async () => {
    answers.push(['192.0.2.1'], [LOOPBACK]);
    expect((await tryIt()).kind).toBe('failed');
    expect(await tryIt()).toMatchObject({ kind: 'unresolved', forbidden: true });
    expect(connections).toBe(0);
  });
});
