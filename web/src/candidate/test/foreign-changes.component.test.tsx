import { expect, onTestFinished, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { tolerateForeignChanges } from '../../app/frame/foreign-changes.ts';
import { keepAnswers } from '../../testing/attempts.ts';
import { paperQuestion } from '../../testing/fixtures.ts';
import { show } from '../../testing/shown.tsx';
import { inject, remove, translate, wrap } from '../../testing/translator.ts';
import { AssessmentScreen } from './assessment-screen.tsx';
import { ReviewScreen } from './review-screen.tsx';

const PAPER = [
  paperQuestion('one', { question: 'Which is the first?', options: ['alpha', 'beta'] }),
  paperQuestion('several', {
    type: 'multiple_response',
    format: 'markdown',
    question: 'Which are **primes**? Select *two*.',
    options: ['two', 'three', 'four'],
    orderNumber: 2,
  }),
  paperQuestion('number', {
    type: 'numeric',
    format: 'markdown',
    question: 'How **much** is *it*?',
    options: [],
    orderNumber: 3,
  }),
  paperQuestion('words', {
    type: 'short_text',
    question: 'Where does it live?',
    options: [],
    orderNumber: 4,
    section: 'Part two',
  }),
];
tolerateForeignChanges();

const shown = () => document.body.textContent.replaceAll('\u200b', '');

/** Goes through test and review; returns what the page says after each step. */
async function walk(): Promise<string[]> {
  const answers = await keepAnswers(PAPER);
  const said: string[] = [];
  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const radio = (n: number) => page.getByRole('radio').nth(n);
  const box = (n: number) => page.getByRole('checkbox').nth(n);
  const type = (text: string) => userEvent.type(page.getByRole('textbox'), text);
  const step = async (act: () => Promise<unknown>, text: string) => {
    await act();
    await expect.poll(shown).toContain(text);
    said.push(shown());
  };
  const test = await show(<AssessmentScreen />);
  await step(() => radio(1).click(), 'Which is the first?');
  await step(() => radio(0).click(), 'Which is the first?');
  await step(() => button('Flag').click(), 'Which is the first?');
  await step(() => button('Next').click(), 'Which are primes? Select two.');
  await step(() => box(0).click(), 'Which are primes? Select two.');
  await step(() => box(1).click(), 'Which are primes? Select two.');
  await step(() => button('Clear').click(), 'Which are primes? Select two.');
  await step(() => box(2).click(), 'Which are primes? Select two.');
  await step(() => button('Next').click(), 'How much is it?');
  await step(() => type('12,5'), 'Read as 12.5');
  await step(() => button('Next').click(), 'Where does it live?');
  await step(() => type('here'), 'Where does it live?');
  await step(() => button('Previous').click(), 'How much is it?');
  await step(() => button('Previous').click(), 'Which are primes? Select two.');
  expect(Object.fromEntries(answers)).toEqual({
    one: { answer: 'alpha', isFlagged: true },
    several: { answer: '["four"]', isFlagged: false },
    number: { answer: '12,5', isFlagged: false },
    words: { answer: 'here', isFlagged: false },
  });
  await test.unmount();

  const review = await show(<ReviewScreen />);
  await step(() => button(/^Question 1/).click(), 'Which is the first?');
  await step(() => button('Edit Answer').click(), 'Which is the first?');
  await step(() => radio(1).click(), 'Which is the first?');
  await step(() => button('Done').click(), 'Which is the first?');
  await step(() => button(/^Question 3/).click(), 'How much is it?');
  expect(answers.get('one')?.answer).toBe('beta');
  await review.unmount();
  return said;
}

/** The texts of the page without interference, read once for all tests. */
let said: string[] | undefined;

const SAME = 'test and review say the same while something %s the page';
async function saysTheSame(_: string, meddle: (root: Element) => () => void): Promise<void> {
  if (said === undefined) {
    // The first walk loads files, so its texts appear a little later.
    await walk();
    said = await walk();
  }
  onTestFinished(meddle(document.body));
  expect(await walk()).toEqual(said);
}

test.each([['translates', translate]])(SAME, saysTheSame);
test.each([
  ['wraps texts of', wrap],
  ['adds nodes to', inject],
])(SAME, { tags: 'long' }, saysTheSame);

test('test and review go on while something removes nodes of the page', async () => {
  onTestFinished(remove(document.body));
  await walk();
});
