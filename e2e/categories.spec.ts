import { AdminClient } from './support/admin-client.ts';
import { expect, test } from './support/e2e-test.ts';
import { refuse, toastOn } from './support/refusal.ts';
import { signInAsAdmin } from './support/sign-in.ts';

test.use({ database: 'assessments' });

const CATEGORIES = /\/api\/categories(\/.*)?$/;

let adminClient: AdminClient;

test.beforeAll(async ({ testServer }) => {
  adminClient = await AdminClient.signIn(testServer.url);
});

test.beforeEach(async ({ page }) => signInAsAdmin(page));

test('adding: a name is needed, a failure keeps what was typed, then it is a card', async ({
  page,
  consoles,
}) => {
  consoles.expect(/status of 500/);
  await page.goto('/admin/categories');
  await page.getByRole('button', { name: 'Add Category' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add Category' });
  const create = dialog.getByRole('button', { name: 'Create category' });
  await create.click();
  await expect(dialog.getByText('Enter a name')).toBeVisible();
  await expect(dialog.getByLabel('Name')).toBeFocused();
  await dialog.getByLabel('Name').fill('Kitchen');
  await refuse(page, 'POST', CATEGORIES);
  await create.click();
  await expect(toastOn(page)).toContainText('Failed to create category');
  await expect(dialog.getByLabel('Name')).toHaveValue('Kitchen');
  await page.keyboard.press('Escape');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Keep editing' }).click();
  await page.unrouteAll();
  await create.click();
  await expect(toastOn(page)).toContainText('Category created');
  const card = page.getByRole('article', { name: 'Kitchen' });
  await expect(card).toContainText('No description provided');
  await expect(card).toContainText(/Created \d+ \w+ \d{4}/);
});

test('editing and deleting, and the toasts when the server refuses', async ({ page, consoles }) => {
  consoles.expect(/status of 500/);
  await adminClient.category('Stairs', 'Up');
  await page.goto('/admin/categories');
  await page.getByRole('button', { name: 'Edit Stairs' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit Category' });
  await dialog.getByLabel('Description').fill('Up and down');
  await refuse(page, 'PUT', CATEGORIES);
  await dialog.getByRole('button', { name: 'Save category' }).click();
  await expect(toastOn(page)).toContainText('Failed to update category');
  await page.unrouteAll();
  await dialog.getByRole('button', { name: 'Save category' }).click();
  await expect(toastOn(page)).toContainText('Category updated');
  await expect(page.getByRole('article', { name: 'Stairs' })).toContainText('Up and down');

  const question = page.getByRole('alertdialog', { name: 'Confirm Delete' });
  const remove = async () => {
    await page.getByRole('button', { name: 'Delete Stairs' }).click();
    await question.getByRole('button', { name: 'Delete' }).click();
  };
  await refuse(page, 'DELETE', CATEGORIES);
  await remove();
  await expect(toastOn(page)).toContainText('Failed to delete category');
  await page.unrouteAll();
  await remove();
  await expect(toastOn(page)).toContainText('Category deleted');
  await expect(page.getByRole('article', { name: 'Stairs' })).toHaveCount(0);
});

test('a category in use stays, and how many use it is said', async ({ page, consoles }) => {
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

test('cards that do not load can be asked for again', async ({ page, consoles }) => {
  consoles.expect(/status of 500/);
  await adminClient.category('Still there');
  await refuse(page, 'GET', CATEGORIES);
  await page.goto('/admin/categories');
  await expect(page.getByRole('alert')).toContainText('Failed to load categories');
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByRole('article', { name: 'Still there' })).toBeVisible();
});
