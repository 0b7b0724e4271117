import type { PaperQuestion } from '@invigil/core/contract/question-list';
import { OFF_POLICY, STRICT_POLICY } from '@invigil/core/domain/violation-policy';
import type * as React from 'react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { attemptMonitor } from '../proctoring/attempt-monitor.ts';
import { AnswerOptions } from '../question-view/answer-options.tsx';
import { bubbleShape } from '../question-view/question-bubble.tsx';
import { draw, tagsOf, wordsOf } from '../testing/drawn.tsx';
import { ATTEMPT, CANDIDATE, QUIZ } from '../testing/fixtures.ts';
import { type AttemptPhase, type AttemptSnapshot, NO_ATTEMPT } from './attempt/attempt-state.ts';
import { currentAttempt } from './current-attempt.ts';
import { DeviceCard } from './device-check/device-card.tsx';
import { PermissionsScreen } from './device-check/permissions-screen.tsx';
import { InstructionsScreen } from './entry/instructions-screen.tsx';
import { AttemptFailed, AttemptLoading } from './halted/attempt-loading-view.tsx';
import { keepPhase, ongoingPage } from './ongoing-page.ts';
import { CompletedNoticeScreen } from './outcome/completed-notice-screen.tsx';
import { DismissedScreen } from './outcome/dismissed-screen.tsx';
import { ExpiredScreen } from './outcome/expired-screen.tsx';
import { ThankYouScreen } from './outcome/thank-you-screen.tsx';
import { AssessmentScreen } from './test/assessment-screen.tsx';
import { AttemptLayout } from './test/attempt-layout.tsx';
import { AttemptTimer } from './test/attempt-timer.tsx';
import { FeedbackDialog } from './test/feedback-dialog.tsx';
import { ReviewScreen } from './test/review-screen.tsx';

/** Everything that a consent can be asked for. */
const ALL = { camera: true, microphone: true, stills: true };

// Drawn without a browser: there a store without a server's state and a portal have no place.
vi.mock('react', async (original) => {
  const react = await original<typeof React>();
  const useSyncExternalStore: typeof react.useSyncExternalStore = (subscribe, get, server) =>
    react.useSyncExternalStore(subscribe, get, server ?? get);
  return { ...react, useSyncExternalStore };
});
vi.mock('radix-ui', async (original) => {
  const radix = await original<typeof import('radix-ui')>();
  const Portal = ({ children }: { children?: React.ReactNode }) => children;
  return {
    ...radix,
    Dialog: { ...radix.Dialog, Portal },
    AlertDialog: { ...radix.AlertDialog, Portal },
  };
});

const PAPER: PaperQuestion[] = ['a', 'b', 'c'].map((id, index) => ({
  id,
  quizId: 'q',
  type: 'multiple_choice',
  question: `Question ${id}?`,
  options: ['yes', 'no', 'never'],
  orderNumber: index + 1,
}));
const ANSWERS = new Map([
  ['a', { selectedOption: 'no', isFlagged: false }],
  ['b', { selectedOption: '', isFlagged: true }],
]);

function given(phase: AttemptPhase, change: Partial<AttemptSnapshot> = {}): void {
  const snapshot: AttemptSnapshot = {
    ...NO_ATTEMPT,
    phase,
    participant: ATTEMPT,
    paper: PAPER,
    sync: { ...NO_ATTEMPT.sync, values: ANSWERS },
    ...change,
  };
  vi.spyOn(currentAttempt, 'getSnapshot').mockReturnValue(snapshot);
}

/** What local storage holds. */
function keeps(stored: Record<string, unknown>): void {
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => (name in stored ? JSON.stringify(stored[name]) : null),
  });
}

const buttonNamed = (markup: string, name: string) =>
  new RegExp(`<button[^>]*>(?:(?!</button>).)*${name}(?:(?!</button>).)*</button>`).exec(
    markup,
  )?.[0] ?? '';

beforeEach(() => {
  vi.stubGlobal('document', { fullscreenEnabled: true, fullscreenElement: null });
  vi.stubGlobal('localStorage', { getItem: () => null });
  vi.stubGlobal('sessionStorage', { getItem: () => null });
});

test('the notice of somebody who was dismissed and signs in again', () => {
  const words = wordsOf(draw(<CompletedNoticeScreen />, null, { dismissed: true }));
  expect(words).toContain(
    'Assessment Terminated Your assessment was ended under its rules before you submitted it',
  );
  expect(words).toContain('Status Dismissed Result Under Review');
  expect(words).not.toContain('Completed');
});

test('the completed notice', () => {
  const words = wordsOf(draw(<CompletedNoticeScreen />));
  expect(words).toContain('Assessment Completed You have already completed your assessment');
  expect(words).toContain('Status Completed Result Under Review');
  for (const sentence of [
    'Your submission was recorded.',
    'Results are communicated separately.',
    'Each participant can take the test only once.',
    'If you have questions, contact your administrator.',
  ]) {
    expect(words).toContain(sentence);
  }
});

test('the expired notice', () => {
  const words = wordsOf(draw(<ExpiredScreen />));
  expect(words).toContain(
    'Assessment Expired This assessment is no longer active and cannot be accessed.',
  );
  expect(words).toContain(
    'You will be taken to the sign-in page in 5 seconds. Stay here Return to Login',
  );
  expect(words).toContain(
    'Assessment Status: Inactive The assessment period has ended or the Assessment has been deactivated by the administrator.',
  );
});

describe('before the start', () => {
  test('the instructions: guidelines, policy, duration, kind, consent note', () => {
    const words = wordsOf(draw(<InstructionsScreen />, CANDIDATE));
    for (const guideline of ['Camera', 'Microphone', 'Face detection', 'Strict security']) {
      expect(words).toContain(guideline);
    }
    expect(words).toContain(
      'Maximum 3 violations. After the third, your answers are submitted automatically.',
    );
    expect(words).toContain('Duration 25 minutes Questions 25 Type Multiple choice');
    expect(words).toMatch(/Proctoring consent Next you will be asked to agree/);
    expect(words).toMatch(/Start Assessment$/);
  });

  test.each(['loading', 'running', 'submitting'] as const)(
    'while the attempt of this page is %s, the screens before it lead back to it',
    (kind) => {
      const phase: AttemptPhase =
        kind === 'submitting' ? { kind, by: 'candidate', tries: 0 } : { kind };
      keepPhase(phase);
      expect(ongoingPage()).toBe('/quiz/assessment');
      expect(draw(<InstructionsScreen />, CANDIDATE)).toBe('');
      expect(draw(<PermissionsScreen />, CANDIDATE)).toBe('');
      keepPhase({ kind: 'submitting', by: 'time', tries: 0 });
      expect(ongoingPage()).toBe('/quiz/thankyou');
      keepPhase({ kind: 'stopped', why: 'signed-out' });
      expect(wordsOf(draw(<InstructionsScreen />, CANDIDATE))).toContain('Before you start');
    },
  );

  test('without consent nothing can be started, and the dialog asks for it', () => {
    const markup = draw(<PermissionsScreen />, CANDIDATE);
    expect(buttonNamed(markup, 'Start Assessment')).toMatch(/\bdisabled=""/);
    const words = wordsOf(markup);
    expect(words).toContain('Your consent to monitoring');
    expect(words).toMatch(/Reject & Exit Accept & Continue$/);
  });

  test('with consent and both devices it can, and a missing device holds it back', () => {
    const at = { userId: 'u', quizId: QUIZ.id, textVersion: '2026-4', to: ALL, at: 0 };
    vi.stubGlobal('sessionStorage', { getItem: () => JSON.stringify(at) });
    const granted = { kind: 'granted', stream: { getTracks: () => [] } } as never;
    const monitor = vi.spyOn(attemptMonitor, 'getSnapshot');
    const idle = attemptMonitor.getSnapshot();
    monitor.mockReturnValue({ ...idle, camera: granted, microphone: granted });
    const ready = buttonNamed(draw(<PermissionsScreen />, CANDIDATE), 'Start Assessment');
    expect(ready).not.toBe('');
    expect(ready).not.toMatch(/\bdisabled=""/);
    monitor.mockReturnValue({ ...idle, camera: granted });
    const held = draw(<PermissionsScreen />, CANDIDATE);
    expect(buttonNamed(held, 'Start Assessment')).toMatch(/\bdisabled=""/);
    expect(wordsOf(held)).toContain('Please ensure camera and microphone permissions are granted');
  });

  test('a test that runs is gone on with where a device is missing, and says that it is recorded', () => {
    const at = { userId: 'u', quizId: QUIZ.id, textVersion: '2026-4', to: ALL, at: 0 };
    vi.stubGlobal('sessionStorage', { getItem: () => JSON.stringify(at) });
    const failure = { cause: 'missing', message: 'No camera', advice: 'Connect one.' } as const;
    const monitor = vi.spyOn(attemptMonitor, 'getSnapshot');
    monitor.mockReturnValue({
      ...attemptMonitor.getSnapshot(),
      camera: { kind: 'failed', failure },
    });
    const before = buttonNamed(draw(<PermissionsScreen />, CANDIDATE), 'Start Assessment');
    expect(before).toMatch(/\bdisabled=""/);
    const running = draw(<PermissionsScreen />, { ...CANDIDATE, attempt: ATTEMPT });
    expect(buttonNamed(running, 'Start Assessment')).not.toMatch(/\bdisabled=""/);
    expect(wordsOf(running)).toContain('You can go on without it; that is recorded.');
  });

  test.each([
    ['the camera', { camera: false }],
    ['the microphone', { microphone: false }],
  ])('consent to less than is asked for now is asked for again: %s', (_, less) => {
    const to = { ...ALL, ...less };
    const at = { userId: 'u', quizId: QUIZ.id, textVersion: '2026-4', to, at: 0 };
    vi.stubGlobal('sessionStorage', { getItem: () => JSON.stringify(at) });
    expect(wordsOf(draw(<PermissionsScreen />, CANDIDATE))).toContain('Your consent to monitoring');
  });

  test('consent is that of the person who gave it', () => {
    const at = { userId: 'somebody else', quizId: QUIZ.id, textVersion: '2026-4', to: ALL, at: 0 };
    vi.stubGlobal('sessionStorage', { getItem: () => JSON.stringify(at) });
    expect(wordsOf(draw(<PermissionsScreen />, CANDIDATE))).toContain('Your consent to monitoring');
  });

  test.each([
    ['its own minutes', { extraTimeFactor: 1.5 }, {}, 'Duration 38 minutes'],
    [
      'the end that cuts a late start short',
      {},
      { endDate: '2026-05-14T10:00:00Z' },
      'Closes 14 May',
    ],
    [
      'until when to start, where everybody may finish',
      {},
      { endDate: '2026-05-14T10:00:00Z', finishAfterEnd: true },
      'Open until 14 May',
    ],
  ])('the instructions tell %s', (_, account, quiz, words) => {
    const person = { ...CANDIDATE, ...account, quiz: { ...QUIZ, ...quiz } };
    expect(wordsOf(draw(<InstructionsScreen />, person))).toContain(words);
  });

  test('who comes back reads that the clock runs, what is left, and nothing of a start', () => {
    const person = { ...CANDIDATE, attempt: ATTEMPT };
    const words = wordsOf(draw(<InstructionsScreen />, person));
    expect(words).toContain('Continue your assessment');
    expect(words).toContain('The clock is running.');
    expect(words).toContain('Time left 16 minutes');
    expect(words).toContain('You can say no; you cannot go on then.');
    expect(words).not.toMatch(/clock starts|does not start|Before you start|Duration/);
  });

  test('without camera, microphone and fullscreen nothing of them is agreed to', () => {
    const off = { ...QUIZ, policy: { ...OFF_POLICY, version: 1 } };
    const consent = (evidenceDays: number) =>
      wordsOf(draw(<PermissionsScreen />, { ...CANDIDATE, quiz: off, evidenceDays }));
    expect(consent(1)).toContain('How long : the device check is deleted after 1 day.');
    expect(consent(90)).toContain('Who sees it : administrators only.');
    expect(consent(90)).not.toMatch(/photo|still|sound|fullscreen/i);
    const strict = wordsOf(draw(<InstructionsScreen />, { ...CANDIDATE, quiz: off }));
    expect(strict).not.toContain('Strict security');
  });

  test('whose work the detectors are is said where there are any, and only there', () => {
    const list = 'href="/assets/third-party.txt"';
    expect(draw(<PermissionsScreen />, CANDIDATE)).toContain(list);
    const off = { ...QUIZ, policy: { ...OFF_POLICY, version: 1 } };
    expect(draw(<PermissionsScreen />, { ...CANDIDATE, quiz: off })).not.toContain(list);
  });

  test('what is deleted after the retention, and what is not, is said before the consent', () => {
    const words = wordsOf(draw(<PermissionsScreen />, { ...CANDIDATE, evidenceDays: 30 }));
    expect(words).toContain('How long : photos and sound levels are deleted after 30 days.');
    expect(words).toContain('the list of what was noticed stay.');
    for (const head of ['Why', 'Who sees it', 'Your camera', 'Your microphone', 'Your answers']) {
      expect(words).toContain(head);
    }
  });

  test('a device is not asked yet, granted or denied, and a refusal says what is required', () => {
    const card = (status: Parameters<typeof DeviceCard>[0]['status']) =>
      wordsOf(
        draw(
          <DeviceCard device="camera" status={status} title="Camera" icon="" footer="">
            picture
          </DeviceCard>,
        ),
      );
    expect(card({ kind: 'off' })).toContain('Camera Not asked');
    expect(card({ kind: 'granted', stream: {} as MediaStream })).toContain('Camera Granted');
    const message = 'Camera access is required for this assessment';
    const failure = { device: 'camera', cause: 'refused', message, advice: 'Allow it.' } as const;
    expect(card({ kind: 'failed', failure })).toMatch(
      /^Camera Denied Camera access is required for this assessment/,
    );
  });
});

describe('while questions are loaded', () => {
  test('the review says so', () => {
    expect(wordsOf(draw(<AttemptLoading review />))).toBe('Loading review...');
  });

  test('a failure offers to try again', () => {
    const failure = { kind: 'questions', message: 'The server is away.' } as const;
    const words = wordsOf(draw(<AttemptFailed failure={failure} />));
    expect(words).toMatch(/Invigil Failed to load questions The server is away\. The clock keeps/);
    expect(tagsOf(draw(<AttemptFailed failure={failure} />), 'h1')).toHaveLength(1);
    expect(words).toContain('Retry');
  });

  test('an assessment without questions, a question without options', () => {
    const failure = { kind: 'no-questions', message: '' } as const;
    expect(wordsOf(draw(<AttemptFailed failure={failure} />))).toMatch(
      /^No questions found for this Assessment/,
    );
    const none = <AnswerOptions questionId="a" options={[]} selected="" onChoose={String} />;
    expect(wordsOf(draw(none))).toBe('No options available for this question');
  });
});

describe('the test', () => {
  test('legend, counts, one question, its actions and the way to the review', () => {
    given({ kind: 'running' });
    const markup = draw(<AssessmentScreen />);
    const words = wordsOf(markup);
    for (const state of ['Current', 'Answered', 'Marked for review', 'Not attempted']) {
      expect(words).toContain(state);
    }
    expect(words).toContain('Answered 1 Flagged 1 Remaining 2');
    expect(words).toContain('Question 1 of 3');
    expect(words).toContain('Question a?');
    expect(words).not.toContain('Question b?');
    for (const action of ['Previous', 'Next', 'Clear', 'Flag', 'Review &amp; Submit']) {
      expect(buttonNamed(markup, action), action).not.toBe('');
    }
  });

  test('the time that is left, yellow at a quarter and a red pulse at a tenth', () => {
    vi.spyOn(currentAttempt, 'totalMs', 'get').mockReturnValue(1_000_000);
    const timerAt = (ms: number) => {
      vi.spyOn(currentAttempt, 'remainingMs').mockReturnValue(ms);
      return draw(<AttemptTimer />);
    };
    expect(wordsOf(timerAt(251_000))).toContain('04:11');
    expect(timerAt(251_000)).not.toMatch(/bg-warn|bg-bad/);
    expect(timerAt(250_000)).toMatch(/bg-warn/);
    expect(timerAt(100_000)).toMatch(/bg-bad.*animate-last-minutes/);
  });

  test('the time stands in the bar that stays at the top, above test and review alike', () => {
    given({ kind: 'running' });
    vi.spyOn(currentAttempt, 'remainingMs').mockReturnValue(1_500_000);
    const markup = draw(<AttemptLayout />, { ...CANDIDATE, attempt: ATTEMPT });
    const bar = /<header[^>]*>.*?<\/header>/.exec(markup)?.[0] ?? '';
    expect(bar).toMatch(/^<header[^>]*\b(sticky|fixed)\b/);
    expect(wordsOf(bar)).toContain('25:00');
  });
});

describe('the review', () => {
  test('title, subtitle, counter, badge, letters, read only, submit in both widths', () => {
    given({ kind: 'running' });
    const markup = draw(<ReviewScreen />);
    const words = wordsOf(markup);
    expect(words).toContain(
      'Review Your Answers Review and modify your answers before final submission',
    );
    expect(words).toContain('1 of 3 questions answered');
    expect(words).toContain('Answered Edit Answer');
    expect(words).toContain('A yes B no C never');
    const options = tagsOf(markup, 'button').filter((tag) => tag.includes('role="radio"'));
    expect(options).toHaveLength(3);
    for (const option of options) expect(option).toMatch(/\bdisabled=""/);
    expect(buttonNamed(markup, 'Submit Final Assessment')).not.toBe('');
    expect(buttonNamed(markup, 'Submit Assessment')).not.toBe('');
  });

  test('a question without an answer says so', () => {
    given({ kind: 'running' }, { sync: { ...NO_ATTEMPT.sync, values: new Map() } });
    expect(wordsOf(draw(<ReviewScreen />))).toContain('Not Answered Edit Answer');
  });

  test('while sending nothing can be sent a second time', () => {
    given({ kind: 'submitting', by: 'candidate', tries: 0 });
    expect(wordsOf(draw(<ReviewScreen />))).toContain('Submitting...');
    const nothing = () => undefined;
    const sending = draw(
      <FeedbackDialog open submitting unanswered={0} onClose={nothing} onSubmit={nothing} />,
    );
    expect(buttonNamed(sending, 'Submitting...')).toMatch(/disabled="(true)?"/);
    expect(buttonNamed(sending, 'Skip Feedback')).toMatch(/\bdisabled=""/);
  });

  test('flagged is yellow, answered green, unanswered plain, the current one ringed', () => {
    expect(bubbleShape({ isAnswered: true, isFlagged: true })).toContain('bg-warn ');
    expect(bubbleShape({ isAnswered: true, isFlagged: false })).toContain('bg-ok ');
    expect(bubbleShape({ isAnswered: false, isFlagged: false })).toContain('bg-surface');
    given({ kind: 'running' });
    const current = tagsOf(draw(<ReviewScreen />), 'button').filter((tag) =>
      tag.includes('aria-current="step"'),
    );
    expect(current).toHaveLength(1);
    expect(current[0]).toContain('after:border-accent');
  });

  test('three emoji, none chosen: only skipping is possible', () => {
    const nothing = () => undefined;
    const markup = draw(
      <FeedbackDialog
        open
        submitting={false}
        unanswered={2}
        onClose={nothing}
        onSubmit={nothing}
      />,
    );
    const words = wordsOf(markup);
    expect(words).toMatch(/^How was your experience\?/);
    expect(words).toContain('Good Neutral Bad Submit Assessment Skip Feedback');
    expect(tagsOf(markup, 'button').filter((tag) => tag.includes('role="radio"'))).toHaveLength(3);
    expect(buttonNamed(markup, 'Submit Assessment')).toMatch(/\bdisabled=""/);
    expect(buttonNamed(markup, 'Skip Feedback')).not.toMatch(/\bdisabled=""/);
  });
});

describe('the end', () => {
  const summary = {
    status: 'completed',
    timeSpent: 125,
    answeredCount: 2,
    totalQuestions: 3,
    violationCount: 1,
    submissionType: 'manual',
  } as const;
  const content = {
    version: 1,
    id: 'ABCDE-FGHJK',
    participantId: 'p',
    submittedAt: '2026-05-14T09:37:05.000Z',
    answeredCount: 2,
    totalQuestions: 3,
    digest: 'the-digest-of-the-answers',
  };
  const body = Buffer.from(JSON.stringify(content)).toString('base64url');
  const receipt = { id: content.id, signed: `${body}.signature` };
  const ended = { kind: 'ended', receipt, lateCount: 0, by: 'candidate' } as const;

  test('a thank-you with summary and countdown', () => {
    given({ ...ended, summary });
    const words = wordsOf(draw(<ThankYouScreen />, { ...CANDIDATE, attempt: ATTEMPT }));
    expect(words).toContain('Assessment Completed! Thank you, we will get back to you shortly.');
    expect(words).toContain(
      'Assessment Summary Questions Answered 2 of 3 Total Questions 3 Time Taken 2 minutes 5 seconds Violations 1',
    );
    expect(words).toContain(
      'You can now close this window. This window will automatically close in 5 seconds.',
    );
  });

  test('when the time was over', () => {
    given({ ...ended, summary: { ...summary, submissionType: 'auto' } });
    expect(wordsOf(draw(<ThankYouScreen />, CANDIDATE))).toContain(
      'Time Expired - Assessment Auto-Submitted Your Assessment was automatically submitted when the time limit was reached.',
    );
  });

  test('until the server has everything it says that it is still sending, and does not count', () => {
    given({ kind: 'submitting', by: 'candidate', tries: 1 });
    const words = wordsOf(draw(<ThankYouScreen />, CANDIDATE));
    expect(words).toContain('Still sending your answers.');
    expect(words).not.toContain('automatically close');
  });

  test.each([
    ['thank-you', ThankYouScreen],
    ['terminated', DismissedScreen],
  ])('the %s page of an attempt that cannot be loaded or is elsewhere says so', (_, Screen) => {
    given({ kind: 'failed', failure: { kind: 'questions', message: 'No connection.' } });
    const words = wordsOf(draw(<Screen />, { ...CANDIDATE, attempt: ATTEMPT }));
    expect(words).toContain(
      'Failed to load questions No connection. The clock keeps running. Answers that were shown as saved are on the server.',
    );
    expect(words).toMatch(/try again|retry/i);
    given({ kind: 'elsewhere' });
    expect(wordsOf(draw(<Screen />, { ...CANDIDATE, attempt: ATTEMPT }))).toContain(
      'Your assessment is open in another tab',
    );
  });

  test('when an administrator ended it', () => {
    given({ ...ended, by: 'server', summary: { ...summary, submissionType: 'database' } });
    expect(wordsOf(draw(<ThankYouScreen />, CANDIDATE))).toContain(
      'Assessment Ended Your assessment was ended by the administrator. Every answer that was saved by then is submitted.',
    );
  });

  test('the receipt: number, time, answers and fingerprint, to copy, to save and to check', () => {
    given({ ...ended, summary });
    const markup = draw(<ThankYouScreen />, CANDIDATE);
    const words = wordsOf(markup);
    expect(words).toContain('Receipt ABCDE-FGHJK');
    expect(words).toMatch(/Submitted 14 May 2026, \d\d:37:05 \S+/);
    expect(words).toContain('Questions answered 2 of 3');
    expect(words).toContain('Fingerprint of the answers the-digest-of-the-answers');
    expect(words).toContain('Copy receipt Save as file');
    expect(tagsOf(markup, 'a').join()).toContain('href="/receipt"');
  });

  test('changes that arrived too late are said, and that they do not count', () => {
    given({ ...ended, summary });
    expect(wordsOf(draw(<ThankYouScreen />, CANDIDATE))).not.toContain('after the end');
    given({ ...ended, summary, lateCount: 2 });
    expect(wordsOf(draw(<ThankYouScreen />, CANDIDATE))).toContain(
      '2 changes arrived after the end. They are not counted, but the administrator can see them.',
    );
    given({ ...ended, summary: { ...summary, status: 'dismissed' }, lateCount: 1 });
    expect(wordsOf(draw(<DismissedScreen />, CANDIDATE))).toContain(
      '1 change arrived after the end. It is not counted, but the administrator can see it.',
    );
  });

  test('without an answer of the server it says what is safe and what to do', () => {
    const sending = { kind: 'submitting', by: 'candidate', tries: 2 } as const;
    given(sending);
    expect(wordsOf(draw(<ThankYouScreen />, CANDIDATE))).toContain(
      'Keep this window open. The connection is interrupted. Every answer you gave is saved on the server. The end is sent automatically when you are back online.',
    );
    const state = { kind: 'offline', waiting: 2 } as const;
    given(sending, { sync: { ...NO_ATTEMPT.sync, state } });
    const words = wordsOf(draw(<ThankYouScreen />, CANDIDATE));
    expect(words).toContain(
      '2 changes have not reached the server yet. What is missing is kept on this device and sent automatically when you are back online. Whether that is in time will be shown here.',
    );
    expect(words).not.toMatch(/safe|on their way/);
    given(sending, { sync: { ...NO_ATTEMPT.sync, state, durable: false } });
    expect(wordsOf(draw(<ThankYouScreen />, CANDIDATE))).toContain(
      'This browser cannot keep what is missing, so do not close or reload this page.',
    );
  });

  test('a termination names place, progress, flags, reason and the limits that were applied', () => {
    const context = {
      fromPage: 'Review Page',
      answeredCount: 2,
      totalQuestions: 3,
      flaggedCount: 1,
    };
    keeps({ dismissalContext: context });
    given({ ...ended, summary: { ...summary, status: 'dismissed', submissionType: 'dismissed' } });
    const words = wordsOf(draw(<DismissedScreen />, { ...CANDIDATE, attempt: ATTEMPT }));
    for (const text of [
      'Assessment Terminated Your assessment has been dismissed due to multiple violations',
      'Saving your progress... Auto logout in 5 seconds',
      'Dismissed from Review Page Progress 2 of 3 questions answered Flagged 1',
      'Reason: Exceeded maximum allowed violations',
      'Voice/sound 5 strikes',
      'Face not detected 3 strikes',
      'Your progress was saved and submitted as completed.',
      'If you believe this is an error, please contact your administrator.',
    ]) {
      expect(words).toContain(text);
    }
    expect(STRICT_POLICY.limits).toMatchObject({ voice: 5, face: 3 });
  });

  test.each([
    [
      'tab_hidden',
      3_500,
      1,
      1,
      "You left this page for 3.5 seconds. Under this assessment's rules that ends it.",
    ],
    [
      'face_not_detected',
      6_000,
      3,
      3,
      "Your face was not in view for 6 seconds: that was 3 of 3. Under this assessment's rules the third ends it.",
    ],
    ['voice_detected', null, 2, 3, null],
  ])(
    'a dismissal by %s says what happened first, and has a receipt',
    (type, durationMs, count, limit, fact) => {
      const at = Date.parse('2026-05-14T08:00:00Z');
      const item = { id: 'a', type, at, durationMs, counted: { count, limit }, noted: false };
      keeps({ noticed: { participantId: ATTEMPT.id, noticed: [item] } });
      given({
        ...ended,
        summary: { ...summary, status: 'dismissed', submissionType: 'dismissed' },
      });
      const words = wordsOf(draw(<DismissedScreen />, { ...CANDIDATE, attempt: ATTEMPT }));
      expect(words).toContain(
        `Assessment Terminated ${fact === null ? '' : `${fact} `}Your assessment has been dismissed due to multiple violations`,
      );
      expect(words).toContain('Your receipt');
    },
  );

  test('what was noticed last still takes a note after a termination; of this attempt only', () => {
    const at = Date.parse('2026-05-14T08:00:00Z');
    const noticed = [
      {
        id: 'b',
        type: 'voice_detected',
        at,
        durationMs: null,
        counted: { count: 1, limit: 3 },
        noted: false,
      },
      { id: 'a', type: 'clipboard', at, durationMs: null, counted: null, noted: true },
    ];
    const shown = (participantId: string) => {
      keeps({ noticed: { participantId, noticed } });
      return wordsOf(draw(<DismissedScreen />, { ...CANDIDATE, attempt: ATTEMPT }));
    };
    given({ ...ended, summary: { ...summary, status: 'dismissed', submissionType: 'dismissed' } });
    expect(shown(ATTEMPT.id)).toMatch(
      /We heard a voice or a loud sound \d\d:\d\d:\d\d · counted 1 of 3 and 1 more Add a note/,
    );
    expect(shown('another')).not.toContain('Add a note');
    given({ kind: 'submitting', by: 'dismissal', tries: 0 });
    expect(shown(ATTEMPT.id)).not.toContain('Add a note');
  });

  test('a termination on the assessment page without flags; what cannot be right is not believed', () => {
    const context = {
      fromPage: 'Assessment Page',
      answeredCount: 1,
      totalQuestions: 3,
      flaggedCount: 0,
    };
    const completion = { ...summary, timeSpent: 7_201, submissionType: 'dismissed' };
    keeps({ dismissalContext: context, completionData: completion });
    given({ kind: 'submitting', by: 'dismissal', tries: 1 });
    const words = wordsOf(draw(<DismissedScreen />, { ...CANDIDATE, attempt: ATTEMPT }));
    expect(words).toContain(
      'Dismissed from Assessment Page Progress 1 of 3 questions answered Time Taken 2 minutes 0 seconds Reason:',
    );
    // The server has not answered: nothing counts down yet.
    expect(words).toContain('Saving your progress...');
    expect(words).not.toContain('Auto logout');
    expect(words).not.toContain('was saved and submitted');
  });
});
