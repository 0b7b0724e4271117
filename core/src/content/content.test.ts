import fc from 'fast-check';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { cjkFriendlyExtension } from 'micromark-extension-cjk-friendly';
import { describe, expect, test } from 'vitest';
import { hasMath, imagesOf, plainTextOf } from './content-facts.ts';
import type { Block, Phrase } from './content-nodes.ts';
import { contentProblems } from './content-problems.ts';
import { parseContent } from './parse-content.ts';
import { texProblem } from './tex-problem.ts';

const HASH = 'ab'.repeat(32);

interface AnyNode {
  type: string;
  value?: string;
  children?: readonly AnyNode[];
}

/** A tree in one line: `paragraph("a" strong("b"))`. */
function outline(node: AnyNode): string {
  if (node.children !== undefined) return `${node.type}(${node.children.map(outline).join(' ')})`;
  if (node.value === undefined) return node.type;
  return node.type === 'text'
    ? JSON.stringify(node.value)
    : `${node.type}:${JSON.stringify(node.value)}`;
}
const shape = (text: string) => parseContent(text).children.map(outline).join(' ');

describe('the closed list', () => {
  test.each([
    ['a *b* **c** `d`', 'paragraph("a " emphasis("b") " " strong("c") " " inlineCode:"d")'],
    ['a  \nb\\\nc', 'paragraph("a" break "b" break "c")'],
    ['a\n\n---\n\nb', 'paragraph("a") thematicBreak paragraph("b")'],
    ['> a\n>\n> b', 'blockquote(paragraph("a") paragraph("b"))'],
    [
      '1. a\n2. b\n   - c',
      'list(listItem(paragraph("a")) listItem(paragraph("b") list(listItem(paragraph("c")))))',
    ],
    ['```js\na <b>\n```', 'code:"a <b>"'],
    [
      '| a | b |\n|---|--:|\n| 1 | *2* |',
      'table(tableRow(tableCell("a") tableCell("b")) tableRow(tableCell("1") tableCell(emphasis("2"))))',
    ],
    ['[a](https://example.org)', 'paragraph(link("a"))'],
    ['# Heading *x*', 'paragraph(strong("Heading " emphasis("x")))'],
    [`![alt](image:${HASH} "cap")`, 'paragraph(image)'],
    [`![alt](image:${HASH}#25)`, 'paragraph(image)'],
  ])('%j', (text, expected) => {
    expect(shape(text)).toBe(expected);
  });

  test.each([
    ['これは**「重要なこと」**です。', 'paragraph("これは" strong("「重要なこと」") "です。")'],
    ['这是**我想做的事。**所以', 'paragraph("这是" strong("我想做的事。") "所以")'],
    ['**중요(重要)**한 것', 'paragraph(strong("중요(重要)") "한 것")'],
    ['答えは*「はい」*か', 'paragraph("答えは" emphasis("「はい」") "か")'],
  ])('has emphasis where words have no spaces: %s', (text, expected) => {
    expect(shape(text)).toBe(expected);
  });

  test('reads emphasis of texts without Chinese, Japanese and Korean as CommonMark has it', () => {
    const parts = [
      '*',
      '**',
      '_',
      '__',
      'a',
      'é',
      'Ж',
      'ع',
      ' ',
      '\n',
      '.',
      ',',
      '(',
      '“',
      '”',
      '1',
    ];
    const text = fc.string({ unit: fc.constantFrom(...parts), maxLength: 24 });
    fc.assert(
      fc.property(text, (written) => {
        const plain = fromMarkdown(written);
        expect(fromMarkdown(written, { extensions: [cjkFriendlyExtension()] })).toEqual(plain);
      }),
    );
  });

  test.each([
    '<b>bold</b> <!-- x --> <script>alert(1)</script>',
    '![x](https://example.org/x.png)',
    `![x](image:${HASH.toUpperCase()})`,
    `![x](image:${HASH}#51)`,
    `![x](image:${HASH}#)`,
    '![x](image:1234)',
    '[x](javascript:alert(1))',
    '[x](//example.org)',
    '[x](data:text/html,x)',
    '[x]: https://example.org',
    '~~struck~~',
    'a\n===',
  ])('shows %j as literal text', (text) => {
    const texts = parseContent(text).children.flatMap((block: Block): Phrase[] =>
      block.type === 'paragraph' ? block.children : [],
    );
    expect(texts.map((node) => (node.type === 'text' ? node.value : node.type)).join('')).toBe(
      text,
    );
  });

  test('does not take indented lines for code', () => {
    expect(shape('    a')).toBe('paragraph("a")');
  });
});

describe('dollars', () => {
  test.each([
    '=SUM($A$1:$B$2)',
    '=$A$1+B$2*$C3',
    '$PATH:$HOME',
    'export LD_PATH=$LD_PATH:$HOME_DIR',
    'echo "$HOME" "$PATH"',
    '^a$|^b$',
    '(^a$)|(^b$)',
    '^[a-z]+$|^[0-9]+$',
    '=SUM($A$1:$B$2), $PATH:$HOME and ^a$|^b$',
    'costs $5 and $10',
    'US$a$b',
    '$a$b',
    'f$x+1$',
    'Größe$x+1$',
  ])('%j is text', (text) => {
    expect(shape(text)).toBe(`paragraph(${JSON.stringify(text)})`);
  });

  test.each([
    ['$x$', 'x'],
    ['the $n$-th', 'n'],
    ['the $n$th', 'n'],
    ['P($A$|$B$)', 'B'],
    ['the $n$', 'n'],
    ['the $n$\nth', 'n'],
    ['2$x$', 'x'],
    ['$2\\pi r$', '2\\pi r'],
    ['H$_2$O', '_2'],
    ['10$^{-3}$m', '^{-3}'],
    ['p$x_i$s', 'x_i'],
    ['f$|x|^2$g', '|x|^2'],
    ['a$(x+1)^2$', '(x+1)^2'],
    ['设$x+1$为整数', 'x+1'],
    ['($x+y$)', 'x+y'],
    ['$a + b$, $c$.', 'a + b'],
    [`\${n}$s`, '{n}'],
  ])('%j has a formula', (text, tex) => {
    expect(shape(text)).toContain(`inlineMath:${JSON.stringify(tex)}`);
  });
});

describe('mathematics', () => {
  test.each([
    ['let $x^2$ be', 'paragraph("let " inlineMath:"x^2" " be")'],
    ['it is $$x$$ here', 'paragraph("it is") math:"x" paragraph("here")'],
    ['$$x$$', 'math:"x"'],
    ['is $$a\n$b$\n$$ so', 'paragraph("is") math:"a\\n$b$" paragraph("so")'],
    ['$$ce{A ->[$x$] B $y$}$$', 'math:"ce{A ->[$x$] B $y$}"'],
    ['is $$text{if $x$}$$ so', 'paragraph("is") math:"text{if $x$}" paragraph("so")'],
    ['$$\nx\n- y\n\n= z\n$$\nafter', 'math:"x\\n- y\\n= z" paragraph("after")'],
    ['a\n$$\nb\n$$', 'paragraph("a") math:"b"'],
    ['> $$\n> a\n> $$\n\nb', 'blockquote(math:"a") paragraph("b")'],
    ['- $$\n  a\n  $$', 'list(listItem(math:"a"))'],
    ['$$\nnever closed', 'math:"never closed"'],
    ['$a\nb$', 'paragraph(inlineMath:"a\\nb")'],
    ['$\\$5$', 'paragraph(inlineMath:"\\\\$5")'],
    ['*$x$*', 'paragraph(emphasis(inlineMath:"x"))'],
    ['`$x$`', 'paragraph(inlineCode:"$x$")'],
    ['$a*b*c$', 'paragraph(inlineMath:"a*b*c")'],
  ])('reads %j', (text, expected) => {
    expect(shape(text)).toBe(expected);
  });

  test.each([
    'costs $5 and $10',
    'costs $5-$10',
    '$5 and more',
    'a $ b $ c',
    '$$$a$$$',
    '$$a$',
    '$a $',
  ])('leaves %j as text', (text) => {
    expect(shape(text)).toBe(`paragraph(${JSON.stringify(text)})`);
  });

  test('leaves an escaped dollar as text', () => {
    expect(shape('\\$x\\$')).toBe('paragraph("$x$")');
  });

  test('is found wherever it is', () => {
    expect(hasMath('- | $x$')).toBe(true);
    expect(hasMath('$$\nx\n$$')).toBe(true);
    expect(hasMath('`$x$` costs $5')).toBe(false);
    expect(hasMath('none')).toBe(false);
  });
});

test('lists the images of a text, each once', () => {
  const other = 'cd'.repeat(32);
  const text = `![a](image:${HASH}#100)\n\n- ![b](image:${other}) ![a](image:${HASH})\n\n\`![c](image:${'e'.repeat(64)})\``;
  expect(imagesOf(text)).toEqual([HASH, other]);
  expect(imagesOf('image: none')).toEqual([]);
});

test('gives a text on one line without marks', () => {
  const text = `# Title\n\nA **bold**\n_word_ and $x^2$\n\n- one\n- two\n\n| a | b |\n|-|-|\n| 1 | 2 |\n\n![A cat](image:${HASH})\n\n\`\`\`py\nx = 1\n\`\`\``;
  expect(plainTextOf(text)).toBe('Title A bold word and x^2 one two a b 1 2 A cat x = 1');
});

describe('what an author should change', () => {
  test('nothing in a text of allowed things', () => {
    expect(contentProblems(`a <b and c> d\n\n![Cat](image:${HASH})\n\n\`<b>\` $a<b>c$`)).toEqual(
      [],
    );
  });

  test('nothing where HTML is escaped', () => {
    expect(contentProblems('*Is* \\<b> or &lt;i>\n\n> a\n> \\<hr/>')).toEqual([]);
    expect(contentProblems('> if a <b\n> then stop')).toEqual([]);
    expect(contentProblems('*Is* \\\\<b>')).toHaveLength(1);
    expect(contentProblems('> a\n> \\*b <hr/>')).toMatchObject([{ line: 2 }]);
  });

  test('names the line and the reason, in order', () => {
    const text = `a\n\n![](image:${HASH})\n\n![x](https://a.b/c.png)\n\nline\n<b>x</b>\n\n$${'x'.repeat(2001)}$\n\n${'> '.repeat(9)}${'- '.repeat(1)}a`;
    expect(contentProblems(text).map(({ line, sentence }) => `${line} ${sentence}`)).toEqual([
      '3 The image has no alternative text. Describe it for people who cannot see it: ![description](image:…).',
      '5 Images from other addresses are not shown. Upload the image instead.',
      '8 HTML is shown as it is written: <b>. Use Markdown instead.',
      '10 The formula is longer than 2,000 characters.',
    ]);
  });

  test('refuses what is too long, too deep or too complex', () => {
    const sentences = (text: string) => contentProblems(text).map(({ sentence }) => sentence);
    expect(sentences('x'.repeat(32_001))).toEqual(['The text is longer than 32,000 characters.']);
    expect(sentences('>'.repeat(11))).toEqual([
      'The text has too many marks (> * _ -) in one place to be formatted.',
    ]);
    const nested = Array.from({ length: 30 }, (_, i) => `${'  '.repeat(i)}- a`).join('\n');
    expect(new Set(sentences(nested))).toEqual(
      new Set(['Quotes, lists or emphasis are nested too deeply.']),
    );
  });
});

describe('a formula that could take a page its time, or cover what is around it', () => {
  test.each([
    ['\\def\\a{xxxx}\\def\\b{\\a\\a}\\b', 'The formula uses \\def. Write out what it stands for.'],
    ['\\gdef\\a{x}', 'The formula uses \\gdef. Write out what it stands for.'],
    ['\\let\\a=\\frac', 'The formula uses \\let. Write out what it stands for.'],
    ['\\newcommand{\\a}{x}', 'The formula uses \\newcommand. Write out what it stands for.'],
    [
      '\\renewcommand\\arraystretch{999}',
      'The formula uses \\renewcommand. Write out what it stands for.',
    ],
    ['\\raisebox{-99999em}{x}', 'The formula has a size of -99999em. At most 20em are drawn.'],
    ['x\\kern - 300 pt y', 'The formula has a size of -300pt. At most 20em are drawn.'],
    ['\\kern-9%\n9em', 'The formula has a size of -99em. At most 20em are drawn.'],
    ['\\genfrac{}{}{99em}{}{a}{b}', 'The formula has a size of 99em. At most 20em are drawn.'],
    ['\\hspace*-99ex', 'The formula has a size of -99ex. At most 20em are drawn.'],
    ['a\\\\[-80mm]b', 'The formula has a size of -80mm. At most 20em are drawn.'],
    ['\\rule{.1em}{21em}', 'The formula has a size of 21em. At most 20em are drawn.'],
    [`\\begin{matrix}${'&'.repeat(501)}\\end{matrix}`, 'The formula has more than 500 cells.'],
    [`\\begin{matrix}${'\\\\'.repeat(501)}\\end{matrix}`, 'The formula has more than 500 cells.'],
    ['\\pi'.repeat(501), 'The formula has more than 500 commands.'],
    ['x'.repeat(2_001), 'The formula is longer than 2,000 characters.'],
  ])('is not drawn: %j', (tex, sentence) => {
    expect(texProblem(tex)).toBe(sentence);
    expect(contentProblems(`$$\n${tex}\n$$`).map((problem) => problem.sentence)).toEqual([
      sentence,
    ]);
  });

  test.each([
    '\\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix}',
    'a \\\\ \\text{let it be} \\\\def',
    '99999\\,\\mathrm{m}/\\mathrm{s} = \\text{300 cm} \\\\ 300 pt',
    '\\left( \\rule{1pt}{8em} \\right) \\kern-1em \\\\[10pt] x_{100 em}',
    `\\begin{matrix}${'x&'.repeat(400)}\\end{matrix}`,
    '\\pi'.repeat(500),
    '50\\%\\kern-1em',
  ])('is one like any other: %j', (tex) => {
    expect(texProblem(tex)).toBeNull();
  });
});

/** Texts that took the parser long or deep, filled up to the longest text. */
const HOSTILE = [
  '>',
  '> ',
  '>\n\n',
  '\\`',
  '\\`` *',
  '1. > \n\n* ',
  '- - - a\n',
  '1. ',
  '*a_ ',
  'a**b',
  '![[a](',
  '`a``b```',
  '$a ',
  '$$a$',
  '$a\n',
  '$$\n',
  '|a|\n|-|\n',
  '> a\n',
  '  - a\n',
  '\u0000',
  '\ud800',
];

describe('hostile texts', () => {
  test.each(HOSTILE)('%j repeated is read in bounded time and size', (part) => {
    const text = part.repeat(Math.ceil(32_000 / part.length)).slice(0, 32_000);
    const before = process.threadCpuUsage();
    const { size, depth } = measure(parseContent(text));
    contentProblems(text);
    plainTextOf(text);
    // Processor time in µs. The slowest takes 0.3 s; without bounds several take minutes.
    expect(process.threadCpuUsage(before).user).toBeLessThan(4_000_000);
    expect(size).toBeLessThanOrEqual(8 * text.length);
    expect(depth).toBeLessThanOrEqual(40);
  });

  test('emphasis in paragraphs as full as they may be is read in bounded time', () => {
    const before = process.threadCpuUsage();
    parseContent(`${'*a_ '.repeat(125)}\n\n`.repeat(64).slice(0, 32_000));
    expect(process.threadCpuUsage(before).user).toBeLessThan(4_000_000);
  });

  test.each([
    ['lines', (n: number) => `${'a\n'.repeat(n - 1)}a`, 2_000, 2_001],
    ['markers on a line', (n: number) => `a\n${'> '.repeat(n)}a`, 10, 2],
    ['markers', (n: number) => '- a\n'.repeat(n), 1_000, 1_001],
    ['delimiters in a paragraph', (n: number) => `a\n\n${'*a '.repeat(n)}`, 500, 3],
    ['runs of backticks in a paragraph', (n: number) => 'a ` '.repeat(n), 250, 1],
    ['cells in a table', (n: number) => '| a '.repeat(n), 2_000, 1],
  ])('one more than the most %s is shown as its source', (_, textOf, most, line) => {
    expect(contentProblems(textOf(most))).toEqual([]);
    const text = textOf(most + 1);
    const sentence = expect.stringContaining('too many marks');
    expect(contentProblems(text)).toEqual([{ line, sentence }]);
    expect(shape(text)).toBe(`paragraph(${JSON.stringify(text)})`);
  });

  test('lists by indentation do not get deeper than the bound', () => {
    const nested = Array.from({ length: 150 }, (_, i) => `${'  '.repeat(i)}- a`).join('\n');
    expect(measure(parseContent(nested)).depth).toBeLessThanOrEqual(40);
  });

  test('any text is read without an error, into a size linear to its own', () => {
    const marks = fc.constantFrom(
      ...'*_`$[]()!<>|\\-+#~&:;'.split(''),
      '\n',
      '\n\n',
      '  ',
      '    ',
      'a',
      'b1',
      '1. ',
      '- ',
      '> ',
      '```',
      '$$\n',
      '|-|',
      'image:',
      HASH,
      'https://a.b',
      '&amp;',
      '\t',
      '\r\n',
      '"',
    );
    const texts = fc.oneof(
      fc.array(marks, { maxLength: 80 }).map((parts) => parts.join('')),
      fc.string({ unit: 'binary', maxLength: 200 }),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const { size } = measure(parseContent(text));
        expect(size).toBeLessThanOrEqual(8 * text.length + 8);
        // A reference of two characters can stand for two code points.
        expect(plainTextOf(text).length).toBeLessThanOrEqual(4 * text.length);
        contentProblems(text);
        imagesOf(text);
      }),
      { numRuns: 300 },
    );
  });
});

/** Nodes and characters of a tree, and how deep it is. */
function measure(node: AnyNode): { size: number; depth: number } {
  const below = (node.children ?? []).map(measure);
  return {
    size: 1 + (node.value?.length ?? 0) + below.reduce((sum, { size }) => sum + size, 0),
    depth: 1 + Math.max(0, ...below.map(({ depth }) => depth)),
  };
}
