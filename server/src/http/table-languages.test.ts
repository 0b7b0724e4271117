import { plainDefinition } from '@invigil/core/domain/questions/question-definition';
import { PSEUDO } from '@invigil/core/texts/languages';
import {
  confirmPassword,
  inviteForCodes,
  makeScoredQuiz,
  setUpAppWithAdmin,
  sitScoredQuiz,
} from '@invigil/testkit/factories';
import { type WorkbookCell, workbookRows } from '@invigil/testkit/workbook-rows';
import { beforeAll, describe, expect, it } from 'vitest';
import { openArchive } from '../formats/read-archive.ts';

/** A day in a long form, written by the platform and not by a catalogue. */
const LONG_DAY = /(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, \d+ \p{L}+ \d{4}/gu;
/** Texts of people, names of things, and codes: the same in every language. */
const SAME =
  /\S+@example\.org|http\S+|[0-9a-f]{8}(?:-[0-9a-f]+){4}|Europe\/Berlin|GMT|(?:\w{5}-){2}\w{5}/g;

describe('tables as files', () => {
  const app = setUpAppWithAdmin();
  let params: { id: string };
  let invited: string;

  beforeAll(async () => {
    const definitionOf = (text: string) => ({
      ...plainDefinition(text, ['1', '2'], '1'),
      points: 2,
    });
    const definitions = ['1?', '2?', '3?'].map(definitionOf);
    const quiz = await makeScoredQuiz(app, app.admin, definitions);
    params = { id: quiz.id };
    const must = async (name: Parameters<typeof app.call>[0], input: object) => {
      const { status, text, body } = await app.call(name, { as: app.admin, ...input });
      if (status >= 300) throw new Error(`${name} returned ${status}: ${text}`);
      return body;
    };
    const { categoryId, duration, totalQuestions } = await must('getQuiz', { params });
    await must('updateQuiz', {
      params,
      body: { title: '№ 1', categoryId, duration, totalQuestions },
    });
    const rules = {
      ...{ passMark: { percent: 70 }, sectionMarks: [] },
      grades: [
        { name: '1', from: 50 },
        { name: '2', from: 0 },
      ],
    };
    const attempts = [];
    for (const answers of [
      ['1', '1', '1'],
      ['2', '1', ''],
      ['1', '', ''],
      ['2', '2', '2'],
    ]) {
      attempts.push(await sitScoredQuiz(app, app.admin, quiz, answers));
    }
    const [passed, failed, dismissed] = attempts;
    await passed?.submit();
    await failed?.submit();
    await dismissed?.submit();
    // No paper has it.
    await must('addToBank', { body: { definition: definitionOf('4?'), quizId: quiz.id } });
    await must('setResultRules', { params, body: { rules, dryRun: false } });
    const query = (sql: string, values: unknown[]) => app.pool.query(sql, values);
    await query(
      `update participants set status = 'dismissed', submission_type = 'dismissed' where id = $1`,
      [dismissed?.id],
    );
    // Longer than a workbook's cell can be.
    const note = '1'.repeat(40_000);
    await query(`update users set given_name = '张', groups = $2 where id = $1`, [
      ...[passed?.candidate.userId, [note]],
    ]);
    await query('update users set extra_time = 25 where id = $1', [passed?.candidate.userId]);
    await must('erasePerson', { params: { id: failed?.candidate.userId }, body: { reason: '1' } });
    await inviteForCodes(app, app.admin, quiz.id, ['waits@example.org', 'hand@example.org']);
    await query(
      `update outbox set state = 'failed', next_attempt_at = null, last_error = 'no_mailbox', last_reply = '550'
       where recipient = 'waits@example.org'`,
      [],
    );
    const { body } = await app.call('listInvitations', { as: app.admin, params });
    invited = body.find(({ email }: { email: string }) => email === 'hand@example.org').id;
    await query(
      `insert into audit_entries (id, at, action) values (gen_random_uuid(), '2020-01-01', 'test.entry')`,
      [],
    );
    await confirmPassword(app, app.admin);
  });

  const FILES = {
    report: { of: 'exportParticipants', query: () => ({ quizId: params.id, questions: 'true' }) },
    people: { of: 'exportPeople', query: () => ({}) },
    invitations: { of: 'exportInvitations', query: () => ({}) },
    statistics: { of: 'exportQuizStatistics', query: () => ({}) },
    'audit log': { of: 'exportAudit', query: () => ({}) },
    'one-time passwords': { of: 'exportPasswords', body: () => ({ ids: [invited] }) },
  } as const;
  type File = keyof typeof FILES;
  const names = Object.keys(FILES) as File[];

  const load = async (name: File, format: 'csv' | 'xlsx', headers: Record<string, string> = {}) => {
    const file = FILES[name];
    const input =
      'body' in file
        ? { body: { ...file.body(), format } }
        : { query: { ...file.query(), format } };
    const reply = await app.call(file.of, { as: app.admin, params, headers, ...input });
    expect(reply.status).toBe(200);
    return reply;
  };
  const workbook = async (name: File, language: string) => {
    const { bytes } = await load(name, 'xlsx', { 'x-language': language });
    const archive = await openArchive(bytes);
    return {
      rows: await workbookRows(bytes),
      sheet: (await archive.read('xl/worksheets/sheet1.xml')).toString(),
      book: (await archive.read('xl/workbook.xml')).toString(),
    };
  };

  /** Codes of the audit log, by which programs and people find entries, and what stands beside them. */
  const isCode = (name: File, row: number, column: number) =>
    name === 'audit log' && row > 0 && column > 2;
  const ownTexts = (name: File, rows: WorkbookCell[][]) =>
    rows
      .flatMap((cells, row) => cells.filter((_, column) => !isCode(name, row, column)))
      .filter((cell) => typeof cell === 'string');
  const plainWords = (text: string) =>
    text
      .replace(/^1+/, '')
      .replace(LONG_DAY, '')
      .replace(SAME, '')
      .match(/(?<!\p{L})[A-Za-z]{2,}(?!\p{L})/gu) ?? [];

  it.each(names.flatMap((name) => Object.values(PSEUDO).map((tag) => [name, tag] as const)))(
    'have no word of a workbook that is not translated: %s, %s',
    async (name, language) => {
      const { rows, sheet, book } = await workbook(name, language);
      const texts = ownTexts(name, rows);
      expect(texts.flatMap(plainWords)).toEqual([]);
      const [, named = ''] = /<sheet name="([^"]+)"/.exec(book) ?? [];
      expect(plainWords(named)).toEqual([]);
      expect(named.length).toBeLessThan(32);
      expect(sheet.includes('rightToLeft="1"')).toBe(language === PSEUDO.mirrored);
      // The same words in English are found, also those of cells.
      const english = await workbook(name, 'en');
      expect(english.sheet).not.toContain('rightToLeft');
      expect(ownTexts(name, english.rows).flatMap(plainWords).length).toBeGreaterThan(5);
      // Each of these files is another one: with new passwords, and with an entry about the one before.
      if (name === 'one-time passwords' || name === 'audit log') return;
      // Nothing but words differs.
      const shape = (cells: WorkbookCell[][]) =>
        cells.map((row) => row.map((cell) => (typeof cell === 'string' ? 'text' : cell)));
      expect(shape(rows)).toEqual(shape(english.rows));
    },
  );

  it('are tried with every word that a cell can have', async () => {
    const texts = async (name: File) => ownTexts(name, (await workbook(name, 'en')).rows);
    expect(await texts('report')).toEqual(
      expect.arrayContaining([
        ...['completed', 'dismissed', 'in_progress', 'passed', 'failed', 'Unknown', 'manual'],
        ...['(not drawn)', 'Q1: 1?', 'Q1: points'],
      ]),
    );
    expect((await texts('report')).join()).toContain('… (cut: a cell holds 32,767 characters)');
    expect(await texts('invitations')).toEqual(
      expect.arrayContaining(['failed', 'queued', 'not_started', 'Unknown']),
    );
    expect(await texts('statistics')).toEqual(expect.arrayContaining(['yes', 'People']));
    expect(await texts('audit log')).toContain('System');
    expect(await texts('people')).toEqual(expect.arrayContaining(['Extra time', '25 %']));
  });

  it.each(names.filter((name) => name !== 'one-time passwords' && name !== 'audit log'))(
    'are the same CSV in every language: %s',
    async (name) => {
      const { text } = await load(name, 'csv');
      for (const headers of [
        { 'x-language': 'de' },
        { cookie: `invigil_session=${app.admin}; language=de` },
        { 'x-language': PSEUDO.long },
        { 'x-language': PSEUDO.mirrored },
      ] as Record<string, string>[]) {
        expect((await load(name, 'csv', headers)).text).toBe(text);
      }
    },
  );

  it('say moments in words in the language of a workbook, and in English as CSV', async () => {
    const german = /(?:Mon|Diens|Donners|Frei|Sams|Sonn)tag|Mittwoch/;
    const rows = (await workbook('one-time passwords', 'de')).rows;
    expect(String(rows[1]?.at(-1))).toMatch(german);
    const headers = { 'x-language': 'de' };
    const passwords = (await load('one-time passwords', 'csv', headers)).text;
    expect(passwords).toMatch(/^\uFEFFParticipant,One-time Password,Sign In At,.*Valid Until\r\n/);
    expect(passwords).toMatch(/day, \d+ \p{L}+ \d{4} at /u);
    expect(passwords).not.toMatch(german);
    // Each export is an entry of the log itself.
    const [head, entry] = (await load('audit log', 'csv', headers)).text.split('\r\n');
    const [englishHead, englishEntry] = (await load('audit log', 'csv')).text.split('\r\n');
    expect([head, entry]).toEqual([englishHead, englishEntry]);
  });
});
