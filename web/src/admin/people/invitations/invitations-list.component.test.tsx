import type { Invitation, InvitationCounts } from '@invigil/core/contract/invitations/invitations';
import { INVITATION_STATES } from '@invigil/core/domain/invitation-states';
import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { formatDateTime } from '../../../lib/format.ts';
import { localInputOf } from '../../../lib/local-input.ts';
import { ADMIN, QUIZ } from '../../../testing/fixtures.ts';
import { show, wordsOf } from '../../../testing/shown.tsx';
import { CandidatesTab, InvitationStates } from './candidates-tab.tsx';
import { InvitationDialogs } from './invitation-dialogs.tsx';
import { NotesOf } from './invitations-list.tsx';

const INVITATION: Invitation = {
  id: 'i',
  userId: 'u',
  quizId: 'q',
  email: 'a@example.org',
  invitedAt: '2026-05-14T10:00:00.000Z',
  mail: null,
  signedInAt: null,
  status: 'not_started',
  participantId: null,
  startedAt: null,
  submittedAt: null,
  revokedAt: null,
  codeValidUntil: null,
  extraTimeFactor: 1,
  cameraEnabled: true,
  microphoneEnabled: true,
};

const NONE = Object.fromEntries(
  ['all', ...INVITATION_STATES].map((state) => [state, 0]),
) as InvitationCounts;

test('says until when an unused one-time password works, or that it has ended', async () => {
  const words = (codeValidUntil: string | null) =>
    wordsOf(<NotesOf invitation={{ ...INVITATION, codeValidUntil }} />);
  expect(await words('2099-05-14T16:00:00.000Z')).toMatch(/^Password until 14 May 2099, \d\d:00$/);
  expect(await words('2026-05-14T16:00:00.000Z')).toMatch(/^Password ended 14 May 2026/);
  expect(await words(null)).toBe('');
});

test('has address, number and groups of a person in one line', async () => {
  const person = { userName: 'Ada King', externalId: '0071', groups: ['A', 'B'] };
  const one = await wordsOf(<NotesOf invitation={{ ...INVITATION, ...person }} />);
  expect(one).toBe('a@example.org · 0071 · A · B');
});

test('filters by passwords that end soon only where there are any', async () => {
  const filters = (counts: Partial<InvitationCounts>, state: 'code_ending' | null = null) =>
    show(<InvitationStates counts={{ ...NONE, ...counts }} state={state} onState={vi.fn()} />);
  const button = page.getByRole('button', { name: /Password ends soon/ });
  const first = await filters({});
  await expect.element(button).not.toBeInTheDocument();
  await first.unmount();
  const second = await filters({ code_ending: 3 });
  await expect.element(button).toHaveTextContent('Password ends soon3');
  await second.unmount();
  await filters({}, 'code_ending');
  await expect.element(button).toHaveAttribute('aria-pressed', 'true');
});

test('sorts by name, and says what is searched', async () => {
  const read: string[] = [];
  vi.stubGlobal('fetch', async (url: string) => {
    if (url.includes('/counts')) return Response.json(NONE);
    if (url.includes('/invitations?')) read.push(url);
    return Response.json([], { headers: { 'x-total-count': '0' } });
  });
  await show(<CandidatesTab quiz={QUIZ} />, { account: ADMIN });
  const search = page.getByLabelText('Search by name, email, number or group');
  await expect.element(search).toBeVisible();
  await expect.poll(() => read.at(-1)).toContain('sort=invitedAt');
  await page.getByRole('combobox', { name: 'Order' }).click();
  await page.getByRole('option', { name: 'By name' }).click();
  await expect.poll(() => read.at(-1)).toContain('sort=name');
});

test('releases the results of those in a selection who have finished, after asking', async () => {
  const finished = (id: string) =>
    ({ ...INVITATION, id, participantId: `p-${id}`, status: 'completed' }) satisfies Invitation;
  const rows = [finished('a'), INVITATION, finished('b'), finished('c')];
  const released: unknown[] = [];
  const releases = {
    ...{ rules: null, released: 2, changed: 0, held: {}, seen: 0, toReview: 0, timeZone: 'UTC' },
    open: { canStart: 0, running: 0, until: null },
  };
  vi.stubGlobal('fetch', async (url: string, { method = 'GET', body }: RequestInit = {}) => {
    if (method === 'POST') {
      released.push(JSON.parse(String(body)));
      return Response.json({ released: 1, releases });
    }
    if (url.endsWith('/elsewhere')) return Response.json({ named: [], others: 0 });
    if (url.includes('/releases')) return Response.json(releases);
    return Response.json(url.includes('/invitations') ? rows : []);
  });
  const onDone = vi.fn();
  await show(
    <InvitationDialogs
      quiz={QUIZ}
      mailServer="configured"
      opened={{ action: 'release', ids: ['a', 'i', 'b'] }}
      onClose={vi.fn()}
      onDone={onDone}
    />,
  );
  await expect.element(page.getByText('Release the results of 2 people?')).toBeVisible();
  await page.getByRole('button', { name: 'Release', exact: true }).click();
  await expect.poll(() => released).toEqual([{ ids: ['p-a', 'p-b'] }]);
  await expect.poll(() => onDone.mock.calls.length).toBe(1);
});

const OPENS = '2026-12-03T09:00:00.000Z';

test('gives a candidate times of their own, with what they leave of extra time, and takes them back', async () => {
  const sent: unknown[] = [];
  vi.stubGlobal('fetch', async (url: string, { method = 'GET', body }: RequestInit = {}) => {
    if (method === 'PUT') sent.push(JSON.parse(`${body}`));
    return Response.json(method === 'PUT' ? INVITATION : url.includes('/invitations') ? [] : QUIZ);
  });
  const dialog = page.getByRole('dialog');
  const open = (invitation: Invitation) =>
    show(
      <InvitationDialogs
        quiz={{ ...QUIZ, opensAt: '2026-12-01T09:00:00.000Z' }}
        mailServer="configured"
        opened={{ action: 'accommodate', invitation }}
        onClose={vi.fn()}
        onDone={vi.fn()}
      />,
    );
  const save = () => dialog.getByRole('button', { name: 'Save accommodations' }).click();
  const first = await open({ ...INVITATION, extraTimeFactor: 1.5 });
  await dialog.getByLabelText('Own times to open and end').click();
  await dialog.getByLabelText(/^Opens/).fill(localInputOf(OPENS));
  await dialog.getByLabelText(/^End Date/).fill('2026-12-02T10:00');
  await dialog.getByLabelText(/^Duration/).fill('40');
  await save();
  await expect.element(dialog.getByText('Select a time before the end date')).toBeVisible();
  await dialog.getByLabelText(/^End Date/).fill('');
  await expect.element(dialog.getByText('60 minutes instead of 40.')).toBeVisible();
  await dialog.getByLabelText(/^Reason/).fill('A doctor’s note');
  await save();
  const ownTimes = { window: { opensAt: OPENS, endDate: null }, minutes: 40 };
  await expect
    .poll(() => sent)
    .toEqual([{ ownTimes, reason: 'A doctor’s note', before: { ownTimes: null } }]);
  await first.unmount();
  await open({ ...INVITATION, ownTimes });
  await expect.element(dialog.getByRole('combobox', { name: 'Extra time' })).toBeVisible();
  expect(dialog.element().textContent).not.toContain('instead of');
  await dialog.getByLabelText('Own times to open and end').click();
  await dialog.getByLabelText(/^Duration/).fill('');
  await dialog.getByLabelText(/^Reason/).fill('Withdrawn');
  await save();
  await expect
    .poll(() => sent.at(-1))
    .toEqual({ ownTimes: null, reason: 'Withdrawn', before: { ownTimes } });
});

test('grants a candidate breaks, both numbers or none', async () => {
  const sent: unknown[] = [];
  vi.stubGlobal('fetch', async (_: string, { method = 'GET', body }: RequestInit = {}) => {
    if (method === 'PUT') sent.push(JSON.parse(`${body}`));
    return Response.json(method === 'PUT' ? INVITATION : []);
  });
  const dialog = page.getByRole('dialog');
  const count = dialog.getByLabelText(/^Breaks/);
  const minutes = dialog.getByLabelText(/^Minutes of breaks/);
  const open = (invitation: Invitation) =>
    show(
      <InvitationDialogs
        quiz={QUIZ}
        mailServer="configured"
        opened={{ action: 'accommodate', invitation }}
        onClose={vi.fn()}
        onDone={vi.fn()}
      />,
    );
  const save = () => dialog.getByRole('button', { name: 'Save accommodations' }).click();
  const first = await open(INVITATION);
  await count.fill('2');
  await dialog.getByLabelText(/^Reason/).fill('Diabetes');
  await save();
  await expect.element(dialog.getByText('Enter a whole number from 1 to 240')).toBeVisible();
  await minutes.fill('15');
  await save();
  const breaks = { count: 2, minutes: 15 };
  await expect.poll(() => sent).toEqual([{ breaks, reason: 'Diabetes', before: { breaks: null } }]);
  await first.unmount();
  await open({ ...INVITATION, breaks });
  await expect.element(count).toHaveValue('2');
  await count.fill('');
  await minutes.fill('');
  await dialog.getByLabelText(/^Reason/).fill('Withdrawn');
  await save();
  await expect
    .poll(() => sent.at(-1))
    .toEqual({ breaks: null, reason: 'Withdrawn', before: { breaks } });
});

test('shows times of a candidate that are not those of the assessment', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ ...QUIZ, endDate: null }));
  const times = { opensAt: OPENS, endDate: null, duration: 40, attempts: 2 };
  await show(<NotesOf invitation={{ ...INVITATION, times, cameraEnabled: false }} />);
  await expect
    .element(
      page.getByText(
        `Accommodations: opens ${formatDateTime(OPENS)}, 40 minutes, 2 attempts, no camera`,
      ),
    )
    .toBeVisible();
});
