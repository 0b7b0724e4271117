import type { ViolationAnswer } from '@invigil/core/contract/violations';
import { REVIEW_POLICY, STRICT_POLICY } from '@invigil/core/domain/violation-policy';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Finding, finding } from '../../proctoring/finding.ts';
import { NoticeBoard } from './notice-board.ts';
import { remainingText } from './notice-words.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const answer = (change: Partial<ViolationAnswer> = {}): ViolationAnswer => ({
  id: 'v',
  counted: true,
  violationCount: 1,
  remaining: 2,
  status: 'in_progress',
  ...change,
});
const board = (policy = STRICT_POLICY, mobile = false) => new NoticeBoard(policy, { mobile });
const found = (type: Finding['type']) => finding(type, 0);

test('the warning pops up for three seconds, whether or not the server answers', () => {
  const notices = board();
  notices.found('a', found('face_not_detected'));
  vi.advanceTimersByTime(2_999);
  expect(notices.getSnapshot().popup).toEqual({ id: 'a', type: 'face_not_detected' });
  vi.advanceTimersByTime(1);
  expect(notices.getSnapshot().popup).toBeNull();
});

test('nothing counts before the server has said so, and one in the cool-down stays quiet', () => {
  const notices = board();
  notices.found('a', found('voice_detected'));
  expect(notices.getSnapshot().counted).toBeNull();
  notices.answered('a', 'voice_detected', answer({ counted: false, violationCount: 0 }));
  expect(notices.getSnapshot()).toMatchObject({ counted: null, noticed: [{ id: 'a' }] });
});

test('a counted one shows the count and the limit of the server, until it was read', () => {
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
    noticed: [{ id: 'a', at, noted: false }],
  });
});

test('where face and voice are not added up, each has its own limit', () => {
  const notices = board({ ...STRICT_POLICY, combinedTypes: [] });
  notices.answered('a', 'voice_detected', answer({ violationCount: 0, remaining: 3 }));
  expect(notices.getSnapshot().counted).toMatchObject({ count: 2, limit: 5, remaining: 3 });
});

test('a fullscreen exit has its number in the panel; only the last one has a dialog', () => {
  const notices = board();
  notices.answered('a', 'fullscreen_exit', answer({ violationCount: 0, remaining: 4 }));
  expect(notices.getSnapshot()).toMatchObject({ counted: null, fullscreen: { n: 1, limit: 5 } });
  notices.answered('b', 'fullscreen_exit', answer({ violationCount: 0, remaining: 0 }));
  expect(notices.getSnapshot()).toMatchObject({
    fullscreen: { n: 5, limit: 5 },
    counted: { type: 'fullscreen_exit', count: 5, limit: 5, remaining: 0 },
  });
});

test('a hidden page: at once the end, a warning, or only recorded, as the answer says', () => {
  const notices = board();
  notices.answered('a', 'tab_hidden', answer({ violationCount: 0, remaining: 0 }));
  expect(notices.getSnapshot().counted).toMatchObject({ count: 1, limit: 1, remaining: 0 });
  const phone = board(STRICT_POLICY, true);
  phone.answered('a', 'tab_hidden', answer({ violationCount: 0, remaining: 4 }));
  expect(phone.getSnapshot().counted).toMatchObject({ count: 1, limit: 5, remaining: 4 });
  const quiet = board(REVIEW_POLICY);
  quiet.answered('a', 'tab_hidden', answer({ violationCount: 0, remaining: null }));
  expect(quiet.getSnapshot()).toMatchObject({ counted: null, noticed: [{ type: 'tab_hidden' }] });
});

test('without a limit the dialog states none', () => {
  const notices = board(REVIEW_POLICY);
  notices.answered('a', 'face_not_detected', answer({ violationCount: 7, remaining: null }));
  const { counted } = notices.getSnapshot();
  expect(counted).toMatchObject({ count: 7, limit: null });
  expect(remainingText({ remaining: null })).toBe(
    'Nothing ends by itself. A person looks at it later.',
  );
});

test('flags stand in the strip, newest first, once each, and can be closed', () => {
  const notices = board();
  notices.found('a', found('multiple_faces'));
  notices.found('b', found('clipboard'));
  notices.answered('b', 'clipboard', answer({ counted: false, remaining: null }));
  expect(notices.getSnapshot().noticed.map(({ id }) => id)).toEqual(['b', 'a']);
  notices.noted('a');
  expect(notices.getSnapshot().noticed).toMatchObject([{ noted: false }, { noted: true }]);
  notices.clearNoticed();
  expect(notices.getSnapshot().noticed).toEqual([]);
});

test('nothing is said after the end', () => {
  const notices = board();
  notices.found('a', found('face_not_detected'));
  notices.end();
  vi.advanceTimersByTime(10_000);
  expect(notices.getSnapshot().popup).toBeNull();
});
