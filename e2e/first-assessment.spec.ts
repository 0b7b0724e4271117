import { codeIn } from '@invigil/testkit/made-quiz';
import type { Page } from '@playwright/test';
import { Candidate } from './support/candidate.ts';
import { select } from './support/controls.ts';
import { expect, test } from './support/e2e-test.ts';
import { ADMIN, mailServer } from './support/server-settings.ts';
import { fillSignIn } from './support/sign-in.ts';

test.use({ database: 'first assessment' });

/**
 * The same job at 2fa815d5, counted in the same way: 83 presses, with Add Questions, Open the question
 * editor, Save question and Back for each question, and one's own address invited. Now it takes 38.
 */
const CLICKS_BEFORE = 83;

type Type = 'Single choice' | 'Multiple response' | 'Number';

/** Twelve questions; of each type, those of the same type in a row, as one writes them. */
const QUESTIONS = (['Single choice', 'Multiple response', 'Number'] as const).flatMap((type) =>
  [1, 2, 3, 4].map((n) => ({ type, text: `What is ${n} times $x^${n}$, in general?` })),
);

test('from sign-in to a test invitation of twelve questions in half the clicks of before', {
  tag: '@long',
}, async ({ page, visitor, testServer, adminClient }) => {
  await adminClient.must('putSmtpSettings', { body: mailServer(testServer.sink.port) });
  const clicks = counter();
  await clicks.countOn(page);
  await page.goto('/login');
  await fillSignIn(page, ADMIN.email, ADMIN.password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await page.getByRole('link', { name: 'Create an assessment' }).click();

  const form = page.getByRole('dialog', { name: 'Create New Assessment' });
  await form.getByLabel('Title').fill('First exam');
  // Created with the assessment.
  await form.getByLabel('Category').fill('Statistics');
  await form.getByLabel('Total Questions').fill('12');
  await form.getByRole('textbox', { name: 'End Date' }).fill('2035-06-15T18:00');
  await form.getByRole('button', { name: 'Create Assessment' }).click();

  await page.getByRole('link', { name: 'Write a question' }).click();
  await writeQuestions(page);
  await page.getByRole('button', { name: 'Back', exact: true }).click();
  await expect(page).toHaveURL(/\/questions$/);

  await page.goto('/admin/quizzes');
  await page.getByRole('button', { name: 'Invite to First exam' }).click();
  await page.getByRole('button', { name: 'Send me a test invitation' }).click();
  const { mails } = testServer.sink;
  await expect.poll(() => mails.map(({ to }) => to)).toEqual([[ADMIN.email]]);
  const own = await visitor();
  await clicks.countOn(own);
  await own.goto('/login');
  const code = codeIn(mails[0]?.mail.text ?? '');
  await fillSignIn(own, ADMIN.email, code);
  await own.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(own).not.toHaveURL(/login/);
  expect(clicks.count()).toBeLessThanOrEqual(CLICKS_BEFORE / 2);

  // The screens of a candidate, up to the paper.
  await new Candidate(own, { email: ADMIN.email, code }).consent();
  await own.getByRole('button', { name: 'Start Assessment' }).click();
  await expect(own).toHaveURL('/quiz/preview');
  await expect(own.getByText('Question 1 of 12')).toBeVisible();
  expect(await adminClient.must('listParticipants', {})).toEqual([]);
});

/** Presses of a mouse, and key shortcuts in place of one. */
function counter() {
  let count = 0;
  const add = () => {
    count += 1;
  };
  return {
    count: () => count,
    async countOn(page: Page) {
      await page.exposeFunction('countPress', add);
      await page.addInitScript(() => {
        const { countPress } = window as unknown as { countPress(): void };
        document.addEventListener('pointerdown', (event) => event.isTrusted && countPress(), true);
      });
    },
  };
}

/** Writes the questions in the editor, one after the other; the last one stays open. */
async function writeQuestions(page: Page): Promise<void> {
  const field = (name: string) => page.locator(`[data-field="${name}"]`);
  let before: Type = 'Single choice';
  for (const [at, { type, text }] of QUESTIONS.entries()) {
    await expect(field('question')).toHaveText('');
    await field('question').pressSequentially(text);
    if (type !== before) await select(page, 'Type', type);
    before = type;
    if (type === 'Number') {
      await page.getByLabel('Accepted number 1').fill('3');
    } else {
      for (const [i, option] of ['$x$', '$2x$', '$3x$'].entries()) {
        await field(`options.${i}.text`).fill(option);
      }
      const right = type === 'Single choice' ? ['A'] : ['A', 'B'];
      const role = type === 'Single choice' ? 'radio' : 'checkbox';
      for (const letter of right) {
        await page.getByRole(role, { name: `Option ${letter} is correct` }).click();
      }
    }
    const isLast = at === QUESTIONS.length - 1;
    await page.getByRole('button', { name: isLast ? 'Save question' : 'Save and new' }).click();
  }
  await expect(page.getByText(/^Saved \d\d:\d\d$/)).toBeVisible();
}
