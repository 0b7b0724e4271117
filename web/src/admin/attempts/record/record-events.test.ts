import { expect, test } from 'vitest';
import { recordQuestion, violation } from '../../../testing/record-rows.ts';
import { eventText, isReplaced, sinceStart, timelineOf } from './record-events.ts';

const NOTHING = {
  events: [],
  actions: [],
  messages: [],
  violations: [],
  connectionGaps: [],
  questions: [],
};

test('merges violations, gaps and answers in one timeline, each with its kind', () => {
  const entries = timelineOf({
    ...NOTHING,
    events: [{ kind: 'started', at: '2026-05-14T10:00:00.000Z', details: null }],
    violations: [
      violation({ engine: 'basic', durationMs: 4_200, candidateNote: 'I dropped my pen' }),
      violation({ type: 'camera_dark', at: '2026-05-14T10:03:00.000Z', counted: false }),
      violation({ type: 'fullscreen_exit', at: '2026-05-14T10:03:30.000Z' }),
    ],
    connectionGaps: [{ from: '2026-05-14T10:04:00.000Z', to: '2026-05-14T10:05:20.000Z' }],
    questions: [recordQuestion({ position: 2, savedAt: '2026-05-14T10:01:00.000Z' })],
  });
  expect(entries.map(({ kind, words }) => `${kind}: ${words}`)).toEqual([
    'event: Started',
    'answer: Question 2 answered',
    'signal: Cannot tell: too dark',
    'page: Left fullscreen, counted',
    'connection: No contact for 1 min 20 s',
    'violation: Face not detected, counted',
  ]);
  expect(entries.at(-1)?.lines).toEqual([
    'For 4 s. Detected by: basic check.',
    'The candidate: “I dropped my pen”',
  ]);
});

test('describes events as sentences', () => {
  expect(eventText({ kind: 'extended', details: { minutes: 5 } })).toBe('5 extra minutes given');
  expect(eventText({ kind: 'extended', details: { minutes: 1 } })).toBe('1 extra minute given');
  expect(eventText({ kind: 'extended', details: null })).toBe('Extra time given');
  expect(eventText({ kind: 'ended', details: { submissionType: 'auto' } })).toBe(
    'Ended when time ran out',
  );
  expect(eventText({ kind: 'replaced', details: { how: 'another' } })).toBe(
    'Another attempt allowed',
  );
  const help = ['help_asked', 'help_withdrawn', 'help_answered'];
  expect(help.map((kind) => eventText({ kind, details: null }))).toEqual([
    'Asked for help',
    'No longer asked for help',
    'The call for help was answered',
  ]);
});

test('shows an unknown type by name', () => {
  expect(eventText({ kind: 'tab_switch', details: null })).toBe('Tab switch');
});

test.each([
  ['2026-05-14T10:00:00.000Z', '00:00'],
  ['2026-05-14T10:14:11.900Z', '14:11'],
  ['2026-05-14T11:00:05.000Z', '1:00:05'],
  ['2026-05-14T09:59:59.000Z', null],
  ['no time', null],
])('%s is %s after the start', (at, text) => {
  expect(sinceStart('2026-05-14T10:00:00.000Z', at)).toBe(text);
});

test('detects a replaced attempt by its event', () => {
  const at = '2026-05-14T10:00:00.000Z';
  expect(isReplaced({ events: [{ kind: 'ended', at, details: null }] })).toBe(false);
  expect(isReplaced({ events: [{ kind: 'replaced', at, details: null }] })).toBe(true);
});

test('merges an event with its action, but not with another action', () => {
  const at = '2026-05-14T10:10:00.000Z';
  const adminEmail = 'admin@example.org';
  const entries = timelineOf({
    ...NOTHING,
    events: [
      { kind: 'started', at: '2026-05-14T10:00:00.000Z', details: null },
      { kind: 'extended', at, details: { minutes: 5 } },
      { kind: 'ended', at: '2026-05-14T10:30:00.000Z', details: { submissionType: 'auto' } },
    ],
    actions: [
      { at, action: 'participant.extended', adminEmail, reason: 'The alarm rang', verdict: null },
      {
        at: '2026-05-14T10:20:00.000Z',
        action: 'participant.noted',
        adminEmail,
        reason: null,
        verdict: null,
      },
    ],
  });
  expect(entries.map(({ words, by }) => [words, by?.reason])).toEqual([
    ['Started', undefined],
    ['5 extra minutes given', 'The alarm rang'],
    ['Note changed', null],
    ['Ended when time ran out', undefined],
  ]);
});

test('shows a message with its text, and a verdict with its decision', () => {
  const at = '2026-05-14T10:10:00.000Z';
  const adminEmail = 'admin@example.org';
  const entries = timelineOf({
    ...NOTHING,
    events: [
      { kind: 'message', at, details: null },
      { kind: 'message', at: '2026-05-14T10:11:00.000Z', details: null },
    ],
    messages: [
      { id: 'm', at, text: 'Please close the window' },
      // Erased with the person.
      { id: 'n', at: '2026-05-14T10:11:00.000Z', text: '' },
    ],
    actions: [
      { at, action: 'participant.messaged', adminEmail, reason: null, verdict: null },
      {
        at: '2026-05-14T11:00:00.000Z',
        action: 'participant.verdict_recorded',
        adminEmail,
        reason: 'A radio',
        verdict: 'no_concern',
      },
    ],
  });
  expect(entries.map(({ words, lines, by }) => [words, lines, by?.reason])).toEqual([
    ['Message sent', ['“Please close the window”'], null],
    ['Message sent', [], undefined],
    ['Verdict: No concern', [], 'A radio'],
  ]);
});

test('sorts a violation before the limit it reached at the same time', () => {
  const { at } = violation();
  const entries = timelineOf({
    ...NOTHING,
    events: [{ kind: 'limit_reached', at, details: null }],
    violations: [violation()],
  });
  expect(entries.map(({ words }) => words)).toEqual([
    'Face not detected, counted',
    'Limit reached',
  ]);
});

test('identifies the violation that ended the attempt, also where another one counted after it', () => {
  const violations = [
    violation({ id: 'tab', type: 'tab_hidden' }),
    violation({ id: 'face', at: '2026-05-14T10:06:01.000Z' }),
  ];
  const fatal = (ending: { endingViolationId?: string }) =>
    timelineOf({ ...NOTHING, violations, ...ending }).map(({ isFatal }) => isFatal);
  expect(fatal({ endingViolationId: 'tab' })).toEqual([true, false]);
  expect(fatal({})).toEqual([false, false]);
});

test.each([
  [
    { from: { kind: 'computer', browser: 'Chrome' }, to: { kind: 'phone', browser: 'Safari' } },
    'Device changed from computer to phone or tablet. Browser changed from Chrome to Safari',
  ],
  [
    { from: { ipv4: '203.0.0.0/16' }, to: { ipv4: '198.51.0.0/16' } },
    'Network changed from 203.0.0.0/16 to 198.51.0.0/16',
  ],
  [null, 'Device changed'],
])('describes a change of device: %o', (details, words) => {
  expect(eventText({ kind: 'device_changed', details })).toBe(words);
});

test('says how a rescoring changed the result, and who did it', () => {
  const action = {
    at: '2026-05-15T08:00:00.000Z',
    action: 'participant.rescored',
    adminEmail: 'admin@example.org',
    reason: 'Typing error',
    verdict: null,
    change: { before: 12, after: 13, totalMarks: 25 },
  };
  expect(timelineOf({ ...NOTHING, actions: [action] })).toMatchObject([
    { kind: 'event', words: 'Rescored: 12 to 13 of 25', by: action },
  ]);
});
