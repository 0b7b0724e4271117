import { Candidate } from './support/candidate.ts';
import { codeIsHere } from './support/code-is-here.ts';
import { expect, test } from './support/e2e-test.ts';
import { fillSignIn } from './support/sign-in.ts';

const ARABIC = /\p{Script=Arabic}/u;

test('the language is changed in the test: place, answer and time stay, offline and on another device', async ({
  visitor,
  adminClient,
  consoles,
}) => {
  consoles.expect(/net::ERR_INTERNET_DISCONNECTED/, /net::ERR_FAILED/, /status of 401/);
  const quiz = await adminClient.quiz('Two languages', { languages: ['en', 'ar'] });
  const guest = await adminClient.inviteOne(quiz, 'two-languages@example.org');
  const first = new Candidate(await visitor(), guest);
  const { page } = first;
  await first.signIn();
  await first.begin();
  await first.go(2);
  const [, option = ''] = await first.optionTexts();
  await first.select(option);
  await expect(first.saved).toHaveText(/^Saved \d/);
  await codeIsHere(page);
  const question = await first.questionText();
  const stored = page.waitForResponse(/\/api\/auth\/language$/);
  await page.getByRole('combobox', { name: 'Language' }).selectOption('ar');
  const html = page.locator('html');
  await expect(html).toHaveAttribute('dir', 'rtl');
  await stored;

  const isHere = async () => {
    await expect(html).toHaveAttribute('lang', 'ar');
    await expect.poll(() => first.questionText()).toBe(question);
    await expect(page.getByRole('radio', { checked: true })).toHaveCount(1);
    await expect(page.getByRole('banner')).toContainText(ARABIC);
    await expect(page).toHaveTitle(ARABIC);
  };
  await isHere();
  await expect(page.getByRole('timer')).toBeVisible();
  // Right to left, the next question is to the left.
  await page.locator('main').getByRole('heading', { level: 1 }).click();
  await page.keyboard.press('ArrowLeft');
  await expect(page.locator('main').getByRole('heading', { level: 1 })).not.toHaveText(question);
  await page.keyboard.press('ArrowRight');
  await isHere();

  await page.context().setOffline(true);
  await page.reload();
  // A reload leaves full screen; what is said about it is in Arabic, too.
  const panel = page.getByRole('alertdialog').or(page.getByRole('dialog'));
  await expect(panel).toContainText(ARABIC);
  await panel.getByRole('button').first().click();
  await isHere();
  await page.context().setOffline(false);

  const second = await visitor();
  await second.goto('/login');
  await fillSignIn(second, guest.email, guest.code);
  await second.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(second.locator('html')).toHaveAttribute('lang', 'ar');
  await expect(second.locator('main')).toContainText(ARABIC);
});
