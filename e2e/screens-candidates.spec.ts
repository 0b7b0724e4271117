import type { Page } from '@playwright/test';
import { STRICT_POLICY } from '../core/src/domain/violations/violation-policy.ts';
import type { AdminClient, Guest, PreparedQuiz } from './support/admin-client.ts';
import { Candidate } from './support/candidate.ts';
import { codeIsHere } from './support/code-is-here.ts';
import { expect, test } from './support/e2e-test.ts';
import { holdSignOut } from './support/last-page.ts';
import { readKey } from './support/question-file.ts';
import {
  browserOf,
  CANDIDATE_SIZES,
  checkScreen,
  type Size,
  visit,
} from './support/screen-checks.ts';
import { fillSignIn, signIn } from './support/sign-in.ts';

test.describe.configure({ mode: 'parallel' });

for (const size of CANDIDATE_SIZES) {
  test(`candidate screens are accessible: ${size}`, async ({ visitor, adminClient, consoles }) => {
    consoles.expect(/net::ERR_INTERNET_DISCONNECTED/, /status of 403 .*\/api\/auth\/login$/);
    const networks = await adminClient.quiz(
      `Network Fundamentals, ${size}`,
      {
        totalQuestions: 25,
        description: 'One page of notes is allowed.',
        policy: STRICT_POLICY,
      },
      readKey(),
    );
    const closed = await adminClient.quiz(`Laboratory safety, ${size}`);
    const guest = await adminClient.inviteOne(networks, `${size}@example.org`);
    const late = await adminClient.inviteOne(closed, `late-${size}@example.org`);
    await adminClient.change(closed, { isActive: false });
    const candidate = new Candidate(await visitor(browserOf(size)), guest);
    await beforeTheStart(candidate, size);
    await theTest(candidate, size);
    await theMessage(candidate, adminClient, networks, size);
    await theReview(candidate, size);
    await theLastMinutes(candidate, size);
    await theEnd(candidate, size);
    await notForThem(await visitor(browserOf(size)), late, size);
  });
}

async function beforeTheStart(candidate: Candidate, size: Size) {
  const { page } = candidate;
  await candidate.signIn();
  await expect(page.getByRole('heading', { name: 'Before you start' })).toBeVisible();
  await checkScreen(page, size, 'instructions', { whole: size === 'desktop' });
  await page.getByRole('button', { name: 'Start Assessment' }).click();
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await checkScreen(page, size, 'consent', { whole: false });
  await page.getByRole('button', { name: 'Accept & Continue' }).click();
  await expect(page.getByRole('button', { name: 'Start Assessment' })).toBeEnabled();
  await checkScreen(page, size, 'permissions', { whole: size === 'desktop' });
  await page.getByRole('button', { name: 'Start Assessment' }).click();
  await expect(candidate.options.first()).toBeVisible();
  await codeIsHere(page);
}

async function theTest(candidate: Candidate, size: Size) {
  const { page } = candidate;
  await checkScreen(page, size, 'assessment-fresh', { whole: false });
  for (const number of [1, 2, 3, 4, 5, 6]) {
    await candidate.options.nth(number % 2).click();
    if (number === 4 || number === 5) await candidate.action('Flag').click();
    if (number === 5) await candidate.action('Clear').click();
    await candidate.action('Next').click();
  }
  await candidate.action('Previous').click();
  await expect(candidate.saved).toHaveText(/^Saved \d/);
  await checkScreen(page, size, 'assessment-answered', { whole: false });
  if (size === 'phone') {
    await page.getByRole('button', { name: 'show all questions' }).click();
    await expect(page.getByRole('dialog', { name: 'Questions' })).toBeVisible();
    await checkScreen(page, size, 'questions-sheet', { whole: false });
    await page.getByRole('button', { name: 'Close', exact: true }).click();
  } else await theReadingMenu(page, size);
  await page.context().setOffline(true);
  await candidate.options.nth(1).click();
  await expect(candidate.saved).toHaveText('Offline: 1 change waiting');
  await checkScreen(page, size, 'assessment-offline', { whole: false });
  await page.context().setOffline(false);
  await expect(candidate.saved).toHaveText(/^Saved \d/);
}

async function theReadingMenu(page: Page, size: Size) {
  await page.getByRole('button', { name: /^Text size/ }).click();
  await checkScreen(page, size, 'reading-menu', { whole: false });
  await page.keyboard.press('Escape');
}

async function theMessage(
  { page, guest }: Candidate,
  adminClient: AdminClient,
  networks: PreparedQuiz,
  size: Size,
) {
  const query = { quizId: networks.id, search: guest.email };
  const [row] = await adminClient.must('listParticipants', { query });
  const text = 'The fire alarm is a test.\nStay at your desk and continue.';
  await adminClient.must('sendMessage', { params: { id: row.id }, body: { text } });
  const panel = page.getByRole('region', { name: 'From the administrator' });
  await expect(panel).toBeVisible();
  await checkScreen(page, size, 'assessment-message', { whole: false });
  await panel.getByRole('button', { name: 'OK' }).click();
}

async function openReview({ page }: Candidate, size: Size) {
  if (size === 'phone') await page.getByRole('button', { name: 'show all questions' }).click();
  await page.getByRole('button', { name: 'Review & Submit' }).filter({ visible: true }).click();
  await expect(page.getByRole('heading', { name: 'Review Your Answers' })).toBeVisible();
}

async function theReview(candidate: Candidate, size: Size) {
  const { page } = candidate;
  await openReview(candidate, size);
  await checkScreen(page, size, 'review', { whole: size === 'desktop' });
  // A phone has it in its list of questions before.
  if (size === 'phone') await theReadingMenu(page, size);
  await page.getByRole('button', { name: 'Edit Answer' }).click();
  await checkScreen(page, size, 'review-edit', { whole: size === 'desktop' });
  await submitButton(page).click();
  await expect(page.getByRole('dialog', { name: 'How was your experience?' })).toBeVisible();
  await checkScreen(page, size, 'feedback', { whole: false });
  await page.getByRole('radio', { name: 'Good' }).click();
  await checkScreen(page, size, 'feedback-selected', { whole: false });
  await page.keyboard.press('Escape');
}

const submitButton = (page: Page) =>
  page.getByRole('button', { name: /^Submit (Final )?Assessment$/ }).filter({ visible: true });

/** Moves the clock of the page, not that of the server, which decides. */
async function theLastMinutes(candidate: Candidate, size: Size) {
  const { page } = candidate;
  await page.clock.install();
  await page.goto('/quiz/assessment');
  await expect(page.getByText('This assessment runs in fullscreen')).toBeVisible();
  await checkScreen(page, size, 'fullscreen-panel', { whole: false });
  for (const [screen, secondsLeft] of [
    ['timer-quarter', 330],
    ['timer-tenth', 90],
  ] as const) {
    // Set each time: after a jump the page takes the time from the server.
    await page.goto('/quiz/assessment');
    await page.getByRole('button', { name: 'Return to fullscreen' }).click();
    const shown = (await page.getByRole('timer').textContent()) ?? '';
    const [minutes = 0, seconds = 0] = shown.split(':').map(Number);
    await page.clock.fastForward((minutes * 60 + seconds - secondsLeft) * 1_000);
    await expect(page.getByRole('timer')).toHaveText(/^0[15]:/);
    await checkScreen(page, size, screen, { whole: false });
  }
}

async function theEnd(candidate: Candidate, size: Size) {
  const { page, guest } = candidate;
  await openReview(candidate, size);
  await submitButton(page).click();
  const letGo = await holdSignOut(page);
  await page.getByRole('button', { name: 'Skip Feedback' }).click();
  await expect(page.getByRole('heading', { name: 'Assessment Completed!' })).toBeVisible();
  await checkScreen(page, size, 'thank-you');
  await page.getByRole('button', { name: 'Save as file' }).click();
  await expect(page.getByRole('button', { name: 'Return to Login' })).toBeVisible();
  await checkScreen(page, size, 'thank-you-held');
  // Pressed while sign-out is held: the checks took longer than five seconds, so it would leave at once.
  await page.getByRole('button', { name: 'Return to Login' }).click();
  letGo();
  await expect(page).toHaveURL('/login');
  await fillSignIn(page, guest.email, guest.code);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page).toHaveURL('/assessment-completed');
  await checkScreen(page, size, 'already-completed');
  await visit(page, size, '/receipt', 'Check a receipt', 'receipt');
  await page.getByLabel('Receipt', { exact: true }).fill('no receipt');
  await page.getByRole('button', { name: 'Check receipt' }).click();
  await expect(page.getByText('This receipt was not issued here.')).toBeVisible();
  await checkScreen(page, size, 'receipt-forged');
}

async function notForThem(page: Page, guest: Guest, size: Size) {
  await holdSignOut(page);
  await signIn(page, guest.email, guest.code, '/quiz/expired');
  await visit(page, size, '/admin', 'Unauthorized', 'unauthorized');
  await visit(page, size, '/quiz/expired', 'Assessment Expired', 'expired');
}
