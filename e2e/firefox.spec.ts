import { BALANCED_POLICY } from '@invigil/core/domain/violations/violation-policy';
import type { AdminClient } from './support/admin-client.ts';
import { expect, test } from './support/e2e-test.ts';
import { FakeDevices } from './support/fake-devices.ts';
import { Firefox, findFirefox } from './support/firefox.ts';

/*
 * The journey in Debian's Firefox. Its fake microphone needs no sound output, but measuring it does: on a
 * machine without one it "cannot be measured", which is part of the test.
 */

const program = findFirefox();

test.describe('in Firefox', { tag: '@long' }, () => {
  // biome-ignore lint/suspicious/noSkippedTests: only where the browser is missing
  test.skip(program === undefined, 'Firefox is not installed: apt-get install firefox-esr');
  let firefox: Firefox;
  test.afterEach(async () => firefox?.close());

  async function begin(
    adminClient: AdminClient,
    url: string,
    name: string,
    prefs: Record<string, boolean> = {},
  ) {
    firefox = await Firefox.launch(program ?? '', prefs);
    const devices = await FakeDevices.install(firefox);
    const quiz = await adminClient.quiz(name, { policy: BALANCED_POLICY });
    const guest = await adminClient.inviteOne(quiz, `${name.replace(/\W/g, '-')}@example.org`);
    await firefox.goto(`${url}/login`);
    await firefox.fill('input[name=email]', guest.email);
    await firefox.fill('input[name=password]', guest.code);
    const captcha = await firefox.evaluate(() => document.querySelector('output')?.textContent);
    await firefox.fill('input[name=captcha]', captcha ?? '');
    await firefox.click('button', 'Sign In');
    await firefox.sees('Before you start');
    await firefox.click('button', 'Start Assessment');
    await firefox.click('button', 'Accept & Continue');
    await firefox.sees('Consent given');
    const attempt = async () => {
      const [row] = await adminClient.attempts(quiz);
      return adminClient.must('getParticipantRecord', { params: { id: row.id } });
    };
    return { devices, attempt };
  }

  test('the whole journey, with detectors, warnings, fullscreen, a tab switch, review and receipt', async ({
    adminClient,
    testServer,
  }) => {
    const { devices, attempt } = await begin(adminClient, testServer.url, 'In Firefox');
    await firefox.sees('Face found');
    await firefox.sees(/Microphone (heard you speak|is measuring|cannot be measured)/);
    await firefox.click('button', 'Start Assessment');
    await firefox.sees('Question 1 of 5');
    expect(await firefox.evaluate(() => document.fullscreenElement !== null)).toBe(true);
    await firefox.sees('Face: OK');
    await firefox.click('[role=radio]');
    await firefox.sees(/Saved \d\d:\d\d:\d\d/);

    await devices.show('empty');
    await firefox.sees('Move back into view');
    await firefox.sees('2 more violations end your assessment');
    await devices.show('face');
    await firefox.click('button', 'Continue');
    await firefox.sees('Face: OK');

    await firefox.evaluate(() => document.exitFullscreen());
    await firefox.sees('Warning 1/5: You must stay in fullscreen mode.');
    await firefox.click('button', 'Return to fullscreen');
    await firefox.sees('Question 1 of 5');

    await firefox.lookAway(6_000);
    await firefox.sees('One more violation ends your assessment');
    await firefox.click('button', 'Continue');

    await firefox.reload();
    await firefox.click('button', 'Return to fullscreen');
    await firefox.sees('Question 1 of 5');
    await firefox.click('button', 'Next');
    await firefox.click('[role=radio]');
    await firefox.click('button, a', 'Review & Submit');
    await firefox.sees('2 of 5 questions answered');
    await firefox.click('button', 'Submit Final Assessment');
    await firefox.sees('Submit your assessment?');
    await firefox.click('button', 'Skip Feedback');
    await firefox.sees('Assessment Completed!');
    await firefox.click('button', 'Stay here');
    await firefox.sees('Your receipt');

    const { participant, violations, deviceCheck } = await attempt();
    expect(participant).toMatchObject({ status: 'completed', answeredCount: 2 });
    const counted = violations.filter((one: { counted: boolean }) => one.counted);
    expect(counted.map(({ type }: { type: string }) => type)).toEqual([
      'face_not_detected',
      'fullscreen_exit',
      'tab_hidden',
    ]);
    expect(counted[0]).toMatchObject({ engine: 'model' });
    expect(deviceCheck).toMatchObject({ faceFound: true, faceEngine: 'model' });
    expect(firefox.logged.filter((line) => /invigil|TypeError|Error:/.test(line))).toEqual([]);
  });

  test('with falsified canvases nothing of the camera counts, and everyone is told', async ({
    adminClient,
    testServer,
  }) => {
    const { devices, attempt } = await begin(adminClient, testServer.url, 'Resists', {
      'privacy.resistFingerprinting': true,
    });
    await firefox.sees('Face cannot be checked: this browser, or an add-on in it, changes');
    await firefox.click('button', 'Start Assessment');
    await firefox.sees('Question 1 of 5');
    await devices.show('empty');
    await firefox.sees('Face: Cannot tell');
    await firefox.sees('The camera picture could not be checked');
    // Three times as long as an absence that counts.
    await new Promise((resolve) => setTimeout(resolve, 20_000));
    const { participant, violations, deviceCheck } = await attempt();
    expect(participant).toMatchObject({ status: 'in_progress', violationCount: 0 });
    expect(violations).toContainEqual(
      expect.objectContaining({ type: 'camera_unjudged', notes: 'falsified', counted: false }),
    );
    expect(deviceCheck).toMatchObject({ faceCannotTell: 'falsified' });
  });
});
