import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DrawableQuestion, drawPaper, seededRandom, shuffle } from './draw.ts';

const pool = (n: number, options = 4): DrawableQuestion[] =>
  Array.from({ length: n }, (_, i) => ({
    questionId: `q${i + 1}`,
    version: i + 1,
    optionIds: Array.from({ length: options }, (_, o) => o + 1),
  }));

const seeds = (n: number) => Array.from({ length: n }, (_, i) => `seed ${i}`);

/**
 * Pearson's statistic against equal shares. Seeds are fixed, so the tests are deterministic; a fair draw
 * exceeds the bounds very rarely.
 */
function chiSquared(counts: number[]): number {
  const expected = counts.reduce((sum, n) => sum + n, 0) / counts.length;
  return counts.reduce((sum, n) => sum + (n - expected) ** 2 / expected, 0);
}

describe('drawing a paper', () => {
  const draw = fc.record({
    questions: fc.integer({ min: 0, max: 40 }),
    options: fc.integer({ min: 2, max: 4 }),
    total: fc.integer({ min: 5, max: 100 }),
    seed: fc.string(),
  });

  it('draws totalQuestions different questions, or all if there are fewer', () => {
    fc.assert(
      fc.property(draw, ({ questions, options, total, seed }) => {
        const from = pool(questions, options);
        const paper = drawPaper(from, total, seed);
        expect(paper).toHaveLength(Math.min(questions, total));
        expect(new Set(paper.map((p) => p.questionId)).size).toBe(paper.length);
        expect(paper.map((p) => p.position)).toEqual(paper.map((_, i) => i + 1));
        for (const p of paper) {
          const source = from.find((q) => q.questionId === p.questionId);
          expect(p.version).toBe(source?.version);
          expect([...p.optionOrder].sort()).toEqual(source?.optionIds);
        }
      }),
    );
  });

  it('draws the same paper for the same seed, and does not modify the questions', () => {
    fc.assert(
      fc.property(draw, ({ questions, options, total, seed }) => {
        const from = pool(questions, options);
        expect(drawPaper(from, total, seed)).toEqual(drawPaper(from, total, seed));
        expect(from).toEqual(pool(questions, options));
      }),
    );
  });

  it('draws different papers for different seeds', () => {
    const papers = seeds(200).map((seed) => JSON.stringify(drawPaper(pool(20), 10, seed)));
    expect(new Set(papers).size).toBe(200);
  });

  it('draws every question equally often, and first equally often', () => {
    const questions = pool(12);
    const drawn = new Map(questions.map((q) => [q.questionId, 0]));
    const first = new Map(questions.map((q) => [q.questionId, 0]));
    for (const seed of seeds(6_000)) {
      const paper = drawPaper(questions, 5, seed);
      for (const p of paper) drawn.set(p.questionId, (drawn.get(p.questionId) ?? 0) + 1);
      const opener = paper[0]?.questionId ?? '';
      first.set(opener, (first.get(opener) ?? 0) + 1);
    }
    // 11 degrees of freedom: 31 has a probability of 0.001.
    expect(chiSquared([...drawn.values()])).toBeLessThan(31);
    expect(chiSquared([...first.values()])).toBeLessThan(31);
  });

  it('places the key at every position equally often', () => {
    const places = [0, 0, 0, 0];
    for (const seed of seeds(1_000)) {
      for (const p of drawPaper(pool(10), 10, seed)) {
        const place = p.optionOrder.indexOf(2);
        places[place] = (places[place] ?? 0) + 1;
      }
    }
    // 3 degrees of freedom: 16 has a probability of 0.001.
    expect(chiSquared(places)).toBeLessThan(16);
  });
});

describe('shuffling', () => {
  it('returns a permutation of its input', () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), fc.string(), (items, seed) => {
        const byValue = (a: number, b: number) => a - b;
        const shuffled = shuffle(items, seededRandom(seed));
        expect(shuffled.sort(byValue)).toEqual([...items].sort(byValue));
      }),
    );
  });

  it('produces all orders of four equally often', () => {
    const orders = new Map<string, number>();
    for (const seed of seeds(12_000)) {
      const order = shuffle('abcd'.split(''), seededRandom(seed)).join('');
      orders.set(order, (orders.get(order) ?? 0) + 1);
    }
    expect(orders.size).toBe(24);
    // 23 degrees of freedom: 50 has a probability of 0.001.
    expect(chiSquared([...orders.values()])).toBeLessThan(50);
  });

  it('depends on the seed alone, with numbers in [0, 1)', () => {
    fc.assert(
      fc.property(fc.string(), (seed) => {
        const [one, two] = [seededRandom(seed), seededRandom(seed)];
        for (let i = 0; i < 20; i += 1) {
          const value = one();
          expect(value).toBe(two());
          expect(value >= 0 && value < 1).toBe(true);
        }
      }),
    );
  });
});
