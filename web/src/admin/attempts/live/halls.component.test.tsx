import type { Hall } from '@invigil/core/contract/review/halls';
import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { ADMIN } from '../../../testing/fixtures.ts';
import { showWithToasts, wordsIn } from '../../../testing/shown.tsx';
import { Halls } from './halls.tsx';

const AT = '2026-05-14T09:50:00.000Z';
const person = (n: number, state: Hall['people'][number]['state'], group = 'A') => ({
  ...{ invitationId: `i${n}`, email: `p${n}@example.org`, groups: [group], state },
});
const HALL: Hall = {
  ...{ quizId: 'q', title: 'Network Fundamentals', by: 'button', lateMinutes: 15, opensAt: null },
  counts: { absent: 1, lost: 1, entered: 1, waiting: 214 },
  groups: [
    { group: 'A', counts: { absent: 1, lost: 1, entered: 0, waiting: 120 } },
    { group: 'B', counts: { absent: 0, lost: 0, entered: 1, waiting: 94 } },
  ],
  people: [
    person(1, 'absent'),
    person(2, 'lost'),
    person(3, 'entered', 'B'),
    person(4, 'waiting'),
    person(5, 'waiting', 'B'),
  ],
};

/** The halls of a server; the bodies of the starts that it got. */
function serverOf(halls: Hall[]) {
  const server = { halls, started: [] as unknown[] };
  vi.stubGlobal('fetch', async (url: string, { method, body }: RequestInit = {}) => {
    if (url.endsWith('/api/live/halls')) return Response.json({ at: AT, halls: server.halls });
    if (method === 'POST' && url.endsWith('/api/quizzes/q/starts')) {
      server.started.push(JSON.parse(String(body)));
      const lateUntil = '2026-05-14T10:05:00.000Z';
      server.halls = server.halls.map((hall) => ({ ...hall, startedAt: AT, lateUntil }));
      return Response.json({ startedAt: AT, lateUntil });
    }
    return new Promise(() => undefined);
  });
  return server;
}

const start = () => page.getByRole('button', { name: 'Start for all who wait' });
const hall = () => page.getByRole('region', { name: 'Network Fundamentals' });

test('shows who waits and who is not ready, those who are not before the others', async () => {
  serverOf([HALL]);
  await showWithToasts(<Halls quizId={null} />);
  await expect.element(hall()).toBeVisible();
  const words = wordsIn(hall());
  expect(words).toContain('All wait for your start. Those who are late can start until 15 minutes');
  expect(words).toContain('214 wait, 3 are not ready');
  expect(words).toMatch(
    /p1@example.org Not signed in p2@example.org Contact lost p3@example.org Preparing p4/,
  );
  expect(words).toContain('And 212 more.');
});

test('asks before the start, says who is not ready, and starts one group or all', async () => {
  const server = serverOf([HALL]);
  await showWithToasts(<Halls quizId={null} />);
  await start().click();
  const dialog = page.getByRole('dialog', { name: 'Start for all who wait' });
  await expect
    .element(dialog)
    .toMatchTextContent(
      /214 candidates wait and get the first question within seconds. A start cannot be taken back./,
    );
  const missing = dialog.getByRole('list', { name: 'Not ready' });
  expect(missing.getByRole('listitem').elements()).toHaveLength(3);
  await dialog.getByRole('combobox', { name: 'Who starts' }).click();
  await page.getByRole('option', { name: /^B/ }).click();
  await expect.element(dialog).toMatchTextContent(/94 candidates wait/);
  await expect.element(dialog).toMatchTextContent(/1 is not ready/);
  expect(missing.getByRole('listitem').elements()).toHaveLength(1);
  expect(server.started).toEqual([]);
  await dialog.getByRole('button', { name: 'Start now' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(server.started).toEqual([{ group: 'B' }]);
  await expect.element(hall()).toMatchTextContent(/Started. Those who are late can start until/);
  // Given once.
  expect(start().elements()).toHaveLength(0);
});

test('offers no start at a time, before the opening, or to who may not act on attempts', async () => {
  const server = serverOf([{ ...HALL, by: 'time', opensAt: '2026-05-14T10:00:00.000Z' }]);
  const { unmount } = await showWithToasts(<Halls quizId={null} />);
  await expect.element(hall()).toMatchTextContent(/All start together at/);
  expect(start().elements()).toHaveLength(0);
  await unmount();
  server.halls = [{ ...HALL, opensAt: '2026-05-14T10:00:00.000Z' }];
  const soon = await showWithToasts(<Halls quizId={null} />);
  await expect.element(start()).toBeDisabled();
  await soon.unmount();
  server.halls = [HALL];
  const account = { ...ADMIN, grants: [{ role: 'author' as const }] };
  await showWithToasts(<Halls quizId={null} />, { account });
  await expect.element(hall()).toBeVisible();
  expect(start().elements()).toHaveLength(0);
});
