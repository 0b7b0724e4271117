import type { Page } from '@playwright/test';
import { select } from './support/controls.ts';
import { expect, test } from './support/e2e-test.ts';
import { signInAsAdmin } from './support/sign-in.ts';
import { beginAttempt, writeAttempts } from './support/written-attempts.ts';

test.use({ database: 'dashboard' });

test('a new platform shows zeros and empty states, never blanks', { tag: '@long' }, async ({
  page,
}) => {
  await signInAsAdmin(page);
  await page.goto('/admin');
  await expect(page.getByRole('heading', { name: 'Dashboard Overview', level: 1 })).toBeVisible();
  await expect(
    page.getByText('Monitor Assessment performance and manage assessments', { exact: true }),
  ).toBeVisible();
  await expect(figure(page, 'Total Assessments')).toHaveText('0');
  await expect(figure(page, 'Total Participants')).toHaveText('0');
  await expect(figure(page, 'Active Assessments')).toHaveText('0');
  await expect(card(page, 'Active Assessments').getByText('Live', { exact: true })).toBeVisible();
  await expect(figure(page, 'Average Score')).toHaveText('0.0 %');
  for (const text of [
    'No recent activity',
    'No scorers data available',
    'No attempt was completed in this period',
    'No attempt ended in this period',
  ]) {
    await expect(page.getByText(text, { exact: true })).toBeVisible();
  }
});

test('Quick Actions lead to the assessments and to the reports', { tag: '@long' }, async ({
  page,
}) => {
  await signInAsAdmin(page);
  for (const [name, path] of [
    ['Create New Assessment', '/admin/quizzes'],
    ['Send Invitations', '/admin/quizzes'],
    ['View Reports', '/admin/participants'],
  ] as const) {
    await page.goto('/admin/dashboard');
    await card(page, 'Quick Actions').getByRole('link', { name, exact: true }).click();
    await expect(page).toHaveURL(path);
    const dialog = page.getByRole('dialog', { name: 'Create New Assessment' });
    await expect(dialog).toHaveCount(name === 'Create New Assessment' ? 1 : 0);
    if (name !== 'Create New Assessment') continue;
    await page.reload();
    await expect(page.getByRole('heading', { name: 'Assessment Management' })).toBeVisible();
    await expect(dialog).toHaveCount(0);
  }
});

test('shows figures, activity, the top three of the week and both charts', {
  tag: '@long',
}, async ({ page, adminClient }) => {
  const networks = await adminClient.quiz('Networks');
  const safety = await adminClient.quiz('Safety');
  const closed = await adminClient.quiz('Closed');
  await adminClient.change(closed, { isActive: false });
  await writeAttempts(adminClient, networks, {
    'ada@example.org': 5,
    'ben@example.org': 3,
    'cem@example.org': 1,
  });
  await writeAttempts(adminClient, safety, { 'dot@example.org': 4 });
  await beginAttempt(adminClient, safety, 'eve@example.org');

  await signInAsAdmin(page);
  await page.goto('/admin/dashboard');
  await expect(figure(page, 'Total Assessments')).toHaveText('3');
  await expect(figure(page, 'Total Participants')).toHaveText('5');
  await expect(figure(page, 'Active Assessments')).toHaveText('2');
  // 100, 60, 20 and 80 percent; attempts in progress do not count.
  await expect(figure(page, 'Average Score')).toHaveText('65.0 %');

  const activity = card(page, 'Recent Activity').getByRole('listitem');
  await expect(activity).toHaveCount(9);
  await expect(activity.first()).toHaveText(/^eve@example.org started SafetyStartedjust now$/);
  await expect(activity.nth(1)).toHaveText(
    /^dot@example.org completed Safety4 \/ 5Completedjust now$/,
  );

  const best = card(page, 'Top Scorers This Week');
  await expect(best).toContainText('Since Monday 00:00, Europe/Berlin');
  await expect(best.getByRole('listitem')).toHaveText([
    '1ada@example.orgNetworks5 / 50 min',
    '2dot@example.orgSafety4 / 50 min',
    '3ben@example.orgNetworks3 / 50 min',
  ]);

  const scores = page.getByRole('table', { name: 'Score distribution' });
  for (const row of ['20 to 29 1', '60 to 69 1', '80 to 89 1', '90 to 100 1']) {
    await expect(scores.getByRole('row', { name: row })).toBeAttached();
  }
  const days = page.getByRole('table', { name: 'Completions per day' }).getByRole('row');
  await expect(days).toHaveCount(31);
  // The headings, and today; around midnight two days.
  await expect(days.filter({ hasNotText: /0$/ }).nth(1)).toBeAttached();
  await select(page, 'Assessment for the charts', 'Safety');
  await expect(scores.getByRole('row', { name: '20 to 29 0' })).toBeAttached();
  await expect(scores.getByRole('row', { name: '80 to 89 1' })).toBeAttached();
  await select(page, 'Period for the charts', 'Last 7 days');
  await expect(days).toHaveCount(8);
  await select(page, 'Assessment for the charts', 'Closed');
  await expect(
    page.getByText('No attempt was completed in this period', { exact: true }),
  ).toBeVisible();
});

const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

const figure = (page: Page, name: string) => card(page, name).locator('p').first();
