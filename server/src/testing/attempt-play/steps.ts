import fc from 'fast-check';

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
 * A change of an answer. `step` is what is added to the stored revision, so that stale, equal and
 * newer ones all come up; `null` (a submit only) sends none.
 */
export interface Row {
  question: number;
  option: number | null;
  flag: boolean;
  step: number | null;
}

/** Everything that can happen to an attempt, by candidate, administrator, clock and operator. */
export type Step =
  | { kind: 'start'; times: number }
  | { kind: 'save' | 'saveReplaced'; rows: Row[] }
  | { kind: 'reorder'; first: Row; second: Row }
  | { kind: 'submit'; rows: Row[]; claimsAuto: boolean }
  | { kind: 'replay' | 'read' | 'beat' | 'signIn' | 'signInDead' | 'strangers' | 'restart' }
  | { kind: 'feedback'; emoji: 'smile' | 'neutral' | 'sad' }
  | { kind: 'wait'; ms: number }
  | { kind: 'tick'; trusted: boolean }
  | { kind: 'outage'; ms: number; restart: boolean }
  | { kind: 'edit'; duration: number; endsIn: number | null; isActive: boolean; options: string[] }
  | { kind: 'extend'; minutes: number }
  | { kind: 'endNow' | 'resend' | 'revoke' }
  | { kind: 'replace'; how: 'another' | 'reinstate' };

const row = fc.record({
  question: fc.nat(5),
  option: fc.option(fc.nat(3)),
  flag: fc.boolean(),
  step: fc.constantFrom(-1, 0, 1, 1, 1, 2),
});
const submitRow = fc.tuple(row, fc.boolean()).map(([r, bare]) => (bare ? { ...r, step: null } : r));
const rows = <T extends Row>(of: fc.Arbitrary<T>, minLength: number) =>
  fc.uniqueArray(of, { selector: (r) => r.question, minLength, maxLength: 4 });

/** A step of this kind with these fields. */
function kind<K extends Step['kind'], F extends object>(
  name: K,
  fields: { [P in keyof F]: fc.Arbitrary<F[P]> },
) {
  return fc.record(fields).map((f) => ({ kind: name, ...f }));
}

const often: [number, fc.Arbitrary<Step>][] = [
  [10, kind('save', { rows: rows(row, 1) })],
  [4, kind('submit', { rows: rows(submitRow, 0), claimsAuto: fc.boolean() })],
  [4, kind('wait', { ms: fc.constantFrom(1_000, 9_000, 20_000, 70_000) })],
  [3, kind('start', { times: fc.integer({ min: 1, max: 3 }) })],
  [3, kind('replace', { how: fc.constantFrom('another', 'reinstate') })],
  [2, kind('replay', {})],
  [2, kind('reorder', { first: row, second: row })],
  [2, kind('tick', { trusted: fc.constantFrom(true, true, false) })],
  [2, kind('signIn', {})],
  [2, kind('extend', { minutes: fc.constantFrom(1, 2, 5) })],
  [2, kind('endNow', {})],
  [
    2,
    kind('outage', {
      ms: fc.constantFrom(30_000, 150_000, 2_400_000),
      restart: fc.constantFrom(false, false, false, true),
    }),
  ],
];

const seldom: fc.Arbitrary<Step>[] = [
  kind('saveReplaced', { rows: rows(row, 1) }),
  kind('read', {}),
  kind('beat', {}),
  kind('signInDead', {}),
  kind('strangers', {}),
  kind('restart', {}),
  kind('resend', {}),
  kind('revoke', {}),
  kind('feedback', { emoji: fc.constantFrom('smile', 'neutral', 'sad') }),
  kind('edit', {
    duration: fc.integer({ min: 1, max: 180 }),
    endsIn: fc.constantFrom(null, null, 90_000, -1),
    isActive: fc.constantFrom(true, true, false),
    options: fc.shuffledSubarray(NASTY, { minLength: 2, maxLength: 4 }),
  }),
];

const step = fc.oneof(
  ...often.map(([weight, arbitrary]) => ({ weight, arbitrary })),
  ...seldom.map((arbitrary) => ({ weight: 1, arbitrary })),
);

/** Which of the quizzes; a quiz is made of its number. */
export const quiz = fc.nat(29);

/** How many first starts arrive at once (I1). */
export const starts = fc.constantFrom(1, 1, 1, 3);

/** A story of an attempt. `size: max`: long ones as often as short ones. */
export const story = fc.array(step, { minLength: 4, maxLength: 20, size: 'max' });
