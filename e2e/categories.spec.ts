import { AdminClient } from './support/admin-client.ts';
import { toastOn } from './support/controls.ts';
import { expect, test } from './support/e2e-test.ts';
import { signInAsAdmin } from './support/sign-in.ts';

let adminClient: AdminClient;

test.beforeAll(async ({ testServer }) => {
  adminClient = await AdminClient.signIn(testServer.url);
});

test.beforeEach(async ({ page }) => signInAsAdmin(page));

test('a category in use is refused with its number of assessments', { tag: '@long' }, async ({
  page,
  consoles,
}) => {
  consoles.expect(/status of 409/);
  const categoryId = await adminClient.category('Used');
  await adminClient.quiz('User of it', { categoryId }, []);
  await adminClient.quiz('Another user of it', { categoryId }, []);
  await page.goto('/admin/categories');
  await page.getByRole('button', { name: 'Delete Used' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(toastOn(page)).toContainText('Failed to delete category');
  await expect(toastOn(page)).toContainText('2 assessments');
  await expect(page.getByRole('article', { name: 'Used' })).toBeVisible();
});
