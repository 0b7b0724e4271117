import { randomBytes } from 'node:crypto';
import type { AppContext } from '../../app-context.ts';
import type { Queryable, Tx } from '../../db/database.ts';
import { seal, unseal } from '../../security/sealing.ts';
import { listSealedKeys, lockUser, setSealedKey } from './queries.ts';

const KEY_BYTES = 32;

/** A text about a person in a place that keeps ids only: readable while the person's key exists. */
export interface SealedText {
  userId: string;
  /** base64 */
  sealed: string;
}

/**
 * Seals a text with the key of the person it is about. The key is made when it is first needed, and
 * itself sealed with the service's. Returns `null` for a person who was erased: nothing more about
 * them is kept.
 */
export async function sealForPerson(
  tx: Tx,
  ctx: Pick<AppContext, 'keys'>,
  userId: string,
  text: string,
): Promise<SealedText | null> {
  const user = await lockUser(tx, userId);
  if (!user || user.email === null) return null;
  let key: Buffer;
  if (user.sealedKey === null) {
    key = randomBytes(KEY_BYTES);
    const sealedKey = seal(ctx.keys.sealing, key.toString('base64'), keyContext(userId));
    await setSealedKey(tx, userId, sealedKey);
  } else {
    key = openKey(ctx, userId, user.sealedKey);
  }
  return { userId, sealed: seal(key, text, textContext(userId)).toString('base64') };
}

/** Opens sealed texts; what belongs to an erased person stays closed. */
export async function openForPersons(
  db: Queryable,
  ctx: Pick<AppContext, 'keys'>,
  texts: readonly SealedText[],
): Promise<(text: SealedText) => string | null> {
  const userIds = [...new Set(texts.map((text) => text.userId))];
  const rows = userIds.length === 0 ? [] : await listSealedKeys(db, userIds);
  const keys = new Map(
    rows.flatMap(({ id, sealedKey }) =>
      sealedKey === null ? [] : [[id, openKey(ctx, id, sealedKey)] as const],
    ),
  );
  return ({ userId, sealed }) => {
    const key = keys.get(userId);
    return key ? unseal(key, Buffer.from(sealed, 'base64'), textContext(userId)) : null;
  };
}

function openKey(ctx: Pick<AppContext, 'keys'>, userId: string, sealedKey: Buffer): Buffer {
  return Buffer.from(unseal(ctx.keys.sealing, sealedKey, keyContext(userId)), 'base64');
}

const keyContext = (userId: string) => `users/${userId}`;
const textContext = (userId: string) => `about/${userId}`;
