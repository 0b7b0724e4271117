import { expect, test } from './support/e2e-test.ts';
import { holdSignOut, readLastPage } from './support/last-page.ts';
import { startAttempt } from './support/start-attempt.ts';

/* Takeover between tabs and between devices is tested in resume.spec.ts. */

test('a submit that is pressed twice and sent twice ends the attempt once', {
  tag: '@long',
}, async ({ page, adminClient, consoles }) => {
  consoles.expect(/status of 502 .*\/submit$/);
  const { candidate, observer } = await startAttempt(page, adminClient, 'Twice');
  await observer.select(candidate, 1, 1);
  await page.getByRole('button', { name: 'Review & Submit' }).click();

  // The first reply is lost after the commit, so that the page sends the submit a second time.
  const bodies: string[] = [];
  await page.route('**/api/participants/*/submit', async (route) => {
    const response = await route.fetch();
    bodies.push(await response.text());
    if (bodies.length === 1) await route.fulfill({ status: 502, body: '' });
    else await route.fulfill({ response });
  });
  await page.getByRole('button', { name: 'Submit Final Assessment' }).dblclick();
  const dialog = page.getByRole('dialog', { name: 'How was your experience?' });
  await dialog.getByRole('radio', { name: 'Bad' }).click();
  await holdSignOut(page);
  await dialog.getByRole('button', { name: 'Submit Assessment' }).dblclick();

  const end = await readLastPage(page, 'Assessment Completed!');
  expect(end.facts).toMatchObject({ 'Questions Answered': '1 of 5' });
  expect(bodies).toHaveLength(2);
  expect(bodies[1]).toBe(bodies[0]);
  const { id, status } = await observer.attempt();
  expect(status).toBe('completed');
  const record = () => adminClient.record(id);
  // The feedback is sent after the thank-you page is shown.
  await expect
    .poll(async () => (await record()).feedback)
    .toMatchObject({ emoji: 'sad', skipped: false });
  const { events } = await record();
  const kinds: string[] = events.map((event: { kind: string }) => event.kind);
  expect(kinds.filter((kind) => kind === 'ended')).toHaveLength(1);
  await observer.nothingIsLost();
});
