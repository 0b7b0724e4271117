import type { Page } from '@playwright/test';
import { STRICT_POLICY } from '../core/src/domain/violation-policy.ts';
import { AdminClient, type PreparedQuiz } from './support/admin-client.ts';
import { expect, test } from './support/e2e-test.ts';
import { signInAsAdmin } from './support/sign-in.ts';

test.use({ database: 'policy' });

let quiz: PreparedQuiz;

test.beforeEach(async ({ page, testServer }, info) => {
  const adminClient = await AdminClient.signIn(testServer.url);
  quiz = await adminClient.quiz(`Crane licence, ${info.title.slice(0, 20)}`, {
    policy: STRICT_POLICY,
  });
  await signInAsAdmin(page);
});

const policyOf = async (adminClient: AdminClient, title: string) => {
  const list: { title: string; policy: Record<string, unknown> }[] = await adminClient.must(
    'listQuizzes',
    {},
  );
  return list.find((row) => row.title === title)?.policy;
};

async function openPolicy(page: Page, title: string) {
  await page.goto('/admin/quizzes');
  await page.getByRole('button', { name: `Edit ${title}` }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit Assessment' });
  await dialog.getByRole('button', { name: /^Violation policy: / }).click();
  return dialog;
}

const save = (page: Page) => page.getByRole('button', { name: 'Update Assessment' });

test('a wrong number stands at its field, gets the focus, and nothing is saved', async ({
  page,
  adminClient,
}) => {
  const dialog = await openPolicy(page, quiz.title);
  const together = dialog.getByLabel('Face and voice combined');
  await together.fill('0');
  // Closing the editor hides nothing that is wrong.
  await dialog.getByRole('button', { name: 'Violation policy: Custom' }).click();
  await save(page).click();
  await expect(page.getByRole('alert')).toContainText('Validation Error');
  await expect(together).toBeFocused();
  await expect(together).toHaveAccessibleDescription(
    'A whole number from 1 to 100, or leave empty',
  );
  expect(await policyOf(adminClient, quiz.title)).toMatchObject({ preset: 'strict', version: 1 });
});

test('a required camera says what it does to phones, and is kept', async ({
  page,
  adminClient,
}) => {
  const dialog = await openPolicy(page, quiz.title);
  const required = dialog.getByLabel('Camera required');
  await expect(required).toHaveAccessibleDescription(
    'Candidates on phones and tablets take the assessment without a camera.',
  );
  await required.check();
  await expect(required).toHaveAccessibleDescription(
    'On phones and tablets, a notice appears instead of the start button.',
  );
  await expect(dialog.getByRole('radio', { name: /^Custom/ })).toBeChecked();
  await save(page).click();
  await expect(page.getByText('Assessment updated')).toBeVisible();
  expect(await policyOf(adminClient, quiz.title)).toMatchObject({
    preset: 'custom',
    camera: true,
    cameraRequired: true,
  });
});

test('a number says what it will do, makes the policy Custom, and is kept', async ({
  page,
  adminClient,
}) => {
  const dialog = await openPolicy(page, quiz.title);
  const together = dialog.getByLabel('Face and voice combined');
  await expect(together).toHaveAccessibleDescription(
    'The third face or voice violation ends the attempt.',
  );
  await together.fill('4');
  await expect(together).toHaveAccessibleDescription(
    'The fourth face or voice violation ends the attempt.',
  );
  await expect(dialog.getByRole('radio', { name: /^Custom/ })).toBeChecked();
  await dialog.getByLabel('Cool-down (seconds)').fill('2,5');
  await save(page).click();
  await expect(page.getByText('Assessment updated')).toBeVisible();
  expect(await policyOf(adminClient, quiz.title)).toMatchObject({
    preset: 'custom',
    version: 2,
    limits: { combined: 4, face: 3, voice: 5, fullscreen: 5 },
    cooldownMs: 2_500,
  });

  await page.getByRole('button', { name: `More for ${quiz.title}` }).click();
  await page.getByRole('menuitem', { name: 'Duplicate' }).click();
  await expect(page.getByText('Assessment duplicated')).toBeVisible();
  const list: { title: string; policy: unknown }[] = await adminClient.must('listQuizzes', {});
  const copy = list.find((row) => row.title !== quiz.title && row.title.includes(quiz.title));
  expect(copy?.policy).toMatchObject({ preset: 'custom', limits: { combined: 4 } });
});

test('by keyboard: a preset fills the numbers, Custom brings the typed ones back', async ({
  page,
  adminClient,
}) => {
  const dialog = await openPolicy(page, quiz.title);
  await dialog.getByLabel('Voice alone').fill('9');
  const custom = dialog.getByRole('radio', { name: /^Custom/ });
  await custom.focus();
  await page.keyboard.press('ArrowUp');
  await expect(dialog.getByRole('radio', { name: /^Off/ })).toBeChecked();
  await expect(dialog.getByLabel('Camera', { exact: true })).not.toBeChecked();
  await page.keyboard.press('ArrowDown');
  await expect(dialog.getByLabel('Voice alone')).toHaveValue('9');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await expect(dialog.getByRole('radio', { name: /^Review/ })).toBeChecked();
  await expect(dialog.getByLabel('Voice alone')).toHaveValue('');
  await save(page).press('Enter');
  await expect(page.getByText('Assessment updated')).toBeVisible();
  expect(await policyOf(adminClient, quiz.title)).toMatchObject({ preset: 'review', version: 2 });
});

test('someone else changed the policy in the meantime: both stand side by side', async ({
  page,
  adminClient,
  consoles,
}) => {
  consoles.expect(/status of 409 .*\/api\/quizzes\//);
  const dialog = await openPolicy(page, quiz.title);
  await dialog.getByLabel('Face and voice combined').fill('7');
  await adminClient.change(quiz, { policy: { preset: 'review' } });
  await save(page).click();
  const notice = dialog.getByRole('alert');
  await expect(notice).toContainText('Violation policy: theirs “Review”, yours “Custom”');
  await expect(notice).toContainText('Face and voice combined: theirs “never”, yours “7”');
  await notice.getByRole('button', { name: 'Use their version' }).click();
  await expect(dialog.getByRole('radio', { name: /^Review/ })).toBeChecked();
  expect(await policyOf(adminClient, quiz.title)).toMatchObject({ preset: 'review' });
});
