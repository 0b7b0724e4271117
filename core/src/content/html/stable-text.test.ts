import fc from 'fast-check';
import { expect, it } from 'vitest';
import { markdownFromHtml } from './html-text.ts';
import { normalizeMarkdown } from './write-html.ts';

const HASH = 'ab'.repeat(32);
const TAGS = [
  ...'p b i div ul ol li code pre blockquote table tr td th sub span h2'.split(' '),
  'a href="https://e.org/?a=1&amp;b"',
];

const piece = fc.oneof(
  fc.constantFrom(...TAGS).map((tag) => `<${tag}>`),
  fc.constantFrom(...TAGS).map((tag) => `</${tag.split(' ')[0]}>`),
  fc.constantFrom(
    'word ',
    ' two',
    '1. ',
    '- ',
    '# ',
    '*',
    '_',
    '**',
    '`',
    '$',
    '$$',
    '|',
    '\\',
    '&lt;b&gt;',
    '&nbsp;',
    '\n',
    '<br>',
    '<hr>',
    '5',
    '\\(x_1\\)',
    '\\[y\\]',
    `<img src="a.png" alt="A [b] &quot;c&quot;" title="t">`,
    '![',
    '](',
    'https://e.org',
    '&amp;amp;',
    '~~',
    '+',
    '>',
    '=',
    '---',
  ),
);

it('gives a text that stays as it is when it is written as HTML and read again', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
      const { text, format } = markdownFromHtml(pieces.join(''), () => `image:${HASH}`);
      if (format === 'markdown') expect(normalizeMarkdown(text)).toBe(text);
    }),
    { numRuns: 500 },
  );
});
