import type { Quiz } from '@invigil/core/contract/assessments/quiz';
import { Route, Routes } from 'react-router';
import { beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { createQueryClient } from '../../net/query-client.ts';
import { QUIZ } from '../../testing/fixtures.ts';
import { showWithToasts, wordsIn } from '../../testing/shown.tsx';
import { quizQuery } from '../data/assessments.ts';
import { QuizScreen } from '../quiz-screen.tsx';
import { DeleteQuiz } from './list/delete-quiz.tsx';
import { PracticeCard } from './practice-card.tsx';

const PRACTICE: Quiz = { ...QUIZ, asPractice: { token: 'a'.repeat(22), namedBy: 2 } };
const WARM_UP = { ...PRACTICE, id: 'warm-up', title: 'Warm-up' };

let sent: object[];
let answer: { quiz: Quiz; askedBy: number };

beforeEach(() => {
  sent = [];
  answer = { quiz: PRACTICE, askedBy: 0 };
  vi.stubGlobal('fetch', async (url: string, { method = 'GET', body }: RequestInit = {}) => {
    if (method === 'PUT') {
      sent.push(JSON.parse(`${body}`));
      return Response.json(answer);
    }
    if (url.endsWith('/checks')) {
      return Response.json({
        ...{ signInUrl: 'https://exams.example.org/login', drafts: 0, isMailTested: true },
        ...{ opensAt: null, completeBy: '', timeZone: 'UTC' },
      });
    }
    return Response.json([QUIZ, WARM_UP]);
  });
  return () => vi.unstubAllGlobals();
});

const button = (name: string) => page.getByRole('button', { name, exact: true });
const dialog = page.getByRole('alertdialog');
const inDialog = (name: string) => dialog.getByRole('button', { name, exact: true });
const BEFORE = { isPractice: false, practiceQuizId: null };

test('says what becomes public, and where else, before an assessment is for practice', async () => {
  answer.askedBy = 3;
  await showWithToasts(<PracticeCard quiz={QUIZ} />);
  await button('Make it a practice assessment').click();
  await expect.element(dialog.getByText(/right answers become public/)).toBeVisible();
  await expect.element(dialog.getByText(/^3 other assessments can ask/)).toBeVisible();
  const wanted = { isPractice: true, practiceQuizId: null, before: BEFORE };
  expect(sent).toEqual([{ ...wanted, dryRun: true }]);
  await inDialog('Make them public').click();
  await expect.element(page.getByText('It is a practice assessment now')).toBeVisible();
  expect(sent[1]).toEqual({ ...wanted, dryRun: false });
});

test('names a practice assessment', async () => {
  answer.quiz = { ...QUIZ, practice: { quizId: 'warm-up', token: 'a'.repeat(22) } };
  await showWithToasts(<PracticeCard quiz={QUIZ} />);
  await page.getByRole('combobox', { name: 'Practice assessment for its candidates' }).click();
  const options = page.getByRole('option').elements();
  expect(options.map((one) => wordsIn(one))).toEqual(['None', 'Warm-up']);
  await page.getByRole('option', { name: 'Warm-up' }).click();
  await expect.element(page.getByText('Practice saved')).toBeVisible();
  expect(sent).toEqual([
    { isPractice: false, practiceQuizId: 'warm-up', dryRun: false, before: BEFORE },
  ]);
});

test('says that candidates do not see one that is not available', async () => {
  await showWithToasts(<PracticeCard quiz={{ ...QUIZ, practice: { quizId: 'warm-up' } }} />);
  await expect.element(page.getByText(/so candidates do not see it/)).toBeVisible();
});

test('shows the address under which people practice, and replaces it', async () => {
  await showWithToasts(<PracticeCard quiz={PRACTICE} />);
  const address = `https://exams.example.org/practice/${'a'.repeat(22)}`;
  await expect.element(page.getByText(address)).toBeVisible();
  await expect.element(page.getByRole('link', { name: 'Open' })).toHaveAttribute('href', address);
  const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  await button('Copy address').click();
  await expect.element(page.getByText('Address copied')).toBeVisible();
  expect(write).toHaveBeenCalledWith(address);
  await button('New address').click();
  await inDialog('New address').click();
  await expect.element(page.getByText('It has a new address')).toBeVisible();
  const before = { isPractice: true, practiceQuizId: null };
  expect(sent).toEqual([{ ...before, dryRun: false, before }]);
});

test('has no tabs of people, and says why at their addresses', async () => {
  const client = createQueryClient();
  client.setQueryData(quizQuery(PRACTICE.id).queryKey, PRACTICE as never);
  await showWithToasts(
    <Routes>
      <Route path="/admin/quizzes/:id/:tab?" element={<QuizScreen />} />
    </Routes>,
    { at: `/admin/quizzes/${PRACTICE.id}/results`, client },
  );
  await expect
    .element(page.getByText(/^A practice assessment has no candidates and no results/))
    .toBeVisible();
  await expect.element(page.getByRole('link', { name: 'Settings' })).toBeVisible();
  expect(page.getByRole('link', { name: 'Candidates' }).query()).toBeNull();
});

test('says who tells candidates of it before it ends or is deleted', async () => {
  await showWithToasts(<PracticeCard quiz={PRACTICE} />);
  await button('End practice').click();
  await expect.element(dialog.getByText(/^2 assessments tell their candidates/)).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await showWithToasts(<DeleteQuiz quiz={PRACTICE} onClose={() => undefined} />);
  await expect.element(dialog.getByText(/^2 assessments tell their candidates/)).toBeVisible();
});
