import { createHmac, type KeyObject, randomBytes } from 'node:crypto';

/** A new session token: 256 random bits. */
export function newSessionToken(): string {
  return randomBytes(32).toString('base64url');
}

/** The stored form of a token, used for lookups: useless to someone who reads the database. */
export function hashSessionToken(key: KeyObject, token: string): Buffer {
  return createHmac('sha256', key).update(token).digest();
}
