import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { show, wordsIn } from '../../testing/shown.tsx';
import { ActionDialog } from './action-dialog.tsx';

const IDS = ['01900000-0000-7000-8000-00000000000a', '01900000-0000-7000-8000-00000000000b'];
const QUIZ = '01900000-0000-7000-8000-000000000001';
const QUESTION = {
  ...{ id: '01900000-0000-7000-8000-0000000000f1', quizId: QUIZ, type: 'multiple_choice' },
  ...{ question: 'Which key is safe?', options: ['this', 'that'], correctAnswer: 'this' },
  ...{ orderNumber: 1, version: 1 },
};

test('a message about a question names it by the number on each paper', async () => {
  const sent: unknown[] = [];
  vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
    if (url.includes('/questions')) return Response.json([QUESTION]);
    sent.push(JSON.parse(String(init?.body)));
    return Response.json({ done: IDS, refused: [] });
  });
  await show(<ActionDialog kind="message" ids={IDS} quizId={QUIZ} onClose={vi.fn()} />);
  const dialog = page.getByRole('dialog', { name: 'Send a message' });
  const text = dialog.getByLabelText('Message', { exact: true });
  await text.fill('read 12 instead of 21.');
  expect(wordsIn(dialog)).toContain('question 3 is another question for another candidate');
  const about = dialog.getByRole('combobox', { name: /About question/ });
  await about.click();
  await page.getByRole('option', { name: 'Which key is safe?' }).click();
  await expect.element(text).toHaveValue('Question {question}: read 12 instead of 21.');
  expect(wordsIn(dialog)).toContain(
    '{question} becomes the number that the question has on each paper.',
  );
  await dialog.getByRole('button', { name: 'Send message' }).click();
  await expect
    .poll(() => sent)
    .toMatchObject([
      {
        ids: IDS,
        action: {
          ...{ kind: 'message', text: 'Question {question}: read 12 instead of 21.' },
          questionId: QUESTION.id,
        },
      },
    ]);
});

test('a message to candidates of several assessments is about no question', async () => {
  await show(<ActionDialog kind="message" ids={IDS} onClose={vi.fn()} />);
  await expect.element(page.getByLabelText('Message', { exact: true })).toBeVisible();
  expect(page.getByRole('combobox', { name: /About question/ }).elements()).toHaveLength(0);
});

test('a pause has words for the candidates, and minutes or none', async () => {
  const sent: { action: object; reason?: string }[] = [];
  vi.stubGlobal('fetch', async (_: string, init?: RequestInit) => {
    sent.push(JSON.parse(String(init?.body)));
    return Response.json({ done: IDS, refused: [] });
  });
  await show(<ActionDialog kind="pause" ids={IDS} onClose={vi.fn()} />);
  const dialog = page.getByRole('dialog', { name: 'Pause' });
  const press = () => dialog.getByRole('button', { name: 'Pause', exact: true }).click();
  await dialog.getByLabelText('Minutes').fill('500');
  await press();
  await expect.element(dialog.getByText('Whole minutes, 1 to 480')).toBeVisible();
  await expect.element(dialog.getByText('Give a reason')).toBeVisible();
  await dialog.getByLabelText('Candidates read').fill('Fire alarm.');
  await dialog.getByLabelText('Minutes').fill('');
  await press();
  await expect
    .poll(() => sent)
    .toMatchObject([{ action: { kind: 'pause' }, reason: 'Fire alarm.' }]);
  expect(sent[0]?.action).not.toHaveProperty('minutes');
});

test('the end of a pause needs no reason', async () => {
  const sent: { action: object; reason?: string }[] = [];
  vi.stubGlobal('fetch', async (_: string, init?: RequestInit) => {
    sent.push(JSON.parse(String(init?.body)));
    return Response.json({ done: IDS, refused: [] });
  });
  await show(<ActionDialog kind="resume" ids={IDS} onClose={vi.fn()} />);
  await page.getByRole('button', { name: 'End the pause' }).click();
  await expect.poll(() => sent).toMatchObject([{ ids: IDS, action: { kind: 'resume' } }]);
});
