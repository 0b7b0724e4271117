import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readXml } from './read-xml.ts';
import { element, htmlInside, written, xmlFile } from './write-xml.ts';
import { textOf } from './xml-element.ts';

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
