import { contentProblems } from '@invigil/core/content/content-problems';
import type { BankQuestion } from '@invigil/core/contract/assessments/bank';
import { QUESTION_TYPES, SCORING_RULES } from '@invigil/core/domain/questions/question-definition';
import { POINT_PARTS } from '@invigil/core/domain/questions/scoring';
import { startTestApp } from '@invigil/testkit/app';
import { setUpApp } from '@invigil/testkit/factories';
import { beforeAll, describe, expect, it } from 'vitest';
import { closeDueParticipants } from '../jobs/close-due-participants.ts';
import { sealAudit, verifyAudit } from '../trust/seal-audit.ts';
import { type Demo, fillDemo } from './fill-demo.ts';
import { Presence } from './presence.ts';

const ADMIN = { email: 'boss@example.org', password: 'a very good password' };

describe('the demonstration', () => {
  const app = setUpApp({ ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password });
  let demo: Demo;
  let admin: string;

  const all = async <T>(sql: string) => (await app.pool.query(sql)).rows as T[];
  const count = async (sql: string) =>
    Number((await all<{ n: string }>(`select count(*) n ${sql}`))[0]?.n);
  const column = async (sql: string) => (await all<{ one: string }>(sql)).map(({ one }) => one);

  beforeAll(async () => {
    demo = await fillDemo(app.context);
    admin = (await app.call('login', { body: ADMIN })).cookie ?? '';
  });
  it.each([
    [
      'attempts in every status, ended in every way, and one that replaced another',
      `select distinct coalesce(submission_type, status)
         || case when replaced_at is null then '' else ' replaced' end as one
       from participants order by 1`,
      ['auto', 'auto replaced', 'database', 'dismissed', 'in_progress', 'manual'],
    ],
    [
      'verdicts of every kind',
      'select distinct verdict one from participants where verdict is not null order by 1',
      ['breach', 'no_concern', 'talk'],
    ],
    [
      'sent, failed, uncertain and queued mail, and none being sent',
      'select distinct state one from outbox order by 1',
      ['failed', 'queued', 'sent', 'uncertain'],
    ],
  ])('has %s', async (_, sql, expected) => {
    expect(await column(sql)).toEqual(expected);
  });

  it.each([
    [
      'a time after the end or before the start',
      `from answers a join participants p on p.id = a.participant_id where a.created_at < p.started_at
         or a.saved_at < a.created_at or a.saved_at > coalesce(p.submitted_at, p.last_seen_at)`,
    ],
    [
      'an attempt before its invitation or sign-in',
      `from participants p join invitations i on i.id = p.invitation_id
       where p.started_at < i.created_at or coalesce(i.first_sign_in_at < i.created_at, true)`,
    ],
    [
      'a camera detection without drawn stills and a level curve',
      `from violations v where type in ('face_not_detected', 'voice_detected', 'multiple_faces', 'looking_away')
         and not exists (select from evidence e where e.violation_id = v.id and e.stored_at is not null
           and e.stills > 5 and e.has_levels)`,
    ],
    ['a repeated still', "from violations where type = 'repeated_still'"],
    ['a real address', "from users where email not like '%@example.org'"],
  ])('does not have %s', async (_, sql) => {
    expect(await count(sql)).toBe(0);
  });

  it('has no times in the future', async () => {
    const times = ['submitted_at', 'verdict_at', 'started_at'].map(
      (name) => `select ${name} at from participants`,
    );
    expect(
      await count(`from (${times.join(' union all ')} union all select at from participant_events
        union all select created_at from feedback union all select saved_at from answers
        union all select sent_at from outbox union all select at from audit_entries
        union all select received_at from violations) t where at > '${app.clock.now().toISOString()}'`),
    ).toBe(0);
  });

  it('has as many people and attempts as it prints, most of them scored', async () => {
    expect(demo.attempts).toBe(await count('from participants'));
    expect(demo.people).toBe(await count('from users'));
    expect(await count('from participants where score > 0')).toBeGreaterThan(100);
    const sections = `from participants where sections is not null and max_points = ${17.5 * POINT_PARTS}`;
    expect(await count(sections)).toBeGreaterThan(20);
  });

  it('has a bank with every type of question and every scoring rule, with figures', async () => {
    const bank: BankQuestion[] = (await app.call('listBank', { as: admin, query: { use: 'bank' } }))
      .body;
    expect(new Set(bank.map((q) => q.definition.type))).toEqual(new Set(QUESTION_TYPES));
    expect(new Set(bank.map((q) => q.definition.rule))).toEqual(new Set(SCORING_RULES));
    const texts = bank.flatMap(({ definition: { question, options, explanation = '' } }) => [
      question,
      explanation,
      ...options.map(({ text }) => text),
    ]);
    expect(texts.flatMap(contentProblems)).toEqual([]);
    expect(await count('from images')).toBe(5);
  });

  it('has records, evidence and attempts waiting for review', async () => {
    const query = { limit: 1000, review: 'open' };
    const open = (await app.call('listParticipants', { as: admin, query })).body;
    expect(open.length).toBeGreaterThan(5);
    for (const { id } of open) {
      const { status, body } = await app.call('getParticipantRecord', {
        as: admin,
        params: { id },
      });
      expect([status, body.verdict]).toEqual([200, null]);
      expect(body.violations.some(({ level }: { level: string }) => level !== 'info')).toBe(true);
      expect(body.consent).not.toBeNull();
    }
    const [voice] = await all<{ id: string; participant_id: string }>(
      "select id, participant_id from violations where type = 'voice_detected' limit 1",
    );
    const opened = await app.call('readEvidence', {
      as: admin,
      query: { participantId: voice?.participant_id ?? '', violationId: voice?.id ?? '' },
    });
    const [{ stills, levels }] = opened.body.evidence;
    expect(stills).toHaveLength(12);
    expect(Math.max(...levels.values)).toBeGreaterThan(34);
  });

  it('has released results with a pass mark, and one key that the statistics find', async () => {
    const quizzes: { id: string; title: string }[] = (await app.call('listQuizzes', { as: admin }))
      .body;
    const params = { id: quizzes.find(({ title }) => title === 'Reading Statistics')?.id ?? '' };
    const { figures } = (await app.call('getQuizResults', { as: admin, params })).body;
    expect(figures.passed).toBeGreaterThan(10);
    expect(figures.failed).toBeGreaterThan(3);
    const { questions } = (await app.call('getQuizStatistics', { as: admin, params })).body;
    const wrong = (questions as { suspicions: string[] }[]).filter(({ suspicions }) =>
      suspicions.includes('key'),
    );
    expect(wrong).toHaveLength(1);
    const { released, changed } = (await app.call('getReleases', { as: admin, params })).body;
    expect([released > 20, changed]).toEqual([true, 0]);
    const certificates = await app.pool.query('select number from certificates');
    expect(certificates.rowCount).toBe(figures.passed);
    const { number } = certificates.rows[0];
    expect((await app.call('getCertificate', { params: { number } })).body.state).toBe('valid');
  });

  it('fills every part of the dashboard, and an audit log that verifies', async () => {
    const stats = (await app.call('getStats', { as: admin })).body;
    expect(stats).toMatchObject({ totalQuizzes: 5, activeQuizzes: 3 });
    expect([stats.topScorers.length, stats.recentActivity.length]).toEqual([3, 10]);
    const charts = (await app.call('getStatsCharts', { as: admin, query: { days: 30 } })).body;
    expect(charts.histogram.filter((n: number) => n > 0).length).toBeGreaterThan(5);
    const days = charts.completions.filter((day: { count: number }) => day.count > 0);
    expect(days.length).toBeGreaterThan(10);
    expect(await sealAudit(app.context)).toBeGreaterThan(20);
    expect((await verifyAudit(app.context)).problem).toBeNull();
  });

  it('has a candidate whose code works for an open assessment', async () => {
    const { email, code } = demo.candidate;
    const right = await app.call('login', { body: { email, password: code } });
    expect(right).toMatchObject({ status: 200, body: { quiz: { isOpen: true } } });
    const start = await app.call('startParticipant', { as: right.cookie, body: {} });
    expect(start).toMatchObject({ status: 201, body: { status: 'in_progress' } });
  });

  it('has a paused attempt, one with breaks, and no other', async () => {
    const { body } = await app.call('listParticipants', {
      ...{ as: admin, query: { limit: 1000, status: 'in_progress' } },
    });
    expect(body.length).toBeGreaterThanOrEqual(5);
    const rows = await all<{ email: string; left: number; reason: string; before: boolean }>(`
      select email, extract(epoch from paused_until - '${app.clock.now().toISOString()}')::int as left,
        pause_reason as reason, (select max(saved_at) < paused_at from answers a
          where a.participant_id = p.id) as before
      from participants p join users u on u.id = p.user_id where paused_until is not null`);
    const reason = 'Fire alarm. Leave the room. Your time is stopped.';
    expect(rows).toEqual([
      { email: 'isla.campbell@example.org', left: 26 * 60, reason, before: true },
    ]);
    expect(
      await column(`select breaks_left || ' ' || break_ms_left one from participants
        where breaks_left > 0`),
    ).toEqual(['2 600000']);
  });

  it('has an assessment on two days, with own times, retakes and practice', async () => {
    const quizzes: { id: string; title: string; asPractice?: { token: string } }[] = (
      await app.call('listQuizzes', { as: admin })
    ).body;
    const of = (wanted: string) => quizzes.find(({ title }) => title === wanted);
    const params = { id: of('Your First Week')?.id ?? '' };
    const { rules, people } = (await app.call('getSchedule', { as: admin, params })).body;
    expect(rules.map(({ group }: { group: string }) => group)).toEqual([
      ...['South site', 'Night shift'],
    ]);
    const days = [...rules.map(({ window }: never) => window), people[0].times.window].map(
      ({ opensAt, endDate }: { opensAt: string; endDate: string }) => {
        expect(Date.parse(opensAt)).toBeLessThan(Date.parse(endDate));
        return opensAt.slice(0, 10);
      },
    );
    expect(new Set(days).size).toBe(3);
    expect(people).toMatchObject([{ email: 'greta.lind@example.org' }]);
    const { body } = await app.call('getQuiz', { as: admin, params });
    const practice = of('Try It Out');
    expect(body).toMatchObject({ retakes: { attempts: 2 }, practice: { quizId: practice?.id } });
    const { token = '' } = practice?.asPractice ?? {};
    expect((await app.call('getPractice', { params: { token } })).status).toBe(200);
  });

  it('sends heartbeats of its candidates, and moving pictures while watched', async () => {
    app.clock.advance({ seconds: 60 });
    const presence = await Presence.begin(app.context);
    await presence.sendHeartbeats();
    const now = app.clock.now().toISOString();
    const running = await column("select id one from participants where status = 'in_progress'");
    expect(await count(`from participants where last_seen_at = '${now}'`)).toBe(running.length);
    const [one = ''] = running;
    const { thumbnails } = app.context;
    presence.showPictures();
    expect(thumbnails.newest(one)).toBeUndefined();
    const leave = thumbnails.watch(one);
    const pictures = Array.from({ length: 8 }, () => {
      presence.showPictures();
      return thumbnails.newest(one)?.jpeg.toString('base64');
    });
    leave();
    expect(new Set(pictures).size).toBe(4);
  });

  it('has running attempts that end when their time is up', async () => {
    const running = `from participants p join users u on u.id = p.user_id
      where status = 'in_progress' and email <> '${demo.candidate.email}'`;
    expect(await count(running)).toBeGreaterThanOrEqual(4);
    app.clock.advance({ minutes: 70 });
    await closeDueParticipants(app.context);
    expect(await count(running)).toBe(0);
  });
});

it.each([
  ['the first minute of a Monday', '2026-05-10T22:00:30Z'],
  ['the night daylight-saving time begins', '2026-03-29T00:59:00Z'],
])('has top scorers of this week in %s', async (_, at) => {
  const app = await startTestApp({
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
    TIME_ZONE: 'Europe/Berlin',
  });
  app.clock.advance({ ms: Date.parse(at) - app.clock.now().getTime() });
  await fillDemo(app.context);
  const admin = (await app.call('login', { body: ADMIN })).cookie;
  expect((await app.call('getStats', { as: admin })).body.topScorers).toHaveLength(3);
  await app.stop();
});

it('leaves nothing behind when filling fails, not even an administrator', async () => {
  const app = await startTestApp({});
  await app.pool.query(`
    create function stop_at_the_end() returns trigger language plpgsql as
      $$ begin if new.action = 'demo.filled' then raise exception 'stopped'; end if; return new; end $$;
    create trigger stop_at_the_end before insert on audit_entries
      for each row execute function stop_at_the_end()`);
  await expect(fillDemo(app.context)).rejects.toThrow();
  const { rows } = await app.pool.query(
    'select (select count(*) from admins) + (select count(*) from users) + (select count(*) from categories) + (select count(*) from audit_entries) as n',
  );
  expect(Number(rows[0].n)).toBe(0);
  await app.stop();
});
