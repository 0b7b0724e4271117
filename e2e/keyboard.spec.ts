import { expect, test } from './support/e2e-test.ts';
import { tabTo } from './support/keyboard.ts';
import { holdSignOut } from './support/last-page.ts';
import { shownCaptcha } from './support/sign-in.ts';

test('a candidate takes the whole assessment with the keyboard alone', async ({
  page,
  adminClient,
}) => {
  const quiz = await adminClient.quiz('Keys');
  const guest = await adminClient.inviteOne(quiz, 'keys@example.org');
  const { keyboard } = page;

  await page.goto('/login');
  await tabTo(page, page.getByLabel('Email address'));
  await keyboard.type(guest.email);
  await tabTo(page, page.getByLabel('Password', { exact: true }));
  await keyboard.type(guest.code);
  await tabTo(page, page.getByLabel('Captcha', { exact: true }));
  await keyboard.type(await shownCaptcha(page));
  await keyboard.press('Enter');
  await expect(page).toHaveURL('/quiz/instructions');

  await tabTo(page, page.getByRole('button', { name: 'Start Assessment' }));
  await keyboard.press('Enter');
  // Enter neither agrees nor leaves.
  await expect(page.getByRole('region', { name: 'What you agree to' })).toBeFocused();
  await keyboard.press('Escape');
  await tabTo(page, page.getByRole('button', { name: 'Accept & Continue' }));
  await keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Start Assessment' })).toBeEnabled();
  await tabTo(page, page.getByRole('button', { name: 'Start Assessment' }));
  await keyboard.press('Enter');
  await expect(page).toHaveURL('/quiz/assessment');

  const options = page.getByRole('radiogroup', { name: 'Answer options' }).getByRole('radio');
  await expect(page.getByText('Question 1 of 5')).toBeVisible();
  await keyboard.press('b');
  await expect(options.nth(1)).toBeChecked();
  await keyboard.press('f');
  await expect(page.getByRole('button', { name: 'Flag' })).toHaveAttribute('aria-pressed', 'true');
  await keyboard.press('ArrowRight');
  await expect(page.getByText('Question 2 of 5')).toBeVisible();
  await keyboard.press('3');
  await expect(options.nth(2)).toBeChecked();
  await keyboard.press('ArrowLeft');
  await expect(page.getByText('Question 1 of 5')).toBeVisible();

  await tabTo(page, options.nth(1));
  // Held as long as a person holds a key.
  await keyboard.press('ArrowDown', { delay: 100 });
  await expect(options.nth(2)).toBeChecked();
  await expect(options.nth(2)).toBeFocused();
  await keyboard.press('ArrowRight');
  await expect(page.getByText('Question 1 of 5')).toBeVisible();
  await tabTo(page, page.getByRole('button', { name: 'Next' }));
  await keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await tabTo(page, page.getByRole('button', { name: 'Clear', exact: true }));
  await keyboard.press('Enter');
  await expect(options.nth(2)).not.toBeChecked();

  await tabTo(page, page.getByRole('button', { name: 'Question 4, not attempted' }));
  await keyboard.press('Enter');
  await expect(page.getByText('Question 4 of 5')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();

  await tabTo(page, page.getByRole('button', { name: /^Text size/ }));
  await keyboard.press('Enter');
  await tabTo(page, page.getByLabel('Letter keys'));
  await keyboard.press('Space');
  await keyboard.press('Escape');
  await keyboard.press('a');
  await expect(options.nth(0)).not.toBeChecked();

  await tabTo(page, page.getByRole('button', { name: 'Review & Submit' }));
  await keyboard.press('Enter');
  await expect(page.getByText('1 of 5 questions answered')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Review Your Answers' })).toBeFocused();
  await tabTo(page, page.getByRole('button', { name: 'Question 2, unanswered' }));
  await keyboard.press('Enter');
  await tabTo(page, page.getByRole('button', { name: 'Edit Answer' }));
  await keyboard.press('Enter');
  await tabTo(page, options.nth(0));
  await keyboard.press('Space');
  await expect(page.getByText('2 of 5 questions answered')).toBeVisible();
  await tabTo(page, page.getByRole('button', { name: 'Done' }), 'back');
  await keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Edit Answer' })).toBeFocused();
  await tabTo(page, page.getByRole('link', { name: 'Back to the questions' }));
  await keyboard.press('Enter');
  await expect(page.getByText('Question 2 of 5')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await keyboard.press('ArrowLeft');
  await expect(page.getByText('Question 1 of 5')).toBeVisible();
  await tabTo(page, page.getByRole('button', { name: 'Review & Submit' }));
  await keyboard.press('Enter');

  await tabTo(page, page.getByRole('button', { name: 'Submit Final Assessment' }));
  await keyboard.press('Enter');
  await tabTo(page, page.getByRole('radio', { name: 'Good' }));
  await keyboard.press('Space');
  await keyboard.press('ArrowRight', { delay: 100 });
  await expect(page.getByRole('radio', { name: 'Neutral' })).toBeChecked();
  await tabTo(page, page.getByRole('button', { name: 'Submit Assessment' }));
  await holdSignOut(page);
  await keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Assessment Completed!' })).toBeVisible();
});
