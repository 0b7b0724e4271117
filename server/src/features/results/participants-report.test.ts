import type { Participant } from '@invigil/core/contract/review/participants';
import {
  type BegunAttempt,
  beginAttempt,
  type MadeQuiz,
  makeQuiz,
  plainQuestions,
  setUpAppWithAdmin,
} from '@invigil/testkit/factories';
import { storeAttempts } from '@invigil/testkit/stored';
import { type WorkbookCell, workbookRows } from '@invigil/testkit/workbook-rows';
import { parse } from 'csv-parse/sync';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';

describe('the participants report', () => {
  const app = setUpAppWithAdmin({ TIME_ZONE: 'Asia/Kolkata' });
  const report = (query: Record<string, string> = {}) =>
    app.call('exportParticipants', { as: app.admin, query });
  const linesOf = (text: string): string[][] =>
    parse(text, { bom: true, record_delimiter: '\r\n' }).slice(1);

  /** Versions of Node differ in its name. */
  const IN_KOLKATA = new Intl.DateTimeFormat('en', { timeZone: 'Asia/Kolkata' }).resolvedOptions()
    .timeZone;
  /** Half past five hours ahead of UTC. */
  const inKolkata = (iso: string) =>
    new Date(Date.parse(iso) + 5.5 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');

  it('is a CSV file named by the time in the time zone of the service', async () => {
    const { id } = await makeQuiz(app, app.admin, { questions: [] });
    const one = await report({ quizId: id });
    expect(one.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      // 08:00 in UTC is 13:30 in Kolkata.
      'content-disposition': 'attachment; filename="participants_report_quiz_20260514-133000.csv"',
      'cache-control': 'no-store',
      'x-total-count': '0',
    });
    for (const query of [{}, { quizId: '' }, { quizId: 'all' }] as Record<string, string>[]) {
      expect((await report(query)).headers['content-disposition']).toBe(
        'attachment; filename="participants_report_all_20260514-133000.csv"',
      );
    }
  });

  it('has the same values for each attempt as the list', async () => {
    const { id } = await makeQuiz(app, app.admin, { title: 'Networks, "part" 1', questions: [] });
    const startedAt = app.clock.now();
    const at = (seconds: number) => new Date(startedAt.getTime() - seconds * 1_000);
    const [done, dismissed, running] = await storeAttempts(app, id, [
      {
        email: 'done@example.org',
        startedAt: at(600),
        endedAfter: 300.75,
        score: 7,
        countedViolations: 1,
        violationCalls: 2,
      },
      {
        email: 'dismissed@example.org',
        startedAt: at(500),
        endedAfter: 60,
        status: 'dismissed',
        totalMarks: 12,
      },
      { email: 'running@example.org', startedAt: at(90), violationCalls: 1 },
      { email: 'running@example.org', startedAt: at(900), endedAfter: 1, replaced: true },
    ]);
    const { text, headers } = await report({ quizId: id });
    // Says how much is to come.
    expect(headers['x-total-count']).toBe('3');
    expect(text).toContain('"Networks, ""part"" 1"');
    const { body } = await app.call('listParticipants', { as: app.admin, query: { quizId: id } });
    expect(body.map((p: { id: string }) => p.id)).toEqual([running, dismissed, done]);
    expect(linesOf(text)).toEqual(
      body.map((p: Participant) =>
        [
          ...[p.userEmail, p.id, p.quizTitle, p.status, p.score, p.totalMarks, p.violationCount],
          // The time of a running attempt is none that it took.
          ...[p.submittedAt && p.timeSpent, p.startedAt, p.submittedAt, p.submissionType],
          ...[p.startedAt, p.submittedAt].map((moment) => moment && inKolkata(moment)),
        ].map((value) => String(value ?? '')),
      ),
    );
  });

  it('has moments in UTC, and again in the time zone of the institution, named in the head', async () => {
    const { id } = await makeQuiz(app, app.admin, { questions: [] });
    const startedAt = new Date('2026-05-14T20:00:00.750Z');
    await storeAttempts(app, id, [{ email: 'late@example.org', startedAt, endedAfter: 60 }]);
    const { text } = await report({ quizId: id });
    const [row] = parse(text, { bom: true, columns: true }) as Record<string, string>[];
    expect(row).toMatchObject({
      'Started At': '2026-05-14T20:00:00.750Z',
      [`Started At (${IN_KOLKATA})`]: '2026-05-15 01:30:00',
      [`Submitted At (${IN_KOLKATA})`]: '2026-05-15 01:31:00',
    });
  });

  it('has one result, and where attempts have points the score behind everything else', async () => {
    const { id } = await makeQuiz(app, app.admin, { questions: [] });
    const email = 'points@example.org';
    const startedAt = app.clock.now();
    const [plain] = await storeAttempts(app, id, [{ email, startedAt, endedAfter: 60, score: 7 }]);
    const heads = async () => parse((await report({ quizId: id })).text, { bom: true })[0];
    const around = ['Participant', 'Participant Id', 'Assessment', 'Status'];
    const others = [
      'Violations',
      'Time Spent (s)',
      'Started At',
      'Submitted At',
      'Submission Type',
    ];
    const local = [`Started At (${IN_KOLKATA})`, `Submitted At (${IN_KOLKATA})`];
    const score = ['Score', 'Total Marks'];
    expect(await heads()).toEqual([...around, ...score, ...others, ...local]);
    await app.pool.query(
      'update participants set points = 65000, max_points = 120000 where id = $1',
      [plain],
    );
    const points = ['Points', 'Max Points'];
    expect(await heads()).toEqual([...around, ...points, ...others, ...local, ...score]);
  });

  it('applies the filters of the list: status, review and search', async () => {
    const { id } = await makeQuiz(app, app.admin, { questions: [] });
    const startedAt = app.clock.now();
    await storeAttempts(app, id, [
      { email: 'plain@example.org', startedAt, endedAfter: 1 },
      { email: 'seen%@example.org', startedAt, endedAfter: 1, countedViolations: 2 },
      { email: 'gone@example.org', startedAt, endedAfter: 1, status: 'dismissed' },
    ]);
    const who = async (query: Record<string, string>) =>
      linesOf((await report({ quizId: id, ...query })).text).map(([email]) => email);
    expect(await who({ status: 'dismissed' })).toEqual(['gone@example.org']);
    expect(await who({ review: 'open' })).toEqual(['seen%@example.org']);
    expect(await who({ review: 'breach' })).toEqual([]);
    expect(await who({ search: 'SEEN%' })).toEqual(['seen%@example.org']);
    expect(await who({ status: 'completed', search: 'gone' })).toEqual([]);
    expect((await report({ quizId: id, status: 'lost' })).status).toBe(400);
  });
});

/** The number of standard columns, with two moments in the time zone. */
const PLAIN = 13;

describe('the report with a column per question', () => {
  const app = setUpAppWithAdmin();
  let quiz: MadeQuiz;
  beforeEach(async () => {
    quiz = await makeQuiz(app, app.admin, { duration: 25 });
  });

  const report = (query: Record<string, string>) =>
    app.call('exportParticipants', { as: app.admin, query });
  const read = async (id = quiz.id) => {
    const reply = await report({ quizId: id, questions: 'true' });
    expect(reply.status).toBe(200);
    const [head = [], ...lines]: string[][] = parse(reply.text, {
      bom: true,
      record_delimiter: '\r\n',
    });
    return {
      heads: head.slice(PLAIN),
      of: (attempt: BegunAttempt) => lines.find((line) => line[1] === attempt.id)?.slice(PLAIN),
      lines,
    };
  };

  it('has the order of the assessment, and marks what is not on a paper', async () => {
    quiz = await makeQuiz(app, app.admin, { questions: plainQuestions(10), totalQuestions: 5 });
    const attempt = await beginAttempt(app, app.admin, quiz);
    for (const [i] of quiz.questions.entries()) await attempt.save(i, 1, 1);
    const ids = quiz.questions.map((q) => q.id).toReversed();
    await app.call('reorderQuestions', { as: app.admin, params: { id: quiz.id }, body: { ids } });
    const { heads, of } = await read();
    expect(heads).toEqual(quiz.questions.map((_, i) => `Q${i + 1}: Q${10 - i}`));
    const { questions } = (await attempt.record()).body;
    const selected = new Map(
      questions.map((q: { questionId: string; selectedOption: string }) => [
        q.questionId,
        q.selectedOption,
      ]),
    );
    expect(of(attempt)).toEqual(ids.map((id) => selected.get(id) ?? '(not drawn)'));
    expect(of(attempt)?.filter((cell) => cell !== '(not drawn)')).toHaveLength(5);
  });

  it('has only its header for an assessment without questions or without attempts', async () => {
    expect((await read()).lines).toEqual([]);
    const empty = await makeQuiz(app, app.admin, { questions: [] });
    expect(await read(empty.id)).toMatchObject({ heads: [], lines: [] });
  });
});

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const ZONE = 'Europe/Berlin';
/** A moment in a cell, as the number of days that a spreadsheet shows in Berlin (summer time). */
const serial = (iso: string) => (Date.parse(iso) + 7_200_000) / 86_400_000 + 25_569;

describe('exports as Excel workbooks', () => {
  const app = setUpAppWithAdmin({ TIME_ZONE: ZONE });
  let quizId: string;

  beforeAll(async () => {
    const made = await makeQuiz(app, app.admin, { title: '=1+1' });
    quizId = made.id;
    await beginAttempt(app, app.admin, made);
    await app.pool.query('update participants set points = 19350, max_points = 30000');
  });
  type Name = 'exportParticipants' | 'exportInvitations' | 'exportAudit';
  const both = async (name: Name, query: Record<string, string> = {}) => {
    const params = name === 'exportInvitations' ? { id: quizId } : undefined;
    const call = (format?: string) =>
      app.call(name, {
        as: app.admin,
        ...(params ? { params } : {}),
        query: { ...query, ...(format ? { format } : {}) },
      });
    const [csv, xlsx] = [await call(), await call('xlsx')];
    expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(xlsx.headers['content-type']).toBe(XLSX);
    expect(xlsx.headers['content-disposition']).toMatch(/filename="\w+(-\d{6})?\.xlsx"/);
    const lines: string[][] = parse(csv.text, { bom: true });
    return { lines, rows: await workbookRows(xlsx.bytes) };
  };
  /** The same cell as CSV has it. */
  const asCsv = (cell: WorkbookCell, line: string) => {
    const isMoment = /^\d{4}-\d\d-\d\dT/.test(line);
    if (isMoment && typeof cell === 'number') {
      expect(cell).toBeCloseTo(serial(line.replace(/\.\d+Z/, 'Z')), 6);
      return line;
    }
    return typeof cell === 'string' && /^[=+\-@']/.test(cell) ? `'${cell}` : String(cell ?? '');
  };

  it.each<[Name, Record<string, string>]>([
    ['exportParticipants', {}],
    ['exportParticipants', { questions: 'true' }],
    ['exportInvitations', {}],
    ['exportAudit', { search: 'quiz' }],
  ])('have the same values as CSV: %s %j', async (name, query) => {
    const own = name === 'exportParticipants' ? { quizId, ...query } : query;
    const { lines: all, rows } = await both(name, own);
    // A workbook has each moment once, in the time zone.
    const isTwice = all[0]?.map((head) => head.includes(ZONE)) ?? [];
    const lines = all.map((line) => line.filter((_, c) => !isTwice[c]));
    expect(rows.length).toBeGreaterThan(1);
    expect(rows.length).toBe(lines.length);
    const [head] = rows;
    expect(head?.map((cell) => String(cell).replace(` (${ZONE})`, ''))).toEqual(lines[0]);
    for (const [i, line] of lines.entries()) {
      if (i > 0) expect(line.map((text, c) => asCsv(rows[i]?.[c] ?? null, text))).toEqual(line);
    }
  });

  it('have numbers as numbers, dates in the zone that the head names, and no formula', async () => {
    const { rows } = await both('exportParticipants', { quizId });
    const [head = [], row = []] = rows;
    const cell = (name: string) => row[head.indexOf(name)];
    expect(cell('Assessment')).toBe('=1+1');
    expect(typeof cell(`Started At (${ZONE})`)).toBe('number');
    expect(typeof cell('Violations')).toBe('number');
    expect(cell('Points')).toBe(1.935);
  });

  it('refuse another format', async () => {
    const query = { format: 'ods' };
    expect(await app.call('exportAudit', { as: app.admin, query })).toMatchObject({ status: 400 });
  });
});
