import { expect, it } from 'vitest';
import { formatBytes } from './format-bytes.ts';

it('formats a size in a readable unit', () => {
  expect(formatBytes(512)).toBe('512 bytes');
  expect(formatBytes(9.4 * 1024 * 1024)).toBe('9.4 MiB');
  expect(formatBytes(120 * 1024 ** 3)).toBe('120 GiB');
});
