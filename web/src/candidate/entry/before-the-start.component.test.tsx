import type { Account } from '@invigil/core/contract/accounts/auth';
import { OFF_POLICY } from '@invigil/core/domain/violations/violation-policy';
import { useCallback, useState } from 'react';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { memoryLocation } from 'wouter/memory-location';
import { SessionContext } from '../../lib/person/session.tsx';
import { attemptEngines, attemptMonitor } from '../../proctoring/attempt-monitor.ts';
import { ATTEMPT, CANDIDATE, QUIZ, refusal, sessionOf } from '../../testing/fixtures.ts';
import { show, wordsIn, wordsOf } from '../../testing/shown.tsx';
import type { AttemptPhase } from '../attempt/attempt-state.ts';
import { DeviceCard } from '../device-check/device-cards.tsx';
import { PermissionsScreen } from '../device-check/permissions-screen.tsx';
import { ongoingPage, storePhase } from '../navigation.ts';
import { CONSENT_TEXT_VERSION } from './consent-dialog.tsx';
import { InstructionsScreen } from './instructions-screen.tsx';

/** Everything that consent may cover. */
const ALL = { camera: true, microphone: true, stills: true };

/** The consent stored in this tab. */
function agreed(change: Record<string, unknown> = {}): void {
  const given = { userId: 'u', quizId: 'q', textVersion: CONSENT_TEXT_VERSION, to: ALL, at: 0 };
  sessionStorage.setItem('invigil-consent', JSON.stringify({ ...given, ...change }));
}

/** The start button; a dialog hides it from screen readers. */
const start = () => page.getByRole('button', { name: 'Start Assessment', includeHidden: true });

async function consentText(account: Account): Promise<string> {
  const { unmount } = await show(<PermissionsScreen />, { account });
  const words = wordsIn(page.getByRole('alertdialog'));
  await unmount();
  return words;
}

beforeEach(() => {
  vi.spyOn(document, 'fullscreenEnabled', 'get').mockReturnValue(true);
  // No devices and no server.
  vi.spyOn(attemptMonitor, 'askInTurn').mockReturnValue(new Promise(() => undefined));
  vi.spyOn(attemptEngines, 'want').mockReturnValue();
  vi.stubGlobal('fetch', () => new Promise(() => undefined));
});
afterEach(() => {
  storePhase({ kind: 'idle' });
  sessionStorage.clear();
});

test('shows guidelines, policy, duration, kind and consent note in the instructions', async () => {
  const words = await wordsOf(<InstructionsScreen />, { account: CANDIDATE });
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

test('links to practice and to the check of the device before the start, and not later', async () => {
  const token = 'a'.repeat(22);
  const withPractice = (practice: typeof QUIZ.practice) => ({
    ...CANDIDATE,
    quiz: { ...QUIZ, ...(practice && { practice }) },
  });
  const link = (name: string) => page.getByRole('link', { name });
  const links = async (account: Account) => {
    const { unmount } = await show(<InstructionsScreen />, { account });
    const found = [link('Practice first'), link('Check your device')].map(
      (one) => one.query()?.getAttribute('href') ?? null,
    );
    await unmount();
    return found;
  };
  expect(await links(withPractice({ quizId: 'p', token }))).toEqual([
    `/practice/${token}`,
    '/check',
  ]);
  // One that is not available.
  expect(await links(withPractice({ quizId: 'p' }))).toEqual([null, '/check']);
  expect(await links({ ...withPractice({ quizId: 'p', token }), attempt: ATTEMPT })).toEqual([
    null,
    null,
  ]);
});

test('says in the instructions what wrong answers cost, as the running attempt began', async () => {
  const marks = (percent: number) => ({ percent, floor: 'total' as const });
  const quiz = { ...QUIZ, negativeMarks: marks(25) };
  const account = { ...CANDIDATE, quiz };
  const rule = 'Wrong answers A wrong answer costs 25% of its points.';
  expect(await wordsOf(<InstructionsScreen />, { account })).toContain(rule);
  const running = { ...account, attempt: { ...ATTEMPT, negativeMarks: marks(12.5) } };
  expect(await wordsOf(<InstructionsScreen />, { account: running })).toContain('costs 12.5%');
  const free = { ...account, attempt: ATTEMPT };
  expect(await wordsOf(<InstructionsScreen />, { account: free })).not.toContain('Wrong answers');
});

describe('another attempt', () => {
  const retakes = { attempts: 3, waitMinutes: 0, counts: 'best' as const };
  const quiz = { ...QUIZ, retakes, policy: { ...OFF_POLICY, version: 1 } };
  const ended = { ...ATTEMPT, status: 'completed' as const };
  const after = '019a6f3e-7b1c-7d3a-9f2e-4c5d7f3a91c9';
  const account = { ...CANDIDATE, quiz, attempt: ended, retake: { after, number: 2, left: 2 } };

  test('says in the instructions which one it is, and leads to a released result', async () => {
    const first = { ...CANDIDATE, quiz };
    expect(await wordsOf(<InstructionsScreen />, { account: first })).toContain(
      'on the next page. This is attempt 1 of 3; the best one counts.',
    );
    const once = { ...first, quiz: { ...quiz, retakes: { ...retakes, attempts: 1 } } };
    expect(await wordsOf(<InstructionsScreen />, { account: once })).toContain('only once.');
    const location = memoryLocation({ path: '/quiz/instructions', record: true });
    const known = { ...account, hasResult: true as const };
    const { container } = await show(<InstructionsScreen />, { account: known, location });
    expect(wordsIn(container)).toContain('This is attempt 2 of 3; the best one counts.');
    await page.getByRole('button', { name: 'See your result' }).click();
    expect(location.history.at(-1)).toBe('/quiz/result');
  });

  test('starts after the ended one, which it names', async () => {
    agreed();
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const bodies: unknown[] = [];
    vi.stubGlobal('fetch', (url: string, { method, body }: RequestInit = {}) => {
      if (method !== 'POST' || !url.endsWith('/api/participants')) {
        return new Promise(() => undefined);
      }
      bodies.push(JSON.parse(`${body}`));
      return Promise.resolve(refusal(403, 'NOT_OPEN_YET'));
    });
    await show(<PermissionsScreen />, { account });
    await start().click();
    await expect.poll(() => bodies).toMatchObject([{ retakes: after }]);
  });
});

test.each(['loading', 'running', 'submitting'] as const)(
  'redirects the screens before the start to the attempt while it is %s',
  async (kind) => {
    const phase: AttemptPhase =
      kind === 'submitting' ? { kind, by: 'candidate', tries: 0 } : { kind };
    storePhase(phase);
    expect(ongoingPage()).toBe('/quiz/assessment');
    for (const screen of [<InstructionsScreen key="i" />, <PermissionsScreen key="p" />]) {
      const { container, unmount } = await show(screen, { account: CANDIDATE });
      expect(container).toBeEmptyDOMElement();
      await unmount();
    }
    storePhase({ kind: 'submitting', by: 'time', tries: 0 });
    expect(ongoingPage()).toBe('/quiz/thankyou');
    storePhase({ kind: 'stopped', why: 'signed-out' });
    expect(await wordsOf(<InstructionsScreen />, { account: CANDIDATE })).toContain(
      'Before you start',
    );
  },
);

test('asks for consent and cannot start without it', async () => {
  await show(<PermissionsScreen />, { account: CANDIDATE });
  const dialog = page.getByRole('alertdialog', { name: 'Your consent to monitoring' });
  await expect.element(dialog).toBeVisible();
  expect(wordsIn(dialog)).toMatch(/Reject & Exit Accept & Continue$/);
  await expect.element(start()).toBeDisabled();
  await dialog.getByRole('button', { name: 'Accept & Continue' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(sessionStorage.getItem('invigil-consent')).toContain(CONSENT_TEXT_VERSION);
  // No device is granted yet.
  await expect.element(start()).toBeDisabled();
});

test('shows number and type of the questions by itself once the assessment has opened', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const quiz = { ...QUIZ, opensAt: '2026-12-03T09:00:00Z', totalQuestions: 0, questionCount: 0 };
  const before = { ...CANDIDATE, quiz, opensInMs: 5_000 };
  const refresh = vi.fn(async () => before);
  const session = { refresh, receivedAt: performance.now() };
  await show(<InstructionsScreen />, { account: before, session });
  await vi.advanceTimersByTimeAsync(4_900);
  expect(refresh).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1_200);
  expect(refresh).toHaveBeenCalledTimes(1);
  // Not open for the server yet, or not reached.
  refresh.mockRejectedValueOnce(new Error('away'));
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  await vi.advanceTimersByTimeAsync(4_000);
  expect(refresh).toHaveBeenCalledTimes(3);
});

test('waits for the opening, says when it is, follows when it moves, and unlocks by itself', async () => {
  agreed();
  const granted = { kind: 'granted', stream: new MediaStream() } as const;
  const monitor = vi.spyOn(attemptMonitor, 'getSnapshot');
  monitor.mockReturnValue({
    ...attemptMonitor.getSnapshot(),
    camera: granted,
    microphone: granted,
  });
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const tell = (opensAt: string, opensInMs: number) => {
    const news = { opensAt, opensInMs, timeZone: 'Pacific/Auckland', isOpen: true };
    void writer.write(
      new TextEncoder().encode(`event: opening\ndata: ${JSON.stringify(news)}\n\n`),
    );
  };
  vi.stubGlobal('fetch', async (url: string) =>
    url.endsWith('/api/opening/events') ? new Response(readable) : new Promise(() => undefined),
  );
  const quiz = { ...QUIZ, opensAt: '2026-12-03T09:00:00Z', totalQuestions: 0, questionCount: 0 };
  const account = { ...CANDIDATE, quiz, opensInMs: 3_600_000 };
  const facts = await wordsOf(<InstructionsScreen />, { account });
  expect(facts).toMatch(/Duration 25 minutes .*Opens 3 Dec/);
  expect(facts).not.toMatch(/Questions|Type/);

  await show(<PermissionsScreen />, { account });
  const said = () => page.getByRole('status').elements().map(wordsIn).join(' ');
  await expect.poll(said).toMatch(/Opens Thursday,? 3 December at .* in (1:00:00|59:\d\d)/);
  await expect.element(start()).toBeDisabled();
  tell('2026-12-04T09:00:00Z', 7_200_000);
  await expect.poll(said).toMatch(/Opens Friday,? 4 December at .* 22:00 in Pacific\/Auckland/);
  tell('2026-12-03T08:00:00Z', 400);
  await expect.element(start()).toBeEnabled();
  tell('2026-12-04T09:00:00Z', 7_200_000);
  await expect.element(start()).toBeDisabled();
});

test('can start with consent and both devices, but not without a device', async () => {
  agreed();
  const granted = { kind: 'granted', stream: new MediaStream() } as const;
  const monitor = vi.spyOn(attemptMonitor, 'getSnapshot');
  const idle = attemptMonitor.getSnapshot();
  monitor.mockReturnValue({ ...idle, camera: granted, microphone: granted });
  const ready = await show(<PermissionsScreen />, { account: CANDIDATE });
  await expect.element(start()).toBeEnabled();
  await ready.unmount();
  monitor.mockReturnValue({ ...idle, camera: granted });
  const waiting = await show(<PermissionsScreen />, { account: CANDIDATE });
  await expect.element(start()).toBeDisabled();
  expect(wordsIn(waiting.container)).toContain(
    'Please ensure camera and microphone permissions are granted',
  );
  await waiting.unmount();
  // Both prompts were shown, one is unanswered.
  vi.spyOn(attemptMonitor, 'askInTurn').mockResolvedValue();
  await show(<PermissionsScreen />, { account: CANDIDATE });
  await expect
    .element(page.getByText('Both camera and microphone permissions are required to continue'))
    .toBeVisible();
  await expect.element(start()).toBeDisabled();
});

test('says whom to ask where a device does not work, and that no time runs', async () => {
  agreed();
  const failed = {
    kind: 'failed',
    failure: { cause: 'busy', message: 'Camera access is required', advice: 'Close it.' },
  } as const;
  const idle = attemptMonitor.getSnapshot();
  const monitor = vi.spyOn(attemptMonitor, 'getSnapshot');
  monitor.mockReturnValue({ ...idle, camera: failed });
  vi.spyOn(attemptMonitor, 'askInTurn').mockResolvedValue();
  const { container } = await show(<PermissionsScreen />, { account: CANDIDATE });
  await expect.element(page.getByText('Still not working?')).toBeVisible();
  expect(wordsIn(container)).toContain(
    'Ask the person who invited you: they can let you start without it. Your time has not started.',
  );
});

test.each(['ALREADY_COMPLETED', 'QUIZ_INACTIVE'])(
  'leads by the account as it is now where a start is refused: %s',
  async (code) => {
    agreed();
    vi.stubGlobal('fetch', (url: string, { method }: RequestInit = {}) =>
      method === 'POST' && url.endsWith('/api/participants')
        ? Promise.resolve(refusal(403, code))
        : new Promise(() => undefined),
    );
    const location = memoryLocation({ path: '/quiz/permissions', record: true });
    const readAt: (string | undefined)[] = [];
    const refresh = async () => {
      readAt.push(location.history.at(-1));
      return null;
    };
    const quiz = { ...QUIZ, policy: { ...OFF_POLICY, version: 1 } };
    const account = { ...CANDIDATE, quiz };
    await show(<PermissionsScreen />, { account, session: { refresh }, location });
    await start().click();
    await expect.poll(() => location.history).toEqual(['/']);
    expect(readAt).toEqual(['/quiz/permissions']);
  },
);

/** The device check of an account that is read again. */
function DeviceCheckOf({ account, read }: { account: Account; read(): Promise<Account> }) {
  const [known, setKnown] = useState(account);
  const refresh = useCallback(async () => {
    const now = await read();
    setKnown(now);
    return now;
  }, [read]);
  return (
    <SessionContext value={{ ...sessionOf(known), refresh }}>
      <PermissionsScreen />
    </SessionContext>
  );
}

/** Presses start while the server cannot be reached; `answer` lets it answer the next start. */
async function startInAnOutage(after: Account) {
  agreed();
  const outage = { isUp: false, starts: 0, reads: 0, answered: Promise.resolve() };
  vi.stubGlobal('fetch', (url: string, { method }: RequestInit = {}) => {
    if (method !== 'POST' || !url.endsWith('/api/participants'))
      return new Promise(() => undefined);
    outage.starts += 1;
    if (!outage.isUp) return Promise.reject(new TypeError('Failed to fetch'));
    return Promise.resolve(refusal(403, 'NOT_OPEN_YET'));
  });
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const policy = { ...OFF_POLICY, version: 1 };
  const of = (account: Account) => ({ ...account, quiz: { ...QUIZ, policy } });
  const read = async () => {
    if (!outage.isUp) throw new TypeError('Failed to fetch');
    outage.reads += 1;
    await outage.answered;
    return of(after);
  };
  const { unmount } = await show(<DeviceCheckOf account={of(CANDIDATE)} read={read} />);
  await start().click();
  await expect.element(page.getByText(/^The assessment may have started/)).toBeVisible();
  expect(outage.starts).toBe(1);
  return Object.assign(outage, { unmount });
}

test('starts by itself once the server answers, and not before the account is known', async () => {
  const outage = await startInAnOutage(CANDIDATE);
  await expect.element(page.getByText(/Stay on this page: it keeps trying/)).toBeVisible();
  window.dispatchEvent(new Event('online'));
  await expect.element(page.getByText(/^The assessment may have started/)).toBeVisible();
  expect(outage.starts).toBe(1);
  outage.isUp = true;
  window.dispatchEvent(new Event('online'));
  await expect.poll(() => outage.starts).toBe(2);
  // The server has answered: nothing is repeated.
  await expect.element(page.getByText(/^Your time has not started\. Try again/)).toBeVisible();
  window.dispatchEvent(new Event('online'));
  expect(page.getByText(/keeps trying/).elements()).toHaveLength(0);
  expect(outage.starts).toBe(2);
});

test.each([
  ['has not started', CANDIDATE, 'Your time has not started. You can start now.'],
  ['is under way', { ...CANDIDATE, attempt: ATTEMPT }, /is under way.* Continue now\.$/],
] as const)(
  'asks again where the page was out of view meanwhile, and says what is known: it %s',
  async (_, after, told) => {
    const outage = await startInAnOutage(after);
    const seen = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    document.dispatchEvent(new Event('visibilitychange'));
    seen.mockRestore();
    document.dispatchEvent(new Event('visibilitychange'));
    outage.isUp = true;
    window.dispatchEvent(new Event('online'));
    await expect.element(page.getByText('The server can be reached again.')).toBeVisible();
    await expect.element(page.getByText(told)).toBeVisible();
    expect(outage.starts).toBe(1);
  },
);

test('does not start for someone who left the screen while the server was asked', async () => {
  const outage = await startInAnOutage(CANDIDATE);
  const { promise, resolve } = Promise.withResolvers<void>();
  Object.assign(outage, { isUp: true, answered: promise });
  window.dispatchEvent(new Event('online'));
  await expect.poll(() => outage.reads).toBe(1);
  await outage.unmount();
  resolve();
  await new Promise((done) => setTimeout(done, 100));
  expect(outage.starts).toBe(1);
});

test('says that no time runs where the browser was offline when the button was pressed', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  agreed();
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const quiz = { ...QUIZ, policy: { ...OFF_POLICY, version: 1 } };
  await show(<PermissionsScreen />, { account: { ...CANDIDATE, quiz } });
  await start().click();
  await expect
    .element(
      page.getByText(
        'Your time has not started. Stay on this page: it keeps trying, and starts as soon as it can.',
      ),
    )
    .toBeVisible();
});

test('continues a running attempt without a device and says that it is recorded', async () => {
  agreed();
  const failure = { cause: 'missing', message: 'No camera', advice: 'Connect one.' } as const;
  const idle = attemptMonitor.getSnapshot();
  const camera = { kind: 'failed', failure } as const;
  vi.spyOn(attemptMonitor, 'getSnapshot').mockReturnValue({ ...idle, camera });
  const before = await show(<PermissionsScreen />, { account: CANDIDATE });
  await expect.element(start()).toBeDisabled();
  await before.unmount();
  const account = { ...CANDIDATE, attempt: ATTEMPT };
  const { container } = await show(<PermissionsScreen />, { account });
  // Nobody is asked for consent a second time.
  await expect.element(page.getByRole('button', { name: 'Continue assessment' })).toBeEnabled();
  expect(wordsIn(container)).toContain('You can continue without the device. This is recorded.');
});

test.each([
  ['the camera', { camera: false }],
  ['the microphone', { microphone: false }],
])('asks again if the consent covers less than the policy: %s', async (_, less) => {
  agreed({ to: { ...ALL, ...less } });
  expect(await consentText(CANDIDATE)).toContain('Your consent to monitoring');
});

test('asks again if the consent is from another person', async () => {
  agreed({ userId: 'another person' });
  expect(await consentText(CANDIDATE)).toContain('Your consent to monitoring');
  agreed();
  await show(<PermissionsScreen />, { account: CANDIDATE });
  expect(page.getByRole('alertdialog').elements()).toEqual([]);
});

test.each([
  ['its own minutes', { extraTimeFactor: 1.5 }, {}, 'Duration 37 minutes 30 seconds'],
  [
    'the end that cuts a late start short',
    {},
    { endDate: '2026-05-14T10:00:00Z' },
    'Closes 14 May',
  ],
  [
    'until when to start, if everyone may finish',
    {},
    { endDate: '2026-05-14T10:00:00Z', finishAfterEnd: true },
    'Open until 14 May',
  ],
])('shows in the instructions: %s', async (_, account, quiz, words) => {
  const person = { ...CANDIDATE, ...account, quiz: { ...QUIZ, ...quiz } };
  expect(await wordsOf(<InstructionsScreen />, { account: person })).toContain(words);
});

test("names the reader's zone in the instructions, and the institution's where its clock differs", async () => {
  const endDate = '2099-05-14T10:00:00Z';
  const account = { ...CANDIDATE, quiz: { ...QUIZ, endDate }, timeZone: 'Asia/Kathmandu' };
  const words = await wordsOf(<InstructionsScreen />, { account });
  expect(words).toMatch(
    /Closes 1\d May 2099, \d\d:\d\d \(\S+\), which is .*15:45 in Asia\/Kathmandu/,
  );
});

test('shows the running clock and the time left to a returning candidate', async () => {
  const person = { ...CANDIDATE, attempt: ATTEMPT };
  const words = await wordsOf(<InstructionsScreen />, { account: person });
  expect(words).toContain('Continue your assessment');
  expect(words).toContain('The clock is running.');
  expect(words).toContain('Time left 16 minutes');
  expect(words).toContain('You agreed to the monitoring at the start, and it goes on.');
  expect(words).toMatch(/Continue assessment Check camera and microphone$/);
  expect(words).not.toMatch(/clock starts|does not start|Before you start|Duration/);
});

test('names no device to a returning candidate where none is used', async () => {
  const attempt = { ...ATTEMPT, policy: { ...OFF_POLICY, version: 1 } };
  const words = await wordsOf(<InstructionsScreen />, { account: { ...CANDIDATE, attempt } });
  expect(words).toContain('You agreed at the start to what is recorded.');
  expect(words).not.toMatch(/camera|microphone|monitoring/i);
});

test('asks to check only what is used', async () => {
  const quiz = { ...QUIZ, policy: { ...QUIZ.policy, microphone: false } };
  agreed();
  const words = await wordsOf(<PermissionsScreen />, { account: { ...CANDIDATE, quiz } });
  expect(words).toContain('Check that we can see you.');
});

test('omits camera, microphone and fullscreen from the consent if unused', async () => {
  const off = { ...QUIZ, policy: { ...OFF_POLICY, version: 1 } };
  const consent = (evidenceDays: number) => consentText({ ...CANDIDATE, quiz: off, evidenceDays });
  expect(await consent(1)).toMatch(/How long : the device check is deleted after 1 day ?\./);
  const words = await consent(90);
  expect(words).toContain('Who sees it : administrators only.');
  expect(words).not.toMatch(/photo|still|sound|fullscreen/i);
  const instructions = await wordsOf(<InstructionsScreen />, {
    account: { ...CANDIDATE, quiz: off },
  });
  expect(instructions).not.toContain('Strict security');
});

test('shows the licenses of the detectors only if there are detectors', async () => {
  const { container, unmount } = await show(<PermissionsScreen />, { account: CANDIDATE });
  const list = (root: HTMLElement) => root.querySelector('a[href="/assets/third-party.txt"]');
  expect(list(container)).not.toBeNull();
  await unmount();
  const off = { ...QUIZ, policy: { ...OFF_POLICY, version: 1 } };
  const without = await show(<PermissionsScreen />, { account: { ...CANDIDATE, quiz: off } });
  expect(list(without.container)).toBeNull();
});

test('states what is deleted after the retention period in the consent', async () => {
  const words = await consentText({ ...CANDIDATE, evidenceDays: 30 });
  expect(words).toMatch(/How long : photos and sound levels are deleted after 30 days ?\./);
  expect(words).toContain('the list of what was detected are kept.');
  for (const head of ['Why', 'Who sees it', 'Your camera', 'Your microphone', 'Your answers']) {
    expect(words).toContain(head);
  }
});

test('shows a device as not asked, granted or denied, and what is required', async () => {
  const card = (status: Parameters<typeof DeviceCard>[0]['status']) =>
    wordsOf(
      <DeviceCard device="camera" status={status} title="Camera" icon="" footer="">
        picture
      </DeviceCard>,
    );
  expect(await card({ kind: 'off' })).toContain('Camera Not asked');
  expect(await card({ kind: 'granted', stream: new MediaStream() })).toContain('Camera Granted');
  const message = 'Camera access is required for this assessment';
  const failure = { device: 'camera', cause: 'refused', message, advice: 'Allow it.' } as const;
  expect(await card({ kind: 'failed', failure })).toMatch(
    /^Camera Denied Camera access is required for this assessment/,
  );
});
