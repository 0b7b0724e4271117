import { listQuizzes } from '@invigil/core/contract/assessments/quizzes';
import type { Participant } from '@invigil/core/contract/review/participants';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { chooseLanguage, forgetLanguage, needTexts, useLanguage } from '../../../lib/language.ts';
import { endpointKey } from '../../../net/endpoint-query.ts';
import { createQueryClient } from '../../../net/query-client.ts';
import { QUIZ } from '../../../testing/fixtures.ts';
import { PARTICIPANT } from '../../../testing/record-rows.ts';
import { show, wordsIn, wordsOf } from '../../../testing/shown.tsx';
import { NO_FILTER } from './participants-filter.ts';
import { DownloadReport, ParticipantsList } from './participants-screen.tsx';
import { ParticipantRows } from './participants-table.tsx';

afterEach(async () => {
  await chooseLanguage('en');
  forgetLanguage();
});

const nothing = () => undefined;
const table = (change: Partial<Participant> = {}) =>
  wordsOf(
    <ParticipantRows
      asCards={false}
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
  expect(words).toMatch(/6m 36s 14 May 2026, 12:05 88 %$/);
});

test('leads from the title to the assessment, unless that is deleted', async () => {
  const client = createQueryClient();
  client.setQueryData(endpointKey(listQuizzes, {}), [QUIZ] as never);
  const rows = [PARTICIPANT, { ...PARTICIPANT, id: 'p2', quizId: 'gone', quizTitle: 'Gone' }];
  for (const asCards of [false, true]) {
    const { unmount } = await show(
      <ParticipantRows asCards={asCards} rows={rows} filter={NO_FILTER} onChange={nothing} />,
      { client },
    );
    const link = page.getByRole('link', { name: QUIZ.title });
    await expect.element(link).toHaveAttribute('href', '/admin/quizzes/q');
    await expect.element(page.getByText('Gone')).toBeVisible();
    expect(page.getByRole('link', { name: 'Gone' }).elements()).toEqual([]);
    await unmount();
  }
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
    <ParticipantRows
      asCards
      rows={[{ ...PARTICIPANT, verdict: 'breach' }]}
      filter={NO_FILTER}
      onChange={nothing}
    />,
  );
  expect(cards).toContain('Breach of the rules');
});

describe('a list without attempts', () => {
  beforeEach(() => {
    vi.spyOn(window, 'fetch').mockImplementation(async () => Response.json([]));
  });

  test('says what to do before the first start', async () => {
    await show(<ParticipantsList />);
    const words = page.getByText(
      'No participants found. Send Assessment invitations to get started.',
    );
    await expect.element(words).toBeVisible();
    const link = page.getByRole('link', { name: 'Go to Assessments' });
    await expect.element(link).toHaveAttribute('href', '/admin/quizzes');
  });

  test('leads from the results of an assessment to its candidates', async () => {
    await show(<ParticipantsList of="q1" />);
    const link = page.getByRole('link', { name: 'Go to Candidates' });
    await expect.element(link).toHaveAttribute('href', '/admin/quizzes/q1/candidates');
  });

  test('offers to clear filters that match nothing', async () => {
    await show(<ParticipantsList />, { at: '/admin/participants?review=open' });
    await page.getByRole('button', { name: 'Clear filters' }).click();
    const link = page.getByRole('link', { name: 'Go to Assessments' });
    await expect.element(link).toBeVisible();
  });
});

function Spoken() {
  return <ParticipantsList key={useLanguage()} />;
}

test('becomes cards where words of a language make the table wider than the list', async () => {
  const row = { ...PARTICIPANT, score: 10, points: 10, maxPoints: 12.5 };
  vi.spyOn(window, 'fetch').mockImplementation(async () =>
    Response.json([row], { headers: { 'x-total-count': '1' } }),
  );
  await page.viewport(1055, 800);
  await show(<Spoken />);
  const asTable = page.getByRole('table', { name: 'Participants' });
  await expect.element(asTable).toBeVisible();
  await needTexts('portal');
  await chooseLanguage('de');
  const asCards = page.getByRole('list', { name: 'Teilnehmende' });
  await expect.poll(() => wordsIn(asCards)).toContain('10 von 12,5 Punkten');
  await page.viewport(1440, 800);
  await expect.element(page.getByRole('table', { name: 'Teilnehmende' })).toBeVisible();
});

const asked: string[] = [];

beforeEach(() => {
  localStorage.clear();
  asked.length = 0;
  vi.spyOn(window, 'fetch').mockImplementation(async (url) => {
    asked.push(new URL(String(url), location.href).searchParams.get('format') ?? 'csv');
    return new Response('x', { headers: { 'content-disposition': 'attachment; filename="r.x"' } });
  });
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
});

const download = () => page.getByRole('button', { name: 'Download report' }).click();
const choose = async (name: string) => {
  await page.getByRole('button', { name: 'More reports' }).click();
  await page.getByRole('menuitem', { name }).click();
};

test('downloads CSV first, and then the format chosen last, also on the next visit', async () => {
  const { unmount } = await show(<DownloadReport filter={NO_FILTER} />);
  await download();
  await expect.poll(() => asked).toEqual(['csv']);
  await choose('Excel (.xlsx)');
  await expect.poll(() => asked).toEqual(['csv', 'xlsx']);
  await download();
  await expect.poll(() => asked).toEqual(['csv', 'xlsx', 'xlsx']);
  await unmount();
  await show(<DownloadReport filter={NO_FILTER} />);
  await download();
  await expect.poll(() => asked).toHaveLength(4);
  expect(asked.at(-1)).toBe('xlsx');
  await choose('CSV (.csv)');
  await expect.poll(() => asked.at(-1)).toBe('csv');
});

test('offers the formats and the other reports by keyboard', async () => {
  await show(<DownloadReport filter={NO_FILTER} />);
  await userEvent.tab();
  await userEvent.tab();
  await userEvent.keyboard('{Enter}');
  const items = page.getByRole('menuitem');
  await expect.element(items.first()).toBeVisible();
  expect(items.elements().map((item) => item.textContent)).toEqual([
    'Excel (.xlsx)',
    'CSV (.csv)',
    expect.stringContaining('With a column per question'),
    expect.stringContaining('All participants, without the filters'),
  ]);
});
