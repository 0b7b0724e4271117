import type { Locator, Page } from '@playwright/test';
import { Candidate } from './support/candidate.ts';
import { textFile } from './support/controls.ts';
import { expect, test } from './support/e2e-test.ts';
import { browserOf, checkScreen } from './support/screen-checks.ts';
import { signInAsAdmin } from './support/sign-in.ts';

const CIRCLE =
  '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="160"><circle cx="150" cy="80" r="60" fill="none" stroke="#1f5397" stroke-width="6"/></svg>';

const TITLE = 'Written as it is read';

/** Writes a question with a list, a table, code, formulas and an image, by keys and buttons alone. */
async function write(page: Page): Promise<void> {
  const tool = (name: string) =>
    page
      .getByRole('toolbar', { name: 'Formatting of question' })
      .getByRole('button', { name, exact: true })
      .click();
  const type = (text: string) => page.keyboard.type(text);
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  await page.locator('[data-field="question"]').click();
  await type('A ball is thrown from a tower of height $h = 20$ m. Air is ');
  await press('Control+b');
  await type('not');
  await press('Control+b');
  await type(
    ' taken into account, and the ball leaves the hand horizontally. Which of these sentences about the time that it takes to reach the ground is right?',
  );
  await press('Enter');
  await tool('Bulleted list');
  await type('The mass of the ball is not known.');
  await press('Enter');
  await type('The ground is level, and $g = 9.81$ m/s is used. ');
  await press('Enter', 'Enter');
  await tool('Table');
  await type('Height');
  await press('Tab');
  await type('Time');
  await press('Tab');
  await type('Remark | note');
  await press('Tab');
  await type('20');
  await press('Tab');
  await type('$t_1$ ');
  await press('Control+End');
  await tool('Code block');
  await type('def time(h):');
  await press('Enter');
  await type('    return (2 * h / 9.81) ** 0.5');
  await press('Control+End');
  await tool('Formula');
  await page.getByRole('textbox', { name: 'TeX' }).fill('t = \\sqrt{\\frac{2h}{g}}');
  await page.getByLabel('On a line of its own').click();
  await page.getByRole('button', { name: 'Insert formula' }).click();
  await press('Control+End');
  await paste(page, '<p class="MsoNormal">Pasted <i>words</i> of a<o:p></o:p> page.</p>');
  await press('Enter');
  await page
    .getByLabel('Images for question')
    .setInputFiles(textFile('circle.svg', CIRCLE, 'image/svg+xml'));
  await page.getByRole('textbox', { name: 'Description' }).fill('A circle');
  await page.getByRole('textbox', { name: 'Caption' }).fill('Figure 1');
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.locator('[data-field="options.0.text"]').click();
  await type('It is $\\sqrt{2h/g}$.');
  await press('Enter');
  await type('It depends on the speed.');
  await page.getByRole('radio', { name: 'Option A is correct' }).click();
  await press('Control+Enter');
  await expect(page.getByText(/^Saved \d\d:\d\d$/)).toBeVisible();
}

interface Line {
  text: string;
  /** from the edge of the text, pixels */
  left: number;
  font: string;
}

/** The lines of a text as they are broken, without what is drawn: formulas have glyphs of their own. */
function linesOf(place: Locator): Promise<Line[]> {
  return place.evaluate((root) => {
    const edge = root.querySelector('p')?.getBoundingClientRect().left ?? 0;
    const lines: (Line & { top: number; right: number })[] = [];
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const holder = node.parentElement;
      if (holder === null || holder.closest('.katex, .sr-only, [hidden]') !== null) continue;
      const { fontSize, fontWeight, fontFamily, fontStyle } = getComputedStyle(holder);
      const font = [fontSize, fontWeight, fontStyle, fontFamily].join(' ');
      const text = node.textContent ?? '';
      for (let i = 0; i < text.length; i += 1) {
        const range = document.createRange();
        range.setStart(node, i);
        range.setEnd(node, i + 1);
        const { top, left, right, width } = range.getBoundingClientRect();
        const last = lines.at(-1);
        if (width === 0 || (text[i] ?? '').trim() === '') continue;
        const isSame = last !== undefined && Math.abs(last.top - top) < 8 && left >= last.right - 1;
        if (isSame && last.font === font) {
          last.text += (left - last.right > 2 ? ' ' : '') + text[i];
          last.right = right;
        } else lines.push({ text: text[i] ?? '', left: left - edge, font, top, right });
      }
    }
    return lines.map(({ text, left, font }) => ({ text, left: Math.round(left), font }));
  });
}

/** Pastes HTML as another program leaves it on the clipboard. */
async function paste(page: Page, html: string): Promise<void> {
  await page.locator('[data-field="question"]').evaluate((field, markup) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/html', markup);
    clipboardData.setData('text/plain', 'Pasted words');
    field.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    );
  }, html);
  await expect(page.getByText('Converting…')).toBeHidden();
  await expect(
    page.locator('[data-field="question"]').getByText('words', { exact: true }),
  ).toBeVisible();
}

/*
 * Tolerated: nothing but less than a pixel. Editor and paper differ in no glyph, font or line break at 1440 and
 * 390 pixels, and each line begins at the same pixel. Formulas count by the room that they take in their line:
 * one component draws them in both.
 */
test('a question is written by keys and buttons, and looks as on the paper', {
  tag: '@long',
}, async ({ visitor, adminClient }) => {
  const quiz = await adminClient.quiz(TITLE, {}, []);
  const author = await visitor(browserOf('desktop'));
  await signInAsAdmin(author);
  await author.goto(`/admin/questions/new?quiz=${quiz.id}`);
  await write(author);
  const address = author.url();
  for (const size of ['desktop', 'phone'] as const) {
    await test.step(size, async () => {
      const page = await visitor(browserOf(size));
      await signInAsAdmin(page);
      await page.goto(address);
      const field = page.locator('[data-field="question"]');
      await expect(field.locator('.katex').first()).toBeVisible();
      await checkScreen(page, size, 'question-editor-rich');
      const guest = await adminClient.inviteOne(quiz, `as-${size}@example.org`);
      const candidate = new Candidate(await visitor(browserOf(size)), guest);
      await candidate.signIn();
      await candidate.begin();
      const paper = candidate.page.locator('.question-text');
      await expect(paper.locator('.katex').first()).toBeVisible();
      await expect(paper.getByRole('img', { name: 'A circle' })).toBeVisible();
      await expect(paper.getByText('Image: A circle')).toHaveCount(0);
      const read = await linesOf(paper);
      expect(read.length).toBeGreaterThan(10);
      await expect.poll(() => linesOf(field)).toEqual(read);
    });
  }
});
