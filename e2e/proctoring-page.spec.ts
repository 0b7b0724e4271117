import { watching } from './support/code-is-here.ts';
import { expect, test } from './support/e2e-test.ts';
import { PAGE_ONLY } from './support/policies.ts';
import { recordTexts, wasShown } from './support/shown-texts.ts';
import { signedIn } from './support/start-attempt.ts';

test('each exit from fullscreen is a numbered warning, and the fifth ends the attempt', async ({
  visitor,
  adminClient,
}) => {
  const page = await visitor();
  await page.addInitScript(noteHeldKeys);
  const { candidate, quiz } = await signedIn(page, adminClient, 'Fullscreen exits', {
    policy: PAGE_ONLY,
  });
  await candidate.begin();
  await candidate.options.first().click();
  await watching(page);

  // A reload also exits fullscreen: the panel asks again, without a warning.
  await page.reload();
  await expect(
    page.getByRole('heading', { name: 'This assessment runs in fullscreen' }),
  ).toBeVisible();
  await page.getByRole('button', { name: 'Return to fullscreen' }).click();
  await watching(page);

  // The page captures Escape if the browser supports it, so closing a menu keeps fullscreen.
  expect(await page.evaluate(() => Reflect.get(window, 'heldKeys'))).toEqual(['Escape']);
  // An immediate return gives no warning if the browser does not support it.
  await page.getByRole('button', { name: 'Text size' }).click();
  await page.evaluate(() => document.exitFullscreen());
  const excused = page.getByText('within 15 seconds and it does not count');
  await expect(excused).toBeVisible();
  await page.getByRole('button', { name: 'Return to fullscreen' }).click();
  await expect(candidate.options.first()).toBeVisible();

  await page.evaluate(noteHeadings);
  for (const n of [1, 2, 3]) {
    await page.evaluate(() => document.exitFullscreen());
    await expect(
      page.getByRole('alertdialog', { name: `Warning ${n}/5: You must stay in fullscreen mode.` }),
    ).toBeVisible();
    await expect(candidate.options).toHaveCount(0);
    await page.getByRole('button', { name: 'Return to fullscreen' }).click();
    await expect(candidate.options.first()).toBeVisible();
  }
  // A return before the server has counted still gives a warning.
  const { promise: counting, resolve: count } = Promise.withResolvers<void>();
  await page.route('**/api/violations', async (route) => {
    await counting;
    await route.fallback();
  });
  const reported = page.waitForRequest('**/api/violations');
  await page.evaluate(() => document.exitFullscreen());
  await reported;
  await page.getByRole('button', { name: 'Return to fullscreen' }).click();
  await expect(candidate.options.first()).toBeVisible();
  count();
  const late = page.getByRole('alertdialog', {
    name: 'Warning 4/5: You must stay in fullscreen mode.',
  });
  await expect(late).toContainText('One more violation ends your assessment');
  await late.getByRole('button', { name: 'Continue' }).click();
  await expect(late).toBeHidden();
  await page.unrouteAll({ behavior: 'wait' });
  // No warning shows the number of the previous exit.
  const headings = await page.evaluate(() => Reflect.get(window, 'headings') as string[]);
  expect(headings.filter((text) => text.startsWith('Warning'))).toEqual(
    [1, 2, 3].map((n) => `Warning ${n}/5: You must stay in fullscreen mode.`),
  );
  await recordTexts(page);
  await page.evaluate(() => document.exitFullscreen());
  // The last violation still takes a note, and writing one delays the sign-out. Checked first, because
  // the page leaves after five seconds.
  const strip = page.getByRole('region', { name: 'What was detected' });
  await page.getByRole('heading', { name: 'Assessment Terminated' }).waitFor();
  await strip.getByRole('button', { name: 'Add a note' }).click();
  await expect(page.getByText('This page stays open until you leave it.')).toBeVisible();
  await wasShown(page, 'Your answers are being submitted now');
  await expect(page).toHaveURL('/quiz/dismissed');
  await expect(page.getByText('1 of 5 questions answered')).toBeVisible();
  await expect(page.getByText('Assessment Page')).toBeVisible();
  await expect(page.getByText('5 warnings')).toBeVisible();
  await expect(strip).toContainText('Fullscreen was left');
  await strip.getByRole('textbox').fill('Another program came to the front.');
  await strip.getByRole('button', { name: 'Save note' }).click();
  await expect(strip).toContainText('your note was added');
  await page.getByRole('button', { name: 'Return to Login' }).click();
  await expect(page).toHaveURL('/login');

  const record = await adminClient.record(quiz);
  expect(record.participant).toMatchObject({
    status: 'dismissed',
    submissionType: 'dismissed',
    answeredCount: 1,
  });
  expect(record.violations.at(-1)).toMatchObject({
    type: 'fullscreen_exit',
    candidateNote: 'Another program came to the front.',
  });
});

test('copying, the context menu and printing are prevented, shown without a dialog, and never counted', {
  tag: '@long',
}, async ({ visitor, adminClient }) => {
  const page = await visitor();
  const { candidate, quiz } = await signedIn(page, adminClient, 'Clipboard', {
    policy: { ...PAGE_ONLY, fullscreen: false },
  });
  await candidate.begin();
  await watching(page);

  const prevented = await page.evaluate(() => {
    const fire = (kind: string) =>
      !document.body.dispatchEvent(new Event(kind, { bubbles: true, cancelable: true }));
    return ['copy', 'cut', 'paste', 'contextmenu'].map(fire);
  });
  expect(prevented).toEqual([true, true, true, true]);
  await page.keyboard.press('Control+p');
  const strip = page.getByRole('region', { name: 'What was detected' });
  await expect(strip).toContainText('Printing is switched off here');
  await expect(strip).toContainText('and 2 more');
  // Announced to screen readers: each flag once, and not the context menu.
  await expect(page.getByRole('status').filter({ hasText: 'Printing is' })).toHaveText(
    'Printing is switched off here',
  );
  await expect(page.getByRole('status').filter({ hasText: 'context menu' })).toHaveCount(0);

  // After a reload a note can still be added.
  await page.reload();
  await expect(strip).toContainText('Printing is switched off here');
  await expect(strip).toContainText('and 2 more');
  // Each earlier one takes a note, and the focus returns to where it was.
  const more = strip.getByRole('button', { name: 'and 2 more' });
  await more.press('Enter');
  await expect(more).toHaveAttribute('aria-expanded', 'true');
  const copying = strip.getByRole('listitem').filter({ hasText: 'Copying and pasting' });
  await copying.getByRole('button', { name: 'Add a note' }).press('Enter');
  await copying.getByRole('button', { name: 'Cancel' }).press('Enter');
  await expect(copying.getByRole('button', { name: 'Add a note' })).toBeFocused();
  await copying.getByRole('button', { name: 'Add a note' }).press('Enter');
  await copying.getByRole('textbox').fill('I copied by habit.');
  await copying.getByRole('button', { name: 'Save note' }).press('Enter');
  await expect(copying).toContainText('your note was added');
  await expect(strip.getByRole('button', { name: 'Add a note' })).toHaveCount(2);
  await more.press('Enter');
  await expect(copying).toHaveCount(0);

  await strip.getByRole('button', { name: 'Add a note' }).click();
  const note = strip.getByRole('textbox', { name: 'What happened, in your own words' });
  await expect(note).toBeFocused();
  await note.fill('I pressed the wrong key.');
  await strip.getByRole('button', { name: 'Save note' }).click();
  await expect(strip).toContainText('your note was added');
  // The answers continue as if nothing had happened, and the letters work again.
  await strip.getByRole('button', { name: 'Close this notice' }).click();
  await expect(strip).toBeHidden();
  await page.keyboard.press('b');
  await expect(candidate.options.nth(1)).toBeChecked();
  await expect(candidate.saved).toContainText(/^Saved \d/);

  const record = await adminClient.record(quiz);
  expect(record.participant).toMatchObject({ status: 'in_progress', violationCount: 0 });
  // Simultaneous detections have no order.
  expect(record.violations).toHaveLength(3);
  for (const reported of [
    { type: 'clipboard', counted: false, candidateNote: 'I copied by habit.' },
    { type: 'context_menu', counted: false, candidateNote: null },
    { type: 'print', counted: false, candidateNote: 'I pressed the wrong key.' },
  ]) {
    expect(record.violations).toContainEqual(expect.objectContaining(reported));
  }
});

/** Records the keys that the page has locked. */
function noteHeldKeys(): void {
  const keyboard: unknown = Reflect.get(navigator, 'keyboard');
  if (typeof keyboard !== 'object' || keyboard === null) return;
  Reflect.set(keyboard, 'lock', (keys: unknown) => {
    Reflect.set(window, 'heldKeys', keys);
    return Promise.resolve();
  });
}

/** Records every heading that was shown, in order. */
function noteHeadings(): void {
  const headings: string[] = [];
  Reflect.set(window, 'headings', headings);
  new MutationObserver(() => {
    const text = document.querySelector('h1')?.textContent ?? '';
    if (headings.at(-1) !== text) headings.push(text);
  }).observe(document.body, { childList: true, characterData: true, subtree: true });
}
