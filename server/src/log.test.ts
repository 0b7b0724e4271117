import { expect, it } from 'vitest';
import { forPeople } from './log.ts';

const at = (level: number, more: Record<string, unknown>) =>
  JSON.stringify({ level, time: Date.now(), pid: 1, hostname: 'here', ...more });

it.each([
  [at(30, { msg: 'PostgreSQL is running', version: '18.4' }), 'PostgreSQL is running'],
  [at(40, { msg: 'slow', waited: 3 }), 'warning: slow {"waited":3}'],
  [at(50, { msg: 'it failed' }), 'error: it failed'],
])('writes %s for a person', (line, expected) => {
  expect(forPeople(line)).toMatch(/^\d\d:\d\d:\d\d [^\n]*\n$/);
  expect(forPeople(line).slice('00:00:00 '.length).trimEnd()).toBe(expected);
});

it('passes on what is no entry of the log', () => {
  expect(forPeople('null')).toBe('null');
});
