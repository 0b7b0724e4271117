import { createHash, hkdfSync } from 'node:crypto';

/** One key per purpose, so that what is learned about one says nothing about another. */
export interface Keys {
  /** HMAC of one-time passwords */
  codes: Buffer;
  /** HMAC of session tokens */
  sessions: Buffer;
  /** HMAC of the account-and-address pairs of the throttle */
  throttle: Buffer;
  /** Seed of the Ed25519 key that signs receipts */
  receipts: Buffer;
  /** HMAC of the audit chain's head */
  audit: Buffer;
  /** AES-256-GCM of what is kept unreadable: SMTP password, codes that wait for delivery */
  sealing: Buffer;
}

/** Derives every key from SECRET_KEY with HKDF-SHA-256 (RFC 5869). The secret lives outside the database. */
export function deriveKeys(secretKey: string): Keys {
  const material = createHash('sha256').update(secretKey, 'utf8').digest();
  const derive = (purpose: string) =>
    Buffer.from(hkdfSync('sha256', material, 'invigil', `invigil/${purpose}/1`, 32));
  return {
    codes: derive('codes'),
    sessions: derive('sessions'),
    throttle: derive('throttle'),
    receipts: derive('receipts'),
    audit: derive('audit'),
    sealing: derive('sealing'),
  };
}
