import { plainDefinition } from '@invigil/core/domain/questions/question-definition';
import type { ReleaseRules } from '@invigil/core/domain/results/release';
import { startTestApp, type TestApp } from '@invigil/testkit/app';
import {
  ADMIN,
  inviteCandidate,
  mailServer,
  makeQuiz,
  makeScoredQuiz,
  setUpSmtpSink,
  signInAdmin,
  sitScoredQuiz,
} from '@invigil/testkit/factories';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listReleasable } from '../db/queries/attempts/releases.ts';
import { onlyGenuine } from '../features/attempts/release-results.ts';
import { deleteExpired } from '../features/review/delete-expired.ts';
import { deliverMail } from '../jobs/deliver-mail.ts';
import { releaseResults } from '../jobs/run-jobs.ts';
import { verifyAssessments, verifyPeople, verifyResults, verifySettings } from './verify.ts';

/** An attacker who writes to the database, and has no key. */
describe('what is changed in the database', () => {
  let app: TestApp;
  let admin: string;
  const sink = setUpSmtpSink();

  beforeEach(async () => {
    sink.mails.length = 0;
    app = await startTestApp({ SMTP_ALLOWED_HOSTS: '127.0.0.1' });
    admin = await signInAdmin(app);
  });
  afterEach(() => app.stop());

  const call = (name: Parameters<typeof app.call>[0], input: object = {}) =>
    app.call(name, { as: admin, ...input });
  const findings = async () => {
    const areas = [verifySettings, verifyAssessments, verifyPeople, verifyResults];
    const all = await Promise.all(areas.map((verify) => verify(app.context)));
    return all.flatMap((area) => area.findings);
  };
  const one = async (sql: string, values: unknown[] = []) =>
    (await app.pool.query(sql, values)).rows[0];
  const configure = () => call('putSmtpSettings', { body: mailServer(sink.port) });
  const nothingBroken = () =>
    expect(Object.values(app.context.trust.brokenSeals).every((n) => n === 0)).toBe(true);

  describe('of mail', () => {
    const askForLink = async () => {
      await app.call('requestPasswordReset', { body: { email: ADMIN.email } });
      await expect.poll(async () => (await app.pool.query('select from outbox')).rowCount).toBe(1);
    };

    it.each([
      ['port', 'port = 2525'],
      ['host', "host = '127.0.0.2'"],
      ['user', "username = 'someone'"],
      ['sender', "from_email = 'thief@evil.test'"],
      ['seal', 'seal = null'],
    ])('the mail server gets no password, and no mail leaves: its %s', async (_, change) => {
      await configure();
      await askForLink();
      await app.tamper(`update smtp_settings set ${change}`);
      await deliverMail(app.context);
      expect(sink.mails).toEqual([]);
      const { state, last_error: why } = await one('select state, last_error from outbox');
      expect([state, why]).toEqual(['queued', 'settings_changed']);
      const { id } = await one('select id from smtp_settings');
      expect(await findings()).toEqual([
        `smtp_settings ${id} does not match its seal (mail settings)`,
      ]);
      expect(app.context.trust.brokenSeals.mail_server).toBeGreaterThan(0);
      // Entered again, all of it is known.
      expect((await configure()).status).toBe(200);
      expect(await findings()).toEqual([]);
      await deliverMail(app.context);
      expect(sink.mails).toHaveLength(1);
    });

    it('the password opens for its server, account and sender alone', async () => {
      await configure();
      // The row itself gets a seal that matches.
      await app.pool.query('update smtp_settings set port = 2525');
      const { body } = await call('testSmtpSettings', { body: { to: 'me@example.org' } });
      expect(body).toMatchObject({ delivered: false, stage: 'settings' });
    });

    it.each([
      ['recipient', "recipient = 'thief@evil.test'"],
      ['text', `variables = jsonb_set(variables, '{publicUrl}', '"https://evil.test"')`],
      ['subject', "subject = 'Urgent'"],
      ['kind', "kind = 'set_up_link'"],
    ])('a waiting link is not sent: its %s', async (_, change) => {
      await configure();
      await askForLink();
      await app.tamper(`update outbox set ${change}`);
      const { id } = await one('select id from outbox');
      const found = `outbox ${id} does not match its seal (message: recipient, subject, text or link)`;
      expect(await findings()).toEqual([found]);
      await deliverMail(app.context);
      expect(sink.mails).toEqual([]);
      const { state, last_error: why } = await one('select state, last_error from outbox');
      expect([state, why]).toEqual(['failed', 'message_changed']);
      // Also after it was given up.
      expect(await findings()).toEqual([found]);
    });

    it('a waiting invitation is not sent to another address, nor with another link', async () => {
      const quiz = await makeQuiz(app, admin);
      await call('inviteToQuiz', {
        params: { id: quiz.id },
        body: { emails: ['a@example.org', 'b@example.org', 'c@example.org'] },
      });
      await app.tamper(
        "update outbox set recipient = 'thief@evil.test' where recipient = 'a@example.org'",
      );
      await app.tamper(
        `update outbox set variables = variables || '{"signInUrl": "https://evil.test/login"}'
         where recipient = 'b@example.org'`,
      );
      await configure();
      await deliverMail(app.context);
      expect(sink.mails.map(({ to }) => to)).toEqual([['c@example.org']]);
      expect(await findings()).toHaveLength(2);
    });

    it('a link goes to an administrator of today alone', async () => {
      await configure();
      await askForLink();
      await app.tamper("update admins set email = 'renamed@example.org'");
      await deliverMail(app.context);
      expect(sink.mails).toEqual([]);
    });

    it('no mail names another public address', async () => {
      const quiz = await makeQuiz(app, admin);
      const invite = () =>
        call('inviteToQuiz', { params: { id: quiz.id }, body: { emails: ['a@example.org'] } });
      await call('putInstitution', { body: { name: null, timeZone: null, publicUrl: null } });
      expect((await invite()).status).toBe(200);
      await app.tamper("update institution set public_url = 'https://evil.test'");
      expect(await invite()).toMatchObject({ status: 409, body: { code: 'CHANGED_OUTSIDE' } });
      await configure();
      await deliverMail(app.context);
      expect(sink.mails).toEqual([]);
      const { rows } = await app.pool.query('select variables from outbox');
      expect(JSON.stringify(rows)).not.toContain('evil.test');
      expect(await findings()).toEqual([expect.stringMatching(/^institution true does not match/)]);
    });

    it('a one-time password follows no address that is changed for an instant', async () => {
      const quiz = await makeQuiz(app, admin);
      const params = { params: { id: quiz.id } };
      await call('inviteToQuiz', { ...params, body: { emails: ['a@example.org'] } });
      const { id } = await one('select id from invitations');
      // Back again before the person is checked: after the address was read.
      await app.tamper(`
        create function back() returns trigger language plpgsql as $$ begin
          update users set email = 'a@example.org' where email = 'thief@evil.test'; return new; end $$;
        create trigger back after insert on invitation_codes execute function back()`);
      await app.tamper("update users set email = 'thief@evil.test' where email = 'a@example.org'");
      const resent = await call('resendInvitations', { ...params, body: { ids: [id] } });
      expect(resent).toMatchObject({ status: 409, body: { code: 'CHANGED_OUTSIDE' } });
      expect((await app.pool.query('select from outbox')).rowCount).toBe(1);
    });

    it('moves with a person, an end date and an erasure', async () => {
      const quiz = await makeQuiz(app, admin);
      await call('inviteToQuiz', { params: { id: quiz.id }, body: { emails: ['a@example.org'] } });
      const { id } = await one("select id from users where email = 'a@example.org'");
      await call('updatePerson', { params: { id }, body: { email: 'b@example.org' } });
      await configure();
      await deliverMail(app.context);
      expect(sink.mails.map(({ to }) => to)).toEqual([['b@example.org']]);
      await call('erasePerson', { params: { id }, body: { reason: 'Asked for it' } });
      expect(await findings()).toEqual([]);
      nothingBroken();
    });
  });

  describe('of an assessment', () => {
    it.each([
      ['opening time', "opens_at = opens_at - interval '2 days'"],
      ['duration', 'duration = 180'],
      ['end date', "end_date = '2036-01-01'"],
      ['structure', 'structure = null, seal = null'],
    ])('starts nothing: its %s', async (_, change) => {
      const opensAt = new Date(app.clock.now().getTime() + 86_400_000).toISOString();
      const quiz = await makeQuiz(app, admin, { opensAt });
      const candidate = await inviteCandidate(app, admin, quiz.id);
      const start = () => app.call('startParticipant', { as: candidate.cookie, body: {} });
      expect((await start()).body.code).toBe('NOT_OPEN_YET');
      await app.tamper(`update quizzes set ${change}`);
      expect(await start()).toMatchObject({ status: 409, body: { code: 'CHANGED_OUTSIDE' } });
      expect(app.context.trust.brokenSeals.assessment).toBeGreaterThan(0);
      expect(await findings()).toEqual([
        expect.stringMatching(new RegExp(`^quizzes ${quiz.id} does not match its seal`)),
      ]);
      expect((await app.pool.query('select from participants')).rowCount).toBe(0);
    });

    it('starts nothing by another monitoring policy', async () => {
      const quiz = await makeQuiz(app, admin);
      const candidate = await inviteCandidate(app, admin, quiz.id);
      await app.tamper(`update quiz_policies set settings = settings || '{"fullscreen": false}'`);
      const start = await app.call('startParticipant', { as: candidate.cookie, body: {} });
      expect(start).toMatchObject({ status: 409, body: { code: 'CHANGED_OUTSIDE' } });
      expect(await findings()).toHaveLength(1);
    });
  });

  describe('of results', () => {
    const rules = (change: Partial<ReleaseRules> = {}): ReleaseRules => ({
      ...{ parts: ['outcome', 'score', 'certificate'], when: { kind: 'by_hand' }, openDays: 30 },
      ...change,
    });

    /** One of four right, with a pass mark of 50 %. */
    async function failed(change: Partial<ReleaseRules> = {}) {
      const quiz = await makeScoredQuiz(
        app,
        admin,
        ['One', 'Two', 'Three', 'Four'].map((text) => plainDefinition(text, ['a', 'b'], 'a')),
      );
      const params = { id: quiz.id };
      const marks = { passMark: { percent: 50 }, sectionMarks: [], grades: [] };
      await call('setResultRules', { params, body: { rules: marks, dryRun: false } });
      await call('setReleaseRules', { params, body: { rules: rules(change) } });
      const attempt = await sitScoredQuiz(app, admin, quiz, ['a', 'b', 'b', 'b']);
      const read = () =>
        app.call('getResult', { as: attempt.candidate.cookie, params: { id: attempt.id } });
      const release = () =>
        call('releaseResults', { params: { id: quiz.id }, body: { ids: [attempt.id] } });
      return { quiz, attempt, read, release };
    }
    const LOWER = `result_rules = jsonb_set(result_rules, '{passMark,percent}', '10')`;
    const BACK = `result_rules = jsonb_set(result_rules, '{passMark,percent}', '50')`;

    it('a pass mark lowered for a minute passes nobody', async () => {
      await configure();
      const { attempt, read } = await failed({ when: { kind: 'at_once' } });
      await app.tamper(`update quizzes set ${LOWER}`);
      await attempt.submit();
      expect((await read()).status).toBe(409);
      await releaseResults(app.context, app.clock.now());
      expect((await app.pool.query('select from result_releases')).rowCount).toBe(0);
      await app.tamper(`update quizzes set ${BACK}`);
      await releaseResults(app.context, app.clock.now());
      expect((await read()).body).toMatchObject({ outcome: { result: 'failed' } });
      expect((await app.pool.query('select from certificates')).rowCount).toBe(0);
      expect(await findings()).toEqual([]);
    });

    it('a pass mark lowered for an instant passes nobody', async () => {
      const { quiz, attempt } = await failed();
      await attempt.submit();
      const { db } = app.context;
      await app.tamper(`update quizzes set ${LOWER}`);
      const rows = await listReleasable(db, 'all', quiz.id);
      await app.tamper(`update quizzes set ${BACK}`);
      expect(await onlyGenuine(app.context, db, rows)).toMatchObject([
        { id: attempt.id, resultRules: { passMark: { percent: 50 } } },
      ]);
    });

    it('nothing is released by hand under other rules, and no certificate is issued', async () => {
      const { attempt, release } = await failed();
      await attempt.submit();
      await app.tamper(`update quizzes set ${LOWER}`);
      expect(await release()).toMatchObject({ status: 409, body: { code: 'CHANGED_OUTSIDE' } });
      expect((await call('issueCertificate', { params: { id: attempt.id } })).status).toBe(409);
      expect(await findings()).toHaveLength(1);
    });

    it.each([
      [
        'a row that nobody released',
        `insert into result_releases (id, participant_id, released_at, result)
         select gen_random_uuid(), id, submitted_at, '{"percent": 100, "score": 4, "totalMarks": 4,
           "points": null, "maxPoints": null, "sections": [],
           "outcome": {"result": "passed", "because": null, "grade": null}}' from participants`,
        false,
      ],
      [
        'another outcome',
        `update result_releases set result = result
           || '{"percent": 100, "outcome": {"result": "passed", "because": null, "grade": null}}'`,
        true,
      ],
      [
        'the seal of another row',
        `insert into result_releases select gen_random_uuid(), participant_id,
           released_at + interval '1 s', released_by, result, seal from result_releases`,
        true,
      ],
    ])('a candidate reads no release with %s', async (_, change, isReleased) => {
      const { attempt, read, release } = await failed();
      await attempt.submit();
      if (isReleased) {
        await release();
        expect((await read()).status).toBe(200);
        app.clock.advance({ minutes: 1 });
      }
      await app.tamper(change);
      expect(await read()).toMatchObject({ status: 409, body: { code: 'NOT_RELEASED' } });
      expect(await findings()).toEqual([
        expect.stringMatching(
          /^result_releases .* \(released result: attempt, time, score or outcome\)$/,
        ),
      ]);
      await releaseResults(app.context, app.clock.now());
      expect((await app.pool.query('select from certificates')).rowCount).toBe(0);
    });

    it('a result that was changed itself is not released', async () => {
      const { attempt, release } = await failed();
      await attempt.submit();
      await app.tamper('update participants set score = 4');
      expect((await release()).body.released).toBe(0);
    });

    it('no receipt is signed for answers that were changed', async () => {
      const { attempt } = await failed();
      await attempt.submit();
      const { candidate, id } = attempt;
      const own = { as: candidate.cookie, params: { id } };
      const { signed } = (await app.call('getEndedAttempt', own)).body.receipt;
      const verify = async () =>
        (await app.call('verifyReceipt', { body: { receipt: signed } })).body.matches;
      expect(await verify()).toBe(true);
      await app.tamper(`update answers set option_id = 1
        where option_id = 2`);
      const broken = { status: 409, body: { code: 'CHANGED_OUTSIDE' } };
      expect(await app.call('getEndedAttempt', own)).toMatchObject(broken);
      expect(await app.call('submitParticipant', { ...own, body: { answers: [] } })).toMatchObject(
        broken,
      );
      expect(await verify()).toBe(false);
      expect(await findings()).toHaveLength(1);
    });

    it('a certificate has the name that Invigil stored', async () => {
      const { quiz, attempt, release } = await failed();
      await attempt.submit();
      const marks = { passMark: { percent: 10 }, sectionMarks: [], grades: [] };
      const params = { id: quiz.id };
      await call('setResultRules', { params, body: { rules: marks, dryRun: false } });
      await app.tamper("update users set given_name = 'Lazy', family_name = 'Payer'");
      expect((await release()).body.released).toBe(0);
      expect((await app.pool.query('select from certificates')).rowCount).toBe(0);
      expect(await findings()).toEqual([
        expect.stringMatching(/^users .* \(person: address, name/),
      ]);
      const invite = await call('inviteToQuiz', {
        params,
        body: { emails: [attempt.candidate.email, 'new@example.org'] },
      });
      expect(invite.status).toBe(200);
    });

    it('a certificate whose release or verdict was changed afterwards is altered', async () => {
      const { quiz, attempt, release } = await failed();
      await attempt.submit();
      const marks = { passMark: { percent: 10 }, sectionMarks: [], grades: [] };
      await call('setResultRules', {
        params: { id: quiz.id },
        body: { rules: marks, dryRun: false },
      });
      await release();
      const { number } = await one('select number from certificates');
      const stateOf = async () =>
        (await app.call('getCertificate', { params: { number } })).body.state;
      expect(await stateOf()).toBe('valid');
      const verdict = { verdict: 'breach', note: 'seen' };
      await call('giveVerdict', { params: { id: attempt.id }, body: verdict });
      expect(await stateOf()).toBe('revoked');
      await app.tamper('update participants set verdict = null, verdict_at = null');
      expect(await stateOf()).toBe('altered');
    });
  });

  it('of the days of retention deletes nothing', async () => {
    await call('putRetention', { body: { days: 300 } });
    await app.tamper('update retention set days = 1');
    await expect(deleteExpired(app.context, app.clock.now())).rejects.toMatchObject({
      code: 'CHANGED_OUTSIDE',
    });
    expect(await findings()).toHaveLength(1);
  });
});
