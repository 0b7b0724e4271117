import { setTimeout as delay } from 'node:timers/promises';
import type { BankQuestion } from '@invigil/core/contract/assessments/bank';
import { ImportLine } from '@invigil/core/contract/assessments/imports';
import {
  plainDefinition,
  type QuestionDefinition,
} from '@invigil/core/domain/questions/question-definition';
import { makeQuiz, setUpAppWithAdmin, signInAdmin } from '@invigil/testkit/factories';
import { inForm } from '@invigil/testkit/test-form';
import { beforeEach, describe, expect, it } from 'vitest';

const app = setUpAppWithAdmin();

/** A PNG of one pixel. */
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABpfZFQAAAAABJRU5ErkJggg==';

const GIFT = `::Capital:: What is the capital of France? {=Paris ~London ~Rome}

Which are even? {~%50%2 ~%50%4 ~%-100%5}

Explain yourself. {}

Two and two is {#4}
`;

const MOODLE = `<?xml version="1.0"?><quiz><question type="multichoice">
  <name><text>Figure</text></name>
  <questiontext format="html">
    <text><![CDATA[<p>What is <b>this</b>?</p><img src="@@PLUGINFILE@@/a.png" alt="A dot">]]></text>
    <file name="a.png" encoding="base64">${PIXEL}</file>
  </questiontext>
  <defaultgrade>2</defaultgrade><single>true</single>
  <answer fraction="100"><text>A dot</text></answer>
  <answer fraction="0"><text>A line</text></answer>
</question></quiz>`;

/** Enough for several messages of the reading thread. */
const MANY = inForm({ short: 1_000, long: 3_000 });
const large = Array.from({ length: MANY }, (_, i) => `Q${i} {=a ~b}`).join('\n\n');

describe('question files', () => {
  beforeEach(async () => {
    await app.pool.query('update questions set deleted_at = now()');
  });

  const headers = { 'content-type': 'application/octet-stream' };
  const send = (
    name: 'importFile' | 'readImport',
    body: string | Buffer,
    query = {},
    as = app.admin,
  ) => app.call(name, { as, query, body: Buffer.from(body), headers });
  async function read(
    name: string,
    file: string | Buffer,
    choices: Record<string, string> = {},
    as = app.admin,
  ): Promise<ImportLine[]> {
    const reply = await send('readImport', file, { name, ...choices }, as);
    expect(reply.status).toBe(200);
    return reply.text
      .trim()
      .split('\n')
      .map((line) => ImportLine.parse(JSON.parse(line)));
  }
  const store = (order: object, file: string, as = app.admin) =>
    send('importFile', `${JSON.stringify(order)}\n${file}`, {}, as);
  const bank = async (query: Record<string, string> = {}): Promise<BankQuestion[]> =>
    (await app.call('listBank', { as: app.admin, query })).body;
  const itemsOf = (lines: ImportLine[]) => lines.flatMap(({ item }) => item ?? []);

  it('are announced with as many questions as they will have', async () => {
    await store({ name: 'questions.txt' }, GIFT);
    const check = await app.call('checkExport', { as: app.admin, query: { format: 'csv' } });
    expect(check.body).toMatchObject({ questions: 1, affected: 2 });
    const reasons = check.body.reasons.map(({ reason }: { reason: string }) => reason);
    expect(reasons).toContainEqual(expect.stringMatching(/^Left out: CSV holds only plain/));
    const file = await app.call('exportQuestions', { as: app.admin, query: { format: 'csv' } });
    expect(file.text.trim().split('\n')).toHaveLength(2);
  });

  it('are reviewed item by item, and nothing is stored before they are imported', async () => {
    const lines = await read('questions.txt', GIFT);
    expect(itemsOf(lines).map((i) => [i.definition?.type ?? null, i.isDuplicate])).toEqual([
      ['multiple_choice', false],
      ['multiple_response', false],
      [null, false],
      ['numeric', false],
    ]);
    expect(itemsOf(lines)[2]?.notes.join()).toMatch(/essay/i);
    expect(lines.at(-1)?.end).toEqual({ format: 'gift', problems: [], encoding: 'utf-8' });
    expect(await bank()).toEqual([]);
  });

  it('are read and imported with the encoding and the columns that a person chose', async () => {
    // The bytes are "Größe?" in windows-1252, and "GrцЯe?" in windows-1251.
    const file = Buffer.from('Question,A,B,Note,Answer\nGr\xf6\xdfe?,x,y,B,A\n', 'latin1');
    const [item] = itemsOf(await read('q.csv', file));
    expect(item?.definition?.question).toBe('Größe?');
    const encoding = 'windows-1251';
    const columns = ['question', 'option', 'option', 'answer', 'unused'];
    const lines = await read('q.csv', file, { encoding, columns: columns.join() });
    expect(itemsOf(lines)[0]?.definition).toMatchObject({
      question: 'GrцЯe?',
      options: [{ isCorrect: false }, { isCorrect: true }],
    });
    expect(lines.at(-1)?.end).toMatchObject({
      encoding,
      columns: columns.map((use) => ({ use })),
      notes: ['The column “Answer” is not used.'],
    });
    const order = `${JSON.stringify({ name: 'q.csv', encoding, columns })}\n`;
    const added = await send('importFile', Buffer.concat([Buffer.from(order), file]));
    expect(added.body).toMatchObject({ added: 1, encoding });
    expect((await bank()).map(({ definition }) => definition)).toEqual([
      itemsOf(lines)[0]?.definition,
    ]);
  });

  it('are read by the rules of the specification, whatever the header, and say what was added', async () => {
    const quiz = await makeQuiz(app, app.admin, { questions: [] });
    const file = 'Which?,1,2,3,A,B\nOut?,x,y,C\n"Two\nlines?",1,2,2\nWhich?,1,2,3,A,B\n';
    const firstRow = 'question';
    const lines = await read('q.csv', file, { firstRow });
    expect(itemsOf(lines).map((i) => [i.title, i.source.line, i.notes, i.isDuplicate])).toEqual([
      ['Which?', 1, [], false],
      [
        'Out? | x | y | C',
        2,
        ['Line 2: Option C is out of range (only 2 options provided)'],
        false,
      ],
      ['Two lines?', 3, [], false],
      ['Which?', 5, [], true],
    ]);
    const end = { format: 'csv', problems: [], encoding: 'utf-8', isFirstRowQuestion: true };
    expect(lines.at(-1)?.end).toEqual(end);
    expect(itemsOf(await read('q.csv', file, { firstRow: 'header' }))).toHaveLength(3);

    const order = { name: 'q.csv', firstRow, quizId: quiz.id, withDuplicates: true };
    const { body } = await store(order, file);
    const own = await app.call('listQuestions', { as: app.admin, params: { id: quiz.id } });
    expect(body).toMatchObject({ added: 3, ids: own.body.map((q: { id: string }) => q.id) });
    expect(own.body.map((q: { correctAnswer: string }) => q.correctAnswer)).toEqual([
      '2',
      '2',
      '2',
    ]);
  });

  it('know only questions that the author may see', async () => {
    const quiz = await makeQuiz(app, app.admin, { questions: [] });
    const file = 'Question,A,B,Answer\nSecret?,x,y,A\n';
    const orderOf = (quizId: string | null) => ({ name: 'q.csv', quizId });
    await store(orderOf(null), file);
    const as = await signInAdmin(app, 'author@example.org');
    const { id } = (await app.call('me', { as })).body.user;
    const grants = [{ role: 'author', quizId: quiz.id }];
    await app.call('setGrants', { as: app.admin, params: { id }, body: { grants } });
    const isKnown = async () => itemsOf(await read('q.csv', file, {}, as))[0]?.isDuplicate;
    expect(await isKnown()).toBe(false);
    expect((await store(orderOf(quiz.id), file, as)).body.added).toBe(1);
    expect((await store(orderOf(quiz.id), file, as)).body).toMatchObject({
      ...{ added: 0, duplicates: 1 },
    });
  });

  it('are duplicates of questions of the same place alone, and of none that is archived', async () => {
    const [one, two] = [await makeQuiz(app, app.admin), await makeQuiz(app, app.admin)];
    const file = 'Question,A,B,Answer\nPlaces?,x,y,A\n';
    const isKnown = async () => itemsOf(await read('q.csv', file))[0]?.isDuplicate;
    const added = async (quizId: string | null) => {
      const { body } = await store({ name: 'q.csv', quizId }, file);
      return [body.added, body.duplicates];
    };
    for (const place of [one.id, two.id, null]) {
      expect([place, await isKnown(), await added(place)]).toEqual([place, false, [1, 0]]);
      expect(await added(place)).toEqual([0, 1]);
    }
    expect(await isKnown()).toBe(true);
    await app.pool.query(
      `update questions set archived_at = now() where id in (select question_id from question_versions
        where question = 'Places?')`,
    );
    expect(await isKnown()).toBe(false);
    expect(await added(null)).toEqual([1, 0]);
    expect(await added(two.id)).toEqual([1, 0]);
  });

  it('take what was put right instead, and can be listed by their time', async () => {
    await app.call('addToBank', { as: app.admin, body: { definition: marked('Earlier?') } });
    app.clock.advance({ ms: 1 });
    const file = 'Question,A,B,Answer\nOne?,x,y,A\nTwo?,x,y,neither\n';
    const [, broken] = itemsOf(await read('q.csv', file));
    const attempt = broken?.attempt;
    expect([broken?.definition, attempt?.question]).toEqual([null, 'Two?']);
    const changed = (right: string) => ({
      item: 1,
      definition: {
        ...attempt,
        options: attempt?.options.map((option) => ({
          ...option,
          isCorrect: option.text === right,
        })),
      },
    });
    const twice = { ...changed('y'), definition: { ...attempt, options: [attempt?.options[0]] } };
    expect((await store({ name: 'q.csv', changed: [twice] }, file)).status).toBe(400);
    const { body } = await store({ name: 'q.csv', changed: [changed('y')] }, file);
    expect(body.added).toBe(2);
    const listed = await bank({ createdAt: body.createdAt });
    expect(listed.map(({ id }) => id).sort()).toEqual(body.ids.sort());
    const two = listed.find(({ definition }) => definition.question === 'Two?');
    expect(two?.definition.options[1]).toEqual({ text: 'y', isCorrect: true });
  });

  it.each([
    ['no row is a question', 'Question,A,B,Key\nQ,a\n', 'No valid questions found in the CSV file'],
    ['there are too many rows', 'Q,a,b,A\n'.repeat(1_002), /more than 1000 rows/],
    ['it is too large', 'Q,a,b,A\n'.repeat(140_000), /larger than 1 MiB/],
    ['it is not text', 'Q,a,b,\0A\n', /^This file is not text/],
  ])('say what is wrong when %s', async (_, file, sentence) => {
    const last = (await read('q.csv', file, { firstRow: 'header' })).at(-1);
    expect(last?.error ?? last?.end?.problems[0]).toMatch(sentence);
  });

  it.each([
    { columns: 'question,question,option' },
    { columns: 'question,key' },
    { encoding: 'utf-7' },
  ])('are refused with a choice that there is not: %j', async (choices) => {
    expect(await send('readImport', GIFT, { name: 'q.csv', ...choices })).toMatchObject({
      status: 400,
      body: { code: 'INVALID_INPUT' },
    });
  });

  it('are imported in part, with tags, into an assessment', async () => {
    const quiz = await makeQuiz(app, app.admin, { questions: [] });
    const order = { name: 'q.gift', items: [0, 3], quizId: quiz.id, tags: ['from Moodle'] };
    expect(await store(order, GIFT)).toMatchObject({
      status: 201,
      body: { added: 2, duplicates: 0, left: [] },
    });
    const own = await app.call('listQuestions', { as: app.admin, params: { id: quiz.id } });
    expect(
      own.body.map((q: { type: string; orderNumber: number }) => [q.type, q.orderNumber]),
    ).toEqual([
      ['multiple_choice', 1],
      ['numeric', 2],
    ]);
    expect((await bank({ tag: 'from Moodle' })).length).toBe(2);
  });

  it('add nothing the second time, unless asked', async () => {
    const order = { name: 'q.gift' };
    expect((await store(order, GIFT)).body.added).toBe(3);
    expect((await store(order, GIFT)).body).toMatchObject({ added: 0, duplicates: 3 });
    expect((await store({ ...order, withDuplicates: true }, GIFT)).body.added).toBe(3);
    expect(await bank()).toHaveLength(6);
  });

  it('bring their images, which are recognized the second time', async () => {
    const lines = await read('m.xml', MOODLE);
    expect(lines.filter(({ image }) => image)).toHaveLength(1);
    expect((await store({ name: 'm.xml' }, MOODLE)).body.added).toBe(1);
    const [question] = await bank();
    const { question: text = '', points } = question?.definition ?? {};
    expect(points).toBe(2);
    const hash = /image:([0-9a-f]{64})/.exec(text)?.[1] ?? '';
    const image = await app.call('readImage', { as: app.admin, params: { hash } });
    expect(image.status).toBe(200);
    expect(itemsOf(await read('m.xml', MOODLE))[0]?.isDuplicate).toBe(true);
    expect((await store({ name: 'm.xml' }, MOODLE)).body).toMatchObject({
      added: 0,
      duplicates: 1,
    });
  });

  it('that cannot be read get a sentence, and nothing is stored', async () => {
    const file = 'Dear all, the questions are attached.';
    const message = await sentenceOf(file);
    expect(message).toMatch(SENTENCE);
    expect(await store({ name: 'file' }, file)).toMatchObject({
      status: 400,
      body: { code: 'INVALID_QUESTIONS', message },
    });
  });

  it.each([
    ['entities', '<!DOCTYPE q [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><quiz>&b;</quiz>'],
    ['deep nesting', `<quiz>${'<a>'.repeat(100_000)}`],
  ])('that cannot be read get a sentence: %s', async (_, file) => {
    expect(await sentenceOf(file)).toMatch(SENTENCE);
  });

  it('that need more memory than their process has get a sentence', {
    tags: 'long',
  }, async () => {
    const file = `<!DOCTYPE quiz [${'<!ENTITY a "b">'.repeat(1_400_000)}`;
    expect(await sentenceOf(file)).toMatch(SENTENCE);
  });

  const SENTENCE = /\S+ \S+/;
  async function sentenceOf(file: string): Promise<string | undefined> {
    const lines = await read('file', file);
    expect(lines).toHaveLength(1);
    return lines[0]?.error;
  }

  it('need their first line', async () => {
    const bad = await send('importFile', 'What? {=a ~b}');
    expect(bad).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } });
  });

  it('are read one at a time, and add nothing the second time', async () => {
    const replies = await Promise.all([1, 2].map(() => store({ name: 'q.gift' }, large)));
    expect(replies.map(({ status }) => status)).toEqual([201, 201]);
    // Read together, both would have added them.
    const both = replies.map(({ body }) => [body.added, body.duplicates]);
    expect(both.sort()).toEqual([
      [0, MANY],
      [MANY, 0],
    ]);
    const list = await app.call('listBank', { as: app.admin, query: { limit: '1' } });
    expect(list.headers['x-total-count']).toBe(`${MANY}`);
    expect(itemsOf(await read('q.gift', large))).toHaveLength(MANY);
  });

  it('add nothing when the import is canceled', { tags: 'long' }, async () => {
    const url = await app.fastify.listen({ port: 0, host: '127.0.0.1' });
    const canceled = new AbortController();
    const larger = Array.from({ length: 20_000 }, (_, i) => `Q${i} {=a ~b}`).join('\n\n');
    const request = fetch(`${url}/api/questions/import`, {
      method: 'POST',
      headers: { ...headers, cookie: `invigil_session=${app.admin}` },
      body: `{"name":"q.gift"}\n${larger}`,
      signal: canceled.signal,
    });
    // Long enough to begin, and far too short for so many.
    await delay(500);
    canceled.abort();
    await expect(request).rejects.toThrow('aborted');
    const isFree = async () => (await store({ name: 'q.gift' }, GIFT)).status === 201;
    await expect.poll(isFree).toBe(true);
    // Wait as long as adding them would take.
    await delay(3_000);
    expect(await bank()).toHaveLength(3);
  });
});

const marked = (question: string, ...options: string[]): QuestionDefinition => ({
  ...plainDefinition(question, options.length > 0 ? options : ['a', 'b'], options[0] ?? 'a'),
  format: 'markdown',
});
const typed = (part: Partial<QuestionDefinition>): QuestionDefinition => ({
  ...plainDefinition('How much?', [], ''),
  type: 'numeric',
  ...part,
});

/** Questions as authors write them, not in the spelling of an export. */
const QUESTIONS: [string, QuestionDefinition][] = [
  ['an escaped angle bracket', marked('Is **\\<x>** a tag?')],
  ['an angle bracket', marked('Is **<x>** a tag?')],
  ['an & in a link', marked('See [this](https://e.org/?a=1&b=2).')],
  ['an entity in a link', marked('See [this](https://e.org/?a=1&amp;b=2).')],
  ['a bare link', marked('See **https://e.org/?a=1&b=2** now.')],
  ['other signs of emphasis', marked('A _slanted_ and __strong__ word')],
  ['other bullets', marked('Which?\n\n* a\n* b')],
  ['a paragraph of two lines', marked('One *line*\nand another')],
  ['escaped signs', marked('2 \\* 3 \\_ 4 and **x**')],
  ['entities', marked('a &lt; b &amp; **c**')],
  ['such options', marked('Which?', '\\<x>', '**<y>**', '_z_')],
  ['Markdown without marks', marked('Which \\<x>?')],
  ['a formula', marked('$x^2 < 1$ and $a_1$')],
  ['a numbered list', marked('Which?\n\n1) a\n1) b')],
  ['a trailing zero', typed({ numeric: { accepted: [{ value: '70.0' }] } })],
  ['a plus sign', typed({ numeric: { accepted: [{ value: '+7' }] } })],
  ['a power', typed({ numeric: { accepted: [{ value: '7e2' }] } })],
  ['a range with zeros', typed({ numeric: { accepted: [{ min: '1.0', max: '02.50' }] } })],
  [
    'a tolerance of nothing',
    typed({ numeric: { accepted: [{ value: '70', tolerancePercent: '0' }] } }),
  ],
  [
    'a factor with zeros',
    typed({
      numeric: {
        accepted: [{ value: '7' }],
        units: [
          { unit: 'm', factor: '1.0' },
          { unit: 'km', factor: '1e3' },
        ],
      },
    }),
  ],
  [
    'texts that are compared as equal',
    typed({
      type: 'short_text',
      shortText: { accepted: [{ text: 'it’s' }, { text: "it's" }, { text: 'It’s' }] },
    }),
  ],
];

describe('a question in a file of our own', () => {
  beforeEach(() => app.pool.query('update questions set deleted_at = now()'));

  it.each(inForm({ short: ['qti_3'] as const, long: ['gift', 'moodle_xml', 'qti_3'] as const }))(
    'is no second copy: %s',
    async (format) => {
      const held = QUESTIONS.filter(
        ([, { numeric }]) => numeric?.units === undefined || format === 'moodle_xml',
      );
      for (const [name, given] of held) {
        const definition = { ...given, question: `${name}: ${given.question}` };
        const added = await app.call('addToBank', { as: app.admin, body: { definition } });
        expect(added.status, name).toBe(201);
      }
      const file = await app.call('exportQuestions', { as: app.admin, query: { format } });
      const [, name = ''] =
        /filename="([^"]+)"/.exec(String(file.headers['content-disposition'])) ?? [];
      const reply = await app.call('importFile', {
        as: app.admin,
        body: Buffer.concat([Buffer.from(`{"name":"${name}"}\n`), file.bytes]),
        headers: { 'content-type': 'application/octet-stream' },
      });
      const { body } = await app.call('listBank', { as: app.admin, query: { limit: '100' } });
      const copies = body.slice(0, body.length - held.length);
      expect(copies.map((one: { definition: object }) => one.definition)).toEqual([]);
      expect(reply.body).toEqual({
        added: 0,
        ids: [],
        duplicates: held.length,
        createdAt: expect.any(String),
        left: [],
        ...(format === 'gift' ? { encoding: 'utf-8' } : {}),
      });
      const { rows } = await app.pool.query(
        "select details from audit_entries where action = 'questions.exported' order by id desc limit 1",
      );
      expect(rows).toMatchObject([{ details: { format } }]);
    },
  );

  it('finds its category by name among those in reach, and by no name that two have', async () => {
    const category = async (name: string) =>
      (await app.call('createCategory', { as: app.admin, body: { name } })).body.id as string;
    const [own, foreign] = [await category('Own one'), await category('Foreign one')];
    const twice = await category('Twice');
    await category('twice');
    await category('Same');
    await category('Same');
    const cookie = await signInAdmin(app, 'importing.author@example.org');
    const { id } = (await app.call('me', { as: cookie })).body.user;
    const grants = [{ role: 'author', categoryId: own }];
    await app.call('setGrants', { as: app.admin, params: { id }, body: { grants } });
    const quizBody = { title: 'T', categoryId: own, duration: 5, totalQuestions: 5 };
    const quizId = (await app.call('createQuiz', { as: cookie, body: quizBody })).body.id;
    const found = async (as: string, name: string) => {
      const file = `$CATEGORY: ${name}\n\nA question about ${name} by ${as.length}${as.slice(-9)}? {=a ~b}`;
      const body = Buffer.from(`${JSON.stringify({ name: 'q.gift', quizId })}\n${file}`);
      const reply = await app.call('importFile', {
        as,
        body,
        headers: { 'content-type': 'application/octet-stream' },
      });
      expect(reply.body).toMatchObject({ added: 1 });
      const read = await app.call('getBankQuestion', { as, params: { id: reply.body.ids[0] } });
      return [read.body.categoryId, read.body.tags];
    };
    expect(await found(cookie, 'Own one')).toEqual([own, []]);
    expect(await found(cookie, 'Foreign one')).toEqual([null, ['Foreign one']]);
    expect(await found(app.admin, 'Foreign one')).toEqual([foreign, []]);
    // The one that is written so, if several differ in case alone.
    expect(await found(app.admin, 'Twice')).toEqual([twice, []]);
    expect(await found(app.admin, 'TWICE')).toEqual([null, ['TWICE']]);
    expect(await found(app.admin, 'Same')).toEqual([null, ['Same']]);
    // Nor does an export name one that is out of reach.
    const written = async (as: string) =>
      (await app.call('exportQuestions', { as, query: { format: 'gift' } })).text;
    expect(await written(cookie)).not.toMatch(/CATEGORY.*Foreign one/);
    expect(await written(app.admin)).toMatch(/CATEGORY.*Foreign one/);
  });

  it('is another one with other words, or another meaning of the same', async () => {
    await app.call('addToBank', {
      as: app.admin,
      body: { definition: marked('Is **\\<x>** a tag?') },
    });
    const file = ['Is **<x>** a tag?', 'Is *<x>* a tag?', 'Is **<x>** the tag?']
      .map((text) => `[markdown]${text} {=a ~b}`)
      .join('\n\n');
    const reply = await app.call('importFile', {
      as: app.admin,
      body: Buffer.from(`{"name":"q.gift"}\n${file}`),
      headers: { 'content-type': 'application/octet-stream' },
    });
    expect(reply.body).toMatchObject({ added: 2, duplicates: 1 });
    const { body } = await app.call('listBank', { as: app.admin });
    const texts = body.map(({ definition }: BankQuestion) => definition.question);
    expect(texts.sort()).toEqual([
      'Is **\\<x>** a tag?',
      expect.stringContaining('the tag?'),
      expect.stringMatching(/^Is [*_]/),
    ]);
  });
});
