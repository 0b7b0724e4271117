import { expect, test } from 'vitest';
import { Episode } from './face-debouncer.ts';

const rule = { needs: 2, of: 3, cooldownMs: 10_000 };

/** The seconds at which an episode began; `?` is an inconclusive sample. */
function begins(samples: string, everyMs = 1_000): number[] {
  const episode = new Episode(rule);
  return [...samples].flatMap((sample, i) =>
    episode.add(sample === '?' ? null : sample === 'x', i * everyMs) ? [i] : [],
  );
}

test.each([
  ['does not begin with one of three samples', 'x..x..x..', []],
  ['begins with two of three samples, adjacent or not', 'x.x', [2]],
  ['begins once while it lasts', 'xxxxxxxxxxxxxxxxxxxx', [1]],
  [
    'ends after three negative samples and begins again after the cool-down',
    'xx...xxxxxxxxx',
    [1, 11],
  ],
  ['ignores inconclusive samples', 'x??x????...', [3]],
])('%s', (_, samples, at) => {
  expect(begins(samples)).toEqual(at);
});

test('drops the samples before a gap', () => {
  const episode = new Episode(rule);
  episode.add(true, 0);
  episode.forget();
  expect(episode.add(true, 1_000)).toBe(false);
  expect(episode.add(true, 2_000)).toBe(true);
});
