import fc from 'fast-check';
import type { Detected } from './model.ts';

/** Options as hostile as people and spreadsheets make them (I19). */
const NASTY = [
  'A',
  'B',
  'a, b',
  '"quoted"',
  "it's",
  '[1, 2]',
  '["x"]',
  '=1+1',
  '@sum',
  '-1',
  '1',
  '01',
  'é',
  'e\u0301',
  '日本語',
  'שלום, עולם',
  '👩‍💻',
  'a  b',
  'a\nb',
  '<b>x</b>',
  "'=1",
  'null',
  '\\',
  '%',
  'None of these',
];

/** The options of each question of a quiz: two to four of them, for four to seven questions. */
export const optionSets = fc.array(fc.shuffledSubarray(NASTY, { minLength: 2, maxLength: 4 }), {
  minLength: 4,
  maxLength: 7,
});

/**
 * A change of an answer. `step` is added to the stored revision, so that stale, equal and newer ones all
 * occur; `null` (a submit only) sends none.
 */
export interface Row {
  question: number;
  option: number | null;
  flag: boolean;
  step: number | null;
}

const row = fc.record({
  question: fc.nat(5),
  option: fc.option(fc.nat(3)),
  flag: fc.boolean(),
  step: fc.constantFrom(-1, 0, 1, 1, 1, 2),
});
const submitRow = fc.tuple(row, fc.boolean()).map(([r, bare]) => (bare ? { ...r, step: null } : r));
const rows = <T extends Row>(of: fc.Arbitrary<T>, minLength: number) =>
  fc.uniqueArray(of, { selector: (r) => r.question, minLength, maxLength: 4 });

const bare = <K extends string>(kind: K) => fc.constant({ kind });
const kind = <K extends string, F extends object>(name: K, fields: fc.Arbitrary<F>) =>
  fields.map((f) => ({ kind: name, ...f }));

const save = kind('save', fc.record({ rows: rows(row, 1) }));
const submit = kind('submit', fc.record({ rows: rows(submitRow, 0), claimsAuto: fc.boolean() }));
const replace = kind(
  'replace',
  fc.record({
    how: fc.constantFrom('another' as const, 'reinstate' as const),
    /** The one that counts is replaced, where it is not the latest. */
    ofCounting: fc.constantFrom(false, false, true),
    minutes: fc.constantFrom(null, null, 3),
  }),
);
/** Breaks, and times for this person alone; null for both: those of the assessment again. */
const ownTimes = kind(
  'ownTimes',
  fc.record({
    endsIn: fc.constantFrom(null, 60_000, 600_000, -1),
    /** The latest start, where there is an own end. */
    startsIn: fc.constantFrom(null, 30_000, 300_000),
    minutes: fc.option(fc.constant(7)),
    breaks: fc.option(fc.constant({ count: 2, minutes: 1 })),
    attempts: fc.constantFrom(null, null, 2),
  }),
);
const rule = kind(
  'rule',
  fc.record({
    retakes: fc.option(
      fc.record({
        attempts: fc.integer({ min: 1, max: 4 }),
        waitMinutes: fc.constantFrom(0, 0, 1),
        counts: fc.constantFrom(
          'best' as const,
          'best' as const,
          'last' as const,
          'first' as const,
        ),
      }),
      { freq: 8 },
    ),
  }),
);
const outage = kind(
  'outage',
  fc.record({
    ms: fc.constantFrom(30_000, 150_000, 2_400_000),
    restart: fc.constantFrom(false, false, false, true),
  }),
);
const feedback = kind(
  'feedback',
  fc.record({ emoji: fc.constantFrom('smile' as const, 'neutral' as const, 'sad' as const) }),
);
const edit = kind(
  'edit',
  fc.record({
    duration: fc.integer({ min: 1, max: 180 }),
    endsIn: fc.constantFrom(null, null, 90_000, -1),
    isActive: fc.constantFrom(true, true, false),
    options: fc.shuffledSubarray(NASTY, { minLength: 2, maxLength: 4 }),
  }),
);

const notice = kind(
  'detect',
  fc.record({
    types: fc.array(
      fc.constantFrom<Detected[]>(
        'face_not_detected',
        'voice_detected',
        'fullscreen_exit',
        'multiple_faces',
        'clipboard',
      ),
      { minLength: 1, maxLength: 3 },
    ),
  }),
);

const often = <T>(weight: number, arbitrary: fc.Arbitrary<T>) => ({ weight, arbitrary });

/**
 * Everything that can happen to an attempt, caused by candidate, administrator, clock or operator, with
 * its weight out of 81.
 */
const step = fc.oneof(
  often(10, save),
  often(4, submit),
  often(4, kind('wait', fc.record({ ms: fc.constantFrom(1_000, 9_000, 20_000, 70_000) }))),
  often(3, kind('start', fc.record({ times: fc.integer({ min: 1, max: 3 }) }))),
  often(3, replace),
  often(2, bare('replay')),
  often(2, kind('reorder', fc.record({ first: row, second: row }))),
  often(2, kind('tick', fc.record({ trusted: fc.constantFrom(true, true, false) }))),
  often(2, bare('signIn')),
  often(2, kind('extend', fc.record({ minutes: fc.constantFrom(1, 2, 5) }))),
  often(2, bare('endNow')),
  often(2, outage),
  often(2, feedback),
  often(4, notice),
  often(1, bare('detectAgain')),
  often(1, bare('count')),
  often(2, kind('hand', fc.record({ handUp: fc.boolean() }))),
  often(1, bare('message')),
  often(3, kind('pause', fc.record({ minutes: fc.constantFrom(null, 1, 2) }))),
  often(3, bare('resume')),
  often(3, kind('takeBreak', fc.record({ onBreak: fc.boolean() }))),
  often(1, bare('saveReplaced')),
  often(1, bare('read')),
  often(1, bare('heartbeat')),
  often(1, bare('signInDead')),
  often(1, bare('strangers')),
  often(1, bare('resend')),
  often(1, bare('revoke')),
  often(1, edit),
  often(2, ownTimes),
  often(3, rule),
  often(4, kind('retake', fc.record({ times: fc.integer({ min: 1, max: 3 }) }))),
  often(1, kind('together', fc.record({ late: fc.constantFrom(null, 1, 5) }))),
  often(2, bare('press')),
);

export type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;
export type StepOf<K extends Step['kind']> = Extract<Step, { kind: K }>;

/** Which of the quizzes, which are generated from this number. */
export const quiz = fc.nat(29);

/** How many first starts are concurrent (I1). */
export const starts = fc.constantFrom(1, 1, 1, 3);

/** The rule before the first start: minutes for those who are late; null: nobody waits for others. */
export const lateMinutes = fc.constantFrom(null, null, null, null, 1, 5);

/** A sequence of an attempt. `size: max`: long ones as often as short ones. */
export const sequence = fc.array(step, { minLength: 3, maxLength: 12, size: 'max' });
