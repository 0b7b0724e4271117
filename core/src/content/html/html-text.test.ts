import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inOneFormat, markdownFromHtml, markdownFromPlain } from './html-text.ts';
import { htmlFromMarkdown, normalizeMarkdown } from './write-html.ts';

const HASH = 'a'.repeat(64);
const read = (html: string) =>
  markdownFromHtml(html, (src) => (src === 'missing.png' ? null : `image:${HASH}`));
const text = (html: string) => read(html).text;

describe('text without markup', () => {
  it.each([
    ['What is 2*3?', 'What is 2*3?'],
    ['<p>What is 2 &lt; 3 &amp; 4?</p>', 'What is 2 < 3 & 4?'],
    ['<p dir="ltr"><span style="font-size: 12pt">One</span>\n two</p>', 'One two'],
    ['<p>One</p><p>Two<br>three</p><p>&nbsp;</p>', 'One\n\nTwo\nthree'],
    ['<div>One</div><div>Two</div>', 'One\n\nTwo'],
    ['One<!-- hidden <p> --><script>alert(1)</script> two', 'One two'],
    ['It costs $5 and $6', 'It costs $5 and $6'],
    ['a < b and c > d', 'a < b and c > d'],
    ['&#150;&#x41;&unknown;&eacute;', '–A&unknown;é'],
    ['H<sub>2</sub>O, m<sup>2</sup>', 'H₂O, m²'],
    ['<p>unclosed <p>paragraphs', 'unclosed\n\nparagraphs'],
    ['', ''],
  ])('%j', (html, wanted) => {
    expect(read(html)).toEqual({ text: wanted, format: 'plain', notes: [] });
  });
});

describe('markup', () => {
  it.each([
    ['<p>A <b>bold </b>and <em>slanted</em> word</p>', 'A **bold** and *slanted* word'],
    ['<h2>Title</h2><p>Text</p>', '**Title**\n\nText'],
    ['<p>2 * 3 costs $5</p><hr>', '2 \\* 3 costs \\$5\n\n---'],
    ['<ul><li>one</li><li>two<ol start="3"><li>x</ol></ul>', '- one\n- two\n\n  3. x'],
    [
      '<pre><code class="language-c">int a;\n\nint b;\n</code></pre>',
      '```c\nint a;\n\nint b;\n```',
    ],
    ['use <code>a &lt; `b`</code>', 'use `` a < `b` ``'],
    ['<blockquote><p>Quoted</p></blockquote>', '> Quoted'],
    ['<a href="https://example.org/">here</a>', '[here](https://example.org/)'],
    ['<img src="a.png" alt="A cat">', `![A cat](image:${HASH})`],
    [
      '<figure><img src="a.png" alt="A cat"><figcaption>Figure 1</figcaption></figure>',
      `![A cat](image:${HASH} "Figure 1")`,
    ],
    [
      '<table><tr><th>a</th><th>b</th></tr><tr><td>1 | 2</td><td align="right">3</td></tr></table>',
      '| a | b |\n| - | -: |\n| 1 \\| 2 | 3 |',
    ],
    ['<table><tr><td>a</td></tr><tr><td>b</td></tr></table>', '| |\n| - |\n| a |\n| b |'],
    ['<table><tr><td><p>Layout</p><hr></td></tr></table>', 'Layout\n\n---'],
    ['<b><p>One</p><p>Two</p></b>', '**One**\n\n**Two**'],
  ])('%j', (html, wanted) => {
    expect(read(html)).toEqual({ text: wanted, format: 'markdown', notes: [] });
  });
});

describe('formulas', () => {
  it.each([
    ['<p>If \\(a &lt; b\\) then</p>', 'If $a < b$ then'],
    ['<p>So \\[x^2\\] and $$y$$</p>', 'So\n\n$$\nx^2\n$$\n\nand\n\n$$\ny\n$$'],
    ['<img class="equation_image" data-equation-content="\\frac12" alt="LaTeX: x">', '$\\frac12$'],
    ['<script type="math/tex">x_1</script>', '$x_1$'],
    ['<math alttext="x+1"><mi>x</mi></math>', '$x+1$'],
    [
      '<math><semantics><mi>x</mi><annotation encoding="application/x-tex">x^2</annotation></semantics></math>',
      '$x^2$',
    ],
    [
      '<m:math><m:mfrac><m:mn>1</m:mn><m:msqrt><m:mi>x</m:mi></m:msqrt></m:mfrac></m:math>',
      '$\\frac{1}{\\sqrt{x}}$',
    ],
    [
      '<math><munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover><msup><mi>i</mi><mn>2</mn></msup></math>',
      '$∑_{i=1}^{n}{i}^{2}$',
    ],
    ['<math><mi>sin</mi><mi>x</mi></math>', '$\\sin x$'],
    ['\\(x\\)\\(y\\)', '$x$ $y$'],
    ['v<sub>max</sub>', 'v$_{\\text{max}}$'],
    // Dollars between letters make a formula only if a sign of TeX is between them.
    ['the \\(n\\)th, \\(x+1\\)s, f\\(ab\\)', `the $n$th, \${x+1}$s, f\${ab}$`],
  ])('%j', (html, wanted) => {
    expect(read(html)).toEqual({ text: wanted, format: 'markdown', notes: [] });
  });

  it.each(['\\[ 2>1 \\]', '$2>1$', '$$ 2>1 $$', '\\(2>1\\)', '\\[{\\displaystyle 2>1}\\]'])(
    'takes the delimiters off the TeX of a formula: %s',
    (tex) => {
      const annotation = `<annotation encoding="application/x-tex">${tex}</annotation>`;
      expect(text(`<math><semantics><mn>2</mn>${annotation}</semantics></math>`)).toBe('$2>1$');
      expect(text(`<math alttext="${tex}"><mn>2</mn></math>`)).toBe('$2>1$');
    },
  );

  it('takes the delimiters off the TeX of an image, and leaves two formulas alone', () => {
    expect(text('<img class="equation_image" data-equation-content="$2>1$">')).toBe('$2>1$');
    expect(text('<math alttext="$a$ or $b$"><mn>2</mn></math>')).toBe('$\\(a\\) or \\(b\\)$');
  });

  it('leaves a delimiter without its end as it is', () => {
    expect(read('a \\( b').text).toBe('a \\( b');
  });

  it('names what it cannot convert', () => {
    expect(read('<math><mmultiscripts><mi>x</mi></mmultiscripts></math>').notes).toEqual([
      'A formula uses <mmultiscripts> of MathML, which could not be converted. Check the formula.',
    ]);
  });
});

describe('what is lost', () => {
  it.each([
    ['<u>x</u>', 'x', '<u> was removed; the text inside it was kept.'],
    ['x<video src="a"></video>', 'x', '<video> cannot be shown and was left out.'],
    [
      '<a href="@@PLUGINFILE@@/a.pdf">x</a>',
      'x',
      'A link to a file or page of the other system was removed.',
    ],
    [
      '<a href="javascript:alert(1)">x</a>',
      'x',
      'A link to a file or page of the other system was removed.',
    ],
    [
      'x <img src="missing.png" alt="cat">',
      'x cat',
      'The image "missing.png" is not in the file and was left out.',
    ],
    ['<span style="color: red">x</span>', 'x', 'Text colors were removed.'],
  ])('%j', (html, wanted, note) => {
    expect(read(html)).toMatchObject({ text: wanted, format: 'plain', notes: [note] });
  });

  it('tells notes about missing images from others', () => {
    const { notes, imageNotes } = read('<u>x</u> <img src="missing.png">');
    expect(notes).toHaveLength(2);
    expect(imageNotes).toEqual(['The image "missing.png" is not in the file and was left out.']);
  });

  it('takes the file name for a missing alternative text, with a note', () => {
    const { text: converted, notes } = read('<img src="dir/my%20cat.png">');
    expect(converted).toBe(`![my cat](image:${HASH})`);
    expect(notes).toEqual([
      'An image has no alternative text. Write one; until then its file name is used.',
    ]);
  });

  it.each([
    `images/${HASH}.webp`,
    'files/9e107d9d372bb6826bd81d3542a419d6.png',
    'data:image/png;base64,AAAA',
  ])('does not take %s for a name', (src) => {
    const { text: converted, notes } = read(`<img src="${src}">`);
    expect(converted).toBe(`![Image](image:${HASH})`);
    expect(notes).toEqual([
      'An image has no alternative text. Write one; until then it is “Image”.',
    ]);
  });

  it('puts an alternative text that runs over lines on one', () => {
    expect(text('<img src="a.png" alt="A\n  cat">')).toBe(`![A cat](image:${HASH})`);
    expect(text('<img src="missing.png" alt="A\n  cat">')).toBe('A cat');
    expect(normalizeMarkdown(`![A\ncat](image:${HASH} "Figure\n1")`)).toBe(
      `![A cat](image:${HASH} "Figure 1")`,
    );
  });
});

describe('pasted content', () => {
  it('reads what Word puts on the clipboard', () => {
    const word = `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style><!-- p.MsoNormal {margin:0} --></style>
<xml><o:OfficeDocumentSettings></o:OfficeDocumentSettings></xml></head><body lang=EN-US>
<!--StartFragment--><p class=MsoNormal><b><span style='color:black'>Which of these<o:p></o:p></span></b></p>
<p class=MsoListParagraphCxSpFirst style='text-indent:-.25in;mso-list:l0 level1 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>1.<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span><![endif]>First</p>
<p class=MsoListParagraphCxSpLast style='mso-list:l0 level2 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>·</span><![endif]>Inner</p>
<p class=MsoNormal><o:p>&nbsp;</o:p></p><!--EndFragment--></body></html>`;
    expect(read(word)).toEqual({
      text: '**Which of these**\n\n1. First\n   - Inner',
      format: 'markdown',
      notes: [],
    });
  });

  it('reads what Google Docs puts on the clipboard', () => {
    const docs =
      '<meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-1"><p dir="ltr"><span style="font-weight:400;color:#000000">A </span><span style="font-weight:700">bold</span><span style="font-style:italic"> word</span></p></b>';
    expect(read(docs)).toEqual({ text: 'A **bold** *word*', format: 'markdown', notes: [] });
  });

  it('passes an image in the address itself on whole', () => {
    const src = `data:image/png;base64,${'QUJD'.repeat(50)}`;
    const seen: string[] = [];
    markdownFromHtml(`<img src="${src}" alt="x">`, (s) => {
      seen.push(s);
      return null;
    });
    expect(seen).toEqual([src]);
  });
});

describe('hostile HTML', () => {
  const many = 60_000;
  it.each([
    ['deep elements', '<div>'.repeat(many)],
    ['deeper elements', '<i>'.repeat(100_000)],
    ['a megabyte', '<p>a <b>b</b>'.repeat(80_000)],
    ['deep marks and paragraphs', '<b><i>'.repeat(200) + '<p>x'.repeat(many)],
    ['deep lists', '<ul><li>'.repeat(many / 2)],
    ['unclosed tags', '<a '.repeat(many)],
    ['quotes that do not match', '<a ">" '.repeat(many)],
    ['unclosed comments', '<!--'.repeat(many)],
    ['unclosed formulas', '\\('.repeat(many)],
    ['many formulas', '\\(x\\)'.repeat(many)],
    ['many ends', '</p>'.repeat(many)],
    ['unclosed scripts', '<script>'.repeat(many)],
    ['a wide cell', `<table><tr>${'<td colspan=99999>x'.repeat(20_000)}</table>`],
    ['deep tables', '<table><tr><td>a<td>'.repeat(10_000)],
    ['many signs', '*_`$[]<&'.repeat(many / 2)],
    ['deep math', `<math>${'<msup><mi>x</mi>'.repeat(10_000)}`],
    ['many images', '<img src=a alt=b>'.repeat(15_000)],
    ['many attributes', `<p ${'a=1 '.repeat(many)}>x`],
  ])('%s end soon', (_, html) => {
    const start = process.cpuUsage();
    read(html);
    expect(process.cpuUsage(start).user / 1_000).toBeLessThan(3_000);
  });
});

describe('writing', () => {
  const html = (markdown: string) =>
    htmlFromMarkdown(markdown, (hash) => `${hash.slice(0, 4)}.png`);

  it('writes well-formed XHTML', () => {
    expect(html(`A **b** $a<b$ ![x "y"](image:${HASH} "Cap")\\\nnext`)).toBe(
      '<p>A <strong>b</strong> \\(a&lt;b\\) <img src="aaaa.png" alt="x &quot;y&quot;" title="Cap"/><br/>next</p>',
    );
    expect(html('<b>no tag</b> <!-- x -->')).toBe(
      '<p>&lt;b&gt;no tag&lt;/b&gt; &lt;!-- x --&gt;</p>',
    );
  });

  it.each([
    '**a** *b* `c` [d](https://e.f/)',
    'One\\\ntwo\n\nThree',
    '- a\n- b\n  - c',
    '3. a\n4. b',
    '- a\n\n  b\n\n- c',
    '- a\n\n  ```js\n  x\n  ```',
    '> a\n>\n> - b',
    '| a | b |\n| :- | -: |\n| 1 | $x$ |',
    'x $a_1 \\lt b$\n\n$$\n\\sum_{i} x\n$$',
    'so $\\text{if \\(x\\)}$',
    'A literal \\\\(x\\\\) and \\$\\$y\\$\\$',
    `![alt](image:${HASH} "caption")\n\n---\n\ny`,
  ])('gives %j again', (markdown) => {
    expect(normalizeMarkdown(markdown)).toBe(markdown);
  });

  it('writes captions and columns for QTI as its schema has them, and reads them', () => {
    const image = `![A cat](image:${HASH} "Figure 1")`;
    const qti = (markdown: string) => htmlFromMarkdown(markdown, (hash) => `image:${hash}`, true);
    expect(qti(image)).toBe(
      `<figure><img src="image:${HASH}" alt="A cat"/><figcaption>Figure 1</figcaption></figure>`,
    );
    expect(qti(`See ${image}.`)).toBe(
      `<p>See <img src="image:${HASH}" alt="A cat"/> (Figure 1).</p>`,
    );
    for (const markdown of [image, `- ${image}\n- b`, '| a | b |\n| :- | -: |\n| 1 | 2 |']) {
      expect(qti(markdown)).not.toMatch(/ (?:title|style)=/);
      expect(markdownFromHtml(qti(markdown), (src) => src).text).toBe(markdown);
    }
  });

  it.each([true, false])('keeps the width of an image (QTI: %s)', (isQti) => {
    const markdown = `![A cat](image:${HASH}#50)`;
    const html = htmlFromMarkdown(markdown, (hash) => `image:${hash}`, isQti);
    expect(html).toContain('width="50%"');
    expect(markdownFromHtml(html, (src) => src).text).toBe(markdown);
  });

  it.each([
    ['3%', '#25'],
    ['37%', '#25'],
    ['38%', '#50'],
    ['67%', '#75'],
    ['100%', '#100'],
    ['300', ''],
    ['300px', ''],
  ])('reads the width %j', (width, expected) => {
    const html = `<img src="a.png" alt="A" width="${width}">`;
    expect(markdownFromHtml(html, () => `image:${HASH}`).text).toBe(
      `![A](image:${HASH}${expected})`,
    );
  });

  it('changes the spelling only', () => {
    expect(normalizeMarkdown('# Title\n\n* a\n* _b_\nc')).toBe('**Title**\n\n- a\n- *b* c');
  });
});

describe('one format for all texts of a question', () => {
  it('turns plain texts into Markdown where one text needs it', () => {
    expect(inOneFormat([read('2*3*4'), read('<b>x</b>')])).toEqual({
      format: 'markdown',
      texts: ['2\\*3\\*4', '**x**'],
    });
    expect(inOneFormat([read('2*3*4')])).toEqual({ format: 'plain', texts: ['2*3*4'] });
  });

  it('keeps lines and signs of a plain text', () => {
    expect(markdownFromPlain('a_b_ $1\n1. c\n\n# d')).toBe('a_b\\_ \\$1\\\n1\\. c\n\n\\# d');
    expect(text(htmlFromMarkdown(markdownFromPlain('a\n1. c\n\n# d'), String))).toBe(
      'a\n1. c\n\n# d',
    );
  });
});

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
