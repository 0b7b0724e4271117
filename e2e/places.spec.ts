import { Candidate } from './support/candidate.ts';
import { holdSignOut, readLastPage } from './support/last-page.ts';
import { seat } from './support/seat.ts';
import { expect, test } from './support/stories.ts';
import { Witness } from './support/witness.ts';

/* How two tabs and two devices take over from each other is told in resume.spec.ts. */

test('two devices in turn: each acknowledged answer of either is there at the end', async ({
  visitor,
  desk,
  consoles,
}) => {
  consoles.expect(/status of 401 .*\/api\/participants\//);
  const quiz = await desk.quiz('In turn');
  const [guest] = await desk.invite(quiz, 'in-turn@example.org');
  if (guest === undefined) throw new Error('one was invited');
  const witness = new Witness(desk, quiz);
  const devices = [new Candidate(await visitor(), guest), new Candidate(await visitor(), guest)];
  for (const device of devices) witness.watch(device.page);
  const [first, second] = devices;
  if (!first || !second) throw new Error('two devices');

  await first.signIn();
  await first.begin();
  await witness.choose(first, 1, 1);
  await witness.choose(first, 2, 0);
  await witness.savedIsTrue(first);

  await second.signIn();
  await second.begin();
  await witness.choose(second, 2, 3);
  await witness.choose(second, 3, 1);
  await witness.savedIsTrue(second);
  const before = await witness.stored();
  // The older page says by itself that it no longer saves, and it does not.
  await expect(first.page.getByRole('alertdialog')).toContainText('This page no longer saves.');
  expect(await witness.stored()).toEqual(before);
  await witness.nothingIsLost();

  // Without a connection there is no signing in, and the page says why.
  consoles.expect(/ERR_FAILED .*\/api\/auth\/me$/);
  await first.page.route('**/api/auth/me', (route) => route.abort());
  await first.page.getByRole('button', { name: 'Sign in here' }).click();
  await expect(first.page.getByRole('alert')).toHaveText(/^The server cannot be reached\./);
});

test('pressed twice and sent twice, a submit ends the attempt once', async ({
  page,
  desk,
  consoles,
}) => {
  consoles.expect(/status of 502 .*\/submit$/);
  const { candidate, witness } = await seat(page, desk, 'Twice');
  await witness.choose(candidate, 1, 1);
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
  await dialog.getByRole('radio', { name: 'Good' }).click();
  await holdSignOut(page);
  await dialog.getByRole('button', { name: 'Submit Assessment' }).dblclick();

  const end = await readLastPage(page, 'Assessment Completed!');
  expect(end.facts).toMatchObject({ 'Questions Answered': '1 of 5' });
  expect(bodies).toHaveLength(2);
  expect(bodies[1]).toBe(bodies[0]);
  const { id, status } = await witness.attempt();
  expect(status).toBe('completed');
  const record = () => desk.must('getParticipantRecord', { params: { id } });
  // The feedback goes out behind the thank-you.
  await expect
    .poll(async () => (await record()).feedback)
    .toMatchObject({ emoji: 'smile', skipped: false });
  const { events } = await record();
  const kinds: string[] = events.map((event: { kind: string }) => event.kind);
  expect(kinds.filter((kind) => kind === 'ended')).toHaveLength(1);
  await witness.nothingIsLost();
});
