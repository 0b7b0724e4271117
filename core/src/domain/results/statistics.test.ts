import { inForm } from '@invigil/testkit/test-form';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../questions/draw.ts';
import {
  compareGroups,
  correlationOf,
  mantelHaenszel,
  medianOf,
  momentsOf,
  type Suspicion,
  statisticsOf,
  type TakenPaper,
  varianceOf,
} from './statistics.ts';

/** Everyone has the same questions, each worth one point and single choice with two options. */
const paper = (right: readonly number[], more: Partial<TakenPaper> = {}): TakenPaper => ({
  questions: right.map((_, i) => i),
  points: right,
  maxPoints: right.map(() => 1),
  selected: right.map((one) => (one > 0 ? 1 : 2)),
  ...more,
});
const TWO_OPTIONS = { options: 2, key: 1, isSingle: true };
const asked = (n: number) => Array.from({ length: n }, () => TWO_OPTIONS);
const of = (rows: readonly (readonly number[])[]) =>
  statisticsOf(
    rows.map((row) => paper(row)),
    asked(rows[0]?.length ?? 0),
  );

/**
 * Five questions of the Law School Admission Test, section 6, with 1,000 people: Bock and Lieberman,
 * Psychometrika 35 (1970), 179-197. How many have each pattern, from 00000 to 11111.
 */
const LSAT_6 = [
  ...[3, 6, 2, 11, 1, 1, 3, 4, 1, 8, 0, 16, 0, 3, 2, 15],
  ...[10, 29, 14, 81, 3, 28, 15, 80, 16, 56, 21, 173, 11, 61, 28, 298],
].flatMap((people, pattern) => {
  const right = Array.from({ length: 5 }, (_, i) => (pattern >> (4 - i)) & 1);
  return Array.from({ length: people }, () => right);
});

describe('statistics equal published values', () => {
  it('LSAT section 6: difficulty, reliability, correlations with the total', () => {
    const { test, questions } = of(LSAT_6);
    expect(LSAT_6).toHaveLength(1_000);
    expect(questions.map(({ facility }) => facility)).toEqual([0.924, 0.709, 0.553, 0.763, 0.87]);
    // The package ltm for R prints these with four decimals (descript(LSAT)).
    if (!('alpha' in test.reliability)) throw new Error('no reliability');
    const { kind, alpha, without } = test.reliability;
    expect(kind).toBe('kr20');
    expect(alpha).toBeCloseTo(0.295, 4);
    for (const [i, published] of [0.2754, 0.2376, 0.2168, 0.2459, 0.2663].entries()) {
      expect(without[i]).toBeCloseTo(published, 4);
    }
    for (const [i, published] of [0.1128, 0.1532, 0.1728, 0.1444, 0.1216].entries()) {
      expect(questions[i]?.itemRest).toBeCloseTo(published, 4);
    }
  });

  it('skewness and kurtosis: the examples of SKEW and KURT in the manual of Excel', () => {
    const { skewness, kurtosis } = momentsOf([3, 4, 5, 2, 3, 4, 5, 6, 4, 7]);
    expect(skewness).toBeCloseTo(0.359543071, 8);
    expect(kurtosis).toBeCloseTo(-0.151799637, 8);
  });

  it.each<[string, readonly number[], mean: number, sd: number]>([
    ['NumAcc1', [10_000_001, 10_000_003, 10_000_002], 10_000_002, 1],
    ['NumAcc2', [1.2, ...alternating(500, 1.1, 1.3)], 1.2, 0.1],
    ['NumAcc3', [1_000_000.2, ...alternating(500, 1_000_000.1, 1_000_000.3)], 1_000_000.2, 0.1],
    ['NumAcc4', [10_000_000.2, ...alternating(500, 10_000_000.1, 10_000_000.3)], 10_000_000.2, 0.1],
  ])('%s of the reference datasets of NIST: mean and deviation', (_, values, mean, sd) => {
    const found = momentsOf(values);
    expect(found.mean).toBeCloseTo(mean, 6);
    expect(found.sd).toBeCloseTo(sd, 6);
  });

  it('Mantel-Haenszel: the admissions to Berkeley by department, as R computes them', () => {
    // Bickel, Hammel and O'Connell, Science 187 (1975), 398-404: men admitted, rejected, women admitted,
    // rejected. mantelhaen.test(UCBAdmissions) prints 0.9046968, and 0.7719074 to 1.0603298.
    const found = mantelHaenszel([
      [512, 313, 89, 19],
      [353, 207, 17, 8],
      [120, 205, 202, 391],
      [138, 279, 131, 244],
      [53, 138, 94, 299],
      [22, 351, 24, 317],
    ]);
    expect(found?.odds).toBeCloseTo(0.9046968, 7);
    expect(found?.chiSquare).toBeCloseTo(1.4269, 4);
    expect(found?.class).toBe('A');
  });

  it('Mantel-Haenszel: where one group has all wrong, the odds are finite and the class is large', () => {
    // 50 of each group in each of two strata: chi-square with the continuity correction by hand.
    const strata = [
      [30, 20, 0, 50],
      [20, 30, 0, 50],
    ];
    const found = mantelHaenszel(strata);
    const variance = (50 * 50 * 30 * 70 + 50 * 50 * 20 * 80) / (100 * 100 * 99);
    expect(found?.chiSquare).toBeCloseTo((50 - 15 - 10 - 0.5) ** 2 / variance, 9);
    // Odds of the table with 0.5 added to each cell.
    const [r, s] = [30.5 * 50.5 + 20.5 * 50.5, 20.5 * 0.5 + 30.5 * 0.5];
    expect(found?.odds).toBeCloseTo(r / s, 9);
    expect(found?.class).toBe('C');
    const swapped = mantelHaenszel(strata.map(([a = 0, b = 0, c = 0, d = 0]) => [c, d, a, b]));
    expect(swapped?.delta).toBeCloseTo(-(found?.delta ?? 0), 9);
    expect(mantelHaenszel([[50, 0, 50, 0]])).toBeNull();
    // One person alone says nothing.
    expect(mantelHaenszel([...strata, [1, 0, 0, 0]])).toEqual(found);
  });

  function alternating(times: number, ...values: number[]): number[] {
    return Array.from({ length: times }, () => values).flat();
  }
});

describe('statistics of a whole', () => {
  it('are without a figure where none exists', () => {
    const none = { mean: null, median: null, sd: null, skewness: null, kurtosis: null };
    expect(statisticsOf([], asked(2)).test).toEqual({
      ...{ n: 0, ...none, reliability: { none: 'few' } },
    });
    expect(of([[1, 0]]).test).toMatchObject({ n: 1, mean: 50, sd: null, skewness: null });
    const allRight = of(Array.from({ length: 5 }, () => [1, 1, 1]));
    expect(allRight.test).toMatchObject({
      sd: 0,
      skewness: null,
      reliability: { none: 'variance' },
    });
    expect(allRight.questions[0]).toMatchObject({
      ...{ facility: 1, sd: 0, itemRest: null, discrimination: 0, effectiveWeight: null },
    });
    expect(of([[1], [0]]).test.reliability).toEqual({ none: 'questions' });
    const leftOut = statisticsOf([paper([1, 0], { maxPoints: [0, 0] })], asked(2));
    expect(leftOut.test.n).toBe(0);
    expect(leftOut.questions[0]).toMatchObject({ n: 0, facility: null, suspicions: [] });
  });

  it('say that papers with different questions have no reliability, and use those who had each', () => {
    const papers = [
      paper([1, 0], { questions: [0, 1] }),
      paper([1, 1], { questions: [0, 2] }),
      paper([0, 0], { questions: [2, 1] }),
    ];
    const { test, questions } = statisticsOf(papers, asked(3));
    expect(test.reliability).toEqual({ none: 'papers' });
    expect(questions.map(({ n, facility }) => [n, facility])).toEqual([
      [2, 1],
      [2, 0],
      [2, 0.5],
    ]);
    expect(questions[0]?.effectiveWeight).toBeNull();
    // The same questions in another order are the same paper.
    const shuffled = [paper([1, 0]), paper([0, 1], { questions: [1, 0] }), paper([1, 1])];
    expect(statisticsOf(shuffled, asked(2)).test.reliability).toMatchObject({ kind: 'kr20' });
    const worth = [paper([1, 0]), paper([1, 0], { maxPoints: [1, 2] })];
    expect(statisticsOf(worth, asked(2)).test.reliability).toEqual({ none: 'papers' });
  });

  it('have the reliability of what everyone had, where papers have other questions beside it', () => {
    // Four questions for all, in any order, and one of two drawn ones.
    const fixed = LSAT_6.slice(0, 900)
      .filter((_, i) => i % 9 === 0)
      .map((row) => row.slice(0, 4));
    const papers = fixed.map((row, i) =>
      paper([i % 3 === 0 ? 1 : 0, ...row.toReversed()], {
        questions: [4 + (i % 2), 3, 2, 1, 0],
        maxPoints: [3, 1, 1, 1, 1],
      }),
    );
    const { test, questions } = statisticsOf(papers, asked(6));
    const common = of(fixed).test.reliability;
    if (!('alpha' in common) || !('alpha' in test.reliability)) throw new Error('no reliability');
    const { without, ...whole } = test.reliability;
    expect(whole).toMatchObject({ common: 4, kind: 'kr20' });
    expect(whole.alpha).toBeCloseTo(common.alpha, 12);
    expect(whole.sem).toBeCloseTo(common.sem, 12);
    for (const [i, expected] of common.without.entries()) {
      expect(without[i]).toBeCloseTo(expected ?? 0, 12);
    }
    expect(without.slice(4)).toEqual([null, null]);
    // The weight of a question is in the whole paper, which differs.
    expect(questions.map(({ effectiveWeight }) => effectiveWeight)).toEqual(Array(6).fill(null));
    expect(common).not.toHaveProperty('common');
  });

  it('count weights and parts of points, and negative marks', () => {
    const weighted = [
      [4, 0.5, 1],
      [2, 1, 0],
      [0, 0.5, -0.25],
      [4, 1, 1],
    ].map((points) => paper(points, { maxPoints: [4, 1, 1] }));
    const { test, questions } = statisticsOf(weighted, asked(3));
    expect(test.reliability).toMatchObject({ kind: 'alpha' });
    expect(questions[0]?.facility).toBe(10 / 16);
    expect(questions[2]?.facility).toBeCloseTo(1.75 / 4, 12);
    const weights = questions.reduce((sum, { effectiveWeight }) => sum + (effectiveWeight ?? 0), 0);
    expect(weights).toBeCloseTo(1, 12);
    // No one has less than nothing, as in their result.
    const { test: floored } = statisticsOf([paper([-1, -1]), paper([1, 1])], asked(2));
    expect([floored.mean, floored.median]).toEqual([50, 50]);
  });
});

describe('points that other systems export in thirds', () => {
  /** Three times 33.33333 percent. */
  const NEARLY = 0.999_999_9;

  it('are full points where people are compared, and are added up as they are', () => {
    const rows = [
      [NEARLY, 0, 1, 1],
      [0, 1, 1, 1],
      [NEARLY, 1, 0, 0],
      [1, NEARLY, 1, 0],
    ];
    const whole = rows.map((row) => row.map(Math.round));
    const [nearly, exact] = [of(rows), of(whole)];
    expect(nearly.test.reliability).toMatchObject({ kind: 'kr20' });
    // People with equal totals share what is at a bound.
    for (const [i, question] of nearly.questions.entries()) {
      expect(question.discrimination).toBeCloseTo(exact.questions[i]?.discrimination ?? 0, 6);
      expect(question.options).toMatchObject(
        (exact.questions[i]?.options ?? []).map(({ byAbility }) => ({ byAbility })),
      );
    }
    expect(nearly.questions[0]?.facility).toBe((2 * NEARLY + 1) / 4);
    const groups = (points: number[][]) =>
      Array.from({ length: 240 }, (_, i) =>
        paper(points[i % 4] ?? [], { group: i % 8 < 3 ? 'a' : 'b' }),
      );
    const [ofNearly, ofExact] = [rows, whole].map((points) =>
      compareGroups(groups(points), 4, ['a', 'b']),
    );
    expect(ofNearly).toEqual(ofExact);
  });
});

describe('statistics of a question', () => {
  it('tell blank answers from those not reached', () => {
    const { questions } = statisticsOf(
      [
        paper([1, 0, 0, 0], { selected: [1, 0, 2, 0] }),
        paper([0, 0, 0, 0], { selected: [0, 0, 0, 0] }),
        paper([1, 1, 1, 1]),
      ],
      asked(4),
    );
    expect(questions.map(({ omitted, notReached }) => [omitted, notReached])).toEqual([
      [0, 1],
      [1, 1],
      [0, 1],
      [0, 2],
    ]);
  });

  it('have the shares of options by fifths of ability', () => {
    // Ten people by ability; the strongest two select the second option of question 0.
    const rows = Array.from({ length: 10 }, (_, person) =>
      paper([person < 8 ? 0 : 1, ...Array.from({ length: 9 }, (__, i) => (i < person ? 1 : 0))], {
        selected: [
          person < 8 ? 1 : 2,
          ...Array.from({ length: 9 }, (__, i) => (i < person ? 1 : 2)),
        ],
      }),
    );
    const [first] = statisticsOf(rows, [
      { options: 2, key: 2, isSingle: true },
      ...asked(9),
    ]).questions;
    expect(first?.options[1]).toMatchObject({ isKey: true, share: 0.2, chosen: 2 });
    expect(first?.options[1]?.byAbility).toEqual([0, 0, 0, 0, 1]);
    expect(first?.options[0]?.byAbility).toEqual([1, 1, 1, 1, 0]);
    expect(first?.discrimination).toBeCloseTo(2 / 2.7, 12);
  });

  it('point at a key that is likely wrong, and at what separates no one', () => {
    // Twenty questions; of the first, the strong half select the second option and the key is the first.
    const people = Array.from({ length: 40 }, (_, person) => {
      const isStrong = person >= 20;
      const others = Array.from({ length: 19 }, (__, i) =>
        (person * 7 + i) % 40 < person ? 1 : 0,
      );
      const chance = person % 2;
      return paper([isStrong ? 0 : 1, chance, ...others], {
        selected: [isStrong ? 2 : 1, chance === 1 ? 1 : 2, ...others.map((one) => (one ? 1 : 2))],
      });
    });
    const { questions } = statisticsOf(people, asked(21));
    expect(questions[0]?.suspicions).toEqual(['key', 'flat']);
    expect(questions[1]?.suspicions).toEqual(['flat']);
    expect(statisticsOf(people.slice(0, 9), asked(21)).questions[0]?.suspicions).toEqual([]);
    const all = statisticsOf(
      Array.from({ length: 20 }, (_, i) => paper([1, 0, i % 2])),
      asked(3),
    );
    expect(all.questions.map(({ suspicions }) => suspicions)).toEqual([['easy'], ['hard'], []]);
  });
});

describe('a mark needs evidence, whatever the number of people', () => {
  const FOUR_OPTIONS = { options: 4, key: 1, isSingle: true };
  /** Question 0 with options by person, beside 19 questions of which each person has so many right. */
  const beside = (selected: readonly number[], right: (person: number) => number) =>
    statisticsOf(
      selected.map((option, person) => {
        const others = Array.from({ length: 19 }, (_, i) => (i < right(person) ? 1 : 0));
        const points = [option === 0 ? 1 : 0, ...others];
        return paper(points, { selected: [1 << option, ...others.map((one) => (one ? 1 : 2))] });
      }),
      [FOUR_OPTIONS, ...asked(19)],
    ).questions[0];

  it('finds a wrong key in a class of 25, before it says "too hard"', () => {
    // The better 16 of 25 select the second option, and 3 of the others the key.
    const selected = Array.from({ length: 25 }, (_, i) => (i >= 9 ? 1 : i % 3 === 1 ? 0 : 2));
    const found = beside(selected, (person) => 4 + person / 2);
    expect(found?.options.map(({ chosen }) => chosen)).toEqual([3, 16, 6, 0]);
    expect(found?.options[1]?.correlation).toBeCloseTo(0.83, 1);
    expect(found?.suspicions).toEqual(['key', 'hard', 'flat']);
  });

  it.each<[string, number, string[]]>([
    ['10 people, of whom the better half selects another option', 10, ['key', 'flat']],
    ['9 people: no marks at all', 9, []],
  ])('%s', (_, n, suspicions) => {
    const found = beside(
      Array.from({ length: n }, (__, i) => (i >= n / 2 ? 1 : 0)),
      (person) => 5 + person,
    );
    expect(found?.suspicions).toEqual(suspicions);
  });

  it('does not take for a wrong key, or for flat, what chance gives a few people', () => {
    // 25 people, of whom 6 select another option, 4 of them in the better half.
    const others = [3, 8, 15, 18, 20, 22];
    const selected = Array.from({ length: 25 }, (_, i) =>
      others.includes(i) ? 1 : i % 3 === 0 ? 0 : 2,
    );
    const found = beside(selected, (person) => 4 + person / 2);
    const [key, other] = found?.options ?? [];
    expect(other?.correlation).toBeGreaterThan(Math.max(0.1, key?.correlation ?? 1));
    expect(found?.itemRest).toBeLessThan(0.1);
    expect(found?.suspicions).toEqual([]);
  });

  /*
   * Exams of twenty questions with four options. Eighteen are good: the chance of a right answer grows with the
   * ability (three parameters: guessing 0.15, slopes 1 to 2.4, difficulties -1.5 to 1.5), and wrong options are
   * selected whatever the ability. One measures nothing: 40 percent have it right. Of one, a wrong option is the key.
   */
  const EXAMS = inForm({ short: 100, long: 2_000 });
  const [NOTHING, WRONG_KEY] = [18, 19];
  /** Percent of questions marked, in 2,000 exams: docs/statistics.md, "How often marks are right". */
  const MEASURED = [
    {
      n: 10,
      good: { key: 0.2, flat: 2.2 },
      nothing: { key: 1.2, flat: 20 },
      wrong: { key: 29.6, any: 90.5 },
    },
    {
      n: 25,
      good: { key: 0.3, flat: 2.1 },
      nothing: { key: 12.5, flat: 42.6 },
      wrong: { key: 69.7, any: 96.4 },
    },
    {
      n: 30,
      good: { key: 0.2, flat: 2.1 },
      nothing: { key: 16, flat: 49.8 },
      wrong: { key: 76.5, any: 97.4 },
    },
    {
      n: 100,
      good: { key: 0.01, flat: 0.7 },
      nothing: { key: 18.8, flat: 84.3 },
      wrong: { key: 97.2, any: 99.95 },
    },
  ];

  /** The marks of the questions of an exam that so many people took. */
  function marksOf(n: number, random: () => number) {
    const among = (from: number, to: number) => from + (to - from) * random();
    const items = Array.from({ length: 20 }, () => ({ a: among(1, 2.4), b: among(-1.5, 1.5) }));
    const keyOf = (item: number) => (item === WRONG_KEY ? 2 : 0);
    const papers = Array.from({ length: n }, () => {
      // The sum of twelve is as good as normal.
      const ability = Array.from({ length: 12 }, random).reduce((sum, one) => sum + one, -6);
      const selected = items.map(({ a, b }, i) => {
        const chance = i === NOTHING ? 0.4 : 0.15 + 0.85 / (1 + Math.exp(-a * (ability - b)));
        if (random() < chance) return 0;
        const wrong = random();
        return wrong < 0.5 ? 1 : wrong < 0.8 ? 2 : 3;
      });
      const points = selected.map((option, i) => (option === keyOf(i) ? 1 : 0));
      return paper(points, { selected: selected.map((option) => 1 << option) });
    });
    const of = items.map((_, i) => ({ ...FOUR_OPTIONS, key: 1 << keyOf(i) }));
    return statisticsOf(papers, of).questions.map(({ suspicions }) => suspicions);
  }

  it.each(MEASURED)('marks as often as measured: $n people', ({ n, ...measured }) => {
    const random = seededRandom(`marks of ${n}`);
    const counts = {
      good: { key: 0, flat: 0 },
      nothing: { key: 0, flat: 0 },
      wrong: { key: 0, any: 0 },
    };
    for (let exam = 0; exam < EXAMS; exam += 1) {
      for (const [i, marks] of marksOf(n, random).entries()) {
        const has = (mark: Suspicion) => Number(marks.includes(mark));
        if (i === WRONG_KEY) {
          counts.wrong.key += has('key');
          counts.wrong.any += Math.sign(marks.length);
          continue;
        }
        const of = i === NOTHING ? counts.nothing : counts.good;
        of.key += has('key');
        of.flat += has('flat');
      }
    }
    for (const [kind, figures] of Object.entries(measured)) {
      const questions = EXAMS * (kind === 'good' ? 18 : 1);
      for (const [mark, percent] of Object.entries(figures)) {
        const found = new Map(Object.entries(counts[kind as 'good'])).get(mark) ?? 0;
        const share = percent / 100;
        const error = Math.sqrt((share * (1 - share)) / questions) + 1 / questions;
        expect(Math.abs(found / questions - share), `${kind}, ${mark}`).toBeLessThan(4 * error);
      }
    }
  });
});

it('the time of a question is the median of those of whom it was measured', () => {
  const times = [[30], undefined, [10], [0], [50], [20]];
  const [first] = statisticsOf(
    times.map((seconds) => paper([1], { seconds })),
    asked(1),
  ).questions;
  expect(first?.medianSeconds).toBe(25);
});

it('a median is the middle, or the mean of the two in the middle', () => {
  expect(medianOf([30, 10, 50, 20])).toBe(25);
  expect(medianOf([30, 10, 50])).toBe(30);
  expect(medianOf([])).toBeNull();
});

describe('in general', () => {
  const anyRows = fc
    .tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 0, max: 30 }))
    .chain(([questions, people]) =>
      fc.array(
        fc.array(fc.integer({ min: 0, max: 3 }), { minLength: questions, maxLength: questions }),
        {
          minLength: people,
          maxLength: people,
        },
      ),
    );
  const ofThree = (rows: readonly (readonly number[])[], order?: readonly number[]) => {
    const length = rows[0]?.length ?? 0;
    const places = order ?? Array.from({ length }, (_, i) => i);
    return statisticsOf(
      rows.map((row) => ({
        questions: places,
        points: places.map((place) => row[place] ?? 0),
        maxPoints: places.map(() => 3),
        selected: places.map((place) => row[place] ?? 0),
      })),
      Array.from({ length }, () => ({ options: 2, key: 3, isSingle: false })),
    );
  };
  /** The same but for the last digits of numbers: sums in another order differ there, at every rounding. */
  function near(value: unknown): unknown {
    if (typeof value === 'number') return expect.closeTo(value, 8);
    if (Array.isArray(value)) return value.map(near);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, near(one)]));
  }

  it('the order of people changes nothing', () => {
    fc.assert(
      fc.property(anyRows, fc.infiniteStream(fc.nat(1_000)), (rows, random) => {
        const shuffled = rows
          .map((row) => [random.next().value ?? 0, row] as const)
          .toSorted(([a], [b]) => a - b)
          .map(([, row]) => row);
        expect(ofThree(shuffled)).toEqual(near(ofThree(rows)));
      }),
    );
  });

  it('the order of questions changes only theirs, and joining groups adds up', () => {
    fc.assert(
      fc.property(anyRows, anyRows, (rows, others) => {
        const { length } = rows[0] ?? [];
        const reversed = Array.from({ length }, (_, i) => length - 1 - i);
        const [one, two] = [ofThree(rows), ofThree(rows, reversed)];
        // Whether a blank answer at the end of a paper is omitted or not reached depends on the order.
        const still = ({ test, questions }: typeof one) => ({
          test,
          questions: questions.map(({ omitted, notReached, ...rest }) => ({
            ...rest,
            blank: omitted + notReached,
          })),
        });
        expect(still(two)).toEqual(near(still(one)));
        const fitting = others.filter((row) => row.length === length);
        const joined = ofThree([...rows, ...fitting]);
        const second = ofThree(fitting);
        for (const [i, question] of joined.questions.entries()) {
          const [a, b] = [one.questions[i], second.questions[i]];
          expect(question.n).toBe((a?.n ?? 0) + (b?.n ?? 0));
          const chosen = (of: typeof a) => of?.options.map((option) => option.chosen) ?? [0, 0];
          expect(chosen(question)).toEqual(chosen(a).map((n, at) => n + (chosen(b)[at] ?? 0)));
        }
      }),
    );
  });

  it('a question that everyone has right has no discrimination', () => {
    fc.assert(
      fc.property(anyRows, (rows) => {
        const { questions } = ofThree(rows.map((row) => [3, ...row]));
        const [first] = questions;
        if (!first || first.n < 2) return;
        expect(first).toMatchObject({ facility: 1, itemRest: null });
        expect(first.discrimination).toBeCloseTo(0, 12);
      }),
    );
  });

  it('a correlation is from -1 to 1, and the same both ways', () => {
    const values = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { maxLength: 20 });
    fc.assert(
      fc.property(values, values, (xs, ys) => {
        const n = Math.min(xs.length, ys.length);
        const [x, y] = [xs.slice(0, n), ys.slice(0, n)];
        const both = [Float64Array.from(x), Float64Array.from(y)] as const;
        const r = correlationOf(...both);
        if (r === null) return;
        expect(Math.abs(r)).toBeLessThanOrEqual(1);
        expect(correlationOf(both[1], both[0])).toBeCloseTo(r, 9);
        expect(varianceOf(x)).toBeGreaterThan(0);
      }),
    );
  });
});

describe('a comparison of two groups', () => {
  const many = (group: string, n: number, right: (i: number) => number[]) =>
    Array.from({ length: n }, (_, i) => paper(right(i), { group }));

  it('needs 50 of each', () => {
    const right = (i: number) => [i % 2, i % 3 === 0 ? 1 : 0];
    const papers = [...many('a', 50, right), ...many('b', 49, right)];
    expect(compareGroups(papers, 2, ['a', 'b'])).toEqual([null, null]);
    expect(compareGroups([...papers, ...many('b', 1, right)], 2, ['a', 'b'])).not.toContain(null);
  });

  it('finds a question that is harder for one of them, and no other', () => {
    /** Answers that are right more often the higher the number of the person; the same in every run. */
    const others = (i: number) =>
      Array.from({ length: 24 }, (_, q) => ((i * 7_919 + q * 104_729) % 97 < 20 + i / 3 ? 1 : 0));
    const of = (i: number, isHard: boolean) => [(i % 4 === 0) === isHard ? 1 : 0, ...others(i)];
    const papers = [
      ...many('a', 140, (i) => of(i, false)),
      ...many('b', 140, (i) => of(i, true)),
      ...many('c', 140, (i) => of(i, true)),
    ];
    const [first, ...rest] = compareGroups(papers, 25, ['a', 'b']);
    expect(first).toMatchObject({ class: 'C' });
    expect(first?.odds).toBeGreaterThan(5);
    const [swapped] = compareGroups(papers, 25, ['b', 'a']);
    expect(swapped?.delta).toBeCloseTo(-(first?.delta ?? 0), 9);
    expect(rest.filter((one) => one?.class === 'C')).toEqual([]);
  });
});
