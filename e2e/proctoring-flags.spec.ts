import { STRICT_POLICY } from '../core/src/domain/violations/violation-policy.ts';
import { expect, test } from './support/e2e-test.ts';
import { FakeDevices } from './support/fake-devices.ts';
import { holdsFor } from './support/holds-for.ts';
import { signInAsAdmin } from './support/sign-in.ts';
import { signedIn } from './support/start-attempt.ts';

test('a second screen, looking away and a frozen picture are flagged, stills are stored, and thumbnails go only to a viewer', {
  tag: '@long',
}, async ({ page: desktop, visitor, adminClient }) => {
  const page = await visitor();
  const devices = await FakeDevices.install(page);
  await page.addInitScript(() => Object.defineProperty(screen, 'isExtended', { value: true }));
  let thumbnails = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/thumbnail')) thumbnails += 1;
  });
  const policy = {
    ...STRICT_POLICY,
    preset: 'custom',
    microphone: false,
    fullscreen: false,
    stillEveryMs: 30_000,
  };
  const { candidate, quiz } = await signedIn(page, adminClient, 'Only flags', { policy });
  await devices.show('portrait');
  await candidate.consent();
  await expect(page.getByText('Face found')).toBeVisible();
  // The pose that counts as looking into the camera is learned from some samples.
  const pose = () => page.evaluate(() => sessionStorage.getItem('invigil-pose'));
  await expect.poll(pose).not.toBeNull();
  await page.getByRole('button', { name: 'Start Assessment' }).click();
  await candidate.seesQuestions();
  const rail = page.getByRole('complementary', { name: 'Questions' });
  const strip = page.getByRole('region', { name: 'What was detected' });
  await expect(strip).toContainText('A second screen is connected');
  await expect(rail.getByText('Face: OK')).toBeVisible();

  await devices.show('turned');
  await expect(strip).toContainText('You looked away for a while');
  await devices.show('portrait');
  await devices.freeze();
  await expect(strip).toContainText('The camera picture does not move');
  expect(thumbnails).toBe(0);

  await signInAsAdmin(desktop);
  await desktop.goto('/admin/live');
  await desktop.getByRole('button', { name: 'only-flags@example.org', exact: true }).click();
  const person = desktop.getByRole('dialog', { name: 'only-flags@example.org' });
  await expect(person.getByRole('img', { name: 'only-flags@example.org, now' })).toBeVisible();
  await person.getByRole('button', { name: 'Close' }).click();
  await expect(person).toBeHidden();
  expect(thumbnails).toBeGreaterThan(0);
  // The reply to the next picture says that no one is watching; it is the last.
  await expect(async () => {
    const sent = thumbnails;
    await holdsFor(4_000, () => expect(thumbnails).toBe(sent));
  }).toPass();

  await expect(rail.getByText('Violations: 0/3')).toBeVisible();
  const [row] = await adminClient.attempts(quiz);
  const record = () => adminClient.must('getParticipantRecord', { params: { id: row.id } });
  await expect.poll(async () => (await record()).periodicEvidence.length).toBeGreaterThan(0);
  const { violations, periodicEvidence } = await record();
  for (const one of periodicEvidence) expect(one).toMatchObject({ stills: 1, hasLevels: false });
  const rows = violations.map((one: { type: string; counted: boolean }) => [one.type, one.counted]);
  expect(rows.toSorted()).toEqual([
    ['frozen_camera', false],
    ['looking_away', false],
    ['second_screen', false],
  ]);
});
