import dns from 'node:dns/promises';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { handOver } from './smtp-transport.ts';

/** The responses of the attacker's name server: one list of addresses per query. */
const answers: string[][] = [];
const queried: string[] = [];
/** An address of this machine where nothing else listens on a mail port (Linux has all of 127/8). */
const LOOPBACK = process.platform === 'linux' ? `127.83.${process.pid & 255}.77` : '127.0.0.1';

async function answer(host: string) {
  queried.push(host);
  return (answers.shift() ?? [LOOPBACK]).map((address) => ({ address, family: 4 }));
}

const MESSAGE = { subject: 'S', text: 't', html: '<p>t</p>' };
const ENVELOPE = { to: 'a@example.org', messageId: '<1@example.org>', date: new Date(0) };
const TIMEOUTS = { connectMs: 300, responseMs: 300 };

/*
 * A name that resolves to one address when it is checked and to another when it is used. A port of
 * this machine is the forbidden target.
 */
describe('DNS rebinding of a mail host', () => {
  let inside: Server;
  let connections = 0;

  beforeEach(async () => {
    vi.spyOn(dns, 'lookup').mockImplementation(answer as never);
    answers.length = 0;
    queried.length = 0;
    connections = 0;
    inside = createServer((socket) => {
      connections += 1;
      socket.end('220 inside\r\n');
    }).listen(2525, LOOPBACK);
    await once(inside, 'listening');
  });
  afterEach(() => new Promise((resolve) => inside.close(resolve)));

  const deliverOnce = () => {
    const server = {
      host: 'rebind.example.org',
      port: 2525,
      username: 'u',
      password: 'secret',
      fromEmail: 'tests@example.org',
    };
    return handOver(server, [], ENVELOPE, MESSAGE, TIMEOUTS);
  };

  it('is prevented by one query, whose checked address is the one connected to', async () => {
    // First a harmless address without a server, then the machine itself.
    answers.push(['192.0.2.1']);
    expect(await deliverOnce()).toMatchObject({ kind: 'failed', handedOver: false });
    expect([queried, connections]).toEqual([['rebind.example.org'], 0]);
  });

  it('is refused if any of the addresses is forbidden, first or last', async () => {
    for (const addresses of [[LOOPBACK], ['192.0.2.7', LOOPBACK], ['::ffff:169.254.169.254']]) {
      answers.push(addresses);
      expect(await deliverOnce()).toMatchObject({
        ...{ kind: 'unresolved', resolved: { kind: 'forbidden' } },
      });
    }
    expect(connections).toBe(0);
  });

  it('is checked at each delivery, not only when the settings are saved', async () => {
    answers.push(['192.0.2.1'], [LOOPBACK]);
    expect((await deliverOnce()).kind).toBe('failed');
    expect(await deliverOnce()).toMatchObject({
      ...{ kind: 'unresolved', resolved: { kind: 'forbidden' } },
    });
    expect(connections).toBe(0);
  });
});
