import { STRICT_POLICY } from '@invigil/core/domain/violations/violation-policy';
import { describe, expect, test } from 'vitest';
import { QUIZ } from '../../../testing/fixtures.ts';
import {
  NEW_QUIZ,
  NO_LANGUAGES,
  opensLonger,
  QUIZ_FORM_MESSAGES,
  quizFormValuesOf,
  validateChangedQuiz,
  validateNewQuiz,
} from './quiz-form.ts';

const CATEGORY = '019a6f3e-7b1c-7d3a-9f2e-4c5d7f3a91c2';
const BASE = { version: 3, endDate: null };
const filled = {
  ...NEW_QUIZ,
  title: ' Network Fundamentals ',
  categoryId: CATEGORY,
  totalQuestions: '25',
  endDate: '2097-05-14T18:00',
};

describe('a new assessment', () => {
  test('reports each missing field if empty, with the specification’s sentence for the form', () => {
    const validated = validateNewQuiz({ ...NEW_QUIZ, duration: '' });
    expect(validated).toMatchObject({ ok: false, sentence: QUIZ_FORM_MESSAGES.invalid() });
    expect(!validated.ok && Object.keys(validated.problems).sort()).toEqual([
      'categoryId',
      'duration',
      'endDate',
      'title',
      'totalQuestions',
    ]);
  });

  test.each([
    ['title', '  '],
    ['title', 'x'.repeat(201)],
    ['duration', '0'],
    ['duration', '181'],
    ['duration', '2.5'],
    ['duration', 'abc'],
    ['totalQuestions', '4'],
    ['totalQuestions', '101'],
    ['endDate', 'tomorrow'],
    ['opensAt', 'tomorrow'],
    ['opensAt', '2097-05-14T18:00'],
  ] as const)('%s %j is refused there alone', (field, value) => {
    const validated = validateNewQuiz({ ...filled, [field]: value });
    expect(!validated.ok && Object.keys(validated.problems)).toEqual([field]);
  });

  test('has a rule for retakes where there can be several attempts, with its wait in minutes', () => {
    const sent = (values: object, base = {}) => {
      const validated = validateChangedQuiz({ ...filled, ...values }, { ...BASE, ...base });
      return validated.ok ? validated.body.retakes : validated.problems;
    };
    expect(sent({})).toBeUndefined();
    const twice = { attempts: '2', wait: '1.5', waitUnit: 'hours' };
    expect(sent(twice)).toEqual({ attempts: 2, waitMinutes: 90, counts: 'best' });
    expect(sent({ ...twice, wait: ' ' })).toMatchObject({ waitMinutes: 0 });
    // One that is stored stays when there is only one attempt: rules for groups rest on it.
    const stored = { attempts: 2, waitMinutes: 2_880, counts: 'last' as const };
    const shown = quizFormValuesOf({ ...QUIZ, retakes: stored });
    expect(shown).toMatchObject({ attempts: '2', wait: '2', waitUnit: 'days', counts: 'last' });
    const { wait, waitUnit, counts } = shown;
    const once = { attempts: '1', wait, waitUnit, counts };
    expect(sent(once, { retakes: stored })).toEqual({ ...stored, attempts: 1 });
    expect(sent({ attempts: '' })).toEqual({ attempts: 'Attempts must be 1 to 10' });
    expect(sent({ ...twice, wait: 'x' })).toEqual({ wait: 'Enter a wait of at most a year' });
    expect(sent({ ...twice, wait: '366', waitUnit: 'days' })).toHaveProperty('wait');
  });

  test('sends when it opens, to the second where that was not typed', () => {
    const opensAt = '2097-05-14T09:00';
    const instant = new Date(opensAt).toISOString();
    expect(validateNewQuiz({ ...filled, opensAt })).toMatchObject({ body: { opensAt: instant } });
    const changed = (typed: string, stored: string | undefined) => {
      const base = { ...BASE, ...(stored === undefined ? {} : { opensAt: stored }) };
      const validated = validateChangedQuiz({ ...filled, opensAt: typed }, base);
      return validated.ok && validated.body.opensAt;
    };
    expect(changed(opensAt, undefined)).toBe(instant);
    const toSecond = new Date(`${opensAt}:30`).toISOString();
    expect(changed(opensAt, toSecond)).toBe(toSecond);
    expect(changed('', undefined)).toBeNull();
    expect(changed('', instant)).toBeNull();
  });

  test('lets all start together at an opening or by the button, until a minute', () => {
    const opensAt = '2097-05-14T09:00';
    const bodyOf = (
      values: Partial<typeof filled>,
      stored?: { by: 'button'; lateMinutes: number },
    ) => {
      const validated = validateChangedQuiz(
        { ...filled, ...values },
        { ...BASE, ...(stored ? { startTogether: stored } : {}) },
      );
      return validated.ok ? validated.body : validated.problems;
    };
    const time = { by: 'time', lateMinutes: 5 };
    expect(bodyOf({ startTogether: 'time', lateMinutes: '5', opensAt })).toMatchObject({
      startTogether: time,
    });
    expect(bodyOf({ startTogether: 'time' })).toEqual({ opensAt: QUIZ_FORM_MESSAGES.noOpening() });
    for (const lateMinutes of ['', '0', '181', '1.5']) {
      expect(Object.keys(bodyOf({ startTogether: 'button', lateMinutes }))).toEqual([
        'lateMinutes',
      ]);
    }
    // Nothing is sent of what an assessment does not use.
    expect(bodyOf({})).not.toHaveProperty('startTogether');
    expect(bodyOf({}, { by: 'button', lateMinutes: 15 })).toMatchObject({ startTogether: null });
  });

  test.each([
    ['', undefined],
    ['de', ['de']],
    ['ar en', ['ar', 'en']],
    [NO_LANGUAGES, null],
  ])('with “%s” chosen has the languages %j', (languages, sent) => {
    for (const validated of [
      validateNewQuiz({ ...filled, languages }),
      validateChangedQuiz({ ...filled, languages }, BASE),
    ]) {
      expect(validated.ok && validated.body.languages).toEqual(sent);
    }
  });

  test.each(['1', '180'])('lasts %s minutes', (duration) => {
    expect(validateNewQuiz({ ...filled, duration }).ok).toBe(true);
  });

  test('is sent trimmed, active, with its end in UTC and without an empty description', () => {
    expect(validateNewQuiz(filled)).toEqual({
      ok: true,
      body: {
        title: 'Network Fundamentals',
        description: null,
        categoryId: CATEGORY,
        duration: 25,
        totalQuestions: 25,
        endDate: new Date('2097-05-14T18:00').toISOString(),
        finishAfterEnd: false,
        isActive: true,
        closingMail: true,
        reminders: null,
        policy: STRICT_POLICY,
      },
    });
  });
});

test('reports an invalid policy number and sends nothing', () => {
  const policy = { ...filled.policy, combined: '0' };
  for (const validated of [
    validateNewQuiz({ ...filled, policy }),
    validateChangedQuiz({ ...filled, policy }, BASE),
  ]) {
    expect(validated).toEqual({
      ok: false,
      sentence: QUIZ_FORM_MESSAGES.invalid(),
      problems: { policy: { combined: 'A whole number from 1 to 100, or leave empty' } },
    });
  }
});

describe('a changed assessment', () => {
  test.each([
    [{ duration: '' }, QUIZ_FORM_MESSAGES.duration()],
    [{ duration: 'abc' }, QUIZ_FORM_MESSAGES.duration()],
    [{ totalQuestions: '' }, QUIZ_FORM_MESSAGES.totalQuestions()],
    [{ duration: '', totalQuestions: '' }, QUIZ_FORM_MESSAGES.duration()],
    [{ title: '', duration: '' }, QUIZ_FORM_MESSAGES.invalid()],
    [{ categoryId: '' }, QUIZ_FORM_MESSAGES.invalid()],
    [{ duration: '500' }, QUIZ_FORM_MESSAGES.invalid()],
  ])('%j says %s', (change, sentence) => {
    expect(validateChangedQuiz({ ...filled, ...change }, BASE)).toMatchObject({
      ok: false,
      sentence,
    });
  });

  test('can remove its end date, and sends status and version', () => {
    expect(validateChangedQuiz({ ...filled, endDate: '', status: 'inactive' }, BASE)).toMatchObject(
      {
        ok: true,
        body: { endDate: null, isActive: false, version: 3 },
      },
    );
  });
});

test('refuses an end date in the past unless it is unchanged', () => {
  const past = { ...filled, endDate: '2026-05-14T17:59' };
  const now = new Date('2026-05-14T17:59:30').getTime();
  const problems = { endDate: QUIZ_FORM_MESSAGES.pastEndDate() };
  expect(validateNewQuiz(past, now)).toMatchObject({ ok: false, problems });
  expect(validateNewQuiz({ ...filled, endDate: '2026-05-14T18:00' }, now)).toMatchObject({
    ok: true,
  });
  expect(validateChangedQuiz(past, BASE, now)).toMatchObject({ ok: false, problems });
  const ended = { version: 3, endDate: new Date('2026-05-14T17:59:07').toISOString() };
  expect(validateChangedQuiz(past, ended, now)).toMatchObject({
    ok: true,
    body: { endDate: ended.endDate },
  });
});

test.each([
  ['active', '2026-06-01T10:00', 'active', '2026-06-02T10:00', true],
  ['active', '2026-06-01T10:00', 'active', '', true],
  ['active', '2026-04-01T10:00', 'active', '2026-06-01T10:00', true],
  ['inactive', '2026-06-01T10:00', 'active', '2026-06-01T10:00', true],
  ['inactive', '', 'active', '', true],
  ['active', '2026-06-02T10:00', 'active', '2026-06-01T10:00', false],
  ['active', '', 'active', '2026-06-01T10:00', false],
  ['active', '2026-06-01T10:00', 'inactive', '2026-06-02T10:00', false],
  ['inactive', '2026-06-01T10:00', 'inactive', '2026-06-02T10:00', false],
  // Still in the past, or not yet readable.
  ['active', '2026-04-01T10:00', 'active', '2026-04-02T10:00', false],
  ['active', '2026-06-01T10:00', 'active', 'unreadable', false],
] as const)(
  'starts are possible for longer: %s until "%s", then %s until "%s": %s',
  (status, endDate, newStatus, newEndDate, expected) => {
    const after = { status: newStatus, endDate: newEndDate };
    expect(opensLonger({ status, endDate }, after, '2026-05-01T10:00')).toBe(expected);
  },
);
