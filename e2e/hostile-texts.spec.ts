import { readFileSync } from 'node:fs';
import type { AdminByHttp, PreparedQuiz } from './support/admin-by-http.ts';
import { Candidate } from './support/candidate.ts';
import {
  expectNoFormula,
  expectOnlyText,
  hostileElements,
  hostileText,
  SCRIPTS,
  Uproar,
} from './support/hostile-texts.ts';
import { mailServer } from './support/house-settings.ts';
import { PAGE_ONLY } from './support/policies.ts';
import { parseCsv } from './support/question-file.ts';
import { signInAtDesk } from './support/sign-in.ts';
import { expect, test } from './support/stories.ts';
import { beginAttempt } from './support/written-attempts.ts';

test.use({ database: 'hostile texts' });
test.describe.configure({ timeout: 240_000 });

const MOST = SCRIPTS.length;
/** Addresses that mail takes and a spreadsheet would run. */
const ADDRESSES = ["=1+1|'cmd'@example.org", '+a`b@example.org', '-x{{1}}@example.org'];

/** An assessment whose every text is hostile; `n` selects where the texts begin. */
async function hostileQuiz(desk: AdminByHttp, n: number): Promise<PreparedQuiz> {
  const categoryId = await desk.category(hostileText(n).slice(0, 100), hostileText(n + 1));
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
  return desk.quiz(`${hostileText(n)} ${n}`, settings, questions);
}

test('what people typed is text on every screen, on paper, in mail and in every export', async ({
  page,
  visitor,
  desk,
  house,
  request,
}) => {
  const uproar = new Uproar();
  uproar.watch(page, house.url);
  await page.addInitScript(() => {
    window.print = () => window.dispatchEvent(new Event('beforeprint'));
  });

  const quizzes: PreparedQuiz[] = [];
  for (let n = 0; n < MOST; n += 4) quizzes.push(await hostileQuiz(desk, n));
  const [quiz] = quizzes;
  if (quiz === undefined) throw new Error('one was made');
  const guests = await desk.invite(quiz, ...ADDRESSES);
  const [first, second] = guests;
  if (first === undefined || second === undefined) throw new Error('they were invited');
  const writer = await beginAttempt(house.url, quiz, first);
  const violation = await writer.person.call('reportViolation', {
    body: { participantId: writer.id, violationType: 'window_blur', notes: hostileText(1) },
  });
  await writer.person.call('noteViolation', {
    params: { id: violation.body.id },
    body: { note: hostileText(2) },
  });
  const params = { id: writer.id };
  await desk.must('sendMessage', { params, body: { text: hostileText(3) } });
  await desk.must('noteParticipant', { params, body: { note: hostileText(4) } });
  await desk.must('extendParticipant', { params, body: { minutes: 1, reason: hostileText(0) } });
  await desk.must('createAdmin', {
    body: { email: "o'hare+x@example.org", password: 'another quiet desk' },
  });

  // Administrators.
  await signInAtDesk(page);
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
  const seat = new Candidate(await visitor(), second);
  uproar.watch(seat.page, house.url);
  await seat.signIn();
  await expectOnlyText(seat.page, 'the instructions');
  await seat.begin();
  const mine = await desk.must('listParticipants', { query: { status: 'in_progress' } });
  for (const { id } of mine) {
    await desk.must('sendMessage', { params: { id }, body: { text: hostileText(1) } });
  }
  await expect(seat.page.getByText(hostileText(1)).first()).toBeVisible();
  for (let n = 1; n <= 5; n += 1) {
    await seat.go(n);
    await expectOnlyText(seat.page, `question ${n}`);
  }
  await seat.page.goto('/quiz/review');
  await expect(seat.page.getByRole('heading', { name: 'Review Your Answers' })).toBeVisible();
  await expectOnlyText(seat.page, 'the review');

  // Mail, opened in a browser that would run what it holds.
  await desk.must('putSmtpSettings', { body: mailServer(house.sink.port) });
  const mailed = quizzes.length;
  for (const [n, one] of quizzes.entries()) {
    const body = {
      emails: [`mail${n}@example.org`],
      subject: `${hostileText(n)}\r\nBcc: x@evil.example`,
      message: hostileText(n + 5),
    };
    await desk.must('inviteToQuiz', { params: { id: one.id }, body });
  }
  await expect
    .poll(() => house.sink.mails.length, { timeout: 30_000 })
    .toBeGreaterThanOrEqual(mailed);
  const letter = await visitor();
  uproar.watch(letter, house.url);
  for (const { mail, to } of house.sink.mails) {
    expect(to).toHaveLength(1);
    expect([mail.bcc ?? [], mail.cc ?? []]).toEqual([[], []]);
    await letter.setContent(mail.html ?? '');
    await expectOnlyText(letter, `mail to ${to[0]}`);
  }

  // Exports.
  await signInAtDesk(page);
  for (const path of ['/api/participants/export', '/api/audit/export']) {
    const file = await page.request.get(path);
    expect(file.status()).toBe(200);
    expectNoFormula(parseCsv(await file.text()), path);
  }
  expect((await request.get('/api/participants/export')).status()).toBe(401);
  expect(uproar.seen).toEqual([]);
});

test('a text that did become part of a page would have been found', async ({ visitor, house }) => {
  const page = await visitor();
  const uproar = new Uproar();
  uproar.watch(page, house.url);
  // Not the one that leads away: on the browser's own page of an error there is nothing to find.
  const planted = SCRIPTS.filter((one) => /data-hostile/.test(one) && !/http-equiv/.test(one));
  for (const text of planted) {
    await page.setContent(`<p>${text}</p>`);
    expect(await hostileElements(page), text).not.toEqual([]);
  }
  expect(uproar.seen).toContain('dialog: 1');
});
