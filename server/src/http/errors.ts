import { STATUS_CODES } from 'node:http';
import {
  ERRORS,
  type ErrorCode,
  type ErrorIssue,
  sentenceOf,
} from '@invigil/core/contract/definition/errors';
import { valueProblemText } from '@invigil/core/contract/definition/value-problems';
import { currentLanguage } from '@invigil/core/domain/locale';
import type {
  FastifyError,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifySchemaValidationError,
} from 'fastify';
import plugin from 'fastify-plugin';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { isDatabaseAway } from '../db/database-away.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { AppError, type AppErrorParts } from '../runtime/app-error.ts';
import { inLanguage } from '../runtime/language.ts';
import { StorageAway } from '../storage/storage.ts';
import type { Budgets } from './admission/budgets.ts';
import { settleBody } from './admission/request-bodies.ts';
import { languageOf } from './language.ts';

/** Fastify's own refusals, by the codes it documents, mapped to our table. */
const FASTIFY_CODES: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'TOO_LARGE',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'INVALID_INPUT',
  FST_ERR_CTP_INVALID_JSON_BODY: 'INVALID_INPUT',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'INVALID_INPUT',
};

/** Refusals that may indicate an attack: unauthenticated, forbidden or excessive requests. */
const SUSPICIOUS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'INVALID_CREDENTIALS',
  'WRONG_PASSWORD',
  'WRONG_CODE',
  'THROTTLED',
  'FORBIDDEN',
  'FOREIGN_ORIGIN',
  'FORBIDDEN_HOST',
]);

const RETRY_AFTER_SECONDS = 2;

// English sentences stay Zod's, which say more to who writes a program.
z.config({
  customError: (problem) => (currentLanguage() === 'en' ? undefined : valueProblemText(problem)),
});

/** Every refusal is sent from here, in one shape, from one table. */
export const errorsPlugin = plugin(
  async (app: FastifyInstance, { metrics }: { metrics: Metrics }) => {
    app.setNotFoundHandler((_request, reply) => refuse(reply, 'NOT_FOUND'));

    app.setErrorHandler((error: FastifyError, request, reply) => {
      const refusal = toRefusal(error);
      // Work ended with its request, which is no failure.
      if (refusal.code === 'UNAVAILABLE' && reply.raw.closed) return refuse(reply, refusal.code);
      metrics.countResponse(ERRORS[refusal.code][0]);
      if (ERRORS[refusal.code][0] >= 500) {
        request.log.error({ err: error, reference: request.id }, 'request failed');
      }
      if (SUSPICIOUS.has(refusal.code)) recordRefusal(request, refusal.code);
      return refuse(reply, refusal.code, refusal);
    });
  },
  { name: 'errors' },
);

/** The route and not the path, which may contain what someone typed; no name, no code, no cookie. */
function recordRefusal(request: FastifyRequest, code: ErrorCode): void {
  const { method, routeOptions, ip, id } = request;
  request.log.info(
    { code, method, route: routeOptions.url, address: ip, reference: id },
    'refused',
  );
}

/** A malformed path (`/%`) is refused before there is a route whose hooks could set headers or count it. */
export function refuseBadPath(budgets: Budgets) {
  return (_error: FastifyError, { ip }: FastifyRequest, reply: FastifyReply) => {
    reply.headers({
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'",
      'x-content-type-options': 'nosniff',
    });
    const retryAfterSeconds = Math.ceil(budgets.networkOf(ip).take(1, performance.now()));
    if (retryAfterSeconds === 0) void refuse(reply, 'INVALID_INPUT');
    else void refuse(reply, 'TOO_MANY_REQUESTS', { retryAfterSeconds });
  };
}

type Refusal = { code: ErrorCode } & AppErrorParts;

function toRefusal(error: FastifyError): Refusal {
  if (error instanceof AppError) return error as unknown as Refusal;
  if (hasZodFastifySchemaValidationErrors(error)) {
    // An id that cannot exist is an unknown id.
    if (error.validationContext === 'params') return { code: 'NOT_FOUND' };
    const issues = error.validation.flatMap(issuesOf);
    const message = issues[0]?.message;
    return { code: 'INVALID_INPUT', issues, ...(message === undefined ? {} : { message }) };
  }
  const known = FASTIFY_CODES[error.code];
  if (known) return { code: known };
  // The file server refuses paths outside its folders, however encoded: nothing exists there.
  // Our own 403s are AppErrors.
  if (error.statusCode === 403) return { code: 'NOT_FOUND' };
  // Broken JSON (the parser's SyntaxError), a range outside a file, a precondition that fails.
  if (isClientError(error)) return { code: 'INVALID_INPUT' };
  if (isDatabaseAway(error) || error instanceof StorageAway) {
    return { code: 'UNAVAILABLE', retryAfterSeconds: RETRY_AFTER_SECONDS };
  }
  return { code: 'INTERNAL' };
}

/** A library's refusal with its own status. */
function isClientError({ statusCode = 500 }: FastifyError): boolean {
  return statusCode >= 400 && statusCode < 500;
}

/** The errors of a body with alternatives; those of the closest one are reported. */
const UnionParams = z.object({
  errors: z.array(
    z.array(z.object({ path: z.array(z.union([z.string(), z.number()])), message: z.string() })),
  ),
});

function issuesOf(error: FastifySchemaValidationError): ErrorIssue[] {
  const path = error.instancePath.split('/').filter(Boolean);
  const union = UnionParams.safeParse(error.params);
  const closest = union.data?.errors.find((branch) => branch.every((i) => i.path.length > 0));
  if (closest && closest.length > 0) {
    return closest.map((i) => ({ path: [...path, ...i.path].join('.'), message: i.message }));
  }
  return [{ path: path.join('.'), message: error.message ?? sentenceOf('INVALID_INPUT') }];
}

/** When nothing more specific is known. */
const LATER_SECONDS = 60;

function refuse(reply: FastifyReply, code: ErrorCode, parts: AppErrorParts = {}) {
  settleBody(reply);
  const [statusCode] = ERRORS[code];
  const language = languageOf(reply.request) ?? 'en';
  const comesBack = statusCode === 429 || statusCode === 503;
  const retryAfter = parts.retryAfterSeconds ?? (comesBack ? LATER_SECONDS : undefined);
  if (retryAfter !== undefined) reply.header('retry-after', retryAfter);
  // The reference for looking up the failure: it is logged as well.
  const reference = statusCode >= 500 ? { reference: reply.request.id } : {};
  const details = { ...parts.details, ...reference };
  return (
    reply
      .code(statusCode)
      .type('application/json; charset=utf-8')
      // The body is serialized as text: a refusal must not pass through the success schema of its route.
      .serializer((body: unknown) => JSON.stringify(body))
      .send({
        statusCode,
        error: STATUS_CODES[statusCode] ?? 'Error',
        code,
        message: parts.message ?? inLanguage(language, () => sentenceOf(code)),
        ...(parts.issues ? { issues: parts.issues } : {}),
        ...(Object.keys(details).length > 0 ? { details } : {}),
      })
  );
}
