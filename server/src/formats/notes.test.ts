import { readAll } from '@invigil/testkit/running-server';
import { describe, expect, it } from 'vitest';
import { readQuestionFile } from './any/detect-format.ts';

async function only(name: string, text: string) {
  const bytes = new TextEncoder().encode(text);
  const { items } = await readAll(readQuestionFile, { name, bytes });
  expect(items).toHaveLength(1);
  return items[0];
}

const moodle = (type: string, inside: string) =>
  only(
    'a.xml',
    `<quiz><question type="${type}"><questiontext format="html"><text>Which?</text></questiontext>${inside}</question></quiz>`,
  );
const answer = (fraction: number, text: string) =>
  `<answer fraction="${fraction}" format="html"><text><![CDATA[${text}]]></text></answer>`;

const is = (id: string, points: string) =>
  `<respcondition><conditionvar><varequal respident="R">${id}</varequal></conditionvar><setvar>${points}</setvar></respcondition>`;
const qti1 = (options: readonly string[], rules: string, metadata = '') =>
  only(
    'a.xml',
    `<questestinterop><item ident="i" title="t"><itemmetadata><qtimetadata>${metadata}</qtimetadata></itemmetadata><presentation>
    <material><mattext>Which?</mattext></material><response_lid ident="R" rcardinality="Single"><render_choice>
    ${options.map((html, i) => `<response_label ident="o${i}"><material><mattext texttype="text/html">${html}</mattext></material></response_label>`).join('')}
    </render_choice></response_lid></presentation><resprocessing><outcomes><decvar maxvalue="100"/></outcomes>${rules}</resprocessing></item></questestinterop>`,
  );
const possible = (points: string) =>
  `<qtimetadatafield><fieldlabel>points_possible</fieldlabel><fieldentry>${points}</fieldentry></qtimetadatafield>`;

describe('notes of an item', () => {
  it('has one that is true for 0 points', async () => {
    const item = await qti1(['a', 'b'], is('o0', '100'), possible('0'));
    expect(item?.definition?.points).toBe(0.25);
    expect(item?.notes).toEqual(['0 points in the file became 0.25.']);
  });

  it('has one where more points are reached than the file says, with the points it has', async () => {
    const declared = `<outcomeDeclaration identifier="SCORE" cardinality="single" baseType="float" normalMaximum="1"/>`;
    const item = await only(
      'a.xml',
      `<assessmentItem xmlns="http://www.imsglobal.org/xsd/imsqti_v2p1" identifier="i" title="t" adaptive="false" timeDependent="false">
      <responseDeclaration identifier="RESPONSE" cardinality="single" baseType="identifier"><mapping><mapEntry mapKey="A" mappedValue="1.333"/></mapping></responseDeclaration>
      ${declared}<itemBody><p>Which?</p><choiceInteraction responseIdentifier="RESPONSE" shuffle="true" maxChoices="1">
      <simpleChoice identifier="A">a</simpleChoice><simpleChoice identifier="B">b</simpleChoice></choiceInteraction></itemBody>
      <responseProcessing template="http://www.imsglobal.org/question/qti_v2p1/rptemplates/map_response"/></assessmentItem>`,
    );
    expect(item?.definition?.points).toBe(1.33);
    expect(item?.notes).toEqual([
      'The file says at most 1 points, while 1.333 are reached; it has 1.33.',
    ]);
  });

  it.each(['{#=3:2#Good}', '{#=3:2 ~#Wrong}', '{#3:2#Good}'])(
    'names feedback in a numeric question of GIFT: %s',
    async (key) => {
      const item = await only('a.gift', `How many?${key}`);
      expect(item?.notes).toEqual(['Feedback for single answers was left out.']);
    },
  );

  it('names options at the end that were nothing but a missing image', async () => {
    const left = 'An option that was nothing but an image that is missing was left out.';
    const image = '<img src="x.png">';
    const html = image.replace('<', '&lt;');
    const items = [
      await moodle(
        'multichoice',
        [100, 0, 0].map((f, i) => answer(f, ['a', 'b', image][i] ?? '')).join(''),
      ),
      await qti1(['a', 'b', html], is('o0', '100'), possible('1')),
      await only('a.gift', `[html]Which?{=a ~b ~<img src\\="x.png">}`),
    ];
    for (const item of items) {
      expect(item?.definition?.options.map(({ text }) => text)).toEqual(['a', 'b']);
      expect(item?.notes).toContain(left);
    }
  });

  it('refuses a question whose right option is a missing image, at the end too', async () => {
    const item = await moodle(
      'multichoice',
      answer(0, 'a') + answer(0, 'b') + answer(100, '<img src="x.png">'),
    );
    expect(item?.definition).toBeNull();
    expect(item?.notes).toEqual(['Option 3: Enter a text for this option.']);
  });

  it('says where the best answer does not earn all points', async () => {
    const note = (percent: string) =>
      `The best answer earns ${percent} % of the points: all of them cannot be reached.`;
    const single = '<single>true</single>';
    expect((await moodle('multichoice', single + answer(50, 'a') + answer(0, 'b')))?.notes).toEqual(
      [note('50')],
    );
    expect((await moodle('shortanswer', answer(33.33333, 'a')))?.notes).toEqual([note('33.33')]);
    expect((await only('a.gift', 'How many?{#=%50%3}'))?.notes).toEqual([note('50')]);
    const several = '<single>false</single>';
    const thirds = [33.33333, 33.33333, 33.33333].map((f, i) => answer(f, `a${i}`));
    expect((await moodle('multichoice', several + thirds.join('')))?.notes).toEqual([]);
    const two = several + thirds.slice(1).join('') + answer(0, 'c');
    expect((await moodle('multichoice', two))?.notes).toEqual([note('66.67')]);
    expect((await qti1(['a', 'b'], is('o0', '50'), possible('2')))?.notes).toEqual([note('50')]);
  });
});
