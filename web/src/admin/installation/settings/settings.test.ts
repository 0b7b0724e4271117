import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { actionsOf, type Endpoint } from '@invigil/core/contract/definition/endpoint';
import { ENDPOINTS } from '@invigil/core/contract/endpoints';
import { WORK_KINDS } from '@invigil/core/contract/installation/works';
import { PERMISSIONS } from '@invigil/core/domain/rights';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatDateTime } from '../../../lib/format.ts';
import { auditDetails, auditSubject, auditText } from './audit-texts.ts';
import { AUDIT_WORDS } from './audit-words.ts';
import { formatBytes } from './system-card.tsx';

it('formats a size in a readable unit', () => {
  expect(formatBytes(512)).toBe('512 bytes');
  expect(formatBytes(9.4 * 1024 * 1024)).toBe('9.4 MiB');
  expect(formatBytes(120 * 1024 ** 3)).toBe('120 GiB');
});

it('names the subject of an entry', () => {
  const subjectId = '019a6f3e-7b1c-7d3a-9f2e-4c5d7f3a91c2';
  const about = (subjectType: string | null, subjectName: string | null) =>
    auditSubject({ subjectType, subjectId: subjectType && subjectId, subjectName });
  expect(about('quiz', 'Networks')).toBe('Assessment: Networks');
  // Deleted subjects have only an id.
  expect(about('question', null)).toBe('Question: 7f3a91c2');
  expect(about(null, null)).toBe('');
});

it('formats details in one line without empty values, and roles in words', () => {
  const id = '019a6f3e-7b1c-7d3a-9f2e-4c5d7f3a91c2';
  const names = { quizzes: new Map([[id, 'Networks']]), categories: new Map() };
  const text = (details: Record<string, unknown> | null) => auditDetails({ details }, names);
  expect(text({ participants: 12, reason: null, ids: ['a'] })).toBe('participants: 12, ids: a');
  expect(text({ message: OTHER_ID, stills: 4, users: [id, id] })).toBe('stills: 4, users: 2');
  expect(text({ reason: 'also_right' })).toBe('reason: also_right');
  expect(text(null)).toBe('');
  const added = [{ role: 'author', quizId: id }, { role: 'analyst' }];
  expect(text({ added, removed: [] })).toBe('added: Author in Networks, Analyst everywhere');
});

const ID = '019a6f3e-7b1c-7d3a-9f2e-4c5d7f3a91c2';
const PLACES = { quizzes: new Map([[ID, 'Networks']]), categories: new Map() };
const OTHER_ID = '019a6f3e-7b1c-7d3a-9f2e-4c5d7f3a91c3';

/** The details that the server records with each action, where there are some, and how they read. */
const DETAILS: [action: string, details: Record<string, unknown>, text: string][] = [
  [
    'quiz.release_set',
    {
      rules: {
        parts: ['outcome', 'answers'],
        when: { kind: 'at', at: '2026-11-28T10:00:00.000Z' },
        openDays: 30,
      },
    },
    `rules: parts outcome, answers; when at ${formatDateTime('2026-11-28T10:00:00.000Z')}; open days 30`,
  ],
  [
    'quiz.release_set',
    { rules: { parts: ['outcome'], when: { kind: 'by_hand' }, openDays: 30 } },
    'rules: parts outcome; when by hand; open days 30',
  ],
  ['quiz.release_set', { rules: null }, ''],
  ['quiz.practice_set', { isPractice: true }, 'for practice: yes'],
  ['quiz.practice_set', { quizId: ID }, 'quiz: Networks'],
  ['quiz.started_together', { group: 'answers' }, 'group: answers'],
  [
    'quiz.schedule_set',
    {
      rules: [
        {
          // A person's own word, not a name in code.
          group: 'answers',
          window: { opensAt: '2026-11-28T10:00:00.000Z', endDate: '2026-11-28T12:00:00.000Z' },
          minutes: 90,
        },
      ],
      changed: 12,
    },
    `rules: group answers; window opens ${formatDateTime('2026-11-28T10:00:00.000Z')}; ends ${formatDateTime('2026-11-28T12:00:00.000Z')}; minutes 90, changed: 12`,
  ],
  [
    'quiz.results_set',
    {
      rules: {
        passMark: { percent: 60 },
        sectionMarks: [{ id: ID.replace('c2', 'c4'), title: 'Law', percent: 40 }],
        grades: [
          { name: 'A', from: 90 },
          { name: 'B', from: 0 },
        ],
      },
      changed: 25,
    },
    'rules: pass mark percent 60; section marks Law percent 40; grades A from 90, B from 0, changed: 25',
  ],
  [
    'quiz.results_released',
    { released: 9, isNamed: false },
    'released: 9, selected one by one: no',
  ],
  ['quiz.structured', { sections: 2, negativeMarks: 25 }, 'sections: 2, negative marks: 25'],
  ['quiz.edited', { fromCategoryId: ID, toCategoryId: OTHER_ID }, 'from category: Networks'],
  ['quiz.duplicated', { from: ID }, 'from: Networks'],
  [
    'participants.exported',
    { withQuestions: true, isFiltered: false },
    'with questions: yes, filtered: no',
  ],
  ['participant.verdict_recorded', { verdict: 'no_concern', before: null }, 'verdict: no concern'],
  ['participant.messaged', { message: OTHER_ID, reason: 'Noise' }, 'reason: Noise'],
  [
    'participant.rescored',
    { before: { score: 1, points: 1.5 }, after: { score: 2, points: 2.5 }, questionId: OTHER_ID },
    'before: score 1; points 1.5, after: score 2; points 2.5',
  ],
  [
    'question.rescored',
    { participants: 25, changed: 16, correction: 'also_right' },
    'participants: 25, changed: 16, correction: also right',
  ],
  [
    'evidence.viewed',
    { kind: 'in_between', uploads: 1, stills: 4 },
    'kind: in between, uploads: 1, stills: 4',
  ],
  [
    'institution.changed',
    { changed: ['publicUrl', 'timeZone'] },
    'changed: public address, time zone',
  ],
  [
    'translation.checked',
    { language: 'de', version: '3f2a9c1e', isChecked: true },
    'language: de, version: 3f2a9c1e, checked: yes',
  ],
  ['person.changed', { fields: ['givenName', 'externalId'] }, 'fields: given name, number'],
  ['image.uploaded', { image: 'ab'.repeat(32) }, ''],
  [
    'invitation.accommodated',
    { extraTimeFactor: 1.25, withoutCamera: true },
    'time factor: 1.25, without camera: yes',
  ],
  [
    'invitation.accommodated',
    { extraTimeFactor: 1.25, ownTimes: { minutes: 90 } },
    'time factor: 1.25, own times: minutes 90',
  ],
  ['retention.deleted', { participants: 1_200, days: 90 }, 'participants: 1,200, days: 90'],
  ['retention.changed', { before: 90, days: 30 }, 'before: 90, days: 30'],
  ['smtp_settings.tested', { stage: 'sign_in' }, 'stage: sign in'],
  ['people.exported', { isFiltered: true }, 'filtered: yes'],
  ['people.fields_changed', { fields: 3, removed: 1 }, 'fields: 3, removed: 1'],
  ['person.erased', { reason: 'On request' }, 'reason: On request'],
  ['participant.noted', { characters: 12 }, 'characters: 12'],
  ['sign_in_policy.changed', { totpRequired: true }, 'two-step sign-in required: yes'],
  ['question.edited', { orderNumber: 4 }, 'order number: 4'],
  ['evidence.deleted', { uploads: 2, days: 90 }, 'uploads: 2, days: 90'],
  ['invitations.sent', { queued: 40, addresses: 41 }, 'queued: 40, addresses: 41'],
  ['invitations.passwords_made', { count: 40 }, 'count: 40'],
  ['invitations.resent', { queued: 1 }, 'queued: 1'],
  ['invitations.reminded', { queued: 1 }, 'queued: 1'],
  ['invitations.revoked', { count: 2 }, 'count: 2'],
  ['admin.password_reset', { by: 'mail' }, 'by: mail'],
  [
    'admin.roles_changed',
    { added: [{ role: 'author', quizId: ID }], removed: [{ role: 'analyst' }] },
    'added: Author in Networks, removed: Analyst everywhere',
  ],
];

it.each(DETAILS)('%s: details %j in words', (_, details, text) => {
  expect(auditDetails({ details }, PLACES)).toBe(text);
});

it('has words for all names in them, which translators see', () => {
  const names = new Set<string>();
  const collect = (value: unknown): void => {
    if (typeof value === 'string' && /^[a-z][A-Za-z_]{0,30}$/.test(value)) names.add(value);
    else if (Array.isArray(value)) value.forEach(collect);
    else if (typeof value === 'object' && value !== null) {
      const { role: _, name, title, ...fields } = value as Record<string, unknown>;
      for (const [field, of] of Object.entries(fields)) {
        if (auditDetails({ details: { [field]: of } }, PLACES) !== '') names.add(field);
        collect(of);
      }
    }
  };
  for (const [, details] of DETAILS) collect(details);
  names.delete('quizId');
  // The tag of a language.
  names.delete('de');
  expect(names.size).toBeGreaterThan(50);
  expect([...names].filter((name) => !(name in AUDIT_WORDS))).toEqual([]);
});

it('has an example of every action that the server records with details', () => {
  const recorded = sources().flatMap((source) =>
    Array.from(
      source.matchAll(/\brecord\w*\(\s*'([a-z_]+\.[a-z_]+)',\s*(?:null|\w+|\[[^\]]*\]),\s*[{\w]/g),
      ([, action = '']) => action,
    ),
  );
  expect(new Set(recorded).size).toBeGreaterThan(20);
  const examples = new Set(DETAILS.map(([action]) => action));
  expect([...new Set(recorded)].filter((action) => !examples.has(action))).toEqual([]);
});

it('shows no details as code, whatever their shape', () => {
  const word = fc.constantFrom(
    'passMark',
    'isNamed',
    'by_hand',
    'openDays',
    'kind',
    'when',
    'also_right',
    'name',
  );
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      fc.boolean(),
      fc.integer(),
      fc.constant(null),
      word,
      fc.constantFrom(ID, OTHER_ID, 'ab'.repeat(32), '2026-11-28T10:00:00.000Z', 'A reason.'),
      fc.array(tie('any'), { maxLength: 3 }),
      fc.dictionary(word, tie('any'), { maxKeys: 4 }),
    ),
  })).any;
  fc.assert(
    fc.property(fc.dictionary(word, value), (details) => {
      const text = auditDetails({ details }, PLACES);
      expect(text).not.toMatch(/[{}[\]"_]|[0-9a-f]{12}|\b[a-z]+[A-Z]|undefined|null/);
    }),
  );
});

/** The sources of the server that write the audit log. */
function sources(): string[] {
  const server = fileURLToPath(new URL('../../../../../server/src', import.meta.url));
  return readdirSync(server, { recursive: true, encoding: 'utf8' })
    .filter((name) => /(?<!\.test)\.ts$/.test(name) && !name.includes('testing'))
    .map((name) => readFileSync(join(server, name), 'utf8'))
    .filter((source) => /sessions\/command\.ts|insertAudit|NewAuditEntry/.test(source));
}

it('has a label for every action that the server logs', () => {
  const actions = new Set([
    // The entries of calls, and those of jobs and sign-in.
    ...Object.values(ENDPOINTS).flatMap((row: Endpoint) => actionsOf(row)),
    ...sources()
      .flatMap((source) => source.match(/'[a-z]+(?:_[a-z]+)*\.[a-z]+(?:_[a-z]+)*'/g) ?? [])
      .map((quoted) => quoted.slice(1, -1))
      .filter((name) => ![...PERMISSIONS, ...WORK_KINDS].some((other) => other === name)),
  ]);
  expect(actions.size).toBeGreaterThan(30);
  const other = auditText('quiz.launched');
  expect(other).toBe('An action that this version does not know');
  expect([...actions].filter((action) => auditText(action) === other)).toEqual([]);
});
