import type * as React from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import type { SyncState } from '../../answer-sync/answer-sync.ts';
import { attemptMonitor } from '../../proctoring/attempt-monitor.ts';
import { ATTEMPT, draw, wordsOf } from '../../testing/drawn.tsx';
import { NO_ATTEMPT } from '../attempt/attempt-state.ts';
import { currentAttempt } from '../current-attempt.ts';
import { FullscreenPanel, LeftPanel } from '../halted/attempt-panels.tsx';
import { FaceLine, ViolationsLine, VoiceLine } from '../monitor-lines.tsx';
import { currentInvigilation } from '../monitoring/current-invigilation.ts';
import { NO_NOTICES, type Notices } from '../monitoring/notice-board.ts';
import NoticedStrip from './noticed-strip.tsx';
import { untilHere, Warnings } from './notices.tsx';
import ViolationNotices from './violation-notices.tsx';

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
  return { ...radix, AlertDialog: { ...radix.AlertDialog, Portal } };
});

beforeEach(() => {
  vi.stubGlobal('document', { fullscreenEnabled: true, fullscreenElement: null });
  vi.stubGlobal('localStorage', { getItem: () => null });
  vi.stubGlobal('sessionStorage', { getItem: () => null });
});

const monitor = (change: Partial<ReturnType<typeof attemptMonitor.getSnapshot>>) => {
  const off = { kind: 'off' } as const;
  const quiet = { camera: off, microphone: off, level: null, face: 'starting' } as const;
  vi.spyOn(attemptMonitor, 'getSnapshot').mockReturnValue({ ...quiet, ...change });
};

test.each([
  ['ok', 'Face: OK'],
  ['not-detected', 'Face: Not Detected Move back into view'],
  ['cannot-tell', 'Face: Cannot tell'],
  ['starting', 'Face: Starting'],
] as const)('the status box says of a face that is %s: %s', (face, words) => {
  monitor({ face });
  const markup = draw(<FaceLine />);
  expect(wordsOf(markup)).toBe(words);
  // Only a miss looks like a warning, and it has a sign of its own.
  expect(markup.includes('text-warn-ink')).toBe(face === 'not-detected');
});

test.each([
  [40, false],
  [41, true],
])('the level is red above 40: %i', (level, red) => {
  monitor({ level });
  const markup = draw(<VoiceLine redAbove={40} />);
  expect(wordsOf(markup)).toBe(`Voice: ${level} dB`);
  expect(markup.includes('text-bad-ink')).toBe(red);
});

test('the violations are the number of the server with the limit of the policy', () => {
  vi.spyOn(currentAttempt, 'getSnapshot').mockReturnValue({
    ...NO_ATTEMPT,
    participant: ATTEMPT,
    violationCount: 2,
  });
  expect(wordsOf(draw(<ViolationsLine limit={3} />))).toBe('Violations: 2/3');
  expect(wordsOf(draw(<ViolationsLine limit={null} />))).toBe('Violations: 2');
});

const nothing = () => Promise.resolve();

const QUIET = { popup: null, counted: null, fullscreen: null };

test('a counted violation: warning, words, what is left, one button', () => {
  const counted = { id: 'a', type: 'voice_detected', count: 1, limit: 3, remaining: 2 } as const;
  const markup = draw(<ViolationNotices {...QUIET} counted={counted} />);
  expect(markup).toContain('role="alertdialog"');
  expect(wordsOf(markup)).toBe(
    'WARNING Voice/sound detected! Please maintain silence. This violation has been recorded. 2 more before your answers are submitted 1/3 Continue',
  );
});

test('the one that ends the attempt has nothing to press', () => {
  const counted = { id: 'a', type: 'face_not_detected', count: 3, limit: 3, remaining: 0 } as const;
  const words = wordsOf(draw(<ViolationNotices {...QUIET} counted={counted} />));
  expect(words).toContain('Your answers are being submitted now');
  expect(words).not.toContain('Continue');
});

test('an Escape that left fullscreen is answered in the dialog, by the button that brings back', () => {
  const counted = { id: 'a', type: 'voice_detected', count: 1, limit: 3, remaining: 2 } as const;
  const shown = (fullscreen: Notices['fullscreen']) =>
    wordsOf(draw(<ViolationNotices {...QUIET} counted={counted} fullscreen={fullscreen} />));
  expect(shown({ n: 1, limit: 5 })).not.toContain('Escape');
  expect(shown({ returnMs: 15_000 })).toContain(
    'Press Continue within 15 seconds and it does not count.',
  );
});

test('the popup is spoken once and takes no focus', () => {
  const popup = { id: 'a', type: 'face_not_detected' } as const;
  const markup = draw(<ViolationNotices {...QUIET} popup={popup} />);
  expect(markup).toMatch(
    /role="alert"[^>]*>Warning: Face not detected! Please ensure your face is visible\./,
  );
  expect(markup).not.toContain('<button');
});

test('the fullscreen panel has the number of the server, and none where nothing was counted', () => {
  const notices = vi.spyOn(currentInvigilation, 'getNotices');
  notices.mockReturnValue({ ...NO_NOTICES, fullscreen: { n: 2, limit: 5 } });
  expect(wordsOf(draw(<FullscreenPanel />))).toContain(
    'Warning 2/5: You must stay in fullscreen mode.',
  );
  for (const fullscreen of [null, { returnMs: 15_000 }]) {
    notices.mockReturnValue({ ...NO_NOTICES, fullscreen });
    const words = wordsOf(draw(<FullscreenPanel />));
    expect(words).toContain('This assessment runs in fullscreen');
    // Only who is excused hears how not to be warned.
    expect(words.includes('within 15 seconds and it does not count')).toBe(fullscreen !== null);
  }
});

test('who left the page for good reads the fact and the rule, and has nothing to press', () => {
  const panel = (state: SyncState) => {
    const sync = { ...NO_ATTEMPT.sync, state };
    vi.spyOn(currentAttempt, 'getSnapshot').mockReturnValue({ ...NO_ATTEMPT, sync });
    return draw(<LeftPanel durationMs={3_500} />);
  };
  const online = panel({ kind: 'saved', at: null });
  expect(wordsOf(online)).toBe(
    "Your assessment is ending You left this page for 3.5 seconds. Under this assessment's rules that ends it. Your answers are being submitted now.",
  );
  expect(online).not.toMatch(/<button/);
  expect(wordsOf(panel({ kind: 'offline', waiting: 1 }))).not.toContain('now');
});

test('the strip says what was noticed as a fact, and takes a note', () => {
  const at = new Date('2026-05-14T08:00:00Z');
  const noticed = [
    { id: 'b', type: 'multiple_faces', at, durationMs: null, counted: null, noted: false },
    { id: 'a', type: 'clipboard', at, durationMs: null, counted: null, noted: true },
  ] as const;
  const words = wordsOf(draw(<NoticedStrip noticed={noticed} onNote={nothing} />));
  expect(words).toMatch(
    /^We saw more than one face \d\d:\d\d:\d\d · noted, not counted and 1 more/,
  );
  const counted = {
    ...noticed[0],
    type: 'voice_detected',
    counted: { count: 1, limit: 3 },
  } as const;
  const strip = draw(<NoticedStrip noticed={[counted]} onNote={nothing} onClose={vi.fn()} />);
  expect(wordsOf(strip)).toContain(
    ' · counted 1 of 3 · Only speech and very loud sounds count. Add a note',
  );
  // The others are a press away, and each takes a note of its own.
  const markup = draw(<NoticedStrip noticed={noticed} onNote={nothing} />);
  expect(markup).toMatch(/<button[^>]*aria-expanded="false"[^>]*>and 1 more</);
  expect(words).toContain('Add a note');
});

test('a screen reader hears what was noticed from a line that is there before anything was', () => {
  const notices = vi.spyOn(currentInvigilation, 'getNotices');
  notices.mockReturnValue(NO_NOTICES);
  expect(draw(<Warnings />)).toMatch(/^<p role="status" class="sr-only"><\/p>$/);
  notices.mockReturnValue({
    ...NO_NOTICES,
    spoken: { id: 'a', text: 'We saw more than one face' },
  });
  expect(draw(<Warnings />)).toContain('We saw more than one face');
  // The strip itself is silent but for the note.
  const item = {
    id: 'a',
    type: 'context_menu',
    at: new Date(),
    durationMs: null,
    counted: null,
    noted: false,
  } as const;
  expect(draw(<NoticedStrip noticed={[item]} onNote={nothing} />)).toContain(
    '<span role="status"></span>',
  );
});

test('a notice whose code cannot be fetched is fetched again, and fails no screen', async () => {
  vi.useFakeTimers();
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const code = { default: () => null };
  const load = vi.fn(async () => code);
  load.mockRejectedValueOnce(new TypeError('Failed to fetch dynamically imported module'));
  const here = untilHere(load)();
  await vi.advanceTimersByTimeAsync(1_999);
  expect(load).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(await here).toBe(code);
  expect(warned).toHaveBeenCalledTimes(1);
  vi.useRealTimers();
});
