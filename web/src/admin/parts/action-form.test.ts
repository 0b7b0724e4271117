import { LIVE_LIMITS } from '@invigil/core/domain/limits';
import { expect, test } from 'vitest';
import { ActionIds } from '../data/actions.ts';
import {
  type ActionKind,
  NO_ACTION,
  OTHER_REASON,
  REASONS,
  validateAction,
} from './action-dialog.tsx';

const ID = '019a6f3e-7b1c-7d3a-9f2e-4c5d7f3a91c2';
const validate = (kind: ActionKind, change: Partial<typeof NO_ACTION>) =>
  validateAction(kind, [ID], { ...NO_ACTION, ...change });

test.each<[ActionKind, Partial<typeof NO_ACTION>, string[]]>([
  ['end', {}, ['reason']],
  ['end', { reason: OTHER_REASON }, ['otherReason']],
  ['end', { reason: OTHER_REASON, otherReason: ' ' }, ['otherReason']],
  ['message', { reason: 'technical', text: '  ' }, ['text']],
  ['message', { text: 'x'.repeat(1_001), reason: 'technical' }, ['text']],
  ['extend', { reason: 'technical' }, ['minutes']],
  ['extend', { reason: 'technical', minutes: '0' }, ['minutes']],
  ['extend', { reason: 'technical', minutes: '181' }, ['minutes']],
  ['extend', { reason: 'technical', minutes: '2.5' }, ['minutes']],
  ['extend', {}, ['minutes', 'reason']],
])('%s with %j is refused at %j', (kind, change, fields) => {
  const validated = validate(kind, change);
  expect(!validated.ok && Object.keys(validated.problems).sort()).toEqual(fields);
});

test('refuses a selection that is too large', () => {
  const ids = Array.from({ length: LIVE_LIMITS.actionMax + 1 }, () => ID);
  const validated = validateAction('end', ids, { ...NO_ACTION, reason: 'technical' });
  expect(validated).toEqual({ ok: false, problems: { ids: 'At most 1,000 at once' } });
});

test('keeps the id of a resent action, and changes it with any change', () => {
  const ids = new ActionIds();
  const body = { ids: [ID], action: { kind: 'extend' as const, minutes: 10 }, reason: 'r' };
  const first = ids.idFor(body);
  expect(ids.idFor({ ...body })).toBe(first);
  const more = ids.idFor({ ...body, action: { kind: 'extend', minutes: 15 } });
  expect(more).not.toBe(first);
  expect(ids.idFor(body)).not.toBe(more);
  expect(new ActionIds().idFor(body)).not.toBe(first);
});

test('a message needs no reason', () => {
  expect(validate('message', { text: 'Please close the window' })).toEqual({
    ok: true,
    body: { ids: [ID], action: { kind: 'message', text: 'Please close the window' } },
  });
});

test('sends a reason from the list or a typed one', () => {
  expect(validate('extend', { reason: 'interruption', minutes: ' 10 ' })).toEqual({
    ok: true,
    body: { ids: [ID], action: { kind: 'extend', minutes: 10 }, reason: REASONS.interruption() },
  });
  expect(validate('end', { reason: OTHER_REASON, otherReason: ' Power cut ' })).toEqual({
    ok: true,
    body: { ids: [ID], action: { kind: 'end' }, reason: 'Power cut' },
  });
});
