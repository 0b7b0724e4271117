import type { Participant } from '@invigil/core/contract/review/participants';
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
    const { body } = await app.call('listParticipants', { as: app.admin, query: { quizId: id } });
    expect(body.map((p: { id: string }) => p.id)).toEqual([running, dismissed, done]);
    expect(linesOf(text)).toEqual(
      body.map((p: Participant) =>
        [
          ...[p.userEmail, p.id, p.quizTitle, p.status, p.score, p.totalMarks, p.violationCount],
          ...[p.timeSpent, p.startedAt, p.submittedAt, p.submissionType],
        ].map((value) => String(value ?? '')),
      ),
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
