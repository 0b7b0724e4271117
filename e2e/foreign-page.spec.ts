import { Candidate } from './support/candidate.ts';
import { expect, test } from './support/e2e-test.ts';
import { startAttempt } from './support/start-attempt.ts';

/** What a browser's translator does: each text is replaced by the same one in two elements. */
function translate(): void {
  const replaceAll = (root: Node) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const texts: Text[] = [];
    while (walker.nextNode()) texts.push(walker.currentNode as Text);
    for (const text of texts) {
      const isPlain = text.parentElement?.closest('font, style, script, title') === null;
      if (!isPlain || text.data.trim() === '') continue;
      const outer = document.createElement('font');
      outer.appendChild(document.createElement('font')).append(text.data);
      text.replaceWith(outer);
    }
  };
  const watch = new MutationObserver(() => {
    replaceAll(document.body);
    watch.takeRecords();
  });
  addEventListener('DOMContentLoaded', () =>
    watch.observe(document.body, { childList: true, subtree: true, characterData: true }),
  );
}

test('the whole journey in a page that the browser translates', async ({ page, adminClient }) => {
  await page.addInitScript(translate);
  const quiz = await adminClient.quiz('Translated');
  const [guest] = await adminClient.invite(quiz, 'translated@example.org');
  if (guest === undefined) throw new Error('one was invited');
  const candidate = new Candidate(page, guest);
  await candidate.signIn();
  // Asked not to; this one does not listen.
  await expect(page.locator('html')).toHaveAttribute('translate', 'no');
  await candidate.begin();
  const asked: string[] = [];
  for (let number = 1; number <= 5; number += 1) {
    await expect(page.getByText(`Question ${number} of 5`)).toBeVisible();
    const text = await candidate.questionText();
    expect(asked).not.toContain(text);
    asked.push(text);
    const [first = '', second = ''] = await candidate.optionTexts();
    await candidate.select(first);
    await candidate.select(second);
    await candidate.action('Flag').click();
    await candidate.action('Flag').click();
    if (number === 3) await candidate.action('Clear').click();
    if (number < 5) await candidate.action('Next').click();
  }
  await candidate.go(2);
  expect(await candidate.questionText()).toBe(asked[1]);
  await candidate.go(3);
  expect(await candidate.questionText()).toBe(asked[2]);
  await page.getByRole('button', { name: 'Review & Submit' }).click();
  await expect(page.getByText('4 of 5 questions answered')).toBeVisible();
  await page.getByRole('button', { name: 'Submit Final Assessment' }).click();
  await page.getByRole('button', { name: 'Skip Feedback' }).click();
  await expect(page).toHaveURL('/quiz/thankyou');
  await expect(page.getByRole('region', { name: 'Assessment Summary' })).toContainText('4 of 5');
});

test('a review that cannot be fetched leaves a plain test that saves and submits', async ({
  page,
  adminClient,
  consoles,
}) => {
  consoles.expect(/ERR_FAILED/, /could not be (fetched|shown)/, /dynamically imported module/);
  await page.route('**/assets/review-screen-*.js', (route) => route.abort());
  const { candidate } = await startAttempt(page, adminClient, 'No review');
  const [first = ''] = await candidate.optionTexts();
  await candidate.select(first);
  await page.getByRole('button', { name: 'Review & Submit' }).click();
  await expect(page.getByText(/Here are your questions in a plain list/)).toBeVisible();
  await expect(page.getByRole('timer').first()).toBeVisible();
  await expect(page.getByRole('radio', { name: first, exact: true }).first()).toBeChecked();
  const last = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('radio') })
    .last();
  await last.getByRole('radio').nth(1).check();
  await expect(candidate.saved).toHaveText(/^Saved \d/);
  await page.getByRole('button', { name: 'Submit Assessment' }).click();
  await page.getByRole('button', { name: 'Submit now' }).click();
  await expect(page).toHaveURL('/quiz/thankyou');
  await expect(page.getByRole('region', { name: 'Assessment Summary' })).toContainText('2 of 5');
});
