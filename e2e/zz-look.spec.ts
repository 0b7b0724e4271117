import { browserOf } from './support/album.ts';
import { Candidate } from './support/candidate.ts';
import { expect, test } from './support/stories.ts';

test.describe.configure({ timeout: 240_000 });
for (const size of ['desktop', 'phone'] as const) {
  test(`look ${size}`, async ({ visitor, desk, consoles }) => {
    consoles.expect(/.*/);
    const quiz = await desk.quiz(`Look ${size}`, { totalQuestions: 5 });
    const [guest] = await desk.invite(quiz, `look2-${size}@example.org`);
    if (!guest) throw new Error();
    const page = await visitor(browserOf(size));
    const c = new Candidate(page, guest);
    const shot = async (name: string, full = false) => {
      await page.evaluate(() => { for (const b of document.querySelectorAll<HTMLElement>('[data-toaster] button')) b.click(); });
      for (const theme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme: theme });
        await page.screenshot({ path: `/tmp/p4web-shots/b-${name}-${size}-${theme}.png`, fullPage: full, animations: 'disabled' });
      }
    };
    await c.signIn();
    await c.begin();
    await c.options.nth(1).click();
    await c.action('Flag').click();
    await expect(c.saved).toHaveText(/^Saved \d/);
    if (size === 'phone') {
      const cdp = await page.context().newCDPSession(page);
      await cdp.send('Emulation.setSafeAreaInsetsOverride' as never, { insets: { left: 47, right: 47, bottom: 21 } } as never).catch((e) => console.log(String(e)));
      await page.setViewportSize({ width: 844, height: 390 });
      await shot('landscape-notch');
      await cdp.send('Emulation.setSafeAreaInsetsOverride' as never, { insets: {} } as never).catch(() => 0);
      await page.setViewportSize({ width: 320, height: 640 });
      await page.context().setOffline(true);
      await c.options.nth(0).click();
      await expect(c.saved).toHaveText('Offline: 1 change waiting');
      await shot('narrow-offline');
      await page.context().setOffline(false);
      await page.setViewportSize({ width: 390, height: 844 });
    } else {
      await page.emulateMedia({ forcedColors: 'active' });
      await page.screenshot({ path: `/tmp/p4web-shots/b-forced.png` });
      await page.emulateMedia({ forcedColors: 'none' });
    }
    const [row] = await desk.must('listParticipants', { query: { quizId: quiz.id } });
    const summary = { status: 'dismissed', timeSpent: 75, answeredCount: 1, totalQuestions: 5, violationCount: 3, submissionType: 'dismissed' };
    await page.route('**/submit', (route) => route.abort());
    await page.route('**/heartbeat', (route) => route.fulfill({ json: { status: 'dismissed', submissionType: 'dismissed', remainingMs: 0, deadlineAt: row.startedAt, violationCount: 3, messageCount: 0 } }));
    await expect(page).toHaveURL('/quiz/dismissed', { timeout: 15000 });
    await shot('dismissed-sending');
    await page.unroute('**/submit');
    await page.route('**/submit', async (route) => {
      const reply = await route.fetch();
      const body = await reply.json();
      await route.fulfill({ response: reply, json: { ...body, summary, participant: { ...body.participant, status: 'dismissed' } } });
    });
    await page.route('**/api/auth/logout', () => undefined);
    await expect(page.getByText('Auto logout')).toBeVisible({ timeout: 20000 });
    await shot('dismissed');
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });
}
