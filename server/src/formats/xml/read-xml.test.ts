import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UnreadableFile } from '../imported-file.ts';
import { readXml } from './read-xml.ts';
import { element, htmlInside, written, xmlFile } from './write-xml.ts';
import { childOf, childrenOf, descendantsOf, textOf, type XmlElement } from './xml-element.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);

function refusal(bytes: Uint8Array): string {
  try {
    readXml(bytes);
  } catch (error) {
    if (error instanceof UnreadableFile) return error.message;
    throw error;
  }
  return 'was read';
}

describe('files that are refused', () => {
  it.each([
    [
      'an unclosed element',
      '<a>\n<b></a>',
      'Line 2: this is not well-formed XML (unexpected close tag',
    ],
    ['a missing end', '<a>\n<b>', 'Line 2: this is not well-formed XML (unclosed tag: b).'],
    [
      'an attribute twice',
      '<a x="1" x="2"/>',
      'Line 1: this is not well-formed XML (duplicate attribute',
    ],
    [
      'text without an element',
      'hello',
      'Line 1: this is not well-formed XML (text data outside of root node',
    ],
    ['nothing', '', 'Line 1: this is not well-formed XML (document must contain a root element'],
    [
      'another encoding',
      '<?xml version="1.0" encoding="klingon"?><a/>',
      'The encoding “klingon” is not known.',
    ],
  ])('says what is wrong with %s', (_, text, sentence) => {
    expect(refusal(utf8(text))).toContain(sentence);
  });

  it('says where bytes are not in the encoding of the file', () => {
    expect(refusal(Uint8Array.of(...utf8('<a>\n'), 0xff, ...utf8('</a>')))).toContain(
      'Near line 1: these bytes are not text',
    );
  });

  it('refuses UTF-32', () => {
    expect(refusal(Uint8Array.of(0xff, 0xfe, 0, 0, 0x3c, 0, 0, 0))).toContain('UTF-32');
  });

  it('refuses entities that a file declares, also nested ones, without expanding them', () => {
    const rows = Array.from(
      { length: 20 },
      (_, i) => `<!ENTITY e${i + 1} "${`&e${i};`.repeat(10)}">`,
    );
    const bomb = `<!DOCTYPE a [<!ENTITY e0 "lol">${rows.join('')}]><a>&e20;</a>`;
    const before = process.threadCpuUsage();
    expect(refusal(utf8(bomb))).toContain('Line 1: the file uses an entity of its own.');
    expect(process.threadCpuUsage(before).user).toBeLessThan(1_000_000);
    expect(
      refusal(utf8('<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>')),
    ).toContain('an entity of its own');
  });

  it('refuses deep nesting, many attributes and too many elements', () => {
    expect(refusal(utf8('<a>'.repeat(100_000)))).toContain('nested more than 200 levels');
    const attributes = Array.from({ length: 1000 }, (_, i) => ` a${i}=""`).join('');
    expect(refusal(utf8(`<a${attributes}/>`))).toContain('more than 200 attributes');
    expect(refusal(utf8(`<a>${'<b/>'.repeat(2_000_000)}</a>`))).toContain(
      'too many elements (more than 125,000)',
    );
  });
});

it.each([
  ['<a>', '</a>'],
  ['<a b="', '"/>'],
  ['<a><!--', '--></a>'],
])('refuses a text that fills the memory, in %s', (start, end) => {
  const bytes = Buffer.alloc(35_000_000, 'x');
  bytes.write(start);
  bytes.write(end, bytes.length - end.length);
  expect(refusal(bytes)).toBe('Line 1: the file has a text of more than 14 million characters.');
});

describe('an XML file', () => {
  it('becomes a tree in the order of the file, with prefixes, lines, CDATA and without comments', () => {
    const root = readXml(
      utf8(
        '<?xml version="1.0"?>\n<!DOCTYPE a SYSTEM "a.dtd">\n<q:a xml:lang="en">one<!-- no --> &amp; <![CDATA[<two>]]>\n<b/>&#x41;</q:a>',
      ),
    );
    expect(root).toEqual({
      name: 'a',
      prefix: 'q',
      attributes: Object.assign(Object.create(null), { 'xml:lang': 'en' }),
      children: [
        'one & <two>\n',
        { name: 'b', prefix: '', attributes: Object.create(null), children: [], line: 4 },
        'A',
      ],
      line: 3,
    });
  });

  it.each(['utf-16le', 'utf-16be'] as const)(
    'is read in %s, with and without a mark',
    (encoding) => {
      const text = '<?xml version="1.0" encoding="UTF-16"?><a>Größe 𝛼</a>';
      const bytes = Buffer.from(text, 'utf16le');
      const marked = Buffer.from(`\ufeff${text}`, 'utf16le');
      for (const form of [bytes, marked]) {
        if (encoding === 'utf-16be') form.swap16();
        expect(textOf(readXml(form))).toBe('Größe 𝛼');
      }
    },
  );

  it('is read with a mark of UTF-8, and in an encoding that it declares', () => {
    expect(textOf(readXml(utf8('\ufeff<a>ä</a>')))).toBe('ä');
    const windows = Buffer.from(
      '<?xml version="1.0" encoding="windows-1252"?><a>\x80 \xe4</a>',
      'latin1',
    );
    expect(textOf(readXml(windows))).toBe('€ ä');
  });

  it('is read with a declaration that is not quite right, and keeps its lines', () => {
    expect(readXml(utf8('\n<?xml version="1.0"encoding="UTF-8"?>\n<a/>')).line).toBe(3);
  });

  it('keeps characters together that lie across two pieces', () => {
    const text = 'é€😀'.repeat(20_000);
    expect(textOf(readXml(utf8(`<a>${text}</a>`)))).toBe(text);
  });

  it('is searched by name', () => {
    const root = readXml(utf8('<a><b><c>1</c></b><c>2</c>x</a>'));
    expect(descendantsOf(root, 'c').map(textOf)).toEqual(['1', '2']);
    expect(childrenOf(root, 'c').map(textOf)).toEqual(['2']);
    expect(childOf(root, 'd')).toBeUndefined();
  });
});

describe('elements given away', () => {
  it('come with what is open around them and do not stay in the tree', () => {
    const seen: string[] = [];
    const onElement = (element: XmlElement, parents: readonly XmlElement[]) =>
      seen.push(`${parents.map((p) => p.attributes.id ?? p.name).join('/')}: ${textOf(element)}`);
    const root = readXml(
      utf8('<a><s id="1"><item>x<item>y</item></item></s><s id="2"><item>z</item></s>end</a>'),
      { elements: ['item'], onElement },
    );
    expect(seen).toEqual(['a/1: xy', 'a/2: z']);
    expect(textOf(root)).toBe('end');
  });

  it('are as many as there are', () => {
    let count = 0;
    const item = '<item><p>1</p><p>2</p><p>3</p></item>';
    readXml(utf8(`<a>${item.repeat(200_000)}</a>`), {
      elements: ['item'],
      onElement: () => {
        count += 1;
      },
    });
    expect(count).toBe(200_000);
  });
});

const read = (text: string) => readXml(new TextEncoder().encode(text));

it('writes any text so that it is read as it was', () => {
  const text = fc
    .string({ unit: 'binary', maxLength: 40 })
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what XML cannot hold
    .filter((t) => !/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]/.test(t));
  fc.assert(
    fc.property(text, (t) => {
      const root = read(xmlFile(element('a', { b: t, none: undefined }, t, element('c', {}, t))));
      expect(root.attributes.b).toBe(t);
      expect(root.attributes).not.toHaveProperty('none');
      expect(textOf(root)).toBe(t + t);
    }),
  );
});

it('replaces what XML cannot hold', () => {
  expect(element('a', {}, 'x\u0001y\ud800').xml).toBe('<a>x\ufffdy\ufffd</a>');
});

it('writes nested content, and an element without content in its short form', () => {
  const list = ['1', '2'].map((n) => element('i', { n: 1 }, n));
  expect(element('a', {}, list, written('<b>x</b>'), null, element('br')).xml).toBe(
    '<a><i n="1">1</i><i n="1">2</i><b>x</b><br/></a>',
  );
});

it('gives the inside of an element as HTML', () => {
  const root = read(
    '<q:a xmlns:q="u"><q:p class="x&quot;">1 &lt; 2<q:br/></q:p><m:math xmlns:m="v"><m:mi/></m:math><fb>no</fb></q:a>',
  );
  expect(htmlInside(root, ({ name }) => (name === 'fb' ? '' : null))).toBe(
    '<p class="x&quot;">1 &lt; 2<br></p><math><mi></mi></math>',
  );
});
