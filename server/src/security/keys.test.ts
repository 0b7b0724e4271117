import type { KeyObject } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { deriveKeys } from './keys.ts';

const SECRET = 'a secret for tests that nobody else uses';

const hexOf = (key: Buffer | KeyObject) =>
  (Buffer.isBuffer(key) ? key : key.export()).toString('hex');
const allOf = (secret: string) => Object.values(deriveKeys(secret)).map(hexOf);

describe('the keys of an installation', () => {
  it('are the same at every start', () => {
    expect(allOf(SECRET)).toEqual(allOf(SECRET));
  });

  it('differ with another secret, and for each purpose', () => {
    const all = [...allOf(SECRET), ...allOf(`${SECRET}.`)];
    expect(new Set(all).size).toBe(all.length);
    for (const key of all) expect(key).toHaveLength(64);
  });

  // Everything stored depends on them: a change here locks every installation out of its data.
  it.each([
    ['codes', 'a0af292a5b079c200af4d720d1ed34673f2bb5682c1c194608384a059885e412'],
    ['recovery', '7d701102123bc90757e7cd9e78e9a34acc09b3ecbfdc0383fa1b180dd3ae16ee'],
    ['sessions', '4fd68e2e6ab96d57da6478a79885430948a170a6cafc314420a25b0fd0f7d916'],
    ['throttle', '3560841b9295525425dfc7d0ad092334f6b7092babadd705e5ed04ab12531421'],
    ['receipts', 'c45bdf8a27765dce45dfc3d1aae1bf7530fc51960f017010b28013d4bf5f1a6d'],
    ['audit', '2ea81b3b18da309eb0b077368bd901d45ebdadca8ba9e501986047cdb6204967'],
    ['backup', 'ba2943461143dace2e50db932621d8fdf22c9e56dbac2fb8e45ac9dc3ddfc2d4'],
    ['integrity', '980c8acc67ec364c1d812dee3525ba14c1dded955f6ec148c5d16aab999aa937'],
    ['sealing', '52849e7ec480a28e3f32b61f4a93e4ba77e48c415ea9f48cd29d2331001bf869'],
  ] as const)('are never changed by a new version: %s', (purpose, key) => {
    expect(hexOf(deriveKeys(SECRET)[purpose])).toBe(key);
  });
});
