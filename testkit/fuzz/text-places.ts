import type { z } from 'zod';
import { type JsonSchema, printOf } from './schema-values.ts';

/** A value that a schema accepts but for one of its texts, and where that is. */
export interface TextPlace {
  path: string;
  value: unknown;
}

/** The value of a schema with a text in each of its places for texts, one after the other; keys, too. */
export function textPlaces(schema: z.ZodType, text: string): TextPlace[] {
  // The places behind a preprocessor may be in the schema of the output only.
  const places = (['input', 'output'] as const).flatMap((io) => [
    ...placesIn(printOf(schema, io), text, ''),
  ]);
  return [...new Map(places.map((place) => [place.path, place])).values()];
}

function* placesIn(schema: JsonSchema, text: string, path: string): Generator<TextPlace> {
  // Whatever belongs there: what a preprocessor takes is in no schema, and anyone can send anything.
  yield { path, value: text };
  const choices = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (choices) {
    const others = schema.allOf?.map(least) ?? [];
    for (const [i, one] of choices.entries()) {
      for (const place of placesIn(one, text, `${path}|${i}`)) {
        yield schema.allOf ? { ...place, value: Object.assign({}, ...others, place.value) } : place;
      }
    }
  } else if (schema.properties || typeof schema.additionalProperties === 'object') {
    const rest = least(schema) as object;
    for (const [key, one] of Object.entries(schema.properties ?? {})) {
      for (const place of placesIn(one, text, `${path}.${key}`)) {
        yield { ...place, value: { ...rest, [key]: place.value } };
      }
    }
    if (typeof schema.additionalProperties !== 'object') return;
    const one = schema.additionalProperties;
    yield { path: `${path}.{}`, value: { ...rest, [text]: least(one) } };
    for (const place of placesIn(one, text, `${path}.*`)) {
      yield { ...place, value: { ...rest, [ID]: place.value } };
    }
  } else if (schema.items || schema.prefixItems) {
    const all = schema.prefixItems ?? Array(Math.max(1, schema.minItems ?? 0)).fill(schema.items);
    for (const [i, one] of (schema.prefixItems ?? all.slice(0, 1)).entries()) {
      for (const place of placesIn(one, text, `${path}.${i}`)) {
        yield { ...place, value: all.map((other, at) => (at === i ? place.value : least(other))) };
      }
    }
  }
}

const ID = '0197f5a3-1c1e-7c3a-9b1a-2f4d5e6a7b8c';

/** The shortest value that it accepts, as far as the schema says what that is. */
function least(schema: JsonSchema): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map(least));
  const [choice] = schema.anyOf ?? schema.oneOf ?? [];
  if (choice) return least(choice);
  const [type] = [schema.type].flat();
  switch (type) {
    case 'object': {
      const { properties = {}, required = [] } = schema;
      return Object.fromEntries(required.map((key) => [key, least(properties[key] ?? {})]));
    }
    case 'array':
      return (schema.prefixItems ?? Array(schema.minItems ?? 0).fill(schema.items ?? {})).map(
        least,
      );
    case 'string':
      if (schema.format === 'uuid') return ID;
      if (schema.format === 'date-time') return '2026-05-14T08:00:00Z';
      return 'x'.repeat(Math.max(1, schema.minLength ?? 0));
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 1, (schema.exclusiveMinimum ?? 0) + 1);
    case 'boolean':
      return true;
    default:
      return null;
  }
}
