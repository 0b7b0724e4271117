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

interface Order {
  dryRun: boolean;
  correction?: object;
}

/** A server that rescores by `answer`, and has such long work until it is forgotten. Returns what was forgotten. */
function server(
  answer: (order: Order, path: string) => Response | Promise<Response>,
  worksOf: (begun: string) => object[] = () => [],
) {
  const forgotten: string[] = [];
  let begun = '';
  vi.stubGlobal('fetch', async (path: string, { method, body, signal }: RequestInit) => {
    if (method === 'DELETE') {
      forgotten.push(path.replace('/api/works/', ''));
      return new Response(null, { status: 204 });
    }
    if (path === '/api/works') {
      const works = worksOf(begun) as { id: string }[];
      return Response.json(works.filter(({ id }) => !forgotten.includes(id)));
    }
    const { work, ...order } = JSON.parse(String(body));
    begun = work;
    const left = new Promise<Response>((_, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason));
    });
    return Promise.race([answer(order, path), left]);
  });
  return forgotten;
}

const QUESTION = '0c7f4a52-9f0e-4a57-8a3f-0d6b9f7f2e11';
const WORK = {
  ...{ id: 'w', kind: 'scores.correct', name: '', quizId: null, questionId: QUESTION },
  ...{ begunAt: '2026-11-27T10:00:00.000Z', state: 'running', done: 1_200, total: 5_000 },
  ...{ result: null, failure: null },
};

/** Opens the dialog; returns every rescoring it sends. */
async function opened(dryRun: object, format: TextFormat = 'plain', others = ['b', 'c']) {
  const sent: unknown[] = [];
  const onClose = vi.fn();
  server((order) => {
    sent.push(order);
    return Response.json(dryRun);
  });
  const question = { id: 'one', version: 2 };
  const asPlain = plainDefinition('Which?', ['a', ...others], 'a');
  await show(
    <RescoreDialog {...{ question }} definition={{ ...asPlain, format }} asked onClose={onClose} />,
  );
  const dialog = page.getByRole('dialog');
  await expect.element(dialog.getByText(/^3 candidates have/)).toBeVisible();
  return { dialog, sent, onClose };
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
  const { dialog, sent, onClose } = await opened(DRY_RUN);
  await choose(how);
  await expect.element(dialog.getByText(hint)).toBeVisible();
  const correction = { kind };
  await expect.poll(() => sent.at(-1)).toEqual({ dryRun: true, correction });
  await dialog.getByRole('button', { name: 'Rescore 3 candidates' }).click();
  await expect.poll(() => sent.at(-1)).toEqual({ dryRun: false, correction });
  await expect.poll(() => onClose).toHaveBeenCalledOnce();
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
  server(async (how) => {
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
  server((_, url) => {
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

async function shown(asked = true) {
  const onClose = vi.fn();
  await show(
    <RescoreDialog question={{ id: QUESTION, version: 2 }} {...{ definition, asked, onClose }} />,
  );
  return { dialog: page.getByRole('dialog'), onClose };
}

test.each([true, false])('says how far a long dry run is, asked for: %s', async (asked) => {
  let reply = (_: Response): void => undefined;
  const late = new Promise<Response>((resolve) => {
    reply = resolve;
  });
  let own = '';
  const forgotten = server(
    () => late,
    (id) => {
      own = id;
      return id === '' ? [] : [{ ...WORK, id, kind: 'scores.check' }];
    },
  );
  const { dialog } = await shown(asked);
  const words = 'Checking 1,200 of 5,000 scores…';
  await expect.element(dialog.getByText(words)).toBeVisible();
  await expect
    .element(dialog.getByRole('progressbar', { name: words }))
    .toHaveAttribute('max', '5000');
  reply(Response.json(DRY_RUN));
  await expect.element(dialog.getByText(/^3 candidates have/)).toBeVisible();
  await expect.element(dialog.getByRole('progressbar')).not.toBeInTheDocument();
  expect(forgotten).toEqual([own]);
});

test('cancels the dry run of a choice that was changed', async () => {
  const begun: string[] = [];
  const forgotten = server(
    ({ correction }) =>
      correction === undefined ? Response.json(DRY_RUN) : new Promise<Response>(() => undefined),
    (id) => {
      if (!begun.includes(id)) begun.push(id);
      return [];
    },
  );
  const { dialog } = await shown();
  await expect.element(dialog.getByText(/^3 candidates have/)).toBeVisible();
  expect(forgotten).toHaveLength(1);
  await choose('Leave this question out');
  await choose('By its key');
  await expect.poll(() => forgotten.length).toBe(2);
});

test('shows a rescoring that another page began, and cancels it on request', async () => {
  const asked: Order[] = [];
  const forgotten = server(
    (order) => {
      asked.push(order);
      return new Promise<Response>(() => undefined);
    },
    () => [WORK],
  );
  const { dialog, onClose } = await shown();
  await expect.element(dialog.getByText('Rescoring 1,200 of 5,000 attempts…')).toBeVisible();
  expect(wordsIn(dialog)).toContain('the navigation leads back to it');
  await dialog.getByRole('button', { name: 'Cancel it' }).click();
  await expect.poll(() => onClose).toHaveBeenCalledOnce();
  expect(forgotten).toContain('w');
});

const counts = { participants: 5_000, changed: 1 };
test.each([
  [{ state: 'done', result: counts }, '5,000 candidates rescored. 1 score changed.', 'Done'],
  [
    { kind: 'scores.check', state: 'done', result: counts },
    '5,000 candidates checked. 1 score would change.',
    'List what would change',
  ],
  [
    { state: 'failed', failure: 'UNAVAILABLE' },
    'No score was changed The service is busy right now. Try again in a moment.',
    'List what would change',
  ],
  [
    { state: 'lost' },
    'No score was changed The server stopped meanwhile. Begin again.',
    'List what would change',
  ],
])('says how one ended that was left: %o', async (change, words, act) => {
  const forgotten = server(
    () => Response.json(DRY_RUN),
    () => [{ ...WORK, ...change }],
  );
  const { dialog, onClose } = await shown();
  await expect.poll(() => wordsIn(dialog)).toContain(words);
  await dialog.getByRole('button', { name: act }).click();
  await expect.poll(() => forgotten).toContain('w');
  if (act === 'Done') await expect.poll(() => onClose).toHaveBeenCalledOnce();
  else await expect.element(dialog.getByText(/^3 candidates have/)).toBeVisible();
});

test('finds the rescoring again whose answer was lost', async () => {
  let isLost = false;
  const forgotten = server(
    ({ dryRun }) => {
      if (dryRun) return Response.json(DRY_RUN);
      isLost = true;
      return Promise.reject(new TypeError('connection lost'));
    },
    (id) => (isLost ? [{ ...WORK, id }] : []),
  );
  const { dialog } = await shown();
  await dialog.getByRole('button', { name: 'Rescore 3 candidates' }).click();
  await expect.element(dialog.getByText('Rescoring 1,200 of 5,000 attempts…')).toBeVisible();
  expect(forgotten).toHaveLength(1);
});
