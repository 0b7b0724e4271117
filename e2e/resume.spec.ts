import { Candidate } from './support/candidate.ts';
import { codeIsHere } from './support/code-is-here.ts';
import { expect, test } from './support/e2e-test.ts';
import { holdSignOut, readLastPage } from './support/last-page.ts';
import { signedIn } from './support/start-attempt.ts';

test('an attempt continues on a second device, and the first one says that it was replaced', async ({
  visitor,
  adminClient,
  consoles,
}) => {
  consoles.expect(/net::ERR_INTERNET_DISCONNECTED/, /status of 401 .*\/api\/participants\//);
  const quiz = await adminClient.quiz('Two devices');
  const guest = await adminClient.inviteOne(quiz, 'two-devices@example.org');
  const first = new Candidate(await visitor(), guest);
  await first.signIn();
  await first.begin();
  const paper: string[][] = [];
  for (const number of [1, 2, 3, 4, 5]) {
    await first.go(number);
    const options = await first.optionTexts();
    paper.push([await first.questionText(), ...options]);
    if (number < 4) await first.select(options[1] ?? '');
    if (number === 2) await first.action('Flag').click();
  }
  await expect(first.saved).toHaveText(/^Saved \d/);
  await codeIsHere(first.page);
  // Made offline: it is queued on the first device.
  await first.page.context().setOffline(true);
  await first.options.nth(0).click();
  await expect(first.saved).toHaveText('Offline: 1 change waiting');

  const second = new Candidate(await visitor(), guest);
  await second.signIn();
  await expect(
    second.page.getByText('Your assessment has started and continues where you left off.'),
  ).toBeVisible();
  await second.begin();
  for (const [index, [question, ...options]] of paper.entries()) {
    await second.go(index + 1);
    expect(await second.questionText()).toBe(question);
    expect(await second.optionTexts()).toEqual(options);
    await expect(second.options.nth(1)).toBeChecked({ checked: index < 3 });
  }
  await expect(second.bubble(2)).toHaveAccessibleName('Question 2, marked for review, answered');

  await first.page.context().setOffline(false);
  const panel = first.page.getByRole('alertdialog', { name: 'You signed in somewhere else' });
  await expect(panel).toContainText('Your assessment continues there. This page no longer saves.');
  await expect(panel).toContainText(
    '1 change is waiting on this device. It will be sent when you sign in here.',
  );

  // Offline, the sign-in fails and the page says why.
  await first.page.context().setOffline(true);
  await panel.getByRole('button', { name: 'Sign in here' }).click();
  await expect(panel.getByRole('alert')).toHaveText(/^The server cannot be reached\./);
  await first.page.context().setOffline(false);
  await panel.getByRole('button', { name: 'Sign in here' }).click();
  await expect(first.page.getByLabel('Email address')).toHaveValue(guest.email);
  await expect(first.page.getByLabel('Password', { exact: true })).toHaveValue('');
  await first.signIn();
  await first.begin({ consent: false });
  await first.go(5);
  await expect(first.options.nth(0)).toBeChecked();
  await expect(first.saved).toHaveText(/^Saved \d/);
  // Now the second one reports it, without any input.
  await expect(
    second.page.getByRole('alertdialog', { name: 'You signed in somewhere else' }),
  ).toBeVisible();
});

test('a reinstated attempt opens with its answers and flags', {
  tag: '@long',
}, async ({ visitor, adminClient }) => {
  const quiz = await adminClient.quiz('Reinstated');
  const guest = await adminClient.inviteOne(quiz, 'reinstated@example.org');
  const candidate = new Candidate(await visitor(), guest);
  await candidate.signIn();
  await candidate.begin();
  const [, second = ''] = await candidate.optionTexts();
  await candidate.select(second);
  await candidate.go(2);
  await candidate.action('Flag').click();
  await expect(candidate.saved).toHaveText(/^Saved \d/);
  await candidate.action('Review & Submit').click();
  await candidate.page.getByRole('button', { name: 'Submit Final Assessment' }).click();
  await candidate.page.getByRole('button', { name: 'Skip Feedback' }).click();
  await expect(candidate.page.getByText('Assessment Completed!')).toBeVisible();

  const query = { quizId: quiz.id };
  const [{ id }] = (await adminClient.call('listParticipants', { query })).body;
  const body = { how: 'reinstate', reason: 'A power cut', minutes: 5 };
  await adminClient.call('replaceParticipant', { params: { id }, body });
  const again = new Candidate(await visitor(), guest);
  await again.signIn();
  await again.begin();
  await expect(again.bubble(1)).toHaveAccessibleName('Question 1, answered');
  await expect(again.bubble(2)).toHaveAccessibleName(/^Question 2, marked for review/);
  await again.go(1);
  await expect(again.options.nth(1)).toBeChecked();
  await again.options.nth(0).click();
  await expect(again.saved).toHaveText(/^Saved \d/);
  await expect(again.options.nth(0)).toBeChecked();
});

test('a page whose attempt was replaced while it was offline says so and goes on', {
  tag: '@long',
}, async ({ page, adminClient, consoles }) => {
  consoles.expect(/net::ERR_INTERNET_DISCONNECTED/, /status of 404 .*\/api\/participants/);
  const { candidate, quiz } = await signedIn(page, adminClient, 'Replaced offline');
  await candidate.begin();
  const query = { quizId: quiz.id };
  const listed = async () => (await adminClient.call('listParticipants', { query })).body;
  const [{ id }] = await listed();
  await page.context().setOffline(true);
  await candidate.options.nth(0).click();
  await expect(candidate.saved).toHaveText('Offline: 1 change waiting');
  await adminClient.call('endParticipant', { params: { id }, body: { reason: 'A power cut' } });
  await expect.poll(async () => (await listed())[0].status, { timeout: 30_000 }).toBe('completed');
  const body = { how: 'reinstate', reason: 'A power cut' };
  await adminClient.call('replaceParticipant', { params: { id }, body });
  await page.context().setOffline(false);
  const panel = page.getByRole('alertdialog', { name: 'You can continue or start again' });
  await expect(panel).toContainText('An administrator has ended this attempt and allowed that.');
  await expect(panel).not.toContainText('waiting on this device');
  await panel.getByRole('button', { name: 'Continue' }).click();
  await expect(page).toHaveURL(/\/quiz\/instructions$/);
  await candidate.begin({ consent: false });
  await candidate.seesQuestions();
});

test('a second tab reports that the assessment is open elsewhere and takes over', {
  tag: '@long',
}, async ({ visitor, adminClient }) => {
  const quiz = await adminClient.quiz('Two tabs');
  const guest = await adminClient.inviteOne(quiz, 'two-tabs@example.org');
  const tab = new Candidate(await visitor(), guest);
  await tab.signIn();
  await tab.begin();
  await tab.options.nth(2).click();
  await expect(tab.saved).toHaveText(/^Saved \d/);

  const other = new Candidate(await tab.page.context().newPage(), guest);
  await other.page.goto('/quiz/assessment');
  const panel = other.page.getByRole('alertdialog', {
    name: 'Your assessment is open in another tab',
  });
  await expect(panel).toContainText('This tab does not save.');
  await panel.getByRole('button', { name: 'Continue in this tab' }).click();
  await other.page.getByRole('button', { name: 'Return to fullscreen' }).click();
  await expect(other.options.nth(2)).toBeChecked();
  await expect(
    tab.page.getByRole('alertdialog', { name: 'Your assessment is open in another tab' }),
  ).toBeVisible();
});

test('the attempt ends when the time is over, and the answers so far count', {
  tag: '@long',
}, async ({ visitor, adminClient }) => {
  const quiz = await adminClient.quiz('One minute', { duration: 1 });
  const guest = await adminClient.inviteOne(quiz, 'one-minute@example.org');
  const candidate = new Candidate(await visitor(), guest);
  const { page } = candidate;
  await candidate.signIn();
  await candidate.begin();
  const key = new Map(quiz.questions.map((row) => [row.question, row.correctAnswer]));
  for (const number of [1, 2]) {
    await candidate.go(number);
    await candidate.select(key.get(await candidate.questionText()) ?? '');
  }
  await expect(candidate.saved).toHaveText(/^Saved \d/);

  const letGo = await holdSignOut(page);
  // One minute is the shortest duration.
  await expect(page).toHaveURL('/quiz/thankyou');
  const end = await readLastPage(page, 'Time Expired - Assessment Auto-Submitted');
  expect(end.lines).toContain(
    'Your Assessment was automatically submitted when the time limit was reached.',
  );
  expect(end.lines).toContain('Assessment Summary');
  expect(end.facts).toMatchObject({
    'Questions Answered': '2 of 5',
    'Total Questions': '5',
    'Time Taken': '1 minutes 0 seconds',
    Violations: '0',
  });
  letGo();
  await expect(page).toHaveURL('/login');

  const [row] = await adminClient.attempts(quiz);
  expect(row).toMatchObject({
    userEmail: guest.email,
    status: 'completed',
    submissionType: 'auto',
    score: 2,
    totalMarks: 5,
    timeSpent: 60,
  });
});
