import { hkdfSync } from 'node:crypto';

/** Eight bytes that tell two secret keys apart and say nothing about either. */
export function keyFingerprint(secretKey: string): string {
  const bytes = hkdfSync('sha256', secretKey, 'invigil', 'invigil/backup-fingerprint/1', 8);
  return Buffer.from(bytes).toString('hex');
}
