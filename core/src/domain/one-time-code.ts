import { CODE_LIMITS } from './limits.ts';

/** Uppercase letters and digits without I, O, 0 and 1 (specification 5): 32 characters, 5 bits each. */
export const CODE_ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/**
 * Turns random bytes into characters of the code alphabet. It has 32, so the low five bits of each byte
 * select one without bias.
 *
 * @param bytes at least `length` random bytes
 */
export function codeFromBytes(bytes: Uint8Array, length: number): string {
  let code = '';
  for (let i = 0; i < length; i += 1) {
    const byte = bytes[i];
    if (byte === undefined)
      throw new RangeError(`a code of ${length} characters needs ${length} bytes`);
    code += CODE_ALPHABET.charAt(byte & 31);
  }
  return code;
}

/**
 * A typed code in canonical form (product 5): without spaces and hyphens, in uppercase, and without what
 * mail programs and word processors add: other dashes, zero-width and full-width characters.
 */
export function normalizeCode(typed: string): string {
  return typed
    .normalize('NFKC')
    .replace(/[\s\p{Pd}\p{Cf}\u2212]/gu, '')
    .toUpperCase();
}

/** Whether a typed password has the shape of a one-time code in any case and grouping. */
export function isCodeShaped(typed: string): boolean {
  const code = normalizeCode(typed);
  return (
    code.length === CODE_LIMITS.oneTimeCodeCharacters &&
    [...code].every((sign) => CODE_ALPHABET.includes(sign))
  );
}

/**
 * The moment until which a code that was never used to start works: the end date of its assessment, or 90
 * days where there is none, counted from its opening if that is later. A moved date moves it.
 */
export function codeValidUntil(
  createdAt: Date,
  { endDate, opensAt }: { endDate: Date | null; opensAt: Date | null },
): Date {
  const from = Math.max(createdAt.getTime(), opensAt?.getTime() ?? 0);
  return endDate ?? new Date(from + CODE_LIMITS.oneTimeCodeValidDays * 86_400_000);
}

/** `ABCDEFGHJKLMNPQ` as people read it: `ABCDE-FGHJK-LMNPQ`. */
export function groupCode(code: string): string {
  const groups: string[] = [];
  for (let i = 0; i < code.length; i += CODE_LIMITS.oneTimeCodeGroup) {
    groups.push(code.slice(i, i + CODE_LIMITS.oneTimeCodeGroup));
  }
  return groups.join('-');
}
