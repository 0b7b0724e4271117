import { STRICT_POLICY } from '../core/src/domain/violations/violation-policy.ts';
import { levelOf } from '../core/src/domain/violations/violation-types.ts';
import { expect, test } from './support/e2e-test.ts';
import { FakeDevices } from './support/fake-devices.ts';
import { holdsFor } from './support/holds-for.ts';
import { recordTexts } from './support/shown-texts.ts';
import { signedIn } from './support/start-attempt.ts';

/** How many times slower than this machine the page's processor is. */
const SLOWER = 4;
const WATCHED_MS = 90_000;
/** Words that would be untrue: the computer is slow, and the candidate sits there. */
const UNTRUE =
  /asleep|slept|WARNING|could not see|not detected|looked away|no longer|disconnected|Offline|Not saving/;

test('a processor four times slower brings no untrue word and nothing to a reviewer', {
  tag: '@long',
}, async ({ visitor, adminClient }) => {
  const page = await visitor();
  await FakeDevices.install(page);
  const { candidate, quiz } = await signedIn(page, adminClient, 'Busy', {
    // Fullscreen is off: its browser dialogs would get in the way.
    policy: { ...STRICT_POLICY, preset: 'custom', fullscreen: false },
  });
  const browser = await page.context().newCDPSession(page);
  await browser.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  await candidate.consent();
  await expect(page.getByText('Face found')).toBeVisible();
  await page.getByRole('button', { name: 'Start Assessment' }).click();
  await candidate.seesQuestions();
  await recordTexts(page);
  await candidate.options.first().click();
  await candidate.go(2);
  await candidate.options.nth(1).click();
  await expect(candidate.saved).toHaveText(/^Saved/);
  await holdsFor(WATCHED_MS, async () => {
    await expect(page.getByRole('alertdialog')).toBeHidden();
  });
  const shown = await page.evaluate(() => Reflect.get(window, 'shownTexts') as string[]);
  expect(shown.length).toBeGreaterThan(0);
  expect(shown.filter((text) => UNTRUE.test(text))).toEqual([]);

  const { violations } = await adminClient.record(quiz);
  const seen = violations.filter(
    ({ type, durationMs }: { type: Parameters<typeof levelOf>[0]; durationMs: number | null }) =>
      levelOf(type, durationMs) !== 'info',
  );
  expect(seen).toEqual([]);
});
