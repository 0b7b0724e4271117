import { expect, test } from 'vitest';
import { addressOfInvitations, invitationsFilterFrom } from './invitations-filter.ts';

test('the address holds what differs from the ordinary view, and gives it back', () => {
  const filter = { state: 'failed', search: 'a&b', page: 3 } as const;
  expect(invitationsFilterFrom(addressOfInvitations(filter))).toEqual(filter);
  expect(addressOfInvitations({ state: null, search: '', page: 1 }).toString()).toBe('');
});

test('what makes no sense in the address is as if it were absent', () => {
  const address = new URLSearchParams({ state: 'lost', page: '-1', search: 'x'.repeat(321) });
  expect(invitationsFilterFrom(address)).toEqual({ state: null, search: '', page: 1 });
});
