import { expect, test } from 'vitest';
import { correctionsOf } from './correct-addresses.ts';

const meant = (entry: string, others: string[] = []) =>
  correctionsOf([...others, entry]).find((each) => each.entry === entry);

test.each([
  ['anna@gmial.com', 'anna@gmail.com'],
  ['anna@hotmial.com', 'anna@hotmail.com'],
  ['anna@yaho.com', 'anna@yahoo.com'],
])('an address at a mistyped provider: %s', (entry, suggestion) => {
  expect(meant(entry)).toEqual({ entry, reason: null, suggestion });
});

test.each([
  ['anna@uni-x,de', 'anna@uni-x.de'],
  ['anna@uni-x..de', 'anna@uni-x.de'],
  ['anna@@uni-x.de', 'anna@uni-x.de'],
  ['anna.@uni-x.de', 'anna@uni-x.de'],
  ['Anna Doe anna @ uni-x.de', 'anna@uni-x.de'],
  ['anna (at) uni-x.de', 'anna@uni-x.de'],
  ['anna @gmial,con', 'anna@gmail.com'],
])('an obvious typo: %s', (entry, suggestion) => {
  expect(meant(entry)).toEqual({ entry, reason: 'Not an email address', suggestion });
});

test.each(['not an address', 'anna@nowhere', 'anna.uni-x.de'])(
  'what nobody can guess: %s',
  (entry) => {
    expect(meant(entry)).toEqual({ entry, reason: 'Not an email address', suggestion: null });
  },
);

test.each(['a@gmail.com', 'a@ymail.com', 'a@gmx.de', 'a@web.de', 'a@uni-x.de'])(
  'leaves %s alone',
  (entry) => expect(meant(entry)).toBeUndefined(),
);

test('a domain that most of a list share is the one that was meant', () => {
  const group = [...'abcde'].map((name) => `${name}@students.uni-x.de`);
  expect(meant('z@studnets.uni-x.de', group)?.suggestion).toBe('z@students.uni-x.de');
  expect(meant('z@studnets.uni-x.de', group.slice(1))).toBeUndefined();
  const numbered = group.map((address) => address.replace('students', 'stud1'));
  expect(meant('z@stud2.uni-x.de', numbered)).toBeUndefined();
});

test('checks ten thousand addresses of different domains at once', () => {
  const many = Array.from({ length: 10_000 }, (_, i) => `p@d${i}.example.org`);
  const started = performance.now();
  expect(correctionsOf([...many, 'x@gmial.com'])).toHaveLength(1);
  expect(performance.now() - started).toBeLessThan(2_000);
});
