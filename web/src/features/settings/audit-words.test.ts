import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { auditDetails, auditSubject, auditWords } from './audit-words.ts';

it('says what an entry is about', () => {
  expect(auditSubject({ subjectType: 'quiz', subjectId: 'a1' })).toBe('quiz a1');
  expect(auditSubject({ subjectType: null, subjectId: null })).toBe('');
});

it('puts the details into one line and leaves out what is empty', () => {
  expect(auditDetails({ details: { participants: 12, reason: null, ids: ['a'] } })).toBe(
    'participants: 12, ids: ["a"]',
  );
  expect(auditDetails({ details: null })).toBe('');
});

it('has words for every action that the server writes', () => {
  const server = fileURLToPath(new URL('../../../../server/src', import.meta.url));
  const actions = new Set(
    readdirSync(server, { recursive: true, encoding: 'utf8' })
      .filter((name) => /(?<!\.test)\.ts$/.test(name) && !name.includes('testing'))
      .map((name) => readFileSync(join(server, name), 'utf8'))
      .filter((source) => source.includes('recordAudit') || source.includes('NewAuditEntry'))
      .flatMap((source) => source.match(/'[a-z]+(?:_[a-z]+)*\.[a-z]+(?:_[a-z]+)*'/g) ?? [])
      .map((quoted) => quoted.slice(1, -1)),
  );
  expect(actions.size).toBeGreaterThan(30);
  expect([...actions].filter((action) => auditWords(action) === action)).toEqual([]);
});
