import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts a text with AES-256-GCM. `context` is what it belongs to (table and id): a sealed text that
 * was moved to another row does not open.
 *
 * @returns nonce, tag and ciphertext in one
 */
export function seal(key: Buffer, plain: string, context: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
  const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]);
}

/** Opens what `seal` made; throws when key, context or bytes differ. */
export function unseal(key: Buffer, sealed: Buffer, context: string): string {
  // Node accepts a tag that was truncated to four bytes unless the length is given.
  const options = { authTagLength: TAG_BYTES };
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, options)
    .setAAD(Buffer.from(context))
    .setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  return Buffer.concat([
    decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)),
    decipher.final(),
  ]).toString('utf8');
}

/**
 * The context of a text that belongs to values of its row too: where one of them is changed it does not open.
 */
export function boundContext(table: string, id: string, values: readonly string[]): string {
  return `${table}/${id}/${JSON.stringify(values)}`;
}

/**
 * Opens what `seal` made, or `null` when it cannot be opened: sealed with another SECRET_KEY whose loss
 * was accepted (`npm run rotate-key -- --old-key-lost`), or damaged. The caller reports what is lost.
 */
export function unsealOrNull(key: Buffer, sealed: Buffer, context: string): string | null {
  try {
    return unseal(key, sealed, context);
  } catch {
    return null;
  }
}
