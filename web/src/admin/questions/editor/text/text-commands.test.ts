import { formulasOf } from '@invigil/core/content/content-facts';
import { expect, test } from 'vitest';
import { type Command, formulaAsCode, formulaAsText, images } from './text-commands.ts';

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

test('selects the description of an image to be replaced', () => {
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
