import { makeQuiz, setUpAppWithAdmin } from '@invigil/testkit/factories';
import { storeAttempts } from '@invigil/testkit/stored';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';

describe('the participants report', () => {
  const app = setUpAppWithAdmin({ TIME_ZONE: 'Asia/Kolkata' });
  const report = (query: Record<string, string> = {}) =>
    app.call('exportParticipants', { as: app.admin, query });
  const linesOf = (text: string): string[][] =>
    parse(text, { bom: true, record_delimiter: '\r\n' }).slice(1);

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
});
