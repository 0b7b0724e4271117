import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DrawableQuestion, drawPaper, seededRandom, shuffle } from './draw.ts';
import { drawByPlan, type PoolQuestion, planDraw, qualifies, unmetRules } from './draw-by-rules.ts';
import type { Difficulty } from './question-definition.ts';
import type { DrawFilter, QuizStructure } from './quiz-structure.ts';

const pooled = (n: number, from: Partial<PoolQuestion> = {}): PoolQuestion => ({
  questionId: `q${n}`,
  version: 1,
  optionIds: [1, 2, 3, 4],
  tags: [],
  categoryId: null,
  difficulty: null,
  isArchived: false,
  ...from,
});
const rule = (count: number, ...tags: string[]) => ({ count, from: { tags } });
const structure = (...items: QuizStructure['sections'][number]['items']): QuizStructure => ({
  sections: [{ title: 'All', isShuffled: true, items }],
});
const ids = (plan: ReturnType<typeof planDraw>, seed: string) =>
  drawByPlan(plan, seed).paper.map((position) => position.questionId);

describe('drawing by rules', () => {
  it('draws the same paper for the same seed and others for others', () => {
    const pool = Array.from({ length: 500 }, (_, n) => pooled(n, { tags: ['a'] }));
    const plan = planDraw(structure(rule(20, 'a')), pool);
    expect(drawByPlan(plan, 'one')).toEqual(drawByPlan(plan, 'one'));
    const papers = new Set(Array.from({ length: 50 }, (_, i) => ids(plan, `s${i}`).join()));
    expect(papers.size).toBe(50);
  });

  it('gives each question about the same share of papers', () => {
    const pool = Array.from({ length: 100 }, (_, n) => pooled(n, { tags: ['a'] }));
    const plan = planDraw(structure(rule(10, 'a')), pool);
    const counts = new Map<string, number>();
    for (let i = 0; i < 5_000; i += 1) {
      for (const id of ids(plan, `s${i}`)) counts.set(id, (counts.get(id) ?? 0) + 1);
    }
    // 500 on average; six standard deviations of a binomial distribution are some 130.
    expect(Math.min(...counts.values())).toBeGreaterThan(370);
    expect(Math.max(...counts.values())).toBeLessThan(630);
  });

  it('meets every quota wherever that is possible, with no question twice', () => {
    const tag = fc.constantFrom('a', 'b', 'c', 'd');
    const pool = fc
      .array(fc.uniqueArray(tag, { maxLength: 3 }), { maxLength: 14 })
      .map((all) => all.map((tags, n) => pooled(n, { tags })));
    const rules = fc.array(
      fc.record({
        count: fc.integer({ min: 1, max: 4 }),
        tags: fc.uniqueArray(tag, { minLength: 1 }),
      }),
      { minLength: 1, maxLength: 4 },
    );
    fc.assert(
      fc.property(pool, rules, fc.string(), (questions, wanted, seed) => {
        const plan = planDraw(structure(...wanted.map((w) => rule(w.count, ...w.tags))), questions);
        const drawn = ids(plan, seed);
        expect(new Set(drawn).size).toBe(drawn.length);
        const most = wanted.reduce((sum, { count }) => sum + count, 0);
        expect(drawn.length === most).toBe(isFeasible(questions, wanted));
        expect(unmetRules(plan).length === 0).toBe(drawn.length === most);
      }),
      { numRuns: 300 },
    );
  });

  it('finds that far too many rules cannot be met, without recursion', () => {
    const pool = Array.from({ length: 10_000 }, (_, n) => pooled(n, { tags: ['a'] }));
    const rules = Array.from({ length: 120 }, () => rule(100, 'a'));
    expect(unmetRules(planDraw(structure(...rules), pool))).toHaveLength(20);
  });

  it('leaves a question with a fixed place to that place', () => {
    const pool = [pooled(1, { tags: ['a'] }), pooled(2, { tags: ['a'] })];
    const plan = planDraw(structure({ questionId: 'q1' }, rule(1, 'a')), pool);
    expect(ids(plan, 's').toSorted()).toEqual(['q1', 'q2']);
    const short = planDraw(structure({ questionId: 'q1' }, rule(2, 'a')), pool);
    expect(unmetRules(short)).toEqual([
      { path: 'sections.0.items.1', message: 'Only 1 of 2 questions qualify' },
    ]);
  });

  it('draws one of several questions with the same content, whichever rule it is for', () => {
    const pool = [
      pooled(1, { tags: ['a'], content: 'same' }),
      pooled(2, { tags: ['a', 'b'], content: 'same' }),
      pooled(3, { tags: ['b'], content: 'same' }),
      pooled(4, { tags: ['b'] }),
    ];
    const plan = planDraw(structure(rule(1, 'a'), rule(1, 'b')), pool);
    expect(plan.rules.map(({ qualified }) => qualified.map((q) => q.questionId))).toEqual([
      ['q1'],
      ['q2', 'q4'],
    ]);
    for (let i = 0; i < 50; i += 1) {
      expect(ids(plan, `s${i}`).toSorted()).toEqual(['q1', 'q4']);
    }
    expect(unmetRules(planDraw(structure(rule(3, 'b')), pool))).toHaveLength(1);
    expect(unmetRules(planDraw(structure({ questionId: 'q3' }, rule(1, 'a')), pool))).toEqual([
      { path: 'sections.0.items.1', message: 'Only 0 of 1 questions qualify' },
    ]);
  });

  it('says when rules take each other’s questions', () => {
    const pool = [1, 2, 3].map((n) => pooled(n, { tags: ['a', 'b'] }));
    const plan = planDraw(structure(rule(2, 'a'), rule(2, 'b')), pool);
    expect(unmetRules(plan)).toEqual([
      {
        path: 'sections.0.items.1',
        message: 'Other rules draw from the same questions: only 1 of 2 are left for this one',
      },
    ]);
  });

  it('keeps the order of sections, and of their questions unless they are shuffled', () => {
    const pool = Array.from({ length: 30 }, (_, n) => pooled(n, { tags: ['a'] }));
    const fixed = [3, 1, 2].map((n) => ({ questionId: `q${n}` }));
    const plan = planDraw(
      {
        sections: [
          { id: 'one', title: 'First', isShuffled: false, items: fixed },
          { title: 'Empty', isShuffled: false, items: [] },
          { title: 'Second', isShuffled: true, items: [rule(5, 'a')] },
        ],
      },
      pool,
    );
    for (const seed of ['1', '2', '3']) {
      const { paper, sections } = drawByPlan(plan, seed);
      expect(paper.slice(0, 3).map((p) => p.questionId)).toEqual(['q3', 'q1', 'q2']);
      expect(paper.map((p) => p.position)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
      expect(sections).toEqual([
        { id: 'one', title: 'First', first: 1 },
        { id: 'Second', title: 'Second', first: 4 },
      ]);
    }
  });

  it.each<[string, DrawFilter, boolean]>([
    ['one of the tags', { tags: ['x', 'a'] }, true],
    ['none of them', { tags: ['x'] }, false],
    ['its category', { categoryId: 'c' }, true],
    ['another one', { categoryId: 'd' }, false],
    ['its difficulty', { tags: ['a'], difficulties: ['easy', 'hard'] }, true],
    ['another one', { tags: ['a'], difficulties: ['medium'] }, false],
  ])('qualifies by %s', (_, filter, expected) => {
    const difficulty: Difficulty = 'hard';
    const question = pooled(1, { tags: ['a', 'b'], categoryId: 'c', difficulty });
    expect(qualifies(question, filter)).toBe(expected);
    expect(qualifies({ ...question, isArchived: true }, filter)).toBe(false);
  });
});

/** Hall's condition, tried for every set of rules: any of them together have enough questions. */
function isFeasible(
  pool: readonly PoolQuestion[],
  rules: readonly { count: number; tags: string[] }[],
): boolean {
  for (let set = 1; set < 2 ** rules.length; set += 1) {
    const some = rules.filter((_, i) => set & (1 << i));
    const enough = pool.filter((q) => some.some((r) => r.tags.some((t) => q.tags.includes(t))));
    if (enough.length < some.reduce((sum, { count }) => sum + count, 0)) return false;
  }
  return true;
}

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
