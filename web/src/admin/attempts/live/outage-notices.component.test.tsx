import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { show, wordsIn } from '../../../testing/shown.tsx';
import { OutageNotices } from './outage-notices.tsx';

const OUTAGE = {
  id: '01900000-0000-7000-8000-000000000001',
  beganAt: '2026-05-14T10:02:00.000Z',
  endedAt: '2026-05-14T10:09:00.000Z',
  attempts: [
    { participantId: 'a', userEmail: 'a@example.org', quizTitle: 'N', minutes: 7, hasEnded: false },
    { participantId: 'b', userEmail: 'b@example.org', quizTitle: 'N', minutes: 3, hasEnded: true },
  ],
};

test('an owner gives back what an outage cost, in one action', async () => {
  const sent: unknown[] = [];
  let outages = [OUTAGE];
  vi.stubGlobal('fetch', async (_: string, init?: RequestInit) => {
    if (init?.method !== 'POST') return Response.json(outages);
    sent.push(JSON.parse(String(init.body)));
    outages = [];
    return Response.json({ done: ['a', 'b'], refused: [] });
  });
  const { container } = await show(<OutageNotices />);
  await expect
    .poll(() => wordsIn(container))
    .toMatch(/down from \d\d:02 to \d\d:09 2 attempts lost time, up to 7 min each/);
  await page.getByRole('button', { name: 'Give it back' }).click();
  const dialog = page.getByRole('dialog', { name: 'Give lost time back' });
  expect(wordsIn(dialog)).toMatch(/a@example.org · .*7 min.*b@example.org.*3 min, reinstated/);
  await dialog.getByLabelText('Reason').fill('Power cut');
  await dialog.getByRole('button', { name: 'Give the time back' }).click();
  await expect.poll(() => sent).toEqual([{ reason: 'Power cut' }]);
  await expect.poll(() => wordsIn(container)).toBe('');
});
