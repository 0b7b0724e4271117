import { detected, liveAttempt, liveFrame } from '../web/src/testing/live-rows.ts';
import { expect, test } from './support/e2e-test.ts';
import { signInAsAdmin } from './support/sign-in.ts';

// A trace takes a snapshot of a thousand elements at each step, and would measure itself.
test.use({ database: 'live', trace: 'off' });

// How long a frame blocks the page is measured by bench/live-board.
test('five hundred candidates: all are listed, each frame is shown, and one can be opened in the meantime', {
  tag: '@long',
}, async ({ page }) => {
  const at = (second: number) => new Date(Date.now() + second * 1_000).toISOString();
  const rows = Array.from({ length: 500 }, (_, n) =>
    (n < 20 ? detected : liveAttempt)({
      id: `p${n}`,
      userEmail: `p${n}@example.org`,
      hasCamera: false,
    }),
  );
  const frames = [liveFrame({ isWhole: true, at: at(0), attempts: rows, quizzes: [], ended: [] })];
  for (let second = 1; second <= 5; second += 1) {
    const attempts = rows.map((row) => ({ ...row, answeredCount: 11 + second }));
    frames.push(liveFrame({ at: at(second), attempts }));
  }
  // Sent one a second from inside the page: a routed response cannot be a stream.
  await page.addInitScript(
    (texts) => {
      const fetched = window.fetch;
      window.fetch = async (input, init) => {
        if (!String(input).endsWith('/api/live')) return fetched(input, init);
        const body = new ReadableStream({
          async start(controller) {
            for (const text of texts) {
              controller.enqueue(new TextEncoder().encode(`event: board\ndata: ${text}\n\n`));
              await new Promise((resolve) => setTimeout(resolve, 1_000));
            }
          },
        });
        return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
      };
    },
    frames.map((frame) => JSON.stringify(frame)),
  );
  await signInAsAdmin(page);
  await page.goto('/admin/live');
  // By position, not by role: computing a thousand accessible names would dominate the time.
  await expect(page.locator('main section li')).toHaveCount(500);
  await expect(page.locator('main section li').first()).toContainText('16 of 25');
  await page.getByRole('button', { name: 'p7@example.org', exact: true }).click();
  await expect(page.getByRole('dialog', { name: 'p7@example.org' })).toBeVisible();
});
