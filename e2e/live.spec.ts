import { STILL } from '@invigil/testkit/stills';
import type { Page } from '@playwright/test';
import { STRICT_POLICY } from '../core/src/domain/violations/violation-policy.ts';
import type { AdminClient } from './support/admin-client.ts';
import { select } from './support/controls.ts';
import { expect, test } from './support/e2e-test.ts';
import { signInAsAdmin } from './support/sign-in.ts';
import { beginAttempts, save, submit, violate, type Writer } from './support/written-attempts.ts';

test.use({ database: 'live' });

/** The board's limit of two seconds is measured elsewhere; here only that no reload is needed. */
const AT_ONCE = { timeout: 10_000 };

test.beforeEach(async ({ page }) => signInAsAdmin(page));

async function begin(adminClient: AdminClient, title: string, ...emails: string[]) {
  const quiz = await adminClient.quiz(title, { policy: STRICT_POLICY });
  return beginAttempts(adminClient, quiz, ...emails);
}

const link = (page: Page) => page.getByRole('link', { name: /^Live now/ });
const tile = (page: Page, email: string) =>
  page
    .getByRole('listitem')
    .filter({ has: page.getByRole('button', { name: email, exact: true }) });

/** Sends a heartbeat: a candidate without a request for 25 s is offline, which the board shows as well. */
const showUp = ({ person, id }: Writer) =>
  person.call('heartbeat', { params: { id }, body: { seq: 1, monitor: {} } });

test('events appear on the board at once, the most severe first', async ({ page, adminClient }) => {
  const emails = ['a.rahman@example.org', 'b.okafor@example.org'];
  const [rahman, okafor] = await begin(adminClient, 'Networks', ...emails);
  if (rahman === undefined || okafor === undefined) throw new Error('two began');
  await page.goto('/admin/dashboard');
  await expect(link(page).first()).toContainText('2');
  await link(page).first().click();
  await expect(page).toHaveURL('/admin/live');
  await expect(tile(page, 'a.rahman@example.org')).toContainText('0 of 5 answered');
  await expect(tile(page, 'a.rahman@example.org')).toContainText(/2[45]:\d\d left/);

  await save(rahman, {});
  await expect(tile(page, 'a.rahman@example.org')).toContainText('1 of 5 answered', AT_ONCE);

  await showUp(rahman);
  await showUp(okafor);
  await violate(okafor, 'face_not_detected');
  const attention = page.getByRole('region', { name: 'Needs attention' });
  await expect(attention).toContainText('Face not detected', AT_ONCE);
  await expect(attention).toContainText('b.okafor@example.org');
  await expect(attention).toContainText('1/3');
  await expect(page.getByRole('status').filter({ hasText: 'b.okafor@example.org' })).toHaveText(
    /Face not detected\. 1 needs attention\.$/,
  );

  // A candidate asks for help, and a message answers.
  const params = { id: rahman.id };
  await rahman.person.call('askForHelp', { params, body: { handUp: true } });
  await expect(tile(page, 'a.rahman@example.org')).toContainText('Asks for help', AT_ONCE);
  await page.getByRole('button', { name: 'a.rahman@example.org', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Message', exact: true }).click();
  const answer = page.getByRole('dialog', { name: 'Send a message' });
  await answer.getByLabel('Message', { exact: true }).fill('Somebody is on the way.');
  await answer.getByRole('button', { name: 'Send message' }).click();
  await expect(page.getByText('Message sent: 1 candidate')).toBeVisible();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await expect(attention).not.toContainText('Asks for help', AT_ONCE);
  expect((await showUp(rahman)).body).not.toHaveProperty('handUp');

  await submit(rahman);
  const finished = page.getByRole('region', { name: 'Finished' });
  await expect(finished).toContainText('a.rahman@example.org', AT_ONCE);
  await expect(tile(page, 'a.rahman@example.org')).toHaveCount(0);
});

test('the camera is watched only while a candidate is open, and the timeline records it', {
  tag: '@long',
}, async ({ page, adminClient }) => {
  const [writer] = await begin(adminClient, 'Watched', 'u.bakker@example.org');
  if (writer === undefined) throw new Error('one began');
  const { person, id } = writer;
  const params = { id };
  const heartbeat = async (seq: number) =>
    (await person.call('heartbeat', { params, body: { seq, monitor: {} } })).body.watched ?? false;
  await page.goto('/admin/live');
  await expect(tile(page, 'u.bakker@example.org')).toBeVisible();
  expect(await heartbeat(1)).toBe(false);

  await page.getByRole('button', { name: 'u.bakker@example.org', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'u.bakker@example.org' });
  await expect(dialog).toContainText('Waiting for the camera picture');
  await expect.poll(() => heartbeat(2)).toBe(true);
  await person.call('sendThumbnail', { params, body: { jpeg: STILL } });
  await expect(dialog.getByRole('img', { name: 'u.bakker@example.org, now' })).toBeVisible(AT_ONCE);
  // The last picture is no longer current.
  await expect(dialog.getByText(/^No picture since \d\d:\d\d:\d\d$/)).toBeVisible();
  await person.call('sendThumbnail', { params, body: { jpeg: STILL } });
  await expect(dialog.getByRole('img', { name: 'u.bakker@example.org, now' })).toBeVisible(AT_ONCE);

  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect.poll(() => heartbeat(3)).toBe(false);
  await page.goto(`/admin/participants/${id}`);
  await expect(page.getByRole('region', { name: 'Timeline' })).toContainText('Camera watched');
});

test('an action reaches several candidates and names those who have ended', {
  tag: '@long',
}, async ({ page, adminClient }) => {
  const emails = ['i.petrov@example.org', 'n.kaya@example.org'];
  const writers = await begin(adminClient, 'Many at once', ...emails);
  await page.goto('/admin/live');
  await select(page, 'Assessment', 'Many at once');
  await page.getByRole('checkbox', { name: 'Select all (2)' }).check();
  await page.getByRole('button', { name: 'Message', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Send a message' });
  await dialog.getByRole('button', { name: 'Send message' }).click();
  await expect(dialog.getByText('Write a message')).toBeVisible();
  await expect(dialog.getByText('Give a reason')).toHaveCount(0);
  await dialog.getByLabel('Message', { exact: true }).fill('The room next door is quiet again.');
  await select(dialog, 'Reason', 'Interruption in the room');
  await dialog.getByRole('button', { name: 'Send message' }).click();
  await expect(page.getByText('Message sent: 2 candidates')).toBeVisible();
  for (const { person, id } of writers) {
    const { body } = await person.call('listMessages', { params: { id } });
    expect(body).toMatchObject([{ text: 'The room next door is quiet again.' }]);
  }

  await expect(page.getByRole('checkbox', { name: '2 selected' })).toBeChecked();
  await page.getByRole('button', { name: 'Extra time' }).click();
  const extend = page.getByRole('dialog', { name: 'Give extra time' });
  await extend.getByLabel('Minutes').fill('10');
  await select(extend, 'Reason', 'Another reason');
  await extend.getByLabel('Describe the reason').fill('The elevator was stuck');
  // One of the two submits before the action arrives.
  const [first, second] = writers;
  if (first) await submit(first);
  await extend.getByRole('button', { name: 'Give extra time' }).click();
  await expect(page.getByRole('alert')).toContainText('1 candidate could not be reached');
  await expect(tile(page, 'n.kaya@example.org')).toContainText(/3[45]:\d\d left/, AT_ONCE);

  await page.getByRole('button', { name: 'n.kaya@example.org', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'End now' }).click();
  const end = page.getByRole('dialog', { name: 'End now' });
  await select(end, 'Reason', 'Suspected rule violation');
  await end.getByRole('button', { name: 'End now' }).click();
  await expect(page.getByText('Ending: 1 candidate')).toBeVisible();
  const record = await adminClient.record(second?.id ?? '');
  const reasons = record.actions.flatMap(({ reason }: { reason: string | null }) => reason ?? []);
  expect(reasons).toEqual([
    'Interruption in the room',
    'The elevator was stuck',
    'Suspected rule violation',
  ]);
});
