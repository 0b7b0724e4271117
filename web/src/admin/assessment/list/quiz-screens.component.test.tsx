import { listCategories } from '@invigil/core/contract/assessments/categories';
import { QUESTION_LIMITS } from '@invigil/core/domain/limits';
import type { ReactElement } from 'react';
import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { endpointKey } from '../../../net/endpoint-query.ts';
import { createQueryClient } from '../../../net/query-client.ts';
import { PreviewPaper } from '../../../question-view/preview-paper.tsx';
import { paperQuestion, QUIZ } from '../../../testing/fixtures.ts';
import { show, wordsIn, wordsOf } from '../../../testing/shown.tsx';
import { QUIZZES } from '../../data/assessments.ts';
import { InviteLeftovers } from '../../people/invite/invite-progress.tsx';
import { NO_QUESTION, QuestionForm } from '../../questions/question-form.tsx';
import { QuizzesScreen } from '../../quizzes-screen.tsx';
import { CreateQuizDialog } from '../form/edit-quiz-dialog.tsx';
import { QuizRows } from './quiz-table.tsx';

const nothing = () => undefined;
const FIGURES = new Map([
  [QUIZ.id, { quizId: QUIZ.id, invited: 117, started: 41, finished: 30, toReview: 26 }],
]);

/** The server's assessments, without categories. */
function showWith(quizzes: unknown[], element: ReactElement) {
  vi.stubGlobal('fetch', async (request: RequestInfo | URL) =>
    Response.json(String(request).endsWith('/quizzes') ? quizzes : []),
  );
  const client = createQueryClient();
  client.setQueryData(QUIZZES.queryKey, quizzes as never);
  return show(element, { client });
}

test('shows the columns of the table, with N/A without an end date', async () => {
  const onAction = vi.fn();
  const { container } = await show(
    <QuizRows asCards={false} quizzes={[QUIZ]} figures={FIGURES} onAction={onAction} />,
  );
  expect(wordsIn(container)).toBe(
    'Title Category Questions Invited Started Finished Duration End date Status Actions ' +
      'Network Fundamentals Created 4 May 2026 Engineering 32 117 41 30 25 min N/A Active',
  );
  for (const action of ['Manage questions of', 'Edit', 'Invite to', 'Delete']) {
    const name = `${action} Network Fundamentals`;
    await expect.element(page.getByRole('button', { name, exact: true })).toBeVisible();
  }
  // All on one line.
  const buttons = page.getByRole('button').elements();
  expect(buttons).toHaveLength(5);
  expect(new Set(buttons.map((each) => each.getBoundingClientRect().top)).size).toBe(1);
  await page.getByRole('button', { name: 'Edit Network Fundamentals' }).click();
  expect(onAction).toHaveBeenCalledOnce();
});

test('shows that an assessment is inactive and why inviting is disabled', async () => {
  const onAction = vi.fn();
  const endDate = new Date(2026, 4, 14, 18).toISOString();
  const inactive = { ...QUIZ, endDate, isActive: false, isOpen: false };
  const { container, rerender } = await show(
    <QuizRows asCards={false} quizzes={[inactive]} figures={FIGURES} onAction={onAction} />,
  );
  expect(wordsIn(container)).toContain('14 May 2026, 18:00 Inactive');
  const disabled = () => [...container.querySelectorAll('button[aria-disabled="true"]')];
  expect(disabled().map((button) => button.getAttribute('aria-description'))).toEqual([
    'Cannot invite users to inactive quizzes',
  ]);
  // aria-disabled, so that it can show the reason; a press does nothing.
  for (const button of disabled()) (button as HTMLButtonElement).click();
  expect(onAction).not.toHaveBeenCalled();
  await page.getByRole('button', { name: /^Invite to / }).hover();
  const why = page.getByRole('tooltip', { name: 'Cannot invite users to inactive quizzes' });
  await expect.element(why).toBeVisible();
  await rerender(
    <QuizRows asCards={false} quizzes={[QUIZ]} figures={FIGURES} onAction={onAction} />,
  );
  expect(disabled()).toEqual([]);
});

test('marks one for practice, to which no one can be invited', async () => {
  const practice = { ...QUIZ, asPractice: { token: 'a'.repeat(22), namedBy: 0 } };
  const { container } = await show(
    <QuizRows asCards={false} quizzes={[practice]} figures={FIGURES} onAction={() => undefined} />,
  );
  expect(wordsIn(container)).toContain('Network Fundamentals Practice Created 4 May 2026');
  await expect.element(page.getByRole('button', { name: /^Edit / })).toBeVisible();
  expect(page.getByRole('button', { name: /^Invite to / }).query()).toBeNull();
});

test('shows Ended instead of Active after the end date', async () => {
  const endDate = new Date(2026, 4, 14, 18).toISOString();
  const ended = { ...QUIZ, endDate, isOpen: false };
  const { container } = await show(
    <QuizRows asCards={false} quizzes={[ended]} figures={FIGURES} onAction={nothing} />,
  );
  expect(wordsIn(container)).toContain('14 May 2026, 18:00 Ended');
  expect(wordsIn(container)).not.toContain('Active');
});

test('shows that started attempts may finish after the end date', async () => {
  const endDate = new Date(2026, 4, 14, 18).toISOString();
  const table = (finishAfterEnd: boolean) => (
    <QuizRows
      asCards={false}
      quizzes={[{ ...QUIZ, endDate, finishAfterEnd }]}
      figures={FIGURES}
      onAction={nothing}
    />
  );
  const { container, rerender } = await show(table(true));
  expect(wordsIn(container)).toContain('14 May 2026, 18:00 Started attempts may finish');
  await rerender(table(false));
  expect(wordsIn(container)).not.toContain('may finish');
});

test('shows an empty list', async () => {
  const { container } = await showWith([], <QuizzesScreen />);
  expect(wordsIn(container)).toContain(
    'No Assessment created yet. Create your first Assessment to get started.',
  );
});

test('asks for the first category when there are none, and offers a list otherwise', async () => {
  const wordsWith = async (categories: unknown[]) => {
    vi.stubGlobal('fetch', async () => Response.json(categories));
    const client = createQueryClient();
    client.setQueryData(endpointKey(listCategories, {}), categories as never);
    const dialog = <CreateQuizDialog onClose={nothing} onCreated={nothing} />;
    const { unmount } = await show(dialog, { client });
    const words = wordsIn(page.getByRole('dialog'));
    await unmount();
    return words;
  };
  const first = await wordsWith([]);
  expect(first).toContain(
    'There are no categories yet. Name the first one. Create category Duration',
  );
  expect(first).not.toContain('New category');
  const others = await wordsWith([
    { id: 'c', name: 'Law', description: null, createdAt: QUIZ.createdAt },
  ]);
  expect(others).toContain('New category');
  expect(others).not.toContain('There are no categories yet');
});

const accepted = async () => true;

test('has four required option inputs per question', async () => {
  await show(
    <QuestionForm initial={NO_QUESTION} onDirtyChange={nothing} onSubmit={accepted}>
      Add Question
    </QuestionForm>,
  );
  const inputs = page.getByRole('textbox', { name: /^Option [A-D]$/ }).elements();
  expect(inputs).toHaveLength(4);
  expect(inputs).toHaveLength(QUESTION_LIMITS.optionsMax);
  for (const input of inputs) expect(input).toBeRequired();
});

test('submits a question and shows missing fields', async () => {
  const onSubmit = vi.fn(accepted);
  await show(
    <QuestionForm initial={NO_QUESTION} onDirtyChange={nothing} onSubmit={onSubmit}>
      <button type="submit">Add Question</button>
    </QuestionForm>,
  );
  const send = page.getByRole('button', { name: 'Add Question' });
  const question = page.getByRole('textbox', { name: /^Question/ });
  await send.click();
  await expect.element(question).toHaveFocus();
  await expect.element(question).toBeInvalid();
  expect(onSubmit).not.toHaveBeenCalled();
  await question.fill(' Which layer routes? ');
  await page.getByRole('textbox', { name: 'Option A' }).fill(' Network ');
  await page.getByRole('textbox', { name: 'Option B' }).fill('Session');
  await page.getByRole('radio', { name: 'Option A is the correct answer' }).click();
  await send.click();
  await expect.element(question).toHaveValue('');
  expect(onSubmit).toHaveBeenCalledExactlyOnceWith(
    {
      question: 'Which layer routes?',
      options: ['Network', 'Session'],
      correctAnswer: 'Network',
    },
    expect.any(Function),
  );

  // Text that is typed until the answer arrives stays.
  const answer = Promise.withResolvers<boolean>();
  onSubmit.mockReturnValueOnce(answer.promise);
  await question.fill('Sent?');
  await page.getByRole('textbox', { name: 'Option A' }).fill('Yes');
  await page.getByRole('textbox', { name: 'Option B' }).fill('No');
  await page.getByRole('radio', { name: 'Option A is the correct answer' }).click();
  await send.click();
  await question.fill('The next one?');
  answer.resolve(true);
  await expect.element(page.getByRole('textbox', { name: 'Option A' })).toHaveValue('');
  await expect.element(question).toHaveValue('The next one?');
});

test('preserves line breaks of an option while editing', async () => {
  const initial = { question: 'Q?', options: ['one\ntwo\nthree', 'four', '', ''], keyIndex: 0 };
  const onSubmit = vi.fn(accepted);
  const { container } = await show(
    <QuestionForm initial={initial} onDirtyChange={nothing} onSubmit={onSubmit}>
      <button type="submit">Save</button>
    </QuestionForm>,
  );
  const area = page.getByRole('textbox', { name: 'Option A' });
  await expect.element(area).toHaveValue('one\ntwo\nthree');
  await expect.element(area).toHaveAttribute('rows', '3');
  const { scrollHeight, clientHeight } = area.element();
  expect(scrollHeight).toBeLessThanOrEqual(clientHeight);
  expect(container.querySelectorAll('input[aria-label^="Option"]')).toHaveLength(3);
  await area.fill('one\ntwo\nthree, so');
  await page.getByRole('button', { name: 'Save' }).click();
  const options = ['one\ntwo\nthree, so', 'four'];
  expect(onSubmit).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ options }),
    expect.any(Function),
  );
});

test('lists addresses not sent and those without a response', async () => {
  const words = (done: number, unanswered: number, unsent: number) =>
    wordsOf(<InviteLeftovers {...{ done, unanswered, unsent }} />);
  expect(await words(5, 0, 0)).toBe('');
  expect(await words(1_000, 0, 1_300)).toBe(
    '1,000 addresses done, 1,300 not sent. The remaining addresses are still in the box.',
  );
  expect(await words(500, 500, 1_300)).toMatch(
    /^500 addresses done, no response for 500, 1,300 not sent\. The remaining addresses are still in the box\. Without a response, invitations may still have been sent/,
  );
  expect(await words(0, 1, 0)).toMatch(
    /^No response for 1 address\. The remaining addresses are still/,
  );
});

test('shows what a wrong answer costs, as candidates see it', async () => {
  for (const [negativeMarks, words] of [
    [undefined, 'Question 1 of 1 Which?'],
    [
      { percent: 25, floor: 'total' as const },
      'Question 1 of 1 A wrong answer costs 25% of its points. A blank answer costs nothing. Which?',
    ],
  ] as const) {
    const { container, unmount } = await show(
      <PreviewPaper
        paper={[paperQuestion('Which')]}
        negativeMarks={negativeMarks}
        onClose={() => undefined}
      />,
    );
    expect(wordsIn(container)).toContain(words);
    await unmount();
  }
});
