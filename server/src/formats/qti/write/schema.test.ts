import { IMAGE, questionsHeldBy } from '@invigil/testkit/generated-questions';
import { inForm } from '@invigil/testkit/test-form';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openArchive } from '../../archive/read-archive.ts';
import { readXml } from '../../xml/read-xml.ts';
import { childrenOf, descendantsOf, type XmlElement } from '../../xml/xml-element.ts';
import { writeQti3 } from './write-package.ts';

/** Order and occurrence of children as the schema of QTI 3.0 (ASI) has them, for what is written here. */
const CHILDREN: Record<string, RegExp> = {
  'qti-assessment-item':
    /^(qti-response-declaration )*(qti-outcome-declaration )*(qti-item-body )?(qti-response-processing )?(qti-modal-feedback )*$/,
  'qti-response-declaration': /^(qti-correct-response )?(qti-mapping )?$/,
  'qti-outcome-declaration': /^(qti-default-value )?$/,
  'qti-correct-response': /^(qti-value )+$/,
  'qti-mapping': /^(qti-map-entry )+$/,
  'qti-choice-interaction': /^(qti-prompt )?(qti-simple-choice )+$/,
  'qti-item-body': /^((p|ul|ol|pre|blockquote|table|hr|div|figure|qti-choice-interaction) )*$/,
  figure: /^img figcaption $/,
  'qti-modal-feedback': /^qti-content-body $/,
  'qti-response-processing': /^(qti-(response-condition|set-outcome-value) )*$/,
  'qti-response-condition': /^qti-response-if (qti-response-else-if )*(qti-response-else )?$/,
  'qti-response-if': /^qti-(match|gt|not|and|equal) (qti-set-outcome-value )+$/,
  'qti-set-outcome-value': /^qti-\S+ $/,
  'qti-divide': /^\S+ \S+ $/,
};
const REQUIRED: Record<string, string[]> = {
  'qti-assessment-item': ['identifier', 'title', 'time-dependent'],
  'qti-response-declaration': ['identifier', 'cardinality', 'base-type'],
  'qti-outcome-declaration': ['identifier', 'cardinality', 'base-type'],
  'qti-map-entry': ['map-key', 'mapped-value'],
  'qti-choice-interaction': ['response-identifier', 'max-choices'],
  'qti-simple-choice': ['identifier'],
  'qti-text-entry-interaction': ['response-identifier'],
  'qti-modal-feedback': ['outcome-identifier', 'show-hide', 'identifier'],
  'qti-equal': ['tolerance-mode'],
};

/** Attributes of HTML in QTI 3.0, as far as they are written: neither `style` nor the `title` of an image. */
const OF_HTML: Record<string, string[]> = {
  img: ['src', 'alt'],
  a: ['href'],
  ol: ['start'],
  code: ['class'],
  th: ['class'],
  td: ['class'],
};

const everythingIn = (element: XmlElement): XmlElement[] =>
  childrenOf(element).flatMap((child) => [child, ...everythingIn(child)]);

it('has elements, their order and attributes as the schema wants them', async () => {
  const sample = fc.sample(questionsHeldBy('qti_3'), {
    numRuns: inForm({ short: 60, long: 200 }),
    seed: 7,
  });
  const archive = await openArchive(
    Buffer.concat([
      ...writeQti3(
        sample.map((question) => ({ ...question, tags: ['a'], categoryPath: ['b'], title: '' })),
        () => IMAGE,
      ),
    ]),
  );
  for (const path of archive.paths.filter((name) => name.startsWith('items/'))) {
    const root = readXml(await archive.read(path));
    expect(root.attributes.xmlns).toBe('http://www.imsglobal.org/xsd/imsqtiasi_v3p0');
    const all = [root, ...descendantsOf(root, ...Object.keys(CHILDREN), ...Object.keys(REQUIRED))];
    for (const element of all) {
      const names = childrenOf(element)
        .map((child) => `${child.name} `)
        .join('');
      expect(names).toMatch(CHILDREN[element.name] ?? /^/);
      for (const name of REQUIRED[element.name] ?? [])
        expect(element.attributes).toHaveProperty(name);
      expect(element.attributes.identifier ?? 'a').toMatch(/^[A-Za-z_][\w.-]*$/);
    }
    const html = descendantsOf(root, 'qti-item-body', 'qti-content-body').flatMap(everythingIn);
    for (const { name, attributes } of html.filter((node) => !node.name.startsWith('qti-'))) {
      expect(OF_HTML[name] ?? []).toEqual(expect.arrayContaining(Object.keys(attributes)));
    }
  }
  const manifest = readXml(await archive.read('imsmanifest.xml'));
  expect(childrenOf(manifest).map((child) => child.name)).toEqual([
    'metadata',
    'organizations',
    'resources',
  ]);
  const hrefs = descendantsOf(manifest, 'file').map((file) => file.attributes.href ?? '');
  expect(hrefs.every((href) => archive.has(href))).toBe(true);
});
