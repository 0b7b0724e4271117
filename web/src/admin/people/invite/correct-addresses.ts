import { addressProblem, isEmailAddress } from '@invigil/core/domain/email-address';
import { addressText } from '@invigil/core/texts/addresses';

/** An entry that is no address, or looks mistyped. */
export interface Correction {
  entry: string;
  /** Why it is no address, in the language of when it is read; `null` for an address. */
  readonly reason: string | null;
  /** The address that was probably meant. */
  suggestion: string | null;
}

/** Large enough to be mistyped in every list, long enough for no real neighbor but those below. */
const PROVIDERS = [
  'gmail.com',
  'googlemail.com',
  'hotmail.com',
  'icloud.com',
  'outlook.com',
  'protonmail.com',
  't-online.de',
  'yahoo.com',
];
const REAL_NEIGHBORS = ['email.com', 'mail.com', 'ymail.com'];
/** So many addresses share a domain that it is no typo. */
const FAMILIAR = 5;

/** The entries of an invitation box to check before they are sent, in order. */
export function correctionsOf(entries: readonly string[]): Correction[] {
  const times = new Map<string, number>();
  for (const entry of entries) times.set(domainOf(entry), (times.get(domainOf(entry)) ?? 0) + 1);
  const familiar = [...times].filter(([, n]) => n >= FAMILIAR).map(([domain]) => domain);
  const known = [...new Set([...PROVIDERS, ...familiar])].filter((domain) => domain !== '');
  const isKnown = new Set([...known, ...REAL_NEIGHBORS]);
  const meant = new Map<string, string>();
  const domainMeant = (domain: string) => {
    const found =
      meant.get(domain) ??
      (isKnown.has(domain) ? domain : (known.find((other) => isOneTypo(domain, other)) ?? domain));
    meant.set(domain, found);
    return found;
  };
  return entries.flatMap((entry) => {
    const problem = addressProblem(entry);

    const address = problem === null ? entry : tidied(entry);
    const domain = domainOf(address);
    const intended = address.slice(0, address.length - domain.length) + domainMeant(domain);
    const suggestion =
      intended.toLowerCase() !== entry.toLowerCase() && isEmailAddress(intended) ? intended : null;
    if (problem === null && suggestion === null) return [];
    return [
      {
        entry,
        get reason() {
          return problem && addressText(problem);
        },
        suggestion,
      },
    ];
  });
}

const domainOf = (address: string) => address.slice(address.lastIndexOf('@') + 1).toLowerCase();

/** Removes spaces around the signs of an address, commas for dots, and signs typed twice or at an end. */
function tidied(entry: string): string {
  const joined = entry.replace(/\s*[([{]at[)\]}]\s*/i, '@').replace(/\s*([@.,])\s*/g, '$1');
  const word = joined.split(/\s/).findLast((each) => each.includes('@')) ?? joined;
  return word
    .replace(/@+/g, '@')
    .replace(/[.,]+/g, '.')
    .replace(/\.?@\.?/, '@')
    .replace(/^[.<"']+|[.>"';:]+$/g, '')
    .replace(/\.(?:con|cmo|comm)$/i, '.com');
}

/** Whether two domains differ by one letter, missing, added, other, or swapped with the next. */
function isOneTypo(a: string, b: string): boolean {
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  const [x, y] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  // stud1 and stud2 are two domains.
  if (x === y || /\d/.test(x + y)) return false;
  const isSwap = x.length === 2 && y.length === 2 && x[0] === y[1] && x[1] === y[0];
  return isSwap || (x.length < 2 && y.length < 2);
}
