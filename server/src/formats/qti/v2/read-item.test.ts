import { optionsOfPairs } from '@invigil/core/domain/questions/matching-options';
import { readOne } from '@invigil/testkit/question-files';
import { describe, expect, it } from 'vitest';
import { readQti } from '../read-qti.ts';

const TEMPLATE_2 = 'http://www.imsglobal.org/question/qti_v2p1/rptemplates';

interface Parts {
  response?: string;
  cardinality?: string;
  baseType?: string;
  outcomes?: string;
  body?: string;
  processing?: string;
  attributes?: string;
  before?: string;
  after?: string;
}

const CHOICES = `<choiceInteraction responseIdentifier="RESPONSE" shuffle="true" maxChoices="1"><prompt>Which?</prompt>
  <simpleChoice identifier="A">one</simpleChoice><simpleChoice identifier="B">two</simpleChoice><simpleChoice identifier="C">three</simpleChoice></choiceInteraction>`;
const KEY = '<correctResponse><value>B</value></correctResponse>';
const template = (name: string) => `<responseProcessing template="${TEMPLATE_2}/${name}"/>`;

function item(parts: Parts = {}): string {
  const {
    response = KEY,
    cardinality = 'single',
    baseType = 'identifier',
    outcomes = '',
    body = CHOICES,
  } = parts;
  const {
    processing = template('match_correct'),
    attributes = 'adaptive="false"',
    before = '',
    after = '',
  } = parts;
  return `<assessmentItem xmlns="http://www.imsglobal.org/xsd/imsqti_v2p1" identifier="item" title="An item" ${attributes}>
    <responseDeclaration identifier="RESPONSE" cardinality="${cardinality}" baseType="${baseType}">${response}</responseDeclaration>
    <outcomeDeclaration identifier="SCORE" cardinality="single" baseType="float"/>${outcomes}${before}
    <itemBody>${body}</itemBody>${processing}${after}</assessmentItem>`;
}

/** The same item as QTI 3.0. */
function asQti3(xml: string): string {
  const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return xml
    .replace(/(<\/?)([a-z][A-Za-z]*)/g, (all, start: string, name: string) =>
      ['p', 'div', 'img', 'blockquote'].includes(name) ? all : `${start}qti-${kebab(name)}`,
    )
    .replace(/ ([a-z]+[A-Z][A-Za-z]*)=/g, (_, name: string) => ` ${kebab(name)}=`)
    .replace('imsqti_v2p1"', 'imsqtiasi_v3p0"')
    .replace(TEMPLATE_2, 'https://purl.imsglobal.org/spec/qti/v3p0/rptemplates');
}

const readItem = (parts: Parts) => readOne(readQti, item(parts), 'item.xml');

const multiple = (mapping: string, choices = 6) => ({
  cardinality: 'multiple',
  response: mapping,
  processing: template('map_response'),
  body: `<choiceInteraction responseIdentifier="RESPONSE" shuffle="true" maxChoices="0"><prompt>Which?</prompt>${'ABCDEF'
    .slice(0, choices)
    .split('')
    .map((id) => `<simpleChoice identifier="${id}">${id}</simpleChoice>`)
    .join('')}</choiceInteraction>`,
});

const entry = (key: string, value: number | string, more = '') =>
  `<mapEntry mapKey="${key}" mappedValue="${value}"${more}/>`;
const score = (value: string) => `<setOutcomeValue identifier="SCORE">${value}</setOutcomeValue>`;
const float = (value: string) => `<baseValue baseType="float">${value}</baseValue>`;
const when = (test: string, then: string) =>
  `<responseProcessing><responseCondition><responseIf>${test}${then}</responseIf></responseCondition></responseProcessing>`;
const field = (baseType: string, response: string, processing: string): Parts => ({
  baseType,
  response,
  processing,
  body: '<p>How much?</p><p><textEntryInteraction responseIdentifier="RESPONSE"/></p>',
});

describe('items that are not supported', () => {
  it.each<[string, Parts, string]>([
    ['adaptive items', { attributes: 'adaptive="true"' }, 'It is adaptive'],
    [
      'random values',
      { before: '<templateDeclaration identifier="X" cardinality="single" baseType="integer"/>' },
      'drawn at random',
    ],
    [
      'other interactions',
      {
        body: '<hottextInteraction responseIdentifier="RESPONSE"><hottext identifier="A">a</hottext></hottextInteraction>',
      },
      'It asks for selecting words of a text (hottextInteraction).',
    ],
    ['several interactions', { body: CHOICES + CHOICES }, 'It has 2 places for answers'],
    ['no interaction', { body: '<p>Read.</p>' }, 'no place for an answer'],
    [
      'templates of its own',
      {
        processing:
          '<responseProcessing template="https://example.org/rptemplates/match_correct"/>',
      },
      'a response processing template of its own: https://example.org/',
    ],
    [
      'rules that are not read',
      { processing: when('<customOperator/>', score(float('1'))) },
      'a rule that is not read here (customOperator)',
    ],
    [
      'computed texts',
      { body: `<p><printedVariable identifier="X"/></p>${CHOICES}` },
      'a value that is computed',
    ],
    [
      'two keys',
      {
        ...multiple(''),
        processing: `<responseProcessing><responseCondition><responseIf><match><variable identifier="RESPONSE"/><multiple><baseValue baseType="identifier">A</baseValue></multiple></match>${score(float('1'))}</responseIf><responseElseIf><match><variable identifier="RESPONSE"/><multiple><baseValue baseType="identifier">B</baseValue><baseValue baseType="identifier">C</baseValue></multiple></match>${score(float('1'))}</responseElseIf></responseCondition></responseProcessing>`,
      },
      'follow none of the scoring rules',
    ],
    ['equal options', { body: CHOICES.replace('two', 'one') }, 'the same'],
  ])('names %s', async (_, parts, sentence) => {
    const read = await readItem(parts);
    expect(read.definition).toBeNull();
    expect(read.notes.join().toLowerCase()).toContain(sentence.toLowerCase());
  });
});

describe.each([
  ['2.x', (xml: string) => xml],
  ['3.0', asQti3],
])('an item of QTI %s', (_, as) => {
  const read = (parts: Parts = {}) => readOne(readQti, as(item(parts)), 'item.xml');

  it('with one key is a single choice', async () => {
    const { definition, notes, source, title } = await read();
    expect({ notes, title, source }).toEqual({
      notes: [],
      title: 'An item',
      source: { file: 'item.xml', identifier: 'item', line: 1 },
    });
    expect(definition).toEqual({
      type: 'multiple_choice',
      format: 'plain',
      question: 'Which?',
      options: [
        { text: 'one', isCorrect: false },
        { text: 'two', isCorrect: true },
        { text: 'three', isCorrect: false },
      ],
      points: 1,
      rule: 'all_or_nothing',
    });
  });

  it('with a mapping has weights, with what is not mapped and the bounds', async () => {
    const mapping = `<correctResponse><value>A</value><value>D</value></correctResponse>
      <mapping lowerBound="0" upperBound="2" defaultValue="-2">${entry('A', 1)}${entry('D', 1)}${entry('F', -1)}</mapping>`;
    const { definition } = await read(multiple(mapping));
    expect(definition).toMatchObject({ type: 'multiple_response', rule: 'weights', points: 2 });
    expect(definition?.options.map((o) => o.weight)).toEqual([50, -100, -100, 50, -100, -50]);
  });

  it('that takes away as much as it gives is right minus wrong', async () => {
    const mapping = `<mapping lowerBound="0" defaultValue="-1">${entry('A', 1)}${entry('B', 1)}</mapping>`;
    const { definition } = await read(multiple(mapping));
    expect(definition).toMatchObject({ rule: 'right_minus_wrong', points: 2 });
    expect(definition?.maxSelections).toBeUndefined();
  });

  it('keeps fixed options last, and limits of selections', async () => {
    const key = '<correctResponse><value>A</value><value>B</value></correctResponse>';
    const { definition } = await read({
      cardinality: 'multiple',
      response: key,
      body: CHOICES.replace('maxChoices="1"', 'minChoices="2" maxChoices="3"').replace(
        '"C"',
        '"C" fixed="true"',
      ),
    });
    expect(definition).toMatchObject({
      rule: 'all_or_nothing',
      minSelections: 2,
      maxSelections: 3,
    });
    expect(definition?.options.map((o) => o.isLast ?? false)).toEqual([false, false, true]);
  });

  it('without rules or without a key says so', async () => {
    const noRules = await read({ processing: '' });
    expect(noRules.definition?.options[1]?.isCorrect).toBe(true);
    expect(noRules.notes).toEqual(['The file has no rule for its points; the key alone counts.']);
    const noKey = await read({ processing: '', response: '' });
    expect(noKey.definition?.options.some((o) => o.isCorrect)).toBe(false);
    expect(noKey.notes).toEqual(['The file has no key for it; it comes in as a draft.']);
  });

  it('with its rules written out has the points of the file', async () => {
    const outcomes =
      '<outcomeDeclaration identifier="MAXSCORE" cardinality="single" baseType="float"><defaultValue><value>5</value></defaultValue></outcomeDeclaration>';
    const match =
      '<match><variable identifier="RESPONSE"/><correct identifier="RESPONSE"/></match>';
    const { definition } = await read({
      outcomes,
      processing: when(
        match,
        score('<sum><variable identifier="SCORE"/><variable identifier="MAXSCORE"/></sum>'),
      ),
    });
    expect(definition).toMatchObject({ points: 5, rule: 'all_or_nothing' });
  });

  it('with two choices named true and false is one of these', async () => {
    const { definition, notes } = await read({
      response: '<correctResponse><value>false</value></correctResponse>',
      body: '<choiceInteraction responseIdentifier="RESPONSE" maxChoices="1"><prompt>So?</prompt><simpleChoice identifier="true">Yes</simpleChoice><simpleChoice identifier="false">No</simpleChoice></choiceInteraction>',
    });
    expect(definition).toMatchObject({ type: 'true_false', question: 'So?' });
    expect(notes).toEqual([]);
  });

  it('with texts in which a letter changes more than its case is read as the file says', async () => {
    const body = '<p>Where? <textEntryInteraction responseIdentifier="RESPONSE"/></p>';
    const texts = ['Stra\u00dfe', '\u0130zmir', '\u03bf\u03b4\u03cc\u03c2'];
    const entries = texts.map((text) => entry(text, 1, ' caseSensitive="false"')).join('');
    const mapping = `<mapping defaultValue="0">${entries}</mapping>`;
    const mapped = await read({ ...field('string', mapping, template('map_response')), body });
    expect(mapped.definition?.shortText).toEqual({ accepted: texts.map((text) => ({ text })) });

    const match =
      '<stringMatch caseSensitive="false"><variable identifier="RESPONSE"/><correct identifier="RESPONSE"/></stringMatch>';
    const key = '<correctResponse><value>Stra\u00dfe</value></correctResponse>';
    const matched = await read({
      ...field('string', key, when(match, score(float('2')))),
      body,
    });
    expect(matched.definition?.shortText).toEqual({ accepted: [{ text: 'Stra\u00dfe' }] });
  });

  it.each([
    ['York', 'york'],
    ['Stra\u00dfe', 'STRASSE'],
  ])(
    'with a mapping of texts is a short text; case counts when both are named: %s',
    async (one, two) => {
      const mapping = `<mapping defaultValue="0">${entry(one, 1)}${entry(two, 0.5)}</mapping>`;
      const body = '<p>This son of <textEntryInteraction responseIdentifier="RESPONSE"/>.</p>';
      const { definition } = await read({
        ...field('string', mapping, template('map_response')),
        body,
      });
      expect(definition).toMatchObject({
        type: 'short_text',
        question: 'This son of ______.',
        rule: 'weights',
      });
      expect(definition?.shortText).toEqual({
        accepted: [
          { text: one, weight: 100 },
          { text: two, weight: 50 },
        ],
        isCaseSensitive: true,
      });
    },
  );

  it.each([
    [
      '<equal toleranceMode="exact"><variable identifier="RESPONSE"/><correct identifier="RESPONSE"/></equal>',
      { value: '1.50' },
    ],
    [
      '<equal toleranceMode="relative" tolerance="5 5"><variable identifier="RESPONSE"/><correct identifier="RESPONSE"/></equal>',
      { value: '1.50', tolerancePercent: '5' },
    ],
    [
      '<equal toleranceMode="absolute" tolerance="0.1 0.2"><correct identifier="RESPONSE"/><variable identifier="RESPONSE"/></equal>',
      { min: '1.4', max: '1.7' },
    ],
    [
      `<and><gte><variable identifier="RESPONSE"/>${float('1')}</gte><lte><variable identifier="RESPONSE"/>${float('2.5')}</lte></and>`,
      { min: '1', max: '2.5' },
    ],
  ])('with a number accepts what %s does', async (test, accepted) => {
    const key = '<correctResponse><value>1.50</value></correctResponse>';
    const { definition, notes } = await read(field('float', key, when(test, score(float('2')))));
    expect(definition).toMatchObject({ type: 'numeric', question: 'How much?', points: 2 });
    expect(definition?.numeric).toEqual({ accepted: [accepted] });
    expect(notes).toEqual([]);
  });

  it('explains what is shown after every answer, and leaves out other feedback', async () => {
    const says = (id: string) =>
      `<setOutcomeValue identifier="FEEDBACK"><baseValue baseType="identifier">${id}</baseValue></setOutcomeValue>`;
    const feedback = (id: string, text: string, outcome = 'FEEDBACK') =>
      `<modalFeedback outcomeIdentifier="${outcome}" identifier="${id}" showHide="show">${text}</modalFeedback>`;
    const match =
      '<match><variable identifier="RESPONSE"/><correct identifier="RESPONSE"/></match>';
    const { definition, notes } = await read({
      outcomes:
        '<outcomeDeclaration identifier="FEEDBACK" cardinality="single" baseType="identifier"/>',
      processing: `<responseProcessing><responseCondition><responseIf>${match}${score(float('1'))}${says('right')}</responseIf><responseElse>${says('wrong')}</responseElse></responseCondition></responseProcessing>`,
      after:
        feedback('right', 'Two it is.') +
        feedback('wrong', 'Two it is.') +
        feedback('never', 'Unseen.'),
    });
    expect(definition?.explanation).toBe('Two it is.');
    expect(notes).toEqual(['One text of feedback that depends on the answer was left out.']);
  });
});

it('keeps what selecting one option leads to as feedback on it', async () => {
  const shown = (id: string, text: string) =>
    `<modalFeedback outcomeIdentifier="SAID" identifier="${id}" showHide="show">${text}</modalFeedback>`;
  const { definition, notes } = await readOne(
    readQti,
    item({
      outcomes:
        '<outcomeDeclaration identifier="SAID" cardinality="single" baseType="identifier"/>',
      processing:
        '<responseProcessing><setOutcomeValue identifier="SAID"><variable identifier="RESPONSE"/></setOutcomeValue></responseProcessing>',
      after: shown('A', 'Of <b>A</b>.') + shown('C', 'Of C.') + shown('Z', 'Of none.'),
    }),
    'item.xml',
  );
  const said = definition?.options.map(({ feedback }) => feedback);
  expect(said).toEqual(['Of **A**.', undefined, 'Of C.'].slice(0, said?.length));
  expect(definition).not.toHaveProperty('explanation');
  expect(notes).toContain('One text of feedback that depends on the answer was left out.');
});

const LIST = `<inlineChoiceInteraction responseIdentifier="RESPONSE" shuffle="true">
  <inlineChoice identifier="A">iron</inlineChoice><inlineChoice identifier="B">copper</inlineChoice><inlineChoice identifier="C" fixed="true">neither</inlineChoice></inlineChoiceInteraction>`;

describe('a list inside of a sentence', () => {
  it('becomes options below a blank', async () => {
    const read = await readItem({ body: `<p>Cables are made of ${LIST} as a rule.</p>` });
    expect(read.definition).toMatchObject({
      type: 'multiple_choice',
      question: 'Cables are made of ______ as a rule.',
      options: [
        { text: 'iron', isCorrect: false },
        { text: 'copper', isCorrect: true },
        { text: 'neither', isCorrect: false, isLast: true },
      ],
      points: 1,
      rule: 'all_or_nothing',
    });
    expect(read.notes).toEqual([]);
  });

  it('needs no blank where it stands alone', async () => {
    const read = await readItem({ body: `<p>Cables?</p><p>${LIST}</p>` });
    expect(read.definition?.question).toBe('Cables?');
  });

  it('has the points of a score for its own field', async () => {
    const declared = ['SCORE_RESPONSE', 'MAXSCORE_RESPONSE'].map(
      (name) => `<outcomeDeclaration identifier="${name}" cardinality="single" baseType="float"/>`,
    );
    const test = '<not><isNull><variable identifier="RESPONSE"/></isNull></not>';
    const set =
      '<setOutcomeValue identifier="SCORE_RESPONSE"><mapResponse identifier="RESPONSE"/></setOutcomeValue>';
    const parts = {
      response: `${KEY}<mapping>${entry('B', 2)}</mapping>`,
      body: `<p>Cables? ${LIST}</p>`,
      outcomes: declared.join(''),
      processing: when(test, set),
    };
    const score = '<outcomeDeclaration identifier="SCORE" cardinality="single" baseType="float"/>';
    const read = await readOne(readQti, item(parts).replace(score, ''));
    expect(read.definition).toMatchObject({ points: 2, rule: 'all_or_nothing' });
    expect(read.notes).toEqual([]);
  });
});

describe('rows', () => {
  const set = (...ids: string[]) =>
    `<simpleMatchSet>${ids.map((id) => `<simpleAssociableChoice identifier="${id}" matchMax="1">text ${id}</simpleAssociableChoice>`).join('')}</simpleMatchSet>`;
  const pairs = (response: string, parts: Parts = {}): Parts => ({
    cardinality: 'multiple',
    baseType: 'directedPair',
    response,
    body: `<matchInteraction responseIdentifier="RESPONSE" maxAssociations="3"><prompt>Which?</prompt>${set('F', 'S')}${set('P', 'M', 'R')}</matchInteraction>`,
    ...parts,
  });
  const key = '<correctResponse><value>F P</value><value>M S</value></correctResponse>';
  const mapping = (s: number) =>
    `<mapping defaultValue="0">${entry('F P', 1)}${entry('S M', s)}</mapping>`;
  const options = optionsOfPairs(
    [
      { item: 'text F', answer: 'text P' },
      { item: 'text S', answer: 'text M' },
    ],
    ['text R'],
  );

  it.each<[string, string, string, number, string[]]>([
    ['match_correct', key, 'all_or_nothing', 1, []],
    ['map_response', mapping(1), 'per_option', 2, []],
    [
      'map_response',
      mapping(3),
      'per_option',
      4,
      ['The file gives its pairs other shares of the points; here each counts the same.'],
    ],
  ])('of pairs by %s with %j', async (processing, response, rule, points, notes) => {
    const read = await readItem(pairs(response, { processing: template(processing) }));
    expect(read).toMatchObject({
      notes,
      definition: { type: 'matching', question: 'Which?', options, rule, points },
    });
    const qti3 = item(pairs(response, { processing: template(processing) }));
    expect((await readOne(readQti, asQti3(qti3), 'item.xml')).definition).toEqual(read.definition);
  });

  it('of pairs without a key are a draft', async () => {
    const { definition, notes } = await readItem(pairs(''));
    expect(definition?.options.map(({ match }) => match)).toEqual([
      ...[null, null, undefined, undefined, undefined],
    ]);
    expect(notes).toContain('The file has no key for it; it comes in as a draft.');
  });

  it.each([
    ['<value>F P</value><value>F M</value>', 'It has items with several right answers.'],
    ['<value>F P</value>', 'It has items that no answer is right for.'],
  ])('of pairs are refused: %s', async (values, note) => {
    const { notes } = await readItem(pairs(`<correctResponse>${values}</correctResponse>`));
    expect(notes).toEqual([note]);
  });

  const order = (values: string, processing = template('match_correct')): Parts => ({
    cardinality: 'ordered',
    response: `<correctResponse>${values}</correctResponse>`,
    processing,
    body: `<orderInteraction responseIdentifier="RESPONSE"><prompt>Which first?</prompt><simpleChoice identifier="A">a</simpleChoice><simpleChoice identifier="B"><b>b</b></simpleChoice></orderInteraction>`,
  });

  it('of an order are its items in the right one', async () => {
    const { definition, notes } = await readItem(order('<value>B</value><value>A</value>'));
    expect(definition).toMatchObject({
      type: 'ordering',
      question: 'Which first?',
      options: [{ text: '**b**' }, { text: 'a' }],
      rule: 'all_or_nothing',
      points: 1,
    });
    expect(notes).toEqual([]);
  });

  it('of an order are refused without all of them, and say what else is not read', async () => {
    const without = await readItem(order('<value>B</value>'));
    expect(without.notes).toEqual(['It does not say what the right order of all its items is.']);
    const rules = when('<customOperator/>', score(float('1')));
    const other = await readItem(order('<value>B</value><value>A</value>', rules));
    expect(other.notes).toEqual([
      'The rule for a part of the points is not read here; all points are for the whole order.',
    ]);
  });
});
