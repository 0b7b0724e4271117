import type { Participant } from '@invigil/core/contract/review/participants';
import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { PARTICIPANT } from '../../testing/record-rows.ts';
import { show, wordsIn, wordsOf } from '../../testing/shown.tsx';
import { NO_FILTER } from './participants-filter.ts';
import { NoParticipants } from './participants-screen.tsx';
import { ParticipantCards, ParticipantsTable } from './participants-table.tsx';

const nothing = () => undefined;
const table = (change: Partial<Participant> = {}) =>
  wordsOf(
    <ParticipantsTable
      rows={[{ ...PARTICIPANT, ...change }]}
      filter={NO_FILTER}
      onChange={nothing}
    />,
  );

test('shows the columns of the specification in order', async () => {
  const words = await table();
  const columns = [
    'Participant',
    'Assessment',
    'Status',
    'Score',
    'Total Marks',
    'Violations',
    'Time Spent',
    'Started At',
  ];
  expect(words).toMatch(new RegExp(`^${columns.join(' .*?')}`));
  // A translated page has the parts of an address in elements of their own.
  expect(words).toMatch(/a\.rahman ?@example\.org 7f3a91c2 Network Fundamentals Completed 22 25/);
  expect(words).toMatch(/6m 36s 14 May 2026, 12:05$/);
});

test('shows an erased person as Unknown with the short id', async () => {
  expect(await table({ userEmail: null })).toContain('Unknown 7f3a91c2');
});

test('shows that a review is due, and the verdict once recorded', async () => {
  expect(await table()).not.toContain('To review');
  expect(await table({ toReview: true })).toMatch(/1\/3 6m 36s .*To review 1 violation$/);
  const reasons = { violationCount: 2, fullscreenExits: 1, tabSwitches: 2, reviewFlags: 3 };
  expect(await table({ toReview: true, ...reasons })).toMatch(
    /To review 2 violations, 1 fullscreen exit, 2 tab switches, 3 flags$/,
  );
  expect(await table({ verdict: 'talk' })).toMatch(/Talk to the candidate$/);
  const cards = await wordsOf(
    <ParticipantCards
      rows={[{ ...PARTICIPANT, verdict: 'breach' }]}
      filter={NO_FILTER}
      onChange={nothing}
    />,
  );
  expect(cards).toContain('Breach of the rules');
});

test('shows an empty state before the first start', async () => {
  const none = (
    <NoParticipants filter={NO_FILTER} total={0} onClear={nothing} onFirstPage={nothing} />
  );
  expect(await wordsOf(none)).toMatch(
    /^No participants found\. Send Assessment invitations to get started\./,
  );
});

test('offers to clear filters that match nothing', async () => {
  const filter = { ...NO_FILTER, review: 'open' } as const;
  const onClear = vi.fn();
  const { container } = await show(
    <NoParticipants filter={filter} total={0} onClear={onClear} onFirstPage={nothing} />,
  );
  expect(wordsIn(container)).toContain('Clear filters');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  expect(onClear).toHaveBeenCalledOnce();
});
