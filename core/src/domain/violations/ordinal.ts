const WORDS = ['', 'first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth'];
const ENDINGS = ['th', 'st', 'nd', 'rd'];

/** 'third', '21st' */
export function ordinal(n: number): string {
  const ending = n % 100 >= 11 && n % 100 <= 13 ? 'th' : (ENDINGS[n % 10] ?? 'th');
  return WORDS[n] ?? `${n}${ending}`;
}
