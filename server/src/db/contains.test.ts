import type { EndpointName } from '@invigil/core/contract/endpoints';
import { plainDefinition } from '@invigil/core/domain/questions/question-definition';
import { plainLetters } from '@invigil/core/domain/typed-text';
import { beginAttempt, makeQuiz, setUpAppWithAdmin, signInAdmin } from '@invigil/testkit/factories';
import { beforeAll, describe, expect, it } from 'vitest';

/** Words, with other ways in which someone types them. */
const WORDS: Record<string, string[]> = {
  Übung: ['U\u0308bung'],
  Ägypten: [],
  Школа: [],
  Ёлка: [],
  ΑΘΗΝΑ: [],
  ΟΔΟΣ: ['οδος', 'οδοσ'],
  École: [],
  Łódź: [],
  İstanbul: ['istanbul', 'ISTANBUL', 'Istanbul'],
  Iğdır: ['IGDIR'.replace('G', 'Ğ'), 'iğdir'],
  Straße: ['STRASSE', 'strasse', 'STRAẞE'],
  'µ-meson': ['μ-MESON'],
  'Plain 100 %_\\': [],
};

const app = setUpAppWithAdmin();
type Row = Record<string, unknown> & { id: string };
const must = async (name: EndpointName, input: object = {}) => {
  const { status, body, text } = await app.call(name, { as: app.admin, ...input });
  if (status >= 300) throw new Error(`${name}: ${text}`);
  return body;
};
const rows = async (name: EndpointName, input?: object): Promise<Row[]> => must(name, input);

/** The ids that each search must find, by word. */
const wanted: Record<string, [name: EndpointName, ids: string[], params?: object][]> = {};

beforeAll(async () => {
  for (const [i, word] of Object.keys(WORDS).entries()) {
    const plain = plainDefinition(`Question ${i}`, ['a', 'b'], 'a');
    const add = async (definition: object, labels: object = {}) =>
      (await must('addToBank', { body: { definition, ...labels } })).id;
    const quiz = await makeQuiz(app, app.admin, { title: `About ${word}` });
    const attempt = await beginAttempt(app, app.admin, quiz);
    const { userId } = attempt.candidate;
    await must('updatePerson', { params: { id: userId }, body: { familyName: `X${word}y` } });
    const { rows: sent } = await app.pool.query(
      `select o.id, o.invitation_id from outbox o join invitations i on i.id = o.invitation_id
       where i.quiz_id = $1`,
      [quiz.id],
    );
    wanted[word] = [
      [
        'listBank',
        [
          await add({ ...plain, question: `The ${word}` }),
          await add({
            ...plain,
            options: [
              { text: `an ${word}`, isCorrect: true },
              { text: 'b', isCorrect: false },
            ],
          }),
          await add({ ...plain, format: 'markdown', explanation: `An ${word}` }),
          await add(plain, { note: `A ${word}` }),
          await add(plain, { tags: [`on ${word}`] }),
        ],
      ],
      ['listPeople', [userId]],
      ['listParticipants', [attempt.id]],
      ['listInvitations', [sent[0].invitation_id], { id: quiz.id }],
      ['listOutbox', [sent[0].id]],
    ];
  }
});

describe('a search finds a text whatever the case of both, in any script', () => {
  it.each(Object.entries(WORDS))('%s', async (word, others) => {
    const spellings = new Set([word, word.toLowerCase(), word.toUpperCase(), ...others]);
    for (const [name, ids, params] of wanted[word] ?? []) {
      for (const search of spellings) {
        const found = (await rows(name, { params, query: { search } })).map(({ id }) => id);
        expect([name, search, found.toSorted()]).toEqual([name, search, ids.toSorted()]);
      }
    }
  });

  it('has all words, in any order and in parts', async () => {
    const { id } = await must('addToBank', {
      body: { definition: plainDefinition('The Übungsblatt of week 12', ['a', 'b'], 'a') },
    });
    for (const search of ['week blatt', ' 12  übung ', 'OF THE']) {
      const found = await rows('listBank', { query: { search } });
      expect([search, found.map((row) => row.id)]).toEqual([search, [id]]);
    }
    expect(await rows('listBank', { query: { search: 'week 13' } })).toEqual([]);
    expect(await rows('listBank', { query: { search: 'week%12' } })).toEqual([]);
  });

  it.each([
    ['José Ñandú', ['jose', 'nandu JOSÉ', 'JOSE\u0301']],
    ['Łukasz Strömgård', ['lukasz', 'stromgard', 'Łuk']],
    ['Søren Ægir', ['soren', 'aegir', 'SØREN']],
    ['Θεόδωρος Ξένος', ['θεοδωροσ', 'ΞΕΝΟΣ']],
    ['Артём Гайдай', ['артем', 'гаидаи']],
    ['Nguyễn Đức', ['nguyen duc', 'duc nguyen']],
  ])('people without accents: %s', async (name, searches) => {
    const [givenName, familyName] = name.split(' ');
    const { candidate, id } = await beginAttempt(app, app.admin);
    await must('updatePerson', {
      params: { id: candidate.userId },
      body: { givenName, familyName },
    });
    for (const search of searches) {
      const query = { search };
      const people = (await rows('listPeople', { query })).map((row) => row.id);
      const attempts = (await rows('listParticipants', { query })).map((row) => row.id);
      expect([search, people, attempts]).toEqual([search, [candidate.userId], [id]]);
    }
  });

  it('in plain letters as the browser has them', async () => {
    const texts = [
      ...Object.keys(WORDS),
      'Ægir Łuk Đức ð Þór œuvre',
      'Артём',
      'Ξένος',
      'שָׁלוֹם',
      'कि',
      '한글',
    ];
    const { rows: plain } = await app.pool.query(
      'select plain_letters(t) as t from unnest($1::text[]) t',
      [texts],
    );
    expect(plain.map(({ t }) => t)).toEqual(texts.map(plainLetters));
  });

  it('also an address in the audit log', async () => {
    await signInAdmin(app, 'Head@école.example');
    for (const search of ['École', 'ÉCOLE.example', 'head@É']) {
      const found = await rows('listAudit', { query: { search } });
      expect(found.map(({ action }) => action)).toEqual(['admin.signed_in']);
    }
    expect(await rows('listAudit', { query: { search: 'ecole' } })).toEqual([]);
  });
});

it('titles, tags, groups and categories are in the order of an alphabet', async () => {
  const names = ['Zebra', 'äpfel', 'apfel', 'Éclair', 'eclat', 'Ähre', 'Яма', 'ёж'];
  const ordered = names.toSorted(new Intl.Collator('und').compare);
  for (const [i, name] of names.entries()) {
    await must('createCategory', { body: { name } });
    const definition = plainDefinition(`Ordered ${i}`, ['a', 'b'], 'a');
    await must('addToBank', { body: { definition, tags: [`order ${name}`] } });
    const quiz = await makeQuiz(app, app.admin, { title: `order ${name}` });
    const { candidate } = await beginAttempt(app, app.admin, quiz);
    const person = { params: { id: candidate.userId }, body: { groups: [`order ${name}`] } };
    await must('updatePerson', person);
  }
  const only = (values: unknown[]) =>
    values.flatMap((value) => names.find((name) => String(value).endsWith(name)) ?? []);
  const query = { sort: 'quizTitle', order: 'asc', limit: '500' };
  const lists = {
    categories: (await rows('listCategories')).map(({ name }) => name),
    tags: (await rows('listTags')).map(({ tag }) => tag),
    groups: (await rows('listGroups')).map(({ group }) => group),
    attempts: (await rows('listParticipants', { query })).map(({ quizTitle }) => quizTitle),
  };
  for (const [list, values] of Object.entries(lists)) {
    expect([list, only(values)]).toEqual([list, ordered]);
  }
});
