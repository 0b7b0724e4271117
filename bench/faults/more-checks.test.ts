import { describe, expect, it } from 'vitest';
import { findMailFaults, findStrays } from './check-mail.ts';
import {
  findRefusedSaves,
  findTrespasses,
  findWrongScores,
  findWrongTimes,
} from './check-rules.ts';
import { findClockFaults, findDiskFaults } from './check-surroundings.ts';
import type { Counterexample } from './counterexample.ts';
import type { StoredMessage } from './final-state.ts';
import { attempt, finalState, fixtureHistory, save } from './fixture-history.ts';
import type { Action } from './history.ts';
import type { ClockNote, DiskNote, Knock } from './notes.ts';

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

  it('finds one that never came, came without cause, or with another code or id', () => {
    expect(found({ taken: [] }, 5)).toEqual(['a message never arrived']);
    expect(found({ taken: [one, one] })).toEqual(['a message came again without cause']);
    expect(found({ taken: [one, { ...one, code: 'd' }] }, 1)).toEqual(['another code']);
    expect(found({ taken: [one, { ...one, messageId: 'n' }] }, 1)).toEqual(['another Message-ID']);
    expect(found({ state: 'queued' })).toEqual(['a message that arrived is not noted as sent']);
    expect(found({})).toEqual([]);
    expect(found({ taken: [one, one] }, 1)).toEqual([]);
  });

  it('excuses one that came again only where the mail server did not say that it has it', () => {
    const dropped = { ...one, answered: false };
    expect(found({ taken: [dropped, dropped, one] })).toEqual([]);
    expect(found({ taken: [dropped, one, one] })).toEqual(['a message came again without cause']);
    expect(found({ taken: [{ ...dropped, code: 'd' }, one] })).toEqual(['another code']);
  });

  it('wants one that was refused for good to be shown so, and not tried again', () => {
    const refused = { taken: [], refused: 1, state: 'failed', lastError: '550' };
    expect(found(refused)).toEqual([]);
    const unseen = ['a message that was refused for good is not shown so'];
    expect(found({ ...refused, state: 'queued' })).toEqual(unseen);
    expect(found({ ...refused, lastError: null })).toEqual(unseen);
    const again = ['a message that was refused for good was tried again'];
    expect(found({ ...refused, refused: 2 })).toEqual(again);
    expect(found({ ...refused, refused: 2 }, 1)).toEqual([]);
  });

  it('finds one that the outbox does not know', () => {
    const strays = [{ recipient: 'r', messageId: 'm' }];
    expect(whats(findStrays({ attempts: [], messages: [], strays }))).toHaveLength(1);
    expect(findStrays({ attempts: [], messages: [], strays: [] })).toEqual([]);
  });
});

describe('rules of an attempt', () => {
  it('finds a save that was refused while the attempt ran, and excuses its end', () => {
    const refused = fixtureHistory([save(1), { fail: 403 }]);
    const found = findRefusedSaves(refused, finalState(attempt()));
    expect(whats(found)).toEqual(['a save was refused while its attempt was running']);
    const submitted = fixtureHistory([SUBMIT, { unknown: null }], [save(1), { fail: 403 }]);
    expect(findRefusedSaves(submitted, finalState(attempt()))).toEqual([]);
    const over = finalState(attempt({ deadlineAt: 2_000 }));
    expect(findRefusedSaves(refused, over)).toEqual([]);
    const putOff = fixtureHistory([save(1), { unknown: 503 }], [save(1), OK]);
    expect(findRefusedSaves(putOff, finalState(attempt()))).toEqual([]);
  });

  it('finds a score that is not that of the answers, and one that came early', () => {
    expect(findWrongScores(finalState(attempt({ score: 3, right: 3 })))).toEqual([]);
    expect(whats(findWrongScores(finalState(attempt({ score: 10, right: 3 }))))).toHaveLength(1);
    const open = { status: 'in_progress', right: 3 };
    expect(findWrongScores(finalState(attempt({ ...open, score: 3 })))).toHaveLength(1);
    expect(findWrongScores(finalState(attempt({ ...open, score: null })))).toEqual([]);
  });

  it('finds a begin and a deadline that someone else decided', () => {
    const history = fixtureHistory([START, { unknown: null }], [START, { ok: { attempt: 'a1' } }]);
    const of = (differs: object) =>
      whats(findWrongTimes(history, finalState(attempt({ allowedMs: 99_000, ...differs }))));
    expect(of({})).toEqual([]);
    expect(of({ quizEndsAt: 50_000, deadlineAt: 50_000 })).toEqual([]);
    expect(of({ quizEndsAt: 50_000 })).toEqual(['the deadline is not that of the rule']);
    expect(of({ deadlineAt: 200_000 })).toEqual(['the deadline is not that of the rule']);
    expect(of({ startedAt: 9_000, deadlineAt: 108_000 })).toEqual([
      'it began at another time than the server says',
    ]);
  });

  it("finds every answer but 404 about someone else's attempt", () => {
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

  it('may end nothing, refuse nothing, and has to ring until it is over', () => {
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

  it('is not put to the test where no one saved in the meantime', () => {
    expect(whats(findClockFaults([], running, [note]))).toEqual([
      'no one saved while the clock was wrong',
    ]);
  });
});

describe('a full disk', () => {
  const knock = (status: number, code = '', retryAfter: string | null = null): Knock => ({
    ...{ status, code, retryAfter },
  });
  const note: DiskNote = {
    ...{ lowAt: 1_005, fullAt: 5_000, freedAt: 9_000, wellAt: 20_000 },
    whileLow: knock(503, 'DISK_LOW', '60'),
    resumed: knock(200),
    afterwards: knock(201),
    evidence: knock(503, 'UNAVAILABLE', '2'),
    report: knock(201),
    alarms: ALARMS,
  };
  const saved = fixtureHistory([save(1), OK]);

  it.each<[string, Partial<DiskNote>]>([
    ['a new attempt was not put off while the disk was low (201 )', { whileLow: knock(201) }],
    [
      'a new attempt was not put off while the disk was low (503 DISK_LOW)',
      { whileLow: knock(503, 'DISK_LOW') },
    ],
    ['no one could continue (503 DISK_LOW)', { resumed: knock(503, 'DISK_LOW') }],
    ['evidence took the room (201 )', { evidence: knock(201) }],
    ['a violation was not taken (500 INTERNAL)', { report: knock(500, 'INTERNAL') }],
    ['no one could save while the disk was low', { lowAt: 4_000 }],
    ['it healed too late', { wellAt: 69_001 }],
    ['no one could begin afterwards (503 DISK_LOW)', { afterwards: knock(503, 'DISK_LOW') }],
    ['there is no alarm in the log', { alarms: { ...ALARMS, log: false } }],
    ['there is no alarm in the metrics', { alarms: { ...ALARMS, metrics: false } }],
    ['the alarm did not end with its cause', { alarms: { ...ALARMS, over: false } }],
  ])('breaks the promise where %s', (what, differs) => {
    expect(findDiskFaults(saved, [note])).toEqual([]);
    expect(whats(findDiskFaults(saved, [{ ...note, ...differs }]))).toEqual([what]);
  });
});
