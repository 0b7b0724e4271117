import { z } from 'zod';
import type { DataClass } from '../../domain/rights.ts';

/** Replaces the id of a person by another one, by which they cannot be found elsewhere. */
export const ALIAS = Symbol('alias');

interface Classification {
  classes: readonly DataClass[];
  /** Shown to those who may not see it; fits the schema, or is `ALIAS`. */
  instead: unknown;
}

const CLASSIFICATIONS = new WeakMap<z.ZodType, Classification>();

/** The classes of a schema; `undefined` where everyone who gets the answer may see its values. */
export const classificationOf = (schema: z.ZodType): Classification | undefined =>
  CLASSIFICATIONS.get(schema);

/**
 * A schema whose values are shown only to administrators who may see all of its classes. It may be wrapped
 * and used in any object; `show` cuts a field made of it from answers (server/src/sessions/show.ts).
 */
export function classified<S extends z.ZodType>(
  classes: readonly DataClass[],
  schema: S,
  instead: z.input<S> | typeof ALIAS | undefined,
): S {
  const own = schema.clone();
  CLASSIFICATIONS.set(own, { classes, instead });
  return own;
}

/**
 * Fields that identify a person, each classified here, so that a new field of one is not shown to everyone.
 */
export const PersonId = classified(['person'], z.string(), ALIAS);
/** null: erased */
export const PersonEmail = classified(['person'], z.string().nullable(), null);
/** A name, a number, a note, the network of a device. */
export const PersonText = classified(['person'], z.string(), '');
export const OptionalPersonText = classified(['person'], z.string().optional(), undefined);
export const PersonTexts = classified(['person'], z.array(z.string()), []);
/** The installation's own fields, by their id. */
export const PersonFields = classified(['person'], z.record(z.string(), z.string()), {});
/** Absent where they are not shown, and where nothing is known. */
export const KnownPerson = {
  userName: OptionalPersonText,
  externalId: OptionalPersonText,
  groups: classified(['person'], z.array(z.string()).optional(), undefined),
  /** Only fields that have a value. */
  fields: classified(['person'], z.record(z.string(), z.string()).optional(), undefined),
};

/** Right answers; null while in progress. */
export const Score = classified(['score'], z.int().nullable(), null);
/** null while in progress */
export const AttemptPoints = classified(['score'], z.number().nullable().optional(), undefined);
export const OptionalPoints = classified(['score'], z.number().optional(), undefined);

/** The right answer of a question, as text. */
export const KeyText = classified(['key'], z.string(), '');
export const IsKey = classified(['key'], z.boolean(), false);
