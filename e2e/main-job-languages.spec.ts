import { readFileSync } from 'node:fs';
import { LANGUAGES } from '@invigil/core/texts/languages';
import { codeIn } from '@invigil/testkit/made-quiz';
import { readPdf } from '@invigil/testkit/printed-pdf';
import type { Locator, Page } from '@playwright/test';
import type { AdminClient, Guest, PreparedQuiz } from './support/admin-client.ts';
import { watching } from './support/code-is-here.ts';
import { expect, test } from './support/e2e-test.ts';
import { languageProblems } from './support/in-languages.ts';
import { holdSignOut } from './support/last-page.ts';
import { type Say, said } from './support/said.ts';
import { checkScreen } from './support/screen-checks.ts';
import { mailServer } from './support/server-settings.ts';
import { fillSignIn, signInAsAdmin } from './support/sign-in.ts';
import type { TestServer } from './support/test-server.ts';

test.use({ database: 'main job in languages' });

/** The language that a candidate's browser asks for, and the assessment's title. */
const SPOKEN = {
  ar: { locale: 'ar-EG', title: 'أساسيات الشبكات' },
  zh: { locale: 'zh-CN', title: '网络基础' },
  de: { locale: 'de-AT', title: 'Grundlagen der Netzwerke' },
};
type Spoken = keyof typeof SPOKEN;

/** A page that is read in a language. */
class Reader {
  readonly page: Page;
  readonly language: Spoken;
  readonly say: Say;

  constructor(page: Page, language: Spoken) {
    this.page = page;
    this.language = language;
    this.say = said(language);
  }

  /** The page is in the language, and shows these of its texts. */
  async reads(...ids: string[]): Promise<void> {
    const html = this.page.locator('html');
    await expect(html).toHaveAttribute('lang', this.language);
    await expect(html).toHaveAttribute('dir', this.language === 'ar' ? 'rtl' : '');
    for (const id of ids) {
      await expect(
        this.page.getByText(this.say(id)).filter({ visible: true }).first(),
      ).toBeVisible();
    }
  }

  press = (id: string, within: Page | Locator = this.page): Promise<void> =>
    within.getByRole('button', { name: this.say(id), exact: true }).click();
}

/** The same of a page for candidates, whose texts are all translated: no word stayed in English. */
class CandidateReader extends Reader {
  override async reads(...ids: string[]): Promise<void> {
    await super.reads(...ids);
    expect.soft(await languageProblems(this.page, this.language), ids.join()).toEqual([]);
  }

  check = (screen: string): Promise<void> =>
    checkScreen(this.page, 'desktop', `${screen} in ${this.language}`);
}

for (const language of ['ar', 'zh', 'de'] as const) {
  test(`the main job, read in ${LANGUAGES[language]} by candidate and administrator`, {
    tag: '@long',
  }, async ({ page, visitor, adminClient, testServer }) => {
    await mainJob(language, { page, adminClient, testServer }, () =>
      visitor({ locale: SPOKEN[language].locale }),
    );
  });
}

async function mainJob(
  language: Spoken,
  {
    page,
    adminClient,
    testServer,
  }: { page: Page; adminClient: AdminClient; testServer: TestServer },
  visitor: () => Promise<Page>,
): Promise<void> {
  const admin = new Reader(page, language);
  const { say } = admin;
  const { title } = SPOKEN[language];
  const email = `${language}@example.org`;
  /** The text of a mail, without marks of direction; its subject is a text of the catalogue. */
  const mailed = async (subject: string): Promise<string> => {
    const wanted = plain(say(subject, { title }));
    const find = () =>
      testServer.sink.mails.find(
        ({ to, mail }) => to.includes(email) && plain(mail.subject) === wanted,
      );
    await expect.poll(find).toBeDefined();
    expect(find()?.mail.html).toContain(`lang="${language}"`);
    return plain(find()?.mail.text);
  };

  const quiz = await prepare(adminClient, testServer, language);
  await signInAsAdmin(page);
  await page.goto('/admin/dashboard');
  await page.getByRole('button', { name: /: your menu$/ }).click();
  await page.getByRole('menuitem', { name: 'Language' }).click();
  const stored = page.waitForResponse(/\/api\/auth\/language$/);
  await page.getByRole('menuitemradio', { name: LANGUAGES[language] }).click();
  await stored;
  await admin.reads('portal.nav.dashboard', 'portal.signOut');

  await page.goto(`/admin/quizzes/${quiz.id}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
  await admin.reads('assessment.tab.overview', 'assessment.next.invite');
  await adminClient.must('inviteToQuiz', { params: { id: quiz.id }, body: { emails: [email] } });
  const invitation = await mailed('mail.invitation.subject');
  expect(invitation).toContain(plain(say('mail.invitation.signInWith')));
  await page.locator(`main a[href$="/${quiz.id}/candidates"]`).first().click();
  const invited = page.getByRole('row').filter({ hasText: email });
  await expect(invited).toContainText(say('status.sent'));
  await admin.reads('portal.candidates', 'invitations.send');

  const guest = { email, code: codeIn(invitation) };
  const candidate = new CandidateReader(await visitor(), language);
  await sit(candidate, quiz, guest);
  await checkReceipt(new Reader(candidate.page, language), await mailed('mail.receipt.subject'));

  await page.reload();
  await invited.getByText(say('people.invitations.open'), { exact: true }).click();
  await admin.reads('record.timeline.title', 'signal.fullscreenExit');
  await page.goto(`/admin/quizzes/${quiz.id}/results`);
  await admin.press('results.releaseNow');
  await admin.press('parts.release.confirm', page.getByRole('alertdialog'));
  await expect(
    page.getByText(say('results.released', { count: 1 }), { exact: true }),
  ).toBeVisible();
  await admin.reads('results.release');

  expect(await mailed('mail.resultReleased.subject')).toContain(`${testServer.url}/login`);
  await readResult(candidate, guest, title, new CandidateReader(await visitor(), language));
}

/** An assessment in the language whose result has a certificate, a mail server, and an administrator who reads English. */
async function prepare(
  adminClient: AdminClient,
  { sink }: TestServer,
  language: Spoken,
): Promise<PreparedQuiz> {
  const { must } = adminClient;
  await must('setLanguage', { body: { language: 'en' } });
  await must('putSmtpSettings', { body: mailServer(sink.port) });
  const languages = ['en', ...Object.keys(SPOKEN)];
  const institution = { name: null, timeZone: null, publicUrl: null, languages };
  await must('putInstitution', { body: institution });
  const { title } = SPOKEN[language];
  const quiz = await adminClient.quiz(title, { languages: [language], closingMail: true });
  const params = { id: quiz.id };
  const marks = { passMark: { percent: 60 }, sectionMarks: [], grades: [] };
  await must('setResultRules', { params, body: { rules: marks, dryRun: false } });
  const parts = ['outcome', 'score', 'answers', 'key', 'certificate'];
  const rules = { parts, when: { kind: 'by_hand' }, openDays: 30 };
  await must('setReleaseRules', { params, body: { rules } });
  return quiz;
}

const plain = (text = ''): string => text.replace(/\p{Bidi_Control}/gu, '');

/** From the sign-in page to the receipt: all answers are right, and fullscreen is left once. */
async function sit(candidate: CandidateReader, quiz: PreparedQuiz, guest: Guest): Promise<void> {
  const { page, say } = candidate;
  await page.goto('/login');
  await candidate.reads('login.useOneTimePassword');
  await fillSignIn(page, guest.email, guest.code, say);
  await candidate.press('login.sign');
  await expect(page).toHaveURL('/quiz/instructions');
  await candidate.reads('instructions.heading', 'instructions.lead');
  await candidate.check('instructions');
  await candidate.press('instructions.start');
  await expect(page).toHaveURL('/quiz/permissions');
  await candidate.reads('consent.titleOfRecords', 'consent.leadOfRecords');
  await candidate.press('consent.accept');
  await candidate.reads('deviceCheck.readyToStart', 'deviceCheck.noDevices');
  await candidate.press('deviceCheck.start');

  await expect(page).toHaveURL('/quiz/assessment');
  await watching(page);
  await candidate.reads('question.flag', 'test.review');
  await candidate.check('test');
  await page.evaluate(() => document.exitFullscreen());
  const warning = say('notice.fullscreenExit', { n: 1, limit: 5 });
  await expect(page.getByRole('alertdialog', { name: warning })).toBeVisible();
  await candidate.reads('halted.fullscreen.text');
  await candidate.press('halted.fullscreen.return');
  const notice = page.getByRole('region', { name: say('detected.label') });
  await expect(notice).toContainText(say('detected.fullscreenExit'));
  await expect(notice).toContainText(say('notice.countedOf', { count: 1, limit: 5 }));
  await candidate.reads('question.flag');
  await candidate.check('notice');

  const heading = page.locator('main').getByRole('heading', { level: 1 });
  for (const left of [...quiz.questions.keys()].reverse()) {
    const text = await heading.textContent();
    const { correctAnswer = '' } = quiz.questions.find(({ question }) => question === text) ?? {};
    await page.getByRole('radio').filter({ hasText: correctAnswer }).click();
    if (left === 0) break;
    await candidate.press('question.next');
    await expect(heading).not.toHaveText(text ?? '');
  }
  await expect(page.getByRole('banner')).toContainText(say('test.saved', { time: '' }).trim());
  await candidate.press('test.review');
  await expect(page).toHaveURL('/quiz/review');
  await candidate.reads('review.title', 'review.subtitle');
  await candidate.press('review.submit');
  await candidate.reads('feedback.title', 'feedback.skippable');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: say('feedback.good') }).click();
  const letGo = await holdSignOut(page);
  await candidate.press('test.submit', dialog);
  await expect(page).toHaveURL('/quiz/thankyou');
  await candidate.reads('thanks.heading', 'thanks.summary', 'receipt.title', 'receipt.proof');
  letGo();
  await expect(page).toHaveURL('/login');
}

/** The receipt of the mail, on the page where anyone can check it. */
async function checkReceipt(reader: Reader, mail: string): Promise<void> {
  const { page, language, say } = reader;
  await page.goto('/receipt');
  await page.getByLabel(say('receiptCheck.receipt'), { exact: true }).fill(mail);
  await reader.press('receiptCheck.check');
  await reader.reads('receiptCheck.genuine', 'receiptCheck.matches');
  const answered = page.getByText(say('receipt.answeredOfTotal', { answered: 5, total: 5 }));
  await expect(answered).toHaveCSS('direction', language === 'ar' ? 'rtl' : 'ltr');
}

/** The result with its certificate, which a stranger checks by its number. */
async function readResult(
  candidate: CandidateReader,
  { email, code }: Guest,
  title: string,
  stranger: CandidateReader,
): Promise<void> {
  const { page, language, say } = candidate;
  await page.goto('/login');
  await fillSignIn(page, email, code, say);
  await candidate.press('login.sign');
  await expect(page).toHaveURL('/quiz/result');
  await candidate.reads('result.title', 'result.passed', 'result.certificate');
  await candidate.check('result');

  const opened = page.waitForEvent('popup');
  await page.getByRole('link', { name: say('result.certificate.open') }).click();
  const certificate = new CandidateReader(await opened, language);
  await certificate.reads('certificateCheck.valid', 'certificate.hasPassed');
  const downloaded = certificate.page.waitForEvent('download');
  await certificate.press('certificateCheck.download');
  const file = await downloaded;
  const [number = ''] = /(?<=certificate_).*(?=\.pdf)/.exec(file.suggestedFilename()) ?? [];
  const pdf = readPdf(readFileSync(await file.path()));
  expect(pdf.language).toBe(language);
  expect(plain(pdf.title)).toBe(plain(say('certificate.file', { number })));
  const words = `${say('certificate.hasPassed')}${title}${number}`.replace(/\s/g, '');
  expect([...words].filter((letter) => !pdf.letters.includes(letter))).toEqual([]);

  await stranger.page.goto('/verify');
  await stranger.reads('certificateCheck.title', 'certificateCheck.lead');
  await stranger.page.getByLabel(say('certificate.number'), { exact: true }).fill(number);
  await stranger.press('certificateCheck.check');
  await stranger.reads('certificateCheck.valid');
  await expect(stranger.page.getByRole('article')).toContainText(title);
}
