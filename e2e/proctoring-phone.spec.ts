import { STRICT_POLICY } from '../core/src/domain/violations/violation-policy.ts';
import { Candidate } from './support/candidate.ts';
import { expect, test } from './support/e2e-test.ts';
import { FakeDevices } from './support/fake-devices.ts';
import { holdsFor } from './support/holds-for.ts';
import { ANDROID } from './support/phones.ts';
import { signInAsAdmin } from './support/sign-in.ts';
import { signedIn } from './support/start-attempt.ts';

test('a phone under Strict: no camera is requested, a voice counts, and the record says why', {
  tag: '@long',
}, async ({ page: desktop, visitor, adminClient }) => {
  const page = await visitor(ANDROID);
  const devices = await FakeDevices.install(page);
  const { candidate, quiz } = await signedIn(page, adminClient, 'Strict on a phone', {
    policy: STRICT_POLICY,
  });
  await page.getByRole('button', { name: 'Start Assessment' }).tap();
  await page.getByRole('button', { name: 'Accept & Continue' }).tap();
  await expect(page.getByRole('region', { name: 'Microphone' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Camera' })).toHaveCount(0);
  await expect(page.getByText('Camera is not used on this device')).toBeVisible();
  await expect(page.getByText('Leaving this tab ends the assessment.')).toHaveCount(0);
  await page.getByRole('button', { name: 'Start Assessment' }).tap();
  await candidate.seesQuestions();
  await expect(page.getByText(/^Voice: \d+ dB$/).filter({ visible: true })).toBeVisible();
  // No stream is evaluated in its first seconds.
  await holdsFor(5_000, () =>
    expect(page.getByText(/^Face:/).filter({ visible: true })).toHaveCount(0),
  );

  // A dialog that opens over the list of questions is on top.
  await page.getByRole('button', { name: 'show all questions' }).tap();
  const sheet = page.getByRole('dialog', { name: 'Questions' });
  await expect(sheet).toBeVisible();
  await devices.play('voice');
  const dialog = page.getByRole('alertdialog', {
    name: 'Voice/sound detected! Please maintain silence.',
  });
  await expect(dialog).toBeVisible();
  await devices.play('silence');
  await expect(dialog).toContainText('1/3');
  await expect(sheet).toBeHidden();
  // Escape acts as the dialog's button does, and the page stays in fullscreen.
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  expect(await page.evaluate(() => document.fullscreenElement !== null)).toBe(true);
  await expect(
    page.getByText('Violations: 1/3', { exact: true }).filter({ visible: true }),
  ).toBeVisible();

  const [row] = await adminClient.attempts(quiz);
  expect(row).toMatchObject({ status: 'in_progress', violationCount: 1 });
  await signInAsAdmin(desktop);
  await desktop.goto(`/admin/participants/${row.id}`);
  await expect(desktop.getByText('None (phone)')).toBeVisible();
});

test('a phone where a camera is required: the start is refused, and the code works on a computer', {
  tag: '@long',
}, async ({ visitor, adminClient, consoles }) => {
  consoles.expect(/status of 403 .*\/api\/participants$/);
  const policy = { ...STRICT_POLICY, preset: 'custom', cameraRequired: true };
  const quiz = await adminClient.quiz('A camera is required', { policy });
  const guest = await adminClient.inviteOne(quiz, 'camera-required@example.org');
  const page = await visitor(ANDROID);
  const candidate = new Candidate(page, guest);
  await candidate.signIn();
  const notice = page.getByText('This assessment needs a computer with a camera.');
  const start = page.getByRole('button', { name: 'Start Assessment' });
  await expect(notice).toBeVisible();
  await expect(start).toHaveCount(0);
  await page.goto('/quiz/permissions');
  await expect(notice).toBeVisible();
  await expect(start).toHaveCount(0);

  // Required only after this page was loaded: the server refuses, and the page shows the notice.
  await adminClient.change(quiz, { policy: { ...policy, cameraRequired: false } });
  await page.goto('/quiz/permissions');
  await page.getByRole('button', { name: 'Accept & Continue' }).tap();
  await expect(start).toBeEnabled();
  await adminClient.change(quiz, { policy });
  await start.tap();
  await expect(page.getByRole('alert')).toContainText('Nothing has started');
  expect(await adminClient.attempts(quiz)).toEqual([]);

  const computer = new Candidate(await visitor(), guest);
  await computer.signIn();
  await computer.begin();
  expect(await adminClient.attempts(quiz)).toHaveLength(1);
});
