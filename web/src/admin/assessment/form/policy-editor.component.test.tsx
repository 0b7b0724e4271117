import type { Quiz } from '@invigil/core/contract/assessments/quiz';
import { REVIEW_POLICY } from '@invigil/core/domain/violations/violation-policy';
import { TAB_CHOICES } from '@invigil/core/texts/policy-form';
import { beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { createQueryClient } from '../../../net/query-client.ts';
import { ADMIN, QUIZ, refusal } from '../../../testing/fixtures.ts';
import { showWithToasts } from '../../../testing/shown.tsx';
import { QUIZZES } from '../../data/assessments.ts';
import { EditQuizDialog } from './edit-quiz-dialog.tsx';

const EDITED: Quiz = {
  ...QUIZ,
  categoryId: '019a6f3e-7b1c-7d3a-9f2e-4c5d7f3a91c2',
  endDate: '2099-06-15T18:00:59.000Z',
};
const CATEGORY = {
  id: EDITED.categoryId,
  name: EDITED.category,
  description: null,
  createdAt: EDITED.createdAt,
};
const ETHICS = { ...CATEGORY, id: '019a6f3e-7b1c-7d3a-9f2e-4c5d7f3a91c3', name: 'Ethics' };
/** The saved values, and those stored on the server by someone else. */
let sent: Record<string, unknown>[] = [];
let theirs: Quiz | null = null;
/** The answer to a new category. */
let created = () => Response.json(ETHICS, { status: 201 });
const onClose = vi.fn();

const dialog = page.getByRole('dialog', { name: 'Edit Assessment' });
const save = dialog.getByRole('button', { name: 'Update Assessment' });
const field = (name: string) => dialog.getByLabelText(name, { exact: true });
const preset = (name: RegExp) => dialog.getByRole('radio', { name });

beforeEach(async () => {
  sent = [];
  theirs = null;
  onClose.mockClear();
  vi.stubGlobal('fetch', async (url: string, { method, body }: RequestInit) => {
    if (url.endsWith('/key-readers'))
      return Response.json({ people: 2, notStarted: 3, running: 0 });
    if (url.endsWith('/categories')) {
      return method === 'POST' ? created() : Response.json([CATEGORY]);
    }
    if (method !== 'PUT') return Response.json(theirs ?? EDITED);
    sent.push(JSON.parse(`${body}`));
    return theirs === null ? Response.json({ ...EDITED, version: 2 }) : refusal(409, 'STALE');
  });
  const client = createQueryClient();
  client.setQueryData(QUIZZES.queryKey, [EDITED]);
  await showWithToasts(<EditQuizDialog quiz={EDITED} onClose={onClose} />, {
    client,
    account: ADMIN,
  });
  await dialog.getByRole('button', { name: 'Every number of this policy' }).click();
});

test('shows and focuses an invalid number and saves nothing', async () => {
  await field('Face and voice combined').fill('0');
  // Collapsing the editor does not hide invalid numbers.
  await dialog.getByRole('button', { name: 'Every number of this policy' }).click();
  await save.click();
  await expect.element(page.getByRole('alert').getByText(/^Validation Error/)).toBeVisible();
  await expect.element(field('Face and voice combined')).toHaveFocus();
  await expect
    .element(field('Face and voice combined'))
    .toHaveAccessibleDescription('A whole number from 1 to 100, or leave empty');
  expect(sent).toEqual([]);
});

test('says what a changed limit does, and sends seconds with a decimal comma', async () => {
  const limit = field('Face and voice combined');
  for (const [typed, nth] of [
    ['3', 'third'],
    ['4', 'fourth'],
  ] as const) {
    await limit.fill(typed);
    const sentence = `The ${nth} face or voice violation ends the attempt.`;
    await expect.element(limit).toHaveAccessibleDescription(sentence);
  }
  await field('Cool-down (seconds)').fill('2,5');
  await expect.element(preset(/^Custom/)).toBeChecked();
  await save.click();
  await expect.poll(() => onClose).toHaveBeenCalledOnce();
  const policy = { preset: 'custom', limits: { combined: 4 }, cooldownMs: 2_500 };
  expect(sent).toMatchObject([{ policy }]);
});

test('shows the tab rule of a preset, and offers every rule', async () => {
  const rule = dialog.getByRole('combobox', { name: 'On a tab switch' });
  await preset(/^Balanced/).click();
  await expect.element(rule).toHaveTextContent('Warn, then end the attempt');
  await rule.click();
  const offered = page.getByRole('option').elements();
  expect(offered.map(({ textContent }) => textContent)).toEqual(
    Object.values(TAB_CHOICES).map(({ label }) => label()),
  );
  await page.getByRole('option', { name: 'Give a warning' }).click();
  await expect.element(preset(/^Custom/)).toBeChecked();
});

test('says once what Strict and Balanced share, and on their cards what differs', async () => {
  const alike = /^Strict and Balanced alike: Each fullscreen exit is a warning.* copy and paste\.$/;
  await expect.element(dialog.getByText(alike)).toBeVisible();
  const cards = [
    [preset(/^Strict/), 2],
    [preset(/^Balanced/), 6],
  ] as const;
  for (const [card, seconds] of cards) {
    const text = card.element().textContent;
    expect(text).toContain(`A face out of view for ${seconds} seconds counts.`);
    expect(text).not.toMatch(/fullscreen exit is|copy and paste/);
  }
});

test('explains a required camera and sends it', async () => {
  const required = field('Camera required');
  await expect
    .element(required)
    .toHaveAccessibleDescription(
      'Candidates on phones and tablets take the assessment without a camera.',
    );
  await required.click();
  await expect
    .element(required)
    .toHaveAccessibleDescription(
      'On phones and tablets, a notice appears instead of the start button.',
    );
  await expect.element(preset(/^Custom/)).toBeChecked();
  await save.click();
  await expect.poll(() => onClose).toHaveBeenCalledOnce();
  expect(sent).toMatchObject([
    { policy: { preset: 'custom', camera: true, cameraRequired: true } },
  ]);
});

test('fills in a preset by keyboard and restores typed numbers for Custom', async () => {
  await field('Voice alone').fill('9');
  (preset(/^Custom/).element() as HTMLElement).focus();
  await userEvent.keyboard('{ArrowUp}');
  await expect.element(preset(/^Off/)).toBeChecked();
  await expect.element(field('Camera')).not.toBeChecked();
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(field('Voice alone')).toHaveValue('9');
  await userEvent.keyboard('{ArrowUp}{ArrowUp}');
  await expect.element(preset(/^Review/)).toBeChecked();
  await expect.element(field('Voice alone')).toHaveValue('');
  (save.element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => onClose).toHaveBeenCalledOnce();
  expect(sent).toMatchObject([{ policy: { preset: 'review' } }]);
});

test('refuses a partial end date, and keeps the seconds of an unchanged one', async () => {
  await expect.element(dialog.getByRole('combobox', { name: 'Status' })).toBeVisible();
  const end = dialog.getByLabelText(/^End Date/);
  const { value } = end.element() as HTMLInputElement;
  (end.element() as HTMLInputElement).focus();
  // Clears only the first part of the date.
  await userEvent.keyboard('{Delete}');
  await expect.element(end).toHaveValue('');
  await save.click();
  await expect.element(end).toHaveAccessibleDescription(/Enter a valid date and time/);
  expect(sent).toEqual([]);
  await end.fill(value);
  await field('Title').fill('Renamed');
  await field('Let people who have started finish after the end date').click();
  await save.click();
  await expect.poll(() => onClose).toHaveBeenCalledOnce();
  expect(sent).toMatchObject([{ title: 'Renamed', endDate: EDITED.endDate, finishAfterEnd: true }]);
});

test('shows both versions if someone else changed the policy', async () => {
  await field('Face and voice combined').fill('7');
  theirs = { ...EDITED, version: 2, policy: { ...REVIEW_POLICY, version: 2 } };
  await save.click();
  const notice = dialog.getByRole('alert');
  await expect
    .element(notice.getByText(/Violation policy: theirs “Review”, yours “Custom”/))
    .toBeVisible();
  await expect
    .element(notice.getByText(/Face and voice combined: theirs “never”, yours “7”/))
    .toBeVisible();
  await notice.getByRole('button', { name: 'Use their version' }).click();
  await expect.element(preset(/^Review/)).toBeChecked();
  expect(sent).toHaveLength(1);
  await dialog.getByLabelText('Title').fill('Mine');
  theirs = { ...theirs, version: 3, title: 'Theirs' };
  await save.click();
  await expect.element(notice.getByText(/theirs “Theirs”, yours “Mine”/)).toBeVisible();
  theirs = null;
  await notice.getByRole('button', { name: 'Save my version' }).click();
  await expect.poll(() => onClose).toHaveBeenCalledOnce();
  expect(sent.at(-1)).toMatchObject({ title: 'Mine', version: 3 });
});

test('says who could learn right answers before starts are possible for longer', async () => {
  const said = dialog.getByText(/right answers of this assessment/);
  const end = dialog.getByLabelText(/^End Date/);
  await end.fill('2099-06-14T18:00');
  expect(said.elements()).toHaveLength(0);
  await end.fill('2099-06-16T18:00');
  await expect.element(dialog.getByText(/^2 candidates have right answers/)).toBeVisible();
  await expect
    .element(dialog.getByText(/^3 people have not started\. Whoever starts then could learn/))
    .toBeVisible();
  expect(sent).toEqual([]);
});

test('takes along a category whose name is only typed, and saves nothing where it is refused', async () => {
  await dialog.getByRole('button', { name: 'New category' }).click();
  const name = dialog.getByLabelText('New category name');
  await name.fill('Ethics');
  created = () => refusal(403, 'FORBIDDEN');
  await save.click();
  await expect.element(name).toBeInvalid();
  expect([sent, onClose.mock.calls]).toEqual([[], []]);
  created = () => Response.json(ETHICS, { status: 201 });
  await save.click();
  await expect.poll(() => onClose).toHaveBeenCalledOnce();
  expect(sent).toMatchObject([{ categoryId: ETHICS.id }]);
});

test('asks for the rest of a rule for retakes only where there can be several attempts', async () => {
  await expect.element(field('Attempts per person')).toHaveValue(1);
  expect(dialog.getByLabelText('Which attempt counts').elements()).toEqual([]);
  await save.click();
  await expect.poll(() => sent).toHaveLength(1);
  expect(sent[0]).not.toHaveProperty('retakes');
  await field('Attempts per person').fill('11');
  await save.click();
  await expect.element(dialog.getByText('Attempts must be 1 to 10')).toBeVisible();
  await field('Attempts per person').fill('3');
  await dialog.getByLabelText(/^Wait before the next/).fill('2');
  for (const [name, option] of [
    ['Unit', 'hours'],
    ['Which attempt counts', 'The last'],
  ] as const) {
    await dialog.getByRole('combobox', { name }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  }
  await save.click();
  await expect.poll(() => sent).toHaveLength(2);
  expect(sent[1]).toMatchObject({ retakes: { attempts: 3, waitMinutes: 120, counts: 'last' } });
});
