import { expect, test } from 'vitest';
import { show } from '../testing/shown.tsx';
import { Trans } from './trans.tsx';

/** The text nodes of what a text becomes, with the names of elements around them. */
async function drawn(message: string, given: Omit<Parameters<typeof Trans>[0], 'id' | 'message'>) {
  const { container } = await show(<Trans id="no.text" {...{ message, ...given }} />);
  return container.innerHTML;
}

test.each([
  ['Wait {n} s', { n: 3 }, 'Wait 3 s'],
  ['{n, plural, one {# day} other {<b># days</b>}}', { n: 2 }, '<em>2 days</em>'],
  ['{kind, select, a {first} other {none}}', { kind: 'a' }, 'first'],
  ['{title} is here', { title: '<b>bold</b>' }, '&lt;b&gt;bold&lt;/b&gt; is here'],
  [
    '<b>{title}, <i>{more}</i></b>!',
    { title: 'a <i>b</i>', more: 'c' },
    '<em>a &lt;i&gt;b&lt;/i&gt;, <u>c</u></em>!',
  ],
  ['{link} and {text}', { link: <a href="/x">x</a>, text: 'y' }, '<a href="/x">x</a> and y'],
  ['<unknown>as it is</unknown>', {}, '&lt;unknown&gt;as it is&lt;/unknown&gt;'],
])('%s', async (message, values, expected) => {
  const components = { b: <em />, i: <u /> };
  expect(await drawn(message, { values, components })).toContain(expected);
});

test('words and the values in them stay one piece of text', async () => {
  const { container } = await show(
    <Trans id="no.text" message="{a}, {b} of {c}" values={{ a: '1 < 2', b: 2, c: 'x' }} />,
  );
  const texts = document.createTreeWalker(container, NodeFilter.SHOW_TEXT);
  expect(texts.nextNode()?.nodeValue).toBe('1 < 2, 2 of x');
});
