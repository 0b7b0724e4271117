import { createHash, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';

/**
 * One key per purpose, so that one reveals nothing about another. HMAC keys are key objects: Node 24
 * takes 5 µs for an HMAC with one and 27 µs with the same bytes in a buffer, and each request computes
 * one of its session token.
 */
export interface Keys {
  /** HMAC of one-time passwords */
  codes: KeyObject;
  /** HMAC of the recovery codes of administrators */
  recovery: KeyObject;
  /** HMAC of session tokens */
  sessions: KeyObject;
  /** HMAC of what the throttle counts by: accounts, addresses, devices, sessions */
  throttle: KeyObject;
  /** HMAC of device cookies */
  devices: KeyObject;
  /** Seed of the Ed25519 key that signs receipts */
  receipts: Buffer;
  /** HMAC of the audit chain's head */
  audit: KeyObject;
  /** HMAC of stills, to detect repeated ones */
  stills: KeyObject;
  /** HMAC of ended attempts, whose candidates may add notes with it */
  notes: KeyObject;
  /** HMAC of whole backups */
  backup: KeyObject;
  /** HMAC of rows that a writer to the database must not be able to make or change */
  integrity: KeyObject;
  /** HMAC of the ids of people whom a reader may not see */
  aliases: KeyObject;
  /** AES-256-GCM of stored secrets: SMTP password, codes that wait for delivery, TOTP secrets */
  sealing: Buffer;
}

/** Derives every key from SECRET_KEY with HKDF-SHA-256 (RFC 5869). The secret lives outside the database. */
export function deriveKeys(secretKey: string): Keys {
  const material = createHash('sha256').update(secretKey, 'utf8').digest();
  const derive = (purpose: string) =>
    Buffer.from(hkdfSync('sha256', material, 'invigil', `invigil/${purpose}/1`, 32));
  return {
    codes: createSecretKey(derive('codes')),
    recovery: createSecretKey(derive('recovery')),
    sessions: createSecretKey(derive('sessions')),
    throttle: createSecretKey(derive('throttle')),
    devices: createSecretKey(derive('devices')),
    receipts: derive('receipts'),
    audit: createSecretKey(derive('audit')),
    stills: createSecretKey(derive('stills')),
    notes: createSecretKey(derive('notes')),
    backup: createSecretKey(derive('backup')),
    integrity: createSecretKey(derive('integrity')),
    aliases: createSecretKey(derive('aliases')),
    sealing: derive('sealing'),
  };
}
