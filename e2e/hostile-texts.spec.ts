import { readFileSync } from 'node:fs';
import type { AdminClient, PreparedQuiz } from './support/admin-client.ts';
import { Candidate } from './support/candidate.ts';
import { expect, test } from './support/e2e-test.ts';
import {
  expectNoFormula,
  expectOnlyText,
  hostileElements,
  hostileText,
  SCRIPTS,
  ScriptWatch,
} from './support/hostile-texts.ts';
import { PAGE_ONLY } from './support/policies.ts';
import { parseCsv } from './support/question-file.ts';
import { mailServer } from './support/server-settings.ts';
import { signInAsAdmin } from './support/sign-in.ts';
import { beginAttempt } from './support/written-attempts.ts';

test.use({ database: 'hostile texts' });

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
  const guests = await adminClient.invite(quiz, ...ADDRESSES);
  const [first, second] = guests;
  if (first === undefined || second === undefined) throw new Error('they were invited');
  const writer = await beginAttempt(testServer.url, quiz, first);
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
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Export', exact: true }).click(),
    ]);
    expectNoFormula(parseCsv(readFileSync(await file.path(), 'utf8')), 'exported questions');
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
  // Without the refresh, which leads to the browser's error page.
  const injected = SCRIPTS.filter((one) => /data-hostile/.test(one) && !/http-equiv/.test(one));
  for (const text of injected) {
    await page.setContent(`<p>${text}</p>`);
    expect(await hostileElements(page), text).not.toEqual([]);
  }
  expect(scriptWatch.seen).toContain('dialog: 1');
});
