import type { QuizSchedule, setSchedule } from '@invigil/core/contract/assessments/schedule';
import type { ResponseOf } from '@invigil/core/contract/definition/endpoint';
import { beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { localInputOf } from '../../lib/local-input.ts';
import { QUIZ, refusal } from '../../testing/fixtures.ts';
import { showWithToasts, wordsIn } from '../../testing/shown.tsx';
import { ScheduleCard } from './schedule-card.tsx';

const OPENS = '2026-12-03T09:00:30.000Z';

let schedule: QuizSchedule;
let effect: ResponseOf<typeof setSchedule>;
let refused: Response | null;
let sent: { rules: QuizSchedule['rules']; dryRun: boolean; before: unknown }[];

beforeEach(() => {
  schedule = { rules: [], people: [], groups: [{ group: '2A', people: 12 }] };
  effect = { changed: 0, underWay: 0, changes: [] };
  refused = null;
  sent = [];
  vi.stubGlobal('fetch', async (url: string, { method = 'GET', body }: RequestInit = {}) => {
    if (!url.endsWith('/schedule')) return Response.json([]);
    if (method !== 'PUT') return Response.json(schedule);
    const asked = JSON.parse(`${body}`);
    sent.push(asked);
    if (refused) return refused.clone();
    if (!asked.dryRun) schedule = { ...schedule, rules: asked.rules };
    return Response.json(effect);
  });
  return () => vi.unstubAllGlobals();
});

const dialog = page.getByRole('dialog');
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
const inDialog = (name: string) => dialog.getByRole('button', { name, exact: true });
const open = () => showWithToasts(<ScheduleCard quiz={QUIZ} />);
const groupsShown = () =>
  Array.from(document.querySelectorAll('[data-row]'), (row) => wordsIn(row).split(' ')[0]);
const rule = (group: string, minutes: number) => ({ group, minutes });

test('adds a rule for a group, and saves it after showing whose times change', async () => {
  const before = { opensAt: null, endDate: null, duration: 25 };
  effect = {
    ...{ changed: 3, underWay: 1 },
    changes: [
      {
        ...{ invitationId: 'i', email: 'ada@example.org', userName: 'Ada King', isUnderWay: true },
        ...{ before, after: { ...before, opensAt: OPENS, duration: 40, attempts: 2 } },
      },
    ],
  };
  await open();
  await expect.element(page.getByText(/^Give a group another opening/)).toBeVisible();
  await button('Add a rule').click();
  await inDialog('Add a rule').click();
  await expect.element(dialog.getByText('Select a group')).toBeVisible();
  await expect
    .element(dialog.getByText('Enter other times, another duration or a number of attempts'))
    .toBeVisible();
  await dialog.getByRole('combobox', { name: 'Group' }).click();
  await page.getByRole('option', { name: '2A (12 people)' }).click();
  await dialog.getByLabelText('Own times to open and end').click();
  await dialog.getByLabelText(/^Opens/).fill(localInputOf(OPENS));
  await dialog.getByLabelText(/^End Date/).fill('2026-12-01T09:00');
  await dialog.getByLabelText(/^Duration/).fill('400');
  await inDialog('Add a rule').click();
  await expect.element(dialog.getByText(/^Duration must be 1 to 180/)).toBeVisible();
  await dialog.getByLabelText(/^Duration/).fill('40');
  await dialog.getByLabelText(/^Attempts/).fill('2');
  await inDialog('Add a rule').click();
  await expect.element(dialog.getByText('Select a time before the end date')).toBeVisible();
  await dialog.getByLabelText(/^End Date/).fill('');
  await inDialog('Add a rule').click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(sent).toEqual([]);
  await expect.element(page.getByText('Not saved yet.')).toBeVisible();
  await button('Check and save').click();
  await expect
    .element(dialog.getByText(/^3 people get other times\. 1 of them is taking/))
    .toBeVisible();
  expect(wordsIn(dialog)).toMatch(
    /Ada King Opens : At once → 3 Dec 2026.* Duration : 25 minutes → 40 minutes Attempts per person : 1 → 2 Is taking the assessment\./,
  );
  await expect.element(dialog.getByText('And 2 more.')).toBeVisible();
  await inDialog('Save').click();
  await expect.element(page.getByText('Times saved')).toBeVisible();
  const opensAt = OPENS.replace(':30.', ':00.');
  const saved = { group: '2A', window: { opensAt, endDate: null }, minutes: 40, attempts: 2 };
  expect(sent).toEqual([
    { rules: [saved], dryRun: true, before: [] },
    { rules: [saved], dryRun: false, before: [] },
  ]);
  await expect.element(page.getByText('Not saved yet.')).not.toBeInTheDocument();
});

test('moves rules with the focus, changes one but not its seconds, and removes one', async () => {
  const window = { opensAt: OPENS, endDate: null };
  schedule.rules = [{ group: 'A', window }, rule('B', 30), rule('C', 40)];
  await open();
  await button('Move A down').click();
  await expect.element(button('Move A down')).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  expect(groupsShown()).toEqual(['B', 'C', 'A']);
  await expect.element(button('Move A down')).toHaveAttribute('aria-disabled', 'true');
  await button('Remove the rule for B').click();
  await button('Change the rule for A').click();
  await expect.element(dialog.getByLabelText('Name of the group')).toHaveValue('A');
  await dialog.getByLabelText(/^Duration/).fill('90');
  await dialog.getByLabelText('Name of the group').fill('C');
  await inDialog('Apply').click();
  await expect.element(dialog.getByText('This group has a rule already')).toBeVisible();
  await dialog.getByLabelText('Name of the group').fill('D');
  await inDialog('Apply').click();
  await button('Check and save').click();
  await expect.element(dialog.getByText('No one’s times change.')).toBeVisible();
  await inDialog('Save').click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(sent.at(-1)).toEqual({
    rules: [rule('C', 40), { group: 'D', window, minutes: 90 }],
    dryRun: false,
    before: [{ group: 'A', window }, rule('B', 30), rule('C', 40)],
  });
});

test('keeps the changes where someone else has saved others, and shows both', async () => {
  schedule.rules = [rule('A', 30), rule('B', 30)];
  await open();
  await button('Move B up').click();
  const stored = [rule('A', 60)];
  refused = refusal(409, 'STALE', { details: { stored, by: 'Grace' } });
  await button('Check and save').click();
  await expect.element(dialog.getByText('Grace has changed these times')).toBeVisible();
  expect(wordsIn(dialog)).toContain('Order : theirs “A”, yours “B, A”');
  refused = null;
  await inDialog('Save my version').click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(sent.at(-1)).toEqual({
    ...{ rules: [rule('B', 30), rule('A', 30)], dryRun: false, before: stored },
  });
});

test('takes the version of someone else', async () => {
  schedule.rules = [rule('A', 30), rule('B', 30)];
  await open();
  await button('Remove the rule for A').click();
  refused = refusal(409, 'STALE', { details: { stored: [rule('C', 60)] } });
  await button('Check and save').click();
  await inDialog('Use their version').click();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(page.getByText('Not saved yet.')).not.toBeInTheDocument();
  expect(groupsShown()).toEqual(['C']);
});

test('shows at a rule what the server refuses, and gives changes up', async () => {
  schedule.rules = [rule('A', 30)];
  await open();
  await button('Change the rule for A').click();
  await dialog.getByLabelText(/^Duration/).fill('20');
  await inDialog('Apply').click();
  const issues = [{ path: 'rules.0.minutes', message: 'Too few' }];
  refused = refusal(400, 'INVALID_INPUT', { issues });
  await button('Check and save').click();
  await expect.element(dialog.getByText('Could not check whose times change')).toBeVisible();
  await inDialog('Cancel').click();
  await expect.element(page.getByRole('alert').getByText('Too few')).toBeVisible();
  await button('Change the rule for A').click();
  await expect.element(dialog.getByText('Too few')).toBeVisible();
  await inDialog('Cancel').click();
  await button('Discard changes').click();
  await expect.element(page.getByText('Too few')).not.toBeInTheDocument();
  await expect.element(page.getByText('30 minutes')).toBeVisible();
});

test('lists rules for single people, with the way to their invitations', async () => {
  schedule.people = [
    { invitationId: 'i', email: 'ada@example.org', userName: 'Ada King', times: { minutes: 50 } },
  ];
  await open();
  await expect
    .element(page.getByRole('link', { name: 'Ada King' }))
    .toHaveAttribute('href', '/admin/quizzes/q/candidates?search=ada%40example.org');
  await expect.element(page.getByText('Duration: 50 minutes')).toBeVisible();
});
