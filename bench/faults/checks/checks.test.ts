import { describe, expect, it } from 'vitest';
import {
  findDoubleEnds,
  findLeftOpen,
  findLostSaves,
  findMiscounts,
  findRefusedSaves,
  findSavesAfterEnd,
  findSecondAttempts,
  findWrongTimes,
  latestEnd,
} from './attempt-checks.ts';
import { type Counterexample, describeCounterexample } from './counterexample.ts';
import type { StoredMessage } from './final-state.ts';
import {
  attempt,
  type FixtureOutcome,
  finalState,
  fixtureHistory,
  save,
  stored,
} from './fixture-history.ts';
import type { Action, Entry } from './history.ts';
import type { ClockNote, DiskNote, SingleReply } from './notes.ts';
import {
  findClockFaults,
  findDiskFaults,
  findMailFaults,
  findUnanswered,
} from './service-checks.ts';

const OK = { ok: { status: 'in_progress' } };
const SUBMIT: Action = { kind: 'submit', attempt: 'a1' };
const START: Action = { kind: 'start' };
const report = (violation: string): Action => ({ kind: 'report', attempt: 'a1', violation });

const ops = (entries: readonly Entry[] = []) => [...new Set(entries.map(({ op }) => op))];
const whats = (counterexamples: Counterexample[]) => counterexamples.map(({ what }) => what);

describe('lost saves', () => {
  const withAnswers = (...answers: ReturnType<typeof stored>[]) => finalState(attempt({ answers }));

  it('finds an acknowledged save of which nothing is stored, and shows only that one', () => {
    const history = fixtureHistory(
      [save(1, 'q1'), OK],
      [save(1, 'q2'), { unknown: null }],
      [save(1, 'q2'), OK],
      [save(1, 'q3'), OK],
    );
    const [smallest, ...more] = findLostSaves(
      history,
      withAnswers(stored(1, 'q1'), stored(1, 'q3')),
    );
    expect(more).toEqual([]);
    expect(smallest?.what).toBe('an acknowledged save is lost');
    expect(ops(smallest?.entries)).toEqual([3]);
    expect(smallest?.entries).toHaveLength(2);
    expect(describeCounterexample(smallest!)).toEqual([
      'an acknowledged save is lost',
      '#3 +0 ms invoke ada@example.org {"kind":"save","attempt":"a1","question":"q2","revision":1,"option":"q2 1"}',
      '#3 +10 ms ok 200 {"status":"in_progress"}',
      'stored: nothing',
    ]);
  });

  it('finds another value or a blank at the acknowledged revision', () => {
    const history = fixtureHistory([save(1), OK]);
    for (const option of ['something else', '']) {
      const found = findLostSaves(history, withAnswers({ ...stored(1), option }));
      expect(whats(found)).toEqual([
        'the stored answer was never sent',
        'an acknowledged save is lost',
      ]);
    }
  });

  it('finds a save that was refused and is stored', () => {
    const history = fixtureHistory([save(1), { fail: 403 }]);
    expect(whats(findLostSaves(history, withAnswers(stored(1))))).toEqual([
      'a refused save is stored',
    ]);
  });

  it('accepts either value after an unknown outcome, and a newer one for an acknowledged one', () => {
    const unknown = fixtureHistory([save(1), OK], [save(2), { unknown: null }]);
    expect(findLostSaves(unknown, withAnswers(stored(1)))).toEqual([]);
    expect(findLostSaves(unknown, withAnswers(stored(2)))).toEqual([]);
    const stale = fixtureHistory([save(2), OK], [save(1), { ok: { stale: true } }]);
    expect(findLostSaves(stale, withAnswers(stored(2)))).toEqual([]);
    const never = fixtureHistory([save(1), null]);
    expect(findLostSaves(never, finalState(attempt()))).toEqual([]);
  });
});

describe('saves after the end', () => {
  const ended = { ok: { status: 'completed', text: '{}' } };

  it('finds one that is stored without having been answered', () => {
    const history = fixtureHistory([SUBMIT, ended], [save(1), { unknown: null }]);
    const state = finalState(attempt({ answers: [stored(1)] }));
    expect(whats(findSavesAfterEnd(history, state))).toEqual(['a save after the end is stored']);
  });

  it('uses the end reported by a heartbeat too', () => {
    const heartbeat: Action = { kind: 'heartbeat', attempt: 'a1' };
    const history = fixtureHistory([heartbeat, { ok: { status: 'dismissed' } }], [save(1), OK]);
    expect(findSavesAfterEnd(history, finalState(attempt()))).toHaveLength(1);
  });

  it('accepts a refusal, and a save sent in time before the end', () => {
    const refused = fixtureHistory([SUBMIT, ended], [save(1), { fail: 403 }]);
    expect(findSavesAfterEnd(refused, finalState(attempt()))).toEqual([]);
    const before = fixtureHistory(
      [save(1), { unknown: null }],
      [SUBMIT, ended],
      [save(1), { fail: 403 }],
    );
    const state = finalState(attempt({ answers: [stored(1)] }));
    expect(findSavesAfterEnd(before, state)).toEqual([]);
  });
});

describe('ends', () => {
  it('finds two ends, and a missing end that was acknowledged', () => {
    const twice = finalState(attempt({ endedAt: [90_000, 90_001] }));
    expect(whats(findDoubleEnds([], twice))).toEqual(['2 ends']);
    const history = fixtureHistory([SUBMIT, { ok: { status: 'completed', text: '{}' } }]);
    const open = attempt({ status: 'in_progress', submittedAt: null, endedAt: [] });
    expect(whats(findDoubleEnds(history, finalState(open)))).toEqual([
      'an acknowledged end is lost',
    ]);
  });

  it('finds a repeated submit with another result', () => {
    const history = fixtureHistory(
      [SUBMIT, { ok: { text: '{"timeSpent":1}' } }],
      [SUBMIT, { ok: { text: '{"timeSpent":1}' } }],
      [SUBMIT, { ok: { text: '{"timeSpent":2}' } }],
    );
    const found = findDoubleEnds(history, finalState(attempt()));
    expect(found.map(({ entries }) => ops(entries))).toEqual([[1, 3]]);
    expect(findDoubleEnds(history.slice(0, 4), finalState(attempt()))).toEqual([]);
  });

  it('finds a refused submit', () => {
    const history = fixtureHistory([SUBMIT, { fail: 409 }]);
    expect(whats(findDoubleEnds(history, finalState(attempt())))).toEqual(['a submit was refused']);
  });

  const left = attempt({ submissionType: 'auto', submittedAt: 100_000, endedAt: [110_500] });

  it.each([
    [{ endedAt: [125_001] }, 'closed 1 ms too late'],
    [{ submissionType: 'database' }, 'it did not end by its deadline'],
  ])('finds an abandoned attempt with %j', (differs, what) => {
    expect(whats(findLeftOpen([], finalState({ ...left, ...differs }), []))).toEqual([what]);
    expect(findLeftOpen([], finalState(left), [])).toEqual([]);
  });

  it('ignores attempts that were or may have been submitted', () => {
    const history = fixtureHistory([SUBMIT, { unknown: null }]);
    expect(findLeftOpen(history, finalState(attempt()), [])).toEqual([]);
  });

  it('allows 15 s after a short outage and a minute more after a long one', () => {
    expect(latestEnd(left, [])).toBe(125_000);
    expect(latestEnd(left, [{ from: 110_000, to: 112_000 }])).toBe(127_000);
    expect(latestEnd(left, [{ from: 95_000, to: 120_000 }])).toBe(195_000);
    expect(latestEnd(left, [{ from: 50_000, to: 90_000 }])).toBe(125_000);
    expect(latestEnd(left, [{ from: 126_000, to: 190_000 }])).toBe(125_000);
  });
});

describe('reported violations', () => {
  const counted = { ok: { counted: true } };

  it('finds an acknowledged one that is lost, and a count that does not match the rows', () => {
    const history = fixtureHistory([report('v1'), counted]);
    expect(whats(findMiscounts(history, finalState(attempt())))).toEqual([
      'an acknowledged report is lost',
    ]);
    const violations = [{ id: 'v1', counted: true }];
    const twice = finalState(attempt({ violations, countedViolations: 2 }));
    expect(whats(findMiscounts(history, twice))).toEqual(['the count does not match its rows']);
  });

  it('accepts one that is stored although its response got lost', () => {
    const history = fixtureHistory([report('v1'), { unknown: null }], [report('v1'), counted]);
    const violations = [{ id: 'v1', counted: true }];
    const state = finalState(attempt({ violations, countedViolations: 1 }));
    expect(findMiscounts(history, state)).toEqual([]);
  });
});

describe('attempts', () => {
  it('finds a second attempt of one code, in the responses and in the rows', () => {
    const history = fixtureHistory(
      [START, { ok: { attempt: 'a1' } }],
      [START, { ok: { attempt: 'a2' } }],
    );
    const found = findSecondAttempts(history, finalState(attempt(), attempt({ id: 'a2' })));
    expect(whats(found)).toEqual([
      'one code, several attempts',
      'a second start returned another attempt',
    ]);
    expect(findSecondAttempts(history.slice(0, 2), finalState(attempt()))).toEqual([]);
    expect(whats(findSecondAttempts(history.slice(0, 2), finalState()))).toEqual([
      'an acknowledged start is lost',
    ]);
  });
});

it('a save that took too long or was not answered is found, unless connections were cut', () => {
  const found = (outcome: FixtureOutcome, isUncut = false) =>
    whats(findUnanswered(fixtureHistory([save(1), outcome]), isUncut));
  expect(found({ unknown: 503, retryAfter: '1', tookMs: 15_001 })).toEqual([
    'a save took too long',
  ]);
  expect(found({ unknown: 500 })).toEqual(['a save failed without "try again"']);
  expect(found({ unknown: 503, retryAfter: '1' })).toEqual([]);
  expect(found({ unknown: null })).toEqual([]);
  expect(found({ unknown: null }, true)).toEqual(['a save got no answer']);
});

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

  it('finds one that is missing or has another code', () => {
    expect(found({ taken: [] }, 5)).toEqual(['a message never arrived']);
    expect(found({ taken: [one, { ...one, code: 'd' }] }, 1)).toEqual(['another code']);
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
