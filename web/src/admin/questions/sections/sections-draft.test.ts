import { expect, test } from 'vitest';
import {
  draftOf,
  itemMoved,
  newSection,
  problemsAt,
  restored,
  type SectionDraft,
  structureOf,
  totalOf,
  typedProblems,
} from './sections-draft.ts';

const STRUCTURE = {
  sections: [
    {
      id: 'basics',
      title: 'Basics',
      isShuffled: false,
      items: [
        { questionId: 'a' },
        { count: 3, from: { tags: ['week 1'], categoryId: 'c', difficulties: ['hard' as const] } },
      ],
    },
    {
      id: 'more',
      title: 'More',
      isShuffled: true,
      items: [{ count: 4, from: { tags: ['week 2'] } }],
    },
  ],
};

test('stores what was read', () => {
  expect(structureOf(draftOf(STRUCTURE))).toEqual(STRUCTURE);
  expect(totalOf(draftOf(STRUCTURE))).toBe(8);
});

test('names sections by their ids, and of two with one title the second by a new one', () => {
  const sections = STRUCTURE.sections.map((one, i) => (i === 0 ? { ...one, id: undefined } : one));
  const [one, two, three] = draftOf({ sections: [...sections, ...sections] });
  expect([one?.id, two?.id]).toEqual(['Basics', 'more']);
  expect(three?.id).not.toBe('Basics');
});

test('names what is missing at its entry', () => {
  const [first, ...rest] = draftOf(STRUCTURE);
  if (first === undefined) throw new Error('a section');
  const rule = { key: 'r', count: '0', tags: [], categoryId: null, difficulties: [] };
  const sections: SectionDraft[] = [
    ...rest,
    { ...first, title: ' ', items: [...first.items, rule] },
  ];
  expect([...typedProblems(sections)]).toEqual([
    ['structure.sections.1.title', 'Enter a title'],
    ['structure.sections.1.items.2', 'Enter how many to draw: 1 to 100'],
  ]);
  expect([...typedProblems([])]).toEqual([['structure.sections', 'Add a section']]);
});

test('gives a new section a title that no other has, and refuses one that another has', () => {
  const [one, two] = [newSection([]), newSection([newSection([])])];
  const three = newSection([two]);
  expect([one, two, three].map(({ title }) => title)).toEqual([
    ...['Section 1', 'Section 2', 'Section 3'],
  ]);
  const sections = [one, { ...two, title: ' Section 1 ' }, three];
  expect([...typedProblems(sections)]).toEqual([
    ['structure.sections.1.title', 'Another section has this title'],
  ]);
});

test('shows the first problem of an entry', () => {
  const problems = problemsAt([
    { path: 'a', message: 'first' },
    { path: 'a', message: 'second' },
  ]);
  expect(problems.get('a')).toBe('first');
});

/** "ab|c|": sections of items. */
const sectionsOf = (words: string): SectionDraft[] =>
  words.split('|').map((items, i) => ({
    id: String(i),
    title: 't',
    isShuffled: true,
    items: [...items].map((questionId) => ({ key: questionId, questionId })),
  }));
const wordsOf = (sections: SectionDraft[]) =>
  sections.map(({ items }) => items.map(({ key }) => key).join('')).join('|');

test.each([
  ['down in its section', 'ab|c', 1, 2, 'ba|c'],
  ['over the end of its section', 'ab|c', 2, 3, 'a|bc'],
  ['into an empty section', 'a|', 1, 2, '|a'],
  ['back to the section before', 'ab|c', 4, 3, 'abc|'],
  ['not above the first section', 'ab|c', 1, 0, 'ab|c'],
])('moves an item %s', (_, before, from, to, after) => {
  expect(wordsOf(itemMoved(sectionsOf(before), from, to))).toBe(after);
});

test('puts back what was removed, and keeps what was done since', () => {
  const before = draftOf({
    sections: STRUCTURE.sections.map((one) => ({ ...one, items: [...one.items, ...one.items] })),
  });
  const [basics, more] = before;
  if (basics === undefined || more === undefined) throw new TypeError('two sections');
  const withoutEntry = [{ ...basics, items: basics.items.toSpliced(1, 1) }, more];
  expect(restored(withoutEntry, before)).toEqual(before);
  expect(restored([more], before)).toEqual(before);
  const since = [...withoutEntry.with(0, { ...basics, items: [], title: 'Renamed' })];
  const added = newSection(since);
  expect(restored([...since, added], before)).toEqual([
    { ...basics, title: 'Renamed' },
    more,
    added,
  ]);
  const moved = itemMoved(before, 1, 6);
  expect(restored(moved, before)).toEqual(moved);
});
