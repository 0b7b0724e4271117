import { readAll } from '@invigil/testkit/running-server';
import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { readQti } from './read-qti.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);
const PNG = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 1]);

/** An item that is whole, with more in its text or in front of it. */
function item(text = '', before = ''): string {
  return `<assessmentItem xmlns="http://www.imsglobal.org/xsd/imsqti_v2p1" identifier="item" title="An item">
    <responseDeclaration identifier="RESPONSE" cardinality="single" baseType="identifier"><correctResponse><value>B</value></correctResponse></responseDeclaration>${before}
    <itemBody>${text}<choiceInteraction responseIdentifier="RESPONSE" shuffle="true" maxChoices="1"><prompt>Which?</prompt>
    <simpleChoice identifier="A">one</simpleChoice><simpleChoice identifier="B">two</simpleChoice></choiceInteraction></itemBody>
    <responseProcessing template="http://www.imsglobal.org/question/qti_v2p1/rptemplates/match_correct"/></assessmentItem>`;
}

async function readOne(xml: string) {
  const { items } = await readAll(readQti, { name: 'item.xml', bytes: utf8(xml) });
  return items[0];
}

describe('a package', () => {
  const manifest = utf8(`<manifest xmlns:m="http://ltsc.ieee.org/xsd/LOM"><resources>
    <resource type="imsqti_item_xmlv2p1" href="a/one.xml"><metadata><m:lom><m:general><m:keyword><m:string>cells</m:string></m:keyword></m:general>
    <m:classification><m:taxonPath><m:source><m:string>s</m:string></m:source><m:taxon><m:entry><m:string>Biology</m:string></m:entry><m:taxon><m:entry><m:string>Cells</m:string></m:entry></m:taxon></m:taxon></m:taxonPath></m:classification></m:lom></metadata></resource>
    </resources></manifest>`);
  const test = utf8(`<assessmentTest title="Mock exam"><testPart><assessmentSection title="Part 1">
    <assessmentItemRef href="b/two.xml"/><assessmentItemRef href="a/one.xml"/></assessmentSection></testPart></assessmentTest>`);

  it('has its items in the order of the test, with tags, images and the names of broken files', async () => {
    const file = await readAll(readQti, {
      name: 'package.zip',
      bytes: zipSync({
        'imsmanifest.xml': manifest,
        'test.xml': test,
        'a/one.xml': utf8(
          item(
            `<p>See <img src="../images/a%20b.png" alt="A cell"/> and <img src="no.png" alt="x"/></p>`,
          ),
        ),
        'b/two.xml': utf8(item()),
        'b/broken.xml': utf8('<assessmentItem>\n<p></assessmentItem>'),
        'b/other.xml': utf8('<notes/>'),
        'images/a b.png': PNG,
      }),
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
      bytes: zipSync({
        'one.xml': utf8(item('', '<assessmentStimulusRef identifier="s" href="text.xml"/>')),
        'text.xml': utf8(
          '<qti-assessment-stimulus identifier="s"><qti-stimulus-body><p>Once.</p></qti-stimulus-body></qti-assessment-stimulus>',
        ),
      }),
    });
    expect(file.items[0]?.definition?.question).toBe('Once.\n\nWhich?');
    expect(file.items[0]?.notes).toEqual([
      'A text that it shares with other items is part of its own text now.',
    ]);
  });

  it.each([
    ['other XML', utf8('<html/>'), 'has no QTI items'],
    ['an archive without items', zipSync({ 'a.txt': utf8('x') }), 'has no QTI items'],
    ['text', utf8('hello'), 'not well-formed'],
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
      expect((await readOne(many))?.notes).toEqual([
        'It has 5002 options; a question has at most 26.',
      ]);
      expect((await readOne(rules))?.notes).toEqual([
        'Its response processing is too long to be read.',
      ]);
      expect((await readOne(texts))?.notes).toEqual([
        'It compares with 5000 texts or numbers; at most 500 are read.',
      ]);
    });
    expect(taken).toBeLessThan(5);
  });

  it('are read in good time where they are merely long', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 2_000 }, (_, i) => [`${i}.xml`, utf8(item())]),
    );
    const taken = await seconds(async () => {
      const { items } = await readAll(readQti, { name: 'package.zip', bytes: zipSync(files) });
      expect(items).toHaveLength(2_000);
    });
    expect(taken).toBeLessThan(20);
  });
});
