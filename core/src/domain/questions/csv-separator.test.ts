import { expect, it } from 'vitest';
import { separatorsByFirstLine } from './csv-separator.ts';

it.each([
  ['Question,A,B,Answer\nWhat; is; this?,x,y,A', ','],
  ['Question;A;B;Answer\na,b,c,d', ';'],
  ['Question\tA\tB\tAnswer', '\t'],
  // Separators inside quotes do not count.
  ['"One, two, three";x;y;A', ';'],
  // A quoted field that continues on the next line.
  ['"Q"\t"a;a;"\t"b;a\n"\t"A"', '\t'],
  // No separator: defaults to the comma of the seed.
  ['Question', ','],
  ['', ','],
])('ranks the separator first for %j: %j', (text, separator) => {
  expect(separatorsByFirstLine(text)[0]).toBe(separator);
  expect([...separatorsByFirstLine(text)].sort()).toEqual(['\t', ',', ';']);
});
