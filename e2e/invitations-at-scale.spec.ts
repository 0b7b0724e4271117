import type { Page } from '@playwright/test';
import { AdminClient, type PreparedQuiz } from './support/admin-client.ts';
import { expect, test } from './support/e2e-test.ts';
import { toastOn } from './support/refusal.ts';
import { mailServer } from './support/server-settings.ts';
import { signInAsAdmin } from './support/sign-in.ts';

test.use({ database: 'invitations at scale' });

const person = (n: number) => `person${n}@example.org`;
const PEOPLE = Array.from({ length: 300 }, (_, n) => person(n));
const REFUSED = PEOPLE.slice(0, 9);
const DELAYED = PEOPLE.slice(100, 110);
const DROPPED = person(200);

test('300 invitations: nine refused, ten delayed and one dropped are reported as such', async ({
  page,
  testServer,
}) => {
  const adminClient = await AdminClient.signIn(testServer.url);
  const quiz = await adminClient.quiz('Safety basics');
  await signInAsAdmin(page);
  await page.goto(`/admin/quizzes/${quiz.id}/invitations`);
  await expect(page.getByText('No one has been invited to this assessment yet.')).toBeVisible();

  // As Outlook copies it. Without a mail server everything is queued and nothing is being sent.
  await page.getByRole('button', { name: 'Send invitations' }).click();
  const dialog = page.getByRole('dialog', { name: 'Send Assessment Invitations' });
  const line = PEOPLE.map((email, n) => `"Person, ${n}" <${email}>`).join('; ');
  await dialog.getByLabel('Email addresses').fill(line);
  await expect(dialog.getByText('300 valid, 0 invalid, 0 duplicate')).toBeVisible();
  await dialog.getByRole('button', { name: 'Send Invitations' }).click();
  await expect(toastOn(page)).toContainText(
    '300 invitations wait in the outbox: no mail server is configured.',
  );
  await expect(dialog.getByText('300 emails wait in the outbox')).toBeVisible();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(filter(page, 'Queued')).toHaveText('Queued300');
  await expect(filter(page, 'Not started')).toHaveText('Not started300');
  await expect(page.getByText('300 emails wait in the outbox')).toBeVisible();

  testServer.sink.faults.push(
    ...REFUSED.map((to) => ({ to, at: 'rcpt', code: 550, text: '5.1.1 Unknown' }) as const),
    ...[...DELAYED, ...DELAYED].map(
      (to) => ({ to, at: 'rcpt', code: 451, text: '4.7.1 Try later' }) as const,
    ),
    { to: DROPPED, at: 'after-data', drop: true },
  );
  await adminClient.must('putSmtpSettings', { body: mailServer(testServer.sink.port) });
  await page.reload();
  await expect(filter(page, 'Sent')).toHaveText(/\d$/);
  // The screen never reports more than the mail server has received.
  let sawDelay = false;
  for (;;) {
    const counts = await countsOn(page);
    const taken = new Set(testServer.sink.mails.flatMap(({ to }) => to)).size;
    expect(counts.Sent).toBeLessThanOrEqual(taken);
    expect(counts.Failed).toBeLessThanOrEqual(REFUSED.length);
    expect(counts.Queued + counts.Sent + counts.Uncertain + counts.Failed).toBe(300);
    if (counts.Sent + counts.Failed === 300) break;
    sawDelay ||= counts.Queued === DELAYED.length && counts.Sent >= 280;
    await page.waitForTimeout(200);
  }
  expect(sawDelay).toBe(true);
  expect(await countsOn(page)).toEqual({ Queued: 0, Sent: 291, Uncertain: 0, Failed: 9 });
  expect(testServer.sink.mails.filter(({ to }) => to.includes(DROPPED))).toHaveLength(2);

  // The dashboard links to the failed ones; all matches are selected and revoked.
  await page.goto('/admin/dashboard');
  await expect(page.getByText('9 emails could not be delivered')).toBeVisible();
  await page.getByRole('link', { name: '9 invitations to Safety basics' }).click();
  await expect(filter(page, 'Failed')).toHaveAttribute('aria-pressed', 'true');
  const rows = page.getByRole('table', { name: 'Invitations' }).getByRole('row');
  await expect(rows).toHaveCount(10);
  await expect(rows.last()).toContainText(
    'There is no mailbox with this address (550 5.1.1 Unknown).',
  );
  await page.getByLabel('Select all on this page').check();
  await page.getByRole('button', { name: 'Revoke', exact: true }).click();
  await page
    .getByRole('alertdialog', { name: 'Revoke the invitations of 9 people?' })
    .getByRole('button', { name: 'Revoke' })
    .click();
  await expect(toastOn(page)).toContainText('9 of 9');
  await expect(filter(page, 'Failed')).toHaveText('Failed0');
  await expect(filter(page, 'Revoked')).toHaveText('Revoked9');

  // Everyone who has not started, beyond the current page.
  await filter(page, 'Not started').click();
  await page.getByLabel('Select all on this page').check();
  await page.getByRole('button', { name: 'Select all 291 that match' }).click();
  await expect(page.getByText('291 selected')).toBeVisible();
  const before = testServer.sink.mails.length;
  await page.getByRole('button', { name: 'Remind', exact: true }).click();
  const remind = page.getByRole('dialog', { name: 'Remind 291 people?' });
  await remind.getByRole('button', { name: 'Send reminders' }).click();
  const results = page.getByRole('dialog', { name: 'Resent' });
  await expect(results.getByText('291 sent of 291')).toBeVisible();
  expect(testServer.sink.mails.slice(before).map(({ mail }) => mail.subject)).toEqual(
    Array(291).fill('Reminder: your assessment: Safety basics'),
  );
  await results.getByRole('button', { name: 'Done' }).click();

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download list' }).click();
  expect((await download).suggestedFilename()).toMatch(/^invitations_\d{8}-\d{6}\.csv$/);
});

test('the outbox can be searched and filtered, and a delayed message sent at once', async ({
  page,
  testServer,
}) => {
  const adminClient = await AdminClient.signIn(testServer.url);
  const quiz: PreparedQuiz = await adminClient.quiz('Delayed');
  await adminClient.must('putSmtpSettings', { body: mailServer(testServer.sink.port) });
  const late = { to: 'late@example.org', at: 'rcpt', code: 451, text: '4.2.2 Full' } as const;
  testServer.sink.faults.push(...Array(6).fill(late));
  await adminClient.must('inviteToQuiz', {
    params: { id: quiz.id },
    body: { emails: ['late@example.org', 'prompt@example.org'] },
  });
  await signInAsAdmin(page);
  await page.goto('/admin/settings/outbox');
  const outbox = page.getByRole('region', { name: 'Outbox' });
  await outbox.getByLabel('Search the outbox').fill('LATE@');
  const messages = outbox.getByRole('list', { name: 'Messages' }).getByRole('listitem');
  await expect(messages).toHaveCount(1);
  await expect(messages).toContainText('Delayed');
  await expect(messages).toContainText('Temporary problem: the mailbox is full (451 4.2.2 Full).');
  const tries = async () => {
    const words = (await messages.textContent()) ?? '';
    return words.includes('Tried once') ? 1 : Number(/Tried (\d+) times/.exec(words)?.[1]);
  };
  const before = await tries();
  await outbox.getByRole('button', { name: 'Send now to late@example.org' }).click();
  await expect.poll(tries).toBeGreaterThan(before);
  await outbox.getByLabel('Search the outbox').fill('');
  await outbox.getByLabel('State').click();
  await page.getByRole('option', { name: 'Failed' }).click();
  await expect(outbox.getByText('prompt@example.org')).toHaveCount(0);
});

const filter = (page: Page, word: string) =>
  page.getByRole('button', { name: new RegExp(`^${word}`) }).and(page.locator('[aria-pressed]'));

async function countsOn(page: Page) {
  // Read at once: between two reads the page may be updated.
  const texts = await page.locator('button[aria-pressed]').allInnerTexts();
  const n = (word: string) =>
    Number(texts.find((text) => text.startsWith(word))?.replace(/\D/g, '') ?? Number.NaN);
  return { Queued: n('Queued'), Sent: n('Sent'), Uncertain: n('Uncertain'), Failed: n('Failed') };
}
