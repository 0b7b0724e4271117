import type { ColumnUse } from '@invigil/core/domain/questions/question-files';
import { readAll } from '@invigil/testkit/question-files';
import { describe, expect, it } from 'vitest';
import { readCsv } from './read-csv.ts';

const csv = (lines: string[], columns?: ColumnUse[]) =>
  readAll(readCsv, { name: 'a.csv', bytes: lines.join('\n'), columns });

/** Options of each question, with a star before the right ones; or why it has none. */
async function read(lines: string[], columns?: ColumnUse[]) {
  const { items } = await csv(lines, columns);
  return items.map(({ definition, notes }) =>
    definition === null
      ? notes[0]
      : definition.options.map(({ text, isCorrect }) => (isCorrect ? `*${text}` : text)).join(' '),
  );
}
const usesOf = async (lines: string[]) => (await csv(lines)).columns?.map(({ use }) => use).join();

describe('the header of a sheet', () => {
  it('names the key wherever it is, and the points', async () => {
    const { items, columns, notes } = await csv([
      'Question,A,B,C,Answer,Points',
      'Capital of France?,Rome,Paris,Oslo,B,2',
    ]);
    expect(items[0]).toMatchObject({
      definition: {
        type: 'multiple_choice',
        question: 'Capital of France?',
        options: [
          { text: 'Rome', isCorrect: false },
          { text: 'Paris', isCorrect: true },
          { text: 'Oslo', isCorrect: false },
        ],
        points: 2,
      },
      notes: [],
    });
    expect(notes).toEqual([]);
    const answer = { head: 'Answer', use: 'answer', example: 'B', cells: ['B'] };
    expect(columns?.[4]).toEqual(answer);
  });

  it.each([
    ['No.,Question,Option A,Option B,Correct Answer,Explanation,Tags,Points,Type'],
    ['Nr.,Frage,Antwort A,Antwort B,Richtige Antwort,Erklärung,Schlagwörter,Punkte,Fragetyp'],
    ['Nr,Fragetext,Antwort 1,Antwort 2,Lösung,Begründung,Stichworte,Punktzahl,Typ'],
    ['N°,Énoncé,Réponse A,Réponse B,Bonne réponse,Explication,Mots-clés,Barème,Type de question'],
    ['Nº,Pregunta,Opción A,Opción B,Respuesta correcta,Explicación,Etiquetas,Puntos,Tipo'],
    ['#,question_text,option1,option2,correctAnswer,General feedback,keywords,Marks,Question Type'],
    ['Number,Question,(A),(B),Key,Feedback,Tag,Points (max. 5),type'],
    ['Номер,Вопрос,А,Б,Правильный ответ,Пояснение,Теги,Баллы,Тип'],
  ])('is understood: %s', async (head) => {
    const key = head.includes('Вопрос') ? 'Б' : 'B';
    const { items, columns } = await csv([head, `7,Which?,x,y,${key},Because.,"a, b",1.5,`]);
    expect(columns?.map(({ use }) => use).join()).toBe(
      'number,question,option,option,answer,explanation,tags,points,type',
    );
    expect(items[0]).toMatchObject({
      source: { identifier: '7', line: 2 },
      definition: { points: 1.5, explanation: 'Because.', options: [{}, { isCorrect: true }] },
      tags: ['a', 'b'],
      notes: [],
    });
  });

  it.each([
    ['Question,Answer A,Answer B,Answer', 'question,option,option,answer'],
    ['Question,Answer,Answer,Answer,Correct', 'question,option,option,option,answer'],
    ['Question,Choices,Choices,Key', 'question,option,option,answer'],
    ['Text,Question Text,A,B,Answer', 'unused,question,option,option,answer'],
    ['Key,B,A,Question', 'answer,option,option,question'],
    ['Kysymys,A,B,Answer,Piste', 'question,option,option,answer,unused'],
    ['Q,A,B,Key,Points', 'question,option,option,answer,points'],
  ])('tells the key from options, and the question from its text: %s', async (head, uses) => {
    expect(await usesOf([head, 'a,b,c,d,e'.slice(0, 2 * head.split(',').length - 1)])).toBe(uses);
  });

  it('is no question with the letters of blood groups, nor one with the word for it', async () => {
    expect(await read(['Which group?,A,B,AB,A', 'Which one?,x,y,z,B'])).toEqual([
      '*A B AB',
      'x *y z',
    ]);
  });

  it('stands under a title, which is skipped and named', async () => {
    const { items, notes } = await csv([
      'Geography, spring',
      '',
      'Frage;A;B;Lösung;Autor;Stand',
      'Q?;x;y;A;Kim;2025',
    ]);
    expect(items).toMatchObject([{ source: { line: 4 }, definition: { question: 'Q?' } }]);
    expect(notes).toEqual([
      'Row 1, above the header, was skipped: “Geography, spring”.',
      'These columns are not used: “Autor”, “Stand”.',
    ]);
  });

  it('takes more than four options', async () => {
    expect(await read(['Question,A,B,C,D,E,F,Key', 'Q,1a,2a,3a,4a,5a,6a,F'])).toEqual([
      '1a 2a 3a 4a 5a *6a',
    ]);
  });

  it('gives letters to options, in whatever order they are', async () => {
    expect(await read(['Question,B,A,Key', 'Q,x,y,A'])).toEqual(['x *y']);
    expect(await read(['Вопрос,А,Б,В,Ответ', 'Q,x,y,z,В'])).toEqual(['x y *z']);
  });

  it('leaves our own form as the specification has it, with a draft where a key is missing', async () => {
    const head = 'Question,Option A,Option B,Option C,Option D,Correct Answer';
    const columns = await usesOf([head, 'Q,x,y,B']);
    expect(columns).toBe('question,option,option,option,option,answer');
    expect(
      await read([head, 'Q,x,y,B', 'R,x,y,,,a', 'S,x,y,,,', 'T,x,,y,,A', 'U,x,y,,,C']),
    ).toEqual([
      'x *y',
      '*x y',
      'x y',
      'Line 5: Option B is blank',
      'Line 6: Option C is out of range (only 2 options provided)',
    ]);
  });
});

it('cells of megabytes are read in linear time', async () => {
  const long = '('.repeat(1_000_000);
  const key = 'A,'.repeat(500_000);
  const before = process.threadCpuUsage();
  const { items } = await csv([`${long},A,B,Answer`, 'Question,A,B,Answer', `Q,x,y,"${key}"`]);
  expect(items[0]?.definition).toBeNull();
  // Processor time in µs; in quadratic time it would be minutes.
  expect(process.threadCpuUsage(before).user).toBeLessThan(6_000_000);
});

describe('a sheet without a known header', () => {
  it('is read by the place of its columns', async () => {
    const { columns, items } = await csv(['Wat?,Un,Deux,Trois', 'Q,x,y,B']);
    expect(columns?.map(({ head, use }) => `${head}=${use}`)).toEqual([
      'Wat?=question',
      'Un=option',
      'Deux=option',
      'Trois=answer',
    ]);
    expect(items[0]?.definition?.options[1]).toEqual({ text: 'y', isCorrect: true });
  });

  it('has at most four options', async () => {
    expect(await read(['p,q,r,s,t,u,v', 'Q,1a,2a,3a,4a,5a,A', 'Q,x,y,A'])).toEqual([
      'Line 2: A question has at most 4 options',
      '*x y',
    ]);
  });
});

describe('columns that a person chose', () => {
  it('are used instead of those of the header', async () => {
    const lines = ['Question,A,B,Comment,Answer', 'Q,x,y,B,A'];
    expect(await read(lines)).toEqual(['*x y']);
    expect(await read(lines, ['question', 'option', 'option', 'answer', 'unused'])).toEqual([
      'x *y',
    ]);
  });

  it('are used where there is no header that is known', async () => {
    const columns: ColumnUse[] = ['answer', 'unused', 'option', 'option', 'question', 'points'];
    const { items } = await csv(['Oikea,Laatija,A-v,B-v,Kys,P', 'B,Kim,x,y,Q,3'], columns);
    expect(items).toMatchObject([
      { definition: { question: 'Q', points: 3, options: [{}, { isCorrect: true }] } },
    ]);
  });

  it('can be changed although no row is a question yet', async () => {
    const { items, columns } = await csv(['Kys,A-v,B-v,Oikea,P', 'Q,x,y,B,5']);
    expect(items[0]?.definition).toBeNull();
    expect(columns).toHaveLength(5);
  });

  it('without one for the key make drafts', async () => {
    const { items } = await csv(['Question,A,B', 'Q,x,y']);
    expect(items[0]?.definition?.options.some(({ isCorrect }) => isCorrect)).toBe(false);
    expect(items[0]?.notes).toEqual(['The sheet has no column for the correct answer.']);
  });
});

describe('a key', () => {
  const HEAD = 'Question,A,B,C,Answer';

  it.each(['"A, C"', 'A;C', 'A and C', 'x; z', '"a,c"', 'A / C', 'Option A | Option C', 'A C'])(
    'of several options makes a multiple response: %s',
    async (key) => {
      const { items } = await csv([HEAD, `Q,x,y,z,${key}`]);
      expect(items[0]).toMatchObject({
        definition: {
          type: 'multiple_response',
          rule: 'all_or_nothing',
          options: [{ isCorrect: true }, { isCorrect: false }, { isCorrect: true }],
        },
        notes: [],
      });
    },
  );

  it.each([
    ['B)', 'x *y z'],
    ['Option B', 'x *y z'],
    ['Ｂ', 'x *y z'],
    ['Z', 'x y *z'],
    ['y', 'x *y z'],
  ])('may be %s', async (key, options) => {
    expect(await read([HEAD, `Q,x,y,z,${key}`])).toEqual([options]);
  });

  it('is a text whose case is folded by Unicode', async () => {
    expect(await read([HEAD, 'Q,Weg,Straße,Gasse,STRASSE'])).toEqual(['Weg *Straße Gasse']);
  });

  it('is a place where all rows allow it, with or without a header', async () => {
    expect(await read([HEAD, 'Q,x,y,z,2', 'R,x,y,,1', 'S,x,y,z,"1, 3"'])).toEqual([
      'x *y z',
      '*x y',
      '*x y *z',
    ]);
    const { items } = await csv(['p,q,r,s', 'Q,x,y,2']);
    expect(items[0]).toMatchObject({
      definition: { options: [{}, { isCorrect: true }] },
      notes: ['The correct answer “2” was read as the place of an option.'],
    });
  });

  it('is a text where all rows have it, and a place where the header says so', async () => {
    expect(await read([HEAD, 'Q,2,3,4,2', 'R,1,3,9,3'])).toEqual(['*2 3 4', '1 *3 9']);
    const head = 'Question,A,B,C,Correct option no.';
    const { items } = await csv([head, 'Q,2,3,4,2']);
    expect(items[0]?.definition?.options[1]).toEqual({ text: '3', isCorrect: true });
    expect(items[0]?.notes).toEqual([
      'The correct answer “2” was read as the place of an option, “3”. Another option has the text “2”.',
    ]);
    expect(await read([head, 'Q,x,y,z,4'])).toEqual([
      'Line 2: Option 4 is out of range (only 3 options provided)',
    ]);
  });

  it('is no place where one row does not allow it', async () => {
    expect(await read([HEAD, 'Q,x,y,z,2', 'R,x,y,z,C'])).toEqual([
      'Line 2: Correct answer "2" must match one of the options. Available options: x, y, z',
      'x y *z',
    ]);
  });

  it('that is a letter and the text of another option gets a note', async () => {
    const { items } = await csv([HEAD, 'Vitamin of carrots?,B,C,A,A', 'R,A,B,C,A']);
    expect(items[0]?.definition?.options[0]?.isCorrect).toBe(true);
    expect(items[0]?.notes).toEqual([
      'The correct answer “A” was read as the letter of an option, “B”. Another option has the text “A”.',
    ]);
    expect(items[1]?.notes).toEqual([]);
  });

  it.each([
    ['А', 'Cyrillic', 'A'],
    ['В', 'Cyrillic', 'B'],
    ['с', 'Cyrillic', 'C'],
    ['Α', 'Greek', 'A'],
    ['Β', 'Greek', 'B'],
  ])('%s is named as the %s letter that looks like %s', async (key, script, latin) => {
    const sentence = `"${key}" is the ${script} letter that looks like ${latin}: type it again as a Latin letter`;
    for (const text of [key, `"B, ${key}"`]) {
      expect((await read([HEAD, `Q,x,y,z,${text}`]))[0]).toContain(sentence);
    }
    expect((await read(['p,q,r,s', `Q,x,y,${key}`, 'R,x,y,A']))[0]).toContain(sentence);
  });
});

describe('other columns', () => {
  it.each([
    ['True/False', '', '', 'true', 'true_false', '*True False'],
    ['Wahr/Falsch', '', '', 'falsch', 'true_false', 'True *False'],
    ['Multiple response', 'x', 'y', 'B', 'multiple_response', 'x *y'],
    ['MCQ', 'x', 'y', 'A', 'multiple_choice', '*x y'],
    ['Numeric', '', '', '"3,5"', 'numeric', ''],
    ['Short answer', '', '', 'Paris; paris', 'short_text', ''],
  ])('the type %s', async (type, a, b, key, expected, options) => {
    const lines = ['Question,A,B,Answer,Type', `Q,${a},${b},${key},${type}`];
    const { items } = await csv(lines);
    expect(items[0]?.definition?.type).toBe(expected);
    expect(items[0]?.notes).toEqual([]);
    expect(await read(lines)).toEqual([options]);
  });

  it('a type that is not known is told', async () => {
    const { items } = await csv(['Question,A,B,Answer,Type', 'Q,,,x,Essay', 'Q,x,y,A,Riddle']);
    expect(items.map(({ notes }) => notes)).toEqual([
      ['Line 2: Questions of the type “Essay” are not supported'],
      ['The type “Riddle” is not known; the question was read by its options.'],
    ]);
  });

  it.each([
    ['2 points', 2, 0],
    ['"2,5"', 2.5, 0],
    ['', 1, 0],
    ['0', 1, 1],
    ['many', 1, 1],
  ])('points “%s” are %d', async (text, points, notes) => {
    const { items } = await csv(['Question,A,B,Answer,Points', `Q,x,y,A,${text}`]);
    expect(items[0]?.definition?.points).toBe(points);
    expect(items[0]?.notes).toHaveLength(notes);
  });
});
