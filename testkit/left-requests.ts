import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import type { Endpoint } from '@invigil/core/contract/definition/endpoint';
import { ENDPOINTS, type EndpointName } from '@invigil/core/contract/endpoints';
import type { CallInput, TestApp } from './app.ts';
import { rawHead } from './raw-connection.ts';

/** The port of an app, which listens from now on. */
export async function portOf({ fastify }: TestApp): Promise<number> {
  if (!fastify.server.listening) await fastify.listen({ port: 0, host: '127.0.0.1' });
  return (fastify.server.address() as AddressInfo).port;
}

/** A call as it is sent over a connection. */
export function requestOf(name: EndpointName, { params, query, body, as }: CallInput): Buffer {
  const { method, path }: Endpoint = ENDPOINTS[name];
  const target = path.replace(/:(\w+)/g, (_, key: string) => params?.[key] ?? '');
  const search = new URLSearchParams(
    Object.entries(query ?? {}).map(([key, value]): [string, string] => [key, String(value)]),
  );
  const isBytes = Buffer.isBuffer(body);
  const content = isBytes ? body : Buffer.from(body === undefined ? '' : JSON.stringify(body));
  const [type = 'application/json'] = isBytes ? ((ENDPOINTS[name] as Endpoint).consumes ?? []) : [];
  const head = rawHead(method, search.size === 0 ? target : `${target}?${search}`, {
    ...(as === undefined ? {} : { cookie: `invigil_session=${as}` }),
    ...(body === undefined
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
