import { expect, it } from 'vitest';
import { separatorsByFirstLine } from './csv-separator.ts';

it.each([
  ['Question,A,B,Answer\nWhat; is; this?,x,y,A', ','],
  ['Question;A;B;Answer\na,b,c,d', ';'],
  ['Question\tA\tB\tAnswer', '\t'],
  // What stands in quotes separates nothing.
  ['"One, two, three";x;y;A', ';'],
  // A quoted field that continues in the next line.
  ['"Q"\t"a;a;"\t"b;a\n"\t"A"', '\t'],
  // Nothing to go by: the comma of the seed.
  ['Question', ','],
  ['', ','],
])('%j is most likely separated by %j', (text, separator) => {
  expect(separatorsByFirstLine(text)[0]).toBe(separator);
  expect([...separatorsByFirstLine(text)].sort()).toEqual(['\t', ',', ';']);
});
