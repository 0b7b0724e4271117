import { expect, it } from 'vitest';
import { formatBytes } from './system-card.tsx';

it('formats a size in a readable unit', () => {
  expect(formatBytes(512)).toBe('512 bytes');
  expect(formatBytes(9.4 * 1024 * 1024)).toBe('9.4 MiB');
  expect(formatBytes(120 * 1024 ** 3)).toBe('120 GiB');
});

import { whyNotDeleted } from './administrators/admins-card.tsx';

it('keeps the last administrator and your own account', () => {
  expect(whyNotDeleted('a', 'a', 1)).toBe('The last administrator cannot be deleted');
  expect(whyNotDeleted('a', 'a', 2)).toBe('You cannot delete your own account');
  expect(whyNotDeleted('b', 'a', 2)).toBeUndefined();
});
