import { createHash } from 'node:crypto';
import { optionsOfPairs } from '@invigil/core/domain/questions/matching-options';
import type { QuestionDefinition } from '@invigil/core/domain/questions/question-definition';
import { readAll, readOne } from '@invigil/testkit/question-files';
import { describe, expect, it } from 'vitest';
import { UnreadableFile } from '../imported-file.ts';
import { xmlCannotHold } from './cannot-hold.ts';
import { readMoodleXml } from './read-moodle-xml.ts';

const read = (questions: string) =>
  readAll(readMoodleXml, {
    name: 'a.xml',
    bytes: `<?xml version="1.0"?>\n<quiz>\n${questions}\n</quiz>`,
  });
const one = (question: string) =>
  readOne(readMoodleXml, `<?xml version="1.0"?>\n<quiz>\n${question}\n</quiz>`, 'a.xml');
const question = (type: string, inside: string, text = '<![CDATA[<p>Q?</p>]]>') =>
  `<question type="${type}"><name><text>N</text></name><questiontext format="html"><text>${text}</text></questiontext>${inside}</question>`;
const answer = (text: string, fraction: number, inside = '') =>
  `<answer fraction="${fraction}" format="html"><text>${text}</text>${inside}</answer>`;

describe('types of questions', () => {
  it('reads a choice with everything beside it', async () => {
    const item = await one(
      question(
        'multichoice',
        `<generalfeedback format="html"><text><![CDATA[<p>Because.</p>]]></text></generalfeedback>
        <defaultgrade>2.5</defaultgrade><penalty>0.3333333</penalty><idnumber>x-1</idnumber><single>true</single>
        <shuffleanswers>true</shuffleanswers>${answer('a', 0)}${answer('b', 100, '<feedback><text>no</text></feedback>')}
        <tags><tag><text>t 1</text></tag></tags>`,
      ),
    );
    expect(item).toEqual({
      source: { file: 'a.xml', identifier: 'x-1', line: 3 },
      title: 'N',
      tags: ['t 1'],
      categoryPath: [],
      notes: [],
      definition: {
        type: 'multiple_choice',
        format: 'plain',
        question: 'Q?',
        options: [
          { text: 'a', isCorrect: false },
          { text: 'b', isCorrect: true, feedback: 'no' },
        ],
        points: 2.5,
        rule: 'all_or_nothing',
        explanation: 'Because.',
      },
    });
  });

  it('keeps feedback on the options of a choice, and of true and false in any order', async () => {
    const said = (text: string) =>
      `<feedback format="html"><text><![CDATA[${text}]]></text></feedback>`;
    const truth = await one(
      question(
        'truefalse',
        answer('false', 0, said('No.')) + answer('true', 100, said('<b>Yes</b>')),
      ),
    );
    expect(truth.definition).toMatchObject({
      format: 'markdown',
      options: [
        { text: 'True', isCorrect: true, feedback: '**Yes**' },
        { text: 'False', isCorrect: false, feedback: 'No.' },
      ],
    });
    const long = await one(
      question(
        'multichoice',
        `<single>true</single>${answer('a', 100, said('x'.repeat(4_001)))}${answer('b', 0)}`,
      ),
    );
    expect(long.definition?.options[0]).toEqual({ text: 'a', isCorrect: true });
    expect(long.notes).toEqual(['Feedback with more than 4,000 characters was left out.']);
    const typed = await one(question('shortanswer', answer('a', 100, said('Good.'))));
    expect(typed.notes).toEqual(['Feedback for single answers was left out.']);
  });

  const combined = (...texts: string[]) =>
    ['correct', 'partiallycorrect', 'incorrect']
      .map(
        (name, i) =>
          `<${name}feedback format="html"><text><![CDATA[${texts[i] ?? ''}]]></text></${name}feedback>`,
      )
      .join('');
  const ONE_LOST = 'One text of feedback that depends on the answer was left out.';

  it.each([
    [['', '<p><br></p>', '<p>&nbsp;</p>'], []],
    [
      [
        '<p dir="ltr">Your answer is correct.</p>',
        'Your answer is partially correct.',
        ' <p>Your answer is\nincorrect.</p>',
      ],
      [],
    ],
    [['Die Antwort ist richtig.', '', '<p>Votre réponse est incorrecte.</p>'], []],
    [['Your answer is correct.', '', '<p>Read chapter 3.</p>'], [ONE_LOST]],
    [['<p><img src="@@PLUGINFILE@@/a.png"></p>'], [ONE_LOST]],
    [
      ['Well done.', 'Nearly.', 'Read chapter 3.'],
      ['3 texts of feedback that depend on the answer were left out.'],
    ],
  ])('notes feedback on the whole answer, unless it is the usual one: %j', async (texts, notes) => {
    const answers = answer('a', 100) + answer('b', 0);
    const item = await one(question('multichoice', combined(...texts) + answers));
    expect(item.notes).toEqual(notes);
  });

  it('reads the one image that a question had before Moodle 2.0', async () => {
    const png = Buffer.from('\x89PNG figure', 'latin1');
    const item = await one(
      question(
        'truefalse',
        `<image>moodle.png</image><image_base64>\n${png.toString('base64')}\n</image_base64>${answer('true', 100)}${answer('false', 0)}`,
      ),
    );
    const hash = createHash('sha256').update(png).digest('hex');
    expect(item.definition?.question).toBe(`Q?\n\n![moodle](image:${hash})`);
    expect(item.notes).toEqual([
      'An image has no alternative text. Write one; until then its file name is used.',
    ]);
  });

  it('names such an image that is not in the file', async () => {
    const item = await one(
      question(
        'truefalse',
        `<image>course/figure.png</image>${answer('true', 100)}${answer('false', 0)}`,
      ),
    );
    expect(item.definition?.question).toBe('Q?');
    expect(item.notes).toEqual(['The image "figure.png" is not in the file and was left out.']);
  });

  it('reads several right answers, fractions and a fixed order', async () => {
    const { definition } = await one(
      question(
        'multichoice',
        `<single>false</single><shuffleanswers>0</shuffleanswers>${answer('a', 33.33333)}${answer('b', 66.66667)}${answer('c', -50)}`,
      ),
    );
    expect(definition).toMatchObject({
      type: 'multiple_response',
      rule: 'weights',
      options: [
        { weight: 33.33333, isLast: true },
        { weight: 66.66667, isLast: true },
        { weight: -50, isLast: true },
      ],
    });
  });

  it('reads true and false', async () => {
    const { definition } = await one(
      question('truefalse', answer('true', 0) + answer('false', 100)),
    );
    expect(definition).toMatchObject({
      type: 'true_false',
      options: [
        { text: 'True', isCorrect: false },
        { text: 'False', isCorrect: true },
      ],
    });
  });

  it.each([
    ['Wahr', 100, 'Falsch', 0, true],
    ['Wahr', 0, 'Falsch', 100, false],
  ])('reads %s (%d) and %s (%d) by their place', async (first, a, second, b, isTrue) => {
    const said = (text: string) => `<feedback><text>${text}</text></feedback>`;
    const { definition, notes } = await one(
      question('truefalse', answer(first, a, said('One.')) + answer(second, b, said('Two.'))),
    );
    expect(definition?.options).toEqual([
      { text: 'True', isCorrect: isTrue, feedback: 'One.' },
      { text: 'False', isCorrect: !isTrue, feedback: 'Two.' },
    ]);
    expect(notes).toEqual([
      'The answers are not named True and False: the first was read as True, the second as False.',
    ]);
  });

  it('reads short answers', async () => {
    const { definition } = await one(
      question(
        'shortanswer',
        `<usecase>1</usecase>${answer('a\\*b', 100)}${answer('c', 50)}${answer('*', 0)}`,
      ),
    );
    expect(definition?.shortText).toEqual({
      accepted: [
        { text: 'a*b', weight: 100 },
        { text: 'c', weight: 50 },
      ],
      isCaseSensitive: true,
    });
  });

  it.each(['moodle_auto_format', 'html', 'markdown', 'plain_text'])(
    'reads short answers as they are typed, in the format %s',
    async (format) => {
      const texts = ['for(i=0;i<n;i++)', '<p>', 'a_b_c'];
      const answers = texts.map(
        (text) =>
          `<answer fraction="100" format="${format}"><text><![CDATA[${text}]]></text></answer>`,
      );
      const { definition } = await one(question('shortanswer', answers.join('')));
      expect(definition?.shortText?.accepted.map(({ text }) => text)).toEqual(texts);
    },
  );

  it('reads numbers with tolerance and units', async () => {
    const { definition } = await one(
      question(
        'numerical',
        `${answer('3.14', 100, '<tolerance>0.005</tolerance>')}${answer('*', 0, '<tolerance>0</tolerance>')}
        <units><unit><multiplier>1</multiplier><unit_name>m</unit_name></unit>
        <unit><multiplier>100</multiplier><unit_name>cm</unit_name></unit></units>
        <unitgradingtype>1</unitgradingtype><unitpenalty>1</unitpenalty>`,
      ),
    );
    expect(definition?.numeric).toEqual({
      accepted: [{ min: '3.135', max: '3.145' }],
      units: [
        { unit: 'm', factor: '1' },
        { unit: 'cm', factor: '0.01' },
      ],
      isUnitRequired: true,
    });
  });

  it.each([
    ['matching', 'Paris', ''],
    ['match', 'Paris', ''],
    ['ddmatch', '<![CDATA[<b>Paris</b>]]>', '**'],
  ])('reads %s', async (type, first, bold) => {
    const pair = (item: string, to: string) =>
      `<subquestion format="html"><text>${item}</text><answer format="html"><text>${to}</text></answer></subquestion>`;
    const { definition, notes } = await one(
      question(
        type,
        `<shuffleanswers>true</shuffleanswers>${pair('France', first)}
        ${pair('<![CDATA[<i>Spain</i>]]>', 'Madrid')}${pair('', 'Rome')}${pair('', '')}
        <correctfeedback><text>Well done, Ann.</text></correctfeedback>`,
      ),
    );
    expect(definition).toMatchObject({
      type: 'matching',
      rule: 'per_option',
      options: optionsOfPairs(
        [
          { item: 'France', answer: `${bold}Paris${bold}` },
          { item: '*Spain*', answer: 'Madrid' },
        ],
        ['Rome'],
      ),
    });
    expect(notes).toHaveLength(1);
  });

  it.each([
    ['<gradingtype>ALL_OR_NOTHING</gradingtype>', 'all_or_nothing', []],
    ['<gradingtype>ABSOLUTE_POSITION</gradingtype><selecttype>ALL</selecttype>', 'per_option', []],
    [
      '<gradingtype>RELATIVE_NEXT_EXCLUDE_LAST</gradingtype><selecttype>RANDOM</selecttype>',
      'per_option',
      [
        'Moodle counts which items follow each other; here each item at its right place earns its share.',
        'Moodle asks for some of the items only; here all of them are put in order.',
      ],
    ],
  ])('reads an ordering by %s', async (settings, rule, notes) => {
    const items = answer('one', 1) + answer('<![CDATA[<b>two</b>]]>', 2) + answer('three', 3);
    const item = await one(question('ordering', settings + items));
    expect(item).toMatchObject({
      notes,
      definition: {
        type: 'ordering',
        rule,
        options: [{ text: 'one' }, { text: '**two**' }, { text: 'three' }],
      },
    });
  });

  it.each([
    ['essay', 'Questions of Moodle’s type “Essay” are not supported.'],
    ['matching', 'Enter at least two items to match.'],
    ['ordering', 'Please provide at least two options.'],
    [
      'cloze',
      'Embedded answers (Cloze) are only supported with one gap: a choice, a text or a number.',
    ],
    ['someplugin', 'Questions of Moodle’s type “someplugin” are not supported.'],
    ['description', 'This is a description, not a question.'],
    ['multichoice', 'Please provide at least two options.'],
    ['truefalse', 'Neither True nor False is marked as right.'],
  ])('names what is wrong with %j', async (type, note) => {
    expect(await one(question(type, ''))).toMatchObject({
      title: 'N',
      definition: null,
      notes: [note],
    });
  });

  it.each([
    ['multichoice', '<single>true</single>', 1],
    ['multichoice', '<single>false</single>', 0],
    ['shortanswer', '', 1],
    ['numerical', '', 1],
  ])('notes what would cost points: %s %s', async (type, inside, count) => {
    const { notes } = await one(question(type, inside + answer('1', 100) + answer('2', -50)));
    expect(notes).toEqual(Array(count).fill('A total below 0 points counts as 0.'));
  });

  it('takes a choice without a key as a draft', async () => {
    const { definition } = await one(question('multichoice', answer('a', 0) + answer('b', 0)));
    expect(definition?.options.map(({ isCorrect }) => isCorrect)).toEqual([false, false]);
  });

  it('notes points that cannot be kept', async () => {
    const item = await one(
      question('truefalse', `<defaultgrade>1000</defaultgrade>${answer('true', 100)}`),
    );
    expect(item.definition?.points).toBe(100);
    expect(item.notes).toEqual(['The default mark 1000 became 100 points.']);
  });
});

describe('content', () => {
  it('takes embedded images and formulas', async () => {
    const png = Buffer.from('\x89PNG fake', 'latin1');
    const hash = createHash('sha256').update(png).digest('hex');
    const text = `<![CDATA[<p>\\(x^2\\) <img src="@@PLUGINFILE@@/my%20cat.png" alt="Cat"> <img src="@@PLUGINFILE@@/none.png" alt="gone"></p>]]></text><file name="my cat.png" path="/" encoding="base64">${png.toString('base64')}</file><text>`;
    const file = await read(question('truefalse', answer('true', 100), text));
    expect(file.items[0]?.definition).toMatchObject({
      format: 'markdown',
      question: `$x^2$ ![Cat](image:${hash}) gone`,
    });
    expect([...file.images]).toEqual([[hash, png]]);
    expect(file.items[0]?.notes).toEqual([
      'The image "none.png" is not in the file and was left out.',
    ]);
  });

  it.each([
    ['plain_text', 'a *b* &lt;i&gt;\nc', 'plain', 'a *b* <i>\nc'],
    ['moodle_auto_format', 'a *b* &lt;i&gt;c&lt;/i&gt;\nd', 'markdown', 'a \\*b\\* *c*\\\nd'],
    ['markdown', 'a _b_ \\\\(x_1 y_2\\\\)', 'markdown', 'a *b* $x_1 y_2$'],
  ])('reads texts in the format %s', async (format, text, wanted, read_) => {
    const { definition } = await one(
      `<question type="truefalse"><questiontext format="${format}"><text>${text}</text></questiontext>${answer('true', 100)}</question>`,
    );
    expect(definition).toMatchObject({ format: wanted, question: read_ });
  });

  it('reads categories', async () => {
    const { items } = await read(
      `<question type="category"><category><text>$course$/top/A//B/C</text></category></question>${question('truefalse', answer('true', 100))}`,
    );
    expect(items.map((item) => item.categoryPath)).toEqual([['A/B', 'C']]);
  });
});

describe('broken files', () => {
  it.each(['<quiz/>', '<other/>', '<quiz><question>', ''])(
    'refuses %j with a sentence',
    async (text) => {
      await expect(readAll(readMoodleXml, { name: 'a', bytes: text })).rejects.toThrow(
        UnreadableFile,
      );
    },
  );
});

const weighted = (...weights: number[]): QuestionDefinition => ({
  type: 'multiple_response',
  format: 'plain',
  question: 'Q',
  options: weights.map((weight, i) => ({ text: `${i}`, isCorrect: weight > 0, weight })),
  points: 1,
  rule: 'weights',
});

it('Moodle takes the grades of its list only, which is said before an export', () => {
  expect(xmlCannotHold(weighted(33.33333, 66.66667, -16.66666))).toEqual([]);
  expect(xmlCannotHold(weighted(85, 15))).toEqual([
    'Moodle has no grade of 85 %. When you import the file there, select “Nearest grade if not listed”.',
  ]);
});

it('Moodle needs an option with all points where one is selected', () => {
  expect(xmlCannotHold({ ...weighted(80, 50), type: 'multiple_choice' })).toEqual([
    'Moodle needs an option that earns all points.',
  ]);
});

const cloze = (text: string) => one(question('cloze', '', `<![CDATA[${text}]]>`));

describe('embedded answers with one gap', () => {
  it('are a choice', async () => {
    const item = await cloze(
      '<p>Cables are made of {2:MULTICHOICE_S:iron#no~=copper \\~ tin~%50%a = b} as a rule.</p>',
    );
    expect(item.definition).toMatchObject({
      type: 'multiple_choice',
      question: 'Cables are made of _____ as a rule.',
      options: [
        { text: 'iron', weight: 0 },
        { text: 'copper ~ tin', weight: 100 },
        { text: 'a = b', weight: 50 },
      ],
      points: 2,
      rule: 'weights',
    });
    expect(item.definition?.options[0]?.feedback).toBe('no');
    expect(item.notes).toEqual(['The gap in the text became _____.']);
  });

  it('keep their order where they are not shuffled', async () => {
    const item = await cloze('{:MC:~=yes~no}');
    expect(item.definition?.options).toEqual([
      { text: 'yes', isCorrect: true, isLast: true },
      { text: 'no', isCorrect: false, isLast: true },
    ]);
  });

  it('are several choices', async () => {
    const item = await cloze('Which? {1:MR:%50%a~%50%b~c}');
    expect(item.definition).toMatchObject({
      type: 'multiple_response',
      options: [{ weight: 50 }, { weight: 50 }, { weight: 0 }],
    });
  });

  it('are a text, in which case may count', async () => {
    const item = await cloze('The capital is {1:SAC:=Rome~%50%Roma~*#no}.');
    expect(item.definition).toMatchObject({
      type: 'short_text',
      question: 'The capital is _____.',
      shortText: {
        accepted: [
          { text: 'Rome', weight: 100 },
          { text: 'Roma', weight: 50 },
        ],
        isCaseSensitive: true,
      },
    });
  });

  it.each([
    ['MC', ['A total below 0 points counts as 0.']],
    ['MR', []],
    ['SA', ['A total below 0 points counts as 0.']],
    ['NM', ['A total below 0 points counts as 0.']],
  ])('are noted where they would cost points: %s', async (kind, notes) => {
    const item = await cloze(`{1:${kind}:=1~%-50%2}`);
    expect(item.notes).toEqual(['The gap in the text became _____.', ...notes]);
  });

  it('are a number', async () => {
    const item = await cloze('How much? {3:NUMERICAL:=2.5:0.5~*#wrong}');
    expect(item.definition).toMatchObject({
      type: 'numeric',
      numeric: { accepted: [{ min: '2', max: '3' }] },
      points: 3,
    });
  });

  it.each([
    ['several gaps', 'a {1:SA:=b} c {1:SA:=d}', 'only supported with one gap'],
    ['a gap of another kind', 'a {1:DRAG:=b}', 'one gap'],
    ['very many answers', `a {1:MC:${'~b'.repeat(200)}}`, 'one gap'],
    ['a gap without its end', 'a {1:SA:=b', 'one gap'],
    ['a wildcard that earns something', 'a {1:SA:=b*}', 'wildcard'],
    ['no number', 'a {1:NM:=x}', 'is not a number'],
  ])('are refused with %s', async (_, text, reason) => {
    const item = await cloze(text);
    expect(item.definition).toBeNull();
    expect(item.notes.join()).toContain(reason);
  });
});
