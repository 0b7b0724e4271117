import type { Page } from '@playwright/test';
import { AdminByHttp, type Guest, type PreparedQuiz } from './support/admin-by-http.ts';
import { browserOf, look, type Size } from './support/album.ts';
import { Candidate } from './support/candidate.ts';
import { ADMIN, openHouse } from './support/house.ts';
import { holdSignOut } from './support/last-page.ts';
import { QUESTION_FILE, readKey } from './support/question-file.ts';
import { fillSignIn, signIn, signInAtDesk } from './support/sign-in.ts';
import { expect, test } from './support/stories.ts';
import { beginAttempt, writeAttempts } from './support/written-attempts.ts';

test.use({ database: 'screens' });
test.describe.configure({ timeout: 240_000 });

const NETWORKS = 'Network Fundamentals';
const CSV_WITH_MISTAKES = `Question,A,B,C,D,Key
What does a firewall do?,"It filters, by rules",It stores,It prints,It cools,A
Which port does SSH use?,22,23,E
Only one option,Yes,A
What is 2 + 2?,3,4,5,five
`;

let networks: PreparedQuiz;
let late: Record<Size, Guest | undefined>;

test.beforeAll(async ({ house }) => {
  const desk = await AdminByHttp.signIn(house.url);
  const operations = await desk.category('Operations', 'Everybody who works in the hall');
  const safety = await desk.category('Safety');
  networks = await desk.quiz(
    NETWORKS,
    { categoryId: operations, totalQuestions: 25, description: 'One page of notes is allowed.' },
    readKey(),
  );
  const closed = await desk.quiz('Laboratory safety, autumn', { categoryId: safety });
  const evening = await desk.quiz('Forklift refresher', { categoryId: safety, endDate: null });
  await desk.quiz('General knowledge', { categoryId: operations, totalQuestions: 40 }, []);
  const people = ['a.rahman', 'b.novak', 'c.okafor', 'd.lindqvist', 'e.papadopoulou', 'f.tanaka'];
  await writeAttempts(house.url, desk, networks, marksOf(people, [25, 22, 19, 17, 11, 0]));
  await writeAttempts(house.url, desk, closed, marksOf(people, [5, 4, 4, 3, 2, 1]));
  await writeAttempts(house.url, desk, evening, marksOf(people.slice(0, 2), [5, 3]));
  const [running] = await desk.invite(networks, 'running@example.org');
  if (running !== undefined) await beginAttempt(house.url, networks, running);
  const [desktop, phone] = await desk.invite(closed, 'late@example.org', 'later@example.org');
  late = { desktop, phone };
  await desk.change(closed, { isActive: false });
});

const mailServer = (port: number) => ({
  host: '127.0.0.1',
  port,
  username: 'invigil',
  password: 'a secret of the mail server',
  fromEmail: 'assessments@example.org',
});

const marksOf = (people: string[], marks: number[]) =>
  Object.fromEntries(people.map((name, i) => [`${name}@example.org`, marks[i] ?? 0]));

test('a platform on which nothing has happened yet', async ({ visitor }) => {
  const house = await openHouse();
  try {
    const desk = await AdminByHttp.signIn(house.url);
    const pages: [Size, Page][] = [];
    for (const size of ['desktop', 'phone'] as const) {
      const page = await visitor({ ...browserOf(size), baseURL: house.url });
      pages.push([size, page]);
      await signIn(page, ADMIN.email, ADMIN.password, '/admin/dashboard');
      await expect(page.getByText('No scorers data available')).toBeVisible();
      await look(page, size, 'dashboard-empty');
      await visit(page, size, '/admin/categories', 'No categories yet.', 'categories-empty');
      await visit(page, size, '/admin/quizzes', 'No Assessment created yet.', 'assessments-empty');
      await visit(
        page,
        size,
        '/admin/participants',
        'No participants found.',
        'participants-empty',
      );
      await visit(page, size, '/admin/settings', 'No messages yet.', 'settings-empty');
    }
    const quiz = await desk.quiz(NETWORKS, {}, []);
    await desk.invite(quiz, 'waiting@example.org', 'patient@example.org');
    for (const [size, page] of pages) {
      await visit(page, size, '/admin/settings', 'waiting@example.org', 'settings-outbox-waiting');
      await page.getByRole('button', { name: 'Open message to waiting@example.org' }).click();
      await expect(page.getByText('One-time password:')).toBeVisible();
      await look(page, size, 'outbox-message', { whole: false });
      await page.goto('/admin/quizzes');
      await page.getByRole('button', { name: `Invite to ${NETWORKS}` }).click();
      await page.getByLabel('Email addresses').fill('waiting@example.org\nnot an address');
      await page.getByRole('button', { name: 'Send Invitations' }).click();
      await expect(page.getByText('No mail server is configured yet.')).toBeVisible();
      await look(page, size, 'invite-results-without-mail', { whole: false });
    }
    await desk.must('putSmtpSettings', { body: mailServer(house.sink.port) });
    await expect.poll(() => house.sink.mails.length).toBe(2);
    for (const [size, page] of pages) {
      await visit(page, size, '/admin/settings', 'Sent', 'settings-mail-sent');
    }
  } finally {
    await house.close();
  }
});

for (const size of ['desktop', 'phone'] as const) {
  test(`the screens of administrators: ${size}`, async ({ visitor, desk, consoles }) => {
    consoles.expect(/status of 409 .*\/api\/quizzes\//);
    const page = await visitor(browserOf(size));
    await page.goto('/login');
    await look(page, size, 'login');
    await fillSignIn(page, ADMIN.email, ADMIN.password);
    await page.getByLabel('Captcha', { exact: true }).fill('00000');
    await page.getByRole('button', { name: 'Sign In', exact: true }).click();
    await expect(page.getByRole('alert')).toContainText('Invalid Captcha');
    await look(page, size, 'login-wrong-captcha', { keepToasts: true });
    await signIn(page, ADMIN.email, ADMIN.password, '/admin/dashboard');
    await expect(page.getByText('25 / 25').first()).toBeVisible();
    await look(page, size, 'dashboard');
    if (size === 'phone') {
      await page.getByRole('button', { name: 'Menu' }).click();
      await look(page, size, 'menu', { whole: false });
    }
    await categories(page, size);
    await assessments(page, size, desk);
    await questions(page, size);
    await invitations(page, size);
    await visit(page, size, '/admin/participants', 'Showing 1 to 10 of', 'participants');
    await visit(page, size, '/admin/participants?search=zz', 'Clear filters', 'participants-none');
    await visit(page, size, '/admin/settings', 'a.rahman@example.org', 'settings');
    await page.getByLabel('Host').fill('smtp.example.org:25/x');
    await page.getByRole('button', { name: 'Save SMTP Settings' }).click();
    await expect(page.getByText('Enter a password')).toBeVisible();
    await look(page, size, 'settings-errors');
    await visit(page, size, '/nowhere', '404 Page Not Found', 'not-found');
  });

  test(`records, and the dialogs of settings: ${size}`, async ({ visitor }) => {
    const page = await visitor(browserOf(size));
    await signInAtDesk(page);
    await records(page, size);
    await administration(page, size);
  });

  test(`the screens of candidates: ${size}`, async ({ visitor, desk, consoles }) => {
    consoles.expect(/net::ERR_INTERNET_DISCONNECTED/, /status of 403 .*\/api\/auth\/login$/);
    const [guest] = await desk.invite(networks, `${size}@example.org`);
    if (guest === undefined) throw new Error('one was invited');
    const candidate = new Candidate(await visitor(browserOf(size)), guest);
    await beforeTheStart(candidate, size);
    await theTest(candidate, size);
    await theMessage(candidate, desk, size);
    await theReview(candidate, size);
    await theLastMinutes(candidate, size);
    await theEnd(candidate, size);
    await notForThem(await visitor(browserOf(size)), size);
  });
}

async function visit(page: Page, size: Size, path: string, text: string, screen: string) {
  await page.goto(path);
  await expect(page.getByText(text).filter({ visible: true }).first()).toBeVisible();
  await look(page, size, screen);
}

async function categories(page: Page, size: Size) {
  await visit(page, size, '/admin/categories', 'No description provided', 'categories');
  await page.getByRole('button', { name: 'Add Category' }).click();
  await page.getByRole('button', { name: 'Create Category' }).click();
  await expect(page.getByText('Enter a name')).toBeVisible();
  await look(page, size, 'category-dialog', { whole: false });
}

async function assessments(page: Page, size: Size, desk: AdminByHttp) {
  await visit(page, size, '/admin/quizzes', NETWORKS, 'assessments');
  await page.getByRole('button', { name: 'Create New Assessment' }).click();
  await page.getByRole('button', { name: 'Create Assessment' }).click();
  const toast = page.getByRole('alert').filter({ hasText: 'Validation Error: Please fill in' });
  await expect(toast).toBeVisible();
  await look(page, size, 'assessment-create-errors', { whole: false, keepToasts: true });
  await page.goto('/admin/quizzes');
  await page.getByRole('button', { name: `Edit ${NETWORKS}` }).click();
  await look(page, size, 'assessment-edit', { whole: false });
  await page.getByLabel('Duration (minutes)').fill('');
  await page.getByRole('button', { name: 'Update Assessment' }).click();
  await expect(page.getByText('Duration must be a valid number.').first()).toBeVisible();
  await look(page, size, 'assessment-edit-errors', { whole: false });
  await page.goto('/admin/quizzes');
  await page.getByRole('button', { name: `Delete ${NETWORKS}` }).click();
  await look(page, size, 'assessment-delete', { whole: false });
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: `More for ${NETWORKS}` }).click();
  await expect(page.getByRole('menuitem', { name: 'Preview' })).toBeVisible();
  await look(page, size, 'assessment-menu', { whole: false });
  await page.getByRole('menuitem', { name: 'Preview' }).click();
  const preview = page.getByRole('dialog', { name: `Preview of ${NETWORKS}` });
  await preview.getByRole('radio').first().click();
  await preview.getByRole('button', { name: 'Flag' }).filter({ visible: true }).click();
  await preview.getByRole('button', { name: 'Next' }).filter({ visible: true }).click();
  await look(page, size, 'assessment-preview', { whole: false });
  await page.goto('/admin/quizzes');
  await page.getByRole('button', { name: `Edit ${NETWORKS}` }).click();
  await page.getByLabel('Title', { exact: true }).fill(`${NETWORKS}, second edition`);
  await desk.change(networks, { description: `One page of notes, on the ${size} too.` });
  await page.getByRole('button', { name: 'Update Assessment' }).click();
  await expect(page.getByRole('button', { name: 'Save mine instead' })).toBeVisible();
  await look(page, size, 'assessment-stale', { whole: false });
}

async function questions(page: Page, size: Size) {
  await page.goto('/admin/quizzes');
  await page.getByRole('button', { name: `Manage questions of ${NETWORKS}` }).click();
  const dialog = page.getByRole('dialog', { name: 'Manage Questions' });
  await expect(dialog.getByRole('tab', { name: 'Questions (32)' })).toBeVisible();
  await look(page, size, 'questions', { whole: false });
  await dialog.getByRole('button', { name: 'Edit question 1', exact: true }).click();
  await look(page, size, 'question-edit', { whole: false });
  await dialog.getByRole('tab', { name: 'Add Questions' }).click();
  await dialog.getByRole('button', { name: 'Add Question', exact: true }).click();
  await expect(dialog.getByText('Please enter a question')).toBeVisible();
  await look(page, size, 'questions-add', { whole: false });
  await dialog.getByLabel('Choose a CSV file').setInputFiles(QUESTION_FILE);
  const import32 = dialog.getByRole('button', { name: 'Import 32 questions' });
  await import32.scrollIntoViewIfNeeded();
  await look(page, size, 'questions-csv', { whole: false });
  await dialog.getByLabel('Choose a CSV file').setInputFiles({
    name: 'mistakes.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(CSV_WITH_MISTAKES),
  });
  await expect(dialog.getByText('Line 3: Correct answer "E" must match one')).toBeVisible();
  await dialog.getByRole('list', { name: 'Rows' }).scrollIntoViewIfNeeded();
  await look(page, size, 'questions-csv-mistakes', { whole: false });
  await page.goto('/admin/quizzes');
  await page.getByRole('button', { name: 'Manage questions of Forklift refresher' }).click();
  await dialog.getByRole('button', { name: 'Edit question 1', exact: true }).click();
  const key = size === 'desktop' ? 'A' : 'C';
  await dialog
    .getByRole('region', { name: 'Edit question 1' })
    .getByRole('radio', { name: `Option ${key} is the correct answer` })
    .click();
  await dialog.getByRole('button', { name: 'Save Question' }).click();
  const rescore = page.getByRole('dialog', { name: 'The correct answer changed' });
  await expect(rescore.getByText('2 participants have this question.')).toBeVisible();
  await look(page, size, 'rescore', { whole: false });
}

async function invitations(page: Page, size: Size) {
  await page.goto('/admin/quizzes');
  await page.getByRole('button', { name: 'Invite to General knowledge' }).click();
  const dialog = page.getByRole('dialog', { name: 'Send Assessment Invitations' });
  await dialog.getByLabel('Email addresses').fill('one@example.org\nONE@example.org\nnot one');
  await expect(dialog).toContainText('1 valid, 1 invalid, 1 duplicate');
  await look(page, size, 'invite', { whole: false });
  await dialog.getByRole('button', { name: 'Send Invitations' }).click();
  await expect(dialog.getByRole('list', { name: 'Results' })).toBeVisible();
  await look(page, size, 'invite-results', { whole: false });
  await page.goto('/admin/quizzes');
  await page.getByRole('button', { name: `More for ${NETWORKS}` }).click();
  await page.getByRole('menuitem', { name: 'Invitations' }).click();
  const list = page.getByRole('dialog', { name: 'Invitations', exact: true });
  await list.getByLabel('a.rahman@example.org', { exact: true }).check();
  await look(page, size, 'invitations', { whole: false });
  await list.getByRole('button', { name: 'Resend' }).click();
  await page.getByRole('button', { name: 'Preview message' }).click();
  await expect(page.getByRole('region', { name: 'Preview' })).toBeVisible();
  await look(page, size, 'invitations-resend', { whole: false });
}

async function records(page: Page, size: Size) {
  await page.goto('/admin/participants?search=running');
  await page.getByRole('link', { name: 'Open the record of running' }).click();
  await expect(page.getByRole('heading', { name: 'Timeline' })).toBeVisible();
  await look(page, size, 'record-running');
  await page.getByRole('button', { name: 'Give extra time' }).click();
  await page.getByRole('button', { name: 'Give Extra Time', exact: true }).last().click();
  await expect(page.getByText('Give a reason')).toBeVisible();
  await look(page, size, 'record-extend-errors', { whole: false });
  await page.goto('/admin/participants?search=d.lindqvist&sort=score');
  await page.getByRole('link', { name: 'Open the record of d.lindqvist' }).first().click();
  await page.getByRole('button', { name: 'Options of question 1', exact: true }).click();
  await page.getByLabel('For administrators').fill('Left the room twice.');
  await look(page, size, 'record-ended');
  await page.getByRole('link', { name: 'Participant Management' }).click();
  await expect(page.getByRole('alertdialog', { name: 'Discard your changes?' })).toBeVisible();
  await look(page, size, 'discard', { whole: false });
  await page.getByRole('button', { name: 'Keep editing' }).click();
  await page.getByRole('button', { name: 'Erase data' }).click();
  await look(page, size, 'record-erase', { whole: false });
}

async function administration(page: Page, size: Size) {
  await page.goto('/admin/settings');
  await page.getByRole('button', { name: 'Add Admin' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add Admin' });
  await dialog.getByRole('button', { name: 'Add Admin' }).click();
  await expect(dialog.getByText('At least 12 characters', { exact: true })).toBeVisible();
  await look(page, size, 'admin-add-errors', { whole: false });
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Change password' }).click();
  await look(page, size, 'password', { whole: false });
  await page.keyboard.press('Escape');
  await page.getByLabel('Keep monitoring data for (days)').fill('30');
  await page.getByRole('button', { name: 'Save Retention' }).click();
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await look(page, size, 'retention-shorter', { whole: false });
  await page.keyboard.press('Escape');
  await page.getByRole('searchbox', { name: 'Search the audit log' }).fill('nothing like this');
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await expect(page.getByText('No entry matches this search.')).toBeVisible();
  await look(page, size, 'audit-none');
}

async function beforeTheStart(candidate: Candidate, size: Size) {
  const { page } = candidate;
  await candidate.signIn();
  await expect(page.getByRole('heading', { name: 'Before you start' })).toBeVisible();
  await look(page, size, 'instructions', { whole: size === 'desktop' });
  await page.getByRole('button', { name: 'Start Assessment' }).click();
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await look(page, size, 'consent', { whole: false });
  await page.getByRole('button', { name: 'Accept & Continue' }).click();
  await expect(page.getByRole('button', { name: 'Start Assessment' })).toBeEnabled();
  await look(page, size, 'permissions', { whole: size === 'desktop' });
  await page.getByRole('button', { name: 'Start Assessment' }).click();
  await expect(candidate.options.first()).toBeVisible();
}

async function theTest(candidate: Candidate, size: Size) {
  const { page } = candidate;
  await look(page, size, 'assessment-fresh', { whole: false });
  for (const number of [1, 2, 3, 4, 5, 6]) {
    await candidate.options.nth(number % 2).click();
    if (number === 4 || number === 5) await candidate.action('Flag').click();
    if (number === 5) await candidate.action('Clear').click();
    await candidate.action('Next').click();
  }
  await candidate.action('Previous').click();
  await expect(candidate.saved).toHaveText(/^Saved \d/);
  await look(page, size, 'assessment-answered', { whole: false });
  if (size === 'phone') {
    await page.getByRole('button', { name: 'show all questions' }).click();
    await expect(page.getByRole('dialog', { name: 'Questions' })).toBeVisible();
    await look(page, size, 'questions-sheet', { whole: false });
    await page.getByRole('button', { name: 'Close' }).click();
  } else {
    await page.getByRole('button', { name: /^Text size/ }).click();
    await look(page, size, 'reading-menu', { whole: false });
    await page.keyboard.press('Escape');
  }
  await page.context().setOffline(true);
  await candidate.options.nth(1).click();
  await expect(candidate.saved).toHaveText('Offline: 1 change waiting');
  await look(page, size, 'assessment-offline', { whole: false });
  await page.context().setOffline(false);
  await expect(candidate.saved).toHaveText(/^Saved \d/);
}

async function theMessage({ page, guest }: Candidate, desk: AdminByHttp, size: Size) {
  const query = { quizId: networks.id, search: guest.email };
  const [row] = await desk.must('listParticipants', { query });
  const text = 'The fire alarm is a test.\nStay at your desk and go on.';
  await desk.must('sendMessage', { params: { id: row.id }, body: { text } });
  const panel = page.getByRole('region', { name: 'From the administrator' });
  await expect(panel).toBeVisible();
  await look(page, size, 'assessment-message', { whole: false });
  await panel.getByRole('button', { name: 'OK' }).click();
}

async function openReview({ page }: Candidate, size: Size) {
  if (size === 'phone') await page.getByRole('button', { name: 'show all questions' }).click();
  await page.getByRole('button', { name: 'Review & Submit' }).filter({ visible: true }).click();
  await expect(page.getByRole('heading', { name: 'Review Your Answers' })).toBeVisible();
}

async function theReview(candidate: Candidate, size: Size) {
  const { page } = candidate;
  await openReview(candidate, size);
  await look(page, size, 'review', { whole: size === 'desktop' });
  await page.getByRole('button', { name: 'Edit Answer' }).click();
  await look(page, size, 'review-edit', { whole: size === 'desktop' });
  await submitButton(page).click();
  await expect(page.getByRole('dialog', { name: 'How was your experience?' })).toBeVisible();
  await look(page, size, 'feedback', { whole: false });
  await page.getByRole('radio', { name: 'Good' }).click();
  await look(page, size, 'feedback-chosen', { whole: false });
  await page.keyboard.press('Escape');
}

const submitButton = (page: Page) =>
  page.getByRole('button', { name: /^Submit (Final )?Assessment$/ }).filter({ visible: true });

/** The page's clock is turned; the server's, which decides, is not. */
async function theLastMinutes(candidate: Candidate, size: Size) {
  const { page } = candidate;
  await page.clock.install();
  await page.goto('/quiz/assessment');
  await expect(page.getByText('This assessment runs in fullscreen')).toBeVisible();
  await look(page, size, 'fullscreen-panel', { whole: false });
  for (const [screen, secondsLeft] of [
    ['timer-quarter', 330],
    ['timer-tenth', 90],
  ] as const) {
    // Each time anew: after a jump the page asks the server, and no longer counts from there.
    await page.goto('/quiz/assessment');
    await page.getByRole('button', { name: 'Return to fullscreen' }).click();
    const shown = (await page.getByRole('timer').textContent()) ?? '';
    const [minutes = 0, seconds = 0] = shown.split(':').map(Number);
    await page.clock.fastForward((minutes * 60 + seconds - secondsLeft) * 1_000);
    await expect(page.getByRole('timer')).toHaveText(/^0[15]:/);
    await look(page, size, screen, { whole: false });
  }
}

async function theEnd(candidate: Candidate, size: Size) {
  const { page, guest } = candidate;
  await openReview(candidate, size);
  await submitButton(page).click();
  const letGo = await holdSignOut(page);
  await page.getByRole('button', { name: 'Skip Feedback' }).click();
  await expect(page.getByRole('heading', { name: 'Assessment Completed!' })).toBeVisible();
  await look(page, size, 'thank-you');
  await page.getByRole('button', { name: 'Save as file' }).click();
  await expect(page.getByRole('button', { name: 'Return to Login' })).toBeVisible();
  await look(page, size, 'thank-you-held');
  letGo();
  await page.getByRole('button', { name: 'Return to Login' }).click();
  await expect(page).toHaveURL('/login');
  await fillSignIn(page, guest.email, guest.code);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page).toHaveURL('/assessment-completed');
  await look(page, size, 'already-completed');
  await visit(page, size, '/receipt', 'Check a receipt', 'receipt');
  await page.getByLabel('Receipt', { exact: true }).fill('no receipt');
  await page.getByRole('button', { name: 'Check receipt' }).click();
  await expect(page.getByText('This is not a receipt of ours.')).toBeVisible();
  await look(page, size, 'receipt-forged');
}

async function notForThem(page: Page, size: Size) {
  const guest = late[size];
  await signIn(page, guest?.email ?? '', guest?.code ?? '', '/quiz/expired');
  await visit(page, size, '/admin', 'Unauthorized', 'unauthorized');
  await holdSignOut(page);
  await visit(page, size, '/quiz/expired', 'Assessment Expired', 'expired');
}
