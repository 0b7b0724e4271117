import type { Page } from '@playwright/test';
import { STRICT_POLICY } from '../core/src/domain/violations/violation-policy.ts';
import { AdminClient, type PreparedQuiz } from './support/admin-client.ts';
import { expect, test } from './support/e2e-test.ts';
import { signInAsAdmin } from './support/sign-in.ts';

let quiz: PreparedQuiz;

test.beforeEach(async ({ page, testServer }, info) => {
  const adminClient = await AdminClient.signIn(testServer.url);
  quiz = await adminClient.quiz(`Crane license, ${info.title.slice(0, 20)}`, {
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

test('a changed limit shows its effect, makes the policy Custom, and is stored', {
  tag: '@long',
}, async ({ page, adminClient }) => {
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
