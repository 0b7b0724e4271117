import { plainQuestions } from '@invigil/testkit/made-quiz';
import type { Locator, Page } from '@playwright/test';
import { AdminClient, type PreparedQuiz } from './support/admin-client.ts';
import { Candidate } from './support/candidate.ts';
import { codeIsHere } from './support/code-is-here.ts';
import { expect, test } from './support/e2e-test.ts';
import { holdsFor } from './support/holds-for.ts';
import { TIME_ZONE } from './support/server-settings.ts';
import { signInAsAdmin } from './support/sign-in.ts';
import { startAttempt } from './support/start-attempt.ts';

/* The day of an exam: own times, a fire alarm, a break, a power cut. */

test.use({ database: 'exam-day' });

const HOUR_MS = 3_600_000;
/** Between what two clocks show: a second is rounded on either, and a message takes its time. */
const TOLERANCE_S = 2;
/** Far more than the tolerance, so that a clock that runs on is seen. */
const STOPPED_MS = 6_000;

const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();

/** The seconds that the bar of a candidate shows. */
const secondsLeft = (page: Page) => secondsIn(page.getByRole('banner').getByRole('timer'));

async function secondsIn(place: Locator): Promise<number> {
  const shown = await place.textContent();
  const [, minutes, seconds] = /(\d+):(\d\d)/.exec(shown ?? '') ?? [];
  expect(minutes, `a time in ${shown}`).toBeDefined();
  return 60 * Number(minutes) + Number(seconds);
}

function near(seconds: number, wanted: number): void {
  expect(Math.abs(seconds - wanted), `${seconds} s are left, not ${wanted}`).toBeLessThanOrEqual(
    TOLERANCE_S,
  );
}

/** Words of questions and options that are nowhere else. */
const SECRET = 'Sealed until the opening';

/** How many answers to requests of this page have one of them. */
function leaksTo(page: Page): () => Promise<number> {
  const bodies: Promise<string>[] = [];
  page.context().on('response', (response) => {
    // A stream of events has no end to wait for.
    if (response.headers()['content-type']?.includes('text/event-stream')) return;
    bodies.push(response.text().catch(() => ''));
  });
  return async () => (await Promise.all(bodies)).filter((body) => body.includes(SECRET)).length;
}

test('two groups on two days, and one person of the later group today', {
  tag: '@long',
}, async ({ visitor, adminClient, consoles }) => {
  consoles.expect(/status of 403/);
  const emails = ['today@example.org', 'exception@example.org', 'tomorrow@example.org'] as const;
  const [today, exception, tomorrow] = emails;
  const people = emails.map((email) => ({
    email,
    groups: [email === today ? 'Group A' : 'Group B'],
  }));
  await adminClient.must('importPeople', { body: { people, dryRun: false } });
  const questions = plainQuestions(5).map(({ question, options }) => ({
    question: `${SECRET}: ${question}`,
    options: options.map((option) => `${SECRET}: ${option}`),
    correctAnswer: `${SECRET}: ${options[1]}`,
  }));
  const quiz = await adminClient.quiz('Two days', {}, questions);
  const guests = await adminClient.invite(quiz, ...emails);
  const params = { id: quiz.id };
  const opensAt = inMs(24 * HOUR_MS);
  const rules = [
    { group: 'Group A', window: { opensAt: null, endDate: inMs(2 * HOUR_MS) } },
    { group: 'Group B', window: { opensAt, endDate: inMs(26 * HOUR_MS) } },
  ];
  const change = await adminClient.must('setSchedule', { params, body: { rules, dryRun: false } });
  expect(change).toMatchObject({ changed: 3, underWay: 0 });
  const invitations = await adminClient.must('listInvitations', { params });
  const { id } = invitations.find(({ email }: { email: string }) => email === exception);
  const window = { opensAt: null, endDate: inMs(2 * HOUR_MS) };
  const body = { ownTimes: { window }, reason: 'A hospital appointment' };
  await adminClient.must('updateInvitation', { params: { id }, body });

  for (const guest of guests.filter(({ email }) => email !== tomorrow)) {
    const candidate = new Candidate(await visitor(), guest);
    const leaks = leaksTo(candidate.page);
    await candidate.signIn();
    await candidate.begin();
    // The same look finds the questions of those who may start.
    expect(await leaks()).toBeGreaterThan(0);
  }

  const page = await visitor({ timezoneId: TIME_ZONE, locale: 'en-GB' });
  const leaks = leaksTo(page);
  const [guest] = guests.filter(({ email }) => email === tomorrow);
  const candidate = new Candidate(page, guest ?? { email: '', code: '' });
  await candidate.signIn();
  await candidate.consent();
  const part = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-GB', { timeZone: TIME_ZONE, ...options }).format(new Date(opensAt));
  const day = part({ weekday: 'long', day: 'numeric', month: 'long' });
  const time = part({ hour: '2-digit', minute: '2-digit' });
  await expect(page.getByText(/^Opens .* at /)).toContainText(`${day} at ${time}`);
  await expect(page.getByRole('button', { name: 'Start Assessment' })).toBeDisabled();
  await page.reload();
  await expect(page.getByText(/^Opens .* at /)).toContainText(`${day} at ${time}`);

  // A request of their own gets nothing either.
  const answers = await page.evaluate(async (quizId) => {
    const paper = await fetch(`/api/quizzes/${quizId}/questions?forAssessment=true`);
    return [paper.status, await paper.text()] as const;
  }, quiz.id);
  expect(answers[0]).toBe(403);
  expect(await leaks()).toBe(0);
  const attempts: { userEmail: string }[] = await adminClient.attempts(quiz);
  expect(attempts.map(({ userEmail }) => userEmail).sort()).toEqual([exception, today]);
});

const ALARM = 'Fire alarm. Leave the room. Your time is stopped.';

/** A candidate in the test, whose answer to the first question is saved. */
async function writing(page: Page, admin: AdminClient, quiz: PreparedQuiz, email: string) {
  const candidate = new Candidate(page, await admin.inviteOne(quiz, email));
  await candidate.signIn();
  await candidate.begin();
  const [, second = ''] = await candidate.optionTexts();
  await candidate.select(second);
  await expect(candidate.saved).toHaveText(/^Saved \d/);
  return candidate;
}

/** The invigilator applies an action of the live board to all who are selected. */
async function act(page: Page, name: string, fill?: string) {
  await page.getByRole('button', { name, exact: true }).click();
  const dialog = page.getByRole('dialog', { name, exact: true });
  if (fill !== undefined) await dialog.getByLabel('Candidates read').fill(fill);
  await dialog.getByRole('button', { name, exact: true }).click();
  await expect(dialog).toBeHidden();
}

test('a fire alarm stops the time of all, and a laptop that sleeps loses nothing', {
  tag: '@long',
}, async ({ page, visitor, adminClient, consoles }) => {
  consoles.expect(/net::ERR_/);
  const quiz = await adminClient.quiz('Fire alarm');
  const awake = await writing(await visitor(), adminClient, quiz, 'awake@example.org');
  const laptop = await visitor();
  // An open stream survives the offline switch of this browser, and no lid that is closed.
  await laptop.route('**/api/participants/*/events', (route) => route.abort());
  const asleep = await writing(laptop, adminClient, quiz, 'asleep@example.org');
  const both = [awake, asleep];
  for (const candidate of both) await codeIsHere(candidate.page);

  await signInAsAdmin(page);
  await page.goto(`/admin/live?quizId=${quiz.id}`);
  await page.getByRole('checkbox', { name: 'Select all (2)' }).check();
  await act(page, 'Pause', ALARM);
  const panel = (candidate: Candidate) =>
    candidate.page.getByRole('alertdialog', { name: 'Your time is stopped' });
  for (const candidate of both) {
    await expect(panel(candidate)).toContainText(ALARM);
    await expect(candidate.options).toHaveCount(0);
  }
  await expect(page.getByText(`Paused: ${ALARM}`)).toHaveCount(2);
  const tile = (candidate: Candidate) =>
    page
      .getByRole('listitem')
      .filter({ hasText: candidate.guest.email })
      .getByText(/\d left$/);
  const left = await Promise.all(both.map((candidate) => secondsIn(tile(candidate))));
  for (const [i, candidate] of both.entries()) {
    await expect(async () => near(await secondsLeft(candidate.page), left[i] ?? 0)).toPass();
  }

  await asleep.page.context().setOffline(true);
  await holdsFor(STOPPED_MS, async () => {
    for (const [i, candidate] of both.entries()) {
      near(await secondsLeft(candidate.page), left[i] ?? 0);
      await expect(panel(candidate)).toBeVisible();
    }
  });

  await act(page, 'End the pause');
  const ended = performance.now();
  await awake.seesQuestions();
  // Who sleeps still has the questions covered, while the time goes on.
  await expect(panel(asleep)).toBeVisible();
  await asleep.page.context().setOffline(false);
  await asleep.seesQuestions();
  for (const [i, candidate] of both.entries()) {
    await expect(candidate.options.nth(1)).toBeChecked();
    near(await secondsLeft(candidate.page), (left[i] ?? 0) - (performance.now() - ended) / 1_000);
    await candidate.go(2);
    await candidate.options.nth(0).click();
    await expect(candidate.saved).toHaveText(/^Saved \d/);
  }
  const attempts: object[] = await adminClient.attempts(quiz);
  expect(attempts).toHaveLength(2);
  for (const attempt of attempts) {
    expect(attempt).toMatchObject({ status: 'in_progress', violationCount: 0, answeredCount: 2 });
  }
});

test('a candidate takes the one break that was granted', {
  tag: '@long',
}, async ({ page, adminClient }) => {
  const quiz = await adminClient.quiz('With a break');
  const guest = await adminClient.inviteOne(quiz, 'break@example.org');
  const [{ id }] = await adminClient.must('listInvitations', { params: { id: quiz.id } });
  const body = { breaks: { count: 1, minutes: 5 }, reason: 'Diabetes' };
  await adminClient.must('updateInvitation', { params: { id }, body });
  const candidate = new Candidate(page, guest);
  await candidate.signIn();
  await candidate.begin();
  const [, second = ''] = await candidate.optionTexts();
  await candidate.select(second);
  await expect(candidate.saved).toHaveText(/^Saved \d/);

  await page.getByRole('button', { name: 'Take a break' }).click();
  const menu = page.getByRole('dialog', { name: 'Take a break' });
  await expect(menu).toContainText('1 break left, 5 minutes in all.');
  await menu.getByRole('button', { name: 'Take a break' }).click();
  const panel = page.getByRole('alertdialog', { name: 'You are on a break' });
  await expect(panel).toContainText(/Your time goes on by itself in 0(5:00|4:\d\d)\./);
  await expect(candidate.options).toHaveCount(0);
  const left = await secondsLeft(page);
  await holdsFor(STOPPED_MS, async () => near(await secondsLeft(page), left));

  const pressed = performance.now();
  await panel.getByRole('button', { name: 'Continue now' }).click();
  await expect(panel).toBeHidden();
  await candidate.seesQuestions();
  await expect(candidate.option(second)).toBeChecked();
  near(await secondsLeft(page), left - (performance.now() - pressed) / 1_000);
  await expect(page.getByRole('button', { name: 'Take a break' })).toHaveCount(0);
  const [attempt] = await adminClient.attempts(quiz);
  expect(attempt).toMatchObject({ status: 'in_progress', violationCount: 0 });
});

/** The end date shortens the duration; a busy machine needs this long to start and answer. */
const ENDS_SOON_MS = 70_000;
const THE_END = { timeout: ENDS_SOON_MS + 60_000 };

test('an exam that ends in a power cut goes on after its end date', {
  tag: '@long',
}, async ({ page, visitor, testServer, adminClient, consoles }) => {
  consoles.expect(/net::ERR_/, /status of 5\d\d/);
  let office = adminClient;
  const { candidate, observer, quiz } = await startAttempt(page, () => office, 'Ends in the dark', {
    endDate: inMs(ENDS_SOON_MS),
  });
  await observer.select(candidate, 1, 1);
  await observer.savedIsTrue(candidate);
  await codeIsHere(page);
  await testServer.crash();
  await expect(page).toHaveURL('/quiz/thankyou', THE_END);
  // Before the last page signs out by itself: the consent then stays as it was given.
  await page.goto('about:blank');
  await testServer.restart();
  office = await AdminClient.signIn(testServer.url);
  await expect.poll(async () => (await observer.attempt()).status).toBe('completed');

  const invigilator = await visitor();
  await signInAsAdmin(invigilator);
  await invigilator.goto(`/admin/participants/${(await observer.attempt()).id}`);
  await invigilator.getByRole('button', { name: 'Reinstate' }).click();
  const dialog = invigilator.getByRole('dialog', { name: 'Reinstate this attempt' });
  await dialog.getByLabel('Minutes').fill('20');
  await dialog.getByLabel('Reason').fill('The power failed');
  await dialog.getByRole('button', { name: 'Reinstate attempt' }).click();
  await expect(dialog).toBeHidden();

  await page.context().clearCookies();
  await candidate.signIn();
  const entering = performance.now();
  await candidate.begin({ consent: false });
  const left = await secondsLeft(page);
  expect(left).toBeLessThanOrEqual(20 * 60);
  expect(left + (performance.now() - entering) / 1_000).toBeGreaterThan(20 * 60 - TOLERANCE_S);
  await candidate.go(1);
  await expect(candidate.options.nth(1)).toBeChecked();
  await observer.select(candidate, 2, 2);
  await observer.savedIsTrue(candidate);
  expect(await observer.attempt()).toMatchObject({ status: 'in_progress', answeredCount: 2 });
  expect(await office.attempts(quiz)).toHaveLength(1);
});
