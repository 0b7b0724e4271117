import { QUESTION_LIMITS } from '@invigil/core/domain/limits';
import { plainDefinition } from '@invigil/core/domain/questions/question-definition';
import { IMPORT_LIMITS } from '@invigil/core/domain/questions/question-files';
import { expect, it } from 'vitest';
import { boundedItem, boundedSummary, type ImportedItem } from './imported-file.ts';

const long = 'x'.repeat(100_000);
const item: ImportedItem = {
  source: { file: 'a.xml', identifier: 'i1', line: 3 },
  title: 'A title',
  definition: plainDefinition('Two?', ['2', '3'], '2'),
  notes: ['A note.'],
  tags: ['a', 'b'],
  difficulty: 'hard',
  categoryPath: ['Outer', 'Inner'],
};

it('an item within the bounds stays as it is', () => {
  expect(boundedItem(item)).toEqual(item);
});

it('every text and list of an item beside its question has a bound', () => {
  const many = Array.from({ length: 1_000 }, () => long);
  const bounded = boundedItem({
    ...item,
    source: { file: long, identifier: long },
    title: long,
    notes: many,
    tags: many,
    categoryPath: many,
  });
  const { labelMaxCharacters, categoriesMax, noteMaxCharacters, notesMax } = IMPORT_LIMITS;
  const { tagsMax, tagMaxCharacters } = QUESTION_LIMITS;
  expect(bounded.definition).toEqual(item.definition);
  for (const text of [bounded.title, bounded.source.file, bounded.source.identifier]) {
    expect(text).toHaveLength(labelMaxCharacters);
  }
  for (const [list, count, characters] of [
    [bounded.tags, tagsMax, tagMaxCharacters],
    [bounded.categoryPath, categoriesMax, labelMaxCharacters],
    [bounded.notes.slice(1), notesMax - 1, noteMaxCharacters],
  ] as const) {
    expect(list).toHaveLength(count);
    expect(list.every((text) => text.length === characters)).toBe(true);
  }
  expect(bounded.notes[0]).toBe('It has more than 50 tags.');
});

it('no text has a NUL or half of a surrogate pair', () => {
  const bounded = boundedItem({
    ...item,
    title: 'a\0',
    tags: ['\ud83d'],
    definition: plainDefinition('Two\0?', ['2\ude00', '3'], '3'),
  });
  expect(JSON.stringify(bounded)).not.toMatch(/\\u0000|\\ud83d|\\ude00/);
  expect(bounded.definition?.question).toBe('Two\ufffd?');
  // Not through the middle of a character.
  const emoji = boundedItem({ ...item, title: '🦊'.repeat(1_000) }).title;
  expect(emoji.isWellFormed()).toBe(true);
});

it('of many problems of a file the first are kept, with how many more there are', () => {
  const problems = Array.from({ length: 10_000 }, (_, n) => `${n} ${long}`);
  const bounded = boundedSummary({ format: 'qti_3', problems });
  expect(bounded.problems).toHaveLength(IMPORT_LIMITS.problemsMax + 1);
  expect(bounded.problems.at(-1)).toBe('And 9800 more problems.');
  expect(Math.max(...bounded.problems.map(({ length }) => length))).toBe(500);
  const few = { format: 'qti_3', problems: ['One.'] } as const;
  expect(boundedSummary({ ...few, problems: ['One.'] })).toEqual(few);
});
