import { EventEmitter, once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { closingConnections } from './closing-connections.ts';

describe('a closing server', () => {
  it('answers open requests, and waits for no other connection', async () => {
    const app = Fastify({ forceCloseConnections: 'idle' });
    await app.register(closingConnections);
    const going = new EventEmitter();
    app.get('/', async () => {
      going.emit('asked');
      return (await once(going, 'answer'))[0];
    });
    await app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.server.address() as AddressInfo;
    const unused = connect(port, '127.0.0.1');
    const gone = once(unused, 'close');
    await once(unused, 'connect');
    unused.resume();
    const asked = once(going, 'asked');
    const response = fetch(`http://127.0.0.1:${port}/`);
    await asked;

    const closed = app.close();
    await gone;
    going.emit('answer', 'the answer');
    expect(await (await response).text()).toBe('the answer');
    await closed;
  });
});
