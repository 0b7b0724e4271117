import type { Endpoint } from '@invigil/core/contract/definition/endpoint';
import { ENDPOINTS, type EndpointName } from '@invigil/core/contract/endpoints';

/** A person with a session at a running server: calls endpoints by name over real HTTP. */
export class HttpPerson {
  readonly #url: string;
  #cookie = '';

  constructor(url: string) {
    this.#url = url;
  }

  /** Throws when there is no response, as from a killed server. */
  async call(
    name: EndpointName,
    input: { params?: Record<string, string>; query?: Record<string, string>; body?: unknown } = {},
    // biome-ignore lint/suspicious/noExplicitAny: foreign data under test
  ): Promise<{ status: number; body: any; retryAfter: string | null }> {
    const row: Endpoint = ENDPOINTS[name];
    const path = row.path.replace(/:(\w+)/g, (_, key: string) => input.params?.[key] ?? '');
    const query = input.query ? `?${new URLSearchParams(input.query)}` : '';
    const response = await fetch(`${this.#url}${path}${query}`, {
      method: row.method,
      headers: {
        cookie: this.#cookie,
        ...(input.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(input.body === undefined ? {} : { body: JSON.stringify(input.body) }),
    });
    const set = response.headers.getSetCookie()[0];
    if (set !== undefined) this.#cookie = set.split(';', 1)[0] ?? '';
    const text = await response.text();
    return {
      status: response.status,
      body: text === '' ? undefined : JSON.parse(text),
      retryAfter: response.headers.get('retry-after'),
    };
  }

  /** The same person, with the same session, at another server. */
  at(url: string): HttpPerson {
    const there = new HttpPerson(url);
    there.#cookie = this.#cookie;
    return there;
  }

  async signIn(email: string, password: string): Promise<void> {
    const reply = await this.call('login', { body: { email, password } });
    if (reply.status !== 200)
      throw new Error(`sign-in of ${email} failed: ${JSON.stringify(reply.body)}`);
  }
}
