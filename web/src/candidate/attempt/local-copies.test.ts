import { beforeEach, describe, expect, test, vi } from 'vitest';
import { stubStorage } from '../../testing/browser-stubs.ts';
import { ATTEMPT, paperQuestion } from '../../testing/fixtures.ts';
import {
  checkStart,
  copyAnswers,
  copyCounted,
  copyEnd,
  copyStart,
  forgetEndMarks,
  plausibleTimeSpent,
} from './local-copies.ts';

const held = stubStorage();
beforeEach(() => {
  vi.stubGlobal('window', {});
});

const stored = (name: string): unknown => JSON.parse(held.get(name) ?? 'null');
const silence = () => vi.spyOn(console, 'warn').mockImplementation(() => undefined);
const paper = ['b', 'a', 'c'].map((id, i) => paperQuestion(id, { orderNumber: i + 1 }));
const summary = {
  status: 'completed',
  timeSpent: 1_241,
  answeredCount: 24,
  totalQuestions: 25,
  violationCount: 1,
  submissionType: 'auto',
} as const;

const flagged = { answer: 'no', isFlagged: true };
const seen = {
  passedMs: 1_241_000,
  values: new Map([
    ['a', flagged],
    ['b', flagged],
  ]),
  violationCount: 1,
  fromPage: 'Review Page',
};

describe('forged and unreadable values', () => {
  test('are logged, ignored and overwritten when the attempt opens', () => {
    const warn = silence();
    for (const name of ['quizAnswers', 'flaggedQuestions', 'currentParticipant']) {
      held.set(name, '{broken');
    }
    held.set('shuffledQuestions_q_u', '{"b":1}');
    copyStart(ATTEMPT, paper);
    copyAnswers(new Map());
    expect(warn).toHaveBeenCalledTimes(4);
    expect(stored('quizAnswers')).toEqual({});
    expect(stored('flaggedQuestions')).toEqual([]);
    expect(stored('currentParticipant')).toEqual({ id: 'p', startedAt: ATTEMPT.startedAt });
    expect(stored('shuffledQuestions_q_u')).toEqual(['b', 'a', 'c']);
  });

  test('are restored by the check if the start was changed or removed', () => {
    const warn = silence();
    copyStart(ATTEMPT, paper);
    checkStart(ATTEMPT);
    expect(warn).not.toHaveBeenCalled();
    held.set('quizStartTimestamp', String(Date.parse(ATTEMPT.startedAt) + 600_000));
    checkStart(ATTEMPT);
    expect(warn).toHaveBeenCalledTimes(1);
    held.delete('quizStartTime');
    checkStart(ATTEMPT);
    expect(warn).toHaveBeenCalledTimes(1);
    expect(stored('quizStartTimestamp')).toBe(Date.parse(ATTEMPT.startedAt));
    expect(stored('quizStartTime')).toBe(ATTEMPT.startedAt);
  });
});

describe('under the names of the seed', () => {
  test('the start: participant, timestamp in ms, time as ISO, the order of this quiz and user', () => {
    copyStart(ATTEMPT, paper);
    expect(stored('currentParticipant')).toEqual({ id: 'p', startedAt: '2026-05-14T09:35:00Z' });
    expect(stored('quizStartTimestamp')).toBe(Date.UTC(2026, 4, 14, 9, 35));
    expect(stored('quizStartTime')).toBe('2026-05-14T09:35:00Z');
    expect(stored('shuffledQuestions_q_u')).toEqual(['b', 'a', 'c']);
  });

  test('answers by question, without the empty ones, and the flagged questions', () => {
    copyAnswers(
      new Map([
        ['a', { answer: 'no', isFlagged: true }],
        ['b', { answer: '', isFlagged: true }],
      ]),
    );
    expect(stored('quizAnswers')).toEqual({ a: 'no' });
    expect(stored('flaggedQuestions')).toEqual(['a', 'b']);
  });

  test('the counts of face and voice violations only', () => {
    held.set('faceViolations', '"many"');
    const warn = silence();
    for (const type of ['tab_hidden', 'fullscreen_exit', 'multiple_faces'] as const) {
      copyCounted(type);
    }
    expect([...held]).toEqual([['faceViolations', '"many"']]);
    copyCounted('voice_detected');
    copyCounted('face_not_detected');
    copyCounted('face_not_detected');
    expect([stored('voiceViolations'), stored('faceViolations')]).toEqual([1, 2]);
    expect(warn).toHaveBeenCalledTimes(1);
  });

  test('the completion summary, with the mark of an automatic submit', () => {
    copyEnd(summary, 'time', seen);
    expect(stored('completionData')).toEqual(summary);
    expect(held.get('autoSubmitted')).toBe('true');
    expect(held.has('dismissalContext')).toBe(false);
  });

  test('no mark of an automatic submit after a manual one', () => {
    copyEnd({ ...summary, submissionType: 'manual' }, 'candidate', seen);
    expect(held.has('autoSubmitted')).toBe(false);
  });

  test('page, progress and number of flags of a dismissal, and neither answers nor marks after it', () => {
    copyAnswers(seen.values);
    copyEnd({ ...summary, status: 'dismissed' }, 'dismissal', seen);
    expect(stored('dismissalContext')).toEqual({
      fromPage: 'Review Page',
      answeredCount: 24,
      totalQuestions: 25,
      flaggedCount: 2,
    });
    expect([...held.keys()].sort()).toEqual(['completionData', 'dismissalContext']);
    forgetEndMarks();
    expect([...held.keys()]).toEqual([]);
  });
});

test('replaces a time of 0 or less, or above 7200 s, by 120 s', () => {
  expect([-1, 0, 1, 7_200, 7_201].map(plausibleTimeSpent)).toEqual([120, 120, 1, 7_200, 120]);
});
