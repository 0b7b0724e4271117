import { Agent, request } from 'node:http';
import type { Endpoint } from '@invigil/core/contract/definition/endpoint';
import { ENDPOINTS, type EndpointName } from '@invigil/core/contract/endpoints';

export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: foreign data under test
  body: any;
  text: string;
  retryAfter: string | null;
}

/** Longer than the server's promised limit. */
const GIVE_UP_AFTER_MS = 20_000;

/** One person's connection and session. A broken connection is reopened by the next call. */
export class OwnLine {
  readonly #ports: readonly number[];
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  #cookie = '';
  #turn: number;

  /** @param ports of all servers; `first` is the index of the first one used */
  constructor(ports: readonly number[], first: number) {
    this.#ports = ports;
    this.#turn = first;
  }

  turn(): void {
    this.#turn += 1;
  }

  close(): void {
    this.#agent.destroy();
  }

  /** `status: null` without a complete response: the outcome on the server is unknown. */
  call(
    name: EndpointName,
    input: { params?: Record<string, string>; query?: Record<string, string>; body?: unknown } = {},
  ): Promise<Answer | { status: null; why: string }> {
    const row: Endpoint = ENDPOINTS[name];
    const path = row.path.replace(/:(\w+)/g, (_, key: string) => input.params?.[key] ?? '');
    const query = input.query ? `?${new URLSearchParams(input.query)}` : '';
    const body = input.body === undefined ? undefined : JSON.stringify(input.body);
    return new Promise((resolve) => {
      const broken = (why: string) => resolve({ status: null, why });
      const sent = request({
        agent: this.#agent,
        host: '127.0.0.1',
        port: this.#ports[this.#turn % this.#ports.length],
        method: row.method,
        path: `${path}${query}`,
        signal: AbortSignal.timeout(GIVE_UP_AFTER_MS),
        headers: {
          cookie: this.#cookie,
          ...(body === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
        },
      });
      sent.on('error', (error) => broken(error.message));
      sent.on('response', (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', (error) => broken(error.message));
        response.on('close', () => broken('the answer was cut off'));
        response.on('end', () => {
          const set = response.headers['set-cookie']?.[0];
          if (set !== undefined) this.#cookie = set.split(';', 1)[0] ?? '';
          const text = Buffer.concat(chunks).toString('utf8');
          const json = response.headers['content-type']?.includes('json') && text !== '';
          resolve({
            status: response.statusCode ?? 0,
            body: json ? JSON.parse(text) : undefined,
            text,
            retryAfter: response.headers['retry-after'] ?? null,
          });
        });
      });
      sent.end(body);
    });
  }
}
