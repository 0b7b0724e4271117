import { readAll } from '@invigil/testkit/running-server';
import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { readQuestionFile } from '../any/detect-format.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);
const PNG = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 1]);
const read = (files: Record<string, Uint8Array>, name = 'package.zip') =>
  readAll(readQuestionFile, { name, bytes: zipSync(files) });

const item = (before = '', text = '') =>
  utf8(`<assessmentItem xmlns="http://www.imsglobal.org/xsd/imsqti_v2p1" identifier="item" title="An item">
  <responseDeclaration identifier="RESPONSE" cardinality="single" baseType="identifier"><correctResponse><value>B</value></correctResponse></responseDeclaration>${before}
  <itemBody>${text}<choiceInteraction responseIdentifier="RESPONSE" shuffle="true" maxChoices="1"><prompt>Which?</prompt>
  <simpleChoice identifier="A">one</simpleChoice><simpleChoice identifier="B">two</simpleChoice></choiceInteraction></itemBody>
  <responseProcessing template="http://www.imsglobal.org/question/qti_v2p1/rptemplates/match_correct"/></assessmentItem>`);

describe('a package in a folder', () => {
  it('has its metadata, its order and the images of its root', async () => {
    const manifest =
      utf8(`<manifest><resources><resource href="z.xml"><metadata><lom><general><keyword><string>cells</string></keyword></general></lom></metadata></resource>
      <resource href="a.xml"/></resources></manifest>`);
    const { items } = await read({
      'course/imsmanifest.xml': manifest,
      'course/a.xml': item(),
      'course/z.xml': item('', '<p><img src="$IMS-CC-FILEBASE$/x.png" alt="X"/></p>'),
      'course/web_resources/x.png': PNG,
    });
    expect(items.map(({ source, tags, notes }) => [source.file, tags, notes])).toEqual([
      ['course/z.xml', ['cells'], []],
      ['course/a.xml', [], []],
    ]);
  });
});

describe('a test', () => {
  const test = utf8(`<assessmentTest title="Mock"><testPart><assessmentSection title="Part 1">
    <rubricBlock view="candidate"><p>Read the poem first.</p></rubricBlock>
    <rubricBlock view="scorer"><p>For markers.</p></rubricBlock>
    <assessmentItemRef href="my%20item.xml"/><assessmentItemRef href="gone.xml"/></assessmentSection></testPart></assessmentTest>`);

  it('says which texts and files are not taken over', async () => {
    const { items, problems } = await read({ 'test.xml': test, 'my item.xml': item() });
    expect(items[0]?.categoryPath).toEqual(['Mock', 'Part 1']);
    expect(problems).toEqual([
      'test.xml: The text above the section “Part 1” was left out: Read the poem first.',
      '“gone.xml” is named in the package, but not in it.',
    ]);
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
    const { items, images } = await read({
      'one.xml': item(`<assessmentStimulusRef identifier="s" href="${href}"/>`),
      [href]: utf8(text),
      'passages/pics/x.png': PNG,
    });
    const [hash] = images.keys();
    expect(items[0]?.definition?.question).toBe(`Once. ![X](image:${hash})\n\nWhich?`);
  });
});

it('names a HEIC photo, which is left out', async () => {
  const heic = utf8('\0\0\0\x18ftypheic\0\0\0\0mif1heic');
  const { items, images } = await read({
    'one.xml': item('', '<p><img src="a.heic" alt="A cat"/></p>'),
    'a.heic': heic,
  });
  expect(images.size).toBe(0);
  expect(items[0]?.notes).toEqual([
    '“a.heic” is a HEIC photo, which is not read; save it as JPEG. It was left out.',
  ]);
});

it('refuses an archive of archives with what to do', async () => {
  await expect(read({ 'a.zip': zipSync({ 'item.xml': item() }) })).rejects.toThrow('Unpack it');
});

it('names the first two hundred broken files, and how many more there are', async () => {
  const files = Object.fromEntries(Array.from({ length: 250 }, (_, i) => [`${i}.xml`, utf8('<a')]));
  const { items, problems } = await read({ 'item.xml': item(), ...files });
  expect(items).toHaveLength(1);
  expect(problems).toHaveLength(201);
  expect(problems.at(-1)).toBe('50 more like these.');
});
