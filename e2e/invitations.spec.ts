import type { Locator, Page } from '@playwright/test';
import { AdminClient, type PreparedQuiz } from './support/admin-client.ts';
import { dropFile, refuse, select, textFile, toastOn } from './support/controls.ts';
import { expect, test } from './support/e2e-test.ts';
import { signInAsAdmin } from './support/sign-in.ts';
import { beginAttempt, writeAttempts } from './support/written-attempts.ts';

let adminClient: AdminClient;
let categoryId: string;

test.beforeAll(async ({ testServer }) => {
  adminClient = await AdminClient.signIn(testServer.url);
  categoryId = await adminClient.category('Invitations are sent from here');
});

test.beforeEach(async ({ page }) => signInAsAdmin(page));

test('addresses are counted as they are entered, and each gets a result', async ({
  page,
  consoles,
}) => {
  consoles.expect(/status of 500/);
  const quiz = await adminClient.quiz('Invited', { categoryId });
  await writeAttempts(adminClient, quiz, { 'done@example.org': 3 });
  const dialog = await openInvite(page, quiz);
  const box = dialog.getByLabel('Email addresses');
  const send = dialog.getByRole('button', { name: 'Send Invitations' });
  await send.click();
  await expect(toastOn(page)).toContainText('No emails provided');
  await expect(toastOn(page)).toContainText('Please enter at least one email address');

  await box.fill(' one@example.org \n\nONE@example.org\nnot one');
  await expect(dialog.getByText('1 valid, 1 invalid, 1 duplicate')).toBeVisible();
  await expect(dialog.getByRole('textbox', { name: 'Correct not one' })).toBeVisible();
  await paste(box, 'Name\tE-mail\nJo\tjo@example.org\nAda\tada@example.org\n');
  await expect(dialog.getByText('3 valid, 1 invalid, 1 duplicate')).toBeVisible();
  await dropFile(box, 'people.csv', 'name;mail\r\nDone;done@example.org\r\n');
  await expect(dialog.getByText('4 valid, 1 invalid, 1 duplicate')).toBeVisible();
  await dropFile(box, 'picture.csv', '\u0089PNG\0\0');
  await expect(toastOn(page)).toContainText('Select a CSV or text file, or an Excel workbook');

  await refuse(page, 'POST', '**/api/quizzes/*/invite');
  await send.click();
  await expect(toastOn(page)).toContainText('Failed to send invitations');
  await expect(box).toHaveValue(/not one/);
  await page.unrouteAll();
  await send.click();
  await expect(toastOn(page)).toContainText(
    '3 invitations wait in the outbox: no mail server is configured. 2 people get none.',
  );
  const results = dialog.getByRole('list', { name: 'Results' }).getByRole('listitem');
  await expect(dialog.getByRole('textbox', { name: 'Correct not one' })).toBeVisible();
  await expect(results.filter({ hasText: 'done@' })).toContainText('Already completed');
  await expect(results.filter({ hasText: 'ada@' })).toContainText('Queued');
  await expect(dialog.getByText('1 invalid, 1 already completed')).toBeVisible();
  await expect(dialog.getByText('3 emails wait in the outbox')).toBeVisible();
  await dialog.getByRole('button', { name: 'Invite more' }).click();
  await expect(box).toHaveValue('not one');
});

test('a spreadsheet with a head row and typos becomes slips with one-time passwords', {
  tag: '@long',
}, async ({ page, testServer }) => {
  await page.addInitScript(() => {
    window.print = () => undefined;
  });
  const quiz = await adminClient.quiz('Without mail', { categoryId });
  await adminClient.invite(quiz, 'known@uni-x.example');
  const dialog = await openInvite(page, quiz);
  await expect(dialog.getByText('opens on this machine only')).toBeVisible();
  const box = dialog.getByLabel('Email addresses');
  await box.fill(
    'Nachname Vorname Matrikel E-Mail\nDoe\tJo\t12\tjo@gmial.com\nRoe\tAl\t13\tal@@uni-x.example\nUnreadable\nknown@uni-x.example',
  );
  await expect(dialog.getByText('2 valid, 2 invalid, 0 duplicate')).toBeVisible();
  await expect(dialog.getByText('Head row left out: Nachname Vorname')).toBeVisible();
  await expect(dialog.getByText('1 person invited before')).toBeVisible();
  await dialog.getByRole('button', { name: 'Use 2 suggestions' }).click();
  await expect(dialog.getByText('3 valid, 1 invalid, 0 duplicate')).toBeVisible();
  await dialog.getByRole('button', { name: 'Leave out' }).click();
  await expect(box).toHaveValue('jo@gmail.com\nal@uni-x.example\nUnreadable');
  await dialog.getByLabel('Send no email, I hand the one-time passwords out').check();
  await dialog.getByRole('button', { name: 'Invite without email' }).click();
  await expect(dialog.getByText('1 invalid, 2 invited')).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Correct Unreadable' }).fill('un@uni-x.example');
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Invite 1 address' }).click();
  await dialog.getByRole('button', { name: 'One-time passwords' }).click();
  const passwords = page.getByRole('dialog', { name: 'One-time passwords for 3 people' });
  await passwords.getByRole('button', { name: 'Print slips' }).click();
  const slips = page.locator('[data-paper] section');
  await expect(slips).toHaveCount(3);
  await page.emulateMedia({ media: 'print' });
  await expect(slips.first()).toBeVisible();
  const slip = await slips.filter({ hasText: 'jo@gmail.com' }).textContent();
  const password = /\w{5}-\w{5}-\w{5}/.exec(slip ?? '')?.[0];
  const reply = await fetch(new URL('/api/auth/login', testServer.url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'jo@gmail.com', password }),
  });
  expect(reply.status).toBe(200);
});

test('without a response the dialog says that invitations may have been sent, and the list shows them', {
  tag: '@long',
}, async ({ page, consoles }) => {
  consoles.expect(/ERR_FAILED/);
  const quiz = await adminClient.quiz('Unanswered', { categoryId });
  const dialog = await openInvite(page, quiz);
  await dialog.getByLabel('Email addresses').fill('maybe@example.org');
  await page.route('**/api/quizzes/*/invite', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await dialog.getByRole('button', { name: 'Send Invitations' }).click();
  await expect(toastOn(page)).toContainText('Failed to send invitations');
  await expect(toastOn(page)).toContainText(
    'The server did not respond for 1 address. The invitations may have been sent.',
  );
  await expect(dialog.getByText('No response for 1 address.')).toBeVisible();
  await expect(dialog.getByLabel('Email addresses')).toHaveValue('maybe@example.org');
  await page.unrouteAll();
  await openList(page, quiz);
  await expect(invited(page)).toContainText('maybe@example.org');
});

test('the result of a resend is shown even after its dialog was closed', { tag: '@long' }, async ({
  page,
}) => {
  const quiz = await adminClient.quiz('Left early', { categoryId });
  await adminClient.invite(quiz, 'again@example.org');
  await openList(page, quiz);
  await page.getByLabel('Select all on this page').check();
  await page.getByRole('button', { name: 'Resend' }).click();
  const again = page.getByRole('dialog', { name: 'Resend to 1 person?' });
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  await page.route('**/api/quizzes/*/invitations/resend', async (route) => {
    await held;
    await route.fallback();
  });
  await again.getByRole('button', { name: 'Resend' }).click();
  await again.getByRole('button', { name: 'Cancel' }).click();
  await expect(again).toHaveCount(0);
  letGo();
  await expect(toastOn(page)).toContainText('1 invitation waits in the outbox');
  const results = page.getByRole('dialog', { name: 'Resent' });
  await expect(results.getByRole('list', { name: 'Results' })).toContainText('again@example.org');
});

test('a closed assessment sends no invitations', { tag: '@long' }, async ({ page, consoles }) => {
  consoles.expect(/status of 409/);
  const quiz = await adminClient.quiz('Closing', { categoryId });
  const dialog = await openInvite(page, quiz);
  await dialog.getByLabel('Email addresses').fill('late@example.org');
  await adminClient.change(quiz, { isActive: false });
  await dialog.getByRole('button', { name: 'Send Invitations' }).click();
  await expect(toastOn(page)).toContainText('Cannot send invitations');
  await expect(toastOn(page)).toContainText('Invitations cannot be sent for inactive Assessments');
  await expect(dialog.getByLabel('Email addresses')).toHaveValue('late@example.org');
});

test('a custom text appears in the preview and in the message', { tag: '@long' }, async ({
  page,
}) => {
  const quiz = await adminClient.quiz('Worded', { categoryId, totalQuestions: 8 });
  const dialog = await openInvite(page, quiz);
  await expect(dialog.getByText('Candidates get every question there is.')).toBeVisible();
  await dialog.getByLabel('Email addresses').fill('worded@example.org');
  await dialog.getByLabel('Subject').fill('Come and show us');
  await dialog.getByLabel('Personal message').fill('Bring <b>tea</b>.');
  await dialog.getByRole('button', { name: 'Preview message' }).click();
  const preview = dialog.getByRole('region', { name: 'Preview' });
  await expect(preview).toContainText('Come and show us');
  await expect(preview).toContainText('Bring <b>tea</b>.');
  await expect(preview).toContainText('One-time password: XXXXX-XXXXX-XXXXX');
  await dialog.getByRole('button', { name: 'Send Invitations' }).click();
  await expect(dialog.getByText('No mail server is configured yet.')).toBeVisible();
  await expect
    .poll(async () => (await adminClient.must('listOutbox', {}))[0])
    .toMatchObject({ recipient: 'worded@example.org', subject: 'Come and show us' });
});

test('more than 1,000 are sent in batches that can be canceled', { tag: '@long' }, async ({
  page,
}) => {
  const quiz = await adminClient.quiz('Crowded', { categoryId });
  const dialog = await openInvite(page, quiz);
  const sizes: number[] = [];
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  await page.route('**/api/quizzes/*/invite', async (route) => {
    const { emails } = route.request().postDataJSON();
    sizes.push(emails.length);
    if (sizes.length === 2) await held;
    const invitations = emails.map((email: string) => ({ email, status: 'queued' }));
    await route.fulfill({ json: { invitations } });
  });
  const people = Array.from({ length: 2_300 }, (_, n) => `p${n}@example.org`);
  await dialog
    .getByLabel('Add from a CSV or Excel file')
    .setInputFiles(textFile('people.csv', people.join('\n')));
  await expect(dialog.getByText('2300 valid, 0 invalid, 0 duplicate')).toBeVisible();
  await dialog.getByRole('button', { name: 'Send Invitations' }).click();
  await expect(dialog.getByRole('progressbar', { name: 'Queuing invitations' })).toBeVisible();
  await expect(dialog.getByText('500 of 2,300')).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel sending' }).click();
  letGo();
  await expect(toastOn(page)).toContainText('Sending canceled');
  await expect(dialog.getByText('1,000 addresses done, 1,300 not sent.')).toBeVisible();
  expect(sizes).toEqual([500, 500]);
  await page.keyboard.press('Escape');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Keep editing' }).click();
  await dialog.getByRole('button', { name: 'Review 1,300 addresses not sent' }).click();
  await expect(dialog.getByLabel('Email addresses')).toHaveValue(/^p1000@example\.org\n/);
});

test('the list shows email, sign-in, start and end; invitations are resent and revoked', {
  tag: '@long',
}, async ({ page, consoles }) => {
  consoles.expect(/status of 500/);
  const quiz = await adminClient.quiz('Followed', { categoryId });
  await beginAttempt(adminClient, quiz, 'running@example.org');
  await adminClient.invite(quiz, 'waiting@example.org');
  await writeAttempts(adminClient, quiz, { 'finished@example.org': 5 });
  await openList(page, quiz);
  const rows = invited(page);
  await expect(rows).toHaveCount(3);
  await expect(page.getByText('Times in Europe/Berlin')).toBeVisible();
  const row = (email: string) => rows.filter({ hasText: email });
  const cells = (email: string) => row(email).getByRole('cell');
  const TIME = String.raw`\d+ \w+ \d{4}, \d\d:\d\d`;
  const latest = (status: string, step: string) => new RegExp(`^${status}${step} ${TIME}$`);
  await expect(cells('waiting@')).toHaveText([
    /^waiting@/,
    'Queued',
    latest('Not started', 'Invited'),
    '–',
    '',
    '',
    '',
    '',
  ]);
  await expect(cells('running@')).toHaveText([
    /./,
    'Queued',
    latest('In progress', 'Started'),
    '–',
    /^0/,
    /^\d+m \d+s$/,
    '',
    'Open',
  ]);
  await expect(cells('finished@').nth(2)).toHaveText(latest('Completed', 'Finished'));
  await expect(cells('finished@').nth(3)).toHaveText('5 of 5 100 %');
  await expect(row('finished@').getByRole('link', { name: 'Open the record' })).toHaveAttribute(
    'href',
    /^\/admin\/participants\/.+/,
  );
  await filter(page, 'Finished').click();
  await expect(rows).toHaveCount(1);
  await filter(page, 'All').click();

  await page.getByLabel('Select all on this page').check();
  await expect(page.getByText('3 selected')).toBeVisible();
  await page.getByRole('button', { name: 'Resend' }).click();
  const again = page.getByRole('dialog', { name: 'Resend to 3 people?' });
  await again.getByLabel('Subject').fill('Once more');
  await refuse(page, 'POST', '**/api/quizzes/*/invitations/resend');
  await again.getByRole('button', { name: 'Resend' }).click();
  await expect(toastOn(page)).toContainText('Failed to send invitations');
  await expect(again.getByLabel('Subject')).toHaveValue('Once more');
  await page.unrouteAll();
  await again.getByRole('button', { name: 'Resend' }).click();
  const results = page.getByRole('dialog', { name: 'Resent' });
  await expect(results.getByText('1 already completed')).toBeVisible();
  expect((await adminClient.must('listOutbox', {}))[0].subject).toBe('Once more');
  await results.getByRole('button', { name: 'Done' }).click();

  await row('waiting@').getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Revoke', exact: true }).click();
  const question = page.getByRole('alertdialog', { name: 'Revoke the invitation of 1 person?' });
  await expect(question).toContainText('Attempts in progress continue.');
  await question.getByRole('button', { name: 'Revoke' }).click();
  await expect(toastOn(page)).toContainText('Invitations revoked');
  await expect(row('waiting@')).toContainText('Revoked');

  await page.getByLabel('Search by name, email, number or group').fill('no such address');
  await expect(page.getByText('No invitation matches these filters.')).toBeVisible();
});

test('extra time and sensors are set per person, with a reason', { tag: '@long' }, async ({
  page,
}) => {
  const quiz = await adminClient.quiz('Arranged', { categoryId });
  await adminClient.invite(quiz, 'slow@example.org');
  await openList(page, quiz);
  await page.getByRole('button', { name: 'Times and devices of slow@example.org' }).click();
  const form = page.getByRole('dialog', { name: 'Times and devices' });
  await select(form, 'Extra time', 'Custom');
  await form.getByLabel('Extra time factor').fill('11');
  await form.getByRole('button', { name: 'Save accommodations' }).click();
  await expect(form.getByText('Enter a factor from 1 to 10')).toBeVisible();
  await expect(form.getByText('Give a reason')).toBeVisible();
  await form.getByLabel('Extra time factor').fill('1,5');
  await expect(form.getByText('37 minutes 30 seconds instead of 25.')).toBeVisible();
  await form.getByLabel('Use the camera').uncheck();
  await form.getByLabel('Reason').fill('As agreed');
  await form.getByRole('button', { name: 'Save accommodations' }).click();
  await expect(page.getByText('Accommodations: +50 % time, no camera')).toBeVisible();
});

test('an empty list says so', { tag: '@long' }, async ({ page }) => {
  await openList(page, await adminClient.quiz('Lonely', { categoryId }));
  await expect(page.getByText('No one has been invited to this assessment yet.')).toBeVisible();
});

async function openInvite(page: Page, quiz: PreparedQuiz): Promise<Locator> {
  await page.goto('/admin/quizzes');
  await page.getByRole('button', { name: `Invite to ${quiz.title}`, exact: true }).click();
  return page.getByRole('dialog', { name: 'Send Assessment Invitations' });
}

async function openList(page: Page, quiz: PreparedQuiz): Promise<void> {
  await page.goto('/admin/quizzes');
  await page.getByRole('button', { name: `More for ${quiz.title}`, exact: true }).click();
  await page.getByRole('menuitem', { name: 'Invitations' }).click();
  await expect(page).toHaveURL(new RegExp(`/admin/quizzes/${quiz.id}/candidates$`));
}

/** The rows of the list of invitations. */
const invited = (page: Page) =>
  page.getByRole('table', { name: 'Candidates' }).locator('tbody').getByRole('row');

const filter = (page: Page, word: string) =>
  page.locator('button[aria-pressed]', { hasText: new RegExp(`^${word}`) });

/** Spreadsheet cells as the clipboard holds them. */
async function paste(box: Locator, cells: string): Promise<void> {
  await box.evaluate((element, text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', text);
    element.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, clipboardData }));
  }, cells);
}
