import type { ComponentType } from 'react';
import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { QUIZ } from '../testing/fixtures.ts';
import { show, showWithToasts, wordsIn } from '../testing/shown.tsx';
import { QuizzesScreen } from './assessments/list/quizzes-screen.tsx';
import { CategoriesScreen } from './categories/categories-screen.tsx';
import { DashboardScreen } from './dashboard/dashboard-screen.tsx';
import { NO_INVITATIONS_FILTER } from './invitations/invitations-api.ts';
import { InvitationsList } from './invitations/page/invitations-list.tsx';
import { NO_FILTER } from './participants/participants-filter.ts';
import { DownloadReport, ParticipantsScreen } from './participants/participants-screen.tsx';
import { ManageQuestionsDialog } from './questions/manage/manage-questions-dialog.tsx';
import { AdminsCard } from './settings/administrators/admins-card.tsx';
import { AuditCard } from './settings/audit-log/audit-card.tsx';
import { RetentionCard } from './settings/retention-card.tsx';
import { SystemCard } from './settings/system-card.tsx';
import { TotpCard } from './settings/two-step/totp-card.tsx';

const nothing = () => undefined;
const Questions = () => <ManageQuestionsDialog quiz={QUIZ} isNew={false} onClose={nothing} />;
const Invitations = () => (
  <InvitationsList
    quizId={QUIZ.id}
    filter={NO_INVITATIONS_FILTER}
    isDelivering={false}
    selected={new Set()}
    selectingAll={false}
    onChange={nothing}
    onSelect={nothing}
    onSelectAll={nothing}
    onClear={nothing}
    onAction={nothing}
    onAccommodate={nothing}
  />
);

test.each<[string, string, ComponentType, unknown]>([
  ['Failed to load Assessments', '/api/quizzes', QuizzesScreen, []],
  ['Failed to load categories', '/api/categories', CategoriesScreen, []],
  ['Failed to load questions', '/questions', Questions, []],
  ['Failed to load the dashboard', '/api/stats', DashboardScreen, null],
  ['Failed to load participants', '/api/participants', ParticipantsScreen, []],
  ['Failed to load invitations', '/invitations', Invitations, []],
  ['Failed to load administrators', '/api/admins', AdminsCard, []],
  ['Failed to load the audit log', '/api/audit', AuditCard, []],
  ['Failed to load the retention period', '/retention', RetentionCard, { days: 30 }],
  ['Failed to load system information', '/api/system', SystemCard, null],
  ['Failed to load two-step sign-in', '/totp', TotpCard, null],
])(
  '%s: the screen says why, and one click reads it again',
  async (title, path, Screen, content) => {
    let asked = 0;
    let isAway = true;
    vi.stubGlobal('fetch', async (url: string) => {
      if (!new URL(url, location.href).pathname.endsWith(path)) return Response.json([]);
      asked += 1;
      return isAway ? new Response('Out of paper', { status: 500 }) : Response.json(content);
    });
    await show(<Screen />);
    const notice = page.getByRole('alert').filter({ hasText: title });
    await expect.element(notice.getByText('Out of paper')).toBeVisible();
    const before = asked;
    isAway = false;
    await notice.getByRole('button', { name: 'Retry' }).click();
    await expect.poll(() => asked).toBe(before + 1);
    if (content !== null) await expect.element(notice).not.toBeInTheDocument();
  },
);

test('a report that fails is announced in the browser’s own alert', async () => {
  vi.stubGlobal('fetch', async () => new Response('', { status: 503 }));
  vi.spyOn(console, 'warn').mockReturnValue();
  const alert = vi.spyOn(window, 'alert').mockReturnValue();
  await show(<DownloadReport filter={NO_FILTER} />);
  const button = page.getByRole('button', { name: 'Download report' });
  await button.click();
  await expect
    .poll(() => alert.mock.lastCall)
    .toEqual(['Failed to download report. Please try again.']);
  await expect.element(button).not.toHaveAttribute('aria-disabled');
});

const QUESTION = {
  ...{ id: 'a', quizId: QUIZ.id, type: 'multiple_choice', question: 'Which?' },
  ...{ options: ['x', 'y'], correctAnswer: 'x', orderNumber: 1, version: 1 },
};
const categoryId = '019a6f3e-7b1c-7d3a-9f2e-4c5d7f3a91c2';
const STORED = { ...QUIZ, categoryId, endDate: '2099-06-15T18:00:00.000Z' };
const CATEGORY = { id: categoryId, name: 'Law', description: null, createdAt: QUIZ.createdAt };
const LOST = new TypeError('Failed to fetch');

/** A screen whose server has these lists, and answers each write with the next of these, or nothing of use. */
async function refusing(Screen: ComponentType, ...answers: (Error | object)[]) {
  let question = QUESTION;
  vi.stubGlobal('fetch', async (url: string, { method = 'GET' }: RequestInit = {}) => {
    if (method !== 'GET') {
      const answer = answers.shift() ?? {};
      if (answer instanceof Error) throw answer;
      if (!('code' in answer)) return new Response('', { status: 500 });
      question = { ...QUESTION, question: 'Theirs?', version: 2 };
      return Response.json({ statusCode: 409, error: 'Conflict', ...answer }, { status: 409 });
    }
    const { pathname } = new URL(url, location.href);
    if (pathname.endsWith('/quizzes')) return Response.json([STORED]);
    if (pathname.endsWith('/questions')) return Response.json([question]);
    return Response.json(pathname.endsWith('/categories') ? [CATEGORY] : []);
  });
  await showWithToasts(<Screen />);
}
const button = (name: string) => page.getByRole('button', { name, exact: true });
const told = (words: string) => expect.element(page.getByText(words).first()).toBeVisible();

test('a new assessment that is refused keeps its input, and a category of that name is chosen', async () => {
  await refusing(QuizzesScreen);
  await button('Create New Assessment').click();
  const dialog = page.getByRole('dialog', { name: 'Create New Assessment' });
  const send = dialog.getByRole('button', { name: 'Create Assessment' });
  await send.click();
  await told('Validation Error: Please fill in all required fields with valid values.');
  await dialog.getByLabelText('Title').fill('Ladders <b>& steps</b>');
  await dialog.getByRole('button', { name: 'New category' }).click();
  await dialog.getByLabelText('New category name').fill('LAW');
  await userEvent.keyboard('{Enter}');
  await told('This category already exists');
  await expect.element(dialog.getByRole('combobox', { name: 'Category' })).toHaveTextContent('Law');
  await dialog.getByLabelText('Total Questions').fill('5');
  await dialog.getByRole('textbox', { name: 'End Date' }).fill('2099-01-31T09:30');
  await send.click();
  await told('Failed to create Assessment');
  await told('Please check your data and try again');
  await expect.element(dialog.getByLabelText('Title')).toHaveValue('Ladders <b>& steps</b>');
  await userEvent.keyboard('{Escape}');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Keep editing' }).click();
});

test('an assessment that is not changed, deleted or duplicated stays as it is', async () => {
  await refusing(QuizzesScreen);
  await button(`Edit ${QUIZ.title}`).click();
  const dialog = page.getByRole('dialog', { name: 'Edit Assessment' });
  const send = dialog.getByRole('button', { name: 'Update Assessment' });
  await dialog.getByLabelText('Duration (minutes)').fill('');
  await send.click();
  await told('Duration must be a valid number.');
  await dialog.getByLabelText('Duration (minutes)').fill('30');
  await send.click();
  await told('Failed to update Assessment');
  await expect.element(dialog.getByLabelText('Duration (minutes)')).toHaveValue(30);
  await userEvent.keyboard('{Escape}');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();

  await button(`Delete ${QUIZ.title}`).click();
  const question = page.getByRole('alertdialog', { name: 'Confirm Delete' });
  expect(wordsIn(question)).toContain('with its 32 questions');
  expect(wordsIn(question)).toContain('Results stay in reports.');
  await expect.element(question.getByRole('button', { name: 'Cancel' })).toHaveFocus();
  await question.getByRole('button', { name: 'Delete' }).click();
  await told('Failed to delete Assessment');

  await button(`More for ${QUIZ.title}`).click();
  await page.getByRole('menuitem', { name: 'Duplicate' }).click();
  await told('Failed to duplicate Assessment');
});

test('a question that is not added or deleted says why, and its input stays', async () => {
  const started = { code: 'QUIZ_IN_USE', message: 'A candidate has started.' };
  await refusing(Questions, {}, LOST, started);
  await page.getByRole('tab', { name: 'Add Questions' }).click();
  await page.getByLabelText('Question', { exact: true }).fill('2 + 2?');
  await page.getByRole('textbox', { name: 'Option A' }).fill('4');
  await page.getByRole('textbox', { name: 'Option B' }).fill('5');
  await page.getByRole('radio', { name: 'Option A is the correct answer' }).click();
  await button('Add Question').click();
  await told('Failed to add question');
  await button('Add Question').click();
  const toaster = () => document.querySelector('[data-toaster]')?.textContent;
  await expect.poll(toaster).toContain('The question may have been added.');
  await expect.element(page.getByRole('textbox', { name: 'Option B' })).toHaveValue('5');
  await page.getByRole('tab', { name: 'Questions (1)' }).click();
  await button('Delete question 1').click();
  const question = page.getByRole('alertdialog', { name: 'Confirm Delete' });
  expect(wordsIn(question)).toContain('Delete question 1? Existing results do not change');
  await question.getByRole('button', { name: 'Delete' }).click();
  await told('Failed to delete question');
  await told('A candidate has started.');
});

test('editing a question shows the version that someone else has saved since', async () => {
  await refusing(Questions, { code: 'STALE', message: 'Changed' });
  await button('Edit question 1').click();
  const form = page.getByRole('region', { name: 'Edit question 1' });
  await form.getByLabelText('Question', { exact: true }).fill('Mine?');
  await form.getByRole('button', { name: 'Cancel' }).click();
  await button('Keep editing').click();
  await form.getByRole('button', { name: 'Save question' }).click();
  await expect
    .element(
      form
        .getByRole('alert')
        .getByText(/Theirs/)
        .first(),
    )
    .toBeVisible();
  await expect.element(form.getByLabelText('Question', { exact: true })).toHaveValue('Mine?');
});
