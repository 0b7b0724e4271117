import { readFileSync } from 'node:fs';
import { HttpPerson } from '@invigil/testkit/running-server';
import { AdminClient } from './support/admin-client.ts';
import { toastOn } from './support/controls.ts';
import { expect, test } from './support/e2e-test.ts';
import { signInAsAdmin } from './support/sign-in.ts';

test.use({ database: 'roster' });

const ROSTER = [
  'E-Mail;Nachname;Vorname;Matrikelnummer;Klasse',
  'zsofia.nagy@example.org;Nagy;Zsófia;MX-1;2A',
  'taro@example.org;山田;太郎;MX-2;2A',
  'sukarno@example.org;;Sukarno;MX-3;2B',
].join('\n');

test('a roster with names and numbers is invited by group, and stands on board, record and report', {
  tag: '@long',
}, async ({ page, testServer }) => {
  const admin = await AdminClient.signIn(testServer.url);
  const quiz = await admin.quiz('Fire safety');
  await signInAsAdmin(page);
  await page.goto('/admin/people');
  await page.getByRole('link', { name: 'Import', exact: true }).click();
  await page
    .getByLabel('Select a file')
    .setInputFiles({ name: 'roster.csv', mimeType: 'text/csv', buffer: Buffer.from(ROSTER) });
  const uses = page.getByRole('region', { name: 'Columns', exact: true }).getByRole('combobox');
  await expect(uses).toHaveText(['Email', 'Family name', 'Given name', 'Number', 'Group']);
  await page.getByRole('button', { name: 'Check 3 people' }).click();
  await page.getByRole('button', { name: 'Import 3 people' }).click();
  await expect(toastOn(page)).toContainText('People imported');

  // Two of three people are invited by group.
  await page.goto(`/admin/quizzes/${quiz.id}/candidates`);
  await page.getByRole('button', { name: 'Send invitations', exact: true }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Add people' }).click();
  await dialog.getByRole('combobox', { name: 'Group' }).click();
  await page.getByRole('option', { name: '2A (2)' }).click();
  await dialog.getByRole('button', { name: 'Add 2 people' }).click();
  await expect(dialog.getByLabel('Email addresses')).toHaveValue(
    'zsofia.nagy@example.org\ntaro@example.org',
  );
  await dialog.getByRole('button', { name: 'Send Invitations' }).click();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText('Zsófia Nagy').filter({ visible: true })).toBeVisible();
  await expect(page.getByText('Sukarno')).toHaveCount(0);

  const [guest] = await admin.invite(quiz, 'zsofia.nagy@example.org');
  const person = new HttpPerson(testServer.url);
  await person.signIn(guest?.email ?? '', guest?.code ?? '');
  const { body } = await person.call('startParticipant', { body: { quizId: quiz.id } });
  await page.goto('/admin/live');
  await expect(page.getByText('Zsófia Nagy').first()).toBeVisible();
  await page.goto(`/admin/participants/${body.id}`);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Zsófia Nagy');
  await expect(page.getByText('MX-1').first()).toBeVisible();
  await page.goto(`/admin/quizzes/${quiz.id}/results`);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'More reports' }).click();
  await page.getByRole('menuitem', { name: 'CSV (.csv)' }).click();
  const report = readFileSync(await (await download).path(), 'utf8');
  const [head = '', row = ''] = report.split(/\r?\n/);
  expect(head).toMatch(
    /Given Name,Family Name,Number,Groups,Started At \(.*\),Submitted At \(.*\)$/,
  );
  expect(row).toMatch(/^zsofia\.nagy@example\.org,.*,Zsófia,Nagy,MX-1,2A,[-\d]+ [:\d]+,/);
});
