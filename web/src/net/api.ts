import type {
  BodyOf,
  Endpoint,
  ParamsOf,
  QueryOf,
  ResponseOf,
} from '@invigil/core/contract/definition/endpoint';
import { REQUEST_LIMITS } from '@invigil/core/domain/limits';
import { currentLanguage } from '@invigil/core/domain/locale';
import { ApiError, ConnectionError, refusalFrom } from './api-error.ts';

export {
  ApiError,
  answerWasLost,
  ConnectionError,
  hasCode,
  mayPass,
  PageError,
  retryAfterMsOf,
  sentenceOf,
} from './api-error.ts';

type Declared<E extends Endpoint, K extends 'params' | 'query' | 'body'> = E extends {
  [k in K]: object;
}
  ? true
  : false;

/** A body as our own screens send it: they always say what they have read of what they replace. */
export type SentBody<E extends Endpoint, B = BodyOf<E>> = 'before' extends keyof B
  ? B & { before: Exclude<B['before'], undefined> }
  : B;

/** Arguments of a call: path parameters and body exactly when the endpoint declares them. */
export type CallOf<E extends Endpoint> = (Declared<E, 'params'> extends true
  ? { params: ParamsOf<E> }
  : { params?: undefined }) &
  (Declared<E, 'query'> extends true ? { query?: QueryOf<E> } : { query?: undefined }) &
  (Declared<E, 'body'> extends true ? { body: SentBody<E> } : { body?: undefined }) & {
    signal?: AbortSignal | undefined;
    /** Lets the request outlive the page; browsers allow at most 64 KiB of them in total. */
    keepalive?: boolean;
  };

export type CallArguments<E extends Endpoint> = true extends
  | Declared<E, 'params'>
  | Declared<E, 'body'>
  ? [call: CallOf<E>]
  : [call?: CallOf<E>];

/** A response with status and headers, for calls that need them. */
export interface AnswerWithHeaders<E extends Endpoint> {
  status: number;
  headers: Headers;
  body: ResponseOf<E>;
}

/**
 * Calls an endpoint of the table and parses its response.
 *
 * @throws {ApiError} when the server refuses
 * @throws {ConnectionError} when there is no response, or one that is not our server's
 */
export async function callEndpoint<E extends Endpoint>(
  endpoint: E,
  ...args: CallArguments<E>
): Promise<ResponseOf<E>> {
  return (await callEndpointWithHeaders(endpoint, ...args)).body;
}

/**
 * A signal that aborts with `signal` and after the timeout of product 8; the call then fails with a
 * `ConnectionError`.
 */
export function inTime(signal?: AbortSignal): AbortSignal {
  const late = AbortSignal.timeout(REQUEST_LIMITS.timeoutMs);
  return signal === undefined ? late : AbortSignal.any([signal, late]);
}

/**
 * Calls an endpoint as `callEndpoint` does, and returns status and headers too (201 or 200, `X-Total-Count`).
 */
export async function callEndpointWithHeaders<E extends Endpoint>(
  endpoint: E,
  ...args: CallArguments<E>
): Promise<AnswerWithHeaders<E>> {
  return perform(endpoint, args[0] ?? {});
}

export type ReadOf<E extends Endpoint> = Pick<CallOf<E>, 'params' | 'query'>;

/** Calls an endpoint without a body as `callEndpointWithHeaders` does, in the form that queries use. */
export async function readEndpoint<E extends Endpoint>(
  endpoint: E,
  read: ReadOf<E>,
  signal?: AbortSignal,
): Promise<AnswerWithHeaders<E>> {
  return perform(endpoint, { ...read, signal });
}

async function perform<E extends Endpoint>(
  endpoint: E,
  call: LooseCall,
): Promise<AnswerWithHeaders<E>> {
  const response = await send(endpoint, call);
  const schema = endpoint.responses[response.status];
  if (schema === undefined) {
    throw new ConnectionError('unreadable', `unexpected status ${response.status}`);
  }
  const body = schema === null ? undefined : await parsed(response, schema);
  return {
    status: response.status,
    headers: response.headers,
    // Parsed by the endpoint's schema above; types cannot follow a status at run time.
    body: body as ResponseOf<E>,
  };
}

/** Calls an endpoint that answers with a file; the caller reads the body. */
export async function callForFile<E extends Endpoint>(
  endpoint: E,
  ...args: CallArguments<E>
): Promise<Response> {
  return send(endpoint, args[0] ?? {});
}

interface LooseCall {
  params?: unknown;
  query?: unknown;
  body?: unknown;
  signal?: AbortSignal | undefined;
  keepalive?: boolean;
}

/** Asks the administrator for the password again; false if canceled. */
type AskPassword = () => Promise<boolean>;
let askPassword: AskPassword | undefined;
let asking: Promise<boolean> | undefined;

/**
 * Handles refusals that require a recently confirmed password: `ask` shows the dialog, and the refused
 * call is then resent, transparently for its caller. Calls refused at the same time share one dialog.
 * Returns a function that stops it.
 */
export function whenPasswordIsNeeded(ask: AskPassword): () => void {
  askPassword = ask;
  return () => {
    if (askPassword === ask) askPassword = undefined;
  };
}

async function wasConfirmed(ask: AskPassword): Promise<boolean> {
  asking ??= ask().finally(() => {
    asking = undefined;
  });
  return asking;
}

async function send(endpoint: Endpoint, call: LooseCall): Promise<Response> {
  try {
    return await sendOnce(endpoint, call);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'CONFIRM_PASSWORD') throw error;
    if (askPassword === undefined || !(await wasConfirmed(askPassword))) throw error;
    // A new timeout: the first one ran while the dialog was open.
    return sendOnce(endpoint, { ...call, signal: inTime() });
  }
}

/** Sends a call once and returns the response; the caller reads it. */
export async function sendOnce(endpoint: Endpoint, call: LooseCall): Promise<Response> {
  const { body } = call;
  const isFile = body instanceof Uint8Array || body instanceof Blob;
  const headers = headersFor(endpoint, body !== undefined, navigator.userAgent);
  if (isFile) headers.set('Content-Type', 'application/octet-stream');
  const response = await fetchOrFail(urlOf(endpoint, call.params, call.query), {
    method: endpoint.method,
    credentials: 'include',
    cache: 'no-store',
    headers,
    ...(body === undefined ? {} : { body: isFile ? (body as BodyInit) : JSON.stringify(body) }),
    ...(call.signal === undefined ? {} : { signal: call.signal }),
    ...(call.keepalive === undefined ? {} : { keepalive: call.keepalive }),
  });
  if (response.ok) return response;
  const text = await response.text().catch(() => '');
  const { status, statusText } = response;
  throw refusalFrom(status, statusText, text, response.headers.get('retry-after'));
}

async function fetchOrFail(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (cause) {
    if (isAbort(cause)) throw cause;
    throw new ConnectionError('unreachable', cause);
  }
}

async function parsed(
  response: Response,
  schema: Exclude<Endpoint['responses'][number], null>,
): Promise<unknown> {
  try {
    return schema.parse(await response.json());
  } catch (cause) {
    if (isAbort(cause)) throw cause;
    throw new ConnectionError('unreadable', cause);
  }
}

export function isAbort(cause: unknown): boolean {
  return cause instanceof DOMException && cause.name === 'AbortError';
}

/** The headers of every request (specification 7). */
export function headersFor(endpoint: Endpoint, hasBody: boolean, userAgent: string): Headers {
  const headers = new Headers({
    Accept:
      endpoint.produces === undefined
        ? 'application/json'
        : `${[endpoint.produces].flat().join(', ')}, application/json`,
    'Cache-Control': 'no-cache, no-store, must-revalidate',
    Pragma: 'no-cache',
  });
  if (hasBody) headers.set('Content-Type', 'application/json');
  // Refusals are in it: nobody may have chosen it, and another tab may have another one.
  const language = currentLanguage();
  if (language !== 'en') headers.set('X-Language', language);
  if (/iPhone|iPad|iPod/.test(userAgent)) headers.set('X-Requested-With', 'XMLHttpRequest');
  return headers;
}

/** The path with its parameters and query; absent query values are omitted. */
export function urlOf(endpoint: Endpoint, params?: unknown, query?: unknown): string {
  const filled = endpoint.path.replace(/:(\w+)/g, (_, name: string) => {
    const value = textsOf(params).find(([key]) => key === name)?.[1];
    if (value === undefined || value === '') throw new TypeError(`${endpoint.path} needs ${name}`);
    return encodeURIComponent(value);
  });
  const search = new URLSearchParams(textsOf(query)).toString();
  return search === '' ? filled : `${filled}?${search}`;
}

function textsOf(values: unknown): [string, string][] {
  if (typeof values !== 'object' || values === null) return [];
  return Object.entries(values)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([key, value]) => [key, String(value)]);
}
