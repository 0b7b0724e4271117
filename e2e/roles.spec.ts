import { readFileSync } from 'node:fs';
import type { Role } from '@invigil/core/domain/rights';
import { HttpPerson } from '@invigil/testkit/running-server';
import { workbookRows } from '@invigil/testkit/workbook-rows';
import type { Download, Page } from '@playwright/test';
import { AdminClient, type PreparedQuiz } from './support/admin-client.ts';
import { toastOn } from './support/controls.ts';
import { expect, test } from './support/e2e-test.ts';
import { mailServer } from './support/server-settings.ts';
import { signIn, signInAsAdmin } from './support/sign-in.ts';
import { beginAttempts, submit } from './support/written-attempts.ts';

test.use({ database: 'roles' });

const PASSWORD = 'granite lantern otter';
/** Candidates of the assessment that the colleagues have roles in; one has finished and one is at it. */
const DONE = {
  ...{ email: 'zsofia.nagy@example.org', givenName: 'Zsófia', familyName: 'Nagy' },
  ...{ externalId: 'MX-77201', groups: ['Cohort Qq'] },
};
const AT_IT = {
  ...{ email: 'mehmet.yildiz@example.org', givenName: 'Mehmet', familyName: 'Yıldız' },
  ...{ externalId: 'MX-77202', groups: ['Cohort Qq'] },
};
const ELSEWHERE = 'elsewhere@example.org';
const MARKS = [DONE, AT_IT].flatMap((one) => Object.values(one).flat()).concat(ELSEWHERE);
/** The points of the finished attempt: five questions of 6.25 points. */
const POINTS = '31.25';

let adminClient: AdminClient;
let own: PreparedQuiz;
let other: PreparedQuiz;

test.beforeAll(async ({ testServer }) => {
  adminClient = await AdminClient.signIn(testServer.url);
  own = await adminClient.quiz('Fire safety');
  other = await adminClient.quiz('First aid');
  const bank: { id: string }[] = await adminClient.must('listQuestions', {
    params: { id: own.id },
  });
  for (const { id } of bank) {
    const { definition } = await adminClient.must('getBankQuestion', { params: { id } });
    const body = { definition: { ...definition, points: 6.25 } };
    await adminClient.must('changeBankQuestion', { params: { id }, body });
  }
  await adminClient.must('importPeople', { body: { people: [DONE, AT_IT], dryRun: false } });
  const [done] = await beginAttempts(adminClient, own, DONE.email, AT_IT.email);
  await beginAttempts(adminClient, other, ELSEWHERE);
  if (done === undefined) throw new Error('two began');
  const answers = done.questions.map(({ id, question }) => ({
    questionId: id,
    selectedOption: own.questions.find((one) => one.question === question)?.correctAnswer,
    revision: 1,
  }));
  expect((await submit(done, answers)).status).toBe(200);
  expect(JSON.stringify(await adminClient.attempts(own))).toContain(`"points":${POINTS}`);
});

/** A colleague with roles in the first assessment, signed in; returns what the browser receives. */
async function openAs(page: Page, ...roles: Role[]): Promise<{ all(): Promise<string> }> {
  const email = `${roles.join('-')}@staff.example.org`;
  const grants = roles.map((role) => ({ role, quizId: own.id }));
  await adminClient.must('createAdmin', { body: { email, password: PASSWORD, grants } });
  const bodies: Promise<string>[] = [];
  page.on('response', (response) => {
    if (!response.url().includes('/api/')) return;
    // A stream has no end; what it sends is read by the test of the server.
    if (response.headers()['content-type']?.startsWith('text/event-stream')) return;
    bodies.push(response.text().catch(() => ''));
  });
  await signIn(page, email, PASSWORD, '/admin/dashboard');
  return { all: async () => (await Promise.all(bodies)).join('\n') };
}

const shown = (page: Page) => page.locator('body').textContent().then(String);
const tabs = (page: Page) => page.getByRole('navigation', { name: own.title }).getByRole('link');

test('an author edits questions, and sees no person, no score and no other assessment', {
  tag: '@long',
}, async ({ page, consoles }) => {
  // The assessment of others.
  consoles.expect(/404 \(Not Found\)/);
  const received = await openAs(page, 'author');
  const screens: string[] = [];
  const see = async (path: string, text: string | RegExp) => {
    await page.goto(path);
    await expect(page.getByText(text).filter({ visible: true }).first()).toBeVisible();
    screens.push(await shown(page));
  };
  await see('/admin/dashboard', 'may see the candidates');
  await see('/admin/quizzes', own.title);
  await expect(page.getByText(other.title)).toHaveCount(0);
  await see(`/admin/quizzes/${own.id}`, 'may see the candidates');
  await expect(tabs(page)).toHaveText(['Overview', 'Questions', 'Settings']);
  await see(`/admin/quizzes/${own.id}/results`, 'may see the results');
  await see(`/admin/quizzes/${own.id}/candidates`, 'may see the candidates');
  await see('/admin/participants', 'may read attempts');
  await see(`/admin/quizzes/${other.id}`, 'This assessment does not exist or was deleted.');
  await see('/admin/questions', 'Which layer routes packets between networks?');

  await page
    .getByRole('link', { name: /^Which layer routes packets/ })
    .first()
    .click();
  await page.locator('[data-field="question"]').fill('Which layer carries packets?');
  await page.keyboard.press('Control+s');
  await expect(page.getByText(/^Saved \d\d:\d\d$/)).toBeVisible();
  screens.push(await shown(page));

  const all = [...screens, await received.all()].join('\n');
  expect([...MARKS, POINTS].filter((mark) => all.includes(mark))).toEqual([]);
  expect(screens.join('\n')).not.toMatch(/Average Score|Top Scorers/);
});

test('a tutor sees one exam, and on the board only its people', { tag: '@long' }, async ({
  page,
}) => {
  await openAs(page, 'invigilator', 'reviewer');
  await page.goto('/admin/quizzes');
  await expect(page.getByText(own.title).filter({ visible: true }).first()).toBeVisible();
  await expect(page.getByText(other.title)).toHaveCount(0);
  await page
    .getByRole('link', { name: /^Live now/ })
    .first()
    .click();
  const person = page.getByRole('button', { name: 'Mehmet Yıldız' });
  await expect(person.or(page.getByText(AT_IT.email)).first()).toBeVisible();
  await expect(page.getByText(ELSEWHERE)).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Live now 1 in progress' })).toBeVisible();
});

test('an invigilator prints one-time passwords, and nowhere is a score', { tag: '@long' }, async ({
  page,
  testServer,
}) => {
  await page.addInitScript(() => {
    window.print = () => undefined;
  });
  const received = await openAs(page, 'invigilator');
  const screens = [await shown(page)];
  await page.goto(`/admin/quizzes/${own.id}/candidates`);
  await expect(tabs(page)).toHaveText(['Overview', 'Candidates']);
  await page.getByRole('checkbox', { name: 'Mehmet Yıldız' }).check();
  screens.push(await shown(page));
  await page.getByRole('button', { name: 'One-time passwords' }).click();
  await page.getByRole('button', { name: 'Print slips' }).click();
  const slip = page.locator('[data-paper] section');
  await expect(slip).toContainText('Mehmet Yıldız');
  const code = /\w{5}-\w{5}-\w{5}/.exec((await slip.textContent()) ?? '')?.[0] ?? '';
  await new HttpPerson(testServer.url).signIn(AT_IT.email, code);
  const file = await saved(page, () => page.getByRole('button', { name: 'Download list' }).click());
  screens.push(readFileSync(await file.path(), 'utf8'));

  await page.goto(`/admin/quizzes/${own.id}`);
  await expect(page.getByText('Latest activity')).toBeVisible();
  screens.push(await shown(page));
  await page.goto('/admin/participants');
  await expect(page.getByText('may read attempts')).toBeVisible();

  const texts = await received.all();
  expect(texts).toContain(DONE.email);
  expect(texts).not.toMatch(/"(?:score|points|averageScore)":[1-9]/);
  expect([...screens, texts].join('\n')).not.toContain(POINTS);
});

test('an analyst reads figures and exports reports without a byte about a person', {
  tag: '@long',
}, async ({ page }) => {
  const received = await openAs(page, 'analyst');
  await expect(page.getByRole('region', { name: 'Results' })).toBeVisible();
  const screens = [await shown(page)];
  await page.goto('/admin/quizzes');
  await page.getByRole('link', { name: own.title }).first().click();
  await expect(tabs(page)).toHaveText(['Overview', 'Results']);
  screens.push(await shown(page));
  await tabs(page).nth(1).click();
  await expect(page.getByText('may read single attempts')).toBeVisible();
  // They come last, above the reports: an open menu would move out of sight with its button.
  await expect(page.getByText('Too few attempts')).toBeVisible();
  screens.push(await shown(page));
  const entry = async (name: string) => {
    await page.getByRole('button', { name: 'More reports' }).click();
    await page.getByRole('menuitem', { name }).click();
  };
  for (const name of ['CSV (.csv)', 'With a column per question', 'Excel (.xlsx)']) {
    const file = await saved(page, () => entry(name));
    const bytes = readFileSync(await file.path());
    const isCsv = file.suggestedFilename().endsWith('.csv');
    const text = isCsv ? bytes.toString() : JSON.stringify(await workbookRows(bytes));
    expect([isCsv, text.includes(POINTS)]).toEqual([name !== 'Excel (.xlsx)', true]);
    screens.push(text, file.suggestedFilename());
  }
  const all = [...screens, await received.all()].join('\n');
  expect(all).toContain(own.title);
  expect(MARKS.filter((mark) => all.includes(mark))).toEqual([]);
});

test('a colleague is invited by mail, sets a password once, and sees that assessment', async ({
  page,
  visitor,
  testServer,
  consoles,
}) => {
  consoles.expect(/status of 401 .*\/api\/auth\/password-reset$/);
  await adminClient.must('putSmtpSettings', { body: mailServer(testServer.sink.port) });
  await signInAsAdmin(page);
  await page.goto(`/admin/quizzes/${own.id}/team`);
  await page.getByRole('button', { name: 'Invite a colleague' }).click();
  const dialog = page.getByRole('dialog', { name: 'Invite a colleague' });
  await dialog.getByLabel('Email').fill('new.colleague@example.org');
  await dialog.getByLabel('Name').fill('Nino Beridze');
  await dialog.getByRole('checkbox', { name: 'Reviewer', exact: true }).check();
  await dialog.getByRole('button', { name: 'Invite' }).click();
  await expect(toastOn(page)).toContainText('Roles given');
  const row = page.getByRole('list', { name: 'Team' }).getByRole('listitem');
  await expect(row.filter({ hasText: 'Nino Beridze' })).toContainText('Reviewer');

  const arrived = () =>
    testServer.sink.mails.find(({ to }) => to.includes('new.colleague@example.org'));
  await expect.poll(arrived).toBeTruthy();
  const link = /\/reset-password#\S+/.exec(arrived()?.mail.text ?? '')?.[0] ?? '';
  const colleague = await visitor();
  const setPassword = async () => {
    await colleague.goto('about:blank');
    await colleague.goto(link);
    await expect(colleague.getByRole('heading', { name: 'Set your password' })).toBeVisible();
    await colleague.getByLabel('New password').fill(PASSWORD);
    await colleague.getByRole('button', { name: 'Set password' }).click();
  };
  await setPassword();
  const onward = colleague.getByRole('link', { name: 'Sign in with it' });
  await expect(onward).toHaveAttribute('href', `/admin/quizzes/${own.id}`);
  await setPassword();
  await expect(toastOn(colleague)).toContainText('Link not valid');

  await signIn(colleague, 'new.colleague@example.org', PASSWORD, '/admin/dashboard');
  await colleague.goto('/admin/quizzes');
  await expect(colleague.getByText(own.title).filter({ visible: true }).first()).toBeVisible();
  await expect(colleague.getByText(other.title)).toHaveCount(0);
  await colleague.goto('/admin/participants');
  await expect(colleague.getByText('Showing 1 to 2 of 2 entries')).toBeVisible();
});

/** The file that something downloads. */
async function saved(page: Page, start: () => Promise<void>): Promise<Download> {
  const arrives = page.waitForEvent('download');
  await start();
  return arrives;
}
