import { expect, test, vi } from 'vitest';
import { evaluateOutput } from './fail-on-console.ts';

test('unexpected output fails the test and is shown', () => {
  console.error('lost connection', { attempt: 3 });
  expect(() => evaluateOutput()).toThrow(
    'Unexpected console.error: lost connection { attempt: 3 }',
  );
  console.log('one');
  console.warn('two');
  expect(() => evaluateOutput()).toThrow('console.log: one\nUnexpected console.warn: two');
  expect(() => evaluateOutput()).not.toThrow();
});

test('expected output does not fail the test', () => {
  const spy = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  console.warn('as expected');
  expect(spy).toHaveBeenCalledOnce();
  expect(() => evaluateOutput()).not.toThrow();
});
