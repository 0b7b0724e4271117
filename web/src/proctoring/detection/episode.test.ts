import { expect, test } from 'vitest';
import { Episode } from './episode.ts';

const rule = { needs: 2, of: 3, cooldownMs: 10_000 };

/** The seconds at which it was told; `?` is a look that could not tell. */
function told(looks: string, everyMs = 1_000): number[] {
  const episode = new Episode(rule);
  return [...looks].flatMap((look, i) =>
    episode.look(look === '?' ? null : look === 'x', i * everyMs) ? [i] : [],
  );
}

test.each([
  ['one of three is not enough', 'x..x..x..', []],
  ['two of three are, also apart', 'x.x', [2]],
  ['it is told once while it goes on', 'xxxxxxxxxxxxxxxxxxxx', [1]],
  [
    'it ends after three looks without, and begins again after the cool-down',
    'xx...xxxxxxxxx',
    [1, 11],
  ],
  ['what cannot be told neither begins nor ends it', 'x??x????...', [3]],
])('%s', (_, looks, at) => {
  expect(told(looks)).toEqual(at);
});

test('what was seen before a gap is forgotten', () => {
  const episode = new Episode(rule);
  episode.look(true, 0);
  episode.forget();
  expect(episode.look(true, 1_000)).toBe(false);
  expect(episode.look(true, 2_000)).toBe(true);
});
