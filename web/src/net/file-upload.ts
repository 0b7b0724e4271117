import type { Endpoint } from '@invigil/core/contract/definition/endpoint';
import { headersFor, urlOf } from './api.ts';
import { ConnectionError, refusalFrom } from './api-error.ts';

/**
 * Sends a file as the body of a request and returns the response; the caller reads it.
 *
 * @throws {ApiError} when the server refuses
 * @throws {ConnectionError} when there is no response
 */
export async function sendFile(
  endpoint: Endpoint,
  { query, body, signal }: { query?: object; body: Blob; signal?: AbortSignal },
): Promise<Response> {
  const headers = headersFor(endpoint, false, navigator.userAgent);
  headers.set('Content-Type', 'application/octet-stream');
  const response = await fetch(urlOf(endpoint, undefined, query), {
    method: endpoint.method,
    credentials: 'include',
    cache: 'no-store',
    headers,
    body,
    ...(signal === undefined ? {} : { signal }),
  }).catch((cause: unknown) => {
    if (signal?.aborted) throw cause;
    throw new ConnectionError('unreachable', cause);
  });
  if (response.ok) return response;
  const { status, statusText } = response;
  const text = await response.text().catch(() => '');
  throw refusalFrom(status, statusText, text, response.headers.get('retry-after'));
}
