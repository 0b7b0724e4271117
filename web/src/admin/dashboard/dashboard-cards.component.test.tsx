import type { MailProblems as Problems } from '@invigil/core/contract/invitations/outbox';
import type { Stats } from '@invigil/core/contract/review/stats';
import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { show, tokenColor, wordsIn, wordsOf } from '../../testing/shown.tsx';
import { RecentActivity } from '../parts/recent-activity.tsx';
import { CodesEnding, EndingSoon, MailProblems, TopScorers } from './dashboard-cards.tsx';

type Activity = Stats['recentActivity'][number];

const line = (change: Partial<Activity>) => (
  <RecentActivity
    items={[
      {
        participantId: 'p',
        description: 'a@example.org did something',
        kind: 'ended',
        score: null,
        totalMarks: null,
        status: 'in_progress',
        at: new Date().toISOString(),
        ...change,
      },
    ]}
  />
);

test('shows what happened, not how the attempt is today', async () => {
  const { container } = await show(line({ kind: 'started', status: 'completed' }));
  expect(wordsIn(container)).toContain('did something Started');
});

test.each([
  ['completed', 'Completed', 'ok'],
  ['dismissed', 'Dismissed', 'bad'],
  ['in_progress', 'In progress', null],
] as const)(
  'shows completed as success, dismissed as error, others as neutral: %s',
  async (status, word, tone) => {
    await show(line({ status }));
    // The nearest background behind the label.
    const tones: string[] = [];
    const item = page.getByRole('listitem').element();
    for (
      let element: Element | null = page.getByText(word, { exact: true }).element();
      element !== null && element !== item;
      element = element.parentElement
    ) {
      tones.push(getComputedStyle(element).backgroundColor);
    }
    for (const other of ['ok', 'bad', 'accent']) {
      expect(tones.includes(tokenColor(`${other}-soft`)), other).toBe(other === tone);
    }
  },
);

test('shows the status as text, and a score only if there is one', async () => {
  expect(await wordsOf(line({ status: 'dismissed', score: 3, totalMarks: 20 }))).toMatch(
    /a@example\.org did something 3 \/ 20 Dismissed just now$/,
  );
  expect(await wordsOf(line({ score: 0, totalMarks: 20 }))).toContain('0 / 20');
  expect(await wordsOf(line({}))).toMatch(/did something In progress just now$/);
});

test('shows rank, name, assessment, score and floored minutes of top scorers', async () => {
  const scorer = { quiz: 'Networks', totalMarks: 25, timeSpent: 1_079 };
  const words = await wordsOf(
    <TopScorers
      timeZone="Europe/Berlin"
      scorers={[
        { ...scorer, name: 'a@example.org', score: 25 },
        { ...scorer, name: 'b@example.org', score: 24, timeSpent: 59 },
      ]}
    />,
  );
  expect(words).toBe(
    'Top Scorers This Week Since Monday 00:00, Europe/Berlin 1 a@example.org Networks 25 / 25 17 min 2 b@example.org Networks 24 / 25 0 min',
  );
});

test('links assessments ending soon to their pages, without a card if there are none', async () => {
  const quiz = {
    quizId: 'q',
    title: 'Networks',
    endDate: '2026-05-14T16:00:00Z',
    invited: 30,
    started: 12,
  };
  const { container, rerender } = await show(<EndingSoon quizzes={[quiz]} />);
  expect(wordsIn(container)).toMatch(
    /^Ending soon Networks 14 May 2026, \d\d:00 12 started, 30 invited$/,
  );
  await expect
    .element(page.getByRole('link', { name: /Networks/ }))
    .toHaveAttribute('href', '/admin/quizzes/q');
  await rerender(<EndingSoon quizzes={[]} />);
  expect(container).toBeEmptyDOMElement();
});

test('shows whose unused one-time passwords end, with links to them', async () => {
  const quiz = { quizId: 'q', title: 'Networks', people: 1_200, until: '2026-05-14T16:00:00.000Z' };
  const { container, rerender } = await show(<CodesEnding quizzes={[quiz]} />);
  expect(wordsIn(container)).toMatch(
    /1,200 invitations to Networks , the first on 14 May 2026, \d\d:00$/,
  );
  await expect
    .element(page.getByRole('link', { name: '1,200 invitations to Networks' }))
    .toHaveAttribute('href', '/admin/quizzes/q/candidates?state=code_ending');
  await rerender(<CodesEnding quizzes={[{ ...quiz, people: 1 }]} />);
  expect(wordsIn(container)).toMatch(/1 invitation to Networks , on 14 May 2026, \d\d:00$/);
  await rerender(<CodesEnding quizzes={[]} />);
  expect(container).toBeEmptyDOMElement();
});

test('shows empty states without activity and scorers', async () => {
  expect(await wordsOf(<RecentActivity items={[]} />)).toContain('No recent activity');
  expect(await wordsOf(<TopScorers scorers={[]} timeZone={undefined} />)).toBe(
    'Top Scorers This Week No scorers data available',
  );
});

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
