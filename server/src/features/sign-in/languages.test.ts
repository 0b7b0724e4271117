import { inviteCandidate, makeQuiz, setUpAppWithAdmin } from '@invigil/testkit/factories';
import { beforeEach, describe, expect, it } from 'vitest';

describe('the language of a candidate', () => {
  const app = setUpAppWithAdmin();
  const institution = { name: null, timeZone: null, publicUrl: null };
  const offer = (languages: string[]) =>
    app.call('putInstitution', { as: app.admin, body: { ...institution, languages } });
  let n = 0;
  const candidateOf = async (languages: string[] | null, language = '') => {
    const quiz = await makeQuiz(app, app.admin, { languages });
    n += 1;
    const person = await inviteCandidate(app, app.admin, quiz.id, `language-${n}@example.org`);
    await app.pool.query('update users set language = $2 where id = $1', [person.userId, language]);
    return { ...person, quizId: quiz.id };
  };
  const languageOf = async (as: string, headers: Record<string, string> = {}) => {
    const { cookie, ...others } = headers;
    const sent = { cookie: `invigil_session=${as}${cookie === undefined ? '' : `; ${cookie}`}` };
    const { body } = await app.call('me', { headers: { ...others, ...sent } });
    return [body.language, body.languages];
  };

  beforeEach(() => offer(['en']));

  it('is not spoken of where there is English only', async () => {
    const { cookie } = await candidateOf(null, 'de');
    expect(await languageOf(cookie, { 'accept-language': 'de', cookie: 'language=de' })).toEqual([
      undefined,
      undefined,
    ]);
    const quizzes = (await app.call('listQuizzes', { as: app.admin })).body;
    expect(quizzes.filter((quiz: object) => 'languages' in quiz)).toEqual([]);
    expect((await app.call('getInstitution', { as: app.admin })).body).not.toHaveProperty(
      'languages',
    );
  });

  it('is that of the assessment, or English where it was chosen in the browser', async () => {
    const { cookie } = await candidateOf(['de'], 'ar');
    const among = ['de', 'en'];
    expect(await languageOf(cookie, { 'accept-language': 'ar, en' })).toEqual(['de', among]);
    expect(await languageOf(cookie, { cookie: 'language=en' })).toEqual(['en', among]);
    expect(await languageOf(cookie, { cookie: 'language=ar' })).toEqual(['de', among]);
  });

  it('is the institution’s first where the assessment sets none', async () => {
    await offer(['zh', 'en', 'de']);
    const { cookie } = await candidateOf(null, 'de');
    expect(await languageOf(cookie)).toEqual(['zh', ['zh', 'en']]);
  });

  it.each([
    ['ar', 'de', undefined, 'ar'],
    ['fi', 'de-AT;q=0.9, fr', undefined, 'de'],
    ['', 'fi', undefined, 'zh'],
    ['ar', 'de', 'language=en', 'en'],
  ])(
    'is the person’s (%s), or the browser’s (%s), where there is a choice, or the one chosen (%s): %s',
    async (own, browser, chosen, language) => {
      const { cookie } = await candidateOf(['zh', 'ar', 'de'], own);
      const headers = {
        'accept-language': browser,
        ...(chosen === undefined ? {} : { cookie: chosen }),
      };
      expect(await languageOf(cookie, headers)).toEqual([language, ['zh', 'ar', 'de', 'en']]);
    },
  );

  it('stays with the attempt, also in another browser, and the consent keeps its own', async () => {
    const { cookie, quizId } = await candidateOf(['de', 'ar']);
    const to = { camera: true, microphone: true, stills: true };
    const consent = { textVersion: '2026-2', to };
    await app.call('startParticipant', { as: cookie, body: { consent, language: 'ar' } });
    expect((await languageOf(cookie, { 'accept-language': 'de' }))[0]).toBe('ar');
    const set = (language: string) => app.call('setLanguage', { as: cookie, body: { language } });
    expect((await set('zh')).status).toBe(400);
    expect((await set('en')).body).toEqual({ language: 'en' });
    expect((await languageOf(cookie, { 'accept-language': 'de' }))[0]).toBe('en');
    const { rows } = await app.pool.query(
      'select id, language, consent_language from participants where quiz_id = $1',
      [quizId],
    );
    expect(rows).toEqual([{ id: expect.any(String), language: 'en', consent_language: 'ar' }]);
    const { body } = await app.call('getParticipantRecord', {
      as: app.admin,
      params: { id: rows[0].id },
    });
    expect(body.consent).toMatchObject({ textVersion: '2026-2', language: 'ar' });
  });

  it('of an administrator is chosen in the portal, or the browser’s, or the institution’s first', async () => {
    const ask = { 'accept-language': 'fi, ar;q=0.5', cookie: 'language=zh' };
    expect(await languageOf(app.admin, ask)).toEqual(['ar', undefined]);
    expect(await languageOf(app.admin, { 'accept-language': 'fi' })).toEqual([
      undefined,
      undefined,
    ]);
    await offer(['tr', 'en']);
    expect(await languageOf(app.admin)).toEqual(['tr', undefined]);
    await app.call('setLanguage', { as: app.admin, body: { language: 'de' } });
    expect(await languageOf(app.admin, ask)).toEqual(['de', undefined]);
    await app.call('setLanguage', { as: app.admin, body: { language: 'en' } });
    expect(await languageOf(app.admin, ask)).toEqual([undefined, undefined]);
  });

  it('is the one of refusals, for pages that have one', async () => {
    const refused = async (headers: Record<string, string>) =>
      (
        await app.call('login', {
          body: { email: `${Object.keys(headers)}@example.org`, password: 'wrong' },
          headers,
        })
      ).body.message;
    expect(await refused({ cookie: 'language=en-XA' })).toMatch(/^Îñṽàļîđē+ çŕéđéñţîàļšē+$/);
    expect(await refused({ 'accept-language': 'de' })).toBe('Invalid credentials');
    // A page that nobody has chosen the language of, beside a tab where somebody has.
    const page = { 'x-language': 'en-XA', cookie: 'language=ar-XB' };
    expect(await refused(page)).toMatch(/^Îñṽàļîđē+ çŕéđéñţîàļšē+$/);
    const field = async (cookie: string) =>
      (await app.call('login', { body: { email: '', password: 'x' }, headers: { cookie } })).body;
    expect((await field('language=en-XA')).issues[0].message).not.toMatch(/[A-Za-z]{3}/);
    expect((await field('language=xx')).issues[0].message).toBe('Enter your email address');
    // No schema has a sentence for these.
    const typed = async (email: unknown, cookie = 'language=en-XA') =>
      (await app.call('login', { body: { email, password: 'x' }, headers: { cookie } })).body
        .message;
    expect(await typed('a'.repeat(400))).not.toMatch(/[A-Za-z]{3}/);
    expect(await typed({})).not.toMatch(/[A-Za-z]{3}/);
    expect(await typed('a'.repeat(400), 'language=en')).toBe(
      'Too big: expected string to have <=320 characters',
    );
  });

  it('of an assessment is one that there is, once', async () => {
    const refused = async (languages: string[]) =>
      (await app.call('putInstitution', { as: app.admin, body: { ...institution, languages } }))
        .status;
    expect(await refused([])).toBe(400);
    expect(await refused(['xx'])).toBe(400);
    expect(await refused(['de', 'de'])).toBe(400);
    expect(await refused(['de', 'en'])).toBe(200);
  });
});
