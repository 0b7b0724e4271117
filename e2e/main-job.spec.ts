import { setTimeout as passes } from 'node:timers/promises';
import { codeIn } from '@invigil/testkit/made-quiz';
import { inForm } from '@invigil/testkit/test-form';
import type { Locator, Page } from '@playwright/test';
import { Candidate } from './support/candidate.ts';
import { codeIsHere } from './support/code-is-here.ts';
import { download, select } from './support/controls.ts';
import { expect, test } from './support/e2e-test.ts';
import { holdSignOut, readLastPage } from './support/last-page.ts';
import { parseCsv, QUESTION_FILE, readKey } from './support/question-file.ts';
import { ADMIN } from './support/server-settings.ts';
import { fillSignIn, signIn } from './support/sign-in.ts';
import type { TestServer } from './support/test-server.ts';

test.use({ database: 'main job' });

const TITLE = 'Networks, safety & "general" knowledge';
/** The long form has two people at once: the detectors of one take as much processor time as all else. */
const PEOPLE = inForm({
  short: ['mira@example.org'],
  long: ['mira@example.org', 'theo@example.org'],
});
/** How many questions each gets, after how many the page is reloaded, and their scores. */
const { ASKED, BEFORE_RELOAD, SCORES } = inForm({
  short: { ASKED: 10, BEFORE_RELOAD: 4, SCORES: [8] },
  long: { ASKED: 30, BEFORE_RELOAD: 12, SCORES: [22, 15] },
});
/** How long one candidate has no network, milliseconds; in real time. */
const OUTAGE_MS = 20_000;

const KEY = new Map(readKey().map((row) => [row.question, row]));

test('the main job: from an empty platform to two correct scores in the report', async ({
  page: admin,
  visitor,
  testServer,
  consoles,
}) => {
  await signIn(admin, ADMIN.email, ADMIN.password, '/admin/dashboard');
  await addCategory(admin);
  await createAssessment(admin);
  await uploadQuestions(admin);
  await configureMail(admin, testServer.sink.port);
  const codes = await invite(admin, testServer, PEOPLE);

  const sittings = await Promise.all(
    codes.map(async (guest) => new Sitting(await visitor(), guest)),
  );
  const [mira, theo] = sittings;
  if (mira === undefined) throw new Error('no one was invited');
  // The connection that is cut, as the browser logs it; the second for files still being copied.
  consoles.expect(/net::ERR_INTERNET_DISCONNECTED/, /net::ERR_FAILED .*\/assets\//);
  await Promise.all([sitWithReload(mira), theo && sitWithOutage(theo)]);

  await resultsAreRight(admin, sittings);
  consoles.expect(/status of 403 .*\/api\/auth\/login$/);
  await onceOnly(mira.page, mira.guest);
});

async function addCategory(page: Page) {
  await page.getByRole('link', { name: 'Categories' }).click();
  await page.getByRole('button', { name: 'Add Category' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Add Category' });
  await dialog.getByLabel('Name').fill('Operations');
  await dialog.getByLabel('Description').fill('All in the machine room');
  await dialog.getByRole('button', { name: 'Create category' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('article', { name: 'Operations' })).toContainText(
    'All in the machine room',
  );
}

async function createAssessment(page: Page) {
  await page.getByRole('link', { name: 'Assessments' }).click();
  await expect(
    page.getByText('No Assessment created yet. Create your first Assessment to get started.'),
  ).toBeVisible();
  await page.getByRole('button', { name: 'Create New Assessment' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Create New Assessment' });
  await dialog.getByLabel('Title').fill(TITLE);
  await select(dialog, 'Category', 'Operations');
  await expect(dialog.getByLabel('Duration (minutes)')).toHaveValue('25');
  await dialog.getByLabel('Total Questions').fill(String(ASKED));
  await dialog.getByRole('textbox', { name: 'End Date' }).fill('2035-06-15T18:00');
  await dialog.getByRole('button', { name: 'Create Assessment' }).click();
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL(/\/admin\/quizzes\/[-0-9a-f]+\/questions$/);
  await expect(page.getByRole('heading', { level: 1, name: TITLE })).toBeVisible();
  await page.goto('/admin/quizzes');
  const row = page.getByRole('row', { name: TITLE });
  await expect(row.getByRole('cell').nth(1)).toHaveText('Operations');
  await expect(row).toContainText('25 min');
  await expect(row).toContainText('15 Jun 2035, 18:00');
  await expect(row).toContainText('Active');
}

async function uploadQuestions(page: Page) {
  await page.getByRole('button', { name: `Manage questions of ${TITLE}` }).click();
  const dialog = page.getByRole('dialog', { name: 'Manage Questions' });
  await dialog.getByRole('tab', { name: 'Add Questions' }).click();
  await dialog.getByLabel('Select a CSV file').setInputFiles(QUESTION_FILE);

  const preview = dialog.getByRole('region', { name: 'Review of general-knowledge.csv' });
  await expect(preview).toBeFocused();
  await expect(preview.getByRole('status').first()).toBeInViewport();
  await expect(preview).toContainText(`CSV, ${KEY.size} questions. Nothing is stored yet.`);
  const rows = preview.getByRole('list', { name: 'Questions of the file' }).locator(':scope > li');
  await expect(rows).toHaveCount(KEY.size);
  const [firstText = ''] = KEY.keys();
  await expect(rows.first()).toContainText(firstText);
  await expect(rows.first()).toContainText('Names into addresses, and back');
  await expect(dialog.getByRole('tab', { name: 'Questions (0)' })).toBeVisible();

  await preview.getByRole('button', { name: `Import ${KEY.size} questions` }).click();
  await expect(dialog.getByRole('tab', { name: `Questions (${KEY.size})` })).toBeVisible();
  await expect(dialog).toContainText(
    `Each candidate gets ${ASKED} of these ${KEY.size} questions, in random order.`,
  );
  for (const { question, correctAnswer } of KEY.values()) {
    const item = dialog.getByRole('listitem').filter({ hasText: question }).first();
    await expect(item).toContainText(`${correctAnswer}, correct answer`);
  }
  await dialog.getByRole('button', { name: 'Done' }).click();
}

async function configureMail(page: Page, port: number) {
  await page.getByRole('link', { name: 'Settings' }).click();
  await expect(page.getByText('Not Configured')).toBeVisible();
  const card = page.locator('form').filter({ has: page.getByLabel('Host') });
  await expect(card.getByLabel('Port')).toHaveValue('587');
  await card.getByLabel('Host').fill('127.0.0.1');
  await card.getByLabel('Port').fill(String(port));
  await card.getByLabel('Username').fill('invigil');
  await card.getByLabel('Password', { exact: true }).fill('a secret of the mail server');
  await card.getByLabel('From Email').fill('assessments@example.org');
  await card.getByRole('button', { name: 'Save SMTP settings' }).click();
  await expect(page.getByText('SMTP settings updated')).toBeVisible();
  await expect(page.getByText('Configured', { exact: true })).toBeVisible();
}

async function invite(page: Page, testServer: TestServer, emails: string[]) {
  await page.getByRole('link', { name: 'Assessments' }).click();
  await page.getByRole('button', { name: `Invite to ${TITLE}` }).click();
  const dialog = page.getByRole('dialog', { name: 'Send Assessment Invitations' });
  await dialog.getByLabel('Email addresses').fill(`${emails.join('\n')}\nnot an address\n`);
  await expect(dialog).toContainText(`${emails.length} valid, 1 invalid, 0 duplicate`);
  await dialog.getByRole('button', { name: 'Send Invitations' }).click();
  const results = dialog.getByRole('list', { name: 'Results' }).getByRole('listitem');
  await expect(results).toHaveCount(emails.length + 1);
  for (const email of emails) {
    await expect(results.filter({ hasText: email })).toContainText(/Queued|Sending|Sent/);
  }
  await expect(results.filter({ hasText: 'not an address' })).toContainText('Invalid');
  await dialog.getByRole('button', { name: 'Done' }).click();

  const { mails } = testServer.sink;
  await expect.poll(() => mails.flatMap((mail) => mail.to).sort()).toEqual([...emails].sort());
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('link', { name: 'Outbox' }).click();
  for (const email of emails) {
    const message = page.getByRole('list', { name: 'Messages' }).getByRole('listitem');
    await expect(message.filter({ hasText: email })).toContainText('Sent');
  }
  return emails.map((email) => {
    const { mail, from } = mails.find(({ to }) => to.includes(email)) ?? {};
    const text = mail?.text ?? '';
    expect(from).toBe('assessments@example.org');
    expect(mail?.subject).toBe(`Your assessment: ${TITLE}`);
    expect(text).toContain(`Sign in at:        ${testServer.url}/login`);
    expect(text).toContain('Duration:          25 minutes');
    expect(text).toContain('Friday, 15 June 2035 at 18:00 (Europe/Berlin, GMT+2)');
    const code = codeIn(text);
    expect(mail?.html).toContain(code);
    return { email, code };
  });
}

/** One candidate's attempt, and what was selected in it by question text. */
class Sitting extends Candidate {
  secondsTaken = 0;
  readonly selected = new Map<string, string>();
  /** Question and options by position, as first shown. */
  readonly paper = new Map<number, [question: string, ...options: string[]]>();

  /** Answers the question on the screen, by the key or against it. */
  async answer(right: boolean): Promise<void> {
    const question = await this.questionText();
    const keyed = KEY.get(question);
    if (keyed === undefined) throw new Error(`not in the file: ${question}`);
    const options = await this.optionTexts();
    expect([...options].sort()).toEqual([...keyed.options].sort());
    const wrong = options.find((option) => option !== keyed.correctAnswer) ?? '';
    const text = right ? keyed.correctAnswer : wrong;
    await this.select(text);
    this.selected.set(question, text);
  }

  /** Answers these positions in order, right or wrong. */
  async answerAll(positions: number[], isRight: (position: number) => boolean): Promise<void> {
    for (const position of positions) {
      await this.go(position);
      this.paper.set(position, [await this.questionText(), ...(await this.optionTexts())]);
      await this.answer(isRight(position));
    }
  }

  get score(): number {
    return [...this.selected].filter(([q, text]) => KEY.get(q)?.correctAnswer === text).length;
  }

  async expectCounts(answered: number, flagged: number): Promise<void> {
    const counts = this.page.getByRole('complementary', { name: 'Questions' }).locator('dl');
    await expect(counts).toHaveText(
      `Answered${answered}Flagged${flagged}Remaining${ASKED - answered}`,
    );
  }

  async review(): Promise<void> {
    await this.page.getByRole('button', { name: 'Review & Submit' }).click();
    await expect(this.page).toHaveURL('/quiz/review');
    await expect(this.page.getByRole('heading', { name: 'Review Your Answers' })).toBeVisible();
  }

  /** Submits, then checks the content of the last page and how it ends. */
  async submit(button: Locator, answered: number): Promise<void> {
    const { page } = this;
    const letGo = await holdSignOut(page);
    await button.click();
    await expect(page).toHaveURL('/quiz/thankyou');
    const { lines, facts } = await readLastPage(page, 'Assessment Completed!');
    expect(lines).toContain('Thank you, we will get back to you shortly.');
    expect(lines).toContain('Assessment Summary');
    expect(lines).toContain('You can now close this window.');
    expect(lines.join('\n')).toMatch(/^This window will automatically close in [0-5] seconds\.$/m);
    expect(facts).toMatchObject({
      'Questions Answered': `${answered} of ${ASKED}`,
      'Total Questions': `${ASKED}`,
      'Time Taken': expect.stringMatching(/^\d+ minutes? \d+ seconds?$/),
      Violations: '0',
    });
    const [minutes = 0, seconds = 0] = (facts['Time Taken'] ?? '').match(/\d+/g)?.map(Number) ?? [];
    this.secondsTaken = minutes * 60 + seconds;
    letGo();
    await expect(page).toHaveURL('/login');
    expect(await page.evaluate(() => localStorage.length)).toBe(0);
  }
}

const upTo = (n: number, from = 1) => Array.from({ length: n - from + 1 }, (_, i) => from + i);

async function startSitting(sitting: Sitting) {
  const { page } = sitting;
  await sitting.signIn();
  await expect(page.getByText('25 minutes')).toBeVisible();
  await expect(page.getByText('Maximum 3', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Start Assessment' }).click();
  const consent = page.getByRole('alertdialog', { name: 'Your consent to monitoring' });
  await expect(consent.getByRole('region', { name: 'What you agree to' })).toBeFocused();
  await consent.getByRole('button', { name: 'Accept & Continue' }).click();
  for (const device of ['Camera', 'Microphone']) {
    await expect(page.getByRole('region', { name: device })).toContainText('Granted');
  }
  await page.getByRole('button', { name: 'Start Assessment' }).click();
  await expect(page).toHaveURL('/quiz/assessment');
  await expect(page.getByText(`Question 1 of ${ASKED}`)).toBeVisible();
  await expect(page.getByRole('timer')).toHaveText(/^2[45]:\d\d$/);
  await expect(page.getByRole('list', { name: 'Monitoring' })).toContainText('Violations: 0/3');
  await expect(
    page.getByRole('complementary', { name: 'Questions' }).locator('video'),
  ).toHaveJSProperty('paused', false);
  await sitting.expectCounts(0, 0);
}

/** Answers, reloads in the middle, changes an answer in the review, gives feedback. */
async function sitWithReload(sitting: Sitting) {
  const { page } = sitting;
  await startSitting(sitting);
  await sitting.answerAll(upTo(BEFORE_RELOAD), (position) => position % 3 !== 0);
  await sitting.action('Flag').click();
  await expect(sitting.bubble(BEFORE_RELOAD)).toHaveAccessibleName(
    `Question ${BEFORE_RELOAD}, marked for review, answered`,
  );
  await expect(sitting.saved).toHaveText(/^Saved \d\d:\d\d:\d\d$/);

  await page.reload();
  await page.getByRole('button', { name: 'Return to fullscreen' }).click();
  await expect(page.getByText(`Question ${BEFORE_RELOAD} of ${ASKED}`)).toBeVisible();
  await sitting.expectCounts(BEFORE_RELOAD, 1);
  for (const [position, [question, ...options]] of sitting.paper) {
    await sitting.go(position);
    expect(await sitting.questionText()).toBe(question);
    expect(await sitting.optionTexts()).toEqual(options);
    await expect(sitting.option(sitting.selected.get(question) ?? '')).toBeChecked();
  }

  await sitting.answerAll(upTo(ASKED - 1, BEFORE_RELOAD + 1), (position) => position % 4 !== 0);
  await sitting.action('Clear').click();
  sitting.selected.delete(await sitting.questionText());
  const last = ASKED - 1;
  await expect(sitting.bubble(last)).toHaveAccessibleName(`Question ${last}, not attempted`);
  await sitting.action('Next').click();
  await sitting.answer(true);
  await sitting.expectCounts(last, 1);

  await sitting.review();
  await expect(page.getByText(`${last} of ${ASKED} questions answered`)).toBeVisible();
  await expect(page.getByText('1 question is flagged and 1 is unanswered.')).toBeVisible();
  await expect(sitting.bubble(last)).toHaveAccessibleName(`Question ${last}, unanswered`);
  await sitting.go(last);
  const card = page.getByRole('region', { name: `Question ${last}` });
  await expect(card).toContainText('Not Answered');
  await expect(sitting.options.first()).toBeDisabled();
  await card.getByRole('button', { name: 'Edit Answer' }).click();
  const question = (await card.getByRole('heading').textContent()) ?? '';
  const right = KEY.get(question)?.correctAnswer ?? '';
  await sitting.select(right);
  sitting.selected.set(question, right);
  await expect(card.getByRole('button', { name: 'Cancel' })).toBeVisible();
  await expect(page.getByText(`${ASKED} of ${ASKED} questions answered`)).toBeVisible();

  await page.getByRole('button', { name: 'Submit Final Assessment' }).click();
  const dialog = page.getByRole('dialog', { name: 'How was your experience?' });
  await expect(dialog.getByRole('button', { name: 'Submit Assessment' })).toBeDisabled();
  await dialog.getByRole('radio', { name: 'Good' }).click();
  await sitting.submit(dialog.getByRole('button', { name: 'Submit Assessment' }), ASKED);
}

/** Loses the network, keeps answering, leaves some open, skips the feedback. */
async function sitWithOutage(sitting: Sitting) {
  const { page } = sitting;
  await startSitting(sitting);
  await sitting.answerAll(upTo(8), () => true);
  await expect(sitting.saved).toHaveText(/^Saved \d\d:\d\d:\d\d$/);
  await codeIsHere(page);

  await page.context().setOffline(true);
  const cut = performance.now();
  await sitting.answerAll(upTo(16, 9), (position) => position < 12);
  await sitting.action('Flag').click();
  await expect(sitting.saved).toHaveText('Offline: 8 changes waiting');
  await sitting.expectCounts(16, 1);
  await passes(Math.max(0, OUTAGE_MS - (performance.now() - cut)));
  await expect(sitting.saved).toHaveText('Offline: 8 changes waiting');
  await page.context().setOffline(false);
  await expect(sitting.saved).toHaveText(/^Saved \d\d:\d\d:\d\d$/);

  await sitting.answerAll(upTo(25, 17), (position) => position % 2 === 0);
  await sitting.expectCounts(25, 1);
  await sitting.review();
  await expect(page.getByText(`25 of ${ASKED} questions answered`)).toBeVisible();
  await page.getByRole('button', { name: 'Submit Final Assessment' }).click();
  await sitting.submit(page.getByRole('button', { name: 'Skip Feedback' }), 25);
}

/** List and report agree with the key, the selections and each other. */
async function resultsAreRight(page: Page, sittings: Sitting[]) {
  await page.getByRole('link', { name: 'Participants' }).click();
  const filter = page.getByRole('combobox', { name: 'Assessment' });
  await expect(filter).toHaveText('All Assessments');
  await filter.click();
  await page.getByRole('option', { name: TITLE }).click();
  // The same two rows are listed without a filter: only the label shows that the filter applies.
  await expect(filter).toHaveText(TITLE);
  await expect(page.getByText(`Showing 1 to ${PEOPLE.length} of ${PEOPLE.length}`)).toBeVisible();
  const report = await download(page.getByRole('button', { name: 'Download report' }));
  expect(report.name).toMatch(/^participants_report_quiz_\d{8}-\d{6}\.csv$/);
  const [head = [], ...lines] = parseCsv(report.text);
  expect(lines).toHaveLength(sittings.length);

  for (const sitting of sittings) {
    const { email } = sitting.guest;
    const cells = page.getByRole('row', { name: email }).getByRole('cell');
    await expect(cells.first()).toBeVisible();
    const [participant = '', assessment, status, score, marks, violations, time] =
      await cells.allTextContents();
    const startedAt = await cells.locator('time').getAttribute('datetime');
    expect([assessment, status, score, marks]).toEqual([
      TITLE,
      'Completed',
      String(sitting.score),
      String(ASKED),
    ]);
    const spent = sitting.secondsTaken;
    expect(time).toBe(`${Math.floor(spent / 60)}m ${spent % 60}s`);
    expect(violations).toContain('0/3');

    const line = lines.find(([who]) => who === email) ?? [];
    const reported = Object.fromEntries(head.map((name, i) => [name, line[i]]));
    expect(participant).toBe(`${email}${reported['Participant Id']?.slice(-8)}`);
    expect(reported).toEqual({
      Participant: email,
      'Participant Id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      Assessment: TITLE,
      Status: 'completed',
      Score: String(sitting.score),
      'Total Marks': String(ASKED),
      Violations: '0',
      'Time Spent (s)': String(spent),
      'Started At': startedAt,
      'Submitted At': expect.any(String),
      'Submission Type': 'manual',
      'Started At (Europe/Berlin)': expect.stringMatching(/^[-\d]{10} [:\d]{8}$/),
      'Submitted At (Europe/Berlin)': expect.stringMatching(/^[-\d]{10} [:\d]{8}$/),
    });
    const between =
      Date.parse(reported['Submitted At'] ?? '') - Date.parse(reported['Started At'] ?? '');
    expect(Math.abs(between / 1_000 - spent)).toBeLessThanOrEqual(1);
  }
  expect(sittings.map((sitting) => sitting.score)).toEqual(SCORES);
}

/** The same code again. */
async function onceOnly(page: Page, guest: { email: string; code: string }) {
  await expect(page).toHaveURL('/login');
  await fillSignIn(page, guest.email, guest.code);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page).toHaveURL('/assessment-completed');
  await expect(
    page.getByRole('heading', { name: 'You have already completed your assessment' }),
  ).toBeVisible();
  await expect(page.getByText('Under Review')).toBeVisible();
}
