import { imagesOf } from '@invigil/core/content/content-facts';
import { contentProblems } from '@invigil/core/content/content-problems';
import type { BankQuestion } from '@invigil/core/contract/assessments/bank';
import type { Participant } from '@invigil/core/contract/review/participants';
import {
  QUESTION_TYPES,
  type QuestionDefinition,
  SCORING_RULES,
} from '@invigil/core/domain/questions/question-definition';
import {
  type NegativeMarks,
  POINT_PARTS,
  type ScorableAnswer,
  type ScorableQuestion,
  scorePaper,
} from '@invigil/core/domain/questions/scoring';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sealAudit, verifyAudit } from '../features/audit-log/seal-audit.ts';
import { closeDueParticipants } from '../jobs/close-due-participants.ts';
import { startTestApp, type TestApp } from '../testing/test-app.ts';
import { type Demo, describeDemo, fillDemo } from './fill-demo.ts';
import { Presence } from './presence.ts';

const ADMIN = { email: 'boss@example.org', password: 'a very good password' };

describe('the demonstration', () => {
  let app: TestApp;
  let demo: Demo;
  let admin: string;

  const all = async <T>(sql: string) => (await app.pool.query(sql)).rows as T[];
  const count = async (sql: string) => Number((await all<{ n: string }>(sql))[0]?.n);

  beforeAll(async () => {
    app = await startTestApp({ ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password });
    demo = await fillDemo(app.context);
    admin = (await app.call('login', { body: ADMIN })).cookie ?? '';
  });
  afterAll(() => app.stop());

  it('has attempts in every status, ended in every way, and one that replaced another', async () => {
    const rows = await all<{ how: string }>(`
      select distinct coalesce(submission_type, status) || case when replaced_at is null then '' else ' replaced' end as how
      from participants order by 1`);
    expect(rows.map((row) => row.how)).toEqual([
      'auto',
      'auto replaced',
      'database',
      'dismissed',
      'in_progress',
      'manual',
    ]);
    expect(await count('select count(*) n from participants where attempt = 2')).toBeGreaterThan(0);
    expect(demo.attempts).toBe(await count('select count(*) n from participants'));
    expect(demo.people).toBe(await count('select count(*) n from users'));
  });

  it('has ended attempts whose score and count match paper and answers', async () => {
    const attempts = await all<{
      id: string;
      score: number;
      points: number | null;
      max_points: number | null;
      negative_marks: NegativeMarks | null;
      total_marks: number;
      answered_count: number;
    }>("select * from participants where status <> 'in_progress'");
    expect(attempts.length).toBeGreaterThan(100);
    const keys = await all<ScorableQuestion & { participant: string }>(`
      select p.participant_id participant, p.question_id "questionId", v.details,
        v.correct_option_id "correctOptionId", v.option_ids "optionIds"
      from paper_questions p
      join question_versions v on v.question_id = p.question_id and v.version = p.question_version`);
    const answers = await all<ScorableAnswer & { participant: string }>(
      'select participant_id participant, question_id "questionId", option_id "optionId", response from answers',
    );
    const keysOf = Map.groupBy(keys, (row) => row.participant);
    const answersOf = Map.groupBy(answers, (row) => row.participant);
    for (const attempt of attempts) {
      const given = answersOf.get(attempt.id) ?? [];
      const paper = keysOf.get(attempt.id) ?? [];
      const scored = scorePaper(paper, given, attempt.negative_marks);
      expect(scored.score).toBe(attempt.score);
      if (attempt.max_points !== null) expect(scored).toMatchObject({ points: attempt.points });
      expect(attempt.max_points ?? scored.maxPoints).toBe(scored.maxPoints);
      expect(paper).toHaveLength(attempt.total_marks);
      expect(given.length).toBe(attempt.answered_count);
    }
    const spread = new Set(attempts.map((a) => Math.round((10 * a.score) / a.total_marks)));
    expect(spread.size).toBeGreaterThan(5);
  });

  it('has no times after the end, before the start or in the future', async () => {
    expect(
      await count(`select count(*) n from answers a join participants p on p.id = a.participant_id
        where a.created_at < p.started_at or a.saved_at < a.created_at
          or a.saved_at > coalesce(p.submitted_at, p.last_seen_at)`),
    ).toBe(0);
    const now = app.clock.now().toISOString();
    expect(
      await count(`select count(*) n from (
        select submitted_at at from participants union all select at from participant_events
        union all select created_at from feedback union all select saved_at from answers
        union all select sent_at from outbox union all select at from audit_entries
        union all select received_at from violations union all select verdict_at from participants
      ) as times where at > '${now}'`),
    ).toBe(0);
    expect(
      await count(`select count(*) n from participants p join invitations i on i.id = p.invitation_id
        where p.started_at < i.created_at or i.first_sign_in_at is null or i.first_sign_in_at < i.created_at`),
    ).toBe(0);
  });

  it('has dismissed attempts only where a limit of the policy was reached', async () => {
    const rows = await all<{ ended: boolean; reached: boolean }>(`
      select p.status = 'dismissed' as ended,
        p.counted_violations >= (s.settings -> 'limits' ->> 'combined')::int
          or p.fullscreen_exits >= (s.settings -> 'limits' ->> 'fullscreen')::int
          or p.tab_switches >= case s.settings ->> 'tabHidden' when 'dismiss' then 1 when 'warn_once' then 2 end as reached
      from participants p join quiz_policies s on s.quiz_id = p.quiz_id and s.version = p.policy_version`);
    expect(rows.filter((row) => row.ended !== (row.reached ?? false))).toEqual([]);
    expect(rows.some((row) => row.ended)).toBe(true);
  });

  it('has counts that match the violations of every attempt', async () => {
    const wrong = await all(`
      select p.id from participants p left join (
        select participant_id,
          count(*) filter (where counted and type in ('face_not_detected', 'voice_detected')) as together,
          count(*) filter (where counted and type = 'fullscreen_exit') as exits,
          count(*) filter (where counted and type = 'tab_hidden') as tabs
        from violations group by 1
      ) v on v.participant_id = p.id
      where p.counted_violations <> coalesce(together, 0) or p.fullscreen_exits <> coalesce(exits, 0)
        or p.tab_switches <> coalesce(tabs, 0) or p.violation_calls <> 0`);
    expect(wrong).toEqual([]);
    const kinds = await all<{ type: string }>('select distinct type from violations');
    expect(kinds.length).toBeGreaterThan(8);
    expect(
      await count('select count(*) n from violations where candidate_note is not null'),
    ).toBeGreaterThan(5);
  });

  it('has drawn stills and level curves of detections, and no still twice', async () => {
    const shown = "('face_not_detected', 'voice_detected', 'multiple_faces', 'looking_away')";
    expect(
      await count(`select count(*) n from violations v where v.type in ${shown}
        and not exists (select from evidence e where e.violation_id = v.id and e.stored_at is not null
          and e.stills > 5 and e.has_levels)`),
    ).toBe(0);
    expect(await count("select count(*) n from violations where type = 'repeated_still'")).toBe(0);
    const [first] = await all<{ id: string; participant_id: string }>(
      `select v.id, v.participant_id from violations v where v.type = 'voice_detected' limit 1`,
    );
    const opened = await app.call('readEvidence', {
      as: admin,
      query: { participantId: first?.participant_id ?? '', violationId: first?.id ?? '' },
    });
    expect(opened.status).toBe(200);
    const [{ stills, levels }] = opened.body.evidence;
    expect(stills).toHaveLength(12);
    expect(Math.max(...levels.values)).toBeGreaterThan(34);
  });

  it('has no detections outside of an attempt, and a reached limit in every dismissed one', async () => {
    expect(
      await count(`select count(*) n from violations v join participants p on p.id = v.participant_id
        where v.at < p.started_at or v.at > coalesce(p.submitted_at, p.last_seen_at)
          or v.received_at < v.at`),
    ).toBe(0);
    expect(
      await count(`select count(*) n from participants p where status = 'dismissed' and not exists (
        select from participant_events e where e.participant_id = p.id and e.kind = 'limit_reached')`),
    ).toBe(0);
  });

  it('has attempts waiting for review with something to see, and verdicts of every kind', async () => {
    const query = { limit: 1000, review: 'open' };
    const open = (await app.call('listParticipants', { as: admin, query })).body;
    expect(open.length).toBeGreaterThan(5);
    for (const { id } of open) {
      const { body } = await app.call('getParticipantRecord', { as: admin, params: { id } });
      const levels = body.violations.map((one: { level: string }) => one.level);
      expect(levels.some((level: string) => level !== 'info')).toBe(true);
      expect(body.verdict).toBeNull();
    }
    const verdicts = await all<{ verdict: string }>(
      'select distinct verdict from participants where verdict is not null order by 1',
    );
    expect(verdicts.map(({ verdict }) => verdict)).toEqual(['breach', 'no_concern', 'talk']);
  });

  it('has three question files, each with enough for a paper and keys at every position', async () => {
    const rows = await all<{ title: string; total: number; n: string; places: string }>(`
      select z.title, z.total_questions total, count(*) n,
        count(distinct array_position(v.option_ids, v.correct_option_id)) places
      from quizzes z join questions q on q.quiz_id = z.id
      join question_versions v on v.question_id = q.id group by z.id order by z.title`);
    expect(rows.map(({ title, n, places }) => [title, Number(n), Number(places)])).toEqual([
      ['Network Fundamentals', 16, 4],
      ['Reading Statistics', 12, 4],
      ['Workplace Safety', 22, 4],
    ]);
    for (const row of rows) expect(Number(row.n)).toBeGreaterThanOrEqual(row.total);
  });

  it('has an assessment with every type of question and every scoring rule, drawn from the bank', async () => {
    const bank = (await app.call('listBank', { as: admin, query: { use: 'bank' } })).body;
    const definitions: QuestionDefinition[] = bank.map((q: BankQuestion) => q.definition);
    expect(new Set(definitions.map(({ type }) => type))).toEqual(new Set(QUESTION_TYPES));
    expect(new Set(definitions.map(({ rule }) => rule))).toEqual(new Set(SCORING_RULES));
    for (const { definition, isDraft, tags, categoryId, difficulty } of bank as BankQuestion[]) {
      expect(isDraft).toBe(false);
      expect([tags.length > 0, categoryId, difficulty]).toEqual([
        true,
        expect.any(String),
        expect.any(String),
      ]);
      expect(definition.explanation).toBeDefined();
      const texts = [definition.question, ...definition.options.map(({ text }) => text)];
      expect(texts.flatMap(contentProblems)).toEqual([]);
      expect(contentProblems(definition.explanation ?? '')).toEqual([]);
    }
    const figures = definitions.flatMap(({ question }) => imagesOf(question));
    expect(figures.length).toBe(5);
    for (const hash of figures) {
      const image = await app.call('readImage', { as: admin, params: { hash } });
      expect([image.status, image.headers['content-type']]).toEqual([200, 'image/webp']);
    }
    const attempts = await all<{ sections: unknown[]; most: number; types: string[] }>(`
      select p.sections, p.max_points most, array_agg(v.details ->> 'type') types
      from participants p join quizzes z on z.id = p.quiz_id
      join paper_questions q on q.participant_id = p.id
      join question_versions v on v.question_id = q.question_id and v.version = q.question_version
      where z.title = 'Science and Code' group by p.id`);
    expect(attempts.length).toBeGreaterThan(20);
    for (const { sections, most, types } of attempts) {
      expect(most).toBe(17.5 * POINT_PARTS);
      expect(sections).toHaveLength(3);
      expect(types).toHaveLength(11);
    }
    // A typed answer is as it would be stored, and some are right, some partly and some wrong.
    expect(await count('select count(*) n from answers where response <> btrim(response)')).toBe(0);
    const quizId = await idOf('Science and Code');
    const query = { quizId, limit: 1000 };
    const list: Participant[] = (await app.call('listParticipants', { as: admin, query })).body;
    const ended = list.filter(({ points }) => points !== null && points !== undefined);
    expect(ended.length).toBeGreaterThan(20);
    expect(new Set(ended.map(({ points }) => points)).size).toBeGreaterThan(10);
    const { body } = await app.call('getParticipantRecord', {
      as: admin,
      params: { id: ended[0]?.id ?? '' },
    });
    const sum = body.questions.reduce(
      (total: number, q: { points: number }) => total + q.points,
      0,
    );
    expect(sum).toBeCloseTo(ended[0]?.points ?? 0, 4);
    const report = await app.call('exportParticipants', { as: admin, query: { quizId } });
    expect(report.text).toMatch(/points/i);
  });

  const idOf = async (title: string) =>
    (await all<{ id: string }>(`select id from quizzes where title = '${title}'`))[0]?.id ?? '';

  it('has sent, failed, uncertain and queued mail, and none being sent', async () => {
    const rows = await all<{ state: string }>('select distinct state from outbox order by 1');
    expect(rows.map((row) => row.state)).toEqual(['failed', 'queued', 'sent', 'uncertain']);
    const addresses = await all<{ email: string }>('select email from users');
    expect(addresses.every(({ email }) => email.endsWith('@example.org'))).toBe(true);
  });

  it('fills every part of the dashboard', async () => {
    const stats = (await app.call('getStats', { as: admin })).body;
    expect(stats).toMatchObject({ totalQuizzes: 4, activeQuizzes: 3 });
    expect(stats.topScorers).toHaveLength(3);
    expect(stats.recentActivity).toHaveLength(10);
    expect(stats.averageScore).toBeGreaterThan(40);
    expect(stats.averageScore).toBeLessThan(90);
    const charts = (await app.call('getStatsCharts', { as: admin, query: { days: 30 } })).body;
    expect(charts.histogram.filter((n: number) => n > 0).length).toBeGreaterThan(5);
    const days = charts.completions.filter((day: { count: number }) => day.count > 0);
    expect(days.length).toBeGreaterThan(10);
  });

  it('has records, invitations and an audit log that can be read', async () => {
    const list = (await app.call('listParticipants', { as: admin, query: { limit: 1000 } })).body;
    for (const { id } of list) {
      const record = await app.call('getParticipantRecord', { as: admin, params: { id } });
      expect(record.status).toBe(200);
      expect(record.body.questions.length).toBe(record.body.participant.totalMarks);
      expect(record.body.consent).not.toBeNull();
    }
    for (const quiz of (await app.call('listQuizzes', { as: admin })).body) {
      const reply = await app.call('listInvitations', { as: admin, params: { id: quiz.id } });
      expect(reply.status).toBe(200);
    }
    const audit = (await app.call('listAudit', { as: admin, query: { limit: 1000 } })).body;
    const actions = new Set(audit.map((entry: { action: string }) => entry.action));
    for (const action of [
      'quiz.created',
      'participant.extended',
      'invitations.sent',
      'demo.filled',
    ])
      expect(actions).toContain(action);
    expect(await sealAudit(app.context)).toBeGreaterThan(20);
    expect((await verifyAudit(app.context)).problem).toBeNull();
  });

  it('is refused the second time, and then changes nothing', async () => {
    const before = await count('select count(*) n from audit_entries');
    await expect(fillDemo(app.context)).rejects.toThrow(/^The database is not empty/);
    expect(await count('select count(*) n from audit_entries')).toBe(before);
  });

  it('has a candidate whose code works for an open assessment', async () => {
    const { email, code } = demo.candidate;
    const wrong = await app.call('login', { body: { email, password: 'AAAAA-BBBBB-CCCCC' } });
    expect(wrong.status).toBe(401);
    const right = await app.call('login', { body: { email, password: code } });
    expect(right).toMatchObject({ status: 200, body: { quiz: { isOpen: true } } });
    const start = await app.call('startParticipant', { as: right.cookie, body: {} });
    expect(start).toMatchObject({ status: 201, body: { status: 'in_progress' } });
  });

  it('sends heartbeats of its candidates, and moving pictures while watched', async () => {
    const notSeen =
      "select count(*) n from participants where status = 'in_progress' and last_seen_at < ";
    app.clock.advance({ seconds: 60 });
    const presence = await Presence.begin(app.context);
    await presence.sendHeartbeats();
    const now = app.clock.now();
    expect(await count(`${notSeen} '${now.toISOString()}'`)).toBe(0);

    const [one] = await all<{ id: string }>(
      "select id from participants where status = 'in_progress' order by id limit 1",
    );
    const { thumbnails } = app.context;
    presence.showPictures();
    expect(thumbnails.newest(one?.id ?? '')).toBeUndefined();
    const leave = thumbnails.watch(one?.id ?? '');
    const pictures = Array.from({ length: 8 }, () => {
      presence.showPictures();
      return thumbnails.newest(one?.id ?? '')?.jpeg.toString('base64');
    });
    leave();
    expect(new Set(pictures).size).toBe(4);
  });

  it('has running attempts that end when their time is up', async () => {
    const running = () =>
      count(`select count(*) n from participants p join users u on u.id = p.user_id
        where status = 'in_progress' and email <> '${demo.candidate.email}'`);
    const before = await running();
    expect(before).toBeGreaterThanOrEqual(4);
    await closeDueParticipants(app.context);
    expect(await running()).toBe(before);
    app.clock.advance({ minutes: 70 });
    await closeDueParticipants(app.context);
    expect(await running()).toBe(0);
  });
});

describe('filling', () => {
  it('yields the same people, papers and scores every time', async () => {
    const attemptsAt = async (at: string) => {
      const app = await startTestApp({ ADMIN_EMAIL: ADMIN.email });
      app.clock.advance({ ms: Date.parse(at) - app.clock.now().getTime() });
      await fillDemo(app.context);
      const { rows } = await app.pool.query(`
        select u.email, z.title, p.attempt, p.submission_type, p.score, p.counted_violations
        from participants p join users u on u.id = p.user_id join quizzes z on z.id = p.quiz_id
        order by 1, 2, 3`);
      await app.stop();
      return rows;
    };
    // A Thursday morning, and the same weekday at another hour five weeks later.
    expect(await attemptsAt('2026-06-18T14:30:00Z')).toEqual(
      await attemptsAt('2026-05-14T08:00:00Z'),
    );
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

  it('leaves nothing behind when it fails, not even an administrator', async () => {
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
});

describe('the terminal output', () => {
  const demo: Demo = {
    assessments: 3,
    people: 90,
    attempts: 120,
    adminEmail: 'boss@example.org',
    firstAdmin: null,
    candidate: { email: 'a@example.org', code: 'AAAAA-BBBBB-CCCCC', assessment: 'Safety' },
  };

  it('names an administrator whose password is unknown', () => {
    expect(describeDemo(demo)).toEqual([
      'Demonstration: 3 assessments, 90 people, 120 attempts',
      'Administrator: boss@example.org, with the password from ADMIN_PASSWORD or the first start',
      'Candidate for Safety: a@example.org',
      'one-time password: AAAAA-BBBBB-CCCCC',
    ]);
  });

  it('omits an administrator with a generated password, which is printed elsewhere', () => {
    const made = { ...demo, firstAdmin: { email: demo.adminEmail, password: 'x' } };
    expect(describeDemo(made).join()).not.toContain('Administrator');
  });
});
