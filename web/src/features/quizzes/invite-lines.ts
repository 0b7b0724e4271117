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

/**
 * The addresses of a spreadsheet's cells or a CSV file, one per line. Of a row with several cells
 * only the addresses are kept; a row without one stays as it is, to be seen, unless it is the head.
 */
export function addressLines(sheet: string): string {
  const rows = sheet
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\r|\n/)
    .map((row) => row.trim())
    .filter((row) => row !== '');
  return rows
    .flatMap((row, index) => {
      const cells = row.split(/[\t,;]/).map((cell) => cell.trim().replace(/^"|"$/g, ''));
      const addresses = cells.filter((cell) => isEmailAddress(cell));
      if (addresses.length > 0) return addresses;
      return index === 0 && rows.length > 1 && !row.includes('@') ? [] : [row];
    })
    .join('\n');
}
