import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { rowTexts } from './answer-rows.ts';
import { orderOptions, seededRandom } from './draw.ts';
import { definitionKey } from './equal-questions.ts';
import { listOf } from './given-answer.ts';
import { furtherAnswers, inPairs, optionsOfPairs } from './matching-options.ts';
import type { QuestionDefinition } from './question-definition.ts';
import {
  definitionOf,
  drawableOf,
  keyFor,
  matchOptions,
  optionsToConfirm,
  type VersionContent,
  versionOf,
} from './question-versions.ts';
import { pointsOf, scorePaper } from './scoring.ts';
import { acceptedText, isDraft, TYPES } from './types/question-types.ts';
import { validateDefinition } from './validate-definition.ts';

const PAIRS = [
  { item: 'France', answer: 'Paris' },
  { item: 'Spain', answer: 'Madrid' },
  { item: 'Italy', answer: 'Rome' },
];

function matching(change: Partial<QuestionDefinition> = {}): QuestionDefinition {
  return {
    type: 'matching',
    format: 'plain',
    question: 'Which capital?',
    options: optionsOfPairs(PAIRS, ['Lisbon']),
    points: 3,
    rule: 'per_option',
    ...change,
  };
}

function ordering(
  texts: readonly string[],
  change: Partial<QuestionDefinition> = {},
): QuestionDefinition {
  const options = texts.map((text) => ({ text, isCorrect: false }));
  return { ...matching(), type: 'ordering', question: 'In order?', options, ...change };
}

const idsOf = (content: VersionContent, texts: readonly string[]) =>
  texts.map((text) => content.optionIds[content.optionTexts.indexOf(text)] ?? 0);

function scoreOf(definition: QuestionDefinition, texts: readonly string[], negative = 0) {
  const { content } = versionOf(definition);
  const marks = negative === 0 ? null : { percent: negative, floor: 'total' as const };
  const answer = { questionId: 'q', ...listOf(idsOf(content, texts)) };
  const [scored] = scorePaper([{ questionId: 'q', ...content }], [answer], marks).questions;
  return pointsOf(scored?.points ?? Number.NaN);
}

describe('the points of a matching question for 3 points', () => {
  it.each<[string, string[], number, number]>([
    ['all right', ['Paris', 'Madrid', 'Rome'], 3, 3],
    ['two swapped', ['Madrid', 'Paris', 'Rome'], 1, 0],
    ['one left open', ['Paris', '', 'Rome'], 2, 0],
    ['one answer for all', ['Rome', 'Rome', 'Rome'], 1, 0],
    ['none right', ['Lisbon', 'Lisbon', ''], 0, 0],
    ['blank', ['', '', ''], 0, 0],
  ])('%s', (_, answer, perItem, whole) => {
    expect(scoreOf(matching(), answer)).toBe(perItem);
    expect(scoreOf(matching({ rule: 'all_or_nothing' }), answer)).toBe(whole);
  });

  it('are taken off once, only for an answer without a right row, or not right as a whole', () => {
    expect(scoreOf(matching(), ['Lisbon', 'Paris', ''], 50)).toBe(-1.5);
    expect(scoreOf(matching(), ['Paris', 'Paris', 'Paris'], 50)).toBe(1);
    expect(scoreOf(matching({ rule: 'all_or_nothing' }), ['Paris', 'Madrid', ''], 50)).toBe(-1.5);
    expect(scoreOf(matching(), ['', '', ''], 50)).toBe(0);
  });
});

it.each<[string, number, number]>([
  ['abcd', 4, 4],
  ['abdc', 2, 0],
  ['bcda', 0, 0],
  ['dbca', 2, 0],
])('an ordering of 4 points given as %s', (given, perItem, whole) => {
  const by = (rule: QuestionDefinition['rule']) =>
    scoreOf(ordering([...'abcd'], { points: 4, rule }), [...given]);
  expect([by('per_option'), by('all_or_nothing')]).toEqual([perItem, whole]);
});

/** Definitions of both types with an answer, and how many of its rows are right, counted as one would by hand. */
const answered = fc
  .record({
    isOrder: fc.boolean(),
    texts: fc.uniqueArray(
      fc.string({ minLength: 1, maxLength: 8 }).map((s) => `t${s.trim()}`),
      {
        minLength: 4,
        maxLength: 13,
      },
    ),
    picks: fc.array(fc.nat(), { minLength: 26, maxLength: 26 }),
    cents: fc.integer({ min: 25, max: 10_000 }),
  })
  .map(({ isOrder, texts, picks, cents }) => {
    const points = cents / 100;
    if (isOrder) {
      const given = texts
        .map((text, i) => ({ text, by: picks[i] ?? 0 }))
        .sort((a, b) => a.by - b.by)
        .map(({ text }) => text);
      const right = texts.filter((text, i) => given[i] === text).length;
      return { definition: ordering(texts, { points }), given, right, of: texts.length };
    }
    const half = Math.floor(texts.length / 2);
    const [items, answers] = [texts.slice(0, half), texts.slice(half)];
    const pairs = items.map((item, i) => ({
      item,
      answer: answers[(picks[i] ?? 0) % answers.length] ?? '',
    }));
    const given = items.map(
      (_, i) => [...answers, ''][(picks[i + 13] ?? 0) % (answers.length + 1)] ?? '',
    );
    const right = pairs.filter(({ answer }, i) => given[i] === answer).length;
    const definition = matching({ points, options: optionsOfPairs(pairs, answers) });
    return { definition, given, right, of: half };
  });

test('every answer earns exactly the share of its right rows, or all', () => {
  fc.assert(
    fc.property(answered, ({ definition, given, right, of }) => {
      const valid = validateDefinition(definition);
      fc.pre(valid.ok);
      if (!valid.ok) return;
      // Ten-thousandths of a point, rounded half up, in whole numbers.
      const parts = Math.round(definition.points * 100) * 100 * right;
      const expected = Math.floor((2 * parts + of) / (2 * of)) / 10_000;
      expect(scoreOf(valid.definition, given)).toBe(expected);
      const whole = { ...valid.definition, rule: 'all_or_nothing' as const };
      expect(scoreOf(whole, given)).toBe(right === of ? definition.points : 0);
    }),
    { numRuns: 500 },
  );
});

test('a paper never has the right order, items of a matching question stay in theirs', () => {
  for (const definition of [matching(), ordering([...'abc']), ordering([...'abcdefgh'])]) {
    const drawable = drawableOf({ ...versionOf(definition).content, questionId: 'q', version: 1 });
    if (!drawable) throw new Error('a draft');
    const seen = new Set<string>();
    for (let seed = 0; seed < 300; seed += 1) {
      const order = orderOptions(drawable, seededRandom(`${seed}`));
      const fixed = Array.isArray(drawable.fixed) ? drawable.fixed : [];
      expect(order.filter((id) => fixed.includes(id))).toEqual(fixed);
      const moved = order.filter((id) => !fixed.includes(id));
      expect(moved).not.toEqual(drawable.optionIds.filter((id) => !fixed.includes(id)));
      expect(moved.toSorted()).toEqual(drawable.optionIds.filter((id) => !fixed.includes(id)));
      seen.add(moved.join());
    }
    // All orders but one.
    expect(seen.size).toBeGreaterThanOrEqual(definition.options.length === 3 ? 5 : 20);
  }
});

test('two items come in both orders: always the wrong one would tell the right one', () => {
  const drawable = drawableOf({
    ...versionOf(ordering(['a', 'b'])).content,
    questionId: 'q',
    version: 1,
  });
  const orders = Array.from({ length: 40 }, (_, seed) =>
    drawable ? orderOptions(drawable, seededRandom(`${seed}`)).join() : '',
  );
  expect(new Set(orders)).toEqual(new Set(['1,2', '2,1']));
});

describe('a definition', () => {
  const problemsOf = (definition: QuestionDefinition) =>
    validateDefinition(definition).problems.map(({ path, message }) => `${path}: ${message}`);

  it.each<[string, QuestionDefinition, string]>([
    [
      'one item',
      matching({ options: optionsOfPairs(PAIRS.slice(0, 1), ['x']) }),
      'options: Enter at least two items to match',
    ],
    [
      'one answer',
      matching({ options: optionsOfPairs(PAIRS.map(({ item }) => ({ item, answer: 'Paris' }))) }),
      'options: Enter at least two different answers',
    ],
    [
      'a match outside of the options',
      matching({
        options: matching().options.with(1, { text: 'Spain', isCorrect: false, match: 9 }),
      }),
      'options.1.match: Select one of the answers',
    ],
    [
      'a match with an item',
      matching({
        options: matching().options.with(1, { text: 'Spain', isCorrect: false, match: 0 }),
      }),
      'options.1.match: Select one of the answers',
    ],
    [
      'a blank item',
      matching({ options: matching().options.with(1, { text: ' ', isCorrect: false, match: 4 }) }),
      'options.1.text: Enter a text',
    ],
    [
      'an item that is an answer',
      matching({
        options: matching().options.with(1, { text: 'Rome', isCorrect: false, match: 4 }),
      }),
      'options.5.text: Two options are the same. Change one of them',
    ],
    [
      'another rule',
      matching({ rule: 'right_minus_wrong' }),
      'rule: This type is scored as a whole or by its items',
    ],
    ['one item in order', ordering(['a']), 'options: Please provide at least two options'],
    [
      '27 items',
      ordering(Array.from({ length: 27 }, (_, i) => `item ${i}`)),
      'options: A question has at most 26 texts to match or to put in order',
    ],
    [
      'an answer that no save can hold',
      matching({
        options: optionsOfPairs(
          PAIRS.map((pair, i) => ({ ...pair, answer: `${i}`.repeat(3_000) })),
        ),
      }),
      'options: An answer has at most 8,000 characters: shorten the texts',
    ],
  ])('is refused for %s, at the field', (_, definition, problem) => {
    expect(problemsOf(definition)).toContain(problem);
  });

  it('has its items first, then answers in their order, and nothing of other types', () => {
    const valid = validateDefinition(
      matching({
        options: [
          { text: 'Lisbon', isCorrect: true, weight: 3, isLast: true, feedback: 'x' },
          { text: 'Madrid', isCorrect: false },
          { text: ' France ', isCorrect: false, match: 4 },
          { text: 'Spain', isCorrect: false, match: 1 },
          { text: 'Paris', isCorrect: false },
        ],
        minSelections: 2,
      }),
    );
    expect(valid).toMatchObject({ ok: true });
    expect(valid.ok && valid.definition).toEqual(
      matching({ options: optionsOfPairs(PAIRS.slice(0, 2), ['Lisbon']) }),
    );
    expect(inPairs(matching().options)).toEqual(PAIRS);
    expect(furtherAnswers(matching().options)).toEqual(['Lisbon']);
    expect(acceptedText(matching())).toEqual(['France → Paris', 'Spain → Madrid', 'Italy → Rome']);
    expect(acceptedText(ordering(['x', 'y']))).toEqual(['1. x', '2. y']);
  });

  it('is a draft while an item has no answer', () => {
    const draft = matching({
      options: optionsOfPairs([{ item: 'Malta', answer: null }, ...PAIRS]),
    });
    expect(validateDefinition(draft)).toMatchObject({ ok: true });
    expect([isDraft(draft), isDraft(matching()), isDraft(ordering(['a', 'b']))]).toEqual([
      ...[true, false, false],
    ]);
  });

  it('is the same question with its pairs in another order, or items of the same order', () => {
    const reversed = matching({ options: optionsOfPairs(PAIRS.toReversed(), ['Lisbon']) });
    const swapped = matching({
      options: optionsOfPairs(
        PAIRS.map(({ item }, i) => ({ item, answer: PAIRS.at(i - 1)?.answer ?? '' })),
        ['Lisbon'],
      ),
    });
    expect(definitionKey(reversed)).toBe(definitionKey(matching()));
    expect(definitionKey(swapped)).not.toBe(definitionKey(matching()));
    expect(definitionKey(ordering(['a', 'b']))).not.toBe(definitionKey(ordering(['b', 'a'])));
  });

  it('has an example with its own points', () => {
    expect(TYPES.matching.examples(matching())).toEqual([
      { name: '1 of 3 right', answer: '["Madrid","Paris","Rome"]' },
    ]);
    expect(TYPES.ordering.examples(ordering(['a', 'b', 'c']))).toEqual([
      { name: '1 of 3 right', answer: '["b","a","c"]' },
    ]);
  });
});

describe('a corrected key', () => {
  const keyed = (before: QuestionDefinition, after: QuestionDefinition) => {
    const { content: earlier, nextId } = versionOf(before);
    const options = earlier.optionIds.map((id, i) => ({ id, text: earlier.optionTexts[i] ?? '' }));
    const { content: current } = versionOf(after, [options], nextId);
    const match = matchOptions(earlier, current);
    const key = keyFor(earlier, current, match);
    return { earlier, key, toConfirm: optionsToConfirm(earlier, current, match) };
  };
  const scored = ({ earlier, key }: ReturnType<typeof keyed>, texts: readonly string[]) => {
    if (!key) return null;
    const answer = { questionId: 'q', ...listOf(idsOf(earlier, texts)) };
    const [one] = scorePaper([{ questionId: 'q', ...earlier, ...key }], [answer], null).questions;
    return pointsOf(one?.points ?? Number.NaN);
  };

  it('scores earlier papers by the pairs of now, whatever was added', () => {
    const after = matching({
      options: optionsOfPairs(
        [
          { item: 'Malta', answer: 'Valletta' },
          { item: 'Spain', answer: 'Lisbon' },
          { item: 'France', answer: 'Paris' },
          { item: 'Italy', answer: 'Rome' },
        ],
        ['Madrid'],
      ),
    });
    const result = keyed(matching(), after);
    expect(scored(result, ['Paris', 'Lisbon', 'Rome'])).toBe(3);
    expect(scored(result, ['Paris', 'Madrid', 'Rome'])).toBe(2);
    expect(result.toConfirm).toEqual([]);
  });

  it('does not fit papers without the right answer, or without the item', () => {
    const other = (pairs: typeof PAIRS, further: string[]) =>
      matching({ options: optionsOfPairs(pairs, further) });
    const turin = { item: 'Italy', answer: 'Turin' };
    const two = PAIRS.slice(0, 2);
    expect(keyed(matching(), other([...two, turin], ['Rome', 'Lisbon'])).key).toEqual(null);
    expect(keyed(matching(), other(two, ['Rome', 'Lisbon'])).key).toEqual(null);
    // At the place of another answer, it can be that one in other words: the author is asked.
    expect(keyed(matching(), other([...two, turin], ['Lisbon'])).toConfirm).toEqual([
      { before: 'Rome', now: 'Turin', isSame: true },
    ]);
  });

  it('asks whether a text that changed under one item is the same', () => {
    const { toConfirm } = keyed(ordering(['a', 'b', 'c']), ordering(['a', 'bee', 'c']));
    expect(toConfirm).toEqual([{ before: 'b', now: 'bee', isSame: true }]);
  });

  it('puts the items of earlier papers in the order of now', () => {
    const result = keyed(ordering(['a', 'b', 'c']), ordering(['c', 'a', 'b']));
    expect(scored(result, ['c', 'a', 'b'])).toBe(3);
    expect(scored(result, ['a', 'b', 'c'])).toBe(0);
    const version = { ...result.earlier, ...result.key };
    expect(acceptedText(definitionOf(version))).toEqual(['1. c', '2. a', '3. b']);
    expect(keyed(ordering(['a', 'b', 'c']), ordering(['a', 'b', 'c', 'd'])).key).toBe(null);
  });
});

test('an answer in words comes as it was given, and never in the order of the key', () => {
  const { content } = versionOf(ordering(['a', 'b', 'c']));
  const { details } = content;
  if (!details) throw new Error('no details');
  const textOf = new Map(content.optionIds.map((id, i) => [id, content.optionTexts[i] ?? '']));
  const rows = (ids: number[]) =>
    rowTexts({ ...content, details }, textOf, [3, 1, 2], listOf(ids)).map(
      ({ item, given, right }) => `${item} ${given} ${right}`,
    );
  expect(rows([2, 1, 3])).toEqual(['b 1 2', 'a 2 1', 'c 3 3']);
  expect(rows([])).toEqual(['c  3', 'a  1', 'b  2']);
});
