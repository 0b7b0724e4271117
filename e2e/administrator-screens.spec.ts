import type { Page } from '@playwright/test';
import { STRICT_POLICY } from '../core/src/domain/violations/violation-policy.ts';
import { AdminClient, type PreparedQuiz } from './support/admin-client.ts';
import { textFile } from './support/controls.ts';
import { expect, test } from './support/e2e-test.ts';
import { keepFile } from './support/in-languages.ts';
import { QUESTION_FILE, readKey } from './support/question-file.ts';
import { ADMIN_SIZES, browserOf, checkScreen, type Size, visit } from './support/screen-checks.ts';
import { ADMIN } from './support/server-settings.ts';
import { fillSignIn, signIn, signInAsAdmin } from './support/sign-in.ts';
import { beginAttempt, writeAttempts } from './support/written-attempts.ts';

test.use({ database: 'screens' });
/* The longest file: its name sorts first, so that it starts first. */

const NETWORKS = 'Network Fundamentals';
const CSV_WITH_MISTAKES = `Question,A,B,C,D,Key
What does a firewall do?,"It filters, by rules",It stores,It prints,It cools,A
Which port does SSH use?,22,23,E
Only one option,Yes,A
What is 2 + 2?,3,4,5,five
`;

let networks: PreparedQuiz;

test.beforeAll(async ({ testServer }) => {
  const adminClient = await AdminClient.signIn(testServer.url);
  const operations = await adminClient.category('Operations', 'All in the machine room');
  const safety = await adminClient.category('Safety');
  networks = await adminClient.quiz(
    NETWORKS,
    {
      categoryId: operations,
      totalQuestions: 25,
      description: 'One page of notes is allowed.',
      policy: STRICT_POLICY,
    },
    readKey(),
  );
  const closed = await adminClient.quiz('Laboratory safety, autumn', { categoryId: safety });
  const evening = await adminClient.quiz('Forklift refresher', {
    categoryId: safety,
    endDate: null,
  });
  await adminClient.quiz('General knowledge', { categoryId: operations, totalQuestions: 40 }, []);
  const people = ['a.rahman', 'b.novak', 'c.okafor', 'd.lindqvist', 'e.papadopoulou', 'f.tanaka'];
  await writeAttempts(adminClient, networks, marksOf(people, [25, 22, 19, 17, 11, 0]));
  await writeAttempts(adminClient, closed, marksOf(people, [5, 4, 4, 3, 2, 1]));
  await writeAttempts(adminClient, evening, marksOf(people.slice(0, 2), [5, 3]));
  await beginAttempt(adminClient, networks, 'running@example.org');
  await adminClient.change(closed, { isActive: false });
});

const marksOf = (people: string[], marks: number[]) =>
  Object.fromEntries(people.map((name, i) => [`${name}@example.org`, marks[i] ?? 0]));

for (const size of ADMIN_SIZES) {
  test(`administrator screens are accessible: ${size}`, async ({
    visitor,
    adminClient,
    consoles,
  }) => {
    consoles.expect(/status of 409 .*\/api\/quizzes\//);
    const page = await visitor(browserOf(size));
    await page.goto('/login');
    await checkScreen(page, size, 'login');
    await fillSignIn(page, ADMIN.email, ADMIN.password);
    await page.getByLabel('Captcha', { exact: true }).fill('00000');
    await page.getByRole('button', { name: 'Sign In', exact: true }).click();
    await expect(page.getByRole('alert')).toContainText('Invalid Captcha');
    await checkScreen(page, size, 'login-wrong-captcha', { keepToasts: true });
    await signIn(page, ADMIN.email, ADMIN.password, '/admin/dashboard');
    await expect(page.getByText('25 / 25').first()).toBeVisible();
    await checkScreen(page, size, 'dashboard');
    await categories(page, size);
    await assessments(page, size, adminClient);
  });

  test(`administrator lists and settings are accessible: ${size}`, {}, async ({ visitor }) => {
    const page = await visitor(browserOf(size));
    await signInAsAdmin(page);
    await questions(page, size);
    await invitations(page, size);
    await visit(page, size, '/admin/participants', 'Showing 1 to 10 of', 'participants');
    await visit(page, size, '/admin/participants?search=zz', 'Clear filters', 'participants-none');
    await visit(page, size, '/admin/people', 'a.rahman@example.org', 'people');
    await page.getByRole('link', { name: 'a.rahman@example.org' }).click();
    await expect(page.getByRole('heading', { name: 'Details' })).toBeVisible();
    await checkScreen(page, size, 'person');
    await visit(page, size, '/admin/people?search=zz', 'Clear filters', 'people-none');
    await visit(page, size, '/admin/settings/outbox', 'a.rahman@example.org', 'settings-outbox');
    await visit(page, size, '/admin/account', 'Two-step sign-in', 'account');
    await visit(page, size, '/admin/settings', ADMIN.email, 'settings');
    await page.getByLabel('Host').fill('smtp.example.org:25/x');
    await page.getByRole('button', { name: 'Save SMTP settings' }).click();
    await expect(page.getByText('Enter a password')).toBeVisible();
    await checkScreen(page, size, 'settings-errors');
    await visit(page, size, '/nowhere', '404 Page Not Found', 'not-found');
  });

  test(`the page of an assessment and the guide are accessible: ${size}`, {}, async ({
    visitor,
  }) => {
    const page = await visitor(browserOf(size));
    await signInAsAdmin(page);
    const at = (tab: string) => `/admin/quizzes/${networks.id}${tab}`;
    await visit(page, size, at(''), 'Latest activity', 'quiz-overview');
    await visit(page, size, at('/questions'), 'Write a question', 'quiz-questions');
    await visit(page, size, at('/candidates'), 'a.rahman@example.org', 'quiz-candidates');
    await page.getByLabel('Select all on this page').check();
    await checkScreen(page, size, 'quiz-candidates-selected');
    await page.getByRole('button', { name: 'Allow another attempt' }).click();
    await checkScreen(page, size, 'quiz-another-attempt', { whole: false });
    await visit(page, size, at('/results'), 'Score distribution', 'quiz-results');
    await visit(page, size, at('/settings'), 'Violation policy: Strict', 'quiz-settings');
    await visit(page, size, '/admin/guide', 'Your first hour', 'guide');
  });

  test(`records and settings dialogs are accessible: ${size}`, async ({ visitor }) => {
    const page = await visitor(browserOf(size));
    await signInAsAdmin(page);
    await records(page, size);
    await administration(page, size);
  });
}

test('the menu of a phone is accessible', async ({ visitor }) => {
  const page = await visitor(browserOf('phone'));
  await signInAsAdmin(page);
  await page.goto('/admin/dashboard');
  await page.getByRole('button', { name: 'Menu' }).click();
  await checkScreen(page, 'phone', 'menu', { whole: false });
});

async function categories(page: Page, size: Size) {
  await visit(page, size, '/admin/categories', 'No description provided', 'categories');
  await page.getByRole('button', { name: 'Add Category' }).click();
  await page.getByRole('button', { name: 'Create category' }).click();
  await expect(page.getByText('Enter a name')).toBeVisible();
  await checkScreen(page, size, 'category-dialog', { whole: false });
}

async function assessments(page: Page, size: Size, adminClient: AdminClient) {
  await visit(page, size, '/admin/quizzes', NETWORKS, 'assessments');
  await page.getByRole('button', { name: 'Create New Assessment' }).click();
  await page.getByRole('button', { name: 'Create Assessment' }).click();
  const toast = page.getByRole('alert').filter({ hasText: 'Validation Error: Please fill in' });
  await expect(toast).toBeVisible();
  await checkScreen(page, size, 'assessment-create-errors', { whole: false, keepToasts: true });
  await page.goto('/admin/quizzes');
  await page.getByRole('button', { name: `Edit ${NETWORKS}` }).click();
  await checkScreen(page, size, 'assessment-edit', { whole: false });
  await page.getByLabel('Duration (minutes)').fill('');
  await page.getByRole('button', { name: 'Update Assessment' }).click();
  await expect(page.getByText('Duration must be a valid number.').first()).toBeVisible();
  await checkScreen(page, size, 'assessment-edit-errors', { whole: false });
  await page.goto('/admin/quizzes');
  await page.getByRole('button', { name: `Delete ${NETWORKS}` }).click();
  await checkScreen(page, size, 'assessment-delete', { whole: false });
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: `More for ${NETWORKS}` }).click();
  await expect(page.getByRole('menuitem', { name: 'Preview' })).toBeVisible();
  await checkScreen(page, size, 'assessment-menu', { whole: false });
  await page.getByRole('menuitem', { name: 'Preview' }).click();
  const preview = page.getByRole('dialog', { name: `Preview of ${NETWORKS}` });
  await preview.getByRole('radio').first().click();
  await preview.getByRole('button', { name: 'Flag' }).filter({ visible: true }).click();
  await preview.getByRole('button', { name: 'Next' }).filter({ visible: true }).click();
  await checkScreen(page, size, 'assessment-preview', { whole: false });
  await page.goto('/admin/quizzes');
  await page.getByRole('button', { name: `Edit ${NETWORKS}` }).click();
  await page.getByLabel('Title', { exact: true }).fill(`${NETWORKS}, second edition`);
  await adminClient.change(networks, { description: `One page of notes, on the ${size} too.` });
  await page.getByRole('button', { name: 'Update Assessment' }).click();
  await expect(page.getByRole('button', { name: 'Save my version' })).toBeVisible();
  await checkScreen(page, size, 'assessment-stale', { whole: false });
}

async function questions(page: Page, size: Size) {
  await page.goto('/admin/quizzes');
  await page.getByRole('button', { name: `Manage questions of ${NETWORKS}` }).click();
  const dialog = page.getByRole('dialog', { name: 'Manage Questions' });
  await expect(dialog.getByRole('tab', { name: 'Questions (32)' })).toBeVisible();
  await checkScreen(page, size, 'questions', { whole: false });
  await dialog.getByRole('button', { name: 'Edit question 1', exact: true }).click();
  await checkScreen(page, size, 'question-edit', { whole: false });
  await dialog.getByRole('tab', { name: 'Add Questions' }).click();
  await dialog.getByRole('button', { name: 'Add Question', exact: true }).click();
  await expect(dialog.getByText('Please enter a question')).toBeVisible();
  await checkScreen(page, size, 'questions-add', { whole: false });
  await dialog.getByLabel('Select a CSV file').setInputFiles(QUESTION_FILE);
  const import32 = dialog.getByRole('button', { name: 'Import 32 questions' });
  await import32.scrollIntoViewIfNeeded();
  await checkScreen(page, size, 'questions-csv', { whole: false });
  keepFile(page, CSV_WITH_MISTAKES);
  await dialog
    .getByLabel('Select a CSV file')
    .setInputFiles(textFile('mistakes.csv', CSV_WITH_MISTAKES));
  await expect(dialog.getByText('Line 3: Correct answer "E" must match one')).toBeVisible();
  await dialog.getByRole('list', { name: 'Questions of the file' }).scrollIntoViewIfNeeded();
  await checkScreen(page, size, 'questions-csv-mistakes', { whole: false });
  await page.goto('/admin/quizzes');
  await page.getByRole('button', { name: 'Manage questions of Forklift refresher' }).click();
  await dialog.getByRole('button', { name: 'Edit question 1', exact: true }).click();
  const key = size === 'desktop' ? 'A' : 'C';
  await dialog
    .getByRole('region', { name: 'Edit question 1' })
    .getByRole('radio', { name: `Option ${key} is the correct answer` })
    .click();
  await dialog.getByRole('button', { name: 'Save question' }).click();
  const rescore = page.getByRole('dialog', { name: 'The correct answer changed' });
  await expect(rescore.getByText('2 candidates have this question.')).toBeVisible();
  await checkScreen(page, size, 'rescore', { whole: false });
}

async function invitations(page: Page, size: Size) {
  await page.goto('/admin/quizzes');
  await page.getByRole('button', { name: 'Invite to General knowledge' }).click();
  const dialog = page.getByRole('dialog', { name: 'Send Assessment Invitations' });
  await dialog.getByLabel('Email addresses').fill('one@example.org\nONE@example.org\nnot one');
  await expect(dialog).toContainText('1 valid, 1 invalid, 1 duplicate');
  await checkScreen(page, size, 'invite', { whole: false });
  await dialog.getByRole('button', { name: 'Send Invitations' }).click();
  await expect(dialog.getByRole('list', { name: 'Results' })).toBeVisible();
  await checkScreen(page, size, 'invite-results', { whole: false });
  await page.goto('/admin/quizzes');
  await page.getByRole('button', { name: `More for ${NETWORKS}` }).click();
  await page.getByRole('menuitem', { name: 'Invitations' }).click();
  await page.getByLabel('a.rahman@example.org', { exact: true }).check();
  await checkScreen(page, size, 'invitations');
  await page.getByRole('button', { name: 'Resend' }).click();
  await page.getByRole('button', { name: 'Preview message' }).click();
  await expect(page.getByRole('region', { name: 'Preview' })).toBeVisible();
  await checkScreen(page, size, 'invitations-resend', { whole: false });
}

async function records(page: Page, size: Size) {
  await page.goto('/admin/participants?search=running');
  await page.getByRole('link', { name: 'Open the record of running' }).click();
  await expect(page.getByRole('heading', { name: 'Timeline' })).toBeVisible();
  await checkScreen(page, size, 'record-running');
  await page.getByRole('button', { name: 'Give extra time' }).click();
  await page.getByRole('button', { name: 'Give extra time', exact: true }).last().click();
  await expect(page.getByText('Give a reason')).toBeVisible();
  await checkScreen(page, size, 'record-extend-errors', { whole: false });
  await page.goto('/admin/participants?search=d.lindqvist&sort=score');
  await page.getByRole('link', { name: 'Open the record of d.lindqvist' }).first().click();
  await page.getByRole('button', { name: 'Options of question 1', exact: true }).click();
  await page.getByLabel('For administrators').fill('Left the room twice.');
  await checkScreen(page, size, 'record-ended');
  await page.getByRole('link', { name: 'Participant Management' }).click();
  await expect(page.getByRole('alertdialog', { name: 'Discard your changes?' })).toBeVisible();
  await checkScreen(page, size, 'discard', { whole: false });
  await page.getByRole('button', { name: 'Keep editing' }).click();
  await page.getByRole('button', { name: 'Erase data' }).click();
  await checkScreen(page, size, 'record-erase', { whole: false });
}

async function administration(page: Page, size: Size) {
  await page.goto('/admin/settings');
  await page.getByRole('button', { name: 'Add Admin' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add Admin' });
  await dialog.getByRole('button', { name: 'Add Admin' }).click();
  await expect(dialog.getByText('At least 12 characters', { exact: true })).toBeVisible();
  await checkScreen(page, size, 'admin-add-errors', { whole: false });
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Change password' }).click();
  await checkScreen(page, size, 'password', { whole: false });
  await page.keyboard.press('Escape');
  await page.goto('/admin/settings/audit');
  await page.getByRole('searchbox', { name: 'Search the audit log' }).fill('nothing like this');
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await expect(page.getByText('No entry matches this search.')).toBeVisible();
  await checkScreen(page, size, 'audit-none');
  await page.goto('/admin/settings/security');
  await page.getByLabel('Keep monitoring data for (days)').fill('30');
  await page.getByRole('button', { name: 'Save retention' }).click();
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await checkScreen(page, size, 'retention-shorter', { whole: false });
}
