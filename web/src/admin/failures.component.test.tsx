import type { ComponentType } from 'react';
import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { QUIZ, refusal } from '../testing/fixtures.ts';
import { show, showWithToasts, wordsIn } from '../testing/shown.tsx';
import { NO_FILTER } from './attempts/list/participants-filter.ts';
import { DownloadReport, ParticipantsScreen } from './attempts/list/participants-screen.tsx';
import { DashboardScreen } from './dashboard/dashboard-screen.tsx';
import { TotpCard } from './installation/account/totp-card.tsx';
import { CategoriesScreen } from './installation/categories-screen.tsx';
import { AdminsCard } from './installation/settings/admins-card.tsx';
import { AuditCard } from './installation/settings/audit-card.tsx';
import { RetentionCard } from './installation/settings/retention-card.tsx';
import { SystemCard } from './installation/settings/system-card.tsx';
import { InvitationsList } from './people/invitations/invitations-list.tsx';
import { ManageQuestionsDialog } from './questions/manage/manage-questions-dialog.tsx';
import { QuizzesScreen } from './quizzes-screen.tsx';

const nothing = () => undefined;
const Questions = () => <ManageQuestionsDialog quiz={QUIZ} onClose={nothing} />;
const Invitations = () => (
  <InvitationsList
    quizId={QUIZ.id}
    isDelivering={false}
    selection={{
      selected: new Set(),
      onSelect: nothing,
      onClear: nothing,
      onAction: nothing,
      all: { isBusy: false, onSelect: nothing },
    }}
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

/** The questions and categories on the server. */
let questions: (typeof QUESTION)[];
let categories: (typeof CATEGORY)[];
type Answer = Error | ((body: { version?: number }) => Response) | undefined;

/** A screen whose server answers each write with the next of these, and without one fails. */
async function refusing(Screen: ComponentType, ...answers: Answer[]) {
  questions = [QUESTION];
  categories = [CATEGORY];
  vi.stubGlobal('fetch', async (url: string, { method = 'GET', body }: RequestInit = {}) => {
    if (method !== 'GET') {
      const answer = answers.shift();
      if (answer instanceof Error) throw answer;
      return answer?.(JSON.parse(String(body ?? '{}'))) ?? new Response('', { status: 500 });
    }
    const { pathname } = new URL(url, location.href);
    if (pathname.endsWith('/quizzes')) return Response.json([STORED]);
    if (pathname.endsWith('/questions')) return Response.json(questions);
    return Response.json(pathname.endsWith('/categories') ? categories : []);
  });
  await showWithToasts(<Screen />);
}
const fails = undefined;
const gone = () => new Response(null, { status: 204 });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const told = (words: string) => expect.element(page.getByText(words).first()).toBeVisible();
/** The errors below the fields, in order. */
const errors = () =>
  [...document.querySelectorAll('p[id$="-note"]:has(svg)')].map((note) => note.textContent);

test('creating marks every invalid field, keeps the input after a failure, and closes once it is done', async () => {
  const heights = { ...CATEGORY, id: '019a6f3e-7b1c-7d3a-9f2e-4c5d7f3a91c3', name: 'Heights' };
  const addHeights = () => {
    categories = [CATEGORY, heights];
    return Response.json(heights, { status: 201 });
  };
  await refusing(QuizzesScreen, addHeights, fails, () =>
    Response.json({ ...STORED, id: 'new' }, { status: 201 }),
  );
  await button('Create New Assessment').click();
  const dialog = page.getByRole('dialog', { name: 'Create New Assessment' });
  const send = dialog.getByRole('button', { name: 'Create Assessment' });
  await expect.element(dialog.getByLabelText('Duration (minutes)')).toHaveValue(25);
  await expect.element(dialog.getByText(/^Your local time, /)).toBeVisible();
  await send.click();
  await told('Validation Error: Please fill in all required fields with valid values.');
  expect(errors()).toEqual([
    'Enter a title',
    'Select a category',
    'Total questions must be 5 to 100',
    'Select an end date',
  ]);
  await dialog.getByLabelText('Title').fill('Ladders <b>& steps</b>');
  const makeCategory = async (name: string, chosen: string) => {
    await dialog.getByRole('button', { name: 'New category' }).click();
    await dialog.getByLabelText('New category name').fill(name);
    await userEvent.keyboard('{Enter}');
    const category = dialog.getByRole('combobox', { name: 'Category' });
    await expect.element(category).toHaveTextContent(chosen);
  };
  await makeCategory('Heights', 'Heights');
  await makeCategory('LAW', 'Law');
  await told('This category already exists');
  // A name that is only typed is taken along.
  await dialog.getByRole('button', { name: 'New category' }).click();
  await dialog.getByLabelText('New category name').fill('heights');
  await dialog.getByLabelText('Duration (minutes)').fill('181');
  await dialog.getByLabelText('Total Questions').fill('101');
  const end = dialog.getByRole('textbox', { name: 'End Date' });
  await end.fill('2021-01-31T09:30');
  await send.click();
  await expect.poll(() => errors().at(-1)).toBe('This time has passed. Select a later one');
  await end.fill('2099-01-31T09:30');
  await send.click();
  await expect
    .poll(errors)
    .toEqual(['Duration must be 1 to 180 minutes', 'Total questions must be 5 to 100']);
  await expect
    .element(dialog.getByRole('combobox', { name: 'Category' }))
    .toHaveTextContent('Heights');
  await dialog.getByLabelText('Duration (minutes)').fill('180');
  await dialog.getByLabelText('Total Questions').fill('5');
  await send.click();
  await told('Failed to create Assessment');
  await told('Please check your data and try again');
  await expect.element(dialog.getByLabelText('Title')).toHaveValue('Ladders <b>& steps</b>');
  await userEvent.keyboard('{Escape}');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Keep editing' }).click();
  await send.click();
  await told('Assessment created');
  await expect.element(dialog).not.toBeInTheDocument();
});

test('an assessment that is not changed, deleted or duplicated stays as it is', async () => {
  const saved = () => Response.json({ ...STORED, duration: 30, version: 2 });
  await refusing(QuizzesScreen, fails, saved, fails, fails, gone);
  await expect.element(page.getByText(/^Times in /)).toBeVisible();
  await button(`Edit ${QUIZ.title}`).click();
  const dialog = page.getByRole('dialog', { name: 'Edit Assessment' });
  const send = dialog.getByRole('button', { name: 'Update Assessment' });
  for (const [label, value, sentence] of [
    ['Duration (minutes)', '30', 'Duration must be a valid number.'],
    ['Total Questions', '5', 'Total Questions must be a valid number.'],
    ['Title', QUIZ.title, 'Enter a title'],
  ] as const) {
    await dialog.getByLabelText(label, { exact: true }).fill('');
    await send.click();
    await expect.poll(errors).toEqual([sentence]);
    if (label !== 'Title') await expect.poll(toaster).toContain(sentence);
    await dialog.getByLabelText(label, { exact: true }).fill(value);
  }
  await send.click();
  await told('Failed to update Assessment');
  await expect.element(dialog.getByLabelText('Duration (minutes)')).toHaveValue(30);
  await send.click();
  await told('Assessment updated');
  await told('30 min');

  await button(`More for ${QUIZ.title}`).click();
  await page.getByRole('menuitem', { name: 'Duplicate' }).click();
  await told('Failed to duplicate Assessment');

  const remove = page.getByRole('alertdialog', { name: 'Confirm Delete' });
  await button(`Delete ${QUIZ.title}`).click();
  expect(wordsIn(remove)).toContain('with its questions');
  expect(wordsIn(remove)).toContain('Results stay in reports.');
  await expect.element(remove.getByRole('button', { name: 'Cancel' })).toHaveFocus();
  await remove.getByRole('button', { name: 'Delete' }).click();
  await told('Failed to delete Assessment');
  await button(`Delete ${QUIZ.title}`).click();
  await remove.getByRole('button', { name: 'Delete' }).click();
  await told('Assessment deleted');
  await expect.element(button(`Delete ${QUIZ.title}`)).not.toBeInTheDocument();
});

const toaster = () => document.querySelector('[data-toaster]')?.textContent;

test('a question that is not added or deleted says why, and its input stays', async () => {
  const added = { ...QUESTION, id: 'b', question: '2 + 2?', orderNumber: 2 };
  const add = () => {
    questions = [QUESTION, added];
    return Response.json(added, { status: 201 });
  };
  const remove = () => {
    questions = [added];
    return gone();
  };
  const started = () => refusal(409, 'QUIZ_IN_USE', { message: 'A candidate has started.' });
  await refusing(Questions, fails, new TypeError('Failed to fetch'), add, started, remove);
  await page.getByRole('tab', { name: 'Add Questions' }).click();
  const option = (letter: string) => page.getByRole('textbox', { name: `Option ${letter}` });
  const key = (letter: string) =>
    page.getByRole('radio', { name: `Option ${letter} is the correct answer` });
  const text = page.getByLabelText('Question', { exact: true });
  for (const [sentence, fill] of [
    ['Please enter a question', () => text.fill('2 + 2?')],
    ['Please provide at least two options', () => option('A').fill('4')],
    ['Please provide at least two options', () => option('B').fill(' ')],
    ['Please select the correct answer', () => key('C').click()],
    ['Selected correct answer must be one of the options', () => key('A').click()],
    ['Please provide at least two valid options', () => option('B').fill(' 4 ')],
    ['Two options are the same. Change one of them', () => option('B').fill('5')],
  ] as const) {
    await button('Add Question').click();
    await expect.element(page.getByText(sentence, { exact: true })).toBeVisible();
    await fill();
  }
  await button('Add Question').click();
  await told('Failed to add question');
  await button('Add Question').click();
  await expect.poll(toaster).toContain('The question may have been added.');
  await expect.element(option('B')).toHaveValue('5');
  await userEvent.keyboard('{Escape}');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Keep editing' }).click();
  await button('Add Question').click();
  await expect.poll(toaster).toContain('It is number 2.');

  await page.getByRole('tab', { name: 'Questions (2)' }).click();
  const question = page.getByRole('alertdialog', { name: 'Confirm Delete' });
  await button('Delete question 1').click();
  expect(wordsIn(question)).toContain('Delete question 1? Existing results do not change');
  await question.getByRole('button', { name: 'Delete' }).click();
  await told('Failed to delete question');
  await told('A candidate has started.');
  await button('Delete question 1').click();
  await question.getByRole('button', { name: 'Delete' }).click();
  await told('Question deleted');
  await expect.element(page.getByRole('tab', { name: 'Questions (1)' })).toBeVisible();
});

test('editing a question shows the version that someone else has saved since', async () => {
  const stale = () => {
    questions = [{ ...QUESTION, question: 'Theirs?', version: 2 }];
    return refusal(409, 'STALE');
  };
  const save: Answer = ({ version }) => {
    if (version !== 2) return refusal(409, 'STALE');
    questions = [{ ...QUESTION, question: 'Mine?', version: 3 }];
    return Response.json(questions[0]);
  };
  await refusing(Questions, stale, save);
  await button('Edit question 1').click();
  const form = page.getByRole('region', { name: 'Edit question 1' });
  const key = form.getByRole('radio', { name: 'Option A is the correct answer' });
  await expect.element(key).toBeChecked();
  await form.getByLabelText('Question', { exact: true }).fill('Mine?');
  await form.getByRole('button', { name: 'Cancel' }).click();
  await button('Keep editing').click();
  await form.getByRole('button', { name: 'Save question' }).click();
  const theirs = form.getByRole('alert').getByText(/Theirs/);
  await expect.element(theirs.first()).toBeVisible();
  await expect.element(form.getByLabelText('Question', { exact: true })).toHaveValue('Mine?');
  await form.getByRole('button', { name: 'Save question' }).click();
  await told('Question updated');
  await told('Mine?');
  await expect.element(button('Edit question 1')).toHaveFocus();
});
