import { expect, it } from 'vitest';
import { whyNotDeleted } from './why-not-deleted.ts';

it('keeps the last administrator and your own account', () => {
  expect(whyNotDeleted('a', 'a', 1)).toBe('The last administrator cannot be deleted');
  expect(whyNotDeleted('a', 'a', 2)).toBe('You cannot delete your own account');
  expect(whyNotDeleted('b', 'a', 2)).toBeUndefined();
});
