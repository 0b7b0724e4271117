import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';

/** A value that a seal may cover. A JSON array of these is unambiguous. */
export type SealedField = string | number | boolean | null | readonly SealedField[];

/**
 * The MAC of a row, which access to the database without the key cannot create.
 *
 * @param context table and id: a seal copied to another row does not match
 */
export function sealFields(
  key: KeyObject,
  context: string,
  fields: readonly SealedField[],
): Buffer {
  return createHmac('sha256', key)
    .update(JSON.stringify([context, fields]))
    .digest();
}

/** Whether a seal was made for these fields with this key; false for a missing one. */
export function fitsSeal(
  key: KeyObject,
  context: string,
  fields: readonly SealedField[],
  seal: Buffer | null,
): boolean {
  if (seal === null) return false;
  const expected = sealFields(key, context, fields);
  return seal.length === expected.length && timingSafeEqual(seal, expected);
}
