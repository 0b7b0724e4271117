import { hkdfSync } from 'node:crypto';

/** Eight bytes that distinguish secret keys and reveal nothing about them. */
export function keyFingerprint(secretKey: string): string {
  const bytes = hkdfSync('sha256', secretKey, 'invigil', 'invigil/backup-fingerprint/1', 8);
  return Buffer.from(bytes).toString('hex');
}
