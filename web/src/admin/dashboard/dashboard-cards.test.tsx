import type { Stats } from '@invigil/core/contract/stats';
import { expect, test } from 'vitest';
import { draw, tagsOf, wordsOf } from '../../testing/drawn.tsx';
import { EndingSoon } from './ending-soon.tsx';
import { RecentActivity } from './recent-activity.tsx';
import { TopScorers } from './top-scorers.tsx';

type Activity = Stats['recentActivity'][number];
const at = new Date().toISOString();
const line = (change: Partial<Activity>) =>
  draw(
    <RecentActivity
      items={[
        {
          participantId: 'p',
          description: 'a@example.org did something',
          score: null,
          totalMarks: null,
          status: 'in_progress',
          at,
          ...change,
        },
      ]}
    />,
  );
const badge = (markup: string) => tagsOf(markup, 'span').find((tag) => tag.includes('-soft'));

test('completed looks like a success, dismissed like an error, anything else like neither', () => {
  expect(badge(line({ status: 'completed' }))).toContain('bg-ok-soft');
  expect(badge(line({ status: 'dismissed' }))).toContain('bg-bad-soft');
  for (const tone of ['bg-ok-soft', 'bg-bad-soft', 'bg-accent-soft']) {
    expect(line({ status: 'in_progress' })).not.toContain(tone);
  }
});

test('the status is a word as well, and a score stands only where there is one', () => {
  expect(wordsOf(line({ status: 'dismissed', score: 3, totalMarks: 20 }))).toMatch(
    /a@example\.org did something 3 \/ 20 Dismissed just now$/,
  );
  expect(wordsOf(line({ score: 0, totalMarks: 20 }))).toContain('0 / 20');
  expect(wordsOf(line({}))).toMatch(/did something In progress just now$/);
});

test('top scorers: rank, name, assessment, score and floored minutes, in the named zone', () => {
  const scorer = { quiz: 'Networks', totalMarks: 25, timeSpent: 1_079 };
  const markup = draw(
    <TopScorers
      timeZone="Europe/Berlin"
      scorers={[
        { ...scorer, name: 'a@example.org', score: 25 },
        { ...scorer, name: 'b@example.org', score: 24, timeSpent: 59 },
      ]}
    />,
  );
  expect(wordsOf(markup)).toBe(
    'Top Scorers This Week Since Monday 00:00, Europe/Berlin 1 a@example.org Networks 25 / 25 17 min 2 b@example.org Networks 24 / 25 0 min',
  );
});

test('what ends soon leads to its participants; without any there is no card', () => {
  const quiz = {
    quizId: 'q',
    title: 'Networks',
    endDate: '2026-05-14T16:00:00Z',
    invited: 30,
    started: 12,
  };
  const markup = draw(<EndingSoon quizzes={[quiz]} />);
  expect(wordsOf(markup)).toMatch(
    /^Ending soon Networks 14 May 2026, \d\d:00 12 started, 30 invited$/,
  );
  expect(markup).toContain('href="/admin/participants?quizId=q"');
  expect(draw(<EndingSoon quizzes={[]} />)).toBe('');
});

test('nothing happened, nobody scored', () => {
  expect(wordsOf(draw(<RecentActivity items={[]} />))).toContain('No recent activity');
  expect(wordsOf(draw(<TopScorers scorers={[]} timeZone={undefined} />))).toBe(
    'Top Scorers This Week No scorers data available',
  );
});
