import type { ParticipantRecord } from '@invigil/core/contract/review/participant-record';
import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { show } from '../../../testing/shown.tsx';
import { RecordActions } from './record-dialogs.tsx';

/** Only what the actions read. */
const recordOf = (deadlineAt: string) =>
  ({
    participant: {
      id: 'p',
      quizId: 'q',
      userId: 'u',
      userEmail: 'a@example.org',
      status: 'completed',
      submittedAt: '2026-05-14T10:25:00.000Z',
    },
    deadlineAt,
    events: [],
  }) as unknown as ParticipantRecord;

async function reinstate(deadlineAt: string, minutes: string, reason = 'The power failed') {
  const sent: unknown[] = [];
  vi.stubGlobal('fetch', async (_: string, { method, body }: RequestInit) => {
    if (method === 'POST') sent.push(JSON.parse(String(body)));
    return Response.json({ people: 0, notStarted: 3, running: 1 });
  });
  await show(<RecordActions record={recordOf(deadlineAt)} />);
  await userEvent.click(page.getByRole('button', { name: 'Reinstate' }));
  const dialog = page.getByRole('dialog', { name: 'Reinstate this attempt' });
  if (minutes !== '') await userEvent.fill(dialog.getByLabelText(/inutes/), minutes);
  await userEvent.fill(dialog.getByLabelText('Reason'), reason);
  await userEvent.click(dialog.getByRole('button', { name: 'Reinstate attempt' }));
  return { sent, dialog };
}
test('an attempt that ended at its deadline is reinstated with minutes', async () => {
  const { sent } = await reinstate('2026-05-14T10:25:00.000Z', '20');
  await expect
    .poll(() => sent)
    .toEqual([{ how: 'reinstate', minutes: 20, reason: 'The power failed' }]);
});

test.each(['', '0', '181', '1.5'])('it needs whole minutes: %j', async (minutes) => {
  const { sent, dialog } = await reinstate('2026-05-14T10:25:00.000Z', minutes);
  await expect.element(dialog.getByText('Whole minutes, 1 to 180', { exact: true })).toBeVisible();
  await expect.element(dialog.getByText(/No time was left, so give some minutes/)).toBeVisible();
  expect(sent).toEqual([]);
  await userEvent.fill(dialog.getByLabelText('Minutes'), '45');
  await expect
    .element(dialog.getByText('They have 45m 0s from the moment they enter.'))
    .toBeVisible();
});

test('with time left minutes are optional', async () => {
  const { sent } = await reinstate('2026-05-14T10:30:00.000Z', '');
  await expect.poll(() => sent).toEqual([{ how: 'reinstate', reason: 'The power failed' }]);
});

test('a reason is asked for until it is typed', async () => {
  const { sent, dialog } = await reinstate('2026-05-14T10:30:00.000Z', '', '');
  await expect.element(dialog.getByText('Give a reason')).toBeVisible();
  await userEvent.fill(dialog.getByLabelText('Reason'), 'The power failed');
  await expect.element(dialog.getByText('Give a reason')).not.toBeInTheDocument();
  expect(sent).toEqual([]);
});

test.each([
  ['Reinstate', { people: 1 }, /^1 candidate has right answers of this assessment/],
  ['Allow another attempt', { people: 12 }, /^12 candidates have right answers of this assessment/],
])('before %s it says who has right answers', async (name, reply, words) => {
  vi.stubGlobal('fetch', async () => Response.json({ ...reply, notStarted: 3, running: 0 }));
  const release = { at: '2026-05-15T10:00:00.000Z', by: null, percent: 80 };
  const keySeenAt = '2026-05-16T10:00:00.000Z';
  const record = { ...recordOf('2026-05-14T10:25:00.000Z'), releases: [{ ...release, keySeenAt }] };
  await show(<RecordActions record={record} />);
  await userEvent.click(page.getByRole('button', { name }));
  const dialog = page.getByRole('dialog');
  await expect.element(dialog.getByText(words)).toBeVisible();
  await expect
    .element(
      dialog.getByText(
        /^3 people have not started\. This candidate first saw theirs on 16 May 2026/,
      ),
    )
    .toBeVisible();
});

test('before extra time, too, it says who has right answers', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ people: 2, notStarted: 0, running: 1 }));
  const { participant, ...record } = recordOf('2026-05-14T10:25:00.000Z');
  const running = { ...record, participant: { ...participant, status: 'in_progress' as const } };
  await show(<RecordActions record={running} />);
  await userEvent.click(page.getByRole('button', { name: 'Give extra time' }));
  const dialog = page.getByRole('dialog');
  await expect.element(dialog.getByText(/^2 candidates have right answers/)).toBeVisible();
  await expect
    .element(
      dialog.getByText('1 attempt is under way. This candidate could learn them from others.'),
    )
    .toBeVisible();
});

test('it says nothing about right answers that no one has', async () => {
  const read = vi.fn(async () => Response.json({ people: 0, notStarted: 3, running: 1 }));
  vi.stubGlobal('fetch', read);
  await show(<RecordActions record={recordOf('2026-05-14T10:25:00.000Z')} />);
  await userEvent.click(page.getByRole('button', { name: 'Reinstate' }));
  await expect.poll(() => read.mock.calls.length).toBe(1);
  expect(page.getByText(/right answers/).elements()).toHaveLength(0);
});
