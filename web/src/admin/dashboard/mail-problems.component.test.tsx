import type { MailProblems as Problems } from '@invigil/core/contract/invitations/outbox';
import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { show } from '../../testing/shown.tsx';
import { MailProblems } from './dashboard-cards.tsx';

const NONE: Problems = { quizzes: [], other: 0, delayed: 0 };

async function showProblems(problems: Problems) {
  vi.spyOn(window, 'fetch').mockImplementation(async () => Response.json(problems));
  await show(<MailProblems />);
}

test('says why the queue waits, what the provider said, and what to do', async () => {
  await showProblems({
    ...NONE,
    paused: {
      since: '2026-05-14T08:00:00.000Z',
      nextTryAt: '2026-05-14T09:00:00.000Z',
      waiting: 118,
      reason:
        'Your mail provider takes no more messages from this account today: 550 5.4.5 Daily user sending limit exceeded',
      advice: 'Ask your provider for a higher limit.',
    },
  });
  await expect.element(page.getByText('118 emails wait for your mail provider')).toBeVisible();
  await expect.element(page.getByText(/550 5\.4\.5 Daily user sending limit/)).toBeVisible();
  await expect.element(page.getByText('Ask your provider for a higher limit.')).toBeVisible();
  await expect.element(page.getByText(/No email is lost or marked as failed/)).toBeVisible();
  expect(page.getByText(/could not be delivered/).query()).toBeNull();
});

test('shows nothing without problems', async () => {
  await showProblems(NONE);
  await expect.poll(() => window.fetch).toHaveBeenCalled();
  expect(page.getByRole('link').query()).toBeNull();
});
