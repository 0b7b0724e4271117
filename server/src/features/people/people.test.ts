import type { InvitationResult } from '@invigil/core/contract/invitations/invitations';
import type { Person, PersonInput, PersonOutcome } from '@invigil/core/contract/invitations/people';
import { emailKey } from '@invigil/core/domain/email-address';
import { PEOPLE_LIMITS } from '@invigil/core/domain/limits';
import {
  type PersonField,
  type PersonRow,
  readPeople,
  recognizeColumns,
  whyNotFieldNames,
} from '@invigil/core/domain/people';
import { peopleRows } from '@invigil/core/domain/people-text';
import type { Grant } from '@invigil/core/domain/rights';
import { decodeBytes } from '@invigil/core/domain/text-encoding';
import { notVisible } from '@invigil/core/domain/typed-text';
import { PSEUDO } from '@invigil/core/texts/languages';
import {
  inviteCandidate,
  makeQuiz,
  newestCodes,
  setUpAppWithAdmin,
  signInAdmin,
  signInCandidate,
} from '@invigil/testkit/factories';
import { anyPerson } from '@invigil/testkit/generated-people';
import { HeldWindow } from '@invigil/testkit/held-window';
import { inForm } from '@invigil/testkit/test-form';
import { workbookRows } from '@invigil/testkit/workbook-rows';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../db/new-id.ts';
import { inLanguage } from '../../runtime/language.ts';
import { listBoard } from '../review/live/board-queries.ts';

/** The fields of a person that an export holds. */
const plain = ({ email, givenName, familyName, externalId, groups, language, ...one }: Person) => ({
  ...{ email, givenName, familyName, externalId, groups, language, extraTime: one.extraTime },
});

const UNKNOWN = '0197f5a3-1c1e-7c3a-9b1a-2f4d5e6a7b8c';

describe('people', () => {
  const app = setUpAppWithAdmin();
  /** Everyone who was not invited. */
  const forget = () =>
    app.pool.query(
      'delete from users u where not exists (select from invitations i where i.user_id = u.id)',
    );
  beforeEach(forget);

  const send = (people: PersonInput[], dryRun = false, as = app.admin) =>
    app.call('importPeople', { as, body: { people, dryRun } });
  const list = async (query: Record<string, string> = {}, as = app.admin) =>
    (await app.call('listPeople', { as, query })).body;
  const statuses = (body: { outcomes: PersonOutcome[] }) =>
    body.outcomes.map(({ status, reason }) => reason ?? status);

  let colleagues = 0;
  async function withGrants(...grants: Grant[]): Promise<string> {
    colleagues += 1;
    const as = await signInAdmin(app, `colleague${colleagues}@example.org`);
    const { id } = (await app.call('me', { as })).body.user;
    await app.call('setGrants', { as: app.admin, params: { id }, body: { grants } });
    return as;
  }

  const ADA = {
    ...{ email: 'ada@example.org', givenName: 'Ada', familyName: 'Lovelace' },
    ...{ externalId: 'S1', groups: ['2A'], language: 'en' },
  };

  it('are added by a list, changed by the next one, and lose nothing to empty cells', async () => {
    expect(statuses((await send([ADA, { email: 'x@example.org' }])).body)).toEqual([
      'added',
      'added',
    ]);
    const again = await send([
      { email: 'ADA@example.org', givenName: '', groups: ['Chess'] },
      { email: 'x@example.org' },
      { externalId: 'S1', familyName: 'King' },
    ]);
    expect(statuses(again.body)).toEqual(['changed', 'unchanged', 'The same person as in row 1']);
    expect(again.body.isStored).toBe(false);
    await send([{ externalId: 'S1', familyName: 'King', groups: ['Chess'] }]);
    const [found] = await list({ search: 'king ada' });
    expect(found).toMatchObject({ ...ADA, familyName: 'King', groups: ['2A', 'Chess'] });
  });

  it('of a list with a row that cannot be stored are all left as they were, and the row is told', async () => {
    await send([ADA]);
    const rows = [
      { email: 'new@example.org' },
      { email: 'not an address' },
      { givenName: 'No one' },
      { externalId: 'S9' },
      { email: 'new@example.org', givenName: 'Twice' },
      { email: 'other@example.org', externalId: 'S1' },
      { email: 'a@example.org', externalId: 'S2' },
      { email: 'b@example.org', externalId: 'S2' },
    ];
    const { body } = await send(rows);
    expect(statuses(body)).toEqual([
      'added',
      'Not an email address',
      'Enter an email address',
      'No one has this number: enter an email address',
      'The same person as in row 1',
      'ada@example.org has this number already',
      'added',
      'Another row has this number',
    ]);
    expect(body.isStored).toBe(false);
    expect(await list()).toHaveLength(1);
    const dry = await send([{ email: 'new@example.org' }], true);
    expect(dry.body).toMatchObject({ outcomes: [{ status: 'added' }], isStored: false });
    expect(await list()).toHaveLength(1);
  });

  it('are stored in one form, in groups that an export can separate, and not in too many', async () => {
    await send([{ ...ADA, givenName: ' A\u030asa\u00a0 B ', familyName: "'=1", groups: [' 2A '] }]);
    expect(await list()).toMatchObject([{ givenName: 'Åsa B', familyName: '=1', groups: ['2A'] }]);
    for (const group of ['a; b', 'a|b', ' ']) {
      expect((await send([{ ...ADA, groups: [group] }])).status).toBe(400);
    }
    const groups = Array.from({ length: PEOPLE_LIMITS.groupsMax }, (_, i) => `G${i}`);
    const reply = await send([{ email: ADA.email, groups }]);
    expect(statuses(reply.body)).toEqual(['At most 50 groups']);
    expect(reply.body.isStored).toBe(false);
  });

  it('get no name with invisible characters, and are listed with one that is stored from before', async () => {
    await send([ADA]);
    for (const givenName of ['A\u202eda', 'A\u200bda']) {
      const refused = await send([{ ...ADA, givenName }]);
      expect(refused).toMatchObject({
        status: 400,
        body: { issues: [{ path: 'people.0.givenName', message: notVisible() }] },
      });
    }
    await app.pool.query(`update users set given_name = 'A\u202eda' where email = $1`, [ADA.email]);
    const [person] = await list();
    expect(person).toMatchObject({ givenName: 'A\u202eda' });
    const one = { as: app.admin, params: { id: person.id } };
    expect((await app.call('getPerson', one)).status).toBe(200);
    const changed = await app.call('updatePerson', { ...one, body: { givenName: 'Ada' } });
    expect(changed.body).toMatchObject({ givenName: 'Ada' });
  });

  it('are added and changed ten thousand at a time', async () => {
    const many = Array.from({ length: PEOPLE_LIMITS.rowsPerImport }, (_, i) => ({
      ...ADA,
      ...{ email: `p${i}@example.org`, externalId: `N${i}`, groups: ['Year 1'] },
    }));
    expect((await send(many)).body.isStored).toBe(true);
    const later = many.map((one) => ({ ...one, familyName: 'King' }));
    expect(new Set(statuses((await send(later)).body))).toEqual(new Set(['changed']));
    const reply = await app.call('listPeople', { as: app.admin, query: { search: 'king ada' } });
    expect(reply.headers['x-total-count']).toBe(String(many.length));
  });

  it('that two lists add at the same time are there once', async () => {
    const lists = [1, 2, 3].map(() => send([ADA, { email: 'b@example.org' }]));
    const replies = await Promise.all(lists);
    for (const reply of replies) expect(reply.body).toMatchObject({ isStored: true });
    expect(await list()).toHaveLength(2);
  });

  it('are the same after an export and an import, in CSV and in a workbook', async () => {
    const many = fc.uniqueArray(anyPerson, {
      minLength: 1,
      maxLength: 25,
      selector: ({ email }) => emailKey(email),
    });
    const isAloneWith = (number: string, at: number, all: PersonRow[]) =>
      all.findIndex(({ externalId }) => externalId === number) === at;
    await fc.assert(
      fc.asyncProperty(many, async (all) => {
        await forget();
        const people = all.map(({ extraTime = 0, externalId, ...one }, at) => ({
          ...{ ...one, groups: [...one.groups], extraTime: Math.round(extraTime) },
          externalId: isAloneWith(externalId, at, all) ? externalId : '',
        }));
        expect((await send(people)).body).toMatchObject({ isStored: true });
        const before = (await list()).map(plain);
        const byEmail = (a: { email: string | null }, b: { email: string | null }) =>
          String(a.email) < String(b.email) ? -1 : 1;
        expect(before.toSorted(byEmail)).toEqual(
          people.map((one) => plain(one as Person)).sort(byEmail),
        );
        for (const format of ['csv', 'xlsx']) {
          const file = await app.call('exportPeople', { as: app.admin, query: { format } });
          const rows =
            format === 'csv'
              ? peopleRows(decodeBytes(file.bytes, TextDecoder).text).map(({ cells }) => cells)
              : (await workbookRows(file.bytes)).map((row) =>
                  row.map((cell) => String(cell ?? '')),
                );
          const { columns, hasHead } = recognizeColumns(rows);
          expect([columns.includes('ignored'), hasHead]).toEqual([false, true]);
          const found = readPeople(rows.slice(1), columns);
          expect(found.flatMap(({ problems }) => problems)).toEqual([]);
          const read = found.map(({ person }) => person) as PersonInput[];
          expect(statuses((await send(read)).body)).toEqual(people.map(() => 'unchanged'));
          await forget();
          await send(read);
          expect((await list()).map(plain)).toEqual(before);
        }
      }),
      { numRuns: inForm({ short: 8, long: 200 }) },
    );
  });

  it('are listed by family name, in any script, and found by name, number, group and address', async () => {
    await send([
      { email: 'c@example.org', givenName: 'Émile', familyName: 'Zola' },
      { email: 'a@example.org', givenName: 'Åsa', familyName: 'Öberg', groups: ['North'] },
      { email: 'b@example.org', givenName: 'Sukarno' },
      { email: 'd@example.org', familyName: 'Abel', externalId: 'K-77' },
      { email: 'nameless@example.org' },
    ]);
    const names = async (query = {}) =>
      (await list(query)).map(({ email }: { email: string }) => email[0]);
    expect(await names()).toEqual(['d', 'n', 'a', 'b', 'c']);
    expect(await names({ limit: '2', offset: '3' })).toEqual(['b', 'c']);
    for (const [search, found] of [
      ...[
        ['öberg', 'a'],
        ['zola émile', 'c'],
        ['k-77', 'd'],
        ['north', 'a'],
      ],
      ['nameless@', 'n'],
    ]) {
      expect([search, await names({ search })]).toEqual([search, [found]]);
    }
    expect(await names({ group: 'North' })).toEqual(['a']);
    const groups = await app.call('listGroups', { as: app.admin });
    expect(groups.body).toEqual([{ group: 'North', people: 1 }]);
    const all = await app.call('listPersonIds', { as: app.admin, query: { search: 'example' } });
    const listed = await list({ search: 'example' });
    expect(all.body).toEqual(listed.map(({ id, email }: Person) => ({ id, email })));
    expect(listed).toHaveLength(5);
  });

  it('are changed one by one: a new address is signed in with, and the former one is kept', async () => {
    const quiz = await makeQuiz(app, app.admin);
    const { userId, code } = await inviteCandidate(app, app.admin, quiz.id, 'old@example.org');
    await send([ADA]);
    const change = (body: object, id = userId) =>
      app.call('updatePerson', { as: app.admin, params: { id }, body });
    expect((await change({ email: 'ada@example.org' })).body.code).toBe('EMAIL_TAKEN');
    expect((await change({ externalId: 'S1' })).body.code).toBe('EXTERNAL_ID_TAKEN');
    expect((await change({ language: 'English!' })).status).toBe(400);
    expect((await change({}, UNKNOWN)).status).toBe(404);
    const changed = await change({ email: 'new@example.org', note: 'Moved', groups: [] });
    expect(changed.body).toMatchObject({
      email: 'new@example.org',
      formerEmails: ['old@example.org'],
    });
    const login = (email: string) => app.call('login', { body: { email, password: code } });
    expect((await login('old@example.org')).status).toBe(401);
    expect((await login('new@example.org')).status).toBe(200);
    const { rows } = await app.pool.query(
      "select details from audit_entries where action = 'person.changed'",
    );
    expect(JSON.stringify(rows)).not.toMatch(/example\.org|Moved/);
  });

  it('are not changed over what a colleague has changed since, who is named', async () => {
    const colleague = await signInAdmin(app, 'grace@example.org');
    await app.call('setOwnName', { as: colleague, body: { name: 'Grace' } });
    const [{ id }] = (await send([ADA])).body.outcomes;
    const change = (as: string, body: object) =>
      app.call('updatePerson', { as, params: { id }, body });
    expect((await change(colleague, { groups: ['2B'], note: 'Moved' })).status).toBe(200);
    const before = { groups: ['2A'], givenName: 'Ada' };
    const stale = await change(app.admin, { groups: ['2C'], before });
    expect(stale.body).toMatchObject({
      code: 'STALE',
      message: 'Grace has changed this. Reload it to see their version',
      details: { stored: { groups: ['2B'], givenName: 'Ada' }, by: 'Grace' },
    });
    // A field that no one else has changed is replaced, and so is one that was read again.
    expect(
      (await change(app.admin, { givenName: 'A.', before: { givenName: 'Ada' } })).status,
    ).toBe(200);
    const again = await change(app.admin, { groups: ['2C'], before: { groups: ['2B'] } });
    expect(again.body).toMatchObject({ groups: ['2C'], givenName: 'A.', note: 'Moved' });
    // A request whose answer was lost.
    expect((await change(app.admin, { groups: ['2C'], before: { groups: ['2B'] } })).status).toBe(
      200,
    );
  });

  describe('changed at the same time', () => {
    const change = (id: string, body: object) =>
      app.call('updatePerson', { as: app.admin, params: { id }, body });

    it.each([
      ['email', 'same@example.org', 'EMAIL_TAKEN'],
      ['externalId', 'N1', 'EXTERNAL_ID_TAKEN'],
    ])('are refused the %s that another one gets, by its name', async (path, value, code) => {
      await send([ADA]);
      const [{ id }] = await list();
      const [email, number] = path === 'email' ? [value, null] : ['b@example.org', value];
      const taking = await HeldWindow.open(
        app.pool,
        `insert into users (id, email, external_id, created_at) values ($1, $2, $3, now())`,
        [newId(), email, number],
      );
      const changing = change(id, { [path]: value });
      await taking.untilStuck(app.pool, 1);
      await taking.commit();
      const { status, body } = await changing;
      expect([status, body.code, body.issues[0].path]).toEqual([409, code, path]);
    });

    it('are both refused each other’s number', async () => {
      await send([ADA, { email: 'bob@example.org', externalId: 'S2' }]);
      const [ada, bob] = [(await list({ search: 'ada@' }))[0], (await list({ search: 'bob@' }))[0]];
      const lock = 'select from users where id = $1 for update';
      const held = await HeldWindow.open(app.pool, lock, [ada.id]);
      const first = change(ada.id, { externalId: 'S2' });
      await held.untilStuck(app.pool, 1);
      const second = change(bob.id, { externalId: 'S1' });
      await held.untilStuck(app.pool, 2);
      await held.release();
      const codes = (await Promise.all([first, second])).map(({ body }) => body.code);
      expect(codes).toEqual(['EXTERNAL_ID_TAKEN', 'EXTERNAL_ID_TAKEN']);
    });

    it.each(['invited', 'erased'])('are %s first, and then the other, by a list', async (order) => {
      const { id: quizId } = await makeQuiz(app, app.admin);
      const email = `${order}@example.org`;
      const { userId } = await inviteCandidate(app, app.admin, quizId, email);
      const lock = 'select from users where id = $1 for update';
      const held = await HeldWindow.open(app.pool, lock, [userId]);
      const invite = () =>
        app.call('inviteToQuiz', {
          ...{ as: app.admin, params: { id: quizId } },
          body: { people: [{ email, familyName: 'Named' }], sendMail: false },
        });
      const erase = () =>
        app.call('erasePerson', {
          ...{ as: app.admin, params: { id: userId }, body: { reason: 'Asked for it' } },
        });
      const calls = order === 'invited' ? [invite, erase] : [erase, invite];
      const made = [];
      for (const [i, call] of calls.entries()) {
        made.push(call());
        await held.untilStuck(app.pool, i + 1);
      }
      await held.release();
      const done = (await Promise.all(made)).map(({ status }) => status);
      expect(done).toEqual(order === 'invited' ? [200, 204] : [204, 200]);
    });
  });

  describe('with fields of the installation’s own', () => {
    const ids = { campus: newId(), born: newId(), credits: newId(), card: newId() };
    const field = (id: string, name: string, kind: string, more = {}) => ({
      ...{ id, name, kind, choices: [], isPersonal: false },
      ...more,
    });
    const FIELDS = [
      field(ids.campus, 'Campus', 'choice', { choices: ['North', 'South'] }),
      field(ids.born, 'Born', 'date', { isPersonal: true }),
      field(ids.credits, 'Credits', 'number'),
      field(ids.card, 'Library card', 'text', { isPersonal: true }),
    ];
    const define = (fields: object[]) =>
      app.call('setPersonFields', { as: app.admin, body: { fields } });
    beforeEach(async () => expect((await define(FIELDS)).body).toEqual(FIELDS));
    afterEach(() => define([]));

    const VALUES = {
      ...{ [ids.campus]: 'North', [ids.born]: '1990-12-10' },
      ...{ [ids.credits]: '4.5', [ids.card]: 'L-77' },
    };

    it('have them from a list, in search, export and report, the personal ones not without names', async () => {
      const head = ['Email', 'Campus', 'Born', 'credits', 'LIBRARY CARD'];
      const rows = [head, ['own@example.org', 'north', '10.12.1990', '4,5', 'L-77']];
      const { columns } = recognizeColumns(rows, FIELDS as PersonField[]);
      const [read] = readPeople(rows.slice(1), columns, FIELDS as PersonField[]);
      expect(read).toMatchObject({ person: { fields: VALUES }, problems: [] });
      const quiz = await makeQuiz(app, app.admin);
      const people = [{ email: 'own@example.org', fields: VALUES }];
      await app.call('inviteToQuiz', { as: app.admin, params: { id: quiz.id }, body: { people } });
      const [ada] = await list({ search: 'l-77' });
      expect(ada).toMatchObject({ email: 'own@example.org', fields: VALUES });
      const file = await app.call('exportPeople', { as: app.admin });
      const [exported = [], values = []] = parse(file.text, { bom: true }) as string[][];
      const again = recognizeColumns([exported], FIELDS as PersonField[]);
      const same = readPeople([values], again.columns, FIELDS as PersonField[]);
      expect(
        statuses(
          (await send(same.map(({ person }) => ({ ...person, groups: [...person.groups] })))).body,
        ),
      ).toEqual(['unchanged']);

      const [code = ''] = await newestCodes(app, ['own@example.org']);
      const { cookie } = await signInCandidate(app, 'own@example.org', code);
      await app.call('startParticipant', { as: cookie, body: {} });
      const mine = { as: app.admin, query: { quizId: quiz.id } };
      const [attempt] = (await app.call('listParticipants', mine)).body;
      const [invited] = (
        await app.call('listInvitations', { as: app.admin, params: { id: quiz.id } })
      ).body;
      const { body: record } = await app.call('getParticipant', {
        as: app.admin,
        params: { id: attempt.id },
      });
      const tile = (await listBoard(app.context.db, new Date())).find(
        ({ id }) => id === attempt.id,
      );
      for (const shown of [attempt, invited, record, tile]) {
        expect(shown).toMatchObject({ fields: VALUES });
      }
      const report = async (as: string) => {
        const { text } = await app.call('exportParticipants', { as, query: { quizId: quiz.id } });
        return (parse(text, { bom: true, columns: true }) as Record<string, string>[])[0] ?? {};
      };
      const all = { Campus: 'North', Born: '1990-12-10', Credits: '4.5', 'Library card': 'L-77' };
      expect(await report(app.admin)).toMatchObject(all);
      const as = await signInAdmin(app, 'analyst@example.org');
      const { id } = (await app.call('me', { as })).body.user;
      const grants = [{ role: 'analyst' }];
      await app.call('setGrants', { as: app.admin, params: { id }, body: { grants } });
      const anonymous = await report(as);
      expect(anonymous).toMatchObject({ Campus: 'North', Credits: '4.5' });
      expect(JSON.stringify(anonymous)).not.toMatch(/1990|L-77|Born|Library/);
      const data = await app.call('exportPerson', { as: app.admin, params: { id: ada.id } });
      expect(JSON.parse(data.text).person.fields).toEqual(all);
    });

    it('keep nothing in a field that is removed while a list is imported', async () => {
      for (let i = 0; i < 8; i += 1) {
        await define(FIELDS);
        const known = { email: 'race@example.org', fields: { [ids.card]: `K-${i}` } };
        await send([known]);
        const people = [
          { email: `race${i}@example.org`, fields: { [ids.card]: `L-${i}` } },
          { ...known, givenName: `N${i}` },
        ];
        const left = FIELDS.filter(({ id }) => id !== ids.card);
        const [imported, defined] = await Promise.all([send(people), define(left)]);
        expect([imported.status, defined.status]).toEqual([200, 200]);
      }
      const { rows } = await app.pool.query('select email from users where fields ? $1', [
        ids.card,
      ]);
      expect(rows).toEqual([]);
    });

    it.each([
      ['invitations', 'user_id'],
      ['users', 'id'],
    ])('are locked in one order in %s where one is removed', async (table, person) => {
      const quiz = await makeQuiz(app, app.admin);
      const as = await withGrants({ role: 'support', quizId: quiz.id });
      const people = ['one', 'two'].map((name) => ({
        ...{ email: `${name}@${table}.example.org`, fields: { [ids.card]: 'L-1' } },
      }));
      const body = { people, sendMail: false };
      await app.call('inviteToQuiz', { as, params: { id: quiz.id }, body });
      const { rows } = await app.pool.query(
        'select id from users where email like $1 order by id',
        [`%@${table}.example.org`],
      );
      const [first, last] = rows.map(({ id }) => id);
      // Stored again, behind the other.
      await app.call('updatePerson', { as, params: { id: first }, body: { familyName: 'Moved' } });
      const lock = `select from ${table} where ${person} = $1 for no key update`;
      const held = await HeldWindow.open(app.pool, lock, [first]);
      const defined = define(FIELDS.filter(({ id }) => id !== ids.card));
      await held.untilStuck(app.pool, 1);
      const free = await app.pool.query(`${lock} skip locked`, [last]);
      await held.release();
      expect((await defined).status).toBe(200);
      expect(free.rowCount).toBe(1);
    });

    it.each(['Number', 'E-mail', '#', 'campus!'])('cannot be called %s', async (name) => {
      const { status } = await define([...FIELDS, field(newId(), name, 'text')]);
      expect(status).toBe(name === 'E-mail' ? 200 : 400);
    });

    it('are told what is wrong with a value, and lose it with its field', async () => {
      const [wrong, unknown] = [{ [ids.born]: '1990-02-30' }, { [UNKNOWN]: 'x' }];
      const { body } = await send([
        { ...ADA, fields: wrong },
        { email: 'x@example.org', fields: unknown },
        { email: 'y@example.org', fields: { [ids.campus]: 'West' } },
        { email: 'z@example.org', fields: { [ids.credits]: 'many' } },
      ]);
      expect(statuses(body)).toEqual([
        'Born: Enter a date as 2026-05-14',
        'There is no such field',
        'Campus: One of: North, South',
        'Credits: Not a number',
      ]);
      await send([{ ...ADA, fields: VALUES }]);
      const [{ id }] = await list();
      const change = (fields: object) =>
        app.call('updatePerson', { as: app.admin, params: { id }, body: { fields } });
      expect((await change(wrong)).body.issues).toEqual([
        { path: `fields.${ids.born}`, message: 'Born: Enter a date as 2026-05-14' },
      ]);
      await change({ [ids.born]: '', [ids.campus]: 'south' });
      const kept = { [ids.campus]: 'South', [ids.credits]: '4.5', [ids.card]: 'L-77' };
      expect((await list())[0].fields).toEqual(kept);
      await define(FIELDS.filter((one) => one.id !== ids.card));
      const { [ids.card]: _, ...left } = kept;
      expect((await list())[0].fields).toEqual(left);
      const late = { fields: FIELDS, before: FIELDS };
      const stale = await app.call('setPersonFields', { as: app.admin, body: late });
      expect(stale.body.code).toBe('STALE');
      const [first] = FIELDS;
      expect((await define([first, { ...first, id: newId() }] as object[])).status).toBe(400);
      expect((await define([field(newId(), 'Empty', 'choice')])).status).toBe(400);
    });
  });

  it('are read from a workbook, with dates of any format, and a file of another kind is told', async () => {
    const read = (body: Buffer) =>
      app.call('readPeopleSheet', {
        ...{ as: app.admin, body },
        headers: { 'content-type': 'application/octet-stream' },
      });
    await send([{ ...ADA, groups: ['2A', 'Chess'] }]);
    const file = await app.call('exportPeople', { as: app.admin, query: { format: 'xlsx' } });
    const { body } = await read(file.bytes);
    expect(body.rows[1]).toEqual([
      ...['ada@example.org', 'Ada', 'Lovelace', 'S1', '2A; Chess', 'en'],
    ]);
    expect(body.lines.slice(0, 2)).toEqual([1, 2]);
    const headers = { 'x-language': PSEUDO.long };
    const query = { format: 'xlsx' };
    const inOther = await app.call('exportPeople', { as: app.admin, query, headers });
    const other = (await read(inOther.bytes)).body.rows as string[][];
    expect(other[0]?.join()).not.toContain('Email');
    expect(other[1]).toEqual(body.rows[1]);
    const { columns } = recognizeColumns(body.rows);
    expect(columns).toContain('familyName');
    inLanguage(PSEUDO.long, () => {
      expect(recognizeColumns(other)).toEqual({ columns, hasHead: true });
      for (const head of ['Groups', ...(other[0] ?? [])]) {
        expect(whyNotFieldNames([head])).not.toBeNull();
      }
    });
    const log = await app.call('exportAudit', { as: app.admin, query: { format: 'xlsx' } });
    const entries = (await read(log.bytes)).body.rows;
    // A date has its time where the sheet shows it.
    expect(entries[1].join('|')).toMatch(/\b20\d\d-\d\d-\d\d \d\d:\d\d\b/);
    const refused = await read(Buffer.from('Email,Name'));
    expect([refused.status, refused.body.message]).toEqual([
      ...[400, 'This is not an Excel workbook (.xlsx).'],
    ]);
  });

  it('are seen by someone of one assessment as far as they were invited to it', async () => {
    const quiz = await makeQuiz(app, app.admin);
    const { userId } = await inviteCandidate(app, app.admin, quiz.id, 'here@example.org');
    await send([ADA]);
    const as = await withGrants({ role: 'support', quizId: quiz.id });
    expect((await list({}, as)).map(({ email }: { email: string }) => email)).toEqual([
      'here@example.org',
    ]);
    expect((await app.call('getPerson', { as, params: { id: userId } })).status).toBe(200);
    const [ada] = await list({ search: 'ada' });
    expect((await app.call('getPerson', { as, params: { id: ada.id } })).status).toBe(404);
    expect((await send([ADA], true, as)).status).toBe(403);
    const file = await app.call('exportPeople', { as });
    expect(file.text).not.toContain('Lovelace');
  });

  describe('who are the installation’s, for support of one assessment that invites them', () => {
    const GRACE = {
      ...{ email: 'grace@example.org', givenName: 'Grace', familyName: 'Hopper' },
      ...{ externalId: 'S7', groups: ['Secret 2B'], language: 'en' },
    };
    let mine: string;
    let as: string;
    let grace: string;
    beforeEach(async () => {
      await send([GRACE]);
      [{ id: grace }] = await list({ search: 'hopper' });
      const params = { id: grace };
      await app.call('updatePerson', { as: app.admin, params, body: { note: 'A court case' } });
      mine = (await makeQuiz(app, app.admin)).id;
      as = await withGrants({ role: 'support', quizId: mine });
    });
    afterEach(() =>
      app.call('erasePerson', {
        ...{ as: app.admin, params: { id: grace }, body: { reason: 'The test is over' } },
      }),
    );

    const invite = async (people: PersonInput[], who = as) =>
      (
        await app.call('inviteToQuiz', {
          ...{ as: who, params: { id: mine }, body: { people, sendMail: false } },
        })
      ).body.invitations as InvitationResult[];
    const change = (body: object, who = as) =>
      app.call('updatePerson', { as: who, params: { id: grace }, body });
    const stored = async () => {
      const { email, givenName, familyName, externalId, groups, language } = (
        await app.call('getPerson', { as: app.admin, params: { id: grace } })
      ).body;
      return { email, givenName, familyName, externalId, groups, language };
    };

    it('stay as they are: address, name, number and groups, whatever is typed', async () => {
      expect((await change({ email: 'thief@example.org' })).status).toBe(404);
      await invite([{ email: GRACE.email, givenName: 'Eve', externalId: 'S9', groups: ['Evil'] }]);
      const moved = await change({ email: 'thief@example.org' });
      expect([moved.status, moved.body.code, moved.body.message]).toEqual([
        ...[403, 'FORBIDDEN'],
        'Only someone who manages all people can change an address, a note or extra time. Ask one of them',
      ]);
      expect((await change({ note: 'Nothing' })).status).toBe(403);
      expect((await change({ familyName: 'Evil', groups: ['Final'] })).status).toBe(200);
      expect(await stored()).toEqual(GRACE);
      expect(await list({ group: 'Final' })).toEqual([]);
      const groups = (await app.call('listGroups', { as: app.admin })).body;
      expect(groups).toEqual([{ group: 'Secret 2B', people: 1 }]);
    });

    it('show nothing but what was typed: in no answer, search, filter, order or file', async () => {
      for (const email of ['former@example.org', GRACE.email]) await change({ email }, app.admin);
      await invite([{ email: GRACE.email }]);
      const hidden = /Grace|Hopper|S7|Secret|court|former@/;
      const params = { id: mine };
      const [code = ''] = await newestCodes(app, []);
      expect(code).toBe('');
      for (const answer of [
        await app.call('getPerson', { as, params: { id: grace } }),
        await app.call('listPeople', { as }),
        await app.call('listGroups', { as }),
        await app.call('exportPeople', { as }),
        await app.call('listInvitations', { as, params }),
        await app.call('exportInvitations', { as, params }),
        await app.call('listPersonInvitations', { as, params: { id: grace } }),
      ]) {
        expect(answer.status).toBe(200);
        expect(answer.text).not.toMatch(hidden);
      }
      for (const search of ['hopper', 'S7', 'secret']) {
        expect(await list({ search }, as)).toEqual([]);
        const found = await app.call('listInvitations', { as, params, query: { search } });
        expect(found.body).toEqual([]);
      }
      expect(await list({ group: 'Secret 2B' }, as)).toEqual([]);
      await invite([{ email: 'a@example.org', familyName: 'Gzz' }, { email: 'i@example.org' }]);
      const query = { sort: 'name' };
      const named = (await app.call('listInvitations', { as, params, query })).body;
      // By the address, between the others.
      expect(named.map(({ email }: { email: string }) => email)).toEqual([
        ...['grace@example.org', 'a@example.org', 'i@example.org'],
      ]);
    });

    it('show what was typed there, and all of it once an owner invites them', async () => {
      await invite([
        { email: GRACE.email, familyName: 'Typed', externalId: 'T1', groups: ['Mine'] },
      ]);
      const typed = { familyName: 'Typed', externalId: 'T1', groups: ['Mine'], givenName: '' };
      expect((await app.call('getPerson', { as, params: { id: grace } })).body).toMatchObject(
        typed,
      );
      expect(await list({ search: 'typed' }, as)).toMatchObject([typed]);
      expect(await list({ group: 'Mine' }, as)).toMatchObject([typed]);
      expect((await app.call('listGroups', { as })).body).toEqual([{ group: 'Mine', people: 1 }]);
      expect((await change({ givenName: 'New', externalId: '' })).body).toMatchObject({
        ...{ ...typed, givenName: 'New', externalId: '' },
      });
      await invite([{ email: GRACE.email }], app.admin);
      const { externalId, groups } = GRACE;
      const opened = { familyName: 'Hopper', externalId, groups, note: '', formerEmails: [] };
      expect(await list({ search: 'hopper' }, as)).toMatchObject([opened]);
      // Nor is it closed, or changed, by the next list.
      await invite([{ email: GRACE.email, familyName: 'Evil' }]);
      expect(await list({ search: 'hopper' }, as)).toMatchObject([opened]);
      expect((await change({ familyName: 'Here' })).body).toMatchObject({
        ...{ ...opened, familyName: 'Here', givenName: 'Grace' },
      });
      expect(await stored()).toEqual(GRACE);
    });

    it('stay open where one detail is corrected: the others follow the installation', async () => {
      await invite([{ email: GRACE.email }], app.admin);
      await change({ familyName: 'Here' });
      await change({ givenName: 'Grete', familyName: 'Murray', externalId: 'S8' }, app.admin);
      const { groups } = GRACE;
      const seen = { givenName: 'Grete', familyName: 'Here', externalId: 'S8', groups };
      expect(await list({ search: 'grete here' }, as)).toMatchObject([seen]);
      expect(await list({ search: 'murray' }, as)).toEqual([]);
      expect(await list({ group: 'Secret 2B' }, as)).toMatchObject([seen]);
      // Nor does a list close it.
      await invite([{ email: GRACE.email, givenName: 'Evil' }]);
      expect((await change({ externalId: '' })).body).toMatchObject({ ...seen, externalId: '' });
      const params = { id: mine };
      const [invited] = (await app.call('listInvitations', { as, params })).body;
      expect(invited).toMatchObject({ userName: 'Grete Here', groups });
      const data = await app.call('exportPerson', { as: app.admin, params: { id: grace } });
      expect(JSON.parse(data.text).invitations[0].entered).toEqual({
        ...{ familyName: 'Here', externalId: null, fields: {} },
      });
    });

    it('are found by all that is shown of them, by those who see everyone, and by no more', async () => {
      const email = 'mary@example.org';
      await invite([
        { email, externalId: 'M42' },
        { ...GRACE, familyName: 'Typed' },
      ]);
      const { cookie } = await inviteCandidate(app, app.admin, mine, email);
      await app.call('startParticipant', { as: cookie, body: {} });
      const found = async (search: string) => {
        const query = { search };
        const invited = await app.call('listInvitations', {
          ...{ as: app.admin, params: { id: mine }, query },
        });
        const attempts = await app.call('listParticipants', {
          ...{ as: app.admin, query: { ...query, quizId: mine } },
        });
        return [...invited.body, ...attempts.body].map((row) => row.externalId);
      };
      expect(await found('m42')).toEqual(['M42', 'M42']);
      expect(await found('hopper')).toEqual(['S7']);
      expect(await found('typed')).toEqual([]);
      // The installation's own list shows no number, so it finds none.
      expect(await list({ search: 'm42' })).toEqual([]);
    });

    it('are logged as those whom a list adds to the assessment, or changes there', async () => {
      const [same, changed] = [
        { email: 'same@example.org', familyName: 'Same' },
        { email: 'changed@example.org', familyName: 'Before' },
      ];
      await invite([{ email: GRACE.email, familyName: 'Typed' }, same, changed]);
      await invite([
        same,
        { ...changed, familyName: 'After' },
        { email: 'later@example.org', givenName: 'New' },
      ]);
      await invite([same]);
      const { rows } = await app.pool.query(
        `select details from audit_entries where action = 'people.imported' and subject_id = $1 order by id`,
        [mine],
      );
      const idOf = async (search: string) => (await list({ search }))[0].id;
      expect(rows.map(({ details }) => details)).toEqual([
        { added: 3, changed: 0, ids: expect.arrayContaining([grace]) },
        ...[{ added: 1, changed: 1, ids: [await idOf('later@'), await idOf('changed@')] }],
      ]);
    });

    it('are answered as strangers are, by address and by number', async () => {
      const answer = async (email: string, externalId: string) => {
        const invited = await invite([{ email, externalId, familyName: 'Same' }]);
        const [{ id }] = await list({ search: email }, as);
        const params = { id };
        const body = { externalId, givenName: 'Also' };
        const changed = await app.call('updatePerson', { as, params, body });
        return JSON.stringify([invited, changed.status, changed.body])
          .replaceAll(/[0-9a-f-]{36}/g, 'id')
          .replaceAll(/"createdAt":"[^"]*"/g, '')
          .replaceAll(email, 'email')
          .replaceAll(externalId, 'number');
      };
      expect(await answer('free@example.org', 'F1')).toBe(await answer(GRACE.email, 'S7'));
      expect(await answer('free2@example.org', 'S7')).toBe(await answer('free3@example.org', 'F2'));
    });

    it('are theirs to correct where they entered them, until they are invited elsewhere', async () => {
      const email = 'joan@example.org';
      await invite([{ email, familyName: 'Clark', externalId: 'J1', groups: ['Mine'] }]);
      await invite([{ email, familyName: 'Clarke' }]);
      const [joan] = await list({ search: 'joan' });
      // A number that was typed for one assessment is not the installation's, nor are groups.
      expect(joan).toMatchObject({ familyName: 'Clarke', externalId: '', groups: [] });
      const params = { id: joan.id };
      const rename = (familyName: string) =>
        app.call('updatePerson', { as, params, body: { familyName } });
      await rename('Murray');
      const name = async () =>
        (await app.call('getPerson', { as: app.admin, params })).body.familyName;
      expect(await name()).toBe('Murray');
      const other = await makeQuiz(app, app.admin);
      await inviteCandidate(app, app.admin, other.id, email);
      expect((await rename('Evil')).body.familyName).toBe('Evil');
      expect(await name()).toBe('Murray');
    });

    it('are named in the log by their ids', async () => {
      await invite([{ email: GRACE.email, familyName: 'Typed' }]);
      await send([{ email: GRACE.email, groups: ['Later'] }]);
      const { body } = await app.call('listAudit', { as: app.admin, query: { search: grace } });
      expect(body.map(({ action }: { action: string }) => action)).toEqual(
        expect.arrayContaining(['people.imported', 'people.imported', 'person.changed']),
      );
      const details = body.map((entry: { details: object }) => entry.details);
      expect(JSON.stringify(details)).not.toMatch(/grace@|Typed|Later/);
    });
  });

  it('that were invited to nothing are read and changed by support, exported and erased by an owner', async () => {
    await send([ADA]);
    const [{ id }] = await list({ search: 'ada' });
    const params = { id };
    const as = await withGrants({ role: 'support' });
    const note = { note: 'Phoned' };
    expect((await app.call('updatePerson', { as, params, body: note })).status).toBe(200);
    expect((await app.call('getPerson', { as, params })).body).toMatchObject({ ...ADA, ...note });
    const invitations = await app.call('listPersonInvitations', { as, params });
    expect([invitations.status, invitations.body]).toEqual([200, []]);
    const unknown = await app.call('getPerson', { as, params: { id: UNKNOWN } });
    expect(unknown.status).toBe(404);
    const author = await withGrants({ role: 'author' });
    expect((await app.call('getPerson', { as: author, params })).status).toBe(403);

    const file = await app.call('exportPerson', { as: app.admin, params });
    expect(JSON.parse(file.text)).toMatchObject({ person: ADA, invitations: [], attempts: [] });
    const body = { reason: 'Asked for it' };
    expect((await app.call('erasePerson', { as: app.admin, params, body })).status).toBe(204);
    expect((await app.call('getPerson', { as, params })).body).toMatchObject({
      ...{ email: null, givenName: '', externalId: '', groups: [], note: '' },
    });
  });

  it('have their invitations and attempts listed, with scores where the reader may see them', async () => {
    const email = 'twice@example.org';
    const titles = ['Here', 'There'] as const;
    const [here, there] = await Promise.all(
      titles.map((title) => makeQuiz(app, app.admin, { title })),
    );
    for (const quiz of [here, there]) {
      const { cookie } = await inviteCandidate(app, app.admin, quiz?.id ?? '', email);
      const { id } = (await app.call('startParticipant', { as: cookie, body: {} })).body;
      await app.call('submitParticipant', { as: cookie, params: { id }, body: { answers: [] } });
    }
    const [{ id }] = await list({ search: email });
    const scores = async (...grants: Grant[]) => {
      const as = await withGrants(...grants);
      const { body } = await app.call('listPersonInvitations', { as, params: { id } });
      const read = body.map((row: { quizTitle: string; attempt: { score: number | null } }) => [
        row.quizTitle,
        row.attempt.score,
      ]);
      return Object.fromEntries(read);
    };
    const reviewsHere: Grant = { role: 'reviewer', quizId: here?.id };
    expect(await scores({ role: 'reviewer' })).toEqual({ Here: 0, There: 0 });
    expect(await scores(reviewsHere)).toEqual({ Here: 0 });
    expect(await scores(reviewsHere, { role: 'support' })).toEqual({ Here: 0, There: null });
    expect(await scores({ role: 'support' })).toEqual({ Here: null, There: null });
  });

  it('are invited with names, groups and extra time, which stand wherever their address does', async () => {
    const quiz = await makeQuiz(app, app.admin);
    const params = { id: quiz.id };
    const invite = (people: object[]) =>
      app.call('inviteToQuiz', { as: app.admin, params, body: { people } });
    const { email, givenName, familyName, externalId, groups } = {
      ...ADA,
      email: 'ada.l@example.org',
    };
    const row = { email, givenName, familyName, externalId, groups };
    const sent = await invite([
      { ...row, extraTime: 25 },
      { email: 'grace@example.org', externalId },
      { email: 'alan@example.org' },
      { externalId: 'S3' },
    ]);
    expect(sent.body.invitations).toMatchObject([
      { email, status: 'queued' },
      { status: 'invalid', reason: 'Another row has this number' },
      { email: 'alan@example.org', status: 'queued' },
      { email: 'S3', status: 'invalid', reason: 'Enter an email address' },
    ]);
    const taken = await invite([{ email: 'zed@example.org', familyName: 'Zed', externalId }]);
    expect(taken.body.invitations[0].reason).toBe('ada.l@example.org has this number already');
    await invite([{ email: 'zed@example.org', familyName: 'Aaby' }]);
    const byName = { as: app.admin, params, query: { sort: 'name' } };
    const named = (await app.call('listInvitations', byName)).body;
    expect(named.map((one: { email: string }) => one.email)).toEqual([
      ...['zed@example.org', 'alan@example.org', email],
    ]);
    const known = { userName: 'Ada Lovelace', externalId: 'S1', groups: ['2A'] };
    const list = async (search: string) =>
      (await app.call('listInvitations', { as: app.admin, params, query: { search } })).body;
    expect(await list('lovelace')).toMatchObject([{ ...known, email, extraTimeFactor: 1.25 }]);
    const [alan] = await list('alan');
    expect(alan).not.toHaveProperty('userName');
    const [code = ''] = await newestCodes(app, [email]);
    const { cookie } = await signInCandidate(app, email, code);
    await app.call('startParticipant', { as: cookie, body: {} });
    const nothingSent = 'Taking the assessment now; nothing was sent';
    expect((await invite([row])).body.invitations[0].reason).toBe(nothingSent);
    const later = await invite([{ ...row, extraTime: 50 }]);
    expect(later.body.invitations[0].reason).toBe(`${nothingSent}. The extra time was not changed`);
    const attempts = await app.call('listParticipants', { as: app.admin, query: { search: 's1' } });
    expect(attempts.body).toMatchObject([{ ...known, userEmail: email }]);
    const report = await app.call('exportParticipants', {
      as: app.admin,
      query: { quizId: quiz.id },
    });
    expect(parse(report.text, { bom: true, columns: true })).toMatchObject([
      {
        Participant: email,
        'Given Name': 'Ada',
        'Family Name': 'Lovelace',
        Number: 'S1',
        Groups: '2A',
      },
    ]);
  });

  it('keep extra time for each new invitation by someone who sees it, unless their list has another', async () => {
    const email = 'more@example.org';
    const more = { email, familyName: 'More' };
    await send([{ ...more, extraTime: 49.6 }, { email: 'plain@example.org' }]);
    const [{ id }] = await list({ search: email });
    const own = async (as = app.admin) => (await list({ search: email }, as))[0].extraTime;
    /** The factor, the minutes in the answer, those in the mail, and those of the attempt. */
    const invited = async (body: object, as = app.admin) => {
      const quiz = await makeQuiz(app, app.admin, { duration: 60 });
      const params = { id: quiz.id };
      await app.pool.query('delete from outbox');
      const sent = await app.call('inviteToQuiz', { as, params, body });
      const [{ extraTimeFactor }] = (await app.call('listInvitations', { as: app.admin, params }))
        .body;
      const { rows } = await app.pool.query("select variables -> 'durationMinutes' n from outbox");
      const [code = ''] = await newestCodes(app, [email]);
      const { cookie } = await signInCandidate(app, email, code);
      const { remainingMs } = (await app.call('startParticipant', { as: cookie, body: {} })).body;
      return [
        extraTimeFactor,
        sent.body.invitations[0].extraTime?.minutes,
        rows[0].n,
        remainingMs / 60_000,
      ];
    };
    expect(await own()).toBe(50);
    expect(await invited({ emails: [email] })).toEqual([1.5, 90, 90, 90]);
    expect(await invited({ people: [{ ...more, extraTime: 0 }] })).toEqual([1, undefined, 60, 60]);
    expect(await invited({ people: [{ ...more, extraTime: 25 }] })).toEqual([1.25, 75, 75, 75]);
    // The list was for that invitation only.
    expect(await own()).toBe(50);
    await send([more]);
    expect(await own()).toBe(50);
    // Whoever does not reach all people learns nothing of anyone by inviting them.
    const support = await withGrants({ role: 'support' });
    const author = await withGrants({ role: 'owner' });
    expect([await own(support), await own(author)]).toEqual([50, 50]);
    const quiz = await makeQuiz(app, app.admin);
    const limited = await withGrants({ role: 'support', quizId: quiz.id });
    const params = { id: quiz.id };
    await app.call('inviteToQuiz', { as: limited, params, body: { emails: [email] } });
    const [{ extraTimeFactor }] = (await app.call('listInvitations', { as: limited, params })).body;
    expect([extraTimeFactor, await own(limited)]).toEqual([1, 0]);
    const change = { as: limited, params: { id }, body: { extraTime: 5 } };
    expect((await app.call('updatePerson', change)).status).toBe(403);
    // Taken back by the person's page, or by a list that says 0.
    await app.call('updatePerson', { as: app.admin, params: { id }, body: { extraTime: 10 } });
    expect(await invited({ emails: [email] })).toEqual([1.1, 66, 66, 66]);
    await send([{ email, extraTime: 0 }]);
    expect(await invited({ emails: [email] })).toEqual([1, undefined, 60, 60]);
    const exported = await app.call('exportPeople', { as: app.admin, query: {} });
    expect(exported.text).not.toContain('Extra time');
  });

  it('get a new address by their number, swap numbers, and leave a group by a list that says so', async () => {
    const EVE = { email: 'eve@list.example', externalId: 'L1', groups: ['2A'] };
    const BOB = { email: 'bob@list.example', externalId: 'L2', groups: ['2A'] };
    await send([EVE, BOB]);
    const quiz = await makeQuiz(app, app.admin);
    const params = { id: quiz.id };
    await app.call('inviteToQuiz', { as: app.admin, params, body: { emails: [EVE.email] } });
    const moved = { email: 'eve@married.list.example', externalId: 'L1' };
    const asked = await send([moved]);
    expect(asked.body.outcomes).toEqual([
      {
        ...{ status: 'refused', reason: `${EVE.email} has this number already` },
        ...{ at: 'externalId', mayBeNewAddress: true },
      },
    ]);
    const dry = await send([{ ...moved, isNewAddress: true }], true);
    const changes = [{ column: 'email', from: EVE.email, to: moved.email }];
    expect(dry.body.outcomes).toMatchObject([{ status: 'changed', changes }]);
    expect((await send([{ ...moved, isNewAddress: true }])).body.isStored).toBe(true);
    const [eve] = await list({ search: 'eve@' });
    expect(eve).toMatchObject({ ...EVE, email: moved.email, formerEmails: [EVE.email] });
    // Mail that waits goes there.
    const { rows } = await app.pool.query('select recipient from outbox order by id desc limit 1');
    expect(rows).toEqual([{ recipient: moved.email }]);
    // An address of someone else is never a new one.
    const taken = await send([{ ...moved, email: BOB.email, isNewAddress: true }]);
    expect(taken.body.outcomes[0]).not.toHaveProperty('mayBeNewAddress');
    const swapped = await send([
      { email: moved.email, externalId: 'L2' },
      { email: BOB.email, externalId: 'L1' },
      { email: 'new@list.example', externalId: 'L3' },
    ]);
    expect(statuses(swapped.body)).toEqual(['changed', 'changed', 'added']);
    // All or none: a number that goes on is free only where its owner gets another one.
    const chain = await send([
      { email: 'new@list.example', externalId: 'L1' },
      { email: BOB.email, externalId: 'L2' },
    ]);
    expect(statuses(chain.body)).toEqual(['changed', `${moved.email} has this number already`]);
    const numbers = async () =>
      Object.fromEntries(
        (await list({ search: 'list.example' })).map(({ email, externalId }: Person) => [
          email,
          externalId,
        ]),
      );
    expect(await numbers()).toEqual({
      [moved.email]: 'L2',
      [BOB.email]: 'L1',
      'new@list.example': 'L3',
    });
    const body = { people: [{ email: BOB.email, groups: ['3B'] }], dryRun: false };
    await app.call('importPeople', { as: app.admin, body });
    expect((await list({ search: BOB.email }))[0].groups).toEqual(['2A', '3B']);
    const replacing = { people: [{ email: BOB.email, groups: ['4C'] }, { email: moved.email }] };
    const replaced = await app.call('importPeople', {
      as: app.admin,
      body: { ...replacing, replacesGroups: true, dryRun: false },
    });
    expect(replaced.body.outcomes[0].changes).toEqual([
      { column: 'groups', from: '2A, 3B', to: '4C' },
    ]);
    expect(statuses(replaced.body)).toEqual(['changed', 'unchanged']);
    expect(app.context.trust.brokenSeals.person ?? 0).toBe(0);
  });

  describe('with a new address, and messages that wait', () => {
    let n = 0;
    let person: string;
    /** The ids of the person's messages, oldest first. */
    let ids: string[];

    beforeEach(async () => {
      n += 1;
      await app.pool.query('delete from outbox');
      for (const name of ['old', 'old', 'old', 'old', 'another']) {
        const { id } = await makeQuiz(app, app.admin);
        const body = { emails: [`${name}${n}@example.org`] };
        await app.call('inviteToQuiz', { as: app.admin, params: { id }, body });
      }
      const { rows } = await app.pool.query('select id, invitation_id from outbox order by id');
      ids = rows.map(({ id }) => id);
      // Found in the opposite order, in the table and by their invitations.
      for (const [i, id] of ids.slice(0, 4).toReversed().entries()) {
        const values = [id, rows[i].invitation_id];
        await app.pool.query('update outbox set invitation_id = $2 where id = $1', values);
      }
      [{ id: person }] = await list({ search: `old${n}@` });
    });

    const move = () =>
      app.call('updatePerson', {
        as: app.admin,
        params: { id: person },
        body: { email: `new${n}@example.org` },
      });
    const recipients = async () =>
      (await app.pool.query('select recipient from outbox order by id')).rows.map(
        ({ recipient }) => recipient.split(n)[0],
      );

    it('get them there, except what was sent or is being sent', async () => {
      const set = (id: string | undefined, to: string) =>
        app.pool.query(`update outbox set ${to} where id = $1`, [id]);
      await set(ids[1], "state = 'uncertain'");
      await set(ids[2], "state = 'sending', next_attempt_at = null, claimed_until = now()");
      await set(ids[3], "state = 'sent', next_attempt_at = null, sealed_code = null");
      expect((await move()).status).toBe(200);
      expect(await recipients()).toEqual(['new', 'new', 'old', 'old', 'another']);
    });

    it('keep the address of one that the delivery claims at that moment', async () => {
      const claim = await HeldWindow.open(
        app.pool,
        `update outbox set state = 'sending', next_attempt_at = null, claimed_until = now()
         where id = $1`,
        [ids[1]],
      );
      const moving = move();
      await claim.untilStuck(app.pool, 1);
      await claim.commit();
      expect((await moving).status).toBe(200);
      expect(await recipients()).toEqual(['new', 'old', 'new', 'new', 'another']);
    });

    it('are locked in the order of their ids, as by the delivery', async () => {
      const first = await HeldWindow.open(app.pool, 'select from outbox where id = $1 for update', [
        ids[0],
      ]);
      const moving = move();
      await first.untilStuck(app.pool, 1);
      await app.pool.query('select from outbox where id = any ($1) for update nowait', [
        ids.slice(1),
      ]);
      await first.release();
      expect((await moving).status).toBe(200);
    });
  });
});
