import { inviteCandidate, makeQuiz, setUpAppWithAdmin } from '@invigil/testkit/factories';
import { storeAttempts } from '@invigil/testkit/stored';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { reportName } from './participants-report.ts';

const HEADER =
  'Participant,Participant Id,Assessment,Status,Score,Total Marks,Violations,Time Spent (s),Started At,Submitted At,Submission Type';

describe('the participants report', () => {
  const app = setUpAppWithAdmin({ TIME_ZONE: 'Asia/Kolkata' });
  const report = (query: Record<string, string> = {}) =>
    app.call('exportParticipants', { as: app.admin, query });
  const linesOf = (text: string): string[][] =>
    parse(text, { bom: true, record_delimiter: '\r\n' }).slice(1);

  it('refuses an unknown assessment, and candidates', async () => {
    const unknown = await report({ quizId: '0197f5a3-1c1e-7c3a-9b1a-2f4d5e6a7b8c' });
    expect(unknown).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    expect((await report({ quizId: 'one' })).status).toBe(400);
    const quiz = await makeQuiz(app, app.admin);
    const candidate = await inviteCandidate(app, app.admin, quiz.id);
    const theirs = await app.call('exportParticipants', { as: candidate.cookie });
    expect(theirs).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
  });

  it('has only its header when no one has started', async () => {
    const { id } = await makeQuiz(app, app.admin, { questions: [] });
    const reply = await report({ quizId: id });
    expect(reply.status).toBe(200);
    expect(reply.text).toBe(`\uFEFF${HEADER}\r\n`);
  });

  it('is a CSV file named by the time in the time zone of the service', async () => {
    const { id } = await makeQuiz(app, app.admin, { questions: [] });
    const one = await report({ quizId: id });
    expect(one.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      // 08:00 in UTC is 13:30 in Kolkata.
      'content-disposition': 'attachment; filename="participants_report_quiz_20260514-133000.csv"',
      'cache-control': 'no-store',
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
    const { text } = await report({ quizId: id });
    expect(text).toContain('"Networks, ""part"" 1"');
    expect(linesOf(text)).toEqual([
      [
        'running@example.org',
        running,
        'Networks, "part" 1',
        'in_progress',
        '',
        '10',
        '1',
        '90',
        at(90).toISOString(),
        '',
        '',
      ],
      [
        'dismissed@example.org',
        dismissed,
        'Networks, "part" 1',
        'dismissed',
        '0',
        '12',
        '0',
        '60',
        at(500).toISOString(),
        at(440).toISOString(),
        'dismissed',
      ],
      [
        'done@example.org',
        done,
        'Networks, "part" 1',
        'completed',
        '7',
        '10',
        '2',
        '300',
        at(600).toISOString(),
        at(299.25).toISOString(),
        'manual',
      ],
    ]);
    const list = await app.call('listParticipants', { as: app.admin, query: { quizId: id } });
    expect(
      linesOf(text).map(([, participant, , status, score]) => [participant, status, score]),
    ).toEqual(
      list.body.map((p: { id: string; status: string; score: number | null }) => [
        p.id,
        p.status,
        String(p.score ?? ''),
      ]),
    );
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

  it.each([
    ['=1+1', "'=1+1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['-2+3', "'-2+3"],
    ['+491234', "'+491234"],
    ["'quoted", "''quoted"],
    ['=HYPERLINK("https://evil.example","x")', `'=HYPERLINK("https://evil.example","x")`],
    ['1-2', '1-2'],
    ['日本, "x"\nline', '日本, "x"\nline'],
  ])('keeps a spreadsheet from executing a title like %j', async (title, cell) => {
    const { id } = await makeQuiz(app, app.admin, { title, questions: [] });
    await storeAttempts(app, id, [{ email: 'a@example.org', startedAt: app.clock.now() }]);
    const [line] = linesOf((await report({ quizId: id })).text);
    expect(line?.[2]).toBe(cell);
  });

  it('guards an email address too, and shows an erased person as Unknown', async () => {
    const { id } = await makeQuiz(app, app.admin, { questions: [] });
    const startedAt = app.clock.now();
    await storeAttempts(app, id, [
      { email: '=cmd@example.org', startedAt },
      { email: 'erased@example.org', startedAt: new Date(startedAt.getTime() - 1) },
    ]);
    await app.pool.query("update users set email = null where email = 'erased@example.org'");
    const lines = linesOf((await report({ quizId: id })).text);
    expect(lines.map(([who]) => who)).toEqual(["'=cmd@example.org", 'Unknown']);
  });

  it('has thousands of rows in order, each once, with equal starts among them', {
    tags: 'long',
  }, async () => {
    const { id } = await makeQuiz(app, app.admin, { title: 'Large', questions: [] });
    const base = app.clock.now().getTime();
    const ids = await storeAttempts(
      app,
      id,
      Array.from({ length: 2_300 }, (_, i) => ({
        email: `large${i}@example.org`,
        // Blocks of a thousand share a start, so that a batch ends within one.
        startedAt: new Date(base - Math.floor(i / 1_000)),
      })),
    );
    const lines = linesOf((await report({ quizId: id })).text);
    expect(lines).toHaveLength(2_300);
    const key = (l: string[] | undefined) => `${l?.[8]} ${l?.[1]}`;
    expect(lines.map(key)).toEqual(lines.map(key).sort().reverse());
    expect(new Set(lines.map((l) => l[1]))).toEqual(new Set(ids));
    expect((await report()).text.split('\r\n').length).toBeGreaterThan(2_300);
  });

  it('has only the rows of one assessment, or the rows of all', async () => {
    const one = await makeQuiz(app, app.admin, { title: 'One of two', questions: [] });
    const two = await makeQuiz(app, app.admin, { title: 'Two of two', questions: [] });
    for (const { id } of [one, two]) {
      await storeAttempts(app, id, [{ email: 'both@example.org', startedAt: app.clock.now() }]);
    }
    const titles = (text: string) => new Set(linesOf(text).map((l) => l[2]));
    expect(titles((await report({ quizId: one.id })).text)).toEqual(new Set(['One of two']));
    const all = titles((await report()).text);
    expect(all.has('One of two') && all.has('Two of two')).toBe(true);
  });
});

describe('the file name of a report', () => {
  it.each([
    ['2026-05-14T08:35:00Z', 'UTC', '20260514-083500'],
    ['2026-05-14T08:35:00Z', 'Europe/Berlin', '20260514-103500'],
    ['2026-05-14T22:00:00Z', 'Europe/Berlin', '20260515-000000'],
    ['2026-01-01T04:59:59Z', 'America/New_York', '20251231-235959'],
    ['2026-10-25T01:30:05Z', 'Europe/Berlin', '20261025-023005'],
  ])('at %s in %s has the stamp %s', (now, zone, stamp) => {
    expect(reportName(undefined, new Date(now), zone)).toBe(`participants_report_all_${stamp}`);
    expect(reportName('x', new Date(now), zone)).toBe(`participants_report_quiz_${stamp}`);
  });
});
