import { Candidate } from './support/candidate.ts';
import { PAGE_ONLY } from './support/policies.ts';
import { expect, test } from './support/stories.ts';

test('each exit from fullscreen is a warning with its number, and the fifth ends the attempt', async ({
  visitor,
  desk,
}) => {
  const page = await visitor();
  const quiz = await desk.quiz('Fullscreen exits', { policy: PAGE_ONLY });
  const [guest] = await desk.invite(quiz, 'exits@example.org');
  if (guest === undefined) throw new Error('one was invited');
  const candidate = new Candidate(page, guest);
  await candidate.signIn();
  await candidate.begin();
  await candidate.options.first().click();
  await watching(page);

  // A reload loses fullscreen as well: the panel asks again, without a warning.
  await page.reload();
  await expect(
    page.getByRole('heading', { name: 'This assessment runs in fullscreen' }),
  ).toBeVisible();
  await page.getByRole('button', { name: 'Return to fullscreen' }).click();
  await watching(page);

  for (const n of [1, 2, 3, 4]) {
    await page.evaluate(() => document.exitFullscreen());
    await expect(
      page.getByRole('alertdialog', { name: `Warning ${n}/5: You must stay in fullscreen mode.` }),
    ).toBeVisible();
    await expect(candidate.options).toHaveCount(0);
    await page.getByRole('button', { name: 'Return to fullscreen' }).click();
    await expect(candidate.options.first()).toBeVisible();
  }
  await page.evaluate(() => document.exitFullscreen());
  await expect(page.getByText('Your answers are being submitted now')).toBeVisible();
  await expect(page).toHaveURL('/quiz/dismissed', { timeout: 20_000 });
  await expect(page.getByRole('heading', { name: 'Assessment Terminated' })).toBeVisible();
  await expect(page.getByText('1 of 5 questions answered')).toBeVisible();
  await expect(page.getByText('Assessment Page')).toBeVisible();
  await expect(page.getByText('5 warnings')).toBeVisible();
  await expect(page).toHaveURL('/login', { timeout: 15_000 });

  const [row] = await desk.must('listParticipants', { query: { quizId: quiz.id } });
  expect(row).toMatchObject({ status: 'dismissed', submissionType: 'dismissed', answeredCount: 1 });
});

test('copying, the context menu and printing are kept from happening, told quietly, and never counted', async ({
  visitor,
  desk,
}) => {
  const page = await visitor();
  const quiz = await desk.quiz('Clipboard', { policy: { ...PAGE_ONLY, fullscreen: false } });
  const [guest] = await desk.invite(quiz, 'clipboard@example.org');
  if (guest === undefined) throw new Error('one was invited');
  const candidate = new Candidate(page, guest);
  await candidate.signIn();
  await candidate.begin();
  await watching(page);

  const kept = await page.evaluate(() => {
    const fire = (kind: string) =>
      !document.body.dispatchEvent(new Event(kind, { bubbles: true, cancelable: true }));
    return ['copy', 'cut', 'paste', 'contextmenu'].map(fire);
  });
  expect(kept).toEqual([true, true, true, true]);
  await page.keyboard.press('Control+p');
  const strip = page.getByRole('region', { name: 'What was noticed' });
  await expect(strip).toContainText('Printing is switched off here');
  await expect(strip).toContainText('and 2 more');
  await strip.getByRole('button', { name: 'Add a note' }).click();
  const note = strip.getByRole('textbox', { name: 'What happened, in your words' });
  await expect(note).toBeFocused();
  await note.fill('I pressed the wrong key.');
  await strip.getByRole('button', { name: 'Save note' }).click();
  await expect(strip).toContainText('your note is kept with it');
  // The answers go on as if nothing had happened, and the letters work again.
  await strip.getByRole('button', { name: 'Close what was noticed' }).click();
  await expect(strip).toBeHidden();
  await page.keyboard.press('b');
  await expect(candidate.options.nth(1)).toBeChecked();
  await expect(candidate.saved).toContainText(/^Saved \d/);

  const [row] = await desk.must('listParticipants', { query: { quizId: quiz.id } });
  expect(row).toMatchObject({ status: 'in_progress', violationCount: 0 });
  const record = await desk.must('getParticipantRecord', { params: { id: row.id } });
  const reported = record.violations.map((one: { type: string; counted: boolean }) => [
    one.type,
    one.counted,
  ]);
  expect(reported).toEqual([
    ['clipboard', false],
    ['context_menu', false],
    ['print', false],
  ]);
  expect(JSON.stringify(record.violations)).toContain('I pressed the wrong key.');
});

/** Monitoring begins two seconds after the questions are there (seed 4). */
async function watching(page: import('@playwright/test').Page): Promise<void> {
  await page.waitForTimeout(3_000);
}
