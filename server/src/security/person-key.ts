import { randomBytes } from 'node:crypto';
import type { BaseContext } from '../app-context.ts';
import type { Queryable, Tx } from '../db/database.ts';
import { listSealedKeys, lockUser, setSealedKey } from '../db/queries/people.ts';
import { seal, unsealOrNull } from './sealing.ts';

const KEY_BYTES = 32;

/** A text about a person in a table of ids only: readable while the person's key exists. */
export interface SealedText {
  userId: string;
  /** base64 */
  sealed: string;
}

/**
 * Seals a text with the key of the person it is about. The key is created on first use, and itself sealed
 * with the service's. Returns `null` for an erased person, about whom nothing more is stored.
 */
export async function sealForPerson(
  tx: Tx,
  ctx: Pick<BaseContext, 'keys'>,
  userId: string,
  text: string,
): Promise<SealedText | null> {
  const user = await lockUser(tx, userId);
  if (!user || user.email === null) return null;
  let key = user.sealedKey && openKey(ctx, userId, user.sealedKey);
  if (key === null) {
    // Also when the previous key cannot be opened: what it sealed is unreadable anyway.
    key = randomBytes(KEY_BYTES);
    const sealedKey = seal(ctx.keys.sealing, key.toString('base64'), keyContext(userId));
    await setSealedKey(tx, userId, sealedKey);
  }
  return { userId, sealed: seal(key, text, textContext(userId)).toString('base64') };
}

/** Opens sealed texts, except those of an erased person or a lost SECRET_KEY. */
export async function openForPersons(
  db: Queryable,
  ctx: Pick<BaseContext, 'keys'>,
  texts: readonly SealedText[],
): Promise<(text: SealedText) => string | null> {
  const userIds = [...new Set(texts.map((text) => text.userId))];
  const rows = userIds.length === 0 ? [] : await listSealedKeys(db, userIds);
  const keys = new Map(
    rows.map(({ id, sealedKey }) => [id, sealedKey && openKey(ctx, id, sealedKey)] as const),
  );
  return ({ userId, sealed }) => {
    const key = keys.get(userId);
    return key ? unsealOrNull(key, Buffer.from(sealed, 'base64'), textContext(userId)) : null;
  };
}

function openKey(ctx: Pick<BaseContext, 'keys'>, userId: string, sealedKey: Buffer): Buffer | null {
  const key = unsealOrNull(ctx.keys.sealing, sealedKey, keyContext(userId));
  return key === null ? null : Buffer.from(key, 'base64');
}

const keyContext = (userId: string) => `users/${userId}`;
const textContext = (userId: string) => `about/${userId}`;
