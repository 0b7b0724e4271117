import { setTimeout as passes } from 'node:timers/promises';
import { expect, test } from './support/e2e-test.ts';
import { startAttempt } from './support/start-attempt.ts';

/** A busy machine renders seconds late; the fault tested here would be days. */
const TOLERATED_SECONDS = 30;

const secondsOf = (text: string | null) =>
  (text ?? '').split(':').reduce((sum, part) => sum * 60 + Number(part), 0);

test("a day more or less on the device's clock neither gives nor takes time", {
  tag: '@long',
}, async ({ page, adminClient, consoles }) => {
  const { candidate, observer } = await startAttempt(page, adminClient, 'Clock');
  await observer.select(candidate, 1, 1);
  await observer.savedIsTrue(candidate);
  const timer = page.getByRole('timer');
  const { startedAt } = await observer.attempt();
  const left = () => 25 * 60 - (Date.now() - Date.parse(startedAt)) / 1_000;

  for (const days of [1, -2]) {
    await page.evaluate((ms) => {
      const real = Date.now.bind(Date);
      const Original = Date;
      const Moved = new Proxy(Original, {
        construct: (of, args) =>
          args.length === 0 ? new of(real() + ms) : Reflect.construct(of, args),
        get: (of, name) => (name === 'now' ? () => real() + ms : Reflect.get(of, name)),
      });
      Object.defineProperty(window, 'Date', { value: Moved, configurable: true, writable: true });
    }, days * 86_400_000);
    // Timestamps are checked every 30 s; the heartbeat is sent every 10 s.
    if (days === 1) await passes(31_000);
    await observer.select(candidate, days === 1 ? 2 : 3, 2);
    await expect(candidate.saved).toHaveText(/^Saved \d/);
    expect(await observer.stored()).toEqual(observer.selected);
    expect(Math.abs(secondsOf(await timer.textContent()) - left())).toBeLessThan(TOLERATED_SECONDS);
  }

  // The stored start is ignored as well, after a reload with or without the moved clock. The page may
  // check and log it before the reload.
  consoles.expect(
    /\[invigil\] The stored start of the attempt .* was restored/,
    /\[invigil\] Stored data under "quizStart\w+" is ignored/,
  );
  await page.evaluate(() => {
    localStorage.setItem('quizStartTimestamp', String(Date.now() - 86_400_000));
    localStorage.setItem('quizStartTime', '2001-01-01T00:00:00.000Z');
  });
  await page.reload();
  await page.getByRole('button', { name: 'Return to fullscreen' }).click();
  await expect(candidate.question).toBeVisible();
  expect(Math.abs(secondsOf(await timer.textContent()) - left())).toBeLessThan(TOLERATED_SECONDS);
  expect(await observer.attempt()).toMatchObject({ status: 'in_progress', startedAt });
  await observer.nothingIsLost();
});
