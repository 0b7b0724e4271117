import { formulasOf } from '@invigil/core/content/content-facts';
import { expect, test } from 'vitest';
import {
  COMMANDS,
  type Command,
  continueList,
  formulaAsCode,
  formulaAsText,
  images,
} from './text-commands.ts';

/** A text with its selection between brackets, after a command. */
function after(command: Command, marked: string): string {
  const from = marked.indexOf('[');
  const to = marked.indexOf(']') - 1;
  const text = marked.replace('[', '').replace(']', '');
  const edit = command({ text, from, to });
  const next = text.slice(0, edit.from) + edit.insert + text.slice(edit.to);
  const [a, b] = edit.select;
  return `${next.slice(0, a)}[${next.slice(a, b)}]${next.slice(b)}`;
}

test('puts marks around the selection and takes them away again', () => {
  expect(after(COMMANDS.bold, 'a [b] c')).toBe('a **[b]** c');
  expect(after(COMMANDS.bold, 'a **[b]** c')).toBe('a [b] c');
  expect(after(COMMANDS.formula, 'a []')).toBe('a $[x^2]$');
});

test('makes a list of the selected lines and no list of a list', () => {
  expect(after(COMMANDS.bullets, 'a\n[b\nc]')).toBe('a\n[- b\n- c]');
  expect(after(COMMANDS.bullets, 'a\n[- b\n- c]')).toBe('a\n[b\nc]');
  expect(after(COMMANDS.numbers, '[a\nb]')).toBe('[1. a\n2. b]');
});

test('keeps blank lines around a table', () => {
  expect(after(COMMANDS.table, 'a[]b')).toBe(
    'a\n\n| [Column] | Column |\n| --- | --- |\n| cell | cell |\n\nb',
  );
});

test('selects the word of a code block without its line end, and keeps selected code', () => {
  expect(after(COMMANDS.codeBlock, 'a[]b')).toBe('a\n\n```\n[code]\n```\n\nb');
  expect(after(COMMANDS.codeBlock, 'a\n[for x:\n  y\n]b')).toBe(
    'a\n\n```\n[for x:\n  y]\n```\n\nb',
  );
  expect(after(COMMANDS.codeBlock, '[```]')).toBe('````\n[```]\n````');
});

test('inserts a table behind the selected text', () => {
  expect(after(COMMANDS.table, 'a [b]')).toMatch(/^a b\n\n\| \[Column\] \|/);
});

test('selects what is to be replaced in a link and an image', () => {
  expect(after(COMMANDS.link, '[here]')).toMatch(/^\[here\]\(\[https:\/\/\]\)$/);
  expect(after(images(['h', 'i']), 'a []')).toBe(
    'a ![[describe the picture]](image:h)\n\n![describe the picture](image:i)',
  );
});

test.each([
  ['a $(pwd)/$(date). b', '`$(pwd)/$(date)`', '\\$(pwd)/\\$(date)'],
  ['$PATH$', '`$PATH$`', '\\$PATH\\$'],
])('turns what is read as a formula in %j into code or text', (text, code, plain) => {
  const [place] = formulasOf(text);
  if (place === undefined) throw new Error('no formula');
  const run = (command: Command) => {
    const { from, to, insert } = command({ text, from: 0, to: 0 });
    return text.slice(0, from) + insert + text.slice(to);
  };
  expect(run(formulaAsCode(place))).toBe(text.replace(/\$.*[)$]/, () => code));
  expect(run(formulaAsText(place))).toBe(text.replace(/\$.*[)$]/, () => plain));
  expect([run(formulaAsCode(place)), run(formulaAsText(place))].flatMap(formulasOf)).toEqual([]);
});

test('turns a formula on lines of its own into a block of code', () => {
  const text = 'a\n\n$$\nx; y\n$$\n\nb';
  const [place] = formulasOf(text);
  if (place === undefined) throw new Error('no formula');
  const { from, to, insert } = formulaAsCode(place)({ text, from: 0, to: 0 });
  expect(text.slice(0, from) + insert + text.slice(to)).toBe('a\n\n```\nx; y\n```\n\nb');
});

test('continues a list on Enter and ends it in an empty item', () => {
  expect(continueList({ text: '9. a', from: 4, to: 4 })?.insert).toBe('\n10. ');
  expect(continueList({ text: '- a\n- ', from: 6, to: 6 })).toEqual({
    from: 4,
    to: 6,
    insert: '',
    select: [4, 4],
  });
  expect(continueList({ text: 'a', from: 1, to: 1 })).toBeNull();
});
