import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { notVisible } from '../domain/typed-text.ts';
import { STRICT_POLICY } from '../domain/violations/violation-policy.ts';
import { AdminBody } from './accounts/admins.ts';
import { LoginBody } from './accounts/auth.ts';
import { CategoryBody } from './assessments/categories.ts';
import { QuestionBody } from './assessments/questions.ts';
import { CreateQuizBody, UpdateQuizBody } from './assessments/quizzes.ts';
import { saveAnswers, submitParticipant } from './attempts/answers.ts';
import { giveFeedback, heartbeat, startParticipant } from './attempts/own-participant.ts';
import { SmtpSettingsBody } from './installation/smtp-settings.ts';
import { inviteToQuiz } from './invitations/invitations.ts';
import { importPeople, setPersonFields, updatePerson } from './invitations/people.ts';
import { listParticipants } from './review/participants.ts';

const ID = '0197f5a3-1c1e-7c3a-9b1a-2f4d5e6a7b8c';

/** The problems a schema reports: each `path: message` once; empty when it accepts the value. */
function problems(schema: z.ZodType, value: unknown): string[] {
  const { error } = schema.safeParse(value);
  return [...new Set(error?.issues.map((i) => `${i.path.join('.')}: ${i.message}`))];
}

/** Every row is a field, its wrong values, and the one problem of each; by default any of the field. */
function refuses<T>(schema: z.ZodType, good: T, table: [keyof T, unknown[], problem?: string][]) {
  expect(problems(schema, good)).toEqual([]);
  for (const [field, values, problem = expect.stringContaining(`${String(field)}: `)] of table) {
    for (const value of values) {
      const found = problems(schema, { ...good, [field]: value });
      expect(found, JSON.stringify([field, value])).toEqual([problem]);
    }
  }
}

function accepts<T>(schema: z.ZodType, good: T, changes: { [K in keyof T]?: unknown }[]) {
  for (const change of changes) {
    expect(problems(schema, { ...good, ...change }), JSON.stringify(change)).toEqual([]);
  }
}

describe('the body of an assessment', () => {
  const good: Record<string, unknown> = {
    title: 'Network Fundamentals',
    categoryId: ID,
    duration: 25,
    totalQuestions: 10,
  };
  const duration = 'duration: Duration must be 1 to 180 minutes';
  const total = 'totalQuestions: Total questions must be 5 to 100';

  it('is refused with a problem per field', () => {
    const { policy: _, ...settings } = { policy: null, ...STRICT_POLICY };
    for (const schema of [CreateQuizBody, UpdateQuizBody]) {
      refuses(schema, good, [
        ['title', ['', ' \t', null, undefined], 'title: Enter a title'],
        ['title', ['x'.repeat(201)], 'title: At most 200 characters'],
        ['description', ['x'.repeat(4_001)], 'description: At most 4,000 characters'],
        ['categoryId', ['', undefined, 'general'], 'categoryId: Select a category'],
        ['duration', [0, -1, 181, 1.5, null, undefined, true, [25]], duration],
        ['duration', ['', '0', '181', '25.5', '25 min', '1e2', '0x10', '9'.repeat(20)], duration],
        ['totalQuestions', [4, 101, '4', '101', undefined], total],
        [
          'policy',
          [{ ...settings, tabHidden: 'shout' }],
          expect.stringMatching(/^policy.tabHidden: /),
        ],
        [
          'policy',
          [{ ...settings, tabHiddenMs: -1 }],
          expect.stringMatching(/^policy.tabHiddenMs: /),
        ],
        [
          'policy',
          [{ ...settings, limits: { ...settings.limits, combined: 0 } }],
          expect.stringMatching(/^policy.limits.combined: /),
        ],
        ['isActive', ['yes']],
        ['endDate', ['2026-05-14', '2026-05-14T08:00', '']],
      ]);
    }
    expect(problems(UpdateQuizBody, { ...good, version: 0 })).toHaveLength(1);
  });

  it('accepts numbers, and numbers as strings from a form', () => {
    accepts(CreateQuizBody, good, [
      { duration: 1, totalQuestions: 5 },
      { duration: 180, totalQuestions: 100 },
      { title: ` ${'x'.repeat(200)} ` },
      { description: null, endDate: null },
      { description: '', endDate: '2026-05-14T10:00:00+02:00', isActive: false },
      { policy: STRICT_POLICY },
      { policy: { ...STRICT_POLICY, version: 3 } },
    ]);
    const parsed = CreateQuizBody.parse({
      ...good,
      title: '  Networks ',
      duration: ' 25 ',
      totalQuestions: '10',
    });
    expect(parsed).toMatchObject({ title: 'Networks', duration: 25, totalQuestions: 10 });
  });

  it('distinguishes a field that is left out from one that is emptied', () => {
    expect(UpdateQuizBody.parse(good)).not.toHaveProperty('description');
    expect(UpdateQuizBody.parse({ ...good, description: null })).toHaveProperty(
      'description',
      null,
    );
  });
});

describe('the body of mail settings', () => {
  const good: Record<string, unknown> = {
    host: 'mail.example.org',
    port: 587,
    username: 'invigil',
    password: 'secret',
    fromEmail: 'tests@example.org',
  };
  const host = 'host: Enter a host name or address without http:// or a port';
  const email = 'fromEmail: Enter an email address';

  it('is refused with a problem per field', () => {
    refuses(SmtpSettingsBody, good, [
      ['host', [undefined], 'host: Enter a host'],
      [
        'host',
        [
          'https://mail.example.org',
          'mail.example.org/x',
          '[::1]',
          '[::ffff:127.0.0.1]',
          'mail example',
          'mail@example.org',
        ],
        host,
      ],
      ['port', [0, 65_536, -1, 25.5, true, 'smtp'], 'port: Port must be 1 to 65535'],
      ['username', ['', ' ', undefined], 'username: Enter a username'],
      ['password', [''], 'password: Enter a password'],
      [
        'fromEmail',
        [
          '',
          'tests',
          'tests@example.org\r\nBcc: x@example.org',
          'Tests <tests@example.org>',
          undefined,
        ],
        email,
      ],
    ]);
    expect(problems(SmtpSettingsBody, { ...good, host: ' ' })).toContain('host: Enter a host');
  });

  it('is accepted with and without optional fields', () => {
    const { password: _, port: __, ...least } = good;
    expect(SmtpSettingsBody.parse(least)).toEqual({ ...least, port: 587, isActive: true });
    accepts(SmtpSettingsBody, good, [
      { port: 1 },
      { port: 65_535 },
      { port: '465' },
      { host: '2001:db8::25' },
      { host: '192.0.2.25' },
      { isActive: false },
      { fromEmail: 'no_reply+x@mail.example.co.uk' },
      { fromEmail: 'o&m@example.org' },
      { fromEmail: 'invigil@localhost' },
    ]);
  });
});

describe('the body of feedback', () => {
  const good: Record<string, unknown> = { participantId: ID, emoji: 'smile' };

  it('is refused without an attempt or one of the three emoji', () => {
    refuses(giveFeedback.body, good, [
      ['participantId', [undefined, 'mine'], 'participantId: Invalid id'],
      ['emoji', [undefined, null, 'Smile', '🙂'], 'emoji: Select smile, neutral or sad'],
      ['text', ['x'.repeat(2_001)]],
      ['skipped', ['no']],
    ]);
  });

  it('is accepted with and without a text', () => {
    accepts(giveFeedback.body, good, [
      { emoji: 'neutral' },
      { emoji: 'sad', text: 'The timer <b>was</b> too fast' },
      { text: null, skipped: true },
      { text: '' },
    ]);
  });
});

describe('the body of a question', () => {
  const good: Record<string, unknown> = {
    question: 'Q',
    options: ['a', 'b'],
    correctAnswer: 'a',
  };

  it('is refused where a field is missing or not text', () => {
    refuses(QuestionBody, good, [
      ['question', [undefined, 1], 'question: Please enter a question'],
      ['options', [undefined, null, 4, '[1, 2]'], 'options: Please provide at least two options'],
      ['options', [['a', 1]], 'options.1: An option must be text'],
      ['options', [Array(21).fill('a')], 'options: A question has at most 4 options'],
      ['correctAnswer', [undefined, 0], 'correctAnswer: Please select the correct answer'],
      ['type', ['essay']],
      ['orderNumber', [0, 1.5]],
      ['quizId', ['x'], 'quizId: Invalid id'],
    ]);
  });

  it('normalizes its options', () => {
    for (const options of [['a', 'b, c'], '["a", "b, c"]', 'a, "b, c"']) {
      expect(QuestionBody.parse({ ...good, options })).toEqual({
        ...good,
        type: 'multiple_choice',
        options: ['a', 'b, c'],
      });
    }
  });
});

describe('the body of answers', () => {
  const change = { questionId: ID, selectedOption: 'a', isFlagged: false, revision: 1 };
  const save = (row: object) => problems(saveAnswers.body, { answers: [change, row] });
  const submit = (row: object) => problems(submitParticipant.body, { answers: [change, row] });

  it.each([
    ['a question', { questionId: 'q1' }],
    ['an option', { selectedOption: 1 }],
    ['an option too long', { selectedOption: 'x'.repeat(16_501) }],
    ['a flag', { isFlagged: 'yes' }],
    ['a revision of 0', { revision: 0 }],
    ['a negative revision', { revision: -1 }],
    ['half a revision', { revision: 1.5 }],
    ['a revision of 2^31', { revision: 2 ** 31 }],
    ['a revision as a string', { revision: '1' }],
  ])('is refused with %s, and names the row', (_, wrong) => {
    expect(save({ ...change, ...wrong })).toEqual([expect.stringMatching(/^answers\.1\.\w+: /)]);
    expect(submit({ ...change, ...wrong })).toEqual([expect.stringMatching(/^answers\.1\.\w+: /)]);
  });

  it('needs every field in a save, and at least one row', () => {
    for (const field of Object.keys(change)) {
      expect(save({ ...change, [field]: undefined })).toHaveLength(1);
    }
    expect(problems(saveAnswers.body, { answers: [] })).toHaveLength(1);
    expect(problems(saveAnswers.body, {})).toHaveLength(1);
    expect(problems(saveAnswers.body, null)).toHaveLength(1);
  });

  it('needs only the question in a submit, which may be empty', () => {
    expect(submit({ questionId: ID })).toEqual([]);
    expect(submit({ ...change, participantId: ID, selectedOption: null })).toEqual([]);
    expect(problems(submitParticipant.body, {})).toEqual([]);
    expect(save({ ...change, revision: 2_147_483_647, selectedOption: '' })).toEqual([]);
  });

  it('accepts and ignores what the client of the specification sends about the participant', () => {
    const participant = {
      status: 'completed',
      timeSpent: 1,
      submittedAt: '2026-05-14T08:00:00Z',
      startedAt: 'long ago',
      violationCount: -1,
      score: 100,
    };
    expect(problems(submitParticipant.body, { answers: [], participant })).toEqual([]);
    const start = { userId: ID, quizId: ID, status: 'x', timeSpent: 'x', startedAt: 5 };
    expect(problems(startParticipant.body, start)).toEqual([]);
  });
});

/** Each body with a name of people, or what is known of them. */
const NAMED: [string, z.ZodType, (name: string) => unknown][] = [
  ['givenName', updatePerson.body, (givenName) => ({ givenName })],
  ['familyName', updatePerson.body, (familyName) => ({ familyName })],
  ['externalId', updatePerson.body, (externalId) => ({ externalId })],
  ['groups.0', updatePerson.body, (group) => ({ groups: [group] })],
  [`fields.${ID}`, updatePerson.body, (value) => ({ fields: { [ID]: value } })],
  [
    'people.0.givenName',
    importPeople.body,
    (givenName) => ({ people: [{ email: 'a@example.org', givenName }], dryRun: true }),
  ],
  ['people.0.groups.0', inviteToQuiz.body, (group) => ({ people: [{ groups: [group] }] })],
  [
    'fields.0.name',
    setPersonFields.body,
    (name) => ({ fields: [{ id: ID, name, kind: 'text', choices: [], isPersonal: true }] }),
  ],
  [
    'fields.0.choices.0',
    setPersonFields.body,
    (one) => ({
      fields: [{ id: ID, name: 'Campus', kind: 'choice', choices: [one], isPersonal: true }],
    }),
  ],
  ['name', AdminBody, (name) => ({ email: 'a@example.org', grants: [], name })],
];

describe('a name', () => {
  it.each(NAMED)('is refused at %s with what no one sees', (path, schema, bodyOf) => {
    for (const name of ['Ada', 'دا\u200cود', 'A 👩\u200d🔬']) {
      expect(problems(schema, bodyOf(name))).toEqual([]);
    }
    for (const name of ['A\u202eda', 'A\u200bda', 'A\u2060da', 'A\u00adda', 'A\u{e0041}da']) {
      expect(problems(schema, bodyOf(name))).toEqual([`${path}: ${notVisible()}`]);
    }
  });
});

describe('other bodies and queries', () => {
  it('refuses a sign-in without both fields', () => {
    refuses(LoginBody, { email: 'a@example.org', password: 'p' }, [
      ['email', ['', ' '], 'email: Enter your email address'],
      ['password', [''], 'password: Enter your password'],
    ]);
    expect(LoginBody.parse({ email: ' a@b ', password: ' p ' })).toEqual({
      email: 'a@b',
      password: ' p ',
    });
  });

  it('refuses a category without a name', () => {
    refuses<Record<string, unknown>>(CategoryBody, { name: 'N' }, [
      ['name', ['', ' ', undefined], 'name: Enter a name'],
      ['name', ['x'.repeat(101)], 'name: At most 100 characters'],
      ['description', ['x'.repeat(1_001)], 'description: At most 1,000 characters'],
    ]);
  });

  it('accepts an invitation call without addresses, which the route refuses', () => {
    for (const body of [{}, { emails: null }, { emails: [] }]) {
      expect(problems(inviteToQuiz.body, body)).toEqual([]);
    }
    expect(problems(inviteToQuiz.body, { emails: 'a@example.org' })).toHaveLength(1);
    expect(problems(inviteToQuiz.body, { emails: [1] })).toEqual([
      'emails.0: Not an email address',
    ]);
  });

  it('refuses a heartbeat without a whole number', () => {
    expect(problems(heartbeat.body, { seq: 0 })).toEqual([]);
    expect(problems(heartbeat.body, { seq: 1, monitor: { face: true } })).toEqual([]);
    for (const seq of [-1, 1.5, '1', null, undefined]) {
      expect(problems(heartbeat.body, { seq })).toHaveLength(1);
    }
  });

  it.each([
    ['limit', ['0', '-1', '1001', '1.5', 'ten', '', ['1', '2']], ['1', '1000', 10]],
    ['offset', ['-1', '0.5', 'x', '100000001'], ['0', '99']],
    [
      'sort',
      ['password', 'started_at', 'STATUS', ''],
      ['startedAt', 'userEmail', 'score', 'status'],
    ],
    ['order', ['up', 'ASC'], ['asc', 'desc']],
    ['status', ['not started', 'Completed'], ['in_progress', 'completed', 'dismissed']],
    ['asOf', ['now', '2026-05-14'], ['2026-05-14T08:00:00.000Z']],
    ['quizId', ['1', ''], [ID]],
    ['userId', ['1'], [ID]],
    ['search', ['x'.repeat(321), ['a', 'b']], ['', '%_\\', "' or 1=1"]],
  ])('validates %s of the participants list', (field, wrong, right) => {
    for (const value of wrong) {
      expect(problems(listParticipants.query, { [field]: value }), String(value)).toHaveLength(1);
    }
    for (const value of right) {
      expect(problems(listParticipants.query, { [field]: value }), String(value)).toEqual([]);
    }
  });

  it('lists participants newest start first, at most 1,000, by default', () => {
    expect(listParticipants.query.parse({})).toEqual({
      sort: 'startedAt',
      limit: 1_000,
      offset: 0,
    });
  });
});
