import { anyMarkdown } from '@invigil/testkit/generated-markdown';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Block, Content, ListItem, Phrase } from './content-nodes.ts';
import { isTextInDollars } from './dollars.ts';
import { IMAGE_WIDTHS, parseContent, withImageWidth } from './parse-content.ts';
import { isShownTheSame, phrasesOf, runsOf } from './runs.ts';
import { writeContent } from './write-content.ts';

const HASH = 'ab'.repeat(32);

/*
 * Trees that a text can give. Each condition has its reason in Markdown: texts that touch are one, a
 * paragraph has no spaces at its ends, a tight item has no two paragraphs.
 */

const SIGNS = fc.constantFrom(
  ...'*_`$[]()!<>|\\-+#~&:;.,"\'=@%^{}?/'.split(''),
  ...[
    'a',
    'b',
    'Z',
    'é',
    'Ж',
    'ع',
    '事',
    'は',
    '。',
    '「',
    '」',
    '한',
    '1',
    '7',
    ' ',
    ' ',
    ' ',
    '\u00a0',
  ],
  ...[
    '\n',
    '1.',
    '2)',
    '# ',
    '- ',
    '> ',
    '***',
    '$$',
    '```',
    '&amp;',
    '&#36;',
    'x~1~',
    '\\_',
    '|-|',
  ],
  ...['$5 and $6', 'https://a.b/c_d_e', '<b>', '![x](y)', '[x](http://a.b)', '😀', '----'],
);
const written = fc.array(SIGNS, { minLength: 1, maxLength: 8 }).map((signs) => signs.join(''));
/** One line has no spaces at its ends, and none around a line end. */
const value = written.map((text) => text.replace(/ *\n\s*/g, '\n'));

const tex = fc
  .array(
    fc.constantFrom(
      'x',
      'y',
      '1',
      '+',
      ' ',
      '^2',
      '_i',
      '\\frac{a}{b}',
      '\\$',
      '\\\\',
      '|',
      '\\|',
      '\nz',
      '*',
      '_',
      '`',
      '[',
      '<',
      '%',
      '#',
      '-',
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((parts) => parts.join(''))
  .filter((source) => source.trim() !== '');
/** A formula of `$…$`. */
const inlineTex = tex.filter(
  (source) => source.trim() === source && source !== '' && !isTextInDollars(source, '', ''),
);

interface Place {
  /** Strong text inside of strong text says nothing. */
  marks?: readonly ('emphasis' | 'strong')[];
  isInCell?: boolean;
  isInLink?: boolean;
  isInParagraph?: boolean;
}

const leaf = ({ isInCell = false, isInParagraph = false }: Place): fc.Arbitrary<Phrase> =>
  fc.oneof(
    {
      weight: 6,
      arbitrary: (isInCell ? value.map((t) => t.replaceAll('\n', ' ')) : value).map(
        (text): Phrase => ({ type: 'text', value: text }),
      ),
    },
    written
      .map((text) => text.replaceAll('\n', ' '))
      .filter((text) => !isInCell || !/\\\|/.test(text))
      .map((text): Phrase => ({ type: 'inlineCode', value: text })),
    (isInParagraph
      ? inlineTex
      : fc.oneof(
          inlineTex,
          inlineTex.map((source) => ` ${source} `),
        )
    )
      .map((source) => (isInCell ? source.replace(/\\?\||\n/g, 'u') : source))
      .map((source): Phrase => ({ type: 'inlineMath', value: source })),
    fc
      .record({
        alt: written,
        title: fc.option(written.filter((t) => t.trim() !== '')),
        width: fc.constantFrom(null, ...IMAGE_WIDTHS),
      })
      .map(
        ({ alt, title, width }): Phrase => ({
          type: 'image',
          url: withImageWidth(`image:${HASH}`, width),
          alt: oneLine(alt),
          title: title === null ? null : oneLine(title),
        }),
      ),
    ...(isInCell ? [] : [fc.constant<Phrase>({ type: 'break' })]),
  );
const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();

function phrases(place: Place, depth: number): fc.Arbitrary<Phrase[]> {
  const { marks = [] } = place;
  const inner = { ...place, isInParagraph: false };
  if (depth === 0) return phraseList(leaf(place));
  const marked = (['emphasis', 'strong'] as const)
    .filter((type) => !marks.includes(type))
    .map((type) =>
      phrases({ ...inner, marks: [...marks, type] }, depth - 1).map(
        (children): Phrase => ({ type, children }),
      ),
    );
  const link = () =>
    fc
      .record({
        url: fc.constantFrom(
          'https://a.b/c?d=e&f=(g)#h_i',
          'mailto:a@b.c',
          'http://a.b/|x*y*',
          'HTTPS://x.y/a b<c>',
        ),
        children: phrases({ ...inner, isInLink: true }, depth - 1),
      })
      .map((one): Phrase => ({ type: 'link', ...one }));
  const one = { weight: 3, arbitrary: leaf(place) };
  return phraseList(fc.oneof(one, ...marked, ...(place.isInLink ? [] : [link()])));
}

const phraseList = (one: fc.Arbitrary<Phrase>) =>
  fc
    .array(one, { minLength: 1, maxLength: 5 })
    .map(settled)
    .filter((list) => list.length > 0);

/** Phrases as a text can give them: see above. */
function settled(list: readonly Phrase[]): Phrase[] {
  const out: Phrase[] = [];
  for (const phrase of list) {
    const last = out.at(-1);
    if (last?.type === 'text' && phrase.type === 'text') last.value += phrase.value;
    else if (last?.type === phrase.type && /^(?:inline|emph|strong)/.test(phrase.type)) continue;
    else out.push({ ...phrase });
  }
  while (out.at(-1)?.type === 'break') out.pop();
  while (out[0]?.type === 'break') out.shift();
  const texts = out
    .map((phrase, i) => {
      if (phrase.type !== 'text') return phrase;
      let text = phrase.value.replace(/ *\n\s*/g, '\n');
      if (i === 0 || out[i - 1]?.type === 'break') text = text.replace(/^\n+/, '');
      if (i === out.length - 1 || out[i + 1]?.type === 'break') text = text.replace(/\n+$/, '');
      return { ...phrase, value: text };
    })
    .filter((phrase) => phrase.type !== 'text' || phrase.value !== '');
  return texts.length === out.length ? texts : settled(texts);
}

function withoutEndSpaces(list: readonly Phrase[]): Phrase[] {
  const trimmed = list
    .map((phrase, i) => {
      if (phrase.type !== 'text') return phrase;
      const start = i === 0 ? phrase.value.trimStart() : phrase.value;
      return { ...phrase, value: i === list.length - 1 ? start.trimEnd() : start };
    })
    .filter((phrase) => phrase.type !== 'text' || phrase.value !== '');
  return trimmed.length === list.length ? trimmed : withoutEndSpaces(settled(trimmed));
}

const paragraph = phrases({ isInParagraph: true }, 3)
  .map(withoutEndSpaces)
  .filter((list) => list.length > 0)
  .map((children): Block => ({ type: 'paragraph', children }));

const code = fc
  .record({
    lang: fc.option(fc.constantFrom('js', 'c++', 'a_b', 'x&y', '#', '~')),
    value: fc
      .array(fc.constantFrom('a', ' ', '\n', '```', '~~~', '\t', '- ', '$', '\\'), { maxLength: 8 })
      .map((parts) => parts.join('')),
  })
  .map((one): Block => ({ type: 'code', ...one }));

const math = fc
  .array(
    tex.map((source) => source.replace(/\n/g, '')).filter((source) => source.trim() !== ''),
    { maxLength: 3 },
  )
  .map((lines): Block => ({ type: 'math', value: lines.join('\n') }));

const cell = fc
  .oneof(fc.constant<Phrase[]>([]), phrases({ isInCell: true }, 2))
  .map((list) => ({ type: 'tableCell' as const, children: withoutEndSpaces(list) }));

const table = fc.integer({ min: 1, max: 3 }).chain((width) => {
  const inRow = { minLength: width, maxLength: width };
  return fc
    .record({
      align: fc.array(
        fc.constantFrom('left' as const, 'right' as const, 'center' as const, null),
        inRow,
      ),
      rows: fc.array(fc.array(cell, inRow), { minLength: 1, maxLength: 3 }),
    })
    .map(
      ({ align, rows }): Block => ({
        type: 'table',
        align,
        children: rows.map((children) => ({ type: 'tableRow', children })),
      }),
    );
});

function list(depth: number): fc.Arbitrary<Block> {
  const item = fc
    .record({ children: blocks(depth - 1, 1), spread: fc.boolean() })
    .map((one): ListItem => ({ type: 'listItem', ...one }));
  return fc
    .record({
      ordered: fc.boolean(),
      start: fc.constantFrom(1, 1, 0, 7, 123),
      spread: fc.boolean(),
      children: fc.array(item, { minLength: 1, maxLength: 3 }),
    })
    .map(
      ({ start, ...one }): Block => ({ type: 'list', start: one.ordered ? start : null, ...one }),
    );
}

function blocks(depth: number, minLength = 0): fc.Arbitrary<Block[]> {
  const simple = [code, math, table, fc.constant<Block>({ type: 'thematicBreak' })];
  const quote = () =>
    blocks(depth - 1, 1).map((children): Block => ({ type: 'blockquote', children }));
  const one = fc.oneof(
    { weight: 5, arbitrary: paragraph },
    ...simple,
    ...(depth === 0 ? [] : [list(depth), quote()]),
  );
  return fc.array(one, { minLength, maxLength: 4 });
}

const contents = blocks(2).map((children): Content => ({ type: 'root', children }));

/**
 * A tree without what only the source shows: whether there are blank lines in a list. The parser takes a list
 * in a quote for one with blank lines where one follows it.
 */
function withoutSpread<T>(node: T): T {
  return JSON.parse(JSON.stringify(node, (key, value) => (key === 'spread' ? undefined : value)));
}

test('every tree of the closed list is read as it was written', () => {
  fc.assert(
    fc.property(contents, (content) => {
      const read = parseContent(writeContent(content));
      expect(withoutSpread(read)).toEqual(withoutSpread(content));
    }),
  );
});

/** The same blocks, each line taken apart and put together; lines of spaces are left out. */
function rebuilt(blocks: readonly Block[]): Block[] {
  return blocks.flatMap((block): Block[] => {
    switch (block.type) {
      case 'paragraph': {
        const children = phrasesOf(runsOf(block.children));
        return children.length === 0 ? [] : [{ ...block, children }];
      }
      case 'blockquote':
        return [{ ...block, children: rebuilt(block.children) }];
      case 'list': {
        const children = block.children.map((one) => ({ ...one, children: rebuilt(one.children) }));
        return [{ ...block, children }];
      }
      case 'table': {
        const children = block.children.map((row) => ({
          ...row,
          children: row.children.map((one) => ({
            ...one,
            children: phrasesOf(runsOf(one.children)),
          })),
        }));
        return [{ ...block, children }];
      }
      default:
        return [block];
    }
  });
}

test('a tree made of runs looks the same, also when it is written and read', () => {
  fc.assert(
    fc.property(contents, (content) => {
      const made: Content = { type: 'root', children: rebuilt(content.children) };
      expect(isShownTheSame(made, content)).toBe(true);
      expect(isShownTheSame(parseContent(writeContent(made)), content)).toBe(true);
    }),
  );
});

test('any text looks the same when it is written again', () => {
  fc.assert(
    fc.property(anyMarkdown, (text) => {
      const read = parseContent(text);
      expect(isShownTheSame(parseContent(writeContent(read)), read)).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test('what is seen differs', () => {
  const look = (a: string, b: string) => isShownTheSame(parseContent(a), parseContent(b));
  for (const [a, b] of [
    ['a', 'b'],
    ['*a*', '**a**'],
    ['a b', '**a** b'],
    ['a\\\nb', 'a b'],
    ['- a\n- b', '1. a\n2. b'],
    ['1. a', '2. a'],
    ['$x$', '$$x$$'],
    ['`a`', 'a'],
    ['[a](http://b)', '[a](http://c)'],
    ['| a |\n|:-:|', '| a |\n|-|'],
    ['```\na\n```', '```js\na\n```'],
    ['> a', 'a'],
  ] as const) {
    expect([a, look(a, b)]).toEqual([a, false]);
  }
  for (const [a, b] of [
    ['***a***', '**_a_**'],
    ['- a\n\n- b', '* a\n* b'],
    ['a\nb', 'a b'],
    ['# a', '**a**'],
  ] as const) {
    expect([a, look(a, b)]).toEqual([a, true]);
  }
});

test.each([
  ['costs \\$5 and \\$6', 'costs $5 and $6'],
  ['1\\. no list', '1\\. no list'],
  ['\\# not a heading', '\\# not a heading'],
  ['x~1~ and https://a.b/c_d_e', 'x~1~ and https://a.b/c_d_e'],
  ['これは**「重要なこと」**です。', 'これは**「重要なこと」**です。'],
  ['答え**😀**か', '答え**😀**か'],
  ['- a\n- b\n  - c\n\n1. d', '- a\n- b\n  - c\n\n1. d'],
  ['- a\n\n- b', '* a\n\n\n* b'],
  ['***both***', '***both***'],
  ['````js\n```\n````', '~~~js\n```\n~~~'],
  ['| a\\|b | `c\\|d` |\n| :-: | - |\n| | $x$ |', '|a\\|b|`c\\|d`|\n|:-:|-|\n||$x$|'],
  [`![a \\[b\\]](image:${HASH} "c \\"d\\"")`, `![a [b]](image:${HASH} 'c "d"')`],
])('%j is the spelling of %j', (spelling, source) => {
  expect(writeContent(parseContent(source))).toBe(spelling);
  expect(parseContent(spelling)).toEqual(parseContent(source));
});

test.each([
  '$$text{if $x$}$$',
  'is $$a\n$b$\n$$ so',
  '$$\n\\ce{A ->[$x$] B $y$}\n$$',
  '| a |\n|---|\n| $$\\text{$a$}$$ |',
])('a formula keeps those inside of it: %j', (source) => {
  const written = writeContent(parseContent(source));
  expect(parseContent(written)).toEqual(parseContent(source));
});

test.each(['1. a\n\n   1. -', 'a\n\n- 2. b', 'a\n\n- - -'])(
  'a list stays one below a paragraph: %j',
  (source) => {
    const content = parseContent(source);
    const withoutLines: Content = JSON.parse(
      JSON.stringify(content, (key, value) => (key === 'spread' ? false : value)),
    );
    expect(withoutSpread(parseContent(writeContent(withoutLines)))).toEqual(withoutSpread(content));
  },
);

describe('what no text gives is written as what looks the same', () => {
  const line = (...children: Phrase[]): Content => ({
    type: 'root',
    children: [{ type: 'paragraph', children }],
  });
  const formula = (value: string): Phrase => ({ type: 'inlineMath', value });
  const word = (value: string): Phrase => ({ type: 'text', value });
  test.each<[string, Content, string]>([
    ['formulas that touch', line(formula('x'), formula('y')), '$x$ $y$'],
    ['a formula between letters', line(word('f'), formula('x+1'), word('s')), '&#x66;$x+1$&#x73;'],
    ['a formula before a digit', line(formula('x'), word('2')), '$x$&#x32;'],
    ['spaces in the dollars', line(formula(' x ')), '$x$'],
    ['a dollar in a formula', line(formula('\\text{$5}')), '$\\text{\\$5}$'],
    ['a backslash at its end', line(formula('x\\')), '$x\\ $'],
    ['an empty formula', line(formula('')), '$' + '{}$'],
    [
      'blank lines in a formula',
      { type: 'root', children: [{ type: 'math', value: 'a\n\n$$\nb' }] },
      '$$\na\nb\n$$',
    ],
    [
      'a bar in a cell',
      {
        type: 'root',
        children: [
          {
            type: 'table',
            align: [null],
            children: [
              {
                type: 'tableRow',
                children: [{ type: 'tableCell', children: [formula('|x|\\|y')] }],
              },
            ],
          },
        ],
      },
      '| $\\vert x\\vert \\|y$ |\n| - |',
    ],
  ])('%s', (_, content, expected) => {
    expect(writeContent(content)).toBe(expected);
  });
});
