import { expect, test } from 'vitest';
import { addressProblem } from './public-address.ts';

test.each([
  ['http://localhost:3000', 'local'],
  ['https://localhost', 'local'],
  ['http://127.0.0.1:3000', 'local'],
  ['http://[::1]:3000', 'local'],
  ['http://exams.example.org', 'not_https'],
  ['http://localhost.example.org', 'not_https'],
  ['https://exams.example.org', null],
  ['https://exams.example.org:8443', null],
])('the address %s: %s', (address, problem) => {
  expect(addressProblem(address)).toBe(problem);
});
