import type { Locator, Page } from '@playwright/test';
import { optionsOfPairs } from '../core/src/domain/questions/matching-options.ts';
import type { QuestionDefinition } from '../core/src/domain/questions/question-definition.ts';
import type { AdminClient, PreparedQuiz } from './support/admin-client.ts';
import { Candidate } from './support/candidate.ts';
import { expect, test } from './support/e2e-test.ts';
import { tabTo } from './support/keyboard.ts';
import { browserOf, CANDIDATE_SIZES, checkScreen, type Size } from './support/screen-checks.ts';
import { signInAsAdmin } from './support/sign-in.ts';

const FIGURE = `<svg xmlns="http://www.w3.org/2000/svg" width="480" height="240" viewBox="0 0 480 240">
  <rect width="480" height="240" fill="#fff"/><path d="M20 220H460M20 220V20" stroke="#181e29" stroke-width="2"/>
  <path d="M20 220Q240 220 440 30" fill="none" stroke="#1f5397" stroke-width="4"/></svg>`;

interface WrittenQuestion extends QuestionDefinition {
  figure: { svg: string; alternative: string; caption?: string };
}

/** Another one, which is shown before the connection is lost. */
const SQUARE =
  '<svg xmlns="http://www.w3.org/2000/svg" width="240" height="120"><rect x="80" y="20" width="80" height="80" fill="#1f5397"/></svg>';

const common = {
  format: 'markdown',
  points: 1,
  rule: 'all_or_nothing',
  options: [] as WrittenQuestion['options'],
  figure: { svg: SQUARE, alternative: 'A square' },
} as const;

const ORDER = ['$10^{-3}$', '$\\frac{1}{3}$', '**One**', '$10^3$'];

/** One question of each type, each with a figure and a formula, in the order of the sections below. */
const QUESTIONS: WrittenQuestion[] = [
  {
    ...common,
    type: 'multiple_response',
    question: 'Which of these numbers $n$ are prime?',
    options: ['2', '9', '11', '15', '17'].map((text) => ({
      text,
      isCorrect: !['9', '15'].includes(text),
    })),
    points: 3,
    rule: 'right_minus_wrong',
    minSelections: 2,
    maxSelections: 3,
    explanation: '9 is $3^2$ and 15 is $3 \\times 5$.',
  },
  {
    ...common,
    type: 'true_false',
    question: 'Every prime number $p$ is odd.',
    options: [
      { text: 'True', isCorrect: false },
      { text: 'False', isCorrect: true },
    ],
  },
  {
    ...common,
    type: 'multiple_choice',
    question: [
      'The curve shows $f(x) = x^2$ for $x \\ge 0$.',
      '| $x$ | $f(x)$ |\n| --- | --- |\n| 1 | 1 |\n| 2 | 4 |',
      'Which is its derivative?',
    ].join('\n\n'),
    options: ['$2x$', '$x$', '$\\frac{x^3}{3}$', '`x * x`', '**None** of these'].map((text, i) => ({
      text,
      isCorrect: i === 0,
      ...(i === 4 ? { isLast: true } : {}),
    })),
    points: 2,
    figure: {
      svg: FIGURE,
      alternative: 'A curve that rises ever more steeply',
      caption: 'Figure 1',
    },
  },
  {
    ...common,
    type: 'numeric',
    question: 'How fast ($v$) is a stone after falling for one second, without air?',
    numeric: {
      accepted: [{ value: '9.81', tolerancePercent: '1' }],
      units: [{ unit: 'm/s', factor: '1' }],
    },
    points: 1.5,
  },
  {
    ...common,
    type: 'short_text',
    question: 'A square of $a^2$ is on the flag of a country. What is its capital?',
    shortText: { accepted: [{ text: 'Bern' }, { text: 'Berne' }] },
  },
  {
    ...common,
    type: 'matching',
    question: 'Which figure has which area?',
    options: optionsOfPairs(
      [
        { item: 'A square with sides $a$', answer: '$a^2$' },
        { item: 'A circle with radius $a$', answer: '$\\pi a^2$' },
        { item: 'A rectangle with sides $a$ and $2a$', answer: '$2a^2$' },
        { item: '**Two** squares with sides $a$', answer: '$2a^2$' },
      ],
      ['$4a$'],
    ),
    points: 2,
    rule: 'per_option',
  },
  {
    ...common,
    type: 'ordering',
    question: 'Which is the smallest, which the largest? The smallest first.',
    options: ORDER.map((text) => ({ text, isCorrect: false })),
    points: 2,
    rule: 'per_option',
  },
];

/** Stores the questions, each with its figure below the text, and puts them into two sections. */
async function author(page: Page, adminClient: AdminClient): Promise<PreparedQuiz> {
  const quiz = await adminClient.quiz('One question of each type', { totalQuestions: 7 }, []);
  await signInAsAdmin(page);
  const own: { id: string }[] = [];
  for (const { figure, ...written } of QUESTIONS) {
    const { svg, alternative, caption = '' } = figure;
    const headers = { 'content-type': 'image/svg+xml' };
    const stored = await page.request.post('/api/images', { data: svg, headers });
    const { hash } = await stored.json();
    const question = `${written.question}\n\n![${alternative}](image:${hash} "${caption}")`;
    const body = { definition: { ...written, question }, quizId: quiz.id };
    own.push(await adminClient.must('addToBank', { body }));
  }
  const preview = page.getByRole('region', { name: 'Preview' });
  const openPreview = async (id = '') => {
    await page.goto(`/admin/questions/${id}`);
    await page.getByRole('button', { name: 'Preview' }).click();
  };
  await openPreview(own.at(-1)?.id);
  await expect(preview.getByRole('img', { name: common.figure.alternative })).toBeVisible();
  await checkScreen(page, 'desktop', 'types-editor-ordering');
  await openPreview(own.at(-2)?.id);
  await expect(preview.getByRole('list', { name: 'Answers' })).toBeVisible();
  await checkScreen(page, 'desktop', 'types-editor-matching');
  await openPreview(own.at(-3)?.id);
  await expect(preview.getByRole('textbox', { name: 'Your answer' })).toBeVisible();
  await checkScreen(page, 'desktop', 'types-editor');
  const section = (title: string, from: number, to: number) => ({
    title,
    isShuffled: false,
    items: own.slice(from, to).map(({ id }) => ({ questionId: id })),
  });
  const structure = {
    sections: [section('Numbers', 0, 3), section('The world around us', 3, 7)],
  };
  const body = { structure, negativeMarks: null };
  await adminClient.must('setStructure', { params: { id: quiz.id }, body });
  return quiz;
}

test('each type is answered by touch and by keyboard, and reported', {
  tag: '@long',
}, async ({ visitor, adminClient, consoles }) => {
  consoles.expect(/net::ERR_INTERNET_DISCONNECTED/);
  const admin = await visitor(browserOf('desktop'));
  const quiz = await author(admin, adminClient);
  for (const size of CANDIDATE_SIZES) {
    await test.step(size, async () => {
      const candidate = new Candidate(
        await visitor(browserOf(size)),
        await adminClient.inviteOne(quiz, `types-${size}@example.org`),
      );
      await candidate.signIn();
      await candidate.begin();
      await answerAll(candidate, size);
      await reviewAndSubmit(candidate, size);
      const reviewer = size === 'desktop' ? admin : await visitor(browserOf(size));
      if (reviewer !== admin) await signInAsAdmin(reviewer);
      await review(reviewer, quiz, size);
    });
  }
});

/** The points in the list, the record, the report and on the dashboard. */
async function review(page: Page, quiz: PreparedQuiz, size: Size): Promise<void> {
  await page.goto(`/admin/participants?quizId=${quiz.id}`);
  await expect(
    page.getByText('10', { exact: true }).filter({ visible: true }).first(),
  ).toBeVisible();
  await checkScreen(page, size, 'types-participants');
  await page.getByRole('link', { name: new RegExp(`^Open the record of types-${size}`) }).click();
  await expect(page.getByText('10 / 12.5 points')).toBeVisible();
  await page.getByRole('button', { name: 'Options of question 1' }).click();
  await page.getByRole('button', { name: 'Options of question 3' }).click();
  await page.getByRole('button', { name: 'Key of question 4' }).click();
  await page.getByRole('button', { name: 'Options of question 6' }).click();
  await page.getByRole('button', { name: 'Options of question 7' }).click();
  await checkScreen(page, size, 'types-record');
  const report = await page.request.get(`/api/participants/export?quizId=${quiz.id}`);
  const [head = '', ...rows] = (await report.text()).split('\r\n');
  const column = head.split(',').indexOf('Points');
  const row = rows.find((line) => line.includes(`types-${size}@`)) ?? '';
  expect(row.split(',').slice(column, column + 2)).toEqual(['10', '12.5']);
  await page.goto('/admin/dashboard');
  await expect(page.getByText('10 / 12.5 points').first()).toBeVisible();
  await checkScreen(page, size, 'types-dashboard');
}

/** Touches a control, or on a computer moves to it with Tab and presses the space bar. */
async function press(page: Page, target: Locator, size: Size): Promise<void> {
  if (size === 'phone') return target.tap();
  await tabTo(page, target);
  await page.keyboard.press('Space');
}

/** Selects the first option with this text: by touch, or with the key of its letter. */
async function choose({ page, options }: Candidate, text: string, size: Size): Promise<void> {
  const option = options.filter({ hasText: text }).first();
  const place = (await options.allTextContents()).findIndex((shown) => shown.includes(text));
  if (size === 'phone') await option.tap();
  else await page.keyboard.press('abcde'.charAt(place));
  await expect(option).toBeChecked();
}

async function answerAll(candidate: Candidate, size: Size): Promise<void> {
  const { page } = candidate;
  const next = () => press(page, candidate.action('Next'), size);
  const focusOn = (target: Locator) => (size === 'phone' ? target.tap() : tabTo(page, target));
  const box = (name: string) => page.getByRole('checkbox', { name, exact: true });
  const field = page.getByRole('textbox', { name: 'Your answer' });
  await expect(page.getByText('Question 1 of 7 · 3 points')).toBeVisible();
  await expect(page.getByText('Select 2 to 3')).toBeVisible();
  // Two right and one wrong: one of three points.
  for (const name of ['2', '11', '15']) await press(page, box(name), size);
  await expect(page.getByText('3 of 3 selected. Clear one to select another.')).toBeVisible();
  await checkScreen(page, size, 'types-several', { whole: false });
  await next();
  await choose(candidate, 'False', size);
  await checkScreen(page, size, 'types-true-false', { whole: false });

  // The connection is lost before the figure was ever on the screen.
  await page.context().setOffline(true);
  await next();
  const figure = page.getByRole('img', { name: 'A curve that rises ever more steeply' });
  await expect(figure).toBeVisible();
  expect(await figure.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  await expect(page.locator('main math').first()).toBeAttached();
  await choose(candidate, '2x', size);
  await checkScreen(page, size, 'types-formatted', { whole: false });
  await next();
  await focusOn(field);
  await page.keyboard.type('9,8 m/s');
  await expect(page.getByText('Read as 9.8 m/s')).toBeVisible();
  await checkScreen(page, size, 'types-number', { whole: false });
  await next();
  await focusOn(field);
  await page.keyboard.type('Berne ');
  await page.context().setOffline(false);
  await expect(candidate.saved).toHaveText(/^Saved \d/);

  // The text that was typed last is in the field again after a reload at once.
  await field.pressSequentially('x');
  await page.reload();
  await page.getByRole('button', { name: 'Return to fullscreen' }).click();
  await expect(field).toHaveValue('Berne x');
  await field.press('End');
  await field.press('Backspace');
  await checkScreen(page, size, 'types-text', { whole: false });

  await page.context().setOffline(true);
  await next();
  await match(page);
  await checkScreen(page, size, 'types-matching', { whole: false });
  await next();
  await expect(page.getByText('Not answered yet.')).toBeVisible();
  await order(page, size);
  await checkScreen(page, size, 'types-ordering', { whole: false });
  await page.context().setOffline(false);
  await expect(candidate.saved).toHaveText(/^Saved \d/);
  await page.reload();
  await page.getByRole('button', { name: 'Return to fullscreen' }).click();
  await expect.poll(() => places(page)).toEqual([0, 1, 2, 3]);
}

/** Gives three of four items their right answers: 1.5 of 2 points. The lists have the letters of formulas. */
async function match(page: Page): Promise<void> {
  const answers = page.getByRole('list', { name: 'Answers' }).getByRole('listitem');
  await expect(answers).toHaveCount(4);
  const sources = await answers.locator('annotation').allTextContents();
  const wanted = ['a^2', '4a', '2a^2', '2a^2'];
  const lists = page.getByRole('combobox');
  // No letter selects anything here.
  await page.keyboard.press('b');
  await expect(lists.first()).toHaveValue('');
  await expect(page.locator('kbd').filter({ hasText: 'A' })).toHaveCount(0);
  for (const [i, answer] of wanted.entries()) {
    await lists.nth(i).selectOption({ label: 'ABCD'.charAt(sources.indexOf(answer)) });
  }
}

/** The items of the ordering, as their places in the right order. */
async function places(page: Page): Promise<number[]> {
  const items = page.getByRole('list', { name: 'Items in order' }).getByRole('listitem');
  const words = ['10^{-3}', 'frac{1}{3}', 'One', '10^3'];
  const texts = await items.evaluateAll((all) => all.map((item) => item.textContent ?? ''));
  return texts.map((text) => words.findIndex((word) => text.includes(word)));
}

/** Moves each item up to its place, by the button that keeps the focus. */
async function order(page: Page, size: Size): Promise<void> {
  for (let place = 0; place < ORDER.length; place += 1) {
    for (let at = (await places(page)).indexOf(place); at > place; at -= 1) {
      const up = page.getByRole('button', { name: `Move item ${at + 1} up`, exact: true });
      await press(page, up, size);
      await expect.poll(async () => (await places(page)).indexOf(place)).toBe(at - 1);
    }
  }
  if (await page.getByText('Not answered yet.').isVisible()) {
    await press(page, page.getByRole('button', { name: 'Answer with this order' }), size);
  }
}

async function reviewAndSubmit({ page, saved }: Candidate, size: Size): Promise<void> {
  if (size === 'phone') {
    await page.getByRole('button', { name: 'show all questions' }).click();
    await checkScreen(page, size, 'types-sheet', { whole: false });
  }
  await page.getByRole('button', { name: 'Review & Submit' }).filter({ visible: true }).click();
  await expect(page.getByText('7 of 7 questions answered')).toBeVisible();
  await page.getByRole('button', { name: /^Question 4, answered/ }).click();
  await checkScreen(page, size, 'types-review', { whole: size === 'desktop' });
  await expect(saved).toHaveText(/^Saved \d/);
  const submit = size === 'phone' ? 'Submit Assessment' : 'Submit Final Assessment';
  await page.getByRole('button', { name: submit, exact: true }).click();
  await page.getByRole('button', { name: 'Skip Feedback' }).click();
  await expect(page).toHaveURL('/quiz/thankyou');
}
