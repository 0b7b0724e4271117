import { readFile } from 'node:fs/promises';
import { optionsOfPairs } from '@invigil/core/domain/questions/matching-options';
import { readAll, readOne } from '@invigil/testkit/question-files';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { UnreadableFile } from '../imported-file.ts';
import { readGift } from './read-gift.ts';

const read = (text: string) => readAll(readGift, { name: 'a.gift', bytes: text });
const one = (text: string) => readOne(readGift, text, 'a.gift');

describe('types of questions', () => {
  it('says which formula is shown as its source', async () => {
    const item = await one('::Q::[markdown]What is $\\\\def\\\\a\\{x\\}\\\\a$?{=a ~b}');
    expect(item).toMatchObject({
      definition: { question: 'What is $\\def\\a{x}\\a$?' },
      notes: ['The formula uses \\def. Write out what it stands for.'],
    });
  });

  it('reads a choice with title, format and general feedback', async () => {
    const item = await one(
      '// [id:7] [tag:roots] [tag:a b]\n::Q\\: 1::[html]<b>Two</b> + 2?{\n=4#Right\n~5\n~\\=6\n####Because.\n}',
    );
    expect(item).toMatchObject({
      title: 'Q: 1',
      source: { file: 'a.gift', line: 2, identifier: '7' },
      tags: ['roots', 'a b'],
      notes: [],
      definition: {
        type: 'multiple_choice',
        format: 'markdown',
        rule: 'all_or_nothing',
        question: '**Two** + 2?',
        options: [
          { text: '4', isCorrect: true, feedback: 'Right' },
          { text: '5', isCorrect: false },
          { text: '\\=6', isCorrect: false },
        ],
        explanation: 'Because.',
      },
    });
  });

  it('reads feedback on true and false: first of the wrong answer, then of the right one', async () => {
    const said = async (answers: string) =>
      (await one(`Q?{${answers}}`)).definition?.options.map(({ feedback }) => feedback);
    expect(await said('T#w#r')).toEqual(['r', 'w']);
    expect(await said('FALSE#w#r')).toEqual(['w', 'r']);
    expect(await said('T#w')).toEqual([undefined, 'w']);
    expect(await said('T##r\\#1')).toEqual(['r#1', undefined]);
    expect(await said('F')).toEqual([undefined, undefined]);
  });

  it('reads several right answers with weights', async () => {
    const { definition } = await one('Who?{~%-50%No one ~%33.33333%A ~%33.33333%B ~%33.33333%C}');
    expect(definition).toMatchObject({ type: 'multiple_response', rule: 'weights' });
    expect(definition?.options.map(({ weight }) => weight)).toEqual([
      -50, 33.33333, 33.33333, 33.33333,
    ]);
  });

  it('reads weights of a choice with one selection', async () => {
    const { definition } = await one('Who?{~A ~%50%B =C}');
    expect(definition).toMatchObject({ type: 'multiple_choice', rule: 'weights' });
    expect(definition?.options.map(({ weight }) => weight)).toEqual([0, 50, 100]);
  });

  it.each([
    ['Who?{=A ~%-50%B}', 1],
    ['Who?{~%100%A ~%-50%B}', 0],
    ['Who?{=A =%-50%B}', 1],
    ['How many?{#=1 =%-50%2}', 1],
  ])('notes what would cost points: %s', async (text, count) => {
    expect((await one(text)).notes).toEqual(
      Array(count).fill('A total below 0 points counts as 0.'),
    );
  });

  it.each([
    ['The sun rises.{T}', [true, false]],
    ['The sun rises.{FALSE#no#yes}', [false, true]],
  ])('reads %j', async (text, key) => {
    const { definition } = await one(text);
    expect(definition?.type).toBe('true_false');
    expect(definition?.options.map(({ isCorrect }) => isCorrect)).toEqual(key);
  });

  it('reads short answers with and without weights', async () => {
    expect((await one('Who?{=no one =nobody}')).definition).toMatchObject({
      type: 'short_text',
      rule: 'all_or_nothing',
      shortText: { accepted: [{ text: 'no one' }, { text: 'nobody' }] },
    });
    expect((await one('Who?{=Frog =%50%Cat =%0%*}')).definition?.shortText).toEqual({
      accepted: [
        { text: 'Frog', weight: 100 },
        { text: 'Cat', weight: 50 },
      ],
    });
    expect((await one('One?{One}')).definition?.type).toBe('short_text');
  });

  it.each([
    ['#1822:5', [{ min: '1817', max: '1827' }]],
    ['#3.1415:0.0005', [{ min: '3.141', max: '3.142' }]],
    ['#-3.142..-3.141', [{ min: '-3.142', max: '-3.141' }]],
    ['#4', [{ value: '4' }]],
    [
      '#=1822:0 =%50%1822:2',
      [
        { value: '1822', weight: 100 },
        { min: '1820', max: '1824', weight: 50 },
      ],
    ],
    ['#=3:2 ~#Wrong', [{ min: '1', max: '5' }]],
  ])('reads the number %j', async (key, accepted) => {
    expect((await one(`When?{${key}}`)).definition?.numeric).toEqual({ accepted });
  });

  it.each(['~a', '=a', '#=1 =2'])('refuses very many answers like %j at once', async (answer) => {
    const before = process.threadCpuUsage();
    const item = await one(`Which?{${answer}${answer.slice(-2).repeat(1_000_000)}}`);
    expect(item.notes).toEqual(['It has more than 200 answers.']);
    expect(process.threadCpuUsage(before).user).toBeLessThan(5_000_000);
  });

  it('reads pairs to match, with a further answer', async () => {
    const { definition, notes } = await one(
      'Match{=Canada -> Ottawa =[html]<b>Italy</b> -> Rome #1\n=USA->New York = -> Chat}',
    );
    expect(notes).toEqual([]);
    expect(definition).toEqual({
      type: 'matching',
      format: 'markdown',
      question: 'Match',
      options: optionsOfPairs(
        [
          { item: 'Canada', answer: 'Ottawa' },
          { item: '**Italy**', answer: 'Rome #1' },
          { item: 'USA', answer: 'New York' },
        ],
        ['Chat'],
      ),
      points: 1,
      rule: 'per_option',
    });
  });

  it('reads a gap in a sentence, with a note', async () => {
    const item = await one('Grant is {~buried =entombed} in a tomb.');
    expect(item.definition?.question).toBe('Grant is _____ in a tomb.');
    const last = await one('Two and two are {=four =4}.');
    expect(last.definition?.question).toBe('Two and two are _____.');
    expect(item.notes).toEqual(['The gap in the sentence became _____, the answers stand below.']);
  });

  it.each([
    ['Essay?{}', 'Essay questions are not supported.'],
    ['Match{=a -> b =a -> d}', 'Option 2: Two options are the same. Change one of them.'],
    ['Match{=a -> b =c -> b}', 'Enter at least two different answers.'],
    ['Match{=a -> =c -> d}', 'Option 3: Enter a text.'],
    ['Only text', 'This is a description, not a question: it has no answers in braces.'],
    ['Who?{=a* =b}', 'Short answers with the wildcard * are not supported.'],
    ['When?{#abc}', '“abc” is not a number with a tolerance or a range.'],
    ['Who?{=a ~%x%b}', 'A weight in percent is not a number from -100 to 100.'],
    ['Who?{=a ~a}', 'Option 2: Two options are the same. Change one of them.'],
    ['\nWho?{=a ~b', 'Line 2: the closing brace } is missing.'],
  ])('names what is wrong with %j', async (text, note) => {
    const item = await one(text);
    expect(item).toMatchObject({ definition: null, notes: [note] });
  });
});

describe('files', () => {
  it('keeps the questions behind a broken one', async () => {
    const { items } = await read('A{=1 ~2\n\n::B::b{=1 ~2}\n\nC{=1\n\n~2}');
    expect(
      items.map(({ source, definition }) => [source.line, definition?.question ?? null]),
    ).toEqual([
      [1, null],
      [3, 'b'],
      [5, 'C'],
    ]);
  });

  it('reads categories', async () => {
    const { items } = await read('$CATEGORY: $course$/top/A//B/C\nx{T}\n\n$CATEGORY: D\n\ny{T}');
    expect(items.map((item) => item.categoryPath)).toEqual([['A/B', 'C'], ['D']]);
  });

  it('reads TeX, UTF-16 and line breaks', async () => {
    const text = '\ufeffWhat is \\\\(x \\\\neq 1\\\\)\\nnow?{T}';
    const utf16 = Buffer.from(text, 'utf16le');
    const { items } = await readAll(readGift, { name: 'a', bytes: utf16 });
    expect(items[0]?.definition?.question).toBe('What is $x \\neq 1$\\\nnow?');
  });

  it('refuses a file without questions', async () => {
    await expect(read('// nothing')).rejects.toThrow(UnreadableFile);
  });
});

const Parsed = z.array(
  z.object({
    type: z.string(),
    title: z.string().nullish(),
    stem: z.object({ format: z.string(), text: z.string() }).optional(),
    hasEmbeddedAnswers: z.boolean().optional(),
  }),
);
type Pairs = Record<string, { gift: string; parse: z.infer<typeof Parsed> }>;

/** Pairs of a GIFT text and its parse by another program; see fixtures/LICENSE. */
describe('files of another parser', () => {
  const TYPES: Record<string, readonly (string | undefined)[]> = {
    MC: ['multiple_choice', 'multiple_response'],
    TF: ['true_false'],
    Short: ['short_text', undefined],
    Numerical: ['numeric'],
    Matching: ['matching'],
    Essay: [undefined],
    Description: [undefined],
  };
  let pairs: Pairs = {};
  beforeAll(async () => {
    const url = new URL('./fixtures/gift-pairs.json', import.meta.url);
    const raw: Record<string, { gift: string; parse: unknown }> = JSON.parse(
      await readFile(url, 'utf8'),
    );
    pairs = Object.fromEntries(
      Object.entries(raw).map(([name, pair]) => [
        name,
        { ...pair, parse: Parsed.parse(pair.parse) },
      ]),
    );
  });

  it('gives the same questions', async () => {
    expect(Object.keys(pairs)).toHaveLength(51);
    for (const [name, { gift, parse }] of Object.entries(pairs)) {
      const wanted = parse.filter(({ type }) => type !== 'Category');
      if (wanted.length === 0) continue;
      const { items } = await read(gift);
      expect.soft(items.length, name).toBe(wanted.length);
      wanted.forEach(({ type, title, stem, hasEmbeddedAnswers }, i) => {
        const item = items[i];
        expect.soft(TYPES[type], `${name} ${i}`).toContain(item?.definition?.type);
        if (title) expect.soft(item?.title, `${name} ${i}`).toBe(title.replace(/\s+/g, ' ').trim());
        const question = item?.definition;
        if (question?.format !== 'plain' || stem?.format === 'html' || hasEmbeddedAnswers) return;
        const flat = (text: string) =>
          text.replace(/\\n/g, ' ').replace(/\s+/g, '').replace(/_____/g, '');
        expect.soft(flat(question.question), `${name} ${i}`).toBe(flat(stem?.text ?? ''));
      });
    }
  });
});

describe('a long line', () => {
  it.each(['', '<pre ', '=', '::', '%', '[', '`', ' ::a::', '\\~'])(
    'of spaces and %j is read in time that grows with it',
    async (sign) => {
      const before = process.threadCpuUsage();
      const line = sign === '' ? ' '.repeat(300_000) : sign.repeat(300_000 / sign.length);
      await read(`Q {=a ~b}\n\n${line}x\n\n${sign}${' '.repeat(300_000)}x`);
      expect(process.threadCpuUsage(before).user / 1_000).toBeLessThan(2_000);
    },
  );
});
