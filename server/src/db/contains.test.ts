import type { EndpointName } from '@invigil/core/contract/endpoints';
import { plainDefinition } from '@invigil/core/domain/questions/question-definition';
import { plainLetters } from '@invigil/core/domain/typed-text';
import { beginAttempt, makeQuiz, setUpAppWithAdmin, signInAdmin } from '@invigil/testkit/factories';
import { silentLog } from '@invigil/testkit/silent-log';
import fc from 'fast-check';
import pg from 'pg';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { migrate } from './upkeep/migrate.ts';

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

  it('what a question has now: its texts after an edit, its labels', async () => {
    const { id } = await must('addToBank', {
      body: { definition: plainDefinition('Über Öfen', ['a', 'b'], 'a'), tags: ['Café'] },
    });
    const { id: other } = await must('addToBank', {
      body: { definition: plainDefinition('Another', ['a', 'b'], 'a') },
    });
    const found = async (search: string) =>
      (await rows('listBank', { query: { search } })).map((row) => row.id);
    expect(await found('ofen cafe')).toEqual([id]);
    const params = { id };
    const definition = plainDefinition('Über Töpfe', ['a', 'b'], 'a');
    await must('changeBankQuestion', { params, body: { definition, note: 'Señor' } });
    expect(await found('ofen')).toEqual([]);
    expect(await found('topf senor CAFE')).toEqual([id]);
    await must('changeBankQuestions', {
      body: { ids: [id, other], addTags: ['Göttingen'], removeTags: ['Café'] },
    });
    expect(await found('cafe')).toEqual([]);
    expect(await found('gottingen')).toEqual([other, id]);
    expect(await found('gotting topf')).toEqual([id]);
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

  it('exactly what plain letters contain, after they are made ASCII', async () => {
    // Letters whose codes have parts in common, and what those codes are made of.
    const letters = fc.constantFrom(..."aQ67 \\%_'éßшщюжЖ学字𠀀𠀁王ab");
    const text = (most: number) =>
      fc.array(letters, { minLength: 1, maxLength: most }).map((all) => all.join(''));
    const pairs = fc.sample(fc.tuple(text(12), text(3)), { numRuns: 5_000, seed: 1 });
    const { rows: found } = await app.pool.query(
      `select t, w, strpos(search_letters(t), search_letters(w)) > 0 as is,
         strpos(plain_letters(t), plain_letters(w)) > 0 as wanted
       from unnest($1::text[], $2::text[]) as pairs (t, w)`,
      [pairs.map(([t]) => t), pairs.map(([, w]) => w)],
    );
    expect(found.filter(({ is, wanted }) => is !== wanted)).toEqual([]);
    expect(found.filter(({ wanted }) => wanted).length).toBeGreaterThan(100);
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

describe('parts of words are found by an index, whatever their script and the locale of the database', () => {
  // The first is the locale of the embedded database, the others are of databases of one's own.
  it.each([
    "locale_provider libc locale 'C'",
    "locale_provider builtin locale 'C.UTF-8'",
    "locale_provider icu icu_locale 'tr-TR' locale 'C'",
  ])('%s', async (locale) => {
    const name = `searched_${locale.replace(/\W/g, '').toLowerCase()}`;
    await app.pool.query(`create database ${name} template template0 encoding 'UTF8' ${locale}`);
    const pool = new pg.Pool({ ...inject('postgres'), database: name });
    try {
      await migrate(pool, silentLog);
      await pool.query(`insert into users (id, email, given_name, created_at)
        select gen_random_uuid(), i || '@example.org', 'Someone ' || i, now() from generate_series(1, 5000) i`);
      for (const [given, search] of [
        ['Иванович', 'ванов'],
        ['王', '王'],
        ['佐藤一郎', '藤一'],
        ['محمد', 'حمد'],
        ['Ğülsüm IŞIK', 'isik'],
        ['Nguyễn', 'GUYE'],
      ]) {
        await pool.query(
          `insert into users (id, email, given_name, created_at) values (gen_random_uuid(), $1, $2, now())`,
          [`${search}@example.com`, given],
        );
        await pool.query('vacuum analyze users');
        const query = `select given_name from users where search_text like search_letters('%${search}%')`;
        const { rows: found } = await pool.query(query);
        expect(found).toEqual([{ given_name: given }]);
        const { rows: plan } = await pool.query(`explain ${query}`);
        expect(plan.map((row) => row['QUERY PLAN']).join()).toContain('users_search');
      }
    } finally {
      await pool.end();
      await app.pool.query(`drop database ${name}`);
    }
  });
});
