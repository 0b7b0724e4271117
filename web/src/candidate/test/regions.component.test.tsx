import type { PaperQuestion } from '@invigil/core/contract/assessments/question-list';
import type { ReactNode } from 'react';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import type { AnswerValue } from '../../answer-sync/answer-sheet.ts';
import { screenInRegion } from '../../app/screen.ts';
import { ScreenBoundary } from '../../app/screen-boundary.tsx';
import { attemptEngines, attemptMonitor } from '../../proctoring/attempt-monitor.ts';
import { keepAnswers } from '../../testing/attempts.ts';
import { ATTEMPT, CANDIDATE, paperQuestion } from '../../testing/fixtures.ts';
import { show, wordsIn } from '../../testing/shown.tsx';
import { onRegionFailed, Region } from '../../ui/region.tsx';
import { type AttemptSnapshot, NO_ATTEMPT } from '../attempt/attempt-state.ts';
import { currentAttempt, useAttempt } from '../current-attempt.ts';
import { currentMonitoring } from '../monitoring/current-monitoring.ts';
import { canBeWarned } from '../monitoring/seen-notices.ts';
import { AssessmentScreen } from './assessment-screen.tsx';
import { AttemptLayout } from './attempt-layout.tsx';
import { PlainTest } from './plain-test.tsx';
import { ReviewScreen } from './review-screen.tsx';

const PAPER = [
  paperQuestion('a', { question: 'First?' }),
  paperQuestion('b', { question: 'Second?', options: ['here', 'there'], orderNumber: 2 }),
];

/** Fails for as long as it is told. */
function Failing({ isBroken }: { isBroken: () => boolean }) {
  useAttempt();
  if (isBroken()) throw new Error('broken');
  return <AssessmentScreen />;
}

const load = vi.fn<() => Promise<{ Later: () => ReactNode }>>();
const Later = screenInRegion(load, 'Later');
const Found = () => <p>Here it is</p>;

/** A property that throws when it is read. */
function broken<T extends object>(whole: T, name: keyof T): T {
  return Object.defineProperty({ ...whole }, name, {
    enumerable: true,
    get() {
      throw new Error(`broken ${String(name)}`);
    },
  });
}

let answers: Map<string, AnswerValue>;
let failed: string[];

beforeEach(async () => {
  failed = [];
  onTestFinished(onRegionFailed((name) => failed.push(name)));
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  vi.spyOn(currentAttempt, 'open').mockReturnValue();
  vi.spyOn(currentAttempt, 'remainingMs').mockReturnValue(1_500_000);
  vi.spyOn(attemptMonitor, 'begin').mockReturnValue();
  vi.spyOn(attemptEngines, 'want').mockReturnValue();
  vi.spyOn(currentMonitoring, 'begin').mockReturnValue();
  answers = await keepAnswers(PAPER);
  const participant = { ...ATTEMPT, policy: { ...ATTEMPT.policy, fullscreen: false } };
  given((now) => ({ ...now, participant }));
});

/** Changes what the attempt is, from now on. */
function given(change: (snapshot: AttemptSnapshot) => AttemptSnapshot): void {
  const read = vi.mocked(currentAttempt.getSnapshot).getMockImplementation() ?? (() => NO_ATTEMPT);
  const of = new Map<AttemptSnapshot, AttemptSnapshot>();
  vi.spyOn(currentAttempt, 'getSnapshot').mockImplementation(() => {
    const now = read();
    if (!of.has(now)) of.set(now, change(now));
    return of.get(now) as AttemptSnapshot;
  });
}

const showTest = (inner: ReactNode = <AssessmentScreen />) =>
  show(
    <ScreenBoundary>
      <AttemptLayout>{inner}</AttemptLayout>
    </ScreenBoundary>,
    { account: { ...CANDIDATE, attempt: ATTEMPT } },
  );
const button = (name: string) => page.getByRole('button', { name, exact: true });
const withPaper = (change: (question: PaperQuestion) => PaperQuestion) =>
  given((now) => ({ ...now, paper: now.paper.map((one) => (one.id === 'a' ? change(one) : one)) }));

describe('a part of the page that fails', () => {
  test('as a question leaves the others, which save', async () => {
    withPaper((question) => broken(question, 'question'));
    const { container } = await showTest();
    expect(wordsIn(container)).toContain('This question could not be shown');
    expect(failed).toEqual(['This question']);
    await expect.element(page.getByRole('timer')).toHaveTextContent('25:00');
    await expect.poll(() => canBeWarned(true)).toBe(true);
    await button('Next').click();
    await page.getByRole('radio', { name: 'there' }).click();
    expect(answers.get('b')?.answer).toBe('there');
  });

  test('is mounted again without a reload', async () => {
    let isBroken = true;
    withPaper((question) =>
      Object.defineProperty({ ...question }, 'question', {
        enumerable: true,
        get: () => {
          if (isBroken) throw new Error('broken');
          return 'First?';
        },
      }),
    );
    await showTest();
    await expect.element(button('Try again')).toBeVisible();
    isBroken = false;
    await button('Try again').click();
    await expect.element(page.getByRole('heading', { name: 'First?' })).toBeVisible();
  });

  test.each<[string, string, () => void]>([
    [
      'the camera picture',
      'The camera picture',
      () =>
        vi.spyOn(attemptMonitor, 'getSnapshot').mockImplementation(() => {
          throw new Error('broken');
        }),
    ],
    [
      'the time',
      'The time',
      () =>
        vi.spyOn(currentAttempt, 'totalMs', 'get').mockImplementation(() => {
          throw new Error('broken');
        }),
    ],
    [
      'a notice',
      'A notice about saving',
      () => given((now) => ({ ...now, sync: broken(now.sync, 'durable') })),
    ],
    [
      'what is saved',
      'The state of saving',
      () => given((now) => ({ ...now, sync: broken(now.sync, 'state') })),
    ],
    ['a message', 'A message', () => given((now) => broken(now, 'announcements'))],
  ])('as %s leaves the questions', async (_, name, breakIt) => {
    breakIt();
    const { container } = await showTest();
    expect(failed).toContain(name);
    expect(wordsIn(container)).toContain('First?');
    await page.getByRole('radio', { name: 'yes' }).click();
    expect(answers.get('a')?.answer).toBe('yes');
  });

  test('as a warning counts nothing', async () => {
    expect(canBeWarned(true)).toBe(false);
    const notices = currentMonitoring.getNotices();
    vi.spyOn(currentMonitoring, 'getNotices').mockReturnValue(notices);
    const { unmount } = await showTest();
    await expect.poll(() => canBeWarned(true)).toBe(true);
    await unmount();
    vi.spyOn(currentMonitoring, 'getNotices').mockReturnValue(broken(notices, 'popup'));
    await showTest();
    expect(failed).toContain('A warning');
    expect(canBeWarned(true)).toBe(false);
    await expect.element(page.getByRole('heading', { name: 'First?' })).toBeVisible();
  });

  test('as the dialog of the submit leaves the submit', async () => {
    const submit = vi.spyOn(currentAttempt, 'submit').mockReturnValue();
    await showTest(<ReviewScreen />);
    // Radix places it into the body.
    vi.spyOn(document.body, 'appendChild').mockImplementation(() => {
      throw new Error('broken');
    });
    await button('Submit Final Assessment').click();
    await expect.poll(() => failed).toContain('The submit');
    await button('Submit Assessment').first().click();
    await button('Submit now').click();
    expect(submit).toHaveBeenCalledWith({ emoji: 'neutral', skipped: true });
  });
});

describe('the plain test', () => {
  test.each([
    [
      'a whole screen',
      'The questions',
      (isBroken: () => boolean) => showTest(<Failing isBroken={isBroken} />),
    ],
    [
      'all of the page',
      'The page',
      (isBroken: () => boolean) => {
        // Breaks the layout itself, above every region.
        given((now) =>
          Object.defineProperty({ ...now }, 'phase', {
            enumerable: true,
            get() {
              const stack = new Error().stack ?? '';
              if (isBroken() && stack.includes('attempt-layout')) throw new Error('broken');
              return now.phase;
            },
          }),
        );
        return showTest();
      },
    ],
  ])('takes the place of %s: time, every question, and the submit', async (_, name, begin) => {
    let isBroken = false;
    const { container } = await begin(() => isBroken);
    await expect.element(page.getByRole('heading', { name: 'First?' })).toBeVisible();
    isBroken = true;
    await page.getByRole('radio', { name: 'yes' }).click();
    await expect
      .poll(() => wordsIn(container))
      .toContain('Here are your questions in a plain list');
    expect(failed).toContain(name);
    const words = wordsIn(container);
    expect(words).toContain('25:00');
    expect(words).toContain('Your camera is still on');
    expect(words).toContain('1. First? yes no');
    await expect.element(page.getByRole('radio', { name: 'yes' })).toBeChecked();
    await page.getByRole('radio', { name: 'there' }).click();
    expect(answers.get('b')?.answer).toBe('there');
    const submit = vi.spyOn(currentAttempt, 'submit').mockReturnValue();
    await button('Submit Assessment').click();
    await button('Submit now').click();
    expect(submit).toHaveBeenCalledOnce();
    isBroken = false;
    await button('Try again').click();
    await expect.element(button('Next')).toBeVisible();
  });

  test('after the end stops the camera and leads to the last page', async () => {
    const stop = vi.spyOn(attemptMonitor, 'stop').mockReturnValue();
    const summary = { status: 'dismissed', answeredCount: 1, totalQuestions: 2 } as const;
    const receipt = { id: 'ABCDE-FGHJK', signed: 'a.b' };
    const end = { by: 'dismissal', receipt, lateCount: 0 } as const;
    given((now) => ({
      ...now,
      phase: {
        ...{ kind: 'ended', ...end },
        summary: { ...summary, timeSpent: 5, violationCount: 3, submissionType: 'dismissed' },
      },
    }));
    await show(<PlainTest retry={() => undefined} />);
    await expect.element(page.getByRole('heading')).toHaveTextContent('Your assessment has ended');
    await expect.element(button('Continue')).toBeVisible();
    expect(stop).toHaveBeenCalledOnce();
  });

  test('has a list for each item to match, and for each place of an order', async () => {
    const rows: Record<string, Partial<PaperQuestion>> = {
      a: { type: 'matching', items: ['One', 'Two'], options: ['1', '2', '3'] },
      b: { type: 'ordering', options: ['x', 'y', 'z'] },
    };
    given((now) => ({ ...now, paper: now.paper.map((one) => ({ ...one, ...rows[one.id] })) }));
    await showTest(<Failing isBroken={() => true} />);
    const list = (name: string) => page.getByRole('combobox', { name, exact: true });
    await list('Two').selectOptions('2');
    expect(answers.get('a')?.answer).toBe('["","2"]');
    await list('Two').selectOptions('Select');
    expect(answers.get('a')?.answer).toBe('');
    await list('1.').selectOptions('z');
    expect(answers.get('b')?.answer).toBe('["z","y","x"]');
    await list('2.').selectOptions('x');
    expect(answers.get('b')?.answer).toBe('["z","x","y"]');
  });

  test('contains a broken question itself', async () => {
    withPaper((question) => broken(question, 'question'));
    const { container } = await showTest(<Failing isBroken={() => true} />);
    expect(wordsIn(container)).toContain('Question 1 could not be shown');
    expect(wordsIn(container)).toContain('2. Second? here there');
  });
});

test('a screen whose file was missing is fetched again when it is mounted again', async () => {
  load
    .mockRejectedValueOnce(new TypeError('Failed to fetch dynamically imported module'))
    .mockResolvedValue({ Later: Found });
  await show(
    <Region name="The review" fallback="The review could not be shown">
      <Later />
    </Region>,
  );
  await expect.element(page.getByText('The review could not be shown')).toBeVisible();
  await button('Try again').click();
  await expect.element(page.getByText('Here it is')).toBeVisible();
});
