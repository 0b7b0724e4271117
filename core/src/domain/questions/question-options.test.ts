import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  assignOptionIds,
  decodeOptions,
  type QuestionDraft,
  type QuestionOption,
  validateQuestion,
} from './question-options.ts';

describe('the three encodings of options', () => {
  it.each([
    ['nothing', undefined],
    ['null', null],
    ['a number', 4],
    ['an object', { a: 'b' }],
    ['an array that holds a number', ['a', 1]],
    ['an array that holds nothing', ['a', null]],
    ['a JSON array of numbers', '[1, 2]'],
    ['a JSON array in a JSON array', '[["a", "b"]]'],
  ])('refuses %s', (_, input) => {
    expect(decodeOptions(input)).toBeNull();
  });

  it.each([
    ['an array', ['a, b', '"c"', '[d]'], ['a, b', '"c"', '[d]']],
    ['an array of JSON', ['["a"]', '["b"]'], ['["a"]', '["b"]']],
    ['a JSON array', '["a, b", "\\"c\\"", "[d]"]', ['a, b', '"c"', '[d]']],
    ['a JSON array among blanks', '  ["a","b"]\n', ['a', 'b']],
    ['a comma-separated text', 'Paris, London,Rome', ['Paris', 'London', 'Rome']],
    ['quotes around some', 'Paris, "London, UK", \'Rome\'', ['Paris', 'London, UK', 'Rome']],
    ['doubled quotes inside quotes', '"say ""hi""", \'it\'\'s\'', ['say "hi"', "it's"]],
    ['quotes inside a text', 'it\'s, 5" wide', ["it's", '5" wide']],
    ['the other quote inside quotes', '"it\'s, so", x', ["it's, so", 'x']],
    ['brackets that are no JSON', '[a], [b]', ['[a]', '[b]']],
    ['blanks between commas', 'a,,b,', ['a', '', 'b', '']],
    ['an empty text', '', ['']],
    ['one text', 'Paris', ['Paris']],
  ])('reads %s', (_, input, options) => {
    expect(decodeOptions(input)).toEqual(options);
  });

  const texts = fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1, maxLength: 4 });

  it('returns any texts unchanged from an array and from JSON', () => {
    fc.assert(
      fc.property(texts, (options) => {
        expect(decodeOptions(options)).toEqual(options);
        expect(decodeOptions(JSON.stringify(options))).toEqual(options);
      }),
    );
  });

  it('returns any trimmed texts from a list with doubled quotes', () => {
    fc.assert(
      fc.property(texts, (untrimmed) => {
        const options = untrimmed.map((o) => o.trim());
        const list = options.map((o) => `"${o.replaceAll('"', '""')}"`).join(', ');
        expect(decodeOptions(list)).toEqual(options);
      }),
    );
  });
});

describe('a question typed by hand', () => {
  const good: QuestionDraft = { question: 'Q', options: ['a', 'b', 'c', 'd'], correctAnswer: 'b' };
  const long = 'x'.repeat(4_001);

  const SAME = 'options: Two options are the same. Change one of them';
  const NO_MATCH = 'correctAnswer: Selected correct answer must be one of the options';

  it.each<[string, Partial<QuestionDraft>, ...string[]]>([
    ['no question', { question: '' }, 'question: Please enter a question'],
    ['a blank question', { question: ' \n' }, 'question: Please enter a question'],
    ['a question too long', { question: long }, 'question: At most 4,000 characters'],
    ['no options', { options: [] }, 'options: Please provide at least two options', NO_MATCH],
    ['one option', { options: ['b'] }, 'options: Please provide at least two options'],
    [
      'one that is not blank',
      { options: ['b', '', ' ', '\t'] },
      'options: Please provide at least two valid options',
    ],
    [
      'five options',
      { options: ['a', 'b', 'c', 'd', 'e'] },
      'options: A question has at most 4 options',
    ],
    ['two equal options', { options: ['a', 'b', 'a'] }, SAME],
    ['two that are equal once trimmed', { options: ['a', 'b', ' b '] }, SAME],
    ['two that would be equal in the database', { options: ['\ud800', '\udbff', 'b'] }, SAME],
    ['an option too long', { options: ['b', long] }, 'options: At most 4,000 characters'],
    [
      'no correct answer',
      { correctAnswer: ' ' },
      'correctAnswer: Please select the correct answer',
    ],
    ['a correct answer that is none of them', { correctAnswer: 'e' }, NO_MATCH],
    ['a correct answer in another case', { correctAnswer: 'B' }, NO_MATCH],
    [
      'nothing at all, each problem at its field',
      { question: '', options: ['', ''], correctAnswer: '' },
      'question: Please enter a question',
      'options: Please provide at least two valid options',
      'correctAnswer: Please select the correct answer',
    ],
  ])('is refused with %s', (_, change, ...problems) => {
    const { question, options, correctAnswer } = { ...good, ...change };
    const result = validateQuestion(question, options, correctAnswer);
    expect(result.ok ? [] : result.problems.map((p) => `${p.path}: ${p.message}`)).toEqual(
      problems,
    );
  });

  it.each<[string, QuestionDraft, Partial<QuestionDraft>]>([
    ['four options', good, {}],
    ['two', { ...good, options: ['a', 'b'] }, {}],
    [
      'blank options, which are dropped',
      { ...good, options: ['', 'a', ' ', 'b', ''] },
      { options: ['a', 'b'] },
    ],
    [
      'surrounding spaces, which are trimmed',
      { question: ' Q\n', options: [' a', 'b '], correctAnswer: '\tb' },
      { options: ['a', 'b'] },
    ],
    ['options that differ in case', { ...good, options: ['B', 'b'] }, {}],
    ['4,000 characters', { ...good, question: 'x'.repeat(4_000) }, {}],
  ])('is accepted with %s', (_, given, change) => {
    const { question, options, correctAnswer } = given;
    expect(validateQuestion(question, options, correctAnswer)).toEqual({
      ok: true,
      draft: {
        question: question.trim(),
        options,
        correctAnswer: correctAnswer.trim(),
        ...change,
      },
    });
  });
});

describe('option ids', () => {
  /** The ids of the last of these versions; each letter is an option. */
  const lastIds = (versions: string) => {
    let nextId = 1;
    const history: QuestionOption[][] = [];
    for (const version of versions.split(' ')) {
      const assigned = assignOptionIds([...version], history, nextId);
      nextId = assigned.nextId;
      history.unshift(assigned.options);
    }
    return history[0]?.map(({ id }) => id);
  };

  it.each([
    ['stay with a text that moves', 'abc cab', [3, 1, 2]],
    ['stay with the position of a text that is edited', 'abc aBc', [1, 2, 3]],
    ['stay with a position while options are added', 'ab Abc', [1, 2, 3]],
    ['are new where text and position changed', 'abc Bac', [4, 1, 3]],
    ['are new where options were removed', 'abc aC', [1, 4]],
    ['come back with a text of an earlier version', 'abc ac cab', [3, 1, 2]],
    ['come back with a text that was corrected there', 'ab xb ba', [2, 1]],
    ['are never taken from another option', 'ab bc', [2, 3]],
  ])('%s', (_, versions, ids) => {
    expect(lastIds(versions)).toEqual(ids);
  });

  it('are unique and below the next, and texts keep theirs, through any history of edits', () => {
    const version = fc.uniqueArray(fc.constantFrom(...'abcdefgh'), { minLength: 2, maxLength: 4 });
    fc.assert(
      fc.property(fc.array(version, { minLength: 1, maxLength: 12 }), (versions) => {
        const history: QuestionOption[][] = [];
        let next = 1;
        for (const texts of versions) {
          const { options, nextId } = assignOptionIds(texts, history, next);
          next = nextId;
          expect(options.map((o) => o.text)).toEqual(texts);
          expect(new Set(options.map((o) => o.id)).size).toBe(texts.length);
          for (const { id } of options) expect(id).toBeLessThan(nextId);
          for (const { id, text } of history[0] ?? []) {
            const kept = options.find((o) => o.text === text);
            if (kept) expect(kept.id).toBe(id);
          }
          history.unshift(options);
        }
      }),
    );
  });
});
