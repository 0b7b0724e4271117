import { createHmac, type KeyObject } from 'node:crypto';
import { ALIAS, classificationOf } from '@invigil/core/contract/definition/classified';
import { DATA_CLASSES, type DataClass } from '@invigil/core/domain/rights';
import type { z } from 'zod';

/** The reader of an answer, with the classes of data that they may see. */
export interface Reader {
  shows: ReadonlySet<DataClass>;
  /** Key of the aliases that replace ids of people. */
  aliases: KeyObject;
}

/** Cuts from a value what its reader may not see; `parent` is the object it is a field of. */
type Cut = (value: unknown, reader: Reader, parent: object) => unknown;
type Schema = z.ZodType;

/** Cuts by schema; `null` where everyone sees all of it. */
const cuts = new WeakMap<Schema, Cut | null>();

/**
 * An answer as its reader may see it: a classified field (contract/definition/classified.ts) of a class that
 * they may not see is replaced, at any depth. Throws for a value that fits none of several schemas.
 */
export function show<T>(schema: Schema, value: T, reader: Reader): T {
  const cut = reader.shows.size < DATA_CLASSES.length ? cutOf(schema) : null;
  return cut ? (cut(value, reader, {}) as T) : value;
}

function cutOf(schema: Schema): Cut | null {
  const known = cuts.get(schema);
  if (known !== undefined) return known;
  const cut = classifiedCut(schema);
  cuts.set(schema, cut);
  return cut;
}

function classifiedCut(schema: Schema): Cut | null {
  const within = cutWithin(schema);
  const classification = classificationOf(schema);
  if (!classification) return within;
  const { classes, instead } = classification;
  return (value, reader, parent) => {
    if (classes.every((name) => reader.shows.has(name))) {
      return within ? within(value, reader, parent) : value;
    }
    return instead === ALIAS ? aliasOf({ ...parent }, value, reader.aliases) : instead;
  };
}

function cutWithin(schema: Schema): Cut | null {
  // biome-ignore lint/suspicious/noExplicitAny: the kinds of a schema have no common type with their parts
  const def = (schema as any)._zod.def;
  switch (def.type) {
    case 'object':
      return cutFields(def.shape);
    case 'array':
      return cutEach(def.element);
    case 'record':
      return cutValues(def.valueType);
    case 'union':
      return cutOption(def.options);
    case 'optional':
    case 'nullable':
    case 'default':
    case 'readonly': {
      const cut = cutOf(def.innerType);
      return cut && ((value, ...of) => (value == null ? value : cut(value, ...of)));
    }
    default:
      requireNothingWithin(def);
      return null;
  }
}

function cutFields(shape: Record<string, Schema>): Cut | null {
  const fields = Object.entries(shape).flatMap(([key, field]) => {
    const cut = cutOf(field);
    return cut ? [[key, cut] as const] : [];
  });
  if (fields.length === 0) return null;
  return (value, reader) => {
    const own = value as Record<string, unknown>;
    const shown = fields.flatMap(([key, cut]) =>
      key in own ? [[key, cut(own[key], reader, own)]] : [],
    );
    return { ...own, ...Object.fromEntries(shown) };
  };
}

function cutEach(element: Schema): Cut | null {
  const cut = cutOf(element);
  return cut && ((value, ...of) => (value as unknown[]).map((one) => cut(one, ...of)));
}

function cutValues(values: Schema): Cut | null {
  const cut = cutOf(values);
  return (
    cut &&
    ((value, ...of) =>
      Object.fromEntries(
        Object.entries(value as object).map(([key, one]) => [key, cut(one, ...of)]),
      ))
  );
}

function cutOption(options: readonly Schema[]): Cut | null {
  if (options.every((option) => cutOf(option) === null)) return null;
  return (value, ...of) => {
    const option = options.find((one) => one.safeParse(value).success);
    if (!option) throw new Error('an answer fits none of its schemas');
    const cut = cutOf(option);
    return cut ? cut(value, ...of) : value;
  };
}

/** Any other kind of schema is shown as it is: a classified one in it would be shown to everyone. */
function requireNothingWithin(def: object): void {
  const parts = Object.values(def).flat();
  if ('getter' in def || parts.some((part) => part?._zod && cutOf(part))) {
    throw new Error('a classified schema may be within one that show() does not know');
  }
}

/**
 * Stands for the id of a person: in one assessment always the same, and another one in each. The id itself
 * would find them wherever the reader, or a colleague, may see people.
 */
function aliasOf(
  { quizId, participantId, id }: Record<string, unknown>,
  userId: unknown,
  key: KeyObject,
): string {
  const where = quizId ?? participantId ?? id;
  const hex = createHmac('sha256', key).update(`${where}/${userId}`).digest('hex');
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16);
  // A UUIDv8 (RFC 9562), whose bits are free to choose.
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
