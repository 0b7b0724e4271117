import { readFileSync } from 'node:fs';
import { readAll } from '@invigil/testkit/running-server';
import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { readQti } from '../read-qti.ts';

/** Files of Canvas' own importer, MIT: fixtures/LICENSE. */
const fixture = (name: string) => readFileSync(new URL(`../fixtures/${name}`, import.meta.url));
const utf8 = (text: string) => new TextEncoder().encode(text);
const read = (name: string, bytes: Uint8Array) => readAll(readQti, { name, bytes });

async function onlyItem(bytes: Uint8Array) {
  const { items } = await read('file.xml', bytes);
  expect(items).toHaveLength(1);
  return items[0];
}

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
  return utf8(`<questestinterop><item ident="i" title="t"><presentation>
    <material><mattext>Which?</mattext></material>
    <response_lid ident="R" rcardinality="${cardinality}"><render_choice shuffle="Yes">${labels}</render_choice></response_lid>
    </presentation><resprocessing><outcomes><decvar ${outcomes}/></outcomes>${rules}</resprocessing></item></questestinterop>`);
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
    expect(item?.definition).toBeNull();
    expect(item?.notes.join()).toContain(sentence);
  });

  it('names the types of Canvas', async () => {
    const { items } = await read('quiz.xml', fixture('every_canvas_type.xml.qti'));
    const reasons = items.filter((item) => item.definition === null).map((item) => item.notes[0]);
    expect(reasons).toEqual([
      'It asks for several gaps in a text (fill_in_multiple_blanks_question).',
      'It asks for several choices inside of a text (multiple_dropdowns_question).',
      'It asks for matching (matching_question).',
      'It asks for a result computed from random values (calculated_question).',
      'It asks for an essay (essay_question).',
      'It asks for uploading a file (file_upload_question).',
      'It is a text without a question; questions that refer to it have it too.',
    ]);
  });
});

describe('choices of QTI 1.2', () => {
  it('are single with the points of Canvas, general feedback as explanation', async () => {
    const item = await onlyItem(fixture('mc_feedback.xml'));
    expect(item).toMatchObject({
      source: { file: 'file.xml', identifier: 'g5a997009fe86a353f1616f0c81746649', line: 11 },
      title: 'Question',
      categoryPath: ['Feedback Check'],
      notes: ['6 texts of feedback that depend on the answer were left out.'],
      definition: {
        type: 'multiple_choice',
        format: 'plain',
        question: 'Feedback Check',
        points: 1,
        rule: 'all_or_nothing',
        explanation: 'General Feedback',
      },
    });
    expect(item?.definition?.options.map((o) => o.isCorrect)).toEqual([true, false, false, false]);
  });

  it('are multiple by what must and must not be selected, or by points that add up', async () => {
    const whole = await onlyItem(fixture('multiple_answer_canvas.xml'));
    expect(whole?.definition).toMatchObject({ type: 'multiple_response', rule: 'all_or_nothing' });
    expect(whole?.definition?.options.map((o) => o.isCorrect)).toEqual([true, false, true, true]);
    const parts = await onlyItem(fixture('multiple_answer.xml'));
    expect(parts?.definition).toMatchObject({ rule: 'weights', points: 1 });
    expect(parts?.definition?.options.map((o) => o.weight)).toEqual([
      25, -10, 25, 25, -10, -10, 25,
    ]);
  });

  it('keep points that vary by answer, and points without a scale', async () => {
    const canvas = await onlyItem(fixture('choice_vary_points_by_answer.xml'));
    expect(canvas?.definition).toMatchObject({ points: 10, rule: 'weights' });
    expect(canvas?.definition?.options.map((o) => o.weight)).toEqual([100, 50]);
    const plain = await onlyItem(choiceItem(gives(is('B'), '4')));
    expect(plain?.definition).toMatchObject({ points: 4, rule: 'all_or_nothing' });
  });

  it('are drafts without a key', async () => {
    const item = await onlyItem(choiceItem(''));
    expect(item?.definition?.options.every((o) => !o.isCorrect)).toBe(true);
    expect(item?.notes).toEqual(['The file has no key for it; it comes in as a draft.']);
  });

  it('keep the last option last', async () => {
    const labels = `${label('A')}${label('B')}${label('None', ' rshuffle="No"')}`;
    const item = await onlyItem(choiceItem(gives(is('A'), '1'), { labels }));
    expect(item?.definition?.options.map((o) => o.isLast ?? false)).toEqual([false, false, true]);
  });

  it('are true or false by their texts', async () => {
    const labels = `${label('true')}${label('false')}`;
    const item = await onlyItem(choiceItem(gives(is('false'), '1'), { labels }));
    expect(item?.definition?.type).toBe('true_false');
  });

  it('have the text before them that several share', async () => {
    const { items } = await read('quiz.xml', fixture('stimulus_with_child_item.xml'));
    expect(items[1]?.definition?.question).toBe('some content\n\nthe answer is letter A');
  });
});

describe('typed answers of QTI 1.2', () => {
  it('are numbers with a tolerance, or ranges', async () => {
    const percent = await onlyItem(fixture('numeric_margin_error_percent.xml'));
    expect(percent?.definition?.numeric?.accepted).toEqual([
      { value: '200.0', tolerancePercent: '20.0' },
    ]);
    const range = await onlyItem(fixture('numeric_precision.xml'));
    expect(range?.definition?.numeric?.accepted).toEqual([{ min: '999.995', max: '1000.005' }]);
    expect(range?.notes).toEqual(['Here 999.995 itself is accepted too.']);
  });

  const read = (texts: readonly string[], more = '') =>
    onlyItem(
      utf8(`<questestinterop><item ident="i"><presentation><material><mattext>Which?</mattext></material>
      <response_str ident="R"><render_fib><response_label ident="a"/></render_fib></response_str></presentation>
      <resprocessing>${texts.map((text) => gives(`<varequal respident="R"${more}>${text}</varequal>`, '2')).join('')}</resprocessing></item></questestinterop>`),
    );

  // In all but the first a letter changes more than its case.
  it.each(['Paris', 'Stra\u00dfe', '\u0130zmir', '\u039f\u0394\u039f\u03a3', '\ufb01n'])(
    'are texts, with case as the file says: %s',
    async (text) => {
      const definition = (await read([text]))?.definition;
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
    expect(item?.definition?.shortText).toEqual({
      accepted: [{ text: 'Stra\u00dfe' }, { text: "it's" }, { text: 'it\u2019s' }],
    });
  });
});

describe('a Common Cartridge of Canvas', () => {
  it('is read once where it has a quiz twice', async () => {
    const quiz = fixture('every_canvas_type.xml.qti');
    const file = await read(
      'course.imscc',
      zipSync({
        'imsmanifest.xml': utf8(
          '<manifest><metadata><schema>IMS Common Cartridge</schema></metadata><resources/></manifest>',
        ),
        'ib1/assessment_qti.xml': quiz,
        'ib1/assessment_meta.xml': utf8('<quiz/>'),
        'non_cc_assessments/ib1.xml.qti': quiz,
        'course_settings/course_settings.xml': utf8('<course/>'),
      }),
    );
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
      'numeric',
    ]);
  });
});
