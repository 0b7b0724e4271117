import { randomUUID } from 'node:crypto';
import { STRICT_POLICY } from '@invigil/core/domain/violations/violation-policy';
import { STILL } from '@invigil/testkit/stills';
import type { Page } from '@playwright/test';
import { AdminClient, type PreparedQuiz } from './support/admin-client.ts';
import { expect, test } from './support/e2e-test.ts';
import { keepFile } from './support/in-languages.ts';
import { ADMIN_SIZES, browserOf, checkScreen, type Size } from './support/screen-checks.ts';
import { signInAsAdmin } from './support/sign-in.ts';
import { beginAttempts, save, violate } from './support/written-attempts.ts';

test.use({ database: 'screens of review' });

const NETWORKS = 'Network Fundamentals';
let quiz: PreparedQuiz;
let dismissed: string;

test.beforeAll(async ({ testServer }) => {
  const adminClient = await AdminClient.signIn(testServer.url);
  const policy = { ...STRICT_POLICY, preset: 'custom', cooldownMs: 0, dismissDelayMs: 0 };
  quiz = await adminClient.quiz(NETWORKS, { policy });
  const people = ['c.lind', 'a.rahman', 'b.okafor', 't.nguyen', 'e.fischer', 'i.petrov', 'n.kaya'];
  const emails = people.map((name) => `${name}@example.org`);
  const writers = await beginAttempts(adminClient, quiz, ...emails);
  const [lind, rahman, okafor, nguyen] = writers;
  if (!lind || !rahman || !okafor || !nguyen) throw new Error('seven began');
  dismissed = lind.id;
  await save(lind, {}, {}, {});
  const first = await violate(lind, 'face_not_detected', { durationMs: 4_000 });
  const stills = Array.from({ length: 20 }, (_, n) => ({ offsetMs: (n - 9) * 1_000, jpeg: STILL }));
  const values = Array.from({ length: 60 }, (_, n) => Math.round(30 + 28 * Math.sin(n / 5)));
  const levels = { offsetMs: -9_000, everyMs: 300, values };
  await lind.person.call('uploadEvidence', {
    params: { id: lind.id },
    body: { id: randomUUID(), violationId: first, stills, levels },
  });
  const note = 'I picked up my pen from the floor.';
  await lind.person.call('noteViolation', { params: { id: first }, body: { note } });
  await violate(lind, 'camera_dark', { engine: 'basic' });
  await violate(lind, 'voice_detected');
  await save(rahman, {}, {}, {}, {});
  await save(okafor, {}, {});
  await violate(okafor, 'face_not_detected');
  await violate(okafor, 'face_not_detected');
  await violate(nguyen, 'multiple_faces', { durationMs: 6_000 });
  await violate(lind, 'face_not_detected');
});

for (const size of ADMIN_SIZES) {
  test(`policy, review and live screens are accessible: ${size}`, async ({ visitor }) => {
    const page = await visitor(browserOf(size));
    await signInAsAdmin(page);
    await live(page, size);
    await policy(page, size);
    await review(page, size);
  });
}

async function policy(page: Page, size: Size) {
  await page.goto('/admin/quizzes');
  await page.getByRole('button', { name: `Edit ${NETWORKS}` }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit Assessment' });
  const editor = dialog.getByRole('button', { name: 'Every number of this policy' });
  await editor.scrollIntoViewIfNeeded();
  await checkScreen(page, size, 'policy-closed', { whole: false });
  await editor.click();
  await dialog.getByRole('radiogroup', { name: 'Preset' }).scrollIntoViewIfNeeded();
  await checkScreen(page, size, 'policy-presets', { whole: false });
  await dialog.getByLabel('Voice alone').scrollIntoViewIfNeeded();
  await checkScreen(page, size, 'policy-limits', { whole: false });
  await dialog.getByLabel('Face and voice combined').fill('0');
  await dialog.getByRole('button', { name: 'Update Assessment' }).click();
  await expect(dialog.getByLabel('Face and voice combined')).toBeFocused();
  await checkScreen(page, size, 'policy-errors', { whole: false });
  await dialog.getByLabel('Level shown red above').scrollIntoViewIfNeeded();
  await checkScreen(page, size, 'policy-sound', { whole: false });
}

async function review(page: Page, size: Size) {
  await page.goto('/admin/participants?review=open');
  await expect(page.getByText('To review').filter({ visible: true }).last()).toBeVisible();
  await checkScreen(page, size, 'participants-to-review');
  await page.goto(`/admin/participants/${dismissed}`);
  const evidence = page.getByRole('region', { name: 'Evidence' });
  await expect(evidence).toBeVisible();
  await checkScreen(page, size, 'record-dismissed');
  await evidence.getByRole('button', { name: /^Open 20 stills/ }).click();
  await expect(evidence.getByRole('list', { name: 'Stills' })).toBeVisible();
  await page.getByRole('button', { name: 'Save verdict' }).click();
  await expect(page.getByText('Select a verdict')).toBeVisible();
  await checkScreen(page, size, 'record-evidence');
}

async function live(page: Page, size: Size) {
  // The live board comes as a stream.
  keepFile(page, 'Network Fundamentals');
  await page.goto('/admin/live');
  await expect(page.getByRole('region', { name: 'Needs attention' })).toBeVisible();
  await checkScreen(page, size, 'live');
  await page.getByRole('button', { name: 'b.okafor@example.org', exact: true }).click();
  await expect(page.getByRole('dialog')).toContainText('Open the record');
  await checkScreen(page, size, 'live-person', { whole: false });
  await page.getByRole('dialog').getByRole('button', { name: 'Extra time' }).click();
  const extend = page.getByRole('dialog', { name: 'Give extra time' });
  await extend.getByRole('button', { name: 'Give extra time' }).click();
  await expect(extend.getByText('Give a reason')).toBeVisible();
  await checkScreen(page, size, 'live-extend-errors', { whole: false });
}
