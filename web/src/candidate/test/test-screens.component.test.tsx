import { beforeEach, describe, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { attemptEngines, attemptMonitor } from '../../proctoring/attempt-monitor.ts';
import { AnswerOptions } from '../../question-view/answer-options.tsx';
import { givenAttempt } from '../../testing/attempts.ts';
import { ATTEMPT, CANDIDATE, paperQuestion } from '../../testing/fixtures.ts';
import { show, tokenColor, wordsIn, wordsOf } from '../../testing/shown.tsx';
import { type AttemptPhase, type AttemptSnapshot, NO_ATTEMPT } from '../attempt/attempt-state.ts';
import { currentAttempt } from '../current-attempt.ts';
import { AttemptFailed, FullscreenPanel } from '../halted.tsx';
import { currentMonitoring } from '../monitoring/current-monitoring.ts';
import { NO_NOTICES } from '../monitoring/notice-board.ts';
import { Warnings } from '../notices/notices.tsx';
import { AnnouncementPanel } from './announcement-panel.tsx';
import { AssessmentScreen } from './assessment-screen.tsx';
import { AttemptLayout, AttemptTimer } from './attempt-layout.tsx';
import { FeedbackDialog } from './feedback-dialog.tsx';
import { QuestionsButton } from './questions-sheet.tsx';
import { ReviewScreen } from './review-screen.tsx';

const PAPER = ['a', 'b', 'c'].map((id, i) =>
  paperQuestion(id, {
    question: `Question ${id}?`,
    options: ['yes', 'no', 'never'],
    orderNumber: i + 1,
  }),
);
const ANSWERS = new Map([
  ['a', { answer: 'no', isFlagged: false }],
  ['b', { answer: '', isFlagged: true }],
]);

const given = (phase: AttemptPhase, values: AttemptSnapshot['sync']['values'] = ANSWERS) =>
  givenAttempt({ phase, participant: ATTEMPT, paper: PAPER, sync: { ...NO_ATTEMPT.sync, values } });

const nothing = () => undefined;
const lastChange = () => vi.mocked(currentAttempt.answers)?.change.mock.lastCall;

beforeEach(() => {
  const answers = { change: vi.fn(), type: vi.fn(), settle: vi.fn(), acknowledged: [] };
  vi.spyOn(currentAttempt, 'answers', 'get').mockReturnValue(answers);
});

describe('while questions are loading', () => {
  test('offers to retry after a failure', async () => {
    const failure = { kind: 'questions', message: 'The server is away.' } as const;
    const retried = vi.spyOn(currentAttempt, 'retry').mockReturnValue();
    const { container } = await show(<AttemptFailed failure={failure} />);
    expect(document.title).toBe('Failed to load questions · Invigil');
    expect(wordsIn(container)).toMatch(
      /^Failed to load questions The server is away\. The clock keeps/,
    );
    expect(page.getByRole('heading', { level: 1 }).elements()).toHaveLength(1);
    await page.getByRole('button', { name: 'Retry' }).click();
    expect(retried).toHaveBeenCalledOnce();
  });

  test('shows an assessment without questions and a question without options', async () => {
    const failure = { kind: 'no-questions', message: '' } as const;
    expect(await wordsOf(<AttemptFailed failure={failure} />)).toMatch(
      /^No questions found for this Assessment/,
    );
    const none = (
      <AnswerOptions
        question={{ id: 'a', question: '', options: [] }}
        selected=""
        onSelect={nothing}
      />
    );
    expect(await wordsOf(none)).toBe('No options available for this question');
  });
});

describe('the test', () => {
  test('shows legend, counts, one question, its actions and the link to the review', async () => {
    given({ kind: 'running' });
    const { container } = await show(<AssessmentScreen />);
    const words = () => wordsIn(container);
    for (const state of ['Current', 'Answered', 'Marked for review', 'Not attempted']) {
      expect(words()).toContain(state);
    }
    expect(words()).toContain('Answered 1 Flagged 1 Remaining 2');
    expect(words()).toContain('Question 1 of 3');
    expect(words()).toContain('Question a?');
    expect(words()).not.toContain('Question b?');
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    await expect.element(button('Review & Submit')).toBeVisible();
    await button('Clear').click();
    expect(lastChange()).toEqual(['a', { answer: '' }]);
    await button('Flag').click();
    expect(lastChange()).toEqual(['a', { isFlagged: true }]);
    await button('Next').click();
    await expect.element(page.getByRole('heading', { name: 'Question b?' })).toHaveFocus();
    expect(words()).toContain('Question b?');
    expect(words()).not.toContain('Question a?');
    await page.getByRole('radio', { name: 'never' }).click();
    expect(lastChange()).toEqual(['b', { answer: 'never' }]);
    await button('Previous').click();
    expect(words()).toContain('Question a?');
  });

  test('shows the time left, yellow at a quarter and pulsing red at a tenth', async () => {
    vi.spyOn(currentAttempt, 'totalMs', 'get').mockReturnValue(1_000_000);
    const timerAt = async (ms: number) => {
      vi.spyOn(currentAttempt, 'remainingMs').mockReturnValue(ms);
      const { unmount } = await show(<AttemptTimer />);
      const timer = page.getByRole('timer').element();
      const { backgroundColor, animationName } = getComputedStyle(timer);
      const shown = { words: wordsIn(timer), backgroundColor, pulses: animationName !== 'none' };
      await unmount();
      return shown;
    };
    const calm = { backgroundColor: tokenColor('surface'), pulses: false };
    expect(await timerAt(251_000)).toEqual({ words: '04:11', ...calm });
    expect(await timerAt(250_000)).toEqual({
      words: '04:10',
      backgroundColor: tokenColor('warn'),
      pulses: false,
    });
    expect(await timerAt(100_000)).toEqual({
      words: '01:40',
      backgroundColor: tokenColor('bad'),
      pulses: true,
    });
  });

  test('shows the time in the fixed bar of test and review', async () => {
    given({ kind: 'running' });
    vi.spyOn(currentAttempt, 'remainingMs').mockReturnValue(1_500_000);
    // Neither the attempt nor monitoring is started.
    vi.spyOn(currentAttempt, 'open').mockReturnValue();
    vi.spyOn(attemptMonitor, 'begin').mockReturnValue();
    vi.spyOn(attemptEngines, 'want').mockReturnValue();
    vi.spyOn(currentMonitoring, 'begin').mockReturnValue();
    await show(<AttemptLayout />, { account: { ...CANDIDATE, attempt: ATTEMPT } });
    const bar = page.getByRole('banner');
    expect(getComputedStyle(bar.element()).position).toMatch(/^(sticky|fixed)$/);
    await expect.element(bar.getByRole('timer')).toHaveTextContent('25:00');
  });
});

describe('the review', () => {
  test('shows title, subtitle, counter, badge, letters, read-only options and submit at both widths', async () => {
    given({ kind: 'running' });
    const { container } = await show(<ReviewScreen />);
    const words = wordsIn(container);
    expect(words).toContain(
      'Review Your Answers Review and modify your answers before final submission',
    );
    expect(words).toContain('1 of 3 questions answered');
    expect(words).toContain('Answered Edit Answer');
    expect(words).toContain('A yes B no C never');
    const options = page.getByRole('radio').elements();
    expect(options).toHaveLength(3);
    for (const option of options) expect(option).toBeDisabled();
    const submit = (name: string) => page.getByRole('button', { name, exact: true });
    await expect.element(submit('Submit Final Assessment')).toBeVisible();
    expect(submit('Submit Assessment').elements()).toEqual([]);
    await page.viewport(390, 844);
    await expect.element(submit('Submit Assessment')).toBeVisible();
    expect(submit('Submit Final Assessment').elements()).toEqual([]);
    await page.viewport(1440, 900);
  });

  test('changes options in edit mode only, and restores the selection on Cancel', async () => {
    given({ kind: 'running' });
    await show(<ReviewScreen />);
    const edit = page.getByRole('button', { name: 'Edit Answer' });
    await edit.click();
    await page.getByRole('radio', { name: 'yes' }).click();
    expect(lastChange()).toEqual(['a', { answer: 'yes' }]);
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect(lastChange()).toEqual(['a', { answer: 'no' }]);
    await expect.element(page.getByRole('radio', { name: 'yes' })).toBeDisabled();
    await edit.click();
    await page.getByRole('button', { name: 'Done' }).click();
    // The pressed button is gone; the focus is on the one beside it.
    await expect.element(edit).toHaveFocus();
    expect(currentAttempt.answers?.change).toHaveBeenCalledTimes(2);
  });

  test('marks an unanswered question', async () => {
    given({ kind: 'running' }, new Map());
    expect(await wordsOf(<ReviewScreen />)).toContain('Not Answered Edit Answer');
  });

  test('cannot submit twice while sending', async () => {
    given({ kind: 'submitting', by: 'candidate', tries: 0 });
    const review = await show(<ReviewScreen />);
    expect(wordsIn(review.container)).toContain('Submitting...');
    await review.unmount();
    const onSubmit = vi.fn();
    const onClose = vi.fn();
    await show(
      <FeedbackDialog
        open
        submitting
        unanswered={0}
        toCheck={null}
        onClose={onClose}
        onSubmit={onSubmit}
      />,
    );
    const dialog = page.getByRole('dialog', { name: /How was your experience/ });
    await expect.element(dialog.getByRole('button', { name: 'Submitting...' })).toBeVisible();
    await expect.element(dialog.getByRole('button', { name: 'Skip Feedback' })).toBeDisabled();
    for (const button of dialog.getByRole('button').elements()) (button as HTMLElement).click();
    await userEvent.keyboard('{Escape}');
    await expect.element(dialog).toBeVisible();
    expect(onSubmit).not.toHaveBeenCalled();
    expect(onClose).not.toHaveBeenCalled();
  });

  test('shows flagged in yellow, answered in green, unanswered plain, current with a ring', async () => {
    given({ kind: 'running' });
    await show(<ReviewScreen />);
    const bubbles = page.getByRole('list').first().getByRole('button').elements();
    expect(bubbles.map((bubble) => getComputedStyle(bubble).backgroundColor)).toEqual(
      ['ok', 'warn', 'surface'].map(tokenColor),
    );
    const ringed = () =>
      bubbles.map(
        (bubble) => getComputedStyle(bubble, '::after').borderTopColor === tokenColor('accent'),
      );
    expect(ringed()).toEqual([true, false, false]);
    const third = bubbles[2] as HTMLElement;
    third.click();
    await expect.element(third).toHaveAttribute('aria-current', 'step');
    expect(ringed()).toEqual([false, false, true]);
  });

  test('shows answered and flagged in yellow too', async () => {
    const values = new Map([['a', { answer: 'no', isFlagged: true }]]);
    given({ kind: 'running' }, values);
    await show(<ReviewScreen />);
    const [first] = page.getByRole('list').first().getByRole('button').elements();
    expect(first && getComputedStyle(first).backgroundColor).toBe(tokenColor('warn'));
  });

  test('shows three emoji, and only Skip is enabled without a selection', async () => {
    const onSubmit = vi.fn();
    await show(
      <FeedbackDialog
        open
        submitting={false}
        unanswered={2}
        toCheck={null}
        onClose={nothing}
        onSubmit={onSubmit}
      />,
    );
    const dialog = page.getByRole('dialog');
    expect(wordsIn(dialog)).toMatch(/^Submit your assessment\? How was your experience\?/);
    expect(wordsIn(dialog)).toContain('2 questions are unanswered.');
    expect(wordsIn(dialog)).toMatch(/Good Neutral Bad .* Submit Assessment Skip Feedback/);
    expect(dialog.getByRole('radio').elements()).toHaveLength(3);
    const submit = dialog.getByRole('button', { name: 'Submit Assessment' });
    await expect.element(submit).toBeDisabled();
    await dialog.getByRole('button', { name: 'Skip Feedback' }).click();
    expect(onSubmit).toHaveBeenLastCalledWith({ emoji: 'smile', skipped: true });
    await dialog.getByRole('radio', { name: 'Bad' }).click();
    await submit.click();
    expect(onSubmit).toHaveBeenLastCalledWith({ emoji: 'sad', skipped: false });
  });
});

describe('a warning before something counts', () => {
  const LONG = [paperQuestion('a', { question: 'Long. '.repeat(900), options: ['yes', 'no'] })];
  const OFF = { kind: 'off' } as const;
  const camera = { kind: 'granted', stream: new MediaStream() } as const;
  const sensors = { camera, microphone: OFF, level: null, sound: null } as const;

  /** The warnings in the layout; everything else is as in the test. */
  const warn = async (element = <AssessmentScreen />) => {
    vi.spyOn(currentMonitoring, 'getNotices').mockReturnValue({ ...NO_NOTICES, voice: true });
    const face = { face: 'not-detected', faceCountsInMs: null } as const;
    vi.spyOn(attemptMonitor, 'getSnapshot').mockReturnValue({ ...sensors, ...face });
    givenAttempt({ phase: { kind: 'running' }, participant: ATTEMPT, paper: LONG });
    await show(
      <>
        {element}
        <Warnings />
      </>,
    );
  };
  /** Whether the text is in the window, and nothing lies over it. */
  const isSeen = (text: string) => {
    const shown = page.getByText(text, { exact: true }).elements();
    return shown.some((one) => {
      const { left, top, width, height } = one.getBoundingClientRect();
      const warning = one.closest<HTMLElement>('.fixed');
      // An element that takes no clicks is not found by its coordinates.
      if (warning !== null) warning.style.pointerEvents = 'auto';
      return document.elementFromPoint(left + width / 2, top + height / 2) === one;
    });
  };

  test.each([
    [390, 844],
    [1440, 900],
  ])('is seen on a page that is scrolled down, and moves nothing: %i×%i', async (width, height) => {
    await page.viewport(width, height);
    await warn();
    window.scrollTo(0, document.documentElement.scrollHeight);
    for (const text of ['We hear a voice. Quiet, please', 'Move back into view']) {
      await expect.poll(() => isSeen(text)).toBe(true);
    }
    expect(document.querySelector('main')?.textContent).not.toContain('We hear a voice');
  });

  test('is seen above the panel that covers the questions', async () => {
    await warn(<FullscreenPanel />);
    await expect.poll(() => isSeen('Move back into view')).toBe(true);
    expect(isSeen('We hear a voice. Quiet, please')).toBe(true);
  });

  test('closes the list of questions, which would cover it', async () => {
    await page.viewport(390, 844);
    givenAttempt({ phase: { kind: 'running' }, participant: ATTEMPT, paper: LONG });
    const { rerender } = await show(<QuestionsButton />);
    await page.getByRole('button', { name: 'Q 1/1, show all questions' }).click();
    await expect.element(page.getByRole('dialog')).toBeVisible();
    vi.spyOn(currentMonitoring, 'getNotices').mockReturnValue({ ...NO_NOTICES, voice: true });
    await rerender(<QuestionsButton />);
    await expect.poll(() => document.querySelector('dialog[open]')).toBeNull();
  });
});

describe('what an administrator does', () => {
  const ending = { kind: 'ending', id: 'ending', ms: 10_000 } as const;
  const running = { phase: { kind: 'running' }, participant: ATTEMPT, paper: PAPER } as const;

  test('closes the list of questions, which would cover it', async () => {
    await page.viewport(390, 844);
    givenAttempt(running);
    const { rerender } = await show(<QuestionsButton />);
    await page.getByRole('button', { name: /show all questions$/ }).click();
    await expect.element(page.getByRole('dialog')).toBeVisible();
    givenAttempt({ ...running, announcements: [ending] });
    await rerender(<QuestionsButton />);
    await expect.poll(() => document.querySelector('dialog[open]')).toBeNull();
  });

  test('is read and acknowledged above the dialog of the submit, which stays', async () => {
    await page.viewport(390, 844);
    givenAttempt({ ...running, announcements: [ending] });
    const acknowledged = vi.spyOn(currentAttempt, 'acknowledge').mockReturnValue();
    const onClose = vi.fn();
    await show(
      <>
        <AnnouncementPanel />
        <FeedbackDialog
          open
          submitting={false}
          unanswered={0}
          toCheck={null}
          onClose={onClose}
          onSubmit={nothing}
        />
      </>,
    );
    // Sooner it would be the second press of a double click, which is ignored.
    await new Promise((resolve) => setTimeout(resolve, 600));
    // The dialog hides what is beside it from screen readers, which hear the message by itself.
    await page.getByText('OK', { exact: true }).click();
    expect(acknowledged).toHaveBeenCalledOnce();
    expect(onClose).not.toHaveBeenCalled();
  });
});
