import type { EndedAttempt } from '@invigil/core/contract/attempts/ended-attempt';
import type { CandidateResult } from '@invigil/core/contract/review/releases';
import { expect, onTestFinished, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { ATTEMPT, CANDIDATE, refusal } from '../../testing/fixtures.ts';
import { show, wordsIn } from '../../testing/shown.tsx';
import { ResultScreen } from './result-screen.tsx';

const RESULT: CandidateResult = {
  ...{ participantId: ATTEMPT.id, title: 'Network Fundamentals', isChanging: false },
  ...{ submittedAt: '2026-05-14T10:00:00Z', releasedAt: '2026-05-20T10:00:00Z' },
  ...{ until: '2026-06-19T10:00:00Z', outcome: { result: 'failed', because: 'section' } },
  ...{ grade: '5', score: { points: 12.5, maxPoints: 20, percent: 62.5 } },
  sections: [{ title: 'Law', points: 1, maxPoints: 8 }],
  statistics: { people: 40, meanPercent: 70.25, distribution: Array.from({ length: 20 }, () => 2) },
  questions: [
    {
      ...{ number: 1, question: 'Which is prime?', format: 'plain', isCorrect: false },
      ...{ explanation: 'Seven has no divisor.' },
      options: [
        { text: 'nine', isSelected: true, isCorrect: false, feedback: 'Three times three.' },
        { text: 'seven', isSelected: false, isCorrect: true },
      ],
    },
    {
      ...{ number: 2, question: 'g?', format: 'plain', options: [], typed: '' },
      ...{ accepted: ['9.8', '9.81 ± 1 %'], isCorrect: false },
    },
  ],
};
const account = {
  ...{ ...CANDIDATE, timeZone: 'Asia/Kathmandu' },
  attempt: { ...ATTEMPT, status: 'completed' as const },
};

/** A server with this result, and without or with a record of the end. */
const serve = (result: object, ended?: EndedAttempt) =>
  vi.stubGlobal('fetch', async (url: string) => {
    if (!url.endsWith('/ended')) return Response.json(result);
    return ended ? Response.json(ended) : refusal(404, 'NOT_FOUND');
  });

test('shows why the attempt ended, what was detected, and the receipt', async () => {
  const summary = { status: 'dismissed', timeSpent: 65, answeredCount: 1 } as const;
  serve(RESULT, {
    ...{ participantId: ATTEMPT.id, title: RESULT.title, submittedAt: RESULT.submittedAt },
    summary: { ...summary, totalQuestions: 2, violationCount: 3, submissionType: 'dismissed' },
    receipt: { id: 'ABCDE-FGHJK', signed: 'a.b' },
    ending: { type: 'voice_detected', durationMs: 5_000, limit: 3 },
    detected: [],
    notes: null,
  });
  await show(<ResultScreen />, { account });
  await page.getByRole('button', { name: 'Show receipt and record' }).click();
  await expect.element(page.getByRole('region', { name: 'Your receipt' })).toBeVisible();
  expect(wordsIn(page.getByRole('main'))).toMatch(/voice.*3 of 3/i);
});

test.each([
  [
    { parts: ['key', 'explanations'], until: '2026-05-25T10:00:00Z' },
    /Right answers and explanations come later You find them here after 25 May 2026, \d\d:\d\d \(\S+\), once no one is taking the assessment any more\./,
  ],
  [
    { parts: ['key'], until: null },
    /Right answers come later You find them here once no one can take the assessment any more\./,
  ],
  [{ parts: ['explanations'], until: null }, /Explanations come later/],
  [
    { parts: ['answers', 'key', 'explanations'], until: null },
    /Your answers, right answers and explanations come later/,
  ],
])('says which parts come later, and when: %j', async (waiting, words) => {
  serve({ ...RESULT, waiting });
  await show(<ResultScreen />, { account });
  await expect.element(page.getByText(/come later/)).toBeVisible();
  expect(wordsIn(page.getByRole('main'))).toMatch(words);
});

test('shows the outcome, points, sections, and the own answer beside the right one', async () => {
  serve(RESULT);
  await show(<ResultScreen />, { account });
  await expect.element(page.getByText('Not passed')).toBeVisible();
  const words = wordsIn(page.getByRole('main'));
  expect(words).toContain('The points of one section are below its minimum.');
  expect(words).toContain('Grade 5 Points 12.5 of 20 Percent 62.5 %');
  expect(words).toContain('Law 1 of 8');
  expect(words).toContain('40 people, 70.25 % on average');
  expect(words).toMatch(
    /until 19 Jun 2026, \d\d:\d\d \(\S+\), which is .*15:45 in Asia\/Kathmandu/,
  );
  await expect.element(page.getByRole('row', { name: '60 to 64.99 (yours) 2' })).toBeVisible();
  const first = page.getByRole('article', { name: 'Question 1' });
  expect(wordsIn(first)).toBe(
    'Question 1 Not right Which is prime? nine Three times three. Your answer · Not right seven Right ' +
      'Explanation Seven has no divisor.',
  );
  expect(wordsIn(page.getByRole('article', { name: 'Question 2' }))).toContain(
    'You left this question blank. Right: 9.8, or 9.81 ± 1 %',
  );
});

test('has each text in the direction of its letters on a page from right to left', async () => {
  document.documentElement.dir = 'rtl';
  onTestFinished(() => {
    document.documentElement.dir = '';
  });
  serve(RESULT);
  await show(<ResultScreen />, { account });
  await expect.element(page.getByText('Which is prime?')).toBeVisible();
  for (const text of ['Which is prime?', 'nine', 'Three times three.', 'Seven has no divisor.']) {
    const shown = page.getByText(text, { exact: true }).element();
    expect(getComputedStyle(shown).direction, text).toBe('ltr');
  }
});

test('shows no points of a question that does not count', async () => {
  const [question] = RESULT.questions ?? [];
  const left = { ...question, points: 0, maxPoints: 0, correction: 'left_out' };
  const scored = { ...question, number: 2, points: 0, maxPoints: 2 };
  serve({ ...RESULT, questions: [left, scored] });
  await show(<ResultScreen />, { account });
  const first = page.getByRole('article', { name: 'Question 1' });
  await expect.element(first.getByText('This question does not count.')).toBeVisible();
  expect(wordsIn(first)).not.toContain('points');
  expect(wordsIn(page.getByRole('article', { name: 'Question 2' }))).toContain('0 of 2 points');
});

test('fits on a narrow screen, whatever its options have', async () => {
  await page.viewport(320, 640);
  const texts = [`$$${'a_1 + '.repeat(40)}b$$`, 'GATTACA'.repeat(39), '`c1b2`'.repeat(20)];
  const options = texts.map((text) => ({ text, isSelected: true, isCorrect: false }));
  const question = { number: 1, question: 'Which?', format: 'markdown' as const, options };
  serve({ ...RESULT, questions: [question] });
  const { container } = await show(<ResultScreen />, { account });
  await expect.element(page.getByText('Scrolls sideways')).toBeVisible();
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(320);
  // The verdict on an answer does not leave its text one word wide.
  const widths = [...container.querySelectorAll('article li > div')].map((one) => one.clientWidth);
  expect(Math.min(...widths)).toBeGreaterThan(140);
});

test('prints a question over two pages and an option on one: no page stays empty below a question', async () => {
  serve(RESULT);
  await show(<ResultScreen />, { account });
  await expect.element(page.getByRole('article').first()).toBeVisible();
  const breaks = (selector: string) => [
    ...new Set(
      [...document.querySelectorAll(selector)].map((one) => getComputedStyle(one).breakInside),
    ),
  ];
  expect([breaks('article'), breaks('article li')]).toEqual([['auto'], ['avoid']]);
});

test('leads who passed to the certificate', async () => {
  const certificate = { number: 'K7QMX-4TREW-PLA29' };
  serve({ ...RESULT, certificate });
  await show(<ResultScreen />, { account });
  await expect
    .element(page.getByRole('link', { name: 'Open certificate' }))
    .toHaveAttribute('href', '/verify#K7QMX-4TREW-PLA29');
});

test('says that a correction is under way, and why nothing could be loaded', async () => {
  const { questions: _, ...rest } = RESULT;
  serve({ ...rest, isChanging: true });
  const shown = await show(<ResultScreen />, { account });
  await expect.element(page.getByText('This result is being checked again')).toBeVisible();
  await shown.unmount();
  vi.stubGlobal('fetch', async () => refusal(409, 'NOT_RELEASED'));
  await show(<ResultScreen />, { account });
  await expect.element(page.getByText('Your result could not be loaded')).toBeVisible();
});
