import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import type { Endpoint } from '@invigil/core/contract/definition/endpoint';
import { ENDPOINTS, type EndpointName } from '@invigil/core/contract/endpoints';
import type { CallInput, TestApp } from './app.ts';
import { contentOf, pathOf } from './http-person.ts';
import { rawHead } from './raw-connection.ts';

/** The port of an app, which listens from now on. */
export async function portOf({ fastify }: TestApp): Promise<number> {
  if (!fastify.server.listening) await fastify.listen({ port: 0, host: '127.0.0.1' });
  return (fastify.server.address() as AddressInfo).port;
}

/** A call as it is sent over a connection. */
export function requestOf(name: EndpointName, input: CallInput): Buffer {
  const { method }: Endpoint = ENDPOINTS[name];
  const [content, type] = contentOf(name, input);
  const head = rawHead(method, pathOf(name, input), {
    ...(input.as === undefined ? {} : { cookie: `invigil_session=${input.as}` }),
    ...(type === undefined
      ? {}
      : { 'content-type': type, 'content-length': String(content.length) }),
  });
  return Buffer.concat([Buffer.from(head), content]);
}

/** Sends a request and closes the connection at once, or later: no one waits for the answer. */
export async function leave(
  port: number,
  request: Buffer,
  when: () => Promise<unknown> = async () => undefined,
): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(request, () => void when().finally(() => socket.destroy()));
  await once(socket, 'close');
}
