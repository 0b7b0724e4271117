import { emailKey, isEmailAddress } from '@invigil/core/domain/email-address';

/** Parser of the invitation box: one address per line (specification 5), or a list copied from a mail program. */
export interface InviteLines {
  /** Each address once, valid or not; the server returns a result for each. */
  addresses: string[];
  valid: number;
  invalid: string[];
  /** Repeated addresses, which are merged. */
  duplicates: number;
}

/** Parses the box and counts addresses, ignoring case. */
export function validateInviteLines(text: string): InviteLines {
  const seen = new Set<string>();
  const lines: InviteLines = { addresses: [], valid: 0, invalid: [], duplicates: 0 };
  for (const address of linesOf(text).flatMap(addressesOfLine)) {
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
 * The addresses of spreadsheet cells or a CSV file, one per line. Of a row with several cells only the
 * addresses are used; a row without one stays visible unchanged, unless it is the header.
 */
export function addressLines(sheet: string): string {
  const rows = linesOf(sheet);
  return rows
    .flatMap((row, index) => {
      const addresses = row
        .split('\t')
        .flatMap(addressesOfLine)
        .filter((address) => address.includes('@'));
      if (addresses.length > 0) return addresses;
      return index === 0 && rows.length > 1 && !row.includes('@') ? [] : [row];
    })
    .join('\n');
}

/**
 * Invisible characters that web pages and office programs add to copied text: soft
 * hyphens, zero-width and directional marks (Unicode category Cf), control characters.
 */
const INVISIBLE = /\p{Cf}|(?!\s)\p{Cc}/gu;

function linesOf(text: string): string[] {
  return text
    .replace(INVISIBLE, '')
    .replace(/[“”„«»＂]/g, '"')
    .split(/[\r\n\u2028\u2029]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/**
 * `a@x; "Doe, Jane" <b@x>, c@x` as copied from Outlook and Gmail. A part without an address stays
 * visible unchanged, unless it is the beginning of a name: `Doe, Jane <b@x>`.
 */
function addressesOfLine(line: string): string[] {
  return splitOutside(line, /[;；]/).flatMap((entry) => {
    const parts = splitOutside(entry, /[,，]/);
    const lastNamed = parts.findLastIndex(isNamed);
    return parts.flatMap((part, index) =>
      !part.includes('@') && index < lastNamed ? [] : addressesOfPart(part),
    );
  });
}

const isNamed = (part: string) => /<[^<>]+@[^<>]+>/.test(part);

/** `Jane Doe <a@x>`, `a@x (Jane Doe)`, `a@x b@x`, `mailto:a@x`. */
function addressesOfPart(part: string): string[] {
  const named = [...part.matchAll(/<([^<>]*@[^<>]*)>/g)].map(([, inner]) => bare(inner ?? ''));
  if (named.length > 0) return named;
  const words = part.split(/\s+/).filter((word) => word.includes('@'));
  const addresses = words.map(bare);
  return addresses.some(isEmailAddress) ? addresses : [part];
}

/** Strips punctuation around an address in running text. */
function bare(word: string): string {
  const inner = word
    .trim()
    .replace(/^["'([<]+(?=\S)/, '')
    .replace(/[)\]>"'.,:]+$/, '')
    .replace(/^mailto:/i, '');
  return isEmailAddress(inner) ? inner : word.trim();
}

/** Splits at separators outside quotation marks and angle brackets; drops blanks. */
function splitOutside(text: string, separator: RegExp): string[] {
  const parts = [''];
  // An unpaired quotation mark is an ordinary character.
  for (const [piece] of text.matchAll(/"[^"]*"|<[^<>]*>|[^"<,;，；]+|./gsu)) {
    if (separator.test(piece) && [...piece].length === 1) parts.push('');
    else parts[parts.length - 1] += piece;
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}
