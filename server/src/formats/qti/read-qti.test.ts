import { readAll, readOne, zipOf } from '@invigil/testkit/question-files';
import { describe, expect, it } from 'vitest';
import { readQuestionFile } from '../any/detect-format.ts';
import { readQti } from './read-qti.ts';

const PNG = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 1]);

/** An item that is whole, with more in its text or in front of it. */
function item(text = '', before = ''): string {
  return `<assessmentItem xmlns="http://www.imsglobal.org/xsd/imsqti_v2p1" identifier="item" title="An item">
    <responseDeclaration identifier="RESPONSE" cardinality="single" baseType="identifier"><correctResponse><value>B</value></correctResponse></responseDeclaration>${before}
    <itemBody>${text}<choiceInteraction responseIdentifier="RESPONSE" shuffle="true" maxChoices="1"><prompt>Which?</prompt>
    <simpleChoice identifier="A">one</simpleChoice><simpleChoice identifier="B">two</simpleChoice></choiceInteraction></itemBody>
    <responseProcessing template="http://www.imsglobal.org/question/qti_v2p1/rptemplates/match_correct"/></assessmentItem>`;
}

const readItem = (xml: string) => readOne(readQti, xml);

describe('a package', () => {
  const manifest = `<manifest xmlns:m="http://ltsc.ieee.org/xsd/LOM"><resources>
    <resource type="imsqti_item_xmlv2p1" href="a/one.xml"><metadata><m:lom><m:general><m:keyword><m:string>cells</m:string></m:keyword></m:general>
    <m:classification><m:taxonPath><m:source><m:string>s</m:string></m:source><m:taxon><m:entry><m:string>Biology</m:string></m:entry><m:taxon><m:entry><m:string>Cells</m:string></m:entry></m:taxon></m:taxon></m:taxonPath></m:classification></m:lom></metadata></resource>
    </resources></manifest>`;
  const test = `<assessmentTest title="Mock exam"><testPart><assessmentSection title="Part 1">
    <assessmentItemRef href="b/two.xml"/><assessmentItemRef href="a/one.xml"/></assessmentSection></testPart></assessmentTest>`;

  it('has its items in the order of the test, with tags, images and the names of broken files', async () => {
    const file = await readAll(readQti, {
      name: 'package.zip',
      bytes: {
        'imsmanifest.xml': manifest,
        'test.xml': test,
        'a/one.xml': item(
          `<p>See <img src="../images/a%20b.png" alt="A cell"/> and <img src="no.png" alt="x"/></p>`,
        ),
        'b/two.xml': item(),
        'b/broken.xml': '<assessmentItem>\n<p></assessmentItem>',
        'b/other.xml': '<notes/>',
        'images/a b.png': PNG,
      },
    });
    expect(file.format).toBe('qti_2');
    expect(
      file.items.map((i) => [i.source.file, i.source.identifier, i.tags, i.categoryPath]),
    ).toEqual([
      ['b/two.xml', 'item', [], ['Mock exam', 'Part 1']],
      ['a/one.xml', 'item', ['cells', 'Biology / Cells'], ['Mock exam', 'Part 1']],
    ]);
    const [hash] = file.images.keys();
    expect(file.items[1]?.definition?.question).toContain(`![A cell](image:${hash})`);
    expect(file.items[1]?.notes).toEqual([
      'The image “no.png” is not in the file; it was left out.',
    ]);
    expect(file.problems).toEqual([
      expect.stringMatching(/^b\/broken\.xml: Line 2: this is not well-formed XML/),
    ]);
  });

  it('puts a shared text in front of each item that names it', async () => {
    const file = await readAll(readQti, {
      name: 'package.zip',
      bytes: {
        'one.xml': item('', '<assessmentStimulusRef identifier="s" href="text.xml"/>'),
        'text.xml':
          '<qti-assessment-stimulus identifier="s"><qti-stimulus-body><p>Once.</p></qti-stimulus-body></qti-assessment-stimulus>',
      },
    });
    expect(file.items[0]?.definition?.question).toBe('Once.\n\nWhich?');
    expect(file.items[0]?.notes).toEqual([
      'A text that it shares with other items is part of its own text now.',
    ]);
  });

  it.each([
    ['other XML', '<html/>', 'has no QTI items'],
    ['an archive without items', { 'a.txt': 'x' }, 'has no QTI items'],
    ['text', 'hello', 'not well-formed'],
  ])('is refused when it is %s', async (_, bytes, sentence) => {
    await expect(readAll(readQti, { name: 'x', bytes })).rejects.toThrow(sentence);
  });
});

describe('files that are made to take long', () => {
  /** Processor time of this thread. */
  const seconds = async (work: () => Promise<unknown>) => {
    const before = process.threadCpuUsage();
    await work();
    return process.threadCpuUsage(before).user / 1_000_000;
  };

  it('are refused item by item: thousands of options, rules, accepted texts', async () => {
    const choices = Array.from(
      { length: 5_000 },
      (_, i) => `<simpleChoice identifier="c${i}">${i}</simpleChoice>`,
    );
    const many = item().replace(
      '<simpleChoice identifier="A">',
      `${choices.join('')}<simpleChoice identifier="A">`,
    );
    const rule =
      '<responseCondition><responseIf><match><variable identifier="RESPONSE"/><correct identifier="RESPONSE"/></match></responseIf></responseCondition>';
    const rules = item().replace(
      /<responseProcessing.*\/>/,
      `<responseProcessing>${rule.repeat(5_000)}</responseProcessing>`,
    );
    const entries = Array.from(
      { length: 5_000 },
      (_, i) => `<mapEntry mapKey="text ${i}" mappedValue="1"/>`,
    );
    const texts = item()
      .replace('baseType="identifier"', 'baseType="string"')
      .replace(/<correctResponse>.*<\/correctResponse>/, `<mapping>${entries.join('')}</mapping>`)
      .replace(
        /<choiceInteraction[\s\S]*<\/choiceInteraction>/,
        '<p>So? <textEntryInteraction responseIdentifier="RESPONSE"/></p>',
      )
      .replace('match_correct', 'map_response');
    const taken = await seconds(async () => {
      expect((await readItem(many)).notes).toEqual([
        'It has 5002 options; a question has at most 26.',
      ]);
      expect((await readItem(rules)).notes).toEqual([
        'Its response processing is too long to be read.',
      ]);
      expect((await readItem(texts)).notes).toEqual([
        'It compares with 5000 texts or numbers; at most 500 are read.',
      ]);
    });
    expect(taken).toBeLessThan(5);
  });

  it('are read in good time where they are merely long', async () => {
    const files = Object.fromEntries(Array.from({ length: 2_000 }, (_, i) => [`${i}.xml`, item()]));
    const taken = await seconds(async () => {
      const { items } = await readAll(readQti, { name: 'package.zip', bytes: files });
      expect(items).toHaveLength(2_000);
    });
    expect(taken).toBeLessThan(20);
  });
});

const readFiles = (bytes: Record<string, string | Uint8Array>) =>
  readAll(readQuestionFile, { name: 'package.zip', bytes });

describe('a package in a folder', () => {
  it('has its metadata, its order and the images of its root', async () => {
    const manifest = `<manifest><resources><resource href="z.xml"><metadata><lom><general><keyword><string>cells</string></keyword></general></lom></metadata></resource>
      <resource href="a.xml"/></resources></manifest>`;
    const { items } = await readFiles({
      'course/imsmanifest.xml': manifest,
      'course/a.xml': item(),
      'course/z.xml': item('<p><img src="$IMS-CC-FILEBASE$/x.png" alt="X"/></p>'),
      'course/web_resources/x.png': PNG,
    });
    expect(items.map(({ source, tags, notes }) => [source.file, tags, notes])).toEqual([
      ['course/z.xml', ['cells'], []],
      ['course/a.xml', [], []],
    ]);
  });
});

describe('a test', () => {
  const test = `<assessmentTest title="Mock"><testPart><assessmentSection title="Part 1">
    <rubricBlock view="candidate"><p>Read the poem first.</p></rubricBlock>
    <rubricBlock view="scorer"><p>For markers.</p></rubricBlock>
    <assessmentItemRef href="my%20item.xml"/><assessmentItemRef href="gone.xml"/></assessmentSection></testPart></assessmentTest>`;

  it('says which texts and files are not taken over', async () => {
    const { items, problems } = await readFiles({ 'test.xml': test, 'my item.xml': item() });
    expect(items[0]?.categoryPath).toEqual(['Mock', 'Part 1']);
    expect(problems).toEqual([
      'test.xml: The text above the section “Part 1” was left out: Read the poem first.',
      '“gone.xml” is named in the package, but not in it.',
    ]);
  });

  const weight = (value: string, identifier = 'WEIGHT') =>
    `<weight identifier="${identifier}" value="${value}"/>`;
  const scored = (by: string) =>
    `<outcomeProcessing><setOutcomeValue identifier="SCORE"><sum>${by}</sum></setOutcomeValue></outcomeProcessing>`;
  const ALL = scored('<testVariables variableIdentifier="SCORE" weightIdentifier="WEIGHT"/>');
  const ONE = scored('<variable identifier="i.SCORE" weightIdentifier="WEIGHT"/>');

  it.each([
    ['a weight that counts', weight('2'), ALL, 2, []],
    ['one that counts for single items', weight('0.5'), ONE, 0.5, []],
    ['one in a test that does not say how it is scored', weight('3', 'W'), '', 3, []],
    ['no weight', '', ALL, 1, []],
    ['one that does not count', weight('2') + weight('5', 'OTHER'), ALL, 2, []],
    ['a weight of 0', weight('0'), ALL, 1, ['Its weight in the test, 0, was left out.']],
    ['one below 0', weight('-1'), ALL, 1, ['Its weight in the test, -1, was left out.']],
    ['one that is no number', weight('x'), ALL, 1, ['Its weight in the test, x, was left out.']],
    [
      'several',
      weight('2', 'A') + weight('3', 'B'),
      '',
      1,
      ['The test has several weights for it, which were left out.'],
    ],
    ['one that is too small', weight('0.1'), ALL, 0.25, ['0.1 points in the file became 0.25.']],
  ])('multiplies the points of an item with %s', async (_, weights, scoring, points, notes) => {
    const xml = `<assessmentTest><testPart><assessmentSection><assessmentItemRef identifier="i" href="item.xml">${weights}</assessmentItemRef></assessmentSection></testPart>${scoring}</assessmentTest>`;
    const { items } = await readFiles({ 'test.xml': xml, 'item.xml': item() });
    expect([items[0]?.definition?.points, items[0]?.notes]).toEqual([points, notes]);
  });

  it('multiplies the points in QTI 3.0 too, but no weights of options', async () => {
    const xml = `<qti-assessment-test><qti-test-part><qti-assessment-section><qti-assessment-item-ref href="item.xml"><qti-weight identifier="W" value="2"/></qti-assessment-item-ref></qti-assessment-section></qti-test-part>
      <qti-outcome-processing><qti-test-variables variable-identifier="SCORE" weight-identifier="W"/></qti-outcome-processing></qti-assessment-test>`;
    const mapped = item()
      .replace(
        '</correctResponse>',
        '</correctResponse><mapping><mapEntry mapKey="A" mappedValue="1"/><mapEntry mapKey="B" mappedValue="2"/></mapping>',
      )
      .replace('match_correct', 'map_response');
    const { items } = await readFiles({ 'test.xml': xml, 'item.xml': mapped });
    expect(items[0]?.definition).toMatchObject({
      points: 4,
      options: [{ weight: 50 }, { weight: 100 }],
    });
  });

  it('alone is refused with what is missing', async () => {
    await expect(readAll(readQuestionFile, { name: 'test.xml', bytes: test })).rejects.toThrow(
      'Import the package with all of them',
    );
  });
});

describe('a shared text in another folder', () => {
  it.each([
    [
      'a stimulus',
      'passages/text.xml',
      '<qti-assessment-stimulus identifier="s"><qti-stimulus-body><p>Once. <img src="pics/x.png" alt="X"/></p></qti-stimulus-body></qti-assessment-stimulus>',
    ],
    [
      'a page',
      'passages/text.html',
      '<html><body><p>Once. <img alt="X" src=pics/x.png></p></body></html>',
    ],
  ])('that is %s keeps its images', async (_, href, text) => {
    const { items, images } = await readFiles({
      'one.xml': item('', `<assessmentStimulusRef identifier="s" href="${href}"/>`),
      [href]: text,
      'passages/pics/x.png': PNG,
    });
    const [hash] = images.keys();
    expect(items[0]?.definition?.question).toBe(`Once. ![X](image:${hash})\n\nWhich?`);
  });
});

it('names a HEIC photo, which is left out', async () => {
  const heic = '\0\0\0\x18ftypheic\0\0\0\0mif1heic';
  const { items, images } = await readFiles({
    'one.xml': item('<p><img src="a.heic" alt="A cat"/></p>'),
    'a.heic': heic,
  });
  expect(images.size).toBe(0);
  expect(items[0]?.notes).toEqual([
    '“a.heic” is a HEIC photo, which is not read; save it as JPEG. It was left out.',
  ]);
});

it('refuses an archive of archives with what to do', async () => {
  await expect(readFiles({ 'a.zip': zipOf({ 'item.xml': item() }) })).rejects.toThrow('Unpack it');
});

it('names the first two hundred broken files, and how many more there are', async () => {
  const files = Object.fromEntries(Array.from({ length: 250 }, (_, i) => [`${i}.xml`, '<a']));
  const { items, problems } = await readFiles({ 'item.xml': item(), ...files });
  expect(items).toHaveLength(1);
  expect(problems).toHaveLength(201);
  expect(problems.at(-1)).toBe('50 more like these.');
});
