import { expect, test, vi } from 'vitest';
import { evaluateOutput } from './fail-on-console.ts';

test('output that no test expected fails it, and says what it was', () => {
  console.error('lost connection', { attempt: 3 });
  expect(() => evaluateOutput()).toThrow(
    'Unexpected console.error: lost connection { attempt: 3 }',
  );
  console.log('one');
  console.warn('two');
  expect(() => evaluateOutput()).toThrow('console.log: one\nUnexpected console.warn: two');
  expect(() => evaluateOutput()).not.toThrow();
});

test('output that a test expected does not', () => {
  const spy = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  console.warn('as expected');
  expect(spy).toHaveBeenCalledOnce();
  expect(() => evaluateOutput()).not.toThrow();
});
