import fc from 'fast-check';
import { z } from 'zod';

/** The part of JSON Schema that our contract uses. */
export interface JsonSchema {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: JsonSchema | boolean;
  items?: JsonSchema;
  prefixItems?: JsonSchema[];
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
}

/** How long a list or a text of a valid request gets; other requests test the limits themselves. */
const LONGEST = 30;

/**
 * Values that a schema of the contract accepts, except for refinements.
 *
 * @param ids existing ids: most ids in a request are one of them
 */
export function valuesOf(schema: z.ZodType, ids: readonly string[]): fc.Arbitrary<unknown> {
  return valuesOfJson(printOf(schema, 'input'), ids);
}

export const printOf = (schema: z.ZodType, io: 'input' | 'output'): JsonSchema =>
  z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as JsonSchema;

function valuesOfJson(schema: JsonSchema, ids: readonly string[]): fc.Arbitrary<unknown> {
  const inner = (one: JsonSchema) => valuesOfJson(one, ids);
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return fc.oneof(...choices.map(inner));
  if (schema.allOf) {
    return fc.tuple(...schema.allOf.map(inner)).map((parts) => Object.assign({}, ...parts));
  }
  if (Array.isArray(schema.type)) {
    return fc.oneof(...schema.type.map((type) => inner({ ...schema, type })));
  }
  switch (schema.type) {
    case 'object':
      return objectsOf(schema, inner);
    case 'array':
      return schema.prefixItems
        ? fc.tuple(...schema.prefixItems.map(inner))
        : fc.array(inner(schema.items ?? {}), {
            minLength: schema.minItems ?? 0,
            maxLength: Math.max(schema.minItems ?? 0, Math.min(schema.maxItems ?? 5, 5)),
          });
    case 'string':
      return textsOf(schema, ids);
    case 'integer':
      return fc.integer(rangeOf(schema));
    case 'number':
      return fc.oneof(
        fc.integer(rangeOf(schema)),
        fc.double({ ...rangeOf(schema), noNaN: true, noDefaultInfinity: true }),
      );
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function objectsOf(schema: JsonSchema, inner: (one: JsonSchema) => fc.Arbitrary<unknown>) {
  const { properties = {}, required = [], additionalProperties } = schema;
  const named = fc.record(
    Object.fromEntries(Object.entries(properties).map(([key, one]) => [key, inner(one)])),
    { requiredKeys: required.filter((key) => key in properties) },
  );
  if (typeof additionalProperties !== 'object') return named;
  return fc
    .tuple(named, fc.dictionary(fc.string(), inner(additionalProperties), { maxKeys: 3 }))
    .map(([own, more]) => ({ ...more, ...own }));
}

function textsOf(schema: JsonSchema, ids: readonly string[]): fc.Arbitrary<string> {
  const { format, pattern, minLength = 0 } = schema;
  if (format === 'uuid') return fc.oneof(fc.constantFrom(...ids), fc.uuid());
  if (format === 'email') return fc.emailAddress();
  if (format === 'date-time') {
    return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
  }
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
  const maxLength = Math.max(minLength, Math.min(schema.maxLength ?? LONGEST, LONGEST));
  return fc.oneof(
    fc.string({ minLength, maxLength, unit: 'grapheme' }),
    fc.string({ minLength, maxLength, unit: 'binary' }),
    fc.constantFrom(...ids),
  );
}

function rangeOf({ minimum, exclusiveMinimum, maximum }: JsonSchema) {
  const min = Math.max(minimum ?? exclusiveMinimum ?? -1_000_000, Number.MIN_SAFE_INTEGER);
  return { min, max: Math.max(min, Math.min(maximum ?? 1_000_000, Number.MAX_SAFE_INTEGER)) };
}
