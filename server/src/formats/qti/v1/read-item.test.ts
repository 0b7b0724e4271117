import { readFileSync } from 'node:fs';
import { optionsOfPairs } from '@invigil/core/domain/questions/matching-options';
import { readAll, readOne } from '@invigil/testkit/question-files';
import { describe, expect, it } from 'vitest';
import { readQti } from '../read-qti.ts';

/** Files of Canvas' own importer, MIT: fixtures/LICENSE. */
const fixture = (name: string) => readFileSync(new URL(`../fixtures/${name}`, import.meta.url));
const read = (name: string, bytes: Uint8Array | Record<string, string | Uint8Array>) =>
  readAll(readQti, { name, bytes });

const onlyItem = (xml: string | Uint8Array) => readOne(readQti, xml);

const label = (id: string, more = '') =>
  `<response_label ident="${id}"${more}><material><mattext>${id}</mattext></material></response_label>`;

function choiceItem(
  rules: string,
  more: { cardinality?: string; labels?: string; outcomes?: string } = {},
) {
  const {
    cardinality = 'Single',
    labels = ['A', 'B', 'C'].map((id) => label(id)).join(''),
    outcomes = '',
  } = more;
  return `<questestinterop><item ident="i" title="t"><presentation>
    <material><mattext>Which?</mattext></material>
    <response_lid ident="R" rcardinality="${cardinality}"><render_choice shuffle="Yes">${labels}</render_choice></response_lid>
    </presentation><resprocessing><outcomes><decvar ${outcomes}/></outcomes>${rules}</resprocessing></item></questestinterop>`;
}

const gives = (condition: string, value: string, action = 'Set') =>
  `<respcondition><conditionvar>${condition}</conditionvar><setvar action="${action}">${value}</setvar></respcondition>`;
const is = (id: string) => `<varequal respident="R">${id}</varequal>`;

describe('items of QTI 1.2 that are not supported', () => {
  it.each([
    [
      'rules of other kinds',
      gives('<varsubstring respident="R">A</varsubstring>', '1'),
      'a rule that is not read here (varsubstring)',
    ],
    ['points that are no number', gives(is('A'), 'full'), 'points that are not a number'],
  ])('names %s', async (_, rules, sentence) => {
    const item = await onlyItem(choiceItem(rules));
    expect(item.definition).toBeNull();
    expect(item.notes.join()).toContain(sentence);
  });

  it('names the types of Canvas', async () => {
    const { items } = await read('quiz.xml', fixture('every_canvas_type.xml.qti'));
    const reasons = items.filter((item) => item.definition === null).map((item) => item.notes[0]);
    expect(reasons).toEqual([
      'It asks for several gaps in a text (fill_in_multiple_blanks_question).',
      'It asks for several choices inside of a text (multiple_dropdowns_question).',
      'It asks for a result computed from random values (calculated_question).',
      'It asks for an essay (essay_question).',
      'It asks for uploading a file (file_upload_question).',
      'It is a text without a question; questions that refer to it have it too.',
    ]);
  });
});

describe('rows of QTI 1.2', () => {
  it('are the pairs of Canvas, with the answers of no item', async () => {
    const { items } = await read('quiz.xml', fixture('every_canvas_type.xml.qti'));
    const item = items.find(({ definition }) => definition?.type === 'matching');
    expect(item?.definition).toMatchObject({
      question: 'Question 7, Matching,  Correct Answer A:1, B:2',
      options: optionsOfPairs(
        [
          { item: 'A', answer: '1' },
          { item: 'B', answer: '2' },
        ],
        [...'CDEF345'],
      ),
      points: 1,
      rule: 'per_option',
      explanation: 'Item Feedback, Neutral',
    });
    expect(item?.notes).toEqual(['4 texts of feedback that depend on the answer were left out.']);
  });

  const ordering = (rules: string) => `<questestinterop><item ident="o" title="O"><itemmetadata>
    <qtimetadata><qtimetadatafield><fieldlabel>question_type</fieldlabel><fieldentry>ordering_question</fieldentry></qtimetadatafield>
    <qtimetadatafield><fieldlabel>points_possible</fieldlabel><fieldentry>3</fieldentry></qtimetadatafield></qtimetadata></itemmetadata>
    <presentation><material><mattext>Smallest first?</mattext></material><response_lid ident="R" rcardinality="Ordered">
    <render_extension><material position="top"><mattext>Top</mattext></material><ims_render_object shuffle="No"><flow_label>
    ${[...'ABC'].map((id) => `<response_label ident="${id}"><material><mattext>text ${id}</mattext></material></response_label>`).join('')}
    </flow_label></ims_render_object></render_extension></response_lid></presentation>
    <resprocessing><outcomes><decvar maxvalue="100" varname="SCORE"/></outcomes>${rules}</resprocessing></item></questestinterop>`;

  it('are the items of an ordering, by the rule that names them', async () => {
    const { definition } = await onlyItem(ordering(gives(['C', 'A', 'B'].map(is).join(''), '100')));
    expect(definition).toMatchObject({
      type: 'ordering',
      question: 'Smallest first?\n\nTop',
      options: [{ text: 'text C' }, { text: 'text A' }, { text: 'text B' }],
      points: 3,
      rule: 'all_or_nothing',
    });
  });

  it('are refused without the whole order', async () => {
    const { notes } = await onlyItem(ordering(gives(['C', 'A'].map(is).join(''), '100')));
    expect(notes).toEqual(['It does not say what the right order of all its items is.']);
  });
});

describe('choices of QTI 1.2', () => {
  it('are single with the points of Canvas, general feedback as explanation', async () => {
    const item = await onlyItem(fixture('mc_feedback.xml'));
    expect(item).toMatchObject({
      source: { file: 'file.xml', identifier: 'g5a997009fe86a353f1616f0c81746649', line: 11 },
      title: 'Question',
      categoryPath: ['Feedback Check'],
      // The two texts are for any right and any wrong answer.
      notes: ['2 texts of feedback that depend on the answer were left out.'],
      definition: {
        type: 'multiple_choice',
        format: 'plain',
        question: 'Feedback Check',
        points: 1,
        rule: 'all_or_nothing',
        explanation: 'General Feedback',
      },
    });
    expect(item.definition?.options.map((o) => o.isCorrect)).toEqual([true, false, false, false]);
    for (const option of item.definition?.options ?? []) expect(option.feedback).toMatch(/\w/);
  });

  it('are multiple by what must and must not be selected, or by points that add up', async () => {
    const whole = await onlyItem(fixture('multiple_answer_canvas.xml'));
    expect(whole.definition).toMatchObject({ type: 'multiple_response', rule: 'all_or_nothing' });
    expect(whole.definition?.options.map((o) => o.isCorrect)).toEqual([true, false, true, true]);
    const parts = await onlyItem(fixture('multiple_answer.xml'));
    expect(parts.definition).toMatchObject({ rule: 'weights', points: 1 });
    expect(parts.definition?.options.map((o) => o.weight)).toEqual([25, -10, 25, 25, -10, -10, 25]);
  });

  it('keep points that vary by answer, and points without a scale', async () => {
    const canvas = await onlyItem(fixture('choice_vary_points_by_answer.xml'));
    expect(canvas.definition).toMatchObject({ points: 10, rule: 'weights' });
    expect(canvas.definition?.options.map((o) => o.weight)).toEqual([100, 50]);
    const plain = await onlyItem(choiceItem(gives(is('B'), '4')));
    expect(plain.definition).toMatchObject({ points: 4, rule: 'all_or_nothing' });
  });

  it('are drafts without a key', async () => {
    const item = await onlyItem(choiceItem(''));
    expect(item.definition?.options.every((o) => !o.isCorrect)).toBe(true);
    expect(item.notes).toEqual(['The file has no key for it; it comes in as a draft.']);
  });

  it('keep the last option last', async () => {
    const labels = `${label('A')}${label('B')}${label('None', ' rshuffle="No"')}`;
    const item = await onlyItem(choiceItem(gives(is('A'), '1'), { labels }));
    expect(item.definition?.options.map((o) => o.isLast ?? false)).toEqual([false, false, true]);
  });

  it('are true or false by their texts', async () => {
    const labels = `${label('true')}${label('false')}`;
    const item = await onlyItem(choiceItem(gives(is('false'), '1'), { labels }));
    expect(item.definition?.type).toBe('true_false');
  });

  it('have the text before them that several share', async () => {
    const { items } = await read('quiz.xml', fixture('stimulus_with_child_item.xml'));
    expect(items[1]?.definition?.question).toBe('some content\n\nthe answer is letter A');
  });
});

describe('typed answers of QTI 1.2', () => {
  it('are numbers with a tolerance, or ranges', async () => {
    const percent = await onlyItem(fixture('numeric_margin_error_percent.xml'));
    expect(percent.definition?.numeric?.accepted).toEqual([
      { value: '200.0', tolerancePercent: '20.0' },
    ]);
    const range = await onlyItem(fixture('numeric_precision.xml'));
    expect(range.definition?.numeric?.accepted).toEqual([{ min: '999.995', max: '1000.005' }]);
    expect(range.notes).toEqual(['Here 999.995 itself is accepted too.']);
  });

  const read = (texts: readonly string[], more = '') =>
    onlyItem(
      `<questestinterop><item ident="i"><presentation><material><mattext>Which?</mattext></material>
      <response_str ident="R"><render_fib><response_label ident="a"/></render_fib></response_str></presentation>
      <resprocessing>${texts.map((text) => gives(`<varequal respident="R"${more}>${text}</varequal>`, '2')).join('')}</resprocessing></item></questestinterop>`,
    );

  // All but the first have a letter that changes more than its case.
  it.each(['Paris', 'Stra\u00dfe', '\u0130zmir', '\u039f\u0394\u039f\u03a3', '\ufb01n'])(
    'are texts, with case as the file says: %s',
    async (text) => {
      const definition = (await read([text])).definition;
      expect(definition).toMatchObject({ type: 'short_text', points: 2, question: 'Which?' });
      expect(definition?.shortText).toEqual({ accepted: [{ text }] });
      expect((await read([text], ' case="Yes"'))?.definition?.shortText).toEqual({
        accepted: [{ text }],
        isCaseSensitive: true,
      });
    },
  );

  it('are one text where they differ in case alone', async () => {
    const item = await read(['Stra\u00dfe', 'STRASSE', "it's", 'it\u2019s']);
    expect(item.definition?.shortText).toEqual({
      accepted: [{ text: 'Stra\u00dfe' }, { text: "it's" }, { text: 'it\u2019s' }],
    });
  });
});

describe('a Common Cartridge of Canvas', () => {
  it('is read once where it has a quiz twice', async () => {
    const quiz = fixture('every_canvas_type.xml.qti');
    const file = await read('course.imscc', {
      'imsmanifest.xml':
        '<manifest><metadata><schema>IMS Common Cartridge</schema></metadata><resources/></manifest>',
      'ib1/assessment_qti.xml': quiz,
      'ib1/assessment_meta.xml': '<quiz/>',
      'non_cc_assessments/ib1.xml.qti': quiz,
      'course_settings/course_settings.xml': '<course/>',
    });
    expect(file.format).toBe('common_cartridge');
    expect(new Set(file.items.map((item) => item.source.file))).toEqual(
      new Set(['non_cc_assessments/ib1.xml.qti']),
    );
    const types = file.items.map((item) => item.definition?.type).filter((type) => type);
    expect(types).toEqual([
      'multiple_choice',
      'true_false',
      'short_text',
      'multiple_response',
      'matching',
      'numeric',
    ]);
  });
});

const readItem = (xml: string) => onlyItem(`<questestinterop>${xml}</questestinterop>`);

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
    const read = await readItem(item('Multiple Answer', 'Multiple', several, max));
    expect(read.definition).toMatchObject({
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
    expect(read.notes).toEqual([]);
  });

  it('are named where they are essays', async () => {
    const read = await readItem(item('Short Response', 'Single', is('a')));
    expect(read.definition).toBeNull();
    expect(read.notes).toEqual(['It asks for an essay (Short Response).']);
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
    const read = await readItem(item('Multiple Choice', rules));
    expect(read.definition).toMatchObject({
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
    const read = await readItem(item('Multi-Select', rules));
    expect(read.definition).toMatchObject({
      type: 'multiple_response',
      options: [{ isCorrect: true }, { isCorrect: false }, { isCorrect: true }],
      points: 3,
      rule: 'all_or_nothing',
    });
    expect(read.notes).toContain(
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
    const read = await readItem(canvas(label('a', '') + label('b', 'yes') + label('c', 'no')));
    expect(read.definition?.options).toEqual([
      { text: 'yes', isCorrect: false },
      { text: 'no', isCorrect: true },
    ]);
    expect(read.notes).toContain('An option without a text was left out.');
  });

  it('are refused where the right option has no text', async () => {
    const read = await readItem(canvas(label('c', '') + label('a', 'yes') + label('b', 'no')));
    expect(read.definition).toBeNull();
  });

  it('that compute their result are named without their type, too', async () => {
    const read = await readItem(
      canvas(
        label('c', 'x') + label('a', 'y'),
        '<itemproc_extension><calculated/></itemproc_extension>',
      ),
    );
    expect(read.notes).toEqual(['It asks for a result computed from random values (calculated).']);
  });

  it('in banks that are elsewhere are said to be missing', async () => {
    const bytes = `<questestinterop>${canvas(label('c', 'x') + label('a', 'y')).replace('</section>', '<section><selection_ordering><selection><sourcebank_ref>g1</sourcebank_ref></selection></selection_ordering></section></section>')}</questestinterop>`;
    const { items, problems } = await readAll(readQti, { name: 'quiz.xml', bytes });
    expect(items).toHaveLength(1);
    expect(problems).toEqual([
      'Questions come from a question bank that is not in the file. Export the whole course, or the bank.',
    ]);
  });
});
