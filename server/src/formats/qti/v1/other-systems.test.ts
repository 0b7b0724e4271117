import { readAll } from '@invigil/testkit/running-server';
import { describe, expect, it } from 'vitest';
import { readQti } from '../read-qti.ts';

async function readOne(xml: string) {
  const bytes = new TextEncoder().encode(`<questestinterop>${xml}</questestinterop>`);
  const { items } = await readAll(readQti, { name: 'pool.xml', bytes });
  expect(items).toHaveLength(1);
  return items[0];
}

describe('items of Blackboard', () => {
  const text = (html: string) =>
    `<material><mat_extension><mat_formattedtext type="HTML">${html}</mat_formattedtext></mat_extension></material>`;
  const label = (id: string, html: string) =>
    `<flow_label class="Block"><response_label ident="${id}"><flow_mat class="FORMATTED_TEXT_BLOCK">${text(html)}</flow_mat><flow_mat class="FILE_BLOCK"><material/></flow_mat></response_label></flow_label>`;
  const item = (type: string, cardinality: string, condition: string, max = ' maxvalue="4.0"') =>
    `<item maxattempts="0"><itemmetadata><bbmd_questiontype>${type}</bbmd_questiontype><qmd_absolutescore_max>4.0</qmd_absolutescore_max><qmd_weighting>0.0</qmd_weighting></itemmetadata>
    <presentation><flow class="QUESTION_BLOCK">${text('&lt;p&gt;Which are &lt;b&gt;metals&lt;/b&gt;?&lt;/p&gt;')}</flow>
    <flow class="RESPONSE_BLOCK"><response_lid ident="response" rcardinality="${cardinality}"><render_choice shuffle="Yes" minnumber="0" maxnumber="0">${label('a', 'iron')}${label('b', 'chalk')}${label('c', 'tin')}</render_choice></response_lid></flow></presentation>
    <resprocessing scoremodel="SumOfScores"><outcomes><decvar varname="SCORE" vartype="Decimal" defaultval="0.0" minvalue="0.0"${max}/></outcomes>
    <respcondition title="correct"><conditionvar>${condition}</conditionvar><setvar variablename="SCORE" action="Set">SCORE.max</setvar></respcondition>
    <respcondition title="incorrect"><conditionvar><other/></conditionvar><setvar variablename="SCORE" action="Set">0.0</setvar></respcondition></resprocessing></item>`;
  const is = (id: string) => `<varequal respident="response" case="No">${id}</varequal>`;

  it.each([
    ['that it says', ' maxvalue="4.0"'],
    ['of its metadata, where the variable has none', ''],
  ])('have their texts, key and the points %s', async (_, max) => {
    const several = `<and>${is('a')}<not>${is('b')}</not>${is('c')}</and>`;
    const read = await readOne(item('Multiple Answer', 'Multiple', several, max));
    expect(read?.definition).toMatchObject({
      type: 'multiple_response',
      question: 'Which are **metals**?',
      options: [
        { text: 'iron', isCorrect: true },
        { text: 'chalk', isCorrect: false },
        { text: 'tin', isCorrect: true },
      ],
      points: 4,
      rule: 'all_or_nothing',
    });
    expect(read?.notes).toEqual([]);
  });

  it('are named where they are essays', async () => {
    const read = await readOne(item('Short Response', 'Single', is('a')));
    expect(read?.definition).toBeNull();
    expect(read?.notes).toEqual(['It asks for an essay (Short Response).']);
  });
});

describe('items of Brightspace', () => {
  const field = (name: string, entry: string) =>
    `<qti_metadatafield><fieldlabel>${name}</fieldlabel><fieldentry>${entry}</fieldentry></qti_metadatafield>`;
  const item = (type: string, rules: string) =>
    `<section ident="s"><item ident="OBJ_1" label="QUES_1"><itemmetadata><qtimetadata>${field('qmd_computerscored', 'yes')}${field('qmd_questiontype', type)}${field('qmd_weighting', '3.000000000')}</qtimetadata></itemmetadata>
    <presentation><flow><material><mattext texttype="text/html">&lt;p&gt;Which?&lt;/p&gt;</mattext></material>
    <response_lid ident="Q_LID" rcardinality="Multiple"><render_choice shuffle="no">${[1, 2, 3]
      .map(
        (n) =>
          `<flow_label class="Block"><response_label ident="Q_A${n}"><flow_mat><material><mattext texttype="text/html">n${n}</mattext></material></flow_mat></response_label></flow_label>`,
      )
      .join('')}</render_choice></response_lid></flow></presentation>
    <resprocessing><outcomes><decvar vartype="Integer" defaultval="0" varname="que_score" minvalue="0" maxvalue="100"/></outcomes>${rules}</resprocessing></item></section>`;
  const rule = (n: number, set: string, more = '') =>
    `<respcondition${more}><conditionvar><varequal respident="Q_LID">Q_A${n}</varequal></conditionvar>${set}</respcondition>`;

  it('have one right option in a multiple choice, whatever they say of cardinality', async () => {
    const set = (value: string) => `<setvar action="Set">${value}</setvar>`;
    const rules = rule(1, set('0.0000')) + rule(2, set('100.0000')) + rule(3, set('0.0000'));
    const read = await readOne(item('Multiple Choice', rules));
    expect(read?.definition).toMatchObject({
      type: 'multiple_choice',
      options: [{ isCorrect: false }, { text: 'n2', isCorrect: true }, { isCorrect: false }],
      points: 3,
      rule: 'all_or_nothing',
    });
  });

  it('that count right and wrong selections are all or nothing, which is said', async () => {
    const add = (name: string) => `<setvar varname="${name}" action="Add">1</setvar>`;
    const rules =
      rule(1, add('D2L_Correct'), ' continue="yes"') +
      rule(2, add('D2L_Incorrect'), ' continue="yes"') +
      rule(3, add('D2L_Correct'), ' continue="yes"') +
      '<respcondition><setvar varname="que_score" action="Set">D2L_Correct</setvar></respcondition>';
    const read = await readOne(item('Multi-Select', rules));
    expect(read?.definition).toMatchObject({
      type: 'multiple_response',
      options: [{ isCorrect: true }, { isCorrect: false }, { isCorrect: true }],
      points: 3,
      rule: 'all_or_nothing',
    });
    expect(read?.notes).toContain(
      'The file only counts right and wrong selections; here all or nothing counts.',
    );
  });
});

describe('items of Canvas', () => {
  const canvas = (labels: string, rest = '') =>
    `<assessment title="Q"><section ident="root_section"><item ident="i"><itemmetadata><qtimetadata><qtimetadatafield><fieldlabel>points_possible</fieldlabel><fieldentry>2</fieldentry></qtimetadatafield></qtimetadata></itemmetadata>
    <presentation><material><mattext>Which?</mattext></material><response_lid ident="r" rcardinality="Single"><render_choice>${labels}</render_choice></response_lid></presentation>
    <resprocessing><outcomes><decvar maxvalue="100" minvalue="0" varname="SCORE"/></outcomes><respcondition><conditionvar><varequal respident="r">c</varequal></conditionvar><setvar action="Set">100</setvar></respcondition></resprocessing>${rest}</item></section></assessment>`;
  const label = (id: string, text: string) =>
    `<response_label ident="${id}"><material><mattext>${text}</mattext></material></response_label>`;

  it('leave out options that were never filled in', async () => {
    const read = await readOne(canvas(label('a', '') + label('b', 'yes') + label('c', 'no')));
    expect(read?.definition?.options).toEqual([
      { text: 'yes', isCorrect: false },
      { text: 'no', isCorrect: true },
    ]);
    expect(read?.notes).toContain('An option without a text was left out.');
  });

  it('are refused where the right option has no text', async () => {
    const read = await readOne(canvas(label('c', '') + label('a', 'yes') + label('b', 'no')));
    expect(read?.definition).toBeNull();
  });

  it('that compute their result are named without their type, too', async () => {
    const read = await readOne(
      canvas(
        label('c', 'x') + label('a', 'y'),
        '<itemproc_extension><calculated/></itemproc_extension>',
      ),
    );
    expect(read?.notes).toEqual(['It asks for a result computed from random values (calculated).']);
  });

  it('in banks that are elsewhere are said to be missing', async () => {
    const bytes = new TextEncoder().encode(
      `<questestinterop>${canvas(label('c', 'x') + label('a', 'y')).replace('</section>', '<section><selection_ordering><selection><sourcebank_ref>g1</sourcebank_ref></selection></selection_ordering></section></section>')}</questestinterop>`,
    );
    const { items, problems } = await readAll(readQti, { name: 'quiz.xml', bytes });
    expect(items).toHaveLength(1);
    expect(problems).toEqual([
      'Questions come from a question bank that is not in the file. Export the whole course, or the bank.',
    ]);
  });
});
