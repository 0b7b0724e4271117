import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { SyncState } from '../../answer-sync/answer-sync.ts';
import { attemptMonitor } from '../../proctoring/attempt-monitor.ts';
import { givenAttempt } from '../../testing/attempts.ts';
import { ATTEMPT } from '../../testing/fixtures.ts';
import { show, tokenColor, wordsIn, wordsOf } from '../../testing/shown.tsx';
import { NO_ATTEMPT } from '../attempt/attempt-state.ts';
import { FullscreenPanel, LeftPanel } from '../halted.tsx';
import { FaceLine, ViolationsBadge, ViolationsLine, VoiceLine } from '../monitor-lines.tsx';
import { currentMonitoring } from '../monitoring/current-monitoring.ts';
import { NO_NOTICES, type Notices } from '../monitoring/notice-board.ts';
import { RailMonitor } from './camera-overlay.tsx';
import DetectedStrip from './detected-strip.tsx';
import { untilHere, Warnings } from './notices.tsx';
import ViolationNotices from './violation-notices.tsx';

const monitor = (change: Partial<ReturnType<typeof attemptMonitor.getSnapshot>>) => {
  const off = { kind: 'off' } as const;
  const quiet = {
    camera: off,
    microphone: off,
    level: null,
    sound: null,
    face: 'starting',
    faceCountsInMs: null,
  } as const;
  vi.spyOn(attemptMonitor, 'getSnapshot').mockReturnValue({ ...quiet, ...change });
};

/** Room in the sidebar of the test screen: 336 px, less its border and its padding. */
const SIDEBAR_PX = 336 - 1 - 2 * 24;

/** Whether an element has the color of this token. */
const hasInk = (element: Element, token: string) =>
  getComputedStyle(element).color === tokenColor(token);

test.each([
  ['ok', 'Face: OK'],
  ['not-detected', 'Face: Not Detected Move back into view'],
  ['cannot-tell', 'Face: Cannot tell'],
  ['starting', 'Face: Starting'],
] as const)('the status box says of a face that is %s: %s', async (face, words) => {
  monitor({ face });
  const { container } = await show(<FaceLine />);
  expect(wordsIn(container)).toBe(words);
  // Only a miss looks like a warning, with its own icon.
  const line = page.getByRole('listitem').element();
  expect(hasInk(line, 'warn-ink')).toBe(face === 'not-detected');
});

test('shows no hint for a missing face that may be covered', async () => {
  monitor({ face: 'not-detected' });
  const { container } = await show(<FaceLine mayBeCovered />);
  expect(wordsIn(container)).toBe('Face: May be covered');
  expect(hasInk(page.getByRole('listitem').element(), 'warn-ink')).toBe(false);
});

test.each([
  [40, false],
  [41, true],
])('the level is red above 40: %i', async (level, red) => {
  monitor({ level });
  const { container } = await show(<VoiceLine redAbove={40} />);
  expect(wordsIn(container)).toBe(`Voice: ${level} dB`);
  const shown = page.getByText(`${level} dB`, { exact: true }).element();
  expect(hasInk(shown, 'bad-ink')).toBe(red);
});

test('names the sound beside its level: a fan is noise, and looks like nothing bad', async () => {
  monitor({ level: 91, sound: 'noise' });
  const { container } = await show(<VoiceLine redAbove={40} />);
  expect(wordsIn(container)).toBe('Voice: 91 dB Noise');
  expect(hasInk(page.getByText('Noise').element(), 'bad-ink')).toBe(false);
});

test.each(['quiet', 'noise', 'speech'] as const)(
  'the widest words beside the camera picture stay within the sidebar: %s',
  async (sound) => {
    const { policy } = ATTEMPT;
    givenAttempt({ participant: ATTEMPT, violationCount: 2 });
    monitor({ face: 'not-detected', level: 120, sound });
    const { container } = await show(
      <div style={{ width: `${SIDEBAR_PX}px` }}>
        <RailMonitor policy={policy} />
      </div>,
    );
    const edge = container.getBoundingClientRect().left + SIDEBAR_PX;
    const words = [...container.querySelectorAll('li, li *')];
    expect(wordsIn(container)).toContain('Voice: 120 dB');
    for (const each of words) expect(each.getBoundingClientRect().right).toBeLessThan(edge + 1);
  },
);

test('shows the count in the bar from the first violation on', async () => {
  givenAttempt({ participant: ATTEMPT, violationCount: 0 });
  expect((await show(<ViolationsBadge limit={3} />)).container.textContent).toBe('');
  givenAttempt({ participant: ATTEMPT, violationCount: 1 });
  await show(<ViolationsBadge limit={3} />);
  await expect.element(page.getByRole('img', { name: '1 of 3 violations' })).toBeVisible();
});

test("shows the server's count with the policy's limit", async () => {
  givenAttempt({ participant: ATTEMPT, violationCount: 2 });
  const { container, rerender } = await show(<ViolationsLine limit={3} />);
  expect(wordsIn(container)).toBe('Violations: 2/3');
  await rerender(<ViolationsLine limit={null} />);
  expect(wordsIn(container)).toBe('Violations: 2');
});

const nothing = () => Promise.resolve();

const QUIET = { popup: null, counted: null, fullscreen: null };

test('shows a counted violation with warning, text, remaining count and one button', async () => {
  const acknowledged = vi.spyOn(currentMonitoring, 'acknowledge').mockReturnValue();
  const counted = { id: 'a', type: 'voice_detected', count: 1, limit: 3, remaining: 2 } as const;
  await show(<ViolationNotices {...QUIET} counted={counted} />);
  const dialog = page.getByRole('alertdialog', { name: /^Voice\/sound detected!/ });
  await expect.element(dialog).toBeVisible();
  expect(wordsIn(dialog)).toBe(
    'WARNING Voice/sound detected! Please maintain silence. This violation has been recorded. 2 more violations end your assessment 1/3 Continue',
  );
  expect(dialog.getByRole('button').elements()).toHaveLength(1);
  // It has the focus, and Escape acts like the button.
  await expect.element(dialog.getByRole('button', { name: 'Continue' })).toHaveFocus();
  await userEvent.keyboard('{Escape}');
  expect(acknowledged).toHaveBeenCalledTimes(1);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  expect(acknowledged).toHaveBeenCalledTimes(2);
});

test('has no button on the violation that ends the attempt', async () => {
  const acknowledged = vi.spyOn(currentMonitoring, 'acknowledge').mockReturnValue();
  const counted = { id: 'a', type: 'face_not_detected', count: 3, limit: 3, remaining: 0 } as const;
  await show(<ViolationNotices {...QUIET} counted={counted} />);
  const dialog = page.getByRole('alertdialog');
  await expect.element(dialog).toHaveFocus();
  expect(wordsIn(dialog)).toContain('Your answers are being submitted now');
  expect(dialog.getByRole('button').elements()).toHaveLength(0);
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).toBeVisible();
  expect(acknowledged).not.toHaveBeenCalled();
});

test('returns to fullscreen from the dialog after an excused Escape', async () => {
  const counted = { id: 'a', type: 'voice_detected', count: 1, limit: 3, remaining: 2 } as const;
  const notices = (fullscreen: Notices['fullscreen']) => (
    <ViolationNotices {...QUIET} counted={counted} fullscreen={fullscreen} />
  );
  const dialog = page.getByRole('alertdialog');
  const { rerender } = await show(notices({ n: 1, limit: 5 }));
  await expect.element(dialog).toBeVisible();
  expect(wordsIn(dialog)).not.toContain('Escape');
  await rerender(notices({ returnMs: 15_000 }));
  expect(wordsIn(dialog)).toContain('Press Continue within 15 seconds and it does not count.');
});

test('announces the popup once without taking the focus', async () => {
  const popup = { id: 'a', type: 'face_not_detected' } as const;
  const { container } = await show(<ViolationNotices {...QUIET} popup={popup} />);
  await expect
    .element(page.getByRole('alert'))
    .toHaveTextContent('Warning: Face not detected! Please ensure your face is visible.');
  expect(container.querySelectorAll('button, [tabindex]')).toHaveLength(0);
  expect(document.activeElement).toBe(document.body);
});

test("shows the server's count in the fullscreen panel, and none if nothing counted", async () => {
  const notices = vi.spyOn(currentMonitoring, 'getNotices');
  const panel = (fullscreen: Notices['fullscreen']) => {
    notices.mockReturnValue({ ...NO_NOTICES, fullscreen });
    return wordsOf(<FullscreenPanel />);
  };
  expect(await panel({ n: 2, limit: 5 })).toContain(
    'Warning 2/5: You must stay in fullscreen mode.',
  );
  for (const fullscreen of [null, { returnMs: 15_000 }]) {
    const words = await panel(fullscreen);
    expect(words).toContain('This assessment runs in fullscreen');
    // Only an excused exit shows how to avoid a warning.
    expect(words.includes('within 15 seconds and it does not count')).toBe(fullscreen !== null);
  }
});

test('states fact and rule, without a button, when leaving the page ended the attempt', async () => {
  const panel = async (state: SyncState) => {
    givenAttempt({ sync: { ...NO_ATTEMPT.sync, state } });
    const { container, unmount } = await show(<LeftPanel durationMs={3_500} />);
    await expect.element(page.getByRole('alertdialog')).toHaveFocus();
    const shown = { words: wordsIn(container), buttons: container.querySelectorAll('button') };
    await unmount();
    return shown;
  };
  const online = await panel({ kind: 'saved', at: null });
  expect(online.words).toBe(
    "Your assessment is ending You left this page for 3.5 seconds. Under this assessment's rules, that ends it. Your answers are being submitted now.",
  );
  expect(online.buttons).toHaveLength(0);
  expect((await panel({ kind: 'offline', waiting: 1 })).words).not.toContain('now');
});

test('shows a detection in the strip and accepts a note', async () => {
  const at = new Date('2026-05-14T08:00:00Z');
  const detected = [
    { id: 'b', type: 'multiple_faces', at, durationMs: null, counted: null, noted: false },
    { id: 'a', type: 'clipboard', at, durationMs: null, counted: null, noted: false },
  ] as const;
  const { container, rerender } = await show(
    <DetectedStrip detected={detected} onNote={nothing} />,
  );
  expect(wordsIn(container)).toMatch(
    /^We saw more than one face \d\d:\d\d:\d\d · noted, not counted and 1 more Add a note$/,
  );
  // The others are one click away, each with its own note.
  const more = page.getByRole('button', { name: 'and 1 more' });
  await expect.element(more).toHaveAttribute('aria-expanded', 'false');
  expect(page.getByRole('listitem').elements()).toHaveLength(0);
  await more.click();
  await expect.element(more).toHaveAttribute('aria-expanded', 'true');
  await expect
    .element(page.getByRole('listitem').getByRole('button', { name: 'Add a note' }))
    .toBeVisible();

  const counted = {
    ...detected[0],
    type: 'voice_detected',
    counted: { count: 1, limit: 3 },
  } as const;
  await rerender(
    <DetectedStrip detected={[counted]} policy={{}} onNote={nothing} onClose={vi.fn()} />,
  );
  expect(wordsIn(container)).toContain(
    ' · counted 1 of 3 · Only speech and very loud sounds count. Add a note',
  );
});

test('shows no advice in the strip about a face that may be covered', async () => {
  const at = new Date('2026-05-14T08:00:00Z');
  const rest = { at, durationMs: null, counted: null, noted: false };
  const detected = [{ ...rest, id: 'a', type: 'face_not_detected' }] as const;
  const props = { detected, onNote: nothing, onClose: vi.fn() };
  const { container, rerender } = await show(<DetectedStrip {...props} policy={{}} />);
  expect(wordsIn(container)).toContain('not counted · Stay where the camera sees your face.');
  await rerender(<DetectedStrip {...props} policy={{ faceCovered: true }} />);
  expect(wordsIn(container)).toContain('· noted, not counted');
  expect(wordsIn(container)).not.toContain('Stay where');
});

test('accepts only one note per detection', async () => {
  const at = new Date('2026-05-14T08:00:00Z');
  const item = { id: 'a', type: 'clipboard', at, durationMs: null, counted: null } as const;
  const { container } = await show(
    <DetectedStrip detected={[{ ...item, noted: true }]} onNote={nothing} />,
  );
  expect(wordsIn(container)).toMatch(/your note was added$/);
  expect(container.querySelectorAll('button')).toHaveLength(0);
});

test('announces detections in a live region that exists from the start', async () => {
  const notices = vi.spyOn(currentMonitoring, 'getNotices').mockReturnValue(NO_NOTICES);
  const quiet = await show(<Warnings />);
  await expect.element(page.getByRole('status').first()).toBeEmptyDOMElement();
  await quiet.unmount();
  const spoken = { id: 'a', text: 'We saw more than one face' };
  notices.mockReturnValue({ ...NO_NOTICES, spoken });
  const loud = await show(<Warnings />);
  await expect.element(page.getByRole('status').first()).toHaveTextContent(spoken.text);
  await loud.unmount();
  // The strip itself announces only the note.
  const item = {
    id: 'a',
    type: 'context_menu',
    at: new Date(),
    durationMs: null,
    counted: null,
    noted: false,
  } as const;
  await show(<DetectedStrip detected={[item]} onNote={nothing} />);
  await expect.element(page.getByRole('status')).toBeEmptyDOMElement();
});

test('retries fetching the code of a notice without failing the screen', async () => {
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
