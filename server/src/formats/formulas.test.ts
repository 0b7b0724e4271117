import { readAll } from '@invigil/testkit/running-server';
import { describe, expect, it } from 'vitest';
import { readQuestionFile } from './any/detect-format.ts';

async function only(name: string, text: string) {
  const { items } = await readAll(readQuestionFile, {
    name,
    bytes: new TextEncoder().encode(text),
  });
  expect(items).toHaveLength(1);
  return items[0];
}

const moodle = (format: string, text: string) =>
  only(
    'a.xml',
    `<quiz><question type="truefalse"><questiontext format="${format}"><text><![CDATA[${text}]]></text></questiontext>
    <answer fraction="100"><text>true</text></answer><answer fraction="0"><text>false</text></answer></question></quiz>`,
  );
const qti1 = (material: string) =>
  only(
    'a.xml',
    `<questestinterop xmlns:m="http://www.w3.org/1998/Math/MathML"><item ident="i" title="t"><presentation>
    <material>${material}</material>
    <response_str ident="R"><render_fib/></response_str></presentation><resprocessing><outcomes><decvar/></outcomes>
    <respcondition><conditionvar><varequal respident="R">a</varequal></conditionvar><setvar>1</setvar></respcondition>
    </resprocessing></item></questestinterop>`,
  );
const qti2 = (html: string) =>
  only(
    'a.xml',
    `<assessmentItem xmlns="http://www.imsglobal.org/xsd/imsqti_v2p1" identifier="i" title="t" adaptive="false" timeDependent="false">
    <responseDeclaration identifier="RESPONSE" cardinality="single" baseType="string"><correctResponse><value>a</value></correctResponse></responseDeclaration>
    <outcomeDeclaration identifier="SCORE" cardinality="single" baseType="float"/>
    <itemBody>${html}<p><textEntryInteraction responseIdentifier="RESPONSE"/></p></itemBody>
    <responseProcessing template="http://www.imsglobal.org/question/qti_v2p1/rptemplates/match_correct"/></assessmentItem>`,
  );

describe('formulas of a file', () => {
  it.each([
    '<m:math><m:msup><m:mi>x</m:mi><m:mn>2</m:mn></m:msup></m:math>',
    '<mattext><math><msup><mi>x</mi><mn>2</mn></msup></math></mattext>',
    '<mat_extension><math><msup><mi>x</mi><mn>2</mn></msup></math></mat_extension>',
  ])('are taken over from the material of QTI 1.2: %s', async (math) => {
    const item = await qti1(`<mattext>What is </mattext>${math}<mattext>?</mattext>`);
    expect(item?.definition?.question).toBe(`What is \${x}^{2}$?`);
    expect(item?.notes).toEqual([]);
  });

  it('have no delimiters in their TeX', async () => {
    const math =
      '<p>Is <math><semantics><mn>2</mn><annotation encoding="application/x-tex">\\[ 2&gt;1 \\]</annotation></semantics></math>?</p>';
    for (const item of [await qti2(math), await moodle('html', math)]) {
      expect(item?.definition?.question).toBe('Is $2>1$?');
      expect(item?.notes).toEqual([]);
    }
  });

  it('are named where the renderer cannot read them', async () => {
    const note = 'A formula cannot be read and is shown as its source: \\frac{1}{\\foo}';
    const text = '<p>Is \\(\\frac{1}{\\foo}\\) one?</p>';
    for (const item of [await qti2(text), await moodle('html', text)]) {
      expect(item?.notes).toEqual([note]);
    }
    const large = await qti2('<p>Is \\(\\rule{30em}{1em}\\) one?</p>');
    expect(large?.notes).toEqual(['The formula has a size of 30em. At most 20em are drawn.']);
  });

  it('are counted where a file has nothing but dollars around them', async () => {
    const one = '1 formula was made of what is between dollar signs: x+y';
    expect((await moodle('markdown', 'What is $x+y$?'))?.notes).toEqual([one]);
    expect((await only('a.gift', '[markdown]What is $x+y$?{T}'))?.notes).toEqual([one]);
    expect((await moodle('markdown', '$a$, $b$, $c$, $d$'))?.notes).toEqual([
      '4 formulas were made of what is between dollar signs: a, b, c …',
    ]);
    expect((await moodle('markdown', 'Is \\\\(x\\\\)s one?'))?.definition?.question).toBe(
      `Is \${x}$s one?`,
    );
  });

  it.each(['=SUM($A$1:$B$2)', '$PATH:$HOME', '^a$|^b$'])('are not made of %s', async (text) => {
    const escaped = text.replace(/[=:]/g, '\\$&');
    for (const item of [
      await moodle('markdown', `**What** is ${text}?`),
      await moodle('html', `<b>What</b> is ${text}?`),
      await only('a.gift', `[markdown]**What** is ${escaped}?{T}`),
    ]) {
      expect(item?.notes).toEqual([]);
      expect(item?.definition?.question.replaceAll('\\', '')).toBe(`**What** is ${text}?`);
    }
  });
});
