import { describe, expect, it } from 'vitest';
import { findClockFaults, findDiskFaults } from './check-environment.ts';
import { findMailFaults, findStrays } from './check-mail.ts';
import {
  findRefusedSaves,
  findTrespasses,
  findWrongScores,
  findWrongTimes,
} from './check-rules.ts';
import type { Counterexample } from './counterexample.ts';
import type { StoredMessage } from './final-state.ts';
import { attempt, finalState, fixtureHistory, save } from './fixture-history.ts';
import type { Action } from './history.ts';
import type { ClockNote, DiskNote, SingleReply } from './notes.ts';

const OK = { ok: { status: 'in_progress' } };
const SUBMIT: Action = { kind: 'submit', attempt: 'a1' };
const START: Action = { kind: 'start' };
const whats = (counterexamples: Counterexample[]) => counterexamples.map(({ what }) => what);

describe('messages', () => {
  const one = { messageId: 'm', code: 'c', answered: true };
  const found = (differs: Partial<StoredMessage>, cuts = 0) => {
    const message: StoredMessage = {
      ...{ recipient: 'r', messageId: 'm', state: 'sent', lastError: null, refused: 0 },
      taken: [one],
      ...differs,
    };
    return whats(findMailFaults({ attempts: [], messages: [message], strays: [] }, cuts));
  };

  it('finds one that is missing, repeated without cause, or has another code or id', () => {
    expect(found({ taken: [] }, 5)).toEqual(['a message never arrived']);
    expect(found({ taken: [one, one] })).toEqual(['a message was repeated without cause']);
    expect(found({ taken: [one, { ...one, code: 'd' }] }, 1)).toEqual(['another code']);
    expect(found({ taken: [one, { ...one, messageId: 'n' }] }, 1)).toEqual(['another Message-ID']);
    expect(found({ state: 'queued' })).toEqual(['a delivered message is not recorded as sent']);
    expect(found({})).toEqual([]);
    expect(found({ taken: [one, one] }, 1)).toEqual([]);
  });

  it('accepts a repeated one only where the mail server did not acknowledge it', () => {
    const dropped = { ...one, answered: false };
    expect(found({ taken: [dropped, dropped, one] })).toEqual([]);
    expect(found({ taken: [dropped, one, one] })).toEqual(['a message was repeated without cause']);
    expect(found({ taken: [{ ...dropped, code: 'd' }, one] })).toEqual(['another code']);
  });

  it('expects a permanent failure to be shown, and not retried', () => {
    const refused = { taken: [], refused: 1, state: 'failed', lastError: '550' };
    expect(found(refused)).toEqual([]);
    const unseen = ['a permanent failure is not shown'];
    expect(found({ ...refused, state: 'queued' })).toEqual(unseen);
    expect(found({ ...refused, lastError: null })).toEqual(unseen);
    const again = ['a message that failed permanently was retried'];
    expect(found({ ...refused, refused: 2 })).toEqual(again);
    expect(found({ ...refused, refused: 2 }, 1)).toEqual([]);
  });

  it('finds one that is not in the outbox', () => {
    const strays = [{ recipient: 'r', messageId: 'm' }];
    expect(whats(findStrays({ attempts: [], messages: [], strays }))).toHaveLength(1);
    expect(findStrays({ attempts: [], messages: [], strays: [] })).toEqual([]);
  });
});

describe('rules of an attempt', () => {
  it('finds a save refused while the attempt ran, and accepts refusals at its end', () => {
    const refused = fixtureHistory([save(1), { fail: 403 }]);
    const found = findRefusedSaves(refused, finalState(attempt()));
    expect(whats(found)).toEqual(['a save was refused while its attempt was running']);
    const submitted = fixtureHistory([SUBMIT, { unknown: null }], [save(1), { fail: 403 }]);
    expect(findRefusedSaves(submitted, finalState(attempt()))).toEqual([]);
    const over = finalState(attempt({ deadlineAt: 2_000 }));
    expect(findRefusedSaves(refused, over)).toEqual([]);
    const deferred = fixtureHistory([save(1), { unknown: 503 }], [save(1), OK]);
    expect(findRefusedSaves(deferred, finalState(attempt()))).toEqual([]);
  });

  it('finds a score that does not match the answers, and one before the end', () => {
    expect(findWrongScores(finalState(attempt({ score: 3, right: 3 })))).toEqual([]);
    expect(whats(findWrongScores(finalState(attempt({ score: 10, right: 3 }))))).toHaveLength(1);
    const open = { status: 'in_progress', right: 3 };
    expect(findWrongScores(finalState(attempt({ ...open, score: 3 })))).toHaveLength(1);
    expect(findWrongScores(finalState(attempt({ ...open, score: null })))).toEqual([]);
  });

  it('finds a start or deadline that the server did not set', () => {
    const history = fixtureHistory([START, { unknown: null }], [START, { ok: { attempt: 'a1' } }]);
    const of = (differs: object) =>
      whats(findWrongTimes(history, finalState(attempt({ allowedMs: 99_000, ...differs }))));
    expect(of({})).toEqual([]);
    expect(of({ quizEndsAt: 50_000, deadlineAt: 50_000 })).toEqual([]);
    expect(of({ quizEndsAt: 50_000 })).toEqual(['the deadline does not follow the rule']);
    expect(of({ deadlineAt: 200_000 })).toEqual(['the deadline does not follow the rule']);
    expect(of({ startedAt: 9_000, deadlineAt: 108_000 })).toEqual([
      'the server did not set the start time',
    ]);
  });

  it("finds every response but 404 about someone else's attempt", () => {
    const action: Action = { kind: 'trespass', attempt: 'a2', way: 'heartbeat' };
    expect(findTrespasses(fixtureHistory([action, { fail: 404 }], [action, null]))).toEqual([]);
    expect(findTrespasses(fixtureHistory([action, { unknown: 503 }]))).toEqual([]);
    expect(findTrespasses(fixtureHistory([action, { fail: 401 }]))).toHaveLength(1);
    expect(findTrespasses(fixtureHistory([action, OK]))).toHaveLength(1);
  });
});

const ALARMS = { log: true, metrics: true, over: true };

describe('a clock that jumps', () => {
  const note: ClockNote = {
    ...{ whose: 'the database', from: 1_005, to: 50_000, seenMs: 7_200_000 },
    alarms: ALARMS,
  };
  const saved = fixtureHistory([save(1), OK]);
  const running = finalState(attempt());

  it('must not end an attempt or refuse a save, and must raise alarms until it is over', () => {
    expect(findClockFaults(saved, running, [note])).toEqual([]);
    const ended = finalState(attempt({ endedAt: [40_000] }));
    expect(whats(findClockFaults(saved, ended, [note]))).toEqual([
      'attempt a1 ended while the clock was wrong',
    ]);
    const refused = fixtureHistory([save(1), OK], [save(2), { fail: 403 }]);
    expect(whats(findClockFaults(refused, running, [note]))).toEqual([
      'a save was refused while the clock was wrong',
    ]);
    const alarms = { log: false, metrics: false, over: false };
    expect(findClockFaults(saved, running, [{ ...note, alarms }])).toHaveLength(3);
  });

  it('is not tested without a save during the jump', () => {
    expect(whats(findClockFaults([], running, [note]))).toEqual([
      'there was no save while the clock was wrong',
    ]);
  });
});

describe('a full disk', () => {
  const reply = (status: number, code = '', retryAfter: string | null = null): SingleReply => ({
    ...{ status, code, retryAfter },
  });
  const note: DiskNote = {
    ...{ lowAt: 1_005, fullAt: 5_000, freedAt: 9_000, wellAt: 20_000 },
    whileLow: reply(503, 'DISK_LOW', '60'),
    resumed: reply(200),
    afterwards: reply(201),
    evidence: reply(503, 'UNAVAILABLE', '2'),
    report: reply(201),
    alarms: ALARMS,
  };
  const saved = fixtureHistory([save(1), OK]);

  it.each<[string, Partial<DiskNote>]>([
    ['a new attempt was not refused while the disk was low (201 )', { whileLow: reply(201) }],
    [
      'a new attempt was not refused while the disk was low (503 DISK_LOW)',
      { whileLow: reply(503, 'DISK_LOW') },
    ],
    ['resuming failed (503 DISK_LOW)', { resumed: reply(503, 'DISK_LOW') }],
    ['evidence was accepted (201 )', { evidence: reply(201) }],
    ['a violation was refused (500 INTERNAL)', { report: reply(500, 'INTERNAL') }],
    ['there was no save while the disk was low', { lowAt: 4_000 }],
    ['it recovered too late', { wellAt: 69_001 }],
    ['starting failed afterwards (503 DISK_LOW)', { afterwards: reply(503, 'DISK_LOW') }],
    ['no alarm in the log', { alarms: { ...ALARMS, log: false } }],
    ['no alarm in the metrics', { alarms: { ...ALARMS, metrics: false } }],
    ['the alarm did not end', { alarms: { ...ALARMS, over: false } }],
  ])('breaks the promise where %s', (what, differs) => {
    expect(findDiskFaults(saved, [note])).toEqual([]);
    expect(whats(findDiskFaults(saved, [{ ...note, ...differs }]))).toEqual([what]);
  });
});
