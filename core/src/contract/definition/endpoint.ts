import { z } from 'zod';
import { REQUEST_LIMITS } from '../../domain/limits.ts';
import type { Permission, Placed } from '../../domain/rights.ts';
import { t } from '../../texts/i18n.ts';
import type { ErrorCode } from './errors.ts';
import { atMostCharacters } from './field-problems.ts';

/**
 * The kind of object that `:id` of the path names, on which an administrator must hold the permission.
 * `anywhere`: on at least one object, and the handler keeps to those.
 */
export type Subject = 'installation' | 'anywhere' | Placed;
/** A permission that admits an administrator; `self`: every administrator. */
export type NeededPermission = 'self' | `${Subject}: ${Permission}`;

/**
 * The callers of an endpoint: any of these. `preview`: an administrator who signed in with the one-time
 * password of a test invitation. Closed by default: an endpoint without access does not compile.
 */
export type Access = 'public' | readonly ('participant' | 'preview' | NeededPermission)[];

/** The permissions that admit administrators to an endpoint; none where it is not for them. */
export const permissionsOf = ({ access }: Pick<Endpoint, 'access'>): NeededPermission[] =>
  access === 'public'
    ? []
    : access.filter((one): one is NeededPermission => one !== 'participant' && one !== 'preview');

/** Splits what admits an administrator: the permission, and on what it must be held; `null` for 'self'. */
export function partsOf(one: NeededPermission): { on: Subject; permission: Permission } | null {
  if (one === 'self') return null;
  const [on, permission] = one.split(': ') as [Subject, Permission];
  return { on, permission };
}

/** The names of the entries that a call leaves in the audit log, or why it leaves none. */
export type Audit = string | readonly string[] | { none: string };

/** One row of the endpoint table. Paths use `:name` for parameters. */
export interface Endpoint {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: `/${string}`;
  access: Access;
  /** Open to an administrator who must set up two-step sign-in before anything else. */
  beforeTotp?: true;
  /** Needs a password that was confirmed recently (CONFIRM_PASSWORD). */
  freshPassword?: true;
  summary: string;
  /** Required of a call that can change something; also for reads that are recorded. */
  audit?: Audit;
  params?: z.ZodType;
  query?: z.ZodType;
  body?: z.ZodType;
  /** Success status to body; `null` is a response without a body. */
  responses: { [status: number]: z.ZodType | null };
  /** Errors it can return, beyond those that every endpoint shares. */
  errors: readonly ErrorCode[];
  /** Largest body in bytes; `REQUEST_LIMITS.bodyBytes` when absent. */
  bodyLimit?: number;
  /** `:id` is an attempt's; a body larger than the answers of its paper can be is refused as well. */
  sizedByPaper?: true;
  /** Tokens a request takes from its caller's budget (`BUDGET_LIMITS`); 1 when absent. */
  cost?: number;
  /** A file, whose bytes do not count against an administrator's budget and may take minutes to arrive. */
  isBulk?: true;
  /** Media type of the response, if not JSON (a file or an image); of several, that of the handler. */
  produces?: string | readonly string[];
  /** Media types of the body, besides JSON. */
  consumes?: readonly string[];
}

type Row = Omit<Endpoint, 'method' | 'path' | 'access' | 'errors'> &
  Partial<Pick<Endpoint, 'errors'>>;

type Names<P extends string> = P extends `${string}:${infer Name}/${infer Rest}`
  ? Name | Names<Rest>
  : P extends `${string}:${infer Name}`
    ? Name
    : never;
/** The parameters of a path are ids where its row says nothing else. */
type Params<P extends string, R> =
  R extends Required<Pick<Row, 'params'>>
    ? unknown
    : [Names<P>] extends [never]
      ? unknown
      : { params: z.ZodObject<Record<Names<P>, typeof Id>> };

const BY_CANDIDATES = { none: 'of candidates, in batches or for their own attempt alone' };

/** Demands `audit` of a call by which anyone but a candidate can change something. */
type Audited<M, A> = M extends 'GET'
  ? unknown
  : A extends readonly 'participant'[]
    ? unknown
    : { audit: Audit };

/**
 * Preserves the literal types of a row, so that routes and clients know its exact shapes. What a parameter of
 * the path names may not exist, so such a row has NOT_FOUND without saying so.
 */
export function endpoint<
  const M extends Endpoint['method'],
  const P extends Endpoint['path'],
  const A extends Access,
  const R extends Row,
>(route: `${M} ${P}`, access: A, row: R & Audited<M, A>) {
  const [method, path] = route.split(' ') as [M, P];
  const ids = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, Id]);
  const params: object = ids.length > 0 ? { params: z.object(Object.fromEntries(ids)) } : {};
  const errors: readonly ErrorCode[] =
    ids.length > 0 ? [...(row.errors ?? []), 'NOT_FOUND'] : (row.errors ?? []);
  const ofCandidates = access !== 'public' && access.every((one) => one === 'participant');
  const audit: object = method !== 'GET' && ofCandidates ? { audit: BY_CANDIDATES } : {};
  const described = { ...audit, ...params, ...row, errors, method, path, access };
  return described as typeof described & Params<P, R>;
}

/**
 * Lowercased here, so that one id has one spelling inside. Any UUID version is accepted: an id that does
 * not exist is unknown (404, `[]`), not malformed.
 */
export const Id = z.guid({ error: () => t('field.id', 'Invalid id') }).toLowerCase();

/** 0001-01-01T00:00Z, and the end of the year 9999: beyond, ISO 8601 needs a sign and six digits. */
const FIRST_MS = -62_135_596_800_000;
const LAST_MS = 253_402_300_799_999;

/** ISO 8601 in UTC, like every time on the wire. PostgreSQL has no year 0. */
export const Instant = z.iso.datetime({ offset: true }).refine(
  (time) => {
    const ms = Date.parse(time);
    return Number.isNaN(ms) || (ms >= FIRST_MS && ms <= LAST_MS);
  },
  { error: () => t('field.time', 'Invalid time') },
);

/** A typed "26" is the year 0026, which PostgreSQL and JavaScript read differently. */
export const Moment = Instant.refine((at) => !(Date.parse(at) < 0), {
  error: () => t('field.date', 'Select a date after 1970'),
});

/** The query of a list of which one page is read. */
export const page = (usual: number) => ({
  limit: z.coerce.number().int().min(1).max(REQUEST_LIMITS.listRowsMax).default(usual),
  offset: z.coerce.number().int().min(0).max(100_000_000).default(0),
});

export const GIVE_REASON = { error: () => t('field.reason', 'Give a reason') };

/** Why an administrator acts; stored in the audit log. */
export const Reason = z
  .string(GIVE_REASON)
  .trim()
  .min(1, GIVE_REASON)
  .max(500, atMostCharacters(500));

/** A whole number that may arrive as a string, as form fields do. */
export const whole = (min: number, max: number, error: () => string) =>
  z.preprocess(
    (v) => (typeof v === 'string' && /^\s*-?\d+\s*$/.test(v) ? Number(v) : v),
    z.int({ error }).min(min, { error }).max(max, { error }),
  );

/** The shape of every refusal. */
export const ErrorBody = z.object({
  statusCode: z.int(),
  error: z.string(),
  code: z.string(),
  message: z.string(),
  issues: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  details: z.record(z.string(), z.unknown()).optional(),
});

/** The names of the entries that an endpoint may leave in the audit log. */
export function actionsOf({ audit }: Pick<Endpoint, 'audit'>): readonly string[] {
  if (typeof audit === 'string') return [audit];
  return audit && !('none' in audit) ? audit : [];
}

/** The same as a type. */
export type ActionsOf<E extends Endpoint> = E['audit'] extends string
  ? E['audit']
  : E['audit'] extends readonly (infer Name)[]
    ? Name & string
    : never;

type In<S> = S extends z.ZodType ? z.input<S> : undefined;
type Out<S> = S extends z.ZodType ? z.output<S> : undefined;

export type ParamsOf<E extends Endpoint> = In<E['params']>;
export type QueryOf<E extends Endpoint> = In<E['query']>;
export type BodyOf<E extends Endpoint> = In<E['body']>;
export type ParsedParamsOf<E extends Endpoint> = Out<E['params']>;
export type ParsedQueryOf<E extends Endpoint> = Out<E['query']>;
export type ParsedBodyOf<E extends Endpoint> = Out<E['body']>;
export type ResponseOf<E extends Endpoint> = {
  [S in keyof E['responses']]: E['responses'][S] extends z.ZodType
    ? z.output<E['responses'][S]>
    : undefined;
}[keyof E['responses']];
