import { randomUUID } from 'node:crypto';
import { STRICT_POLICY } from '../core/src/domain/violations/violation-policy.ts';
import { Candidate } from './support/candidate.ts';
import { expect, test } from './support/e2e-test.ts';
import { FakeDevices } from './support/fake-devices.ts';
import { holdsFor } from './support/holds-for.ts';
import { holdSignOut } from './support/last-page.ts';
import { browserOf, CANDIDATE_SIZES, checkScreen } from './support/screen-checks.ts';

test.describe.configure({ mode: 'parallel' });
/** More than one: without a cool-down a busy machine detects more than the test triggers. */
const LIMIT = 6;

/** A phone has no camera: there a voice is detected. */
const DETECTED = {
  desktop: {
    ready: 'Face found',
    begin: (devices: FakeDevices) => devices.show('empty'),
    end: (devices: FakeDevices) => devices.show('face'),
    type: 'face_not_detected',
    evaluated: /^Face: OK$/,
    message: 'Face not detected! Please ensure your face is visible.',
  },
  phone: {
    ready: 'Camera is not used on this device',
    begin: (devices: FakeDevices) => devices.play('voice'),
    end: (devices: FakeDevices) => devices.play('silence'),
    type: 'voice_detected',
    evaluated: /^Voice: \d+ dB$/,
    message: 'Voice/sound detected! Please maintain silence.',
  },
};

for (const size of CANDIDATE_SIZES) {
  test(`candidate screens of a violation are accessible: ${size}`, async ({
    visitor,
    adminClient,
  }) => {
    const page = await visitor(browserOf(size));
    const devices = await FakeDevices.install(page);
    const { ready, begin, end, type, evaluated, message } = DETECTED[size];
    const policy = {
      ...STRICT_POLICY,
      preset: 'custom',
      fullscreen: false,
      limits: { combined: LIMIT, face: LIMIT, voice: LIMIT, fullscreen: null },
      cooldownMs: 0,
    };
    const quiz = await adminClient.quiz(`Detected on a ${size}`, { policy });
    const candidate = new Candidate(
      page,
      await adminClient.inviteOne(quiz, `detected-${size}@example.org`),
    );
    await candidate.signIn();
    await page.getByRole('button', { name: 'Start Assessment' }).click();
    await page.getByRole('button', { name: 'Accept & Continue' }).click();
    await expect(page.getByText(ready)).toBeVisible();
    await checkScreen(page, size, 'device-check');

    await page.getByRole('button', { name: 'Start Assessment' }).click();
    await candidate.seesQuestions();
    await candidate.options.first().click();
    // No stream is evaluated in its first seconds.
    const shown = page.getByText(evaluated).filter({ visible: true });
    await holdsFor(5_000, () => expect(shown).toBeVisible());
    await begin(devices);
    // The warning disappears after three seconds; the dialog stays.
    await expect(page.getByText(message).first()).toBeVisible();
    // Only once: without a cool-down the next would count at once.
    await end(devices);
    await checkScreen(page, size, 'assessment-warning', { whole: false });
    const dialog = page.getByRole('alertdialog', { name: message });
    await expect(dialog).toBeVisible();
    await checkScreen(page, size, 'assessment-violation', { whole: false });
    await dialog.getByRole('button', { name: 'Continue' }).click();

    const strip = page.getByRole('region', { name: 'What was detected' });
    await expect(strip).toBeVisible();
    await checkScreen(page, size, 'assessment-detected', { whole: false });
    await strip.getByRole('button', { name: 'Add a note' }).click();
    await strip.getByRole('textbox').fill('Someone came in and asked for the keys.');
    await checkScreen(page, size, 'assessment-note', { whole: false });
    await strip.getByRole('button', { name: 'Save note' }).click();
    await expect(strip).toContainText('your note was added');
    await page.goto('/quiz/review');
    await expect(strip).toBeVisible();
    await checkScreen(page, size, 'review-detected', { whole: false });

    await holdSignOut(page);
    const attempt = async () => (await adminClient.attempts(quiz))[0];
    while ((await attempt()).violationCount < LIMIT) {
      const data = { id: randomUUID(), participantId: (await attempt()).id, violationType: type };
      const answer = await page.request.post('/api/violations', { data });
      expect(answer.status()).toBe(201);
    }
    await expect(page).toHaveURL('/quiz/dismissed');
    await expect(page.getByRole('heading', { name: 'Assessment Terminated' })).toBeVisible();
    await checkScreen(page, size, 'dismissed');
  });
}
