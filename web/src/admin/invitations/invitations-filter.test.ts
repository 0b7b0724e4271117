import { expect, test } from 'vitest';
import { addressOfInvitations, invitationsFilterFrom } from './invitations-api.ts';

test('stores differences from the default view in the URL and reads them back', () => {
  const filter = { state: 'failed', search: 'a&b', page: 3 } as const;
  expect(invitationsFilterFrom(addressOfInvitations(filter))).toEqual(filter);
  expect(addressOfInvitations({ state: null, search: '', page: 1 }).toString()).toBe('');
});

test('ignores invalid values in the URL', () => {
  const address = new URLSearchParams({ state: 'lost', page: '-1', search: 'x'.repeat(321) });
  expect(invitationsFilterFrom(address)).toEqual({ state: null, search: '', page: 1 });
});
