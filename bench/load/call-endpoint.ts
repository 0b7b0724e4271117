import type { Endpoint, ResponseOf } from '@invigil/core/contract/definition/endpoint';
import { ENDPOINTS, type EndpointName } from '@invigil/core/contract/endpoints';

export interface CallInput {
  /** The session cookie, as `name=value`. */
  as?: string | undefined;
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
}

/** Calls an endpoint of a running server; throws on an error response. */
export async function callEndpoint<N extends EndpointName>(
  url: string,
  name: N,
  { as, params = {}, query = {}, body }: CallInput = {},
): Promise<{ body: ResponseOf<(typeof ENDPOINTS)[N]>; cookie: string | undefined }> {
  const row: Endpoint = ENDPOINTS[name];
  const path = row.path.replace(/:(\w+)/g, (_, key: string) => params[key] ?? '');
  const response = await fetch(`${url}${path}?${new URLSearchParams(query)}`, {
    method: row.method,
    headers: {
      ...(as === undefined ? {} : { cookie: as }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const schema = row.responses[response.status];
  if (!schema) throw new Error(`${name} returned ${response.status}: ${text}`);
  return {
    body: schema.parse(JSON.parse(text)) as ResponseOf<(typeof ENDPOINTS)[N]>,
    cookie: response.headers.getSetCookie()[0]?.split(';', 1)[0],
  };
}
