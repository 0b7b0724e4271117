import { emailKey, isEmailAddress } from '@invigil/core/domain/email-address';

/** What stands in the invitation box: one address per line (seed 5). */
export interface InviteLines {
  /** Each address once, as typed, valid or not; the server answers for every one of them. */
  addresses: string[];
  valid: number;
  invalid: string[];
  /** Lines that repeat an earlier address; they are merged. */
  duplicates: number;
}

/** Trims, drops blank lines, counts. Addresses are compared without regard to case. */
export function judgeInviteLines(text: string): InviteLines {
  const seen = new Set<string>();
  const lines: InviteLines = { addresses: [], valid: 0, invalid: [], duplicates: 0 };
  for (const line of text.split(/\r\n|\r|\n/)) {
    const address = line.trim();
    if (address === '') continue;
    const key = emailKey(address);
    if (seen.has(key)) {
      lines.duplicates += 1;
      continue;
    }
    seen.add(key);
    lines.addresses.push(address);
    if (isEmailAddress(address)) lines.valid += 1;
    else lines.invalid.push(address);
  }
  return lines;
}
