import type { Endpoint } from '@invigil/core/contract/definition/endpoint';
import { ErrorBody } from '@invigil/core/contract/definition/endpoint';
import { ERRORS, type ErrorCode } from '@invigil/core/contract/definition/errors';
import { ENDPOINTS, type EndpointName } from '@invigil/core/contract/endpoints';
import fc from 'fast-check';
import type { TestApp } from '../app.ts';
import type { FuzzStage } from './fuzz-stage.ts';
import { valuesOf } from './schema-values.ts';
import { type RawBody, wrongBodies } from './wrong-bodies.ts';

/** Errors that every endpoint may answer beside its own. */
const SHARED: readonly ErrorCode[] = [
  'INVALID_INPUT',
  'NOT_SIGNED_IN',
  'SESSION_REPLACED',
  'FORBIDDEN',
  'TOTP_NEEDED',
  'CONFIRM_PASSWORD',
  'NOT_FOUND',
  'TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
];
/** Processor time of the event loop; a statement that the database takes long over is a 503. */
const SLOWEST_MS = 2_000;
const JUNK = ['x', '%00', '..%2f..%2f', '%', "'--", 'null', '0', '%F0%9F%A6%8A', 'x'.repeat(3_000)];

export interface FuzzRequest {
  who: 'admin' | 'candidate' | 'stranger';
  url: string;
  body: RawBody | undefined;
  address: string;
}

/** Requests to one endpoint: half of them follow the contract, as far as a schema describes it. */
export function requestsTo(name: EndpointName, stage: FuzzStage): fc.Arbitrary<FuzzRequest> {
  const row: Endpoint = ENDPOINTS[name];
  const valid = row.body ? pinned(name, valuesOf(row.body, stage.allIds)) : undefined;
  const raw = (value: unknown): RawBody => ({
    text: JSON.stringify(value),
    type: 'application/json',
  });
  const body: fc.Arbitrary<RawBody | undefined> = valid
    ? fc.oneof(valid.map(raw), wrongBodies(valid))
    : fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, wrongBodies(fc.constant({})));
  const query = row.query
    ? fc.oneof(valuesOf(row.query, stage.allIds), fc.dictionary(fc.string(), fc.string()))
    : fc.constant({});
  return fc.record({
    who: fc.constantFrom('admin', 'admin', 'candidate', 'candidate', 'stranger'),
    url: fc.tuple(pathsOf(row, stage), query).map(([path, values]) => withQuery(path, values)),
    body: row.method === 'GET' ? fc.constant(undefined) : body,
    address: fc.ipV4(),
  });
}

/** Settings and test message contact a mail server: a remote one would decide the result. */
function pinned(name: EndpointName, values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  if (name !== 'putSmtpSettings') return values;
  return fc
    .tuple(values, fc.constantFrom('127.0.0.1', '169.254.169.254', '::1', '0'))
    .map(([settings, host]) => ({ ...(settings as object), host }));
}

function pathsOf(row: Endpoint, stage: FuzzStage): fc.Arbitrary<string> {
  const right = stage.ids[row.path.split('/')[2] ?? ''] ?? '';
  const part = (own: string) =>
    fc.oneof(
      { weight: 8, arbitrary: fc.constant(own) },
      { weight: 1, arbitrary: fc.constantFrom(...stage.allIds) },
      { weight: 1, arbitrary: fc.constantFrom(...JUNK) },
    );
  return fc
    .tuple(part(right), part(stage.questionId))
    .map(([id, questionId]) =>
      row.path.replace(/:(id|hash)/, id).replace(':questionId', questionId),
    );
}

function withQuery(path: string, values: unknown): string {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(values as object)) query.append(key, String(value));
  return query.size === 0 ? path : `${path}?${query}`;
}

/** Sends a request and evaluates the response. Who was signed out, or deleted something, needs another stage. */
export async function tryRequest(
  app: TestApp,
  name: EndpointName,
  stage: FuzzStage,
  request: FuzzRequest,
): Promise<{ problem: string | null; status: number; needsStage: boolean }> {
  const row: Endpoint = ENDPOINTS[name];
  const cookie = { admin: stage.admin, candidate: stage.candidate, stranger: '' }[request.who];
  const before = process.threadCpuUsage();
  const response = await app.fastify.inject({
    method: row.method,
    url: request.url,
    remoteAddress: request.address,
    headers: {
      ...(cookie === '' ? {} : { cookie: `invigil_session=${cookie}` }),
      ...(request.body?.type === undefined ? {} : { 'content-type': request.body.type }),
    },
    ...(request.body === undefined ? {} : { payload: request.body.text }),
    // An event stream does not end on its own.
    ...(row.produces === 'text/event-stream' ? { payloadAsStream: true } : {}),
  });
  const ms = process.threadCpuUsage(before).user / 1_000;
  if (row.produces === 'text/event-stream') response.stream().destroy();
  const status = response.statusCode;
  const needsStage =
    (request.who !== 'stranger' && status === 401) || (row.method === 'DELETE' && status < 300);
  const type = String(response.headers['content-type']);
  const problem =
    ms > SLOWEST_MS
      ? `took ${ms.toFixed(0)} ms`
      : row.produces === 'text/event-stream'
        ? checkStatus(status)
        : checkResponse(row, status, type, response.body);
  return { problem, status, needsStage };
}

function checkStatus(status: number): string | null {
  return status >= 500 ? `answered ${status}` : null;
}

/** Describes the part of a response that the contract's row does not allow; `null`: there is none. */
export function checkResponse(
  row: Endpoint,
  status: number,
  type: string,
  text: string,
): string | null {
  if (status >= 500) return `answered ${status}: ${text.slice(0, 300)}`;
  if (status in row.responses) {
    const schema = row.responses[status];
    if (row.produces) {
      return [row.produces].flat().some((kind) => type.startsWith(kind)) ? null : `is ${type}`;
    }
    if (schema === null) return text === '' ? null : `has a body: ${text.slice(0, 100)}`;
    const parsed = schema?.safeParse(jsonOf(text));
    return parsed?.success === true ? null : `is outside its schema: ${parsed?.error.message}`;
  }
  const refusal = ErrorBody.safeParse(jsonOf(text));
  if (!refusal.success) return `refuses in a non-standard shape: ${text.slice(0, 200)}`;
  const code = refusal.data.code as ErrorCode;
  if (!(code in ERRORS)) return `refuses with the unknown code ${code}`;
  if (ERRORS[code][0] !== status) return `refuses ${code} with ${status}`;
  if (SHARED.includes(code) || row.errors.includes(code)) return null;
  return `refuses with ${code}, which its row does not name`;
}

/** The parsed text. One that is no JSON is evaluated as a string, which matches no schema of ours. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
