/** A run of words that both texts have, or only one of them. */
export interface Part {
  text: string;
  in: 'both' | 'before' | 'after';
}

/** More words take too long to compare, and nobody reads their difference. */
const WORDS_MAX = 3_000;

/** The difference of two texts by words: their longest common subsequence. */
export function textDiff(before: string, after: string): Part[] {
  if (before === after) return before === '' ? [] : [{ text: before, in: 'both' }];
  const a = wordsOf(before);
  const b = wordsOf(after);
  if (a.length > WORDS_MAX || b.length > WORDS_MAX) {
    return joined([...a.map(only('before')), ...b.map(only('after'))]);
  }
  const common = commonLengths(a, b);
  const at = (i: number, j: number) => common[i * (b.length + 1) + j] ?? 0;
  const parts: Part[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const [left, right] = [a[i], b[j]];
    if (left !== undefined && left === right) {
      parts.push({ text: left, in: 'both' });
      i += 1;
      j += 1;
    } else if (left !== undefined && (right === undefined || at(i + 1, j) >= at(i, j + 1))) {
      parts.push({ text: left, in: 'before' });
      i += 1;
    } else {
      parts.push({ text: right ?? '', in: 'after' });
      j += 1;
    }
  }
  return joined(parts);
}

/** Of the rest from each pair of positions, row by row. */
function commonLengths(a: readonly string[], b: readonly string[]): Uint16Array {
  const width = b.length + 1;
  const lengths = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      lengths[i * width + j] =
        a[i] === b[j]
          ? (lengths[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(lengths[(i + 1) * width + j] ?? 0, lengths[i * width + j + 1] ?? 0);
    }
  }
  return lengths;
}

/** Words, white space and single signs: nothing is lost. */
const wordsOf = (text: string): string[] => text.match(/\s+|[\p{L}\p{N}]+|./gsu) ?? [];

const only =
  (side: 'before' | 'after') =>
  (text: string): Part => ({ text, in: side });

function joined(parts: readonly Part[]): Part[] {
  const runs: Part[] = [];
  for (const part of parts) {
    const last = runs.at(-1);
    if (last?.in === part.in) last.text += part.text;
    else runs.push({ ...part });
  }
  return runs;
}
