import { Worker } from 'node:worker_threads';
import { WORK_LIMITS } from '@invigil/core/domain/limits';
import { plainDefinition } from '@invigil/core/domain/questions/question-definition';
import type { ReleaseRules } from '@invigil/core/domain/results/release';
import { call } from '@invigil/testkit/app';
import {
  type BegunAttempt,
  makeScoredQuiz,
  setUpAppWithAdmin,
  setUpOtherProcess,
  signInAdmin,
  sitScoredQuiz,
} from '@invigil/testkit/factories';
import { readPdf } from '@invigil/testkit/printed-pdf';
import sharp from 'sharp';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { releaseResults } from '../../jobs/run-jobs.ts';

const QUESTIONS = ['One', 'Two', 'Three', 'Four'].map((text) =>
  plainDefinition(text, ['a', 'b'], 'a'),
);
const RULES: ReleaseRules = {
  ...{ parts: ['outcome', 'grade', 'score', 'certificate'], when: { kind: 'by_hand' } },
  openDays: 30,
};

describe('certificates', () => {
  const app = setUpAppWithAdmin();
  const other = setUpOtherProcess(app);
  let quizId: string;
  let questionIds: string[];
  let sat: BegunAttempt;

  beforeEach(async () => {
    const quiz = await makeScoredQuiz(app, app.admin, QUESTIONS);
    quizId = quiz.id;
    questionIds = quiz.questionIds;
    sat = await sitScoredQuiz(app, app.admin, quiz, ['a', 'a', 'a', 'b']);
    await sat.submit();
    const rules = { passMark: { percent: 70 }, sectionMarks: [], grades: [] };
    await admin('setResultRules', { params: { id: quizId }, body: { rules, dryRun: false } });
    await admin('setReleaseRules', { params: { id: quizId }, body: { rules: RULES } });
  });

  const admin = (name: Parameters<typeof app.call>[0], input: object) =>
    app.call(name, { as: app.admin, ...input });
  const release = async () => {
    app.clock.advance({ seconds: 1 });
    const reply = await admin('releaseResults', {
      params: { id: quizId },
      body: { ids: [sat.id] },
    });
    expect(reply.body.released).toBe(1);
  };
  const result = () => app.call('getResult', { as: sat.candidate.cookie, params: { id: sat.id } });
  /** The number that the candidate is shown now. */
  const shown = async (): Promise<string> => (await result()).body.certificate?.number;
  const check = (number: string) => call(other, 'getCertificate', { params: { number } });
  const stateOf = async (number: string) => (await check(number)).body.state;
  const pdf = (number: string) => app.call('printCertificate', { params: { number } });
  const issue = () => admin('issueCertificate', { params: { id: sat.id } });
  const revoke = () => admin('revokeCertificate', { params: { id: sat.id } });
  const record = async () =>
    (await admin('getParticipantRecord', { params: { id: sat.id } })).body.certificates;
  const correct = (question: number, option: string) =>
    admin('rescoreBankQuestion', {
      params: { id: questionIds[question] ?? '' },
      body: { dryRun: false, correction: { kind: 'also_right', options: [option] } },
    });

  it('are issued with the released result of who passed, and say so to anyone', async () => {
    expect((await issue()).body.code).toBe('RULES_UNMET');
    await release();
    const number = await shown();
    expect(number).toMatch(/^(?:[A-HJ-NP-Z2-9]{5}-?){3}$/);
    expect(await shown()).toBe(number);
    expect((await check(number)).body).toEqual({
      ...{ state: 'valid', hasLogo: false },
      certificate: {
        ...{ number, name: sat.candidate.email, title: expect.any(String), institution: null },
        ...{ date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), percent: 75 },
      },
    });
    // The number is accepted as people type it from paper.
    expect(await stateOf(` ${number.toLowerCase().replaceAll('-', ' ')} `)).toBe('valid');
    expect((await check('AAAAA-AAAAA-AAAAA')).body.code).toBe('NOT_FOUND');
    expect((await check('1')).body.code).toBe('NOT_FOUND');
    expect(await record()).toMatchObject([{ number, state: 'valid', issuedBy: null }]);
  });

  it('are issued by the release, and by the job where one is missing; reading writes nothing', async () => {
    const stored = async () =>
      (await app.pool.query('select number from certificates')).rows.map((row) => row.number);
    const before = await stored();
    await release();
    const [number] = (await stored()).filter((one) => !before.includes(one));
    expect(number).toBeDefined();
    expect(await shown()).toBe(number);
    // A result that a former version released, and that no one has opened, has no certificate.
    await app.pool.query('delete from certificates where number = $1', [number]);
    expect(await shown()).toBeUndefined();
    expect(await stored()).toEqual(before);
    await releaseResults(app.context, app.clock.now());
    expect(await shown()).toMatch(/^(?:[A-HJ-NP-Z2-9]{5}-?){3}$/);
    await releaseResults(app.context, app.clock.now());
    expect(await stored()).toHaveLength(before.length + 1);
  });

  it('are issued to many at once by a process that has not read their papers', async () => {
    const quiz = { id: quizId, questionIds };
    const all = [sat];
    // More than a process has connections.
    while (all.length < 12) {
      const next = await sitScoredQuiz(app, app.admin, quiz, ['a', 'a', 'a', 'a']);
      await next.submit();
      all.push(next);
    }
    await admin('releaseResults', { params: { id: quizId }, body: {} });
    await app.rebuild();
    const replies = await Promise.all(
      all.map(({ id, candidate }) =>
        app.call('getResult', { as: candidate.cookie, params: { id } }),
      ),
    );
    expect(replies.map(({ status }) => status)).toEqual(all.map(() => 200));
    const numbers = new Set(replies.map(({ body }) => body.certificate?.number));
    expect(numbers.size).toBe(all.length);
  });

  it('are not issued to who did not pass, nor where the assessment has none', async () => {
    await admin('setReleaseRules', {
      params: { id: quizId },
      body: { rules: { ...RULES, parts: ['outcome'] } },
    });
    await release();
    expect((await result()).body).not.toHaveProperty('certificate');
    await admin('setReleaseRules', { params: { id: quizId }, body: { rules: RULES } });
    const rules = { passMark: { percent: 80 }, sectionMarks: [], grades: [] };
    await admin('setResultRules', { params: { id: quizId }, body: { rules, dryRun: false } });
    await release();
    expect((await result()).body.outcome.result).toBe('failed');
    expect((await result()).body).not.toHaveProperty('certificate');
    expect((await issue()).body.code).toBe('RULES_UNMET');
    expect(await record()).toBeUndefined();
  });

  it('are one page of PDF with the fonts of their texts and the logo', async () => {
    const picture = await sharp({
      create: { width: 60, height: 40, channels: 3, background: '#123456' },
    })
      .png()
      .toBuffer();
    const { hash } = (
      await admin('uploadImage', { body: picture, headers: { 'content-type': 'image/png' } })
    ).body;
    expect((await app.call('readLogo', {})).status).toBe(404);
    const body = { name: 'جامعة المثال', timeZone: null, publicUrl: null, logo: hash };
    await admin('putInstitution', { body: { ...body, logo: 'f'.repeat(64) } }).then((refused) =>
      expect(refused.body.issues).toMatchObject([{ path: 'logo' }]),
    );
    expect((await admin('putInstitution', { body })).body.logo).toBe(hash);
    expect((await app.call('readLogo', {})).headers['content-type']).toBe('image/webp');
    await app.pool.query(
      `update users set given_name = 'किशोर 小明', family_name = 'Nowak กมลชนก' where email = $1`,
      [sat.candidate.email],
    );
    await release();
    const { status, headers, text } = await pdf(await shown());
    expect([status, headers['content-type']]).toEqual([200, 'application/pdf']);
    expect(text).toMatch(/^%PDF-1\.7/);
    expect(text.match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
    const fonts = [...text.matchAll(/\/BaseFont\s*\/[A-Z]{6}\+(\w+)/g)].map(([, name]) => name);
    const families = new Set(fonts.map((name = '') => name.replace(/(?:Thin)?$/, '')));
    expect([...families].sort()).toEqual([
      ...['IBMPlexSans', 'NotoSans', 'NotoSansArabic', 'NotoSansSC', 'NotoSansThai'],
    ]);
    expect(text.match(/\/FontFile2/g)?.length).toBeGreaterThanOrEqual(5);
    // The logo stays when the body has none.
    const { logo: _, ...without } = body;
    expect((await admin('putInstitution', { body: without })).body.logo).toBe(hash);
    // Who has read another one, or none, does not remove it.
    const removed = await admin('putInstitution', {
      body: { ...body, logo: null, before: { ...without, logo: null } },
    });
    expect(removed.body).toMatchObject({ code: 'STALE', details: { stored: { logo: hash } } });
    expect(
      (await admin('putInstitution', { body: { ...body, name: null, logo: null } })).body.logo,
    ).toBeUndefined();
  });

  it('speak the language of the attempt, whoever asks', async () => {
    await release();
    const number = await shown();
    const printed = async (headers: Record<string, string> = {}) =>
      readPdf((await app.call('printCertificate', { params: { number }, headers })).bytes);
    expect((await printed({ 'x-language': 'de', cookie: 'language=de' })).language).toBe('en');
    const checked = (await check(number)).body;
    await app.pool.query(`update participants set language = 'ar' where id = $1`, [sat.id]);
    for (const headers of [{}, { 'x-language': 'de' }]) {
      const { language, letters } = await printed(headers);
      expect(language).toBe('ar');
      expect(letters).toMatch(/[شهادة]/);
    }
    expect((await check(number)).body).toEqual(checked);
    // A language of a later version.
    await app.pool.query(`update participants set language = 'xx' where id = $1`, [sat.id]);
    expect((await printed()).language).toBe('en');
  });

  it('always come, and the release names before what they cannot say', async () => {
    const quizParams = { params: { id: quizId } };
    const releases = async () => (await admin('getReleases', quizParams)).body.certificates;
    const who = { participantId: sat.id, userEmail: sat.candidate.email };
    expect(await releases()).toEqual({
      ...{ letters: [], count: 1 },
      problems: [{ ...who, userId: sat.candidate.userId, hasName: false, letters: [] }],
    });
    const params = { id: sat.candidate.userId };
    await admin('updatePerson', { params, body: { familyName: '刘', givenName: '䶮' } });
    const { title: _, ...fields } = (await admin('getQuiz', quizParams)).body;
    const body = {
      ...{ title: 'Safety 🦺 training', categoryId: fields.categoryId },
      ...{ duration: fields.duration, totalQuestions: fields.totalQuestions },
    };
    expect((await admin('updateQuiz', { ...quizParams, body })).status).toBe(200);
    expect(await releases()).toMatchObject({
      ...{ letters: ['🦺'], count: 1 },
      problems: [{ ...who, hasName: true, letters: ['䶮'] }],
    });
    await release();
    const printed = await pdf(await shown());
    expect(printed.status).toBe(200);
    // The letter of the name that has a font, and the boxes.
    expect(printed.text).toMatch(/\/BaseFont\s*\/[A-Z]{6}\+NotoSansSC/);
    await admin('updatePerson', { params, body: { familyName: 'King', givenName: 'Ada' } });
    await admin('updateQuiz', { ...quizParams, body: { ...body, title: 'Safety' } });
    expect(await releases()).toEqual({ letters: [], count: 0, problems: [] });
    const parts = ['outcome'];
    await admin('setReleaseRules', { ...quizParams, body: { rules: { ...RULES, parts } } });
    expect(await releases()).toBeUndefined();
  });

  it('are printed and checked once for all who ask at a time', async () => {
    await release();
    const number = await shown();
    const printed = vi.spyOn(Worker.prototype, 'postMessage');
    const pdfs = await Promise.all(Array.from({ length: 150 }, () => pdf(number)));
    expect(new Set(pdfs.map(({ status }) => status))).toEqual(new Set([200]));
    expect(printed).toHaveBeenCalledTimes(1);
    printed.mockRestore();
    const held = await app.pool.connect();
    await held.query('begin');
    await held.query('lock table certificates in access exclusive mode');
    const ask = () => app.call('getCertificate', { params: { number } });
    const checks = Array.from({ length: 150 }, ask);
    // Four that have begun, and one for all who came since.
    const { checks: queue } = app.context.queues;
    await expect.poll(() => queue.size).toBe(WORK_LIMITS.checks.atOnce + 1);
    await held.query('rollback');
    held.release();
    expect(new Set((await Promise.all(checks)).map(({ status }) => status))).toEqual(
      new Set([200]),
    );
    // The printed file is kept by its texts, not by the number.
    await app.pool.query(`update certificates set content = content || '{"percent": 99}'`);
    expect((await pdf(number)).status).toBe(404);
  });

  it('are replaced by those of a corrected result that is released, and revoked by a failed one', async () => {
    await release();
    const first = await shown();
    await correct(3, 'b');
    // Not yet released: the candidate still has it, and whoever checks it learns that it is in question.
    expect([await shown(), await stateOf(first)]).toEqual([first, 'under_correction']);
    expect((await pdf(first)).status).toBe(404);
    expect(await record()).toMatchObject([{ number: first, state: 'under_correction' }]);
    await release();
    expect(await stateOf(first)).toBe('replaced');
    const second = await shown();
    expect(second).not.toBe(first);
    expect((await check(second)).body).toMatchObject({
      state: 'valid',
      certificate: { percent: 100 },
    });
    expect((await pdf(first)).status).toBe(404);
    expect(await record()).toMatchObject([
      { number: first, state: 'replaced' },
      { number: second, state: 'valid' },
    ]);

    await admin('giveVerdict', {
      params: { id: sat.id },
      body: { verdict: 'breach', note: 'seen' },
    });
    expect([await stateOf(first), await stateOf(second)]).toEqual(['revoked', 'revoked']);
    await release();
    expect((await result()).body).not.toHaveProperty('certificate');
    expect(await stateOf(second)).toBe('revoked');
  });

  it('are revoked by hand, and issued again by hand only', async () => {
    await release();
    const first = await shown();
    expect((await revoke()).status).toBe(204);
    expect((await revoke()).status).toBe(404);
    expect([await stateOf(first), await shown()]).toEqual(['revoked', undefined]);
    expect((await pdf(first)).status).toBe(404);

    const { number } = (await issue()).body;
    expect([await shown(), await stateOf(number), await stateOf(first)]).toEqual([
      number,
      ...['valid', 'revoked'],
    ]);
    // Nothing would be different.
    expect((await issue()).body.number).toBe(number);
    await app.pool.query(`update users set given_name = 'Ada' where email = $1`, [
      sat.candidate.email,
    ]);
    expect(await shown()).toBe(number);
    const named = (await issue()).body.number;
    expect((await check(named)).body).toMatchObject({
      state: 'valid',
      certificate: { name: 'Ada' },
    });
    expect(await stateOf(number)).toBe('replaced');
    const { rows } = await app.pool.query(
      `select action from audit_entries where subject_id = $1 and action like '%certificate%' order by at`,
      [sat.id],
    );
    expect(rows.map(({ action }) => action.slice('participant.'.length))).toEqual([
      ...['certificate_revoked', 'certificate_issued', 'certificate_issued'],
    ]);
  });

  it('keep their number from those who see another name than theirs', async () => {
    await release();
    const as = await signInAdmin(app, 'lead@example.org');
    const { id } = (await app.call('me', { as })).body.user;
    await admin('setGrants', { params: { id }, body: { grants: [{ role: 'owner', quizId }] } });
    const params = { id: sat.id };
    const read = async () =>
      (await app.call('getParticipantRecord', { as, params })).body.certificates;
    const number = await shown();
    expect(await read()).toMatchObject([{ number, state: 'valid' }]);
    const person = { id: sat.candidate.userId };
    await app.call('updatePerson', { as, params: person, body: { familyName: 'Typed' } });
    expect(await read()).toMatchObject([{ number: null, state: 'valid' }]);
    expect((await app.call('issueCertificate', { as, params })).body).toEqual({ number: null });
    expect(await record()).toMatchObject([{ number }]);
  });

  it('are of a replaced attempt no longer', async () => {
    await release();
    const number = await shown();
    await admin('replaceParticipant', {
      params: { id: sat.id },
      body: { how: 'another', reason: 'A power cut' },
    });
    expect(await stateOf(number)).toBe('revoked');
  });

  it('show that they, or the answers behind them, were changed in the database', async () => {
    await release();
    const number = await shown();
    const set = (sql: string) => app.pool.query(sql, [sat.id]);
    await set(
      `update certificates set content = content || '{"percent": 99}' where participant_id = $1`,
    );
    expect(await stateOf(number)).toBe('altered');
    await set(
      `update certificates set content = content || '{"percent": 75}' where participant_id = $1`,
    );
    expect(await stateOf(number)).toBe('valid');
    await set(`update answers set option_id = 1 - option_id where participant_id = $1`);
    expect(await stateOf(number)).toBe('altered');
  });

  it('are not issued for a release or a result that was changed in the database', async () => {
    await release();
    const number = await shown();
    const setPercent = (percent: number) =>
      app.tamper(
        `update result_releases set result = jsonb_set(result, '{percent}', $2) where participant_id = $1`,
        [sat.id, JSON.stringify(percent)],
      );
    await setPercent(100);
    expect((await result()).status).toBe(409);
    expect([(await issue()).body.code, await stateOf(number)]).toEqual(['RULES_UNMET', 'altered']);
    await setPercent(75);
    expect([await shown(), await stateOf(number)]).toEqual([number, 'valid']);
    await app.tamper(`update participants set result_seal = '\\x00' where id = $1`, [sat.id]);
    expect([(await issue()).body.code, await stateOf(number)]).toEqual(['RULES_UNMET', 'altered']);
  });

  it('are issued once, however often the result is opened at a time', async () => {
    await release();
    const numbers = await Promise.all(Array.from({ length: 8 }, shown));
    expect(new Set(numbers).size).toBe(1);
    expect(await record()).toHaveLength(1);
  });

  it('go with the person', async () => {
    await release();
    const number = await shown();
    const { rows } = await app.pool.query('select id from users where email = $1', [
      sat.candidate.email,
    ]);
    await admin('erasePerson', { params: { id: rows[0].id }, body: { reason: 'Asked for it' } });
    expect((await check(number)).status).toBe(404);
  });
});
