import { existsSync } from 'node:fs';
import { setTimeout as passes } from 'node:timers/promises';
import { BALANCED_POLICY } from '@invigil/core/domain/violations/violation-policy';
import { type Browser, type ElementHandle, launch, type Page } from 'puppeteer-core';
import type { AdminClient } from './support/admin-client.ts';
import { expect, test } from './support/e2e-test.ts';
import { FakeDevices } from './support/fake-devices.ts';

/*
 * The journey in Debian's Firefox. Its fake microphone needs no sound output, but measuring it does: on a
 * machine without one it "cannot be measured", which is part of the test.
 */

const program = ['/usr/bin/firefox-esr', '/usr/bin/firefox'].find((path) => existsSync(path));

/** Quiet: no network of its own, no questions. */
const PREFS = {
  'app.update.disabledForTesting': true,
  'browser.shell.checkDefaultBrowser': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'full-screen-api.warning.timeout': 0,
  'media.navigator.permission.disabled': true,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'toolkit.telemetry.enabled': false,
};

test.describe('in Firefox', { tag: '@long' }, () => {
  // biome-ignore lint/suspicious/noSkippedTests: only where the browser is missing
  test.skip(program === undefined, 'Firefox is not installed: apt-get install firefox-esr');
  let browser: Browser;
  let firefox: Page;
  /** Errors and warnings of the page's console. */
  let logged: string[];
  test.afterEach(() => browser?.close());

  async function open(prefs: Record<string, boolean>): Promise<void> {
    browser = await launch({
      browser: 'firefox',
      executablePath: program ?? '',
      extraPrefsFirefox: { ...PREFS, ...prefs },
      args: ['--width=1440', '--height=900'],
      defaultViewport: null,
    });
    // Not the first tab: without a person it never has the focus, which fullscreen needs.
    firefox = await browser.newPage();
    logged = [];
    firefox.on('console', (message) => {
      if (/^(error|warn)/.test(message.type())) logged.push(message.text());
    });
    firefox.on('pageerror', (error) => logged.push(String(error)));
  }

  /** Waits until the page shows these words. */
  async function sees(words: string | RegExp): Promise<void> {
    // A page that is just being replaced answers nothing.
    const shown = () =>
      // biome-ignore lint/performance/useDomNodeTextContent: only what is shown
      firefox.evaluate(() => document.body.innerText.replace(/\s+/g, ' ')).catch(() => '');
    if (typeof words === 'string') await expect.poll(shown).toContain(words);
    else await expect.poll(shown).toMatch(words);
  }

  /** Clicks the first element that a selector finds, that can be used and whose words begin so. */
  async function click(selector: string, words = ''): Promise<void> {
    await expect(async () => {
      const found = await firefox.evaluateHandle(findReady, selector, words);
      await (found.asElement() as ElementHandle).click();
    }, `a ${selector} "${words}" to click`).toPass();
  }

  async function fill(selector: string, text: string): Promise<void> {
    await click(selector);
    await firefox.keyboard.type(text);
  }

  async function begin(
    adminClient: AdminClient,
    url: string,
    name: string,
    prefs: Record<string, boolean> = {},
  ) {
    await open(prefs);
    const devices = await FakeDevices.install({
      addInitScript: (script, arg) => firefox.evaluateOnNewDocument(script, arg),
      evaluate: (script, arg) => firefox.evaluate(script, arg),
    });
    const quiz = await adminClient.quiz(name, { policy: BALANCED_POLICY });
    const guest = await adminClient.inviteOne(quiz, `${name.replace(/\W/g, '-')}@example.org`);
    await firefox.goto(`${url}/login`);
    await fill('input[name=email]', guest.email);
    await fill('input[name=password]', guest.code);
    const captcha = await firefox.evaluate(() => document.querySelector('output')?.textContent);
    await fill('input[name=captcha]', captcha ?? '');
    await click('button', 'Sign In');
    await sees('Before you start');
    await click('button', 'Start Assessment');
    await click('button', 'Accept & Continue');
    await sees('Consent given');
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
    await sees('Face found');
    await sees(/Microphone (heard you speak|is measuring|cannot be measured)/);
    await click('button', 'Start Assessment');
    await sees('Question 1 of 5');
    expect(await firefox.evaluate(() => document.fullscreenElement !== null)).toBe(true);
    await sees('Face: OK');
    await click('[role=radio]');
    await sees(/Saved \d\d:\d\d:\d\d/);

    await devices.show('empty');
    await sees('Move back into view');
    await sees('2 more violations end your assessment');
    await devices.show('face');
    await click('button', 'Continue');
    await sees('Face: OK');

    await firefox.evaluate(() => document.exitFullscreen());
    await sees('Warning 1/5: You must stay in fullscreen mode.');
    await click('button', 'Return to fullscreen');
    await sees('Question 1 of 5');

    const tab = await browser.newPage();
    await passes(6_000);
    await tab.close();
    await firefox.bringToFront();
    await sees('One more violation ends your assessment');
    await click('button', 'Continue');

    await firefox.reload();
    await click('button', 'Return to fullscreen');
    await sees('Question 1 of 5');
    await click('button', 'Next');
    await click('[role=radio]');
    await click('button, a', 'Review & Submit');
    await sees('2 of 5 questions answered');
    await click('button', 'Submit Final Assessment');
    await sees('Submit your assessment?');
    await click('button', 'Skip Feedback');
    await sees('Assessment Completed!');
    await click('button', 'Stay here');
    await sees('Your receipt');

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
    expect(logged.filter((line) => /invigil|TypeError|Error:/.test(line))).toEqual([]);
  });

  test('with falsified canvases nothing of the camera counts, and everyone is told', async ({
    adminClient,
    testServer,
  }) => {
    const { devices, attempt } = await begin(adminClient, testServer.url, 'Resists', {
      'privacy.resistFingerprinting': true,
    });
    await sees('Face cannot be checked: this browser, or an add-on in it, changes');
    await click('button', 'Start Assessment');
    await sees('Question 1 of 5');
    await devices.show('empty');
    await sees('Face: Cannot tell');
    await sees('The camera picture could not be checked');
    // Three times as long as an absence that counts.
    await passes(20_000);
    const { participant, violations, deviceCheck } = await attempt();
    expect(participant).toMatchObject({ status: 'in_progress', violationCount: 0 });
    expect(violations).toContainEqual(
      expect.objectContaining({ type: 'camera_unjudged', notes: 'falsified', counted: false }),
    );
    expect(deviceCheck).toMatchObject({ faceCannotTell: 'falsified' });
  });
});

/** Runs in the page: an enabled, visible element whose name begins with these words. */
function findReady(selector: string, words: string): HTMLElement | undefined {
  return [...document.querySelectorAll<HTMLElement>(selector)].find((one) => {
    const name = one.getAttribute('aria-label') ?? one.textContent ?? '';
    return !one.matches(':disabled') && one.checkVisibility() && name.trim().startsWith(words);
  });
}
