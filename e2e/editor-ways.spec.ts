import type { Locator, Page } from '@playwright/test';
import { textFile } from './support/controls.ts';
import { expect, test } from './support/e2e-test.ts';
import { tabTo } from './support/keyboard.ts';
import { browserOf, type Size } from './support/screen-checks.ts';
import { ADMIN } from './support/server-settings.ts';
import { shownCaptcha } from './support/sign-in.ts';

const CIRCLE =
  '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="160"><circle cx="150" cy="80" r="60" fill="none" stroke="#1f5397" stroke-width="6"/></svg>';

/** Nine cells, as many as a new table has. */
const CELLS = ['h', 't', 'n', '20', '2.02', 'air', '30', '2.47', 'none'];

const WRITTEN = expect.stringMatching(
  [
    /^How long does it fall, if \$g = 9\.81\$\?\n\n/,
    /\| h \| t \| n \|\n\| - \| - \| - \|\n\| 20 \| 2\.02 \| air \|\n\| 30 \| 2\.47 \| none \|\n\n/,
    /```\n\(2 \* h \/ g\) \*\* 0\.5\n```\n\n!\[A ball\]\(image:[0-9a-f]{64}\)$/,
  ]
    .map(({ source }) => source)
    .join(''),
);

/** A person with one kind of input, besides the keys of letters. */
interface Person {
  page: Page;
  /** The kinds of pointers that they may use. */
  pointers: readonly string[];
  /** Puts the cursor into a field. */
  enter(field: Locator): Promise<void>;
  /** Presses a button or selects a radio button that comes next. */
  press(control: Locator): Promise<void>;
  /** Marks an option above as the right one. */
  mark(option: Locator): Promise<void>;
  /** Presses a button of the text's toolbar and goes on in the text. */
  tool(name: string): Promise<void>;
  nextCell(cell: Locator): Promise<void>;
  /** Selects an answer on the paper. */
  choose(option: Locator): Promise<void>;
  /** Puts the cursor into the empty paragraph at the end of the question. */
  goToEnd(): Promise<void>;
  /** Presses the main button of a dialog or of the page, or its keys. */
  finish(button: string): Promise<void>;
}

const question = (page: Page) => page.locator('[data-field="question"]');
const toolButton = (page: Page, name: string) =>
  page
    .getByRole('toolbar', { name: 'Formatting of question' })
    .getByRole('button', { name, exact: true });

/** Someone who points: with a mouse, or with a finger. */
function pointing(page: Page, pointer: 'mouse' | 'touch'): Person {
  const press = (target: Locator) => (pointer === 'mouse' ? target.click() : target.tap());
  return {
    page,
    pointers: [pointer],
    enter: press,
    press,
    mark: press,
    tool: (name) => press(toolButton(page, name)),
    nextCell: press,
    choose: press,
    goToEnd: () => press(question(page).locator(':scope > p').last()),
    finish: (name) => press(page.getByRole('button', { name, exact: true })),
  };
}

/** Someone who has nothing but keys. */
function typing(page: Page): Person {
  const { keyboard } = page;
  return {
    page,
    pointers: [],
    enter: (field) => tabTo(page, field),
    press: async (control) => {
      await tabTo(page, control);
      await keyboard.press('Space');
    },
    mark: async (option) => {
      await tabTo(page, option, 'back');
      await keyboard.press('Space');
    },
    tool: async (name) => {
      const bar = page.getByRole('toolbar', { name: 'Formatting of question' });
      await tabTo(page, bar.locator('[tabindex="0"]'), 'back');
      const button = toolButton(page, name);
      for (let step = 0; step < 20; step += 1) {
        if (await button.evaluate((element) => element === document.activeElement)) break;
        await keyboard.press('ArrowRight');
      }
      await expect(button).toBeFocused();
      await keyboard.press('Enter');
    },
    nextCell: () => keyboard.press('Tab'),
    choose: async (option) => {
      const first = page.getByRole('radio').first();
      await tabTo(page, first);
      const isFirst = (await first.textContent()) === (await option.textContent());
      // Held as long as a person holds a key.
      await keyboard.press(isFirst ? 'Space' : 'ArrowDown', { delay: 100 });
    },
    goToEnd: () => keyboard.press('Control+End'),
    finish: () => keyboard.press('Control+Enter'),
  };
}

/** The kinds of pointers that the page has felt since it was opened. */
async function watchPointers(page: Page): Promise<() => string[]> {
  const felt = new Set<string>();
  await page.exposeFunction('feelPointer', (kind: string) => felt.add(kind));
  await page.addInitScript(() => {
    const { feelPointer } = window as unknown as { feelPointer(kind: string): void };
    document.addEventListener('pointerdown', ({ pointerType }) => feelPointer(pointerType), true);
  });
  return () => [...felt];
}

async function signIn(person: Person, email: string, password: string): Promise<void> {
  const { page } = person;
  await page.goto('/login');
  const fill = async (field: Locator, text: string) => {
    await person.enter(field);
    await page.keyboard.type(text);
  };
  await fill(page.getByLabel('Email address'), email);
  await fill(page.getByLabel('Password', { exact: true }), password);
  await fill(page.getByLabel('Captcha', { exact: true }), await shownCaptcha(page));
  await person.press(page.getByRole('button', { name: 'Sign In', exact: true }));
  await expect(page).not.toHaveURL(/\/login/);
}

/** Writes a question with a formula, a table, code and an image, and two options. */
async function write(person: Person): Promise<void> {
  const { page } = person;
  const type = (text: string) => page.keyboard.type(text);
  await person.enter(question(page));
  await type('How long does it fall, if ');
  await person.tool('Formula');
  await expect(page.getByRole('textbox', { name: 'TeX' })).toBeFocused();
  await type('g = 9.81');
  await person.finish('Insert formula');
  await expect(question(page)).toBeFocused();
  await type('?');
  await person.tool('Table');
  const cells = question(page).locator('td, th');
  await expect(cells).toHaveCount(CELLS.length);
  for (const [i, text] of CELLS.entries()) {
    if (i > 0) await person.nextCell(cells.nth(i));
    await type(text);
  }
  await person.goToEnd();
  await person.tool('Code block');
  await type('(2 * h / g) ** 0.5');
  await person.goToEnd();
  const asked = page.waitForEvent('filechooser');
  await person.tool('Image');
  await (await asked).setFiles(textFile('circle.svg', CIRCLE, 'image/svg+xml'));
  await expect(page.getByRole('textbox', { name: 'Description' })).toBeFocused();
  await type('A ball');
  await person.finish('Apply');
  await expect(question(page)).toBeFocused();
  for (const [i, text] of ['2.02 s', '2.47 s'].entries()) {
    await person.enter(page.locator(`[data-field="options.${i}.text"]`));
    await type(text);
  }
  await person.mark(page.getByRole('radio', { name: 'Option A is correct' }));
  await person.finish('Save question');
  await expect(page.getByText(/^Saved \d\d:\d\d$/)).toBeAttached();
}

/** Takes the assessment up to its end, and answers its question. */
async function take(person: Person): Promise<void> {
  const { page } = person;
  const press = (name: string) => person.press(page.getByRole('button', { name, exact: true }));
  await press('Start Assessment');
  // Only who has read to its end agrees by keys.
  await page.keyboard.press('Escape');
  await press('Accept & Continue');
  await expect(page).toHaveURL('/quiz/permissions');
  await press('Start Assessment');
  await expect(page.getByRole('timer')).toBeVisible();
  const paper = page.locator('.question-text');
  await expect(paper.getByRole('img', { name: 'A ball' })).toBeVisible();
  await expect(paper.locator('.katex')).toHaveCount(1);
  await expect(paper.locator('td, th')).toHaveText(CELLS);
  await expect(paper.locator('pre')).toContainText('(2 * h / g) ** 0.5');
  const right = page.getByRole('radio', { name: '2.02 s' });
  await person.choose(right);
  await expect(right).toBeChecked();
  await press('Review');
  await expect(page.getByText('1 of 1 questions answered')).toBeVisible();
  await person.press(page.getByRole('button', { name: /^Submit (Final )?Assessment$/ }));
  await person.press(page.getByRole('radio', { name: 'Good' }));
  await press('Submit Assessment');
  await expect(page.getByRole('heading', { name: 'Assessment Completed!' })).toBeVisible();
}

const WAYS: [way: string, size: Size, by: (page: Page) => Person][] = [
  ['a mouse', 'desktop', (page) => pointing(page, 'mouse')],
  ['keys alone', 'desktop', typing],
  ['a finger on a phone', 'phone', (page) => pointing(page, 'touch')],
];

for (const [way, size, by] of WAYS) {
  test(`a question with table, image, formula and code: written, taken and scored with ${way}`, {
    tag: '@long',
  }, async ({ visitor, adminClient }) => {
    const quiz = await adminClient.quiz(`Written with ${way}`, {}, []);
    const author = by(await visitor(browserOf(size)));
    const feltByAuthor = await watchPointers(author.page);
    await signIn(author, ADMIN.email, ADMIN.password);
    await author.page.goto(`/admin/questions/new?quiz=${quiz.id}`);
    await write(author);
    expect(feltByAuthor()).toEqual(author.pointers);

    const [stored] = await adminClient.must('listQuestions', { params: { id: quiz.id } });
    expect(stored).toMatchObject({ question: WRITTEN, correctAnswer: '2.02 s', version: 1 });

    const guest = await adminClient.inviteOne(
      quiz,
      `${size}-${author.pointers.length}@example.org`,
    );
    const candidate = by(await visitor(browserOf(size)));
    const feltByCandidate = await watchPointers(candidate.page);
    await signIn(candidate, guest.email, guest.code);
    await take(candidate);
    expect(feltByCandidate()).toEqual(candidate.pointers);
    const [attempt] = await adminClient.attempts(quiz);
    expect(attempt).toMatchObject({ status: 'completed', points: 1, maxPoints: 1 });
  });
}
