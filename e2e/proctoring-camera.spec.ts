import { inForm } from '@invigil/testkit/test-form';
import { STRICT_POLICY } from '../core/src/domain/violations/violation-policy.ts';
import { expect, test } from './support/e2e-test.ts';
import { FakeDevices } from './support/fake-devices.ts';
import { holdsFor } from './support/holds-for.ts';
import { holdSignOut } from './support/last-page.ts';
import { recordTexts, wasShown } from './support/shown-texts.ts';
import { signedIn } from './support/start-attempt.ts';

/**
 * A policy without fullscreen, whose browser dialogs would get in the way; in the short form counts sooner.
 */
const STRICT = {
  ...STRICT_POLICY,
  preset: 'custom',
  fullscreen: false,
  cooldownMs: inForm({ short: 1_000, long: STRICT_POLICY.cooldownMs }),
} as const;

test('a missing face warns, counts three times across a reload, and ends the attempt', async ({
  visitor,
  adminClient,
  testServer,
}) => {
  const page = await visitor();
  const sent: { method: string; url: string; body: string }[] = [];
  page.on('request', (request) =>
    sent.push({ method: request.method(), url: request.url(), body: request.postData() ?? '' }),
  );
  const devices = await FakeDevices.install(page);
  const { candidate, quiz } = await signedIn(page, adminClient, 'A face goes away', {
    policy: STRICT,
  });
  await candidate.consent();
  await expect(page.getByText('Face found')).toBeVisible();
  await expect(page.getByText('Face: OK')).toBeVisible();
  await page.getByRole('button', { name: 'Start Assessment' }).click();
  await candidate.seesQuestions();
  await candidate.options.first().click();
  const rail = page.getByRole('complementary', { name: 'Questions' });
  await expect(rail.getByText('Violations: 0/3')).toBeVisible();
  await expect(rail.getByText('Face: OK')).toBeVisible();

  const evidence = page.waitForResponse(
    (response) => response.url().endsWith('/evidence') && response.ok(),
  );
  await devices.show('empty');
  const dialog = page.getByRole('alertdialog', {
    name: 'Face not detected! Please ensure your face is visible.',
  });
  await expect(dialog).toBeVisible();
  await expect(dialog).toContainText('WARNING');
  await expect(dialog).toContainText('This violation has been recorded.');
  await expect(dialog).toContainText('2 more violations end your assessment');
  await expect(dialog).toContainText('1/3');
  await devices.show('face');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(rail.getByText('Violations: 1/3')).toBeVisible();
  await expect(rail.getByText('Face: OK')).toBeVisible();
  await expect(page.getByRole('region', { name: 'What was detected' })).toContainText(
    'We could not see your face',
  );

  // A reload would abort it.
  await evidence;
  await page.reload();
  await expect(rail.getByText('Violations: 1/3')).toBeVisible();
  await expect(rail.getByText('Face: OK')).toBeVisible();
  await devices.show('empty');
  await expect(dialog).toContainText('One more violation ends your assessment');
  await expect(dialog).toContainText('2/3');
  // One absence is one violation, so the third needs another absence.
  await devices.show('face');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(rail.getByText('Face: OK')).toBeVisible();
  const letGo = await holdSignOut(page);
  await recordTexts(page);
  await devices.show('empty');
  await wasShown(page, 'Move back into view');
  await wasShown(page, 'Your answers are being submitted now');
  await expect(page).toHaveURL('/quiz/dismissed');
  await expect(page.getByText('Reason: Exceeded maximum allowed violations')).toBeVisible();
  letGo();
  await expect(page).toHaveURL('/login');

  const record = await adminClient.record(quiz);
  expect(record.participant).toMatchObject({
    status: 'dismissed',
    violationCount: 3,
    answeredCount: 1,
  });
  const counted = record.violations.filter((one: { counted: boolean }) => one.counted);
  expect(counted).toHaveLength(3);
  expect(counted[0]).toMatchObject({ type: 'face_not_detected', engine: 'model' });
  // Stills around each violation are stored, fewer on a busy machine, and the results of the device
  // check.
  for (const { evidence } of counted) {
    const stills = evidence.map((one: { stills: number }) => one.stills);
    expect(stills.reduce((sum: number, one: number) => sum + one, 0)).toBeGreaterThan(0);
    expect(evidence.some((one: { hasLevels: boolean }) => one.hasLevels)).toBe(true);
  }
  expect(record.deviceCheck).toMatchObject({ faceFound: true, faceEngine: 'model' });

  // Nothing else was sent, and nothing to another origin.
  const writes = sent.filter(({ method }) => method !== 'GET');
  expect(sent.filter(({ url }) => !url.startsWith(testServer.url))).toEqual([]);
  const paths = writes.map(({ url }) => new URL(url).pathname.replace(/[0-9a-f-]{36}/, ':id'));
  expect(new Set(paths)).toEqual(
    new Set([
      '/api/auth/login',
      '/api/auth/logout',
      '/api/participants',
      '/api/participants/:id/answers',
      '/api/participants/:id/heartbeat',
      '/api/participants/:id/submit',
      '/api/participants/:id/evidence',
      '/api/violations',
    ]),
  );
  const reports = writes.filter(({ url }) => url.endsWith('/api/violations'));
  expect(reports.some(({ body }) => /count|total/i.test(body))).toBe(false);
});

test('the start is refused without camera and microphone access, and possible once it is allowed', {
  tag: '@long',
}, async ({ visitor, adminClient }) => {
  const page = await visitor();
  const devices = await FakeDevices.install(page);
  const { candidate, quiz } = await signedIn(page, adminClient, 'Refused', { policy: STRICT });
  await page.getByRole('button', { name: 'Start Assessment' }).click();
  await devices.refuse();
  await page.getByRole('button', { name: 'Accept & Continue' }).click();
  const camera = page.getByRole('region', { name: 'Camera' });
  const microphone = page.getByRole('region', { name: 'Microphone' });
  await expect(camera).toContainText('Camera access is required for this assessment');
  await expect(camera).toContainText('Denied');
  await expect(microphone).toContainText('Microphone access is required for this assessment');
  const start = page.getByRole('button', { name: 'Start Assessment' });
  await expect(start).toBeDisabled();
  expect(await adminClient.attempts(quiz)).toEqual([]);

  await devices.allow();
  await camera.getByRole('button', { name: 'Try again' }).click();
  await microphone.getByRole('button', { name: 'Try again' }).click();
  await expect(camera).toContainText('Granted');
  await start.click();
  await candidate.seesQuestions();
});

test('two people are flagged, a dark picture is inconclusive, and a lost camera returns: none counts', {
  tag: '@long',
}, async ({ visitor, adminClient }) => {
  const page = await visitor();
  const devices = await FakeDevices.install(page);
  const { candidate, quiz } = await signedIn(page, adminClient, 'Nothing of this counts', {
    policy: STRICT,
  });
  await candidate.begin();
  const rail = page.getByRole('complementary', { name: 'Questions' });
  const strip = page.getByRole('region', { name: 'What was detected' });
  await holdsFor(3_000, () => expect(rail.getByText('Face: OK')).toBeVisible());

  await devices.show('two');
  await expect(strip).toContainText('We saw more than one face');
  await devices.show('black');
  await expect(rail.getByText('Face: Cannot tell')).toBeVisible();
  await expect(strip).toContainText('The camera seems to be covered');
  await expect(strip).toContainText('noted, not counted');

  await devices.show('face');
  await devices.unplug('camera');
  const lost = page.getByText(
    'Camera or microphone connection lost. Please refresh and try again.',
  );
  await expect(lost).toBeVisible();
  await expect(rail.getByText('Face: Off')).toBeVisible();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(lost).toBeHidden();
  await expect(rail.getByText('Face: OK')).toBeVisible();

  // Permission withdrawn: the browser refuses the new request, and the test continues.
  await devices.refuse();
  await devices.unplug('camera');
  await expect(lost).toBeVisible();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('Camera access is required for this assessment')).toBeVisible();
  await candidate.options.first().click();
  await expect(candidate.saved).toContainText(/^Saved \d/);

  await expect(rail.getByText('Violations: 0/3')).toBeVisible();
  const record = await adminClient.record(quiz);
  expect(record.participant).toMatchObject({ status: 'in_progress', violationCount: 0 });
  const types = record.violations.map((one: { type: string }) => one.type);
  expect(new Set(types)).toEqual(new Set(['multiple_faces', 'camera_covered', 'camera_lost']));
  expect(record.violations.some((one: { counted: boolean }) => one.counted)).toBe(false);
});

test('speech counts, typing does not', { tag: '@long' }, async ({ visitor, adminClient }) => {
  const page = await visitor();
  const devices = await FakeDevices.install(page);
  const { candidate } = await signedIn(page, adminClient, 'Speech', {
    policy: { ...STRICT, camera: false },
  });
  await candidate.begin();
  const rail = page.getByRole('complementary', { name: 'Questions' });
  await expect(rail.getByText(/Voice: \d+ dB/)).toBeVisible();
  const nothingCounts = () => expect(rail.getByText('Violations: 0/3')).toBeVisible();
  await holdsFor(6_000, nothingCounts);

  await devices.play('keyboard');
  await holdsFor(8_000, nothingCounts);
  await devices.play('voice');
  const dialog = page.getByRole('alertdialog', {
    name: 'Voice/sound detected! Please maintain silence.',
  });
  await expect(dialog).toBeVisible();
  await devices.play('silence');
  await expect(dialog).toContainText('1/3');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(rail.getByText('Violations: 1/3')).toBeVisible();
});
