import { Agent, request } from 'node:http';
import type { Endpoint } from '@invigil/core/contract/definition/endpoint';
import { ENDPOINTS, type EndpointName } from '@invigil/core/contract/endpoints';

/** The first administrator of a server, unless its settings name another one. */
export const ADMIN = { email: 'admin@example.org', password: 'correct horse battery' };

/** The input of a call: JSON, unless the body is bytes. */
export interface HttpInput {
  params?: Record<string, string>;
  query?: Record<string, string | number>;
  body?: unknown;
}

/** A complete response. */
export interface HttpReply {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: foreign data under test
  body: any;
  text: string;
  retryAfter: string | null;
}

/** The path of a call, with its query. */
export function pathOf(name: EndpointName, { params, query }: HttpInput = {}): string {
  const path = ENDPOINTS[name].path.replace(/:(\w+)/g, (_, key: string) => params?.[key] ?? '');
  const entries = Object.entries(query ?? {}).map(([key, value]): [string, string] => [
    key,
    String(value),
  ]);
  return entries.length === 0 ? path : `${path}?${new URLSearchParams(entries)}`;
}

/** The content of a call and its type; without one there is nothing to send. */
export function contentOf(
  name: EndpointName,
  { body }: HttpInput,
): [content: Buffer, type?: string] {
  if (body === undefined) return [Buffer.alloc(0)];
  if (!(body instanceof Uint8Array)) return [Buffer.from(JSON.stringify(body)), 'application/json'];
  const { consumes = [] }: Endpoint = ENDPOINTS[name];
  return [Buffer.from(body), consumes[0] ?? 'application/octet-stream'];
}

/**
 * A person with a session at a running server, and with connections of their own: calls endpoints by name over
 * real HTTP.
 */
export class HttpPerson {
  /** The address of the server, which may be another one in the next call. */
  url: string;
  cookie = '';
  readonly #userAgent: string;
  readonly #agent = new Agent({ keepAlive: true });

  constructor(url: string, userAgent = 'node') {
    this.url = url;
    this.#userAgent = userAgent;
  }

  /**
   * Throws a TypeError without a complete response, as `fetch` does: what the server has done is unknown.
   *
   * @param signal gives the call up
   */
  call(name: EndpointName, input: HttpInput = {}, signal?: AbortSignal): Promise<HttpReply> {
    const [content, type] = contentOf(name, input);
    const headers = {
      cookie: this.cookie,
      'user-agent': this.#userAgent,
      ...(type === undefined ? {} : { 'content-type': type, 'content-length': content.length }),
    };
    const { method }: Endpoint = ENDPOINTS[name];
    const url = new URL(pathOf(name, input), this.url);
    return new Promise((resolve, reject) => {
      const broken = (cause?: Error) =>
        reject(new TypeError(cause?.message ?? 'the response was cut off', { cause }));
      const sent = request(url, { agent: this.#agent, method, headers, signal });
      sent.on('error', broken);
      sent.on('response', (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', broken);
        response.on('close', () => broken());
        response.on('end', () => {
          const set = response.headers['set-cookie']?.[0];
          if (set !== undefined) this.cookie = set.split(';', 1)[0] ?? '';
          const text = Buffer.concat(chunks).toString();
          const isJson = response.headers['content-type']?.includes('json') && text !== '';
          resolve({
            status: response.statusCode ?? 0,
            body: isJson ? JSON.parse(text) : undefined,
            text,
            retryAfter: response.headers['retry-after'] ?? null,
          });
        });
      });
      sent.end(content);
    });
  }

  /** The body of a success; throws on a refusal. */
  must = async (name: EndpointName, input?: HttpInput): Promise<HttpReply['body']> => {
    const { status, body, text } = await this.call(name, input);
    if (status < 300) return body;
    throw new Error(`${name} returned ${status}: ${text}`);
  };

  /** The response to a path, as it arrives; throws on a refusal. */
  async read(path: string, signal?: AbortSignal): Promise<Response> {
    const headers = { cookie: this.cookie };
    const response = await fetch(`${this.url}${path}`, { headers, signal: signal ?? null });
    if (response.ok) return response;
    throw new Error(`${path} returned ${response.status}: ${await response.text()}`);
  }

  /** The same person, with the same session, at another server. */
  at(url: string): HttpPerson {
    const there = new HttpPerson(url);
    there.cookie = this.cookie;
    return there;
  }

  async signIn(email = ADMIN.email, password = ADMIN.password): Promise<void> {
    await this.must('login', { body: { email, password } });
  }

  /** Breaks the connections, with what is pending on them. */
  close(): void {
    this.#agent.destroy();
  }
}
