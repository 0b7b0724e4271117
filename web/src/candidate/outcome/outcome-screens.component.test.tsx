import type { EndedAttempt } from '@invigil/core/contract/attempts/ended-attempt';
import { STRICT_POLICY } from '@invigil/core/domain/violations/violation-policy';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { endedHere, forgetEnded } from '../../lib/person/ended-attempt.ts';
import { givenAttempt } from '../../testing/attempts.ts';
import { ATTEMPT, CANDIDATE } from '../../testing/fixtures.ts';
import { pass, show, wordsIn, wordsOf } from '../../testing/shown.tsx';
import { type AttemptPhase, type AttemptSnapshot, NO_ATTEMPT } from '../attempt/attempt-state.ts';
import { currentAttempt } from '../current-attempt.ts';
import { CompletedNoticeScreen } from './completed-notice-screen.tsx';
import { DismissedScreen } from './dismissed-screen.tsx';
import { ExpiredScreen } from './expired-screen.tsx';
import { ThankYouScreen } from './thank-you-screen.tsx';

const given = (phase: AttemptPhase, change: Partial<AttemptSnapshot> = {}) =>
  givenAttempt({ phase, participant: ATTEMPT, ...change });
const WRITER = { ...CANDIDATE, attempt: ATTEMPT };

/** The content of local storage. */
function keep(stored: Record<string, unknown>): void {
  localStorage.clear();
  for (const [name, value] of Object.entries(stored)) {
    localStorage.setItem(name, JSON.stringify(value));
  }
}

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
const body = btoa(JSON.stringify(content)).replaceAll('=', '');
const receipt = { id: content.id, signed: `${body}.signature` };
const ended = { kind: 'ended', receipt, lateCount: 0, by: 'candidate' } as const;
const dismissed = { ...summary, status: 'dismissed', submissionType: 'dismissed' } as const;

const RECORD: EndedAttempt = {
  participantId: ATTEMPT.id,
  title: 'Safety',
  submittedAt: '2026-05-14T09:37:05.000Z',
  summary: dismissed,
  receipt,
  ending: { type: 'tab_hidden', durationMs: 3_000, limit: 1 },
  detected: [
    {
      id: 'v1',
      type: 'tab_hidden',
      at: '2026-05-14T09:37:04.000Z',
      durationMs: 3_000,
      counted: true,
      note: null,
    },
  ],
  notes: { token: 'token', until: '2026-05-14T09:47:05.000Z' },
};

beforeEach(() => {
  vi.stubGlobal('fetch', async () => {
    throw new TypeError('no server here');
  });
  vi.spyOn(document, 'fullscreenEnabled', 'get').mockReturnValue(true);
  vi.spyOn(currentAttempt, 'open').mockReturnValue();
});
afterEach(() => localStorage.clear());

test('shows the notice to a dismissed candidate who signs in again', async () => {
  const words = await wordsOf(<CompletedNoticeScreen />, { state: { dismissed: true } });
  expect(words).toContain(
    'Assessment Terminated Your assessment was ended under its rules before you submitted it',
  );
  expect(words).toContain('Status Dismissed Result Under Review');
  expect(words).not.toContain('Completed');
});

test('shows reason, receipt and notes again to whoever signs in with the code', async () => {
  const fetched = vi.fn((..._call: Parameters<typeof fetch>) =>
    Promise.resolve(Response.json({ id: 'v1', note: 'My pen fell' })),
  );
  vi.stubGlobal('fetch', fetched);
  const state = { dismissed: true, ended: RECORD };
  const { container } = await show(<CompletedNoticeScreen />, { state });
  expect(wordsIn(container)).toMatch(
    /You left this page for 3 seconds\. Under this assessment's rules, that ends it\. Your assessment was ended under its rules before you submitted it Your answers are saved, \d\d:\d\d: receipt ABCDE-FGHJK \. You can add a note until \d\d:\d\d\./,
  );
  expect(wordsIn(container)).toContain('Assessment Safety');
  expect(wordsIn(container)).toContain('Your receipt Signed proof');
  await page.getByRole('button', { name: 'Add a note' }).click();
  await page.getByRole('textbox').fill('My pen fell');
  await page.getByRole('button', { name: 'Save note' }).click();
  await expect.element(page.getByText('· your note was added: “My pen fell”')).toBeVisible();
  const [url, init] = fetched.mock.calls[0] ?? [];
  expect(String(url)).toBe('/api/ended-attempts/violations/v1/note');
  expect(JSON.parse(String(init?.body))).toEqual({
    participantId: RECORD.participantId,
    token: 'token',
    note: 'My pen fell',
  });
});

test('shows no form once notes are closed, and nothing of a forged record', async () => {
  const closed = { dismissed: true, ended: { ...RECORD, notes: null } };
  const words = await wordsOf(<CompletedNoticeScreen />, { state: closed });
  expect(words).toContain('This page was hidden');
  expect(words).not.toContain('Add a note');
  const forged = { dismissed: true, ended: { ...RECORD, receipt: 'x' } };
  expect(await wordsOf(<CompletedNoticeScreen />, { state: forged })).not.toContain('Safety');
});

test("keeps the server's record for the sign-in page", async () => {
  vi.stubGlobal('fetch', async () => Response.json(RECORD));
  onTestFinished(forgetEnded);
  given({ ...ended, summary: dismissed });
  const { container } = await show(<DismissedScreen />, {
    account: { ...CANDIDATE, attempt: { ...ATTEMPT, id: RECORD.participantId } },
  });
  await expect.poll(() => wordsIn(container)).toContain('You left this page for 3 seconds.');
  expect(wordsIn(container)).toContain('violations · the maximum here is 1');
  expect(endedHere()?.ended).toEqual(RECORD);
});

test('keeps what was detected, and a note under way, for who stays signed out', async () => {
  vi.stubGlobal('fetch', async (url: string) =>
    String(url).includes('ended') ? Response.json(RECORD) : new Response(null, { status: 204 }),
  );
  onTestFinished(forgetEnded);
  given({ ...ended, summary });
  await show(<ThankYouScreen />, { account: WRITER });
  await page.getByRole('button', { name: 'Add a note' }).click();
  await page.getByRole('textbox').fill('My pen fell');
  await page.getByRole('button', { name: 'Copy receipt' }).click();
  await expect.element(page.getByText(/^You are signed out\./)).toBeVisible();
  await expect.element(page.getByRole('textbox')).toHaveValue('My pen fell');
});

test('says that a result is released at once', async () => {
  const state = { ended: { ...RECORD, ending: null, result: { state: 'released' } } };
  const words = await wordsOf(<CompletedNoticeScreen />, { state });
  expect(words).toContain('Result Released');
});

test.each([
  [{ left: 2 }, 'You can take this assessment 2 more times. Sign in again'],
  [{ left: 1 }, 'You can take this assessment once more. Sign in again'],
  [{ left: 1, from: '2026-05-15T09:37:05.000Z' }, 'once more, from 15 May 2026, '],
  [{ left: 0 }, 'You have no attempt left.'],
])('says how many attempts are left: %j', async (retakes, sentence) => {
  onTestFinished(forgetEnded);
  const record = { ...RECORD, ending: null, summary, retakes };
  const state = { ended: record };
  const notice = await wordsOf(<CompletedNoticeScreen />, { state });
  expect(notice).toContain(sentence);
  expect(notice).not.toContain('only once');
  vi.stubGlobal('fetch', async () => Response.json(record));
  given({ ...ended, summary });
  const { container } = await show(<ThankYouScreen />, { account: WRITER });
  await expect.poll(() => wordsIn(container)).toContain(sentence);
});

test('shows the completed notice', async () => {
  const words = await wordsOf(<CompletedNoticeScreen />);
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

test('shows the expired notice', async () => {
  const { container } = await show(<ExpiredScreen />);
  const words = wordsIn(container);
  expect(words).toContain(
    'Assessment Expired This assessment is no longer active and cannot be accessed.',
  );
  expect(words).toContain(
    'You will be taken to the sign-in page in 5 seconds. Stay here Return to Login',
  );
  expect(words).toContain(
    'Assessment Status: Inactive The assessment period has ended or the Assessment has been deactivated by the administrator.',
  );
  await page.getByRole('button', { name: 'Stay here' }).click();
  await expect.element(page.getByRole('status').getByText(/This page stays open/)).toBeVisible();
  expect(wordsIn(container)).not.toContain('seconds');
});

test.each([
  [true, '2026-05-14T10:00:00.000Z', /“Safety” closed on 14 May 2026, \d\d:00 \(/],
  [false, '2026-05-14T10:00:00.000Z', /“Safety” was deactivated by the administrator\./],
  [false, null, /“Safety” was deactivated by the administrator\./],
])(
  'the expired notice says why and when, whom to ask, and that no time runs: %s, %s',
  async (isActive, endDate, why) => {
    const { quiz } = WRITER;
    if (quiz === null) throw new Error('a quiz');
    const account = {
      ...WRITER,
      attempt: null,
      quiz: { ...quiz, title: 'Safety', isActive, endDate },
    };
    const words = await wordsOf(<ExpiredScreen />, { account });
    expect(words).toMatch(why);
    expect(words).toContain('No time is running, and nothing counts against you.');
    expect(words).toContain('ask the person who invited you');
  },
);

test('the expired notice says until when a test with a latest start could be started', async () => {
  const { quiz } = WRITER;
  if (quiz === null) throw new Error('a quiz');
  const times = { endDate: '2026-05-14T18:00:00.000Z', startBy: '2026-05-14T09:30:00.000Z' };
  const account = { ...WRITER, attempt: null, quiz: { ...quiz, title: 'Safety', ...times } };
  const words = await wordsOf(<ExpiredScreen />, { account });
  expect(words).toMatch(/“Safety” could be started until 14 May 2026, \d\d:30/);
  expect(words).not.toContain('closed on');
});

test('shows what the administrator wrote with the end', async () => {
  const ended = {
    ...{ participantId: 'p', title: 'Safety', submittedAt: '2026-05-14T09:37:05.000Z' },
    summary: { ...summary, submissionType: 'database' },
    receipt: { id: 'ABCDE-FGHJK', signed: 'a.b' },
    ...{ ending: null, notes: null, message: 'The room has to be cleared.' },
    detected: [
      {
        ...{ id: 'v', type: 'ended_by_person', at: '2026-05-14T09:36:55.000Z' },
        ...{ durationMs: null, counted: false, note: null },
      },
    ],
  };
  const words = await wordsOf(<CompletedNoticeScreen />, { state: { ended } });
  expect(words).toContain('Your assessment was ended by the administrator.');
  expect(words).toContain('The administrator wrote: “The room has to be cleared.”');
  expect(words).toMatch(/The administrator ended your assessment \d\d:\d\d:\d\d(?! · noted)/);
});

test('pauses the countdown while someone uses the page', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { container } = await show(<ExpiredScreen />);
  for (let i = 0; i < 3; i += 1) await pass(1_000);
  expect(wordsIn(container)).toContain('in 2 seconds');
  for (const touch of [new KeyboardEvent('keydown', { key: 'Tab' }), new Event('wheel')]) {
    window.dispatchEvent(touch);
    await pass(0);
    await pass(14_000);
  }
  expect(wordsIn(container)).toContain('in 2 seconds');
  await pass(1_000);
  expect(wordsIn(container)).toContain('in 1 second');
});

test('shows the thank-you page with summary and countdown', async () => {
  given({ ...ended, summary });
  const words = await wordsOf(<ThankYouScreen />, { account: WRITER });
  expect(words).toContain('Assessment Completed! Thank you, we will get back to you shortly.');
  expect(words).toContain(
    'Assessment Summary Questions Answered 2 of 3 Total Questions 3 Time Taken 2 minutes 5 seconds Violations 1',
  );
  expect(words).toContain(
    'You can now close this window. This window will automatically close in 5 seconds.',
  );
});

test('shows the end of the time', async () => {
  given({ ...ended, summary: { ...summary, submissionType: 'auto' } });
  expect(await wordsOf(<ThankYouScreen />, { account: CANDIDATE })).toContain(
    'Time Expired - Assessment Auto-Submitted Your Assessment was automatically submitted when the time limit was reached.',
  );
});

test('shows that it is sending, without a countdown, until the server acknowledges', async () => {
  given({ kind: 'submitting', by: 'candidate', tries: 1 });
  const words = await wordsOf(<ThankYouScreen />, { account: CANDIDATE });
  expect(words).toContain('Still sending your answers.');
  expect(words).not.toContain('automatically close');
});

test.each([
  ['thank-you', ThankYouScreen],
  ['terminated', DismissedScreen],
])('the %s page of an attempt that cannot be loaded or is elsewhere says so', async (_, Screen) => {
  given({ kind: 'failed', failure: { kind: 'questions', message: 'No connection.' } });
  const words = await wordsOf(<Screen />, { account: WRITER });
  expect(words).toContain(
    'Failed to load questions No connection. The clock keeps running. Answers that were shown as saved are on the server.',
  );
  expect(words).toMatch(/try again|retry/i);
  given({ kind: 'elsewhere' });
  expect(await wordsOf(<Screen />, { account: WRITER })).toContain(
    'Your assessment is open in another tab',
  );
});

test('shows an end by the administrator', async () => {
  given({ ...ended, by: 'server', summary: { ...summary, submissionType: 'database' } });
  expect(await wordsOf(<ThankYouScreen />, { account: CANDIDATE })).toContain(
    'Assessment Ended Your assessment was ended by the administrator. Every answer that was saved by then is submitted. If you have questions, ask the person who invited you.',
  );
});

test('shows the receipt with number, time, answers and fingerprint, to copy, save and check', async () => {
  given({ ...ended, summary });
  const { container } = await show(<ThankYouScreen />, { account: CANDIDATE });
  const words = wordsIn(container);
  expect(words).toContain('Receipt ABCDE-FGHJK');
  expect(words).toMatch(/Submitted 14 May 2026, \d\d:37:05 \S+/);
  expect(words).toContain('Questions answered 2 of 3');
  expect(words).toContain('Fingerprint of the answers the-digest-of-the-answers');
  expect(words).toContain('Copy receipt Save as file');
  const links = page.getByRole('link').elements();
  expect(links.map((link) => link.getAttribute('href'))).toContain('/receipt');
  const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  await page.getByRole('button', { name: 'Copy receipt' }).click();
  await expect.element(page.getByText('Receipt copied.')).toBeVisible();
  expect(copied).toHaveBeenCalledExactlyOnceWith(receipt.signed);
  // The page stays until it is left.
  await expect.element(page.getByRole('button', { name: 'Return to Login' })).toBeVisible();
  await expect.element(page.getByText(/automatically close/)).not.toBeInTheDocument();
});

test('shows that late changes do not count', async () => {
  given({ ...ended, summary });
  const thanks = await wordsOf(<ThankYouScreen />, { account: CANDIDATE });
  expect(thanks).toContain('Your answers are saved: receipt');
  expect(thanks).not.toContain('after the end');
  given({ ...ended, summary, lateCount: 2 });
  const late = await wordsOf(<ThankYouScreen />, { account: CANDIDATE });
  expect(late).toContain('What arrived in time is saved: receipt');
  expect(late).toContain(
    '2 changes arrived after the end. They are not counted, but the administrator can see them.',
  );
  given({ ...ended, summary: { ...summary, status: 'dismissed' }, lateCount: 1 });
  const terminated = await wordsOf(<DismissedScreen />, { account: CANDIDATE });
  expect(terminated).toContain('What arrived in time is saved: receipt');
  expect(terminated).toContain(
    '1 change arrived after the end. It is not counted, but the administrator can see it.',
  );
  expect(late + terminated).not.toMatch(/Your answers are saved|Every answer you gave/);
});

test('shows what is safe and what to do without a response', async () => {
  const sending = { kind: 'submitting', by: 'candidate', tries: 2 } as const;
  given(sending);
  expect(await wordsOf(<ThankYouScreen />, { account: CANDIDATE })).toContain(
    'Keep this window open. The connection is interrupted. Every answer you gave is saved on the server. Your submission is sent automatically when you are back online.',
  );
  const state = { kind: 'offline', waiting: 2 } as const;
  given(sending, { sync: { ...NO_ATTEMPT.sync, state } });
  const words = await wordsOf(<ThankYouScreen />, { account: CANDIDATE });
  expect(words).toContain(
    '2 changes have not reached the server yet. They are kept on this device and sent automatically when you are back online. This page will show whether they arrived in time.',
  );
  expect(words).not.toMatch(/safe|on their way/);
  given(sending, { sync: { ...NO_ATTEMPT.sync, state, durable: false } });
  expect(await wordsOf(<ThankYouScreen />, { account: CANDIDATE })).toContain(
    'This browser cannot keep unsent changes, so do not close or reload this page.',
  );
});

test('shows page, progress, flags, reason and limits of a dismissal', async () => {
  const context = {
    fromPage: 'Review Page',
    answeredCount: 2,
    totalQuestions: 3,
    flaggedCount: 1,
  };
  keep({ dismissalContext: context });
  given({ ...ended, summary: dismissed });
  const words = await wordsOf(<DismissedScreen />, { account: WRITER });
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
    "You left this page for 3.5 seconds. Under this assessment's rules, that ends it.",
  ],
  [
    'face_not_detected',
    6_000,
    3,
    3,
    "Your face was not in view for 6 seconds: that was 3 of 3. Under this assessment's rules, the third ends it.",
  ],
  ['voice_detected', null, 2, 3, null],
])(
  'shows what happened and the receipt after a dismissal by %s',
  async (type, durationMs, count, limit, fact) => {
    const at = Date.parse('2026-05-14T08:00:00Z');
    const item = { id: 'a', type, at, durationMs, counted: { count, limit }, noted: false };
    keep({ detected: { participantId: ATTEMPT.id, detected: [item] } });
    given({
      ...ended,
      summary: dismissed,
    });
    const words = await wordsOf(<DismissedScreen />, {
      account: WRITER,
    });
    expect(words).toContain(
      `Assessment Terminated ${fact === null ? '' : `${fact} `}Your assessment has been dismissed due to multiple violations`,
    );
    expect(words).toContain('Your receipt');
  },
);

test("accepts notes on this attempt's detections after a dismissal", async () => {
  const at = Date.parse('2026-05-14T08:00:00Z');
  const detected = [
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
    keep({ detected: { participantId, detected } });
    return wordsOf(<DismissedScreen />, { account: WRITER });
  };
  given({ ...ended, summary: dismissed });
  expect(await shown(ATTEMPT.id)).toMatch(
    /We heard a voice or a loud sound \d\d:\d\d:\d\d · counted 1 of 3 and 1 more Add a note/,
  );
  expect(await shown('another')).not.toContain('Add a note');
  given({ kind: 'submitting', by: 'dismissal', tries: 0 });
  expect(await shown(ATTEMPT.id)).not.toContain('Add a note');
});

test('shows a dismissal on the assessment page without flags, with an implausible time replaced', async () => {
  const context = {
    fromPage: 'Assessment Page',
    answeredCount: 1,
    totalQuestions: 3,
    flaggedCount: 0,
  };
  const completion = { ...summary, timeSpent: 7_201, submissionType: 'dismissed' };
  keep({ dismissalContext: context, completionData: completion });
  given({ kind: 'submitting', by: 'dismissal', tries: 1 });
  const words = await wordsOf(<DismissedScreen />, { account: WRITER });
  expect(words).toContain(
    'Dismissed from Assessment Page Progress 1 of 3 questions answered Time Taken 2 minutes 0 seconds Reason:',
  );
  // No response yet, so no countdown.
  expect(words).toContain('Saving your progress...');
  expect(words).not.toContain('Auto logout');
  expect(words).not.toContain('was saved and submitted');
});

test('says until when a result could be read, and no more that an email comes', async () => {
  const result = { state: 'closed', at: '2026-06-20T10:00:00.000Z' } as const;
  const words = await wordsOf(<CompletedNoticeScreen />, {
    state: { ended: { ...RECORD, result, timeZone: 'Asia/Kathmandu' } },
  });
  expect(words).toMatch(
    /Result Until 20 Jun 2026, \d\d:\d\d \(\S+\), which is .*15:45 in Asia\/Kathmandu/,
  );
  expect(words).toMatch(
    /Ended 14 May 2026, \d\d:\d\d \(\S+\), which is .*15:22 in Asia\/Kathmandu/,
  );
  expect(words).toContain('Your result can no longer be read here.');
  expect(words).not.toContain('You get an email');
});
