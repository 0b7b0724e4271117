import { expect, it } from 'vitest';
import { auditDetails, auditSubject } from './audit-words.ts';

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
