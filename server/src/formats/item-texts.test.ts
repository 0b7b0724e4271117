import type { QuestionDefinition } from '@invigil/core/domain/questions/question-definition';
import { readAll, readOne } from '@invigil/testkit/question-files';
import { describe, expect, it } from 'vitest';
import { readQuestionFile } from './any/detect-format.ts';
import { writeQuestionFile } from './any/write-format.ts';

const only = (text: string, name = 'a.xml') => readOne(readQuestionFile, text, name);
const gift = (text: string) => only(text, 'a.gift');

const moodle = (type: string, inside: string) =>
  only(
    `<quiz><question type="${type}"><questiontext format="html"><text>Which?</text></questiontext>${inside}</question></quiz>`,
  );
const answer = (fraction: number, text: string) =>
  `<answer fraction="${fraction}" format="html"><text><![CDATA[${text}]]></text></answer>`;

const is = (id: string, points: string) =>
  `<respcondition><conditionvar><varequal respident="R">${id}</varequal></conditionvar><setvar>${points}</setvar></respcondition>`;
const qti1 = (
  options: readonly string[],
  rules: string,
  metadata = '',
  material = '<mattext>Which?</mattext>',
) =>
  only(`<questestinterop xmlns:m="http://www.w3.org/1998/Math/MathML"><item ident="i" title="t"><itemmetadata><qtimetadata>${metadata}</qtimetadata></itemmetadata><presentation>
    <material>${material}</material><response_lid ident="R" rcardinality="Single"><render_choice>
    ${options.map((html, i) => `<response_label ident="o${i}"><material><mattext texttype="text/html">${html}</mattext></material></response_label>`).join('')}
    </render_choice></response_lid></presentation><resprocessing><outcomes><decvar maxvalue="100"/></outcomes>${rules}</resprocessing></item></questestinterop>`);
const possible = (points: string) =>
  `<qtimetadatafield><fieldlabel>points_possible</fieldlabel><fieldentry>${points}</fieldentry></qtimetadatafield>`;

describe('notes of an item', () => {
  it('has one that is true for 0 points', async () => {
    const item = await qti1(['a', 'b'], is('o0', '100'), possible('0'));
    expect(item.definition?.points).toBe(0.25);
    expect(item.notes).toEqual(['0 points in the file became 0.25.']);
  });

  it('has one where more points are reached than the file says, with the points it has', async () => {
    const declared = `<outcomeDeclaration identifier="SCORE" cardinality="single" baseType="float" normalMaximum="1"/>`;
    const item =
      await only(`<assessmentItem xmlns="http://www.imsglobal.org/xsd/imsqti_v2p1" identifier="i" title="t" adaptive="false" timeDependent="false">
      <responseDeclaration identifier="RESPONSE" cardinality="single" baseType="identifier"><mapping><mapEntry mapKey="A" mappedValue="1.333"/></mapping></responseDeclaration>
      ${declared}<itemBody><p>Which?</p><choiceInteraction responseIdentifier="RESPONSE" shuffle="true" maxChoices="1">
      <simpleChoice identifier="A">a</simpleChoice><simpleChoice identifier="B">b</simpleChoice></choiceInteraction></itemBody>
      <responseProcessing template="http://www.imsglobal.org/question/qti_v2p1/rptemplates/map_response"/></assessmentItem>`);
    expect(item.definition?.points).toBe(1.33);
    expect(item.notes).toEqual([
      'The file says at most 1 points, while 1.333 are reached; it has 1.33.',
    ]);
  });

  it.each(['{#=3:2#Good}', '{#=3:2 ~#Wrong}', '{#3:2#Good}'])(
    'names feedback in a numeric question of GIFT: %s',
    async (key) => {
      const item = await gift(`How many?${key}`);
      expect(item.notes).toEqual(['Feedback for single answers was left out.']);
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
      await gift(`[html]Which?{=a ~b ~<img src\\="x.png">}`),
    ];
    for (const item of items) {
      expect(item.definition?.options.map(({ text }) => text)).toEqual(['a', 'b']);
      expect(item.notes).toContain(left);
    }
  });

  it('refuses a question whose right option is a missing image, at the end too', async () => {
    const item = await moodle(
      'multichoice',
      answer(0, 'a') + answer(0, 'b') + answer(100, '<img src="x.png">'),
    );
    expect(item.definition).toBeNull();
    expect(item.notes).toEqual(['Option 3: Enter a text for this option.']);
  });

  it('says where the best answer does not earn all points', async () => {
    const note = (percent: string) =>
      `The best answer earns ${percent} % of the points: all of them cannot be reached.`;
    const single = '<single>true</single>';
    expect((await moodle('multichoice', single + answer(50, 'a') + answer(0, 'b'))).notes).toEqual([
      note('50'),
    ]);
    expect((await moodle('shortanswer', answer(33.33333, 'a'))).notes).toEqual([note('33.33')]);
    expect((await gift('How many?{#=%50%3}')).notes).toEqual([note('50')]);
    const several = '<single>false</single>';
    const thirds = [33.33333, 33.33333, 33.33333].map((f, i) => answer(f, `a${i}`));
    expect((await moodle('multichoice', several + thirds.join(''))).notes).toEqual([]);
    const two = several + thirds.slice(1).join('') + answer(0, 'c');
    expect((await moodle('multichoice', two)).notes).toEqual([note('66.67')]);
    expect((await qti1(['a', 'b'], is('o0', '50'), possible('2'))).notes).toEqual([note('50')]);
  });
});

const trueOrFalse = (format: string, text: string) =>
  only(`<quiz><question type="truefalse"><questiontext format="${format}"><text><![CDATA[${text}]]></text></questiontext>
    <answer fraction="100"><text>true</text></answer><answer fraction="0"><text>false</text></answer></question></quiz>`);
const qti2 = (html: string) =>
  only(`<assessmentItem xmlns="http://www.imsglobal.org/xsd/imsqti_v2p1" identifier="i" title="t" adaptive="false" timeDependent="false">
    <responseDeclaration identifier="RESPONSE" cardinality="single" baseType="string"><correctResponse><value>a</value></correctResponse></responseDeclaration>
    <outcomeDeclaration identifier="SCORE" cardinality="single" baseType="float"/>
    <itemBody>${html}<p><textEntryInteraction responseIdentifier="RESPONSE"/></p></itemBody>
    <responseProcessing template="http://www.imsglobal.org/question/qti_v2p1/rptemplates/match_correct"/></assessmentItem>`);

describe('formulas of a file', () => {
  it.each([
    '<m:math><m:msup><m:mi>x</m:mi><m:mn>2</m:mn></m:msup></m:math>',
    '<mattext><math><msup><mi>x</mi><mn>2</mn></msup></math></mattext>',
    '<mat_extension><math><msup><mi>x</mi><mn>2</mn></msup></math></mat_extension>',
  ])('are taken over from the material of QTI 1.2: %s', async (math) => {
    const material = `<mattext>What is </mattext>${math}<mattext>?</mattext>`;
    const item = await qti1(['a', 'b'], is('o0', '100'), possible('1'), material);
    expect(item.definition?.question).toBe(`What is \${x}^{2}$?`);
    expect(item.notes).toEqual([]);
  });

  it('have no delimiters in their TeX', async () => {
    const math =
      '<p>Is <math><semantics><mn>2</mn><annotation encoding="application/x-tex">\\[ 2&gt;1 \\]</annotation></semantics></math>?</p>';
    for (const item of [await qti2(math), await trueOrFalse('html', math)]) {
      expect(item.definition?.question).toBe('Is $2>1$?');
      expect(item.notes).toEqual([]);
    }
  });

  it('are named where the renderer cannot read them', async () => {
    const note = 'A formula cannot be read and is shown as its source: \\frac{1}{\\foo}';
    const text = '<p>Is \\(\\frac{1}{\\foo}\\) one?</p>';
    for (const item of [await qti2(text), await trueOrFalse('html', text)]) {
      expect(item.notes).toEqual([note]);
    }
    const large = await qti2('<p>Is \\(\\rule{30em}{1em}\\) one?</p>');
    expect(large.notes).toEqual(['The formula has a size of 30em. At most 20em are drawn.']);
  });

  it('are counted where a file has nothing but dollars around them', async () => {
    const one = '1 formula was made of what is between dollar signs: x+y';
    expect((await trueOrFalse('markdown', 'What is $x+y$?')).notes).toEqual([one]);
    expect((await gift('[markdown]What is $x+y$?{T}')).notes).toEqual([one]);
    expect((await trueOrFalse('markdown', '$a$, $b$, $c$, $d$')).notes).toEqual([
      '4 formulas were made of what is between dollar signs: a, b, c …',
    ]);
    expect((await trueOrFalse('markdown', 'Is \\\\(x\\\\)s one?')).definition?.question).toBe(
      `Is \${x}$s one?`,
    );
  });

  it.each(['=SUM($A$1:$B$2)', '$PATH:$HOME', '^a$|^b$'])('are not made of %s', async (text) => {
    const escaped = text.replace(/[=:]/g, '\\$&');
    for (const item of [
      await trueOrFalse('markdown', `**What** is ${text}?`),
      await trueOrFalse('html', `<b>What</b> is ${text}?`),
      await gift(`[markdown]**What** is ${escaped}?{T}`),
    ]) {
      expect(item.notes).toEqual([]);
      expect(item.definition?.question.replaceAll('\\', '')).toBe(`**What** is ${text}?`);
    }
  });
});

const itemsOf = async (name: string, bytes: string | Uint8Array) =>
  (await readAll(readQuestionFile, { name, bytes })).items;
const giftItems = (text: string) => itemsOf('a.gift', text);

const CODE = 'for i in x:\n    print(i)\n\n    # end';
const FENCED = `\`\`\`\n${CODE}\n\`\`\``;

describe('lines and their indentation', () => {
  it.each([
    ['html', `<p>What?</p><pre>\n${CODE}\n</pre>`, `What?\n\n${FENCED}`],
    ['html', 'Roses<br>\n  are<br/>red', 'Roses\nare\nred'],
    ['moodle', `What?\n<pre>${CODE}</pre>`, `What?\n\n${FENCED}`],
    ['moodle', 'Roses\n    are red\n\n  violets', 'Roses\n    are red\n\n  violets', true],
    ['moodle', 'Roses<br>\n  are', 'Roses\n  are'],
    ['moodle', '<b>Roses</b>\n  are', '**Roses**\\\n\u00a0\u00a0are'],
    ['plain', `${CODE}`, CODE, true],
    ['markdown', `What?\n\n${FENCED}`, `What?\n\n${FENCED}`, true],
    ['markdown', 'Roses<br>\nare\\\nred', 'Roses\\\nare\\\nred'],
    ['markdown', `What?\n\n<pre>\n${CODE}\n</pre>`, `What?\n\n${FENCED}`, true],
    ['markdown', 'Not `<br>` nor\n\n```\n<br>\n```', 'Not `<br>` nor\n\n```\n<br>\n```', true],
  ])(
    'are those of the file in the format %s: %j',
    async (format, text, wanted, isCutInGift = false) => {
      const names: Record<string, string> = { moodle: 'moodle_auto_format', plain: 'plain_text' };
      const xml = await trueOrFalse(names[format] ?? format, text);
      expect(xml.definition?.question).toBe(wanted);
      const [written] = await giftItems(`::T::[${format}]${text.replace(/[{}~=#:]/g, '\\$&')}{T}`);
      // A blank line outside of code ends a question of GIFT.
      if (isCutInGift) expect(written?.definition).toBeNull();
      else expect(written?.definition?.question).toBe(wanted);
    },
  );

  it('keeps those of options and of a text without a format', async () => {
    const item = await gift('Roses\n  are{\n=red\n  blue\n~[plain]a\n  b\n}');
    expect(item.definition).toMatchObject({
      question: 'Roses\n  are',
      options: [{ text: 'red\n  blue' }, { text: 'a\n  b' }],
    });
  });

  it.each([
    ['```c', '```'],
    ['\\~\\~\\~', '\\~\\~\\~'],
    ['<pre>', '</pre>'],
  ])(
    'does not end a question of GIFT at a blank line or comment between %s and %s',
    async (a, b) => {
      const code = 'int i;\n\n// two\nint j;';
      const format = a.startsWith('<') ? 'html' : 'markdown';
      const items = await giftItems(
        `::A::[${format}]What is it?\n${a}\n${code}\n${b}\n{T}\n\n::B::Next{F}`,
      );
      expect(items.map(({ title }) => title)).toEqual(['A', 'B']);
      expect(items[0]?.definition?.question).toContain(`\n${code}\n`);
      expect(items[1]?.source.line).toBe(10);
    },
  );

  it('takes code without an end for text, and keeps the questions behind it', async () => {
    const items = await giftItems('::A::[markdown]What?\n```\n{T}\n\n::B::Next{F}\n\nLast{T}');
    expect(items.map(({ definition }) => definition?.question)).toEqual([
      'What?\n\n```\n```',
      'Next',
      'Last',
    ]);
  });

  it.each([
    ['moodle_xml', 'plain', 'Roses\n    are  red\n\n\n  violets'],
    ['gift', 'plain', 'Roses\n    are  red\n\n\n  violets'],
    ['qti_3', 'plain', 'Roses\n    are  red\n\n\n  violets'],
    ['moodle_xml', 'markdown', `What?\n\n${FENCED}`],
    ['gift', 'markdown', `What?\n\n${FENCED}`],
    ['qti_3', 'markdown', `What?\n\n${FENCED}`],
    ['gift', 'markdown', '**Roses**\\\n\u00a0\u00a0are'],
    ['qti_3', 'markdown', '**Roses**\\\n\u00a0\u00a0are'],
  ] as const)('come back from our own %s: %s %j', async (file, format, question) => {
    const definition: QuestionDefinition = {
      type: 'true_false',
      format,
      question,
      options: ['True', 'False'].map((text, i) => ({ text, isCorrect: i === 0 })),
      points: 1,
      rule: 'all_or_nothing',
    };
    const bytes = writeQuestionFile(file, [{ definition, tags: [], categoryPath: [] }], () => null);
    const names = { moodle_xml: 'a.xml', gift: 'a.gift', qti_3: 'a.zip' };
    const items = await itemsOf(names[file], bytes);
    expect(items.map((item) => [item.definition, item.notes])).toEqual([[definition, []]]);
  });
});
