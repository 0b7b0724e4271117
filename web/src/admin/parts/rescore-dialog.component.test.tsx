import {
  plainDefinition,
  type TextFormat,
} from '@invigil/core/domain/questions/question-definition';
import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { ADMIN } from '../../testing/fixtures.ts';
import { show, wordsIn } from '../../testing/shown.tsx';
import { RescoreDialog } from './rescore-dialog.tsx';

const definition = plainDefinition('Which?', ['a', 'b', 'c'], 'a');
const DRY_RUN = { participants: 3, unchanged: 0, changes: [], applied: false };

/** Opens the dialog; returns every request it sends. */
async function opened(dryRun: object, format: TextFormat = 'plain', others = ['b', 'c']) {
  const sent: unknown[] = [];
  vi.stubGlobal('fetch', async (_: string, { body }: RequestInit) => {
    sent.push(JSON.parse(String(body)));
    return Response.json(dryRun);
  });
  const question = { id: 'one', version: 2 };
  const asPlain = plainDefinition('Which?', ['a', ...others], 'a');
  await show(
    <RescoreDialog
      {...{ question }}
      definition={{ ...asPlain, format }}
      asked
      onClose={() => undefined}
    />,
  );
  const dialog = page.getByRole('dialog');
  await expect.element(dialog.getByText(/^3 candidates have/)).toBeVisible();
  return { dialog, sent };
}

test('says for how many attempts new points do not count', async () => {
  const { dialog } = await opened({ ...DRY_RUN, withoutPoints: 2 });
  expect(wordsIn(dialog)).toContain(
    '2 candidates began without points and stay without: a fully right answer counts as one mark.',
  );
});

test('lists whose score would change by name', async () => {
  const change = { before: 1, after: 2, totalMarks: 5 };
  const { dialog } = await opened({
    ...DRY_RUN,
    changes: [
      { participantId: 'p', userEmail: 'ada@example.org', userName: 'Ada King', ...change },
      { participantId: 'q', userEmail: 'bob@example.org', ...change },
    ],
  });
  const list = dialog.getByRole('list', { name: 'Score changes' });
  await expect.element(list.getByText('Ada King')).toBeVisible();
  await expect.element(list.getByText('bob@example.org')).toBeVisible();
});

test('names first who would now pass or fail, and says what follows for released results', async () => {
  const change = { before: 1, after: 2, totalMarks: 5 };
  const passed = { percent: 60, result: 'passed', grade: null };
  const failed = { percent: 40, result: 'failed', grade: null, because: 'points' };
  const { dialog } = await opened({
    ...DRY_RUN,
    changes: [
      {
        ...{ participantId: 'p', userEmail: 'ada@example.org', ...change },
        ...{ outcomeBefore: passed, outcomeAfter: passed },
      },
      {
        ...{ participantId: 'q', userEmail: 'bob@example.org', ...change },
        ...{ outcomeBefore: passed, outcomeAfter: failed },
      },
    ],
  });
  expect(wordsIn(dialog)).toMatch(
    /1 candidate would now fail\..*bob@example.org Passed becomes Failed .*ada@example.org Passed \d/,
  );
  expect(wordsIn(dialog)).toMatch(/until you release again.*say “under correction”/);
});

test('says nothing about points where every attempt counts them, or none has to', async () => {
  const { dialog } = await opened(DRY_RUN);
  expect(wordsIn(dialog)).not.toContain('points');
});

async function choose(how: string) {
  await page.getByRole('combobox', { name: 'How it counts' }).click();
  await page.getByRole('option', { name: how }).click();
}

test.each([
  ['Give the points to all', 'full_points', /also with a blank answer/],
  ['Leave this question out', 'left_out', /counts for no one/],
])('%s: the dry run shows who changes, and it is applied', async (how, kind, hint) => {
  const { dialog, sent } = await opened(DRY_RUN);
  await choose(how);
  await expect.element(dialog.getByText(hint)).toBeVisible();
  const correction = { kind };
  await expect.poll(() => sent.at(-1)).toEqual({ dryRun: true, correction });
  await dialog.getByRole('button', { name: 'Rescore 3 candidates' }).click();
  await expect.poll(() => sent.at(-1)).toEqual({ dryRun: false, correction });
});

test('says that versions keep different decisions, until one is selected for all', async () => {
  const { dialog, sent } = await opened({ ...DRY_RUN, isMixed: true });
  await expect.element(dialog.getByText('As decided for each version')).toBeVisible();
  await choose('By its key');
  await expect.poll(() => sent.at(-1)).toEqual({ dryRun: true, correction: { kind: 'key' } });
  await expect.element(dialog.getByText('As decided for each version')).not.toBeInTheDocument();
});

test('applies no choice whose dry run is not shown yet', async () => {
  let reply = (): void => undefined;
  const late = new Promise<void>((resolve) => {
    reply = resolve;
  });
  const applied: unknown[] = [];
  vi.stubGlobal('fetch', async (_: string, { body }: RequestInit) => {
    const how = JSON.parse(String(body));
    if (!how.dryRun) applied.push(how);
    if (how.correction) await late;
    return Response.json(DRY_RUN);
  });
  const question = { id: 'one', version: 2 };
  await show(<RescoreDialog {...{ question, definition }} asked onClose={() => undefined} />);
  const apply = page.getByRole('button', { name: 'Rescore 3 candidates' });
  await expect.element(apply).toBeEnabled();
  await choose('Leave this question out');
  await expect.element(apply).toHaveAttribute('aria-disabled', 'true');
  await apply.click({ force: true });
  expect(applied).toEqual([]);
  reply();
  await expect.element(apply).not.toHaveAttribute('aria-disabled', 'true');
});

test.each([
  ['everything', { role: 'owner' as const }, '/api/questions/one/rescore'],
  [
    'the assessment',
    { role: 'owner' as const, quizId: 'q' },
    '/api/quizzes/q/questions/one/rescore',
  ],
])('an owner of %s rescores by the call that is theirs', async (_, grant, path) => {
  const called: string[] = [];
  vi.stubGlobal('fetch', async (url: string) => {
    called.push(url);
    return Response.json(DRY_RUN);
  });
  const question = { id: 'one', version: 2 };
  await show(
    <RescoreDialog {...{ question, definition }} quizId="q" asked onClose={() => undefined} />,
    { account: { ...ADMIN, grants: [grant] } },
  );
  await page.getByRole('button', { name: 'Rescore 3 candidates' }).click();
  await expect.poll(() => called.length).toBe(2);
  expect(new Set(called)).toEqual(new Set([path]));
});

test('says who may rescore where it is not theirs', async () => {
  const grants = [{ role: 'owner' as const, quizId: 'another' }];
  const question = { id: 'one', version: 2 };
  await show(
    <RescoreDialog {...{ question, definition }} quizId="q" asked onClose={() => undefined} />,
    { account: { ...ADMIN, grants } },
  );
  await expect.element(page.getByText(/score finished attempts again/)).toBeVisible();
});

test('accepts another answer once one is marked', async () => {
  const { dialog, sent } = await opened({ ...DRY_RUN, unchanged: 3 });
  await choose('Accept another answer');
  const apply = dialog.getByRole('button', { name: 'Rescore 3 candidates' });
  await expect.element(apply).not.toBeInTheDocument();
  expect(wordsIn(dialog)).toContain('Select the answers to accept.');
  expect(wordsIn(dialog)).not.toMatch(/No finished score would change|keep the old key/);
  await dialog.getByLabelText('c', { exact: true }).click();
  const correction = { kind: 'also_right', options: ['c'] };
  await expect.poll(() => sent.at(-1)).toEqual({ dryRun: true, correction });
  await apply.click();
  await expect.poll(() => sent.at(-1)).toEqual({ dryRun: false, correction });
});

test('asks whether an option that changed is the same answer, and goes by it', async () => {
  const pair = { before: 'Kopenhage', now: 'Kopenhagen', isSame: false };
  const { dialog, sent } = await opened({
    ...DRY_RUN,
    unchanged: 2,
    options: [{ ...pair, participants: 1 }],
  });
  await expect.element(dialog.getByText('On the paper of 1 candidate')).toBeVisible();
  const same = dialog.getByLabelText('“Kopenhage” is now “Kopenhagen”');
  await expect.element(same).not.toBeChecked();
  await same.click();
  const options = [{ ...pair, isSame: true }];
  await expect.poll(() => sent.at(-1)).toEqual({ dryRun: true, options });
});

test('shows formatted answers as candidates see them', async () => {
  const pair = { before: '`a`', now: '**b**', isSame: false };
  const options = [{ ...pair, participants: 2 }];
  const { dialog } = await opened({ ...DRY_RUN, options }, 'markdown', ['`c`']);
  await choose('Accept another answer');
  await expect.element(dialog.getByLabelText('c', { exact: true })).toBeVisible();
  await expect.element(dialog.getByLabelText('a is now b')).toBeVisible();
});
