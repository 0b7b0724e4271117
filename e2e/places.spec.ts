import { Candidate } from './support/candidate.ts';
import { expect, test } from './support/e2e-test.ts';
import { holdSignOut, readLastPage } from './support/last-page.ts';
import { Observer } from './support/observer.ts';
import { startAttempt } from './support/start-attempt.ts';

/* Takeover between tabs and between devices is tested in resume.spec.ts. */

test('two devices in turn: every acknowledged answer of both is stored at the end', {
  tag: '@long',
}, async ({ visitor, adminClient, consoles }) => {
  consoles.expect(/status of 401 .*\/api\/participants\//);
  const quiz = await adminClient.quiz('In turn');
  const guest = await adminClient.inviteOne(quiz, 'in-turn@example.org');
  const observer = new Observer(adminClient, quiz);
  const devices = [new Candidate(await visitor(), guest), new Candidate(await visitor(), guest)];
  for (const device of devices) observer.watch(device.page);
  const [first, second] = devices;
  if (!first || !second) throw new Error('two devices');

  await first.signIn();
  await first.begin();
  await observer.select(first, 1, 1);
  await observer.select(first, 2, 0);
  await observer.savedIsTrue(first);

  await second.signIn();
  await second.begin();
  await observer.select(second, 2, 3);
  await observer.select(second, 3, 1);
  await observer.savedIsTrue(second);
  const before = await observer.stored();
  // Without any input the older page reports that it no longer saves, and it does not.
  await expect(first.page.getByRole('alertdialog')).toContainText('This page no longer saves.');
  expect(await observer.stored()).toEqual(before);
  await observer.nothingIsLost();

  // Offline, the sign-in fails and the page says why.
  consoles.expect(/ERR_INTERNET_DISCONNECTED/);
  await first.page.context().setOffline(true);
  await first.page.getByRole('button', { name: 'Sign in here' }).click();
  await expect(first.page.getByRole('alert')).toHaveText(/^The server cannot be reached\./);
});

test('a submit that is pressed twice and sent twice ends the attempt once', async ({
  page,
  adminClient,
  consoles,
}) => {
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
