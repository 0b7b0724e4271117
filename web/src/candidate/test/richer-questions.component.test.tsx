import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { AnswerValue } from '../../answer-sync/answer-sheet.ts';
import { preloadContent } from '../../question-view/content/load-content.ts';
import { givenAttempt, keepAnswers } from '../../testing/attempts.ts';
import { ATTEMPT, paperQuestion } from '../../testing/fixtures.ts';
import { show, wordsIn } from '../../testing/shown.tsx';
import { currentAttempt } from '../current-attempt.ts';
import { AssessmentScreen } from './assessment-screen.tsx';
import { ReviewScreen } from './review-screen.tsx';

const MANY = Array.from({ length: 8 }, (_, i) => `option ${i + 1}`);
const FORMATTED = paperQuestion('formatted', {
  format: 'markdown',
  question: 'Which is *steeper*?\n\n- $x^2$\n- $x$',
  options: ['**the first**', 'the second'],
  points: 2,
});
const PAPER = [
  paperQuestion('several', {
    type: 'multiple_response',
    question: 'Which?',
    options: MANY,
    points: 2,
    maxSelections: 7,
    section: 'Part one',
  }),
  paperQuestion('number', {
    type: 'numeric',
    hasUnits: true,
    question: 'How much?',
    options: [],
    orderNumber: 2,
    points: 1,
    section: 'Part one',
  }),
  paperQuestion('text', {
    type: 'short_text',
    question: 'Where?',
    options: [],
    orderNumber: 3,
    points: 0.5,
    section: 'Part two',
  }),
];

let answers: Map<string, AnswerValue>;
beforeEach(async () => {
  answers = await keepAnswers(PAPER);
});

const answer = (id: string) => answers.get(id)?.answer;
const field = () => page.getByRole('textbox', { name: 'Your answer' });
const button = (name: string) => page.getByRole('button', { name, exact: true });

test('letters and digits select several options, F flags', async () => {
  await show(<AssessmentScreen />);
  await userEvent.keyboard('ah6a');
  expect(answer('several')).toBe('["option 6","option 8"]');
  await userEvent.keyboard('f');
  expect(answers.get('several')?.isFlagged).toBe(true);
  await userEvent.keyboard('abcdeg');
  // An eighth would be one more than allowed.
  expect(JSON.parse(answer('several') ?? '')).toHaveLength(7);
});

test('on a page from right to left, Left leads to the next question and Right back', async () => {
  document.documentElement.dir = 'rtl';
  onTestFinished(() => document.documentElement.removeAttribute('dir'));
  const { container } = await show(<AssessmentScreen />);
  await userEvent.keyboard('{ArrowLeft}{ArrowLeft}');
  expect(wordsIn(container)).toContain('Where?');
  await userEvent.keyboard('{ArrowRight}');
  expect(wordsIn(container)).toContain('How much?');
});

test('a pasted text that is too long is cut, and says so', async () => {
  await show(<AssessmentScreen />);
  await userEvent.keyboard('{ArrowRight}{ArrowRight}');
  const long = 'x'.repeat(600);
  const source = Object.assign(document.createElement('textarea'), { value: long });
  document.body.append(source);
  onTestFinished(() => source.remove());
  source.select();
  await userEvent.copy();
  await userEvent.click(field());
  await userEvent.paste();
  expect(answer('text')).toHaveLength(500);
  await expect.element(page.getByText('Only the first 500 characters were kept.')).toBeVisible();
  await userEvent.keyboard('{Backspace}');
  await expect.element(page.getByText(/Only the first/)).not.toBeInTheDocument();
});

test('keys of a text field are typed and nothing else', async () => {
  const { container } = await show(<AssessmentScreen />);
  await userEvent.keyboard('{ArrowRight}{ArrowRight}');
  expect(wordsIn(container)).toContain('Where?');
  await field().click();
  await userEvent.keyboard('Fab 1{ArrowLeft}{ArrowLeft}{ArrowRight}c{Backspace}d');
  await expect.element(field()).toHaveValue('Fab d1');
  expect(answer('text')).toBe('Fab d1');
  expect(answers.get('text')?.isFlagged).toBe(false);
  expect(wordsIn(container)).toContain('Where?');
  await userEvent.keyboard('{Control>}z{/Control}');
  await expect.element(field()).not.toHaveValue('Fab d1');
});

test('leaving a field by Next settles it, and Back shows the text again', async () => {
  await show(<AssessmentScreen />);
  await button('Next').click();
  await field().fill('3,5 kg');
  await expect.element(field()).toHaveAccessibleDescription('Read as 3.5 kg');
  expect(currentAttempt.answers?.settle).not.toHaveBeenCalled();
  await button('Next').click();
  expect(currentAttempt.answers?.settle).toHaveBeenCalled();
  await expect.element(field()).toHaveValue('');
  await button('Previous').click();
  await expect.element(field()).toHaveValue('3,5 kg');
  await button('Clear').click();
  await expect.element(field()).toHaveValue('');
  expect(answer('number')).toBe('');
});

test('a formatted question has its number as heading, and its options are selected as before', async () => {
  await preloadContent([{ text: FORMATTED.question, format: 'markdown' }]);
  givenAttempt({ ...currentAttempt.getSnapshot(), paper: [FORMATTED] });
  await show(<AssessmentScreen />);
  const heading = page.getByRole('heading', { level: 1 });
  await expect.element(heading).toHaveTextContent('Question 1 of 1 · 2 points');
  expect(page.getByRole('main').getByRole('listitem').elements()).toHaveLength(2);
  expect(page.getByRole('main').getByRole('math').elements()).toHaveLength(2);
  const option = page.getByRole('radio', { name: 'the first' });
  expect(option.element().querySelector('strong')).not.toBeNull();
  await userEvent.keyboard('a');
  expect(answer('formatted')).toBe('**the first**');
});

test('no question is bolder than another', async () => {
  const weights = [];
  for (const question of [FORMATTED, { ...FORMATTED, format: 'plain' as const }]) {
    givenAttempt({ ...currentAttempt.getSnapshot(), paper: [question] });
    const { container, unmount } = await show(<AssessmentScreen />);
    const text = page.elementLocator(container).getByText(/Which/).first();
    await expect.element(text).toBeVisible();
    weights.push(getComputedStyle(text.element()).fontWeight);
    await unmount();
  }
  expect(weights).toEqual(['400', '400']);
});

test('shows points, and sections above the question and in the navigator', async () => {
  const { container } = await show(<AssessmentScreen />);
  expect(wordsIn(container)).toContain('Part one Question 1 of 3 · 2 points Which?');
  await page.getByRole('checkbox', { name: 'option 1' }).click();
  const part = (name: string) => page.getByRole('list', { name });
  await expect
    .element(part('Part one').getByRole('button', { name: 'Question 1, answered' }))
    .toBeVisible();
  await part('Part two').getByRole('button', { name: 'Question 3, not attempted' }).click();
  expect(wordsIn(container)).toContain('Part two Question 3 of 3 · 0.5 points Where?');
  expect(wordsIn(container)).toContain('Answered 1 Flagged 0 Remaining 2');
});

test('says at each question what a wrong answer costs, where it costs something', async () => {
  const { container, unmount } = await show(<AssessmentScreen />);
  expect(wordsIn(container)).not.toContain('costs');
  await unmount();
  const participant = { ...ATTEMPT, negativeMarks: { percent: 25, floor: 'total' as const } };
  givenAttempt({ ...currentAttempt.getSnapshot(), participant });
  const shown = await show(<AssessmentScreen />);
  expect(wordsIn(shown.container)).toContain(
    'Question 1 of 3 · 2 points Each wrong selection can cost 25% of the points, and so can an incomplete one. A blank answer costs nothing. Which?',
  );
  await button('Next').click();
  await expect
    .element(
      page.getByText('A wrong answer costs 25% of its points. A blank answer costs nothing.'),
    )
    .toBeVisible();
});

test('the review warns of an answer with fewer selections than asked for, before it is submitted', async () => {
  const snapshot = currentAttempt.getSnapshot();
  const [several, ...others] = PAPER;
  const paper = several ? [{ ...several, minSelections: 2 }, ...others] : [];
  const one = { answer: '["option 2"]', isFlagged: false };
  const sync = { ...snapshot.sync, values: new Map([['several', one]]) };
  givenAttempt({ ...snapshot, paper, sync });
  const { container } = await show(<ReviewScreen />);
  const warning = 'Question 1 has fewer selections than it asks for.';
  expect(wordsIn(container)).toContain('Select 2 to 7');
  expect(wordsIn(container)).toContain('Select 1 more.');
  expect(wordsIn(container)).toContain(warning);
  await page
    .getByRole('button', { name: /^Submit (Final )?Assessment$/ })
    .first()
    .click();
  await expect.element(page.getByRole('dialog').getByText(warning)).toBeVisible();
});

test('the review counts typed answers, changes them in edit mode only, and restores them', async () => {
  answers.set('several', { answer: '["option 2"]', isFlagged: false });
  currentAttempt.answers?.type('number', '12');
  const { container } = await show(<ReviewScreen />);
  expect(wordsIn(container)).toContain('2 of 3 questions answered');
  await page.getByRole('button', { name: 'Question 2, answered' }).click();
  expect(wordsIn(container)).toContain('Question 2 1 point Answered Edit Answer');
  await expect.element(field()).toHaveAttribute('readonly');
  await page.getByRole('button', { name: 'Edit Answer' }).click();
  await field().fill('13');
  expect(answer('number')).toBe('13');
  await page.getByRole('button', { name: 'Cancel' }).click();
  expect(answer('number')).toBe('12');
  await expect.element(field()).toHaveValue('12');
});
