import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AnswerState,
  acceptsSaves,
  closeAtAfterOutage,
  closeAtOf,
  compareSave,
  type DueTime,
  dueTimeAfter,
  dueTimeAtStart,
  dueTimeExtended,
  endOf,
  endsTooEarly,
  extraTimeOf,
  remainingMs,
  timeSpentSeconds,
} from './attempt.ts';

const at = (time: string) => new Date(`2026-05-14T${time}Z`);
const iso = (date: Date) => date.toISOString().slice(11);
const due: DueTime = { deadlineAt: at('09:00:00'), closeAt: at('09:00:10'), closeReason: 'auto' };

describe('the deadline rule', () => {
  it.each([
    ['the duration', 25, 1, null, false, '08:25:00.000Z'],
    ['the shortest duration', 1, 1, null, false, '08:01:00.000Z'],
    ['the longest duration', 180, 1, null, false, '11:00:00.000Z'],
    ['the duration with extra time', 30, 1.25, null, false, '08:37:30.000Z'],
    ['extra time of a third, to the millisecond', 25, 1.33, null, false, '08:33:15.000Z'],
    ['extra time without an error of the product', 60, 1.1, null, false, '09:06:00.000Z'],
    ['an end date before that', 30, 1, '08:10:00', false, '08:10:00.000Z'],
    ['an end date at that moment', 30, 1, '08:30:00', false, '08:30:00.000Z'],
    ['an end date after that', 30, 1, '09:00:00', false, '08:30:00.000Z'],
    ['an end date before the end of extra time', 30, 2, '08:45:00', false, '08:45:00.000Z'],
    ['the duration despite an end date', 30, 1, '08:10:00', true, '08:30:00.000Z'],
  ])('sets the deadline to %s', (_, minutes, factor, endDate, finishAfterEnd, deadline) => {
    const end = endDate === null ? null : at(endDate);
    const set = dueTimeAtStart(at('08:00:00'), minutes, factor, end, finishAfterEnd);
    expect(iso(set.deadlineAt)).toBe(deadline);
    expect(set.closeAt.getTime() - set.deadlineAt.getTime()).toBe(10_000);
    expect(set.closeReason).toBe('auto');
  });
});

describe('extra time beside the end date', () => {
  it('is what the deadline will leave, for every start, opening and factor', () => {
    const minute = fc.integer({ min: 0, max: 400 });
    const from = at('06:00:00');
    const after = (minutes: number) => new Date(from.getTime() + minutes * 60_000);
    const schedule = fc.record({
      duration: fc.integer({ min: 1, max: 180 }),
      opensAt: fc.option(minute.map(after)),
      endDate: fc.option(minute.map(after)),
      finishAfterEnd: fc.boolean(),
    });
    const factor = fc.integer({ min: 100, max: 1000 }).map((n) => n / 100);
    fc.assert(
      fc.property(schedule, factor, minute.map(after), (quiz, times, now) => {
        const time = extraTimeOf(quiz, times, now);
        expect(time === null).toBe(times === 1);
        if (time === null) return;
        const leftFrom = (start: Date) => {
          const { endDate, finishAfterEnd, duration } = quiz;
          const { deadlineAt } = dueTimeAtStart(start, duration, times, endDate, finishAfterEnd);
          return Math.max(0, deadlineAt.getTime() - start.getTime()) / 60_000;
        };
        const first = quiz.opensAt !== null && quiz.opensAt > now ? quiz.opensAt : now;
        expect(Math.abs(leftFrom(first) - time.atMost)).toBeLessThan(1);
        expect(time.atMost).toBeLessThanOrEqual(time.minutes);
        if (time.startBy === null) return;
        // The minutes that people read are those that they have.
        expect(leftFrom(time.startBy)).toBeCloseTo(time.minutes, 4);
        expect(leftFrom(new Date(time.startBy.getTime() + 60_000))).toBeLessThan(time.minutes);
        expect(time.minutes).toBeCloseTo(quiz.duration * times, 5);
      }),
    );
  });
});

describe('the due time', () => {
  it.each([
    ['a dismissal, 1 s later', 'dismissed', '08:30:00', '08:30:01.000Z', 'dismissed'],
    ['an administrator’s end, 10 s later', 'database', '08:30:00', '08:30:10.000Z', 'database'],
    ['the deadline is earlier', 'database', '09:00:05', '09:00:10.000Z', 'auto'],
    ['an end comes at the same moment', 'database', '09:00:00', '09:00:10.000Z', 'auto'],
    ['the dismissal remains the reason', 'dismissed', '09:00:09.500', '09:00:10.000Z', 'dismissed'],
    ['a dismissal just before it', 'dismissed', '09:00:08.999', '09:00:09.999Z', 'dismissed'],
  ] as const)('takes the earliest: %s', (_, reason, now, closeAt, closeReason) => {
    const next = dueTimeAfter(due, reason, at(now));
    expect({ closeAt: iso(next.closeAt), closeReason: next.closeReason }).toEqual({
      closeAt,
      closeReason,
    });
    expect(next.deadlineAt).toEqual(due.deadlineAt);
  });

  it.each([
    ['well before the deadline', '08:30:00', '09:05:00'],
    ['at the deadline', '09:00:00', '09:05:00'],
    ['in the grace period, counted from then', '09:00:07', '09:05:07'],
  ])('is extended by five minutes %s', (_, now, deadline) => {
    const deadlineAt = at(deadline);
    expect(dueTimeExtended(due, 5, at(now))).toEqual({
      deadlineAt,
      closeAt: closeAtOf(deadlineAt),
      closeReason: 'auto',
    });
  });

  it('keeps the time granted after an outage when it is extended', () => {
    const granted = { ...due, closeAt: at('09:30:00') };
    expect(dueTimeExtended(granted, 5, at('09:20:00'))).toEqual({
      deadlineAt: at('09:25:00'),
      closeAt: at('09:30:00'),
      closeReason: 'auto',
    });
  });

  it.each(['dismissed', 'database'] as const)('cannot be extended once it is %s', (reason) => {
    const ending = dueTimeAfter(due, reason, at('08:30:00'));
    expect(dueTimeExtended(ending, 5, at('08:30:00'))).toBeNull();
  });

  it('stays a dismissal when an administrator ends it earlier', () => {
    const dismissed = dueTimeAfter(due, 'dismissed', at('08:30:00'), 60_000);
    expect(dueTimeAfter(dismissed, 'database', at('08:30:01'))).toEqual({
      ...due,
      closeAt: at('08:30:11'),
      closeReason: 'dismissed',
    });
  });

  it('never moves later, and keeps its first reason unless a dismissal follows', () => {
    const event = fc.record({
      reason: fc.constantFrom('dismissed' as const, 'database' as const),
      afterMs: fc.integer({ min: 0, max: 7_200_000 }),
    });
    fc.assert(
      fc.property(fc.array(event, { maxLength: 8 }), (events) => {
        let current = due;
        for (const { reason, afterMs } of events) {
          const now = new Date(at('08:00:00').getTime() + afterMs);
          const next = dueTimeAfter(current, reason, now);
          expect(next.closeAt.getTime()).toBeLessThanOrEqual(current.closeAt.getTime());
          if (reason === 'dismissed' || current.closeReason === 'dismissed') {
            expect(next.closeReason).toBe('dismissed');
          } else if (next.closeAt.getTime() === current.closeAt.getTime()) {
            expect(next).toEqual(current);
          }
          current = next;
        }
      }),
    );
  });

  it.each([
    ['passed before the outage', '07:59:50', '08:00:00', false],
    ['was the last moment alive', '08:29:50', '08:30:00', false],
    ['came during the outage', '08:29:50.001', '08:30:00.001', true],
    ['came at the very end of it', '08:39:50', '08:40:00', true],
    ['came just after it, and the deadline during it', '08:40:00', '08:40:10', true],
    ['comes after it, and the deadline too', '08:40:00.001', '08:40:10.001', false],
    ['passed by a dismissal, and the deadline came during it', '08:35:00', '08:29:00', false],
  ])('decides on the minute after an outage when it %s', (_, deadlineAt, closeAt, covered) => {
    const times = { deadlineAt: at(deadlineAt), closeAt: at(closeAt) };
    const moved = closeAtAfterOutage(times, at('08:30:00'), at('08:40:00'));
    expect(moved).toEqual(covered ? at('08:41:00') : at(closeAt));
  });

  it('keeps time granted earlier when an outage would give less', () => {
    const times = { deadlineAt: at('08:35:00'), closeAt: at('08:50:00') };
    expect(closeAtAfterOutage(times, at('08:30:00'), at('08:40:00'))).toEqual(at('08:50:00'));
  });

  it('accepts saves up to and including closeAt, and only while in progress', () => {
    expect(acceptsSaves('in_progress', due.closeAt, at('09:00:10'))).toBe(true);
    expect(acceptsSaves('in_progress', due.closeAt, at('09:00:10.001'))).toBe(false);
    expect(acceptsSaves('completed', due.closeAt, at('08:30:00'))).toBe(false);
    expect(acceptsSaves('dismissed', due.closeAt, at('08:30:00'))).toBe(false);
  });
});

describe('an automatic end by a page that has not received an extension', () => {
  it.each([
    ['extended, with time left', due, '08:55:00', '08:59:59.999', true],
    ['extended, and passed as well', due, '08:55:00', '09:00:00', false],
    ['unchanged', due, '09:00:00', '08:59:58', false],
    ['unchanged, and was not counted down to', due, '09:00:00', '08:59:57.999', true],
    ['earlier than the page’s', due, '09:00:01', '08:59:59', false],
    [
      'extended, of an attempt that an administrator is ending',
      { ...due, closeReason: 'database' as const },
      '08:55:00',
      '08:59:59',
      false,
    ],
  ])('compares the page’s deadline with one that is %s', (_, now, known, moment, early) => {
    expect(endsTooEarly(now, at(known), at(moment))).toBe(early);
  });
});

describe('the end of an attempt', () => {
  it.each([
    ['manual', '08:20:00', 'completed', '08:20:00.000Z'],
    ['manual', '09:00:07', 'completed', '09:00:07.000Z'],
    // After an outage, the time spent stays within deadline and grace period (I12).
    ['manual', '09:20:00', 'completed', '09:00:10.000Z'],
    ['auto', '09:00:11', 'completed', '09:00:00.000Z'],
    ['auto', '11:00:00', 'completed', '09:00:00.000Z'],
    ['database', '08:59:00', 'completed', '08:59:00.000Z'],
    ['database', '11:00:00', 'completed', '09:00:10.000Z'],
    ['dismissed', '11:00:00', 'dismissed', '09:00:10.000Z'],
  ] as const)('%s at %s is %s at %s', (how, now, status, submittedAt) => {
    const end = endOf(due, how, at(now));
    expect({ ...end, submittedAt: iso(end.submittedAt) }).toEqual({
      status,
      submissionType: how,
      submittedAt,
    });
  });

  it.each([
    ['database', 'completed'],
    ['dismissed', 'dismissed'],
  ] as const)('%s counts no later than the grace period allows after an outage', (how, status) => {
    const delayed = { deadlineAt: at('09:00:00'), closeAt: at('09:40:00'), closeReason: how };
    expect(endOf(delayed, how, at('09:41:00'))).toEqual({
      status,
      submissionType: how,
      submittedAt: at('09:00:10'),
    });
  });

  it('measures the time spent in whole seconds, never negative', () => {
    const start = at('08:00:00');
    const attempt = { startedAt: start, submittedAt: null, pausedUntil: null, pausedMs: 0 };
    const ended = { ...attempt, submittedAt: at('08:00:59.999') };
    expect(timeSpentSeconds(ended, at('10:00:00'))).toBe(59);
    expect(timeSpentSeconds(attempt, at('08:01:00'))).toBe(60);
    expect(timeSpentSeconds(attempt, at('07:59:00'))).toBe(0);
    // Stopped at half a minute for ten.
    const paused = { pausedUntil: at('08:10:30'), pausedMs: 600_000 };
    for (const [time, seconds] of [
      ['08:00:31', 30],
      ['08:10:30', 30],
      ['08:10:40', 40],
    ] as const) {
      expect(timeSpentSeconds({ ...attempt, ...paused }, at(time))).toBe(seconds);
      expect(timeSpentSeconds({ ...attempt, ...paused, submittedAt: at(time) }, start)).toBe(
        seconds,
      );
    }
  });

  it('measures the time left until the deadline, never negative', () => {
    expect(remainingMs(at('09:00:00'), at('08:59:59.999'))).toBe(1);
    expect(remainingMs(at('09:00:00'), at('09:00:00'))).toBe(0);
    expect(remainingMs(at('09:00:00'), at('10:00:00'))).toBe(0);
  });
});

describe('the revision rule', () => {
  const stored: AnswerState = { optionId: 2, response: null, isFlagged: false, revision: 5 };
  const typed: AnswerState = { ...stored, optionId: null, response: '3.14' };

  it.each([
    ['anything where nothing is stored', null, { revision: 1, optionId: 1 }, 'write'],
    ['anything without a revision there', null, { revision: null, optionId: 1 }, 'write'],
    ['a higher revision', stored, { revision: 6, optionId: 1 }, 'write'],
    ['a blank of a higher revision', stored, { revision: 6, optionId: null }, 'write'],
    ['the same again', stored, { revision: 5, optionId: 2 }, 'same'],
    ['another option at the same revision', stored, { revision: 5, optionId: 3 }, 'conflict'],
    ['a blank at the same revision', stored, { revision: 5, optionId: null }, 'conflict'],
    ['another flag there', stored, { revision: 5, optionId: 2, isFlagged: true }, 'conflict'],
    ['the same text again', typed, { revision: 5, optionId: null, response: '3.14' }, 'same'],
    ['another text there', typed, { revision: 5, optionId: null, response: '3.15' }, 'conflict'],
    ['no text there', typed, { revision: 5, optionId: null }, 'conflict'],
    ['a lower revision', stored, { revision: 4, optionId: 1 }, 'stale'],
    ['a lower one, same content', stored, { revision: 4, optionId: 2 }, 'stale'],
    ['no revision where something is stored', stored, { revision: null, optionId: 1 }, 'keep'],
    ['a blank without one', stored, { revision: null, optionId: null }, 'keep'],
  ] as const)('decides on %s', (_, current, incoming, verdict) => {
    expect(compareSave(current, { response: null, isFlagged: false, ...incoming })).toBe(verdict);
  });

  it('ends at the highest revision in any order of delivery, with any number of repeats', () => {
    // Each revision has one content: a browser numbers its changes.
    const content = fc.record({
      optionId: fc.option(fc.integer({ min: 1, max: 4 })),
      response: fc.option(fc.constantFrom('1,3', 'a text')),
      isFlagged: fc.boolean(),
    });
    const sent = fc
      .array(content, { minLength: 1, maxLength: 12 })
      .map((changes) => changes.map((c, i): AnswerState => ({ ...c, revision: i + 1 })));
    const delivered = sent.chain((changes) =>
      fc
        .array(fc.constantFrom(...changes), { maxLength: 20 })
        .chain((again) =>
          fc.shuffledSubarray([...changes, ...again], { minLength: changes.length + again.length }),
        )
        .map((deliveries) => ({ changes, deliveries })),
    );
    fc.assert(
      fc.property(delivered, ({ changes, deliveries }) => {
        let stored: AnswerState | null = null;
        for (const change of deliveries) {
          const before: AnswerState | null = stored;
          const verdict = compareSave(before, change);
          expect(['write', 'same', 'stale']).toContain(verdict);
          if (verdict === 'write') stored = change;
          expect((stored as AnswerState | null)?.revision ?? 0).toBeGreaterThanOrEqual(
            before?.revision ?? 0,
          );
        }
        expect(stored).toEqual(changes.at(-1));
      }),
    );
  });
});
