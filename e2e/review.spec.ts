import { randomUUID } from 'node:crypto';
import { STRICT_POLICY } from '@invigil/core/domain/violations/violation-policy';
import { STILL } from '@invigil/testkit/stills';
import type { Page } from '@playwright/test';
import type { AdminClient } from './support/admin-client.ts';
import { select } from './support/controls.ts';
import { expect, test } from './support/e2e-test.ts';
import { ADMIN } from './support/server-settings.ts';
import { signInAsAdmin } from './support/sign-in.ts';
import { beginAttempt, violate, type Writer } from './support/written-attempts.ts';

test.use({ database: 'review' });

test.beforeEach(async ({ page }) => signInAsAdmin(page));

/** An attempt in progress under limits that count every violation at once. */
async function begin(adminClient: AdminClient, email: string): Promise<Writer> {
  const policy = { ...STRICT_POLICY, preset: 'custom', cooldownMs: 0, dismissDelayMs: 0 };
  const quiz = await adminClient.quiz(`Review of ${email}`, { policy });
  return beginAttempt(adminClient, quiz, email);
}

/** Waits until the server has ended the attempt. */
const isDismissed = (adminClient: AdminClient, { id }: Writer) =>
  expect
    .poll(async () => (await adminClient.must('getParticipant', { params: { id } })).status)
    .toBe('dismissed');

async function openRecord(page: Page, email: string) {
  await page.getByRole('link', { name: `Open the record of ${email}` }).click();
  await expect(page.getByRole('heading', { name: email })).toBeVisible();
}

test('a dismissed attempt is decided by a person, and both the view and the verdict are logged', async ({
  page,
  adminClient,
}) => {
  const email = 'c.lind@example.org';
  const writer = await begin(adminClient, email);
  const first = await violate(writer, 'face_not_detected');
  for (const offsets of [[-2_000, -1_000, 0], [1_000]]) {
    const stills = offsets.map((offsetMs) => ({ offsetMs, jpeg: STILL }));
    const levels = { offsetMs: -600, everyMs: 300, values: [0, 12, 61, 4] };
    const body = { id: randomUUID(), violationId: first, stills, levels };
    const stored = await writer.person.call('uploadEvidence', { params: { id: writer.id }, body });
    expect(stored.status).toBe(201);
  }
  await writer.person.call('noteViolation', {
    params: { id: first },
    body: { note: 'I picked up my pen' },
  });
  await violate(writer, 'camera_dark', { engine: 'basic' });
  await violate(writer, 'voice_detected');
  await violate(writer, 'face_not_detected');

  await isDismissed(adminClient, writer);
  await page.goto('/admin/participants?review=open');
  await expect(page.getByText('Dismissed').first()).toBeVisible();
  await expect(page.getByRole('row', { name: new RegExp(email) })).toContainText(
    'To review3 violations',
  );
  await openRecord(page, email);

  const timeline = page.getByRole('region', { name: 'Timeline' });
  await expect(timeline.getByText('Face not detected, counted')).toHaveCount(2);
  await expect(timeline).toContainText('Cannot tell: too dark');
  await timeline.getByRole('button', { name: 'Also recorded (1)' }).click();
  await expect(timeline.getByText('Cannot tell: too dark')).toHaveCount(0);

  // Nothing is shown before it is requested, and the request is logged.
  const evidence = page.getByRole('region', { name: 'Evidence' });
  await expect(evidence).toContainText('Viewing is logged.');
  await expect(evidence).toContainText('The candidate: “I picked up my pen”');
  await expect(evidence.getByText('Counted 1 of 3')).toBeVisible();
  await expect(evidence.locator('img')).toHaveCount(0);
  await expect(timeline).not.toContainText('Evidence viewed');
  await evidence.getByRole('button', { name: 'Open 4 stills and level curve' }).click();
  const strip = evidence.getByRole('list', { name: 'Stills' });
  await expect(strip.getByRole('button')).toHaveCount(4);
  await expect(strip.getByRole('button', { name: 'The moment of detection' })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  await strip.getByRole('button', { name: '+1 s from the moment' }).click();
  await expect(evidence.locator('figcaption').first()).toHaveText('+1 s from the moment');
  await expect(evidence).toContainText('Sound level: at most 61 of 120');
  expect(
    await evidence
      .locator('img')
      .first()
      .evaluate((img: HTMLImageElement) => img.naturalWidth),
  ).toBe(320);
  await page.getByRole('button', { name: 'Reload the record' }).click();
  // Two uploads, viewed once.
  await expect(timeline.getByText('Evidence viewed')).toHaveCount(1);
  await expect(timeline).toContainText(ADMIN.email);

  await expect(page.getByRole('region', { name: 'Monitoring' })).toContainText('model, basic');
  const verdict = page.getByRole('region', { name: 'Verdict' });
  await verdict.getByRole('button', { name: 'Save verdict' }).click();
  await expect(verdict.getByRole('alert')).toHaveText('Select a verdict');
  await verdict.getByRole('radio', { name: 'Talk to the candidate' }).click();
  await verdict.getByLabel('Reasons').fill('The radio in the next room?');
  await verdict.getByRole('button', { name: 'Save verdict' }).click();
  await expect(page.getByText('Verdict saved')).toBeVisible();
  await expect(verdict).toContainText(`Recorded by ${ADMIN.email}`);
  await expect(timeline).toContainText('Verdict: Talk to the candidate');

  await page.goto('/admin/participants?review=open');
  await expect(page.getByText('No participants found.')).toBeVisible();
  await select(page, 'Review', 'Talk to the candidate');
  await expect(page).toHaveURL(/review=talk/);
  await openRecord(page, email);
  await page.getByRole('button', { name: 'Reinstate' }).click();
  const reinstate = page.getByRole('dialog', { name: 'Reinstate this attempt' });
  await reinstate.getByLabel('Reason').fill('It was the radio');
  await reinstate.getByRole('button', { name: 'Reinstate attempt' }).click();
  await expect(timeline).toContainText('Reinstated with the remaining time');
  await expect(verdict.getByText('use Reinstate to let the candidate continue')).toHaveCount(0);
});
