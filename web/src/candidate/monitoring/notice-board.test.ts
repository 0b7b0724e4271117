import type { ViolationAnswer } from '@invigil/core/contract/attempts/violations';
import { REVIEW_POLICY, STRICT_POLICY } from '@invigil/core/domain/violations/violation-policy';
import { adviceText, remainingText } from '@invigil/core/texts/detected';
import { leftPageText } from '@invigil/core/texts/notices';
import { expect, test, vi } from 'vitest';
import { type DetectedEvent, detectedEvent } from '../../proctoring/detection/detected-event.ts';
import { stopTime } from '../../testing/browser-stubs.ts';
import { NoticeBoard } from './notice-board.ts';

stopTime();

const answer = (change: Partial<ViolationAnswer> = {}): ViolationAnswer => ({
  id: 'v',
  counted: true,
  violationCount: 1,
  remaining: 2,
  status: 'in_progress',
  ...change,
});
const board = (
  policy: ConstructorParameters<typeof NoticeBoard>[0] = STRICT_POLICY,
  mobile = false,
  isCovered = () => true,
) => new NoticeBoard(policy, { mobile, isCovered });
const found = (type: DetectedEvent['type']) => detectedEvent(type, 0);

test('shows the warning for three seconds, with or without a response', () => {
  const notices = board();
  notices.found('a', found('face_not_detected'));
  vi.advanceTimersByTime(2_999);
  expect(notices.getSnapshot().popup).toEqual({ id: 'a', type: 'face_not_detected' });
  vi.advanceTimersByTime(1);
  expect(notices.getSnapshot().popup).toBeNull();
});

test('adds a missing covered face to the strip without a warning', () => {
  const notices = board({ ...STRICT_POLICY, faceCovered: true });
  notices.found('a', found('face_not_detected'));
  expect(notices.getSnapshot()).toMatchObject({ popup: null, detected: [] });
  notices.answered('a', 'face_not_detected', answer({ counted: false, remaining: null }));
  expect(notices.getSnapshot()).toMatchObject({
    popup: null,
    counted: null,
    detected: [{ id: 'a', type: 'face_not_detected', counted: null }],
  });
  notices.found('b', found('voice_detected'));
  expect(notices.getSnapshot().popup).toEqual({ id: 'b', type: 'voice_detected' });
});

test('shows no count before the response, nor for a detection in the cool-down', () => {
  const notices = board();
  notices.found('a', found('voice_detected'));
  expect(notices.getSnapshot().counted).toBeNull();
  notices.answered('a', 'voice_detected', answer({ counted: false, violationCount: 0 }));
  expect(notices.getSnapshot()).toMatchObject({
    counted: null,
    detected: [{ id: 'a', counted: null }],
  });
});

test("shows the server's count and limit until acknowledged", () => {
  const notices = board();
  const at = new Date();
  notices.found('a', found('face_not_detected'));
  notices.answered('a', 'face_not_detected', answer({ violationCount: 2, remaining: 1 }));
  expect(notices.getSnapshot()).toMatchObject({
    popup: null,
    counted: { type: 'face_not_detected', count: 2, limit: 3, remaining: 1 },
  });
  vi.advanceTimersByTime(60_000);
  expect(notices.getSnapshot().counted).not.toBeNull();
  notices.acknowledge();
  expect(notices.getSnapshot()).toMatchObject({
    counted: null,
    detected: [{ id: 'a', at, durationMs: null, counted: { count: 2, limit: 3 }, noted: false }],
  });
});

test('shows separate limits if face and voice are not combined', () => {
  const notices = board({ ...STRICT_POLICY, combinedTypes: [] });
  notices.answered('a', 'voice_detected', answer({ violationCount: 0, remaining: 3 }));
  expect(notices.getSnapshot().counted).toMatchObject({ count: 2, limit: 5, remaining: 3 });
});

test('shows the limit with the least remaining, combined or of one type', () => {
  const limits = { combined: 10, face: 3, voice: 5, fullscreen: 5 };
  const notices = board({ ...STRICT_POLICY, limits });
  notices.answered('a', 'face_not_detected', answer({ violationCount: 1, remaining: 2 }));
  expect(notices.getSnapshot().counted).toMatchObject({ count: 1, limit: 3, remaining: 2 });
  // After five of the other type the combined limit is nearer.
  notices.answered('b', 'face_not_detected', answer({ violationCount: 9, remaining: 1 }));
  expect(notices.getSnapshot().counted).toMatchObject({ count: 9, limit: 10, remaining: 1 });
  // Calls of the old counter increase the number shown, but use up no limit.
  notices.answered('c', 'voice_detected', answer({ violationCount: 7, remaining: 4 }));
  expect(notices.getSnapshot().counted).toMatchObject({ count: 6, limit: 10, remaining: 4 });
});

test('shows the number of a fullscreen exit in the panel, and a dialog only for the last', () => {
  const notices = board();
  notices.answered('a', 'fullscreen_exit', answer({ violationCount: 0, remaining: 4 }));
  expect(notices.getSnapshot()).toMatchObject({ counted: null, fullscreen: { n: 1, limit: 5 } });
  notices.answered('b', 'fullscreen_exit', answer({ violationCount: 0, remaining: 0 }));
  expect(notices.getSnapshot()).toMatchObject({
    fullscreen: { n: 5, limit: 5 },
    counted: { type: 'fullscreen_exit', count: 5, limit: 5, remaining: 0 },
  });
});

test('announces a numbered warning, and shows it if fullscreen returned before it', () => {
  let covered = true;
  const notices = board(STRICT_POLICY, false, () => covered);
  notices.answered('a', 'fullscreen_exit', answer({ violationCount: 0, remaining: 4 }));
  expect(notices.getSnapshot()).toMatchObject({
    counted: null,
    spoken: { id: 'a', text: 'Warning 1/5: You must stay in fullscreen mode.' },
  });
  notices.fullscreenChanged();
  covered = false;
  notices.answered('b', 'fullscreen_exit', answer({ violationCount: 0, remaining: 3 }));
  expect(notices.getSnapshot()).toMatchObject({
    counted: { type: 'fullscreen_exit', count: 2, limit: 5, remaining: 3 },
    spoken: { id: 'b', text: 'Warning 2/5: You must stay in fullscreen mode.' },
  });
});

test('shows no number for an excused exit until it counts', () => {
  const notices = board();
  notices.answered('a', 'fullscreen_exit', answer({ violationCount: 0, remaining: 4 }));
  notices.excuse(15_000);
  expect(notices.getSnapshot().fullscreen).toEqual({ returnMs: 15_000 });
  notices.excuse(null);
  expect(notices.getSnapshot().fullscreen).toBeNull();
  notices.answered('b', 'fullscreen_exit', answer({ violationCount: 0, remaining: 3 }));
  expect(notices.getSnapshot().fullscreen).toEqual({ n: 2, limit: 5 });
});

test('clears the number when fullscreen returns or is left again', () => {
  const notices = board();
  notices.answered('a', 'fullscreen_exit', answer({ violationCount: 0, remaining: 4 }));
  notices.fullscreenChanged();
  expect(notices.getSnapshot().fullscreen).toBeNull();
});

test('shows a hidden page as the end, a warning or recorded, by the response', () => {
  const notices = board();
  notices.answered('a', 'tab_hidden', answer({ violationCount: 0, remaining: 0 }));
  expect(notices.getSnapshot().counted).toMatchObject({ count: 1, limit: 1, remaining: 0 });
  const phone = board(STRICT_POLICY, true);
  phone.answered('a', 'tab_hidden', answer({ violationCount: 0, remaining: 4 }));
  expect(phone.getSnapshot().counted).toMatchObject({ count: 1, limit: 5, remaining: 4 });
  const quiet = board(REVIEW_POLICY);
  quiet.answered('a', 'tab_hidden', answer({ violationCount: 0, remaining: null }));
  expect(quiet.getSnapshot()).toMatchObject({ counted: null, detected: [{ type: 'tab_hidden' }] });
});

test('shows no limit in the dialog if there is none', () => {
  const notices = board(REVIEW_POLICY);
  notices.answered('a', 'face_not_detected', answer({ violationCount: 7, remaining: null }));
  const { counted } = notices.getSnapshot();
  expect(counted).toMatchObject({ count: 7, limit: null });
  expect(remainingText({ remaining: null })).toBe(
    'Nothing ends automatically. A person reviews it later.',
  );
});

test('lists flags in the strip once each, newest first, until closed', () => {
  const notices = board();
  notices.found('a', found('multiple_faces'));
  notices.found('b', found('clipboard'));
  notices.answered('b', 'clipboard', answer({ counted: false, remaining: null }));
  expect(notices.getSnapshot().detected.map(({ id }) => id)).toEqual(['b', 'a']);
  notices.noted('a');
  expect(notices.getSnapshot().detected).toMatchObject([{ noted: false }, { noted: true }]);
  notices.clearDetected();
  expect(notices.getSnapshot().detected).toEqual([]);
});

test('takes back what a notice asks for once that is done, or after a reload', () => {
  const notices = board();
  const advice = () =>
    notices.getSnapshot().detected.map(({ type, past }) => adviceText(type, STRICT_POLICY, past));
  notices.found('a', found('camera_covered'));
  notices.found('b', found('second_screen'));
  expect(advice()).toEqual([
    'Disconnect it, or switch it off.',
    'Remove what covers the lens, or turn on a light.',
  ]);
  notices.over('camera_covered');
  notices.over('camera_lost');
  expect(advice()).toEqual(['Disconnect it, or switch it off.', 'fine again']);
  // Covered once more: only the earlier one is over.
  notices.found('c', found('camera_covered'));
  expect(advice()).toEqual([
    'Remove what covers the lens, or turn on a light.',
    'Disconnect it, or switch it off.',
    'fine again',
  ]);
  const reloaded = board();
  reloaded.restore(notices.getSnapshot().detected);
  const after = reloaded.getSnapshot().detected;
  expect(after.map(({ type, past }) => adviceText(type, STRICT_POLICY, past))).toEqual([
    null,
    null,
    null,
  ]);
});

test('announces a flag once, but not level "info" or what a dialog shows', () => {
  const notices = board();
  const spoken = () => notices.getSnapshot().spoken;
  for (const type of ['context_menu', 'window_blur', 'camera_dark', 'device_slept'] as const) {
    notices.found(type, found(type));
  }
  expect(notices.getSnapshot().detected).toHaveLength(4);
  notices.found('v', found('voice_detected'));
  notices.answered('v', 'voice_detected', answer({ counted: false }));
  notices.answered('w', 'voice_detected', answer());
  notices.acknowledge();
  expect(spoken()).toBeNull();
  notices.found('a', found('multiple_faces'));
  const first = spoken();
  expect(first).toEqual({ id: 'a', text: 'We saw more than one face' });
  // Later updates do not announce the same line again.
  notices.answered('a', 'multiple_faces', answer({ counted: false }));
  notices.found('b', found('context_menu'));
  notices.clearDetected();
  expect(spoken()).toBe(first);
  // The same text for another flag is announced again.
  notices.found('c', found('multiple_faces'));
  expect(spoken()).toEqual({ ...first, id: 'c' });
});

test('moves an unread dialog to the strip when the next one replaces it', () => {
  const notices = board();
  notices.answered('a', 'face_not_detected', answer({ remaining: 2 }));
  notices.answered('b', 'face_not_detected', answer({ remaining: 1 }));
  expect(notices.getSnapshot()).toMatchObject({ counted: { id: 'b' }, detected: [{ id: 'a' }] });
});

test('accepts notes for the strip and the open dialog', () => {
  const notices = board();
  const at = new Date('2026-05-14T08:00:00Z');
  notices.restore([
    { id: 'before', type: 'clipboard', at, durationMs: null, counted: null, noted: true },
  ]);
  expect(notices.getSnapshot().spoken).toBeNull();
  notices.found('a', found('print'));
  // Sent by this page, detected before the reload.
  notices.answered('b', 'voice_detected', answer(), at);
  expect(notices.noteworthy).toMatchObject([
    {
      id: 'b',
      type: 'voice_detected',
      at,
      durationMs: null,
      counted: { count: 1, limit: 3 },
      noted: false,
    },
    { id: 'a', type: 'print' },
    { id: 'before', noted: true, at },
  ]);
  notices.acknowledge();
  expect(notices.noteworthy.map(({ id }) => id)).toEqual(['b', 'a', 'before']);
});

test('does not ask to return to fullscreen when leaving the page ends the attempt', () => {
  const strict = board();
  const left = detectedEvent('tab_hidden', 0, { durationMs: 3_500 });
  strict.answered('e', 'fullscreen_exit', answer({ violationCount: 0, remaining: 4 }));
  expect(strict.getSnapshot().fullscreen).toEqual({ n: 1, limit: 5 });
  strict.answered('v', 'voice_detected', answer({ violationCount: 1, remaining: 2 }));
  strict.found('t', left);
  expect(strict.getSnapshot()).toMatchObject({
    fullscreen: null,
    leftFor: { durationMs: 3_500 },
    counted: null,
  });
  strict.answered('f', 'fullscreen_exit', answer({ violationCount: 0, remaining: 3 }));
  expect(strict.getSnapshot().fullscreen).toBeNull();
  strict.answered('t', 'tab_hidden', answer({ violationCount: 0, remaining: 0 }));
  // No warning dialog just before the end, which the panel already shows.
  expect(strict.getSnapshot()).toMatchObject({ leftFor: { durationMs: 3_500 }, counted: null });
  expect(strict.noteworthy[0]).toMatchObject({
    type: 'tab_hidden',
    durationMs: 3_500,
    counted: { count: 1, limit: 1 },
  });

  const recorded = board(REVIEW_POLICY);
  recorded.found('t', left);
  expect(recorded.getSnapshot().leftFor).toBeNull();
  const spared = board();
  spared.found('t', left);
  spared.answered('t', 'tab_hidden', answer({ counted: false, remaining: 1 }));
  expect(spared.getSnapshot().leftFor).toBeNull();
});

test.each([
  [null, 'You left this page.'],
  [3_500, 'You left this page for 3.5 seconds.'],
  // Reported while it lasted: the duration is a lower bound.
  [5_400, 'You left this page for more than 5 seconds.'],
])('describes an absence of %s ms', (durationMs, fact) => {
  expect(leftPageText(durationMs)).toBe(`${fact} Under this assessment's rules, that ends it.`);
});

test('shows nothing after the end', () => {
  const notices = board();
  notices.found('a', found('face_not_detected'));
  notices.end();
  vi.advanceTimersByTime(10_000);
  expect(notices.getSnapshot().popup).toBeNull();
});
