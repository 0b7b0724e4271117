import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { REQUEST_LIMITS } from '../domain/limits.ts';
import { PERMISSIONS } from '../domain/rights.ts';
import {
  type Endpoint,
  ErrorBody,
  Id,
  Instant,
  partsOf,
  permissionsOf,
} from './definition/endpoint.ts';
import { ERRORS } from './definition/errors.ts';
import { ENDPOINTS } from './endpoints.ts';

const rows: [string, Endpoint][] = Object.entries(ENDPOINTS);
const accepts = (schema: z.ZodType | undefined, value: unknown) =>
  schema?.safeParse(value).success ?? false;

describe('the endpoint table', () => {
  it.each(rows)('declares access, summary and responses of %s', (_, row) => {
    expect(row.access === 'public' || row.access.length > 0).toBe(true);
    if (row.access !== 'public') {
      expect(new Set(row.access).size).toBe(row.access.length);
    }
    expect(row.summary.trim()).not.toBe('');
    const statuses = Object.keys(row.responses).map(Number);
    expect(statuses.length).toBeGreaterThan(0);
    for (const status of statuses) expect(status >= 200 && status < 300).toBe(true);
  });

  it.each(rows)('names permissions of %s on objects that its path has', (_, row) => {
    for (const one of permissionsOf(row)) {
      const { on, permission } = partsOf(one) ?? { on: 'anywhere', permission: 'quizzes.see' };
      expect(PERMISSIONS).toContain(permission);
      if (on === 'installation' || on === 'anywhere') continue;
      expect(['quiz', 'category', 'question', 'invitation', 'participant', 'person']).toContain(on);
      expect(row.path).toContain('/:id');
    }
  });

  it.each(rows)('gives %s a path under /api whose parameters are declared', (_, row) => {
    expect(row.path).toMatch(/^\/api(\/(:[a-zA-Z]+|[a-z-]+))+$/);
    const named = [...row.path.matchAll(/:(\w+)/g)].map((m) => m[1] ?? '');
    const declared = row.params instanceof z.ZodObject ? Object.keys(row.params.shape) : [];
    expect(declared.sort()).toEqual(named.sort());
  });

  it.each(rows)('applies the rules of its method to %s', (_, row) => {
    const successes = Object.keys(row.responses).map(Number);
    if (row.method === 'GET') {
      expect(row.body).toBeUndefined();
      expect(successes).toEqual([200]);
    }
    if (row.method === 'PUT') expect(successes).toEqual([200]);
    if (row.method === 'DELETE') {
      expect(row.responses).toEqual({ 204: null });
      expect(row.body).toBeUndefined();
    }
    for (const code of row.errors) expect(Object.keys(ERRORS)).toContain(code);
    expect(new Set(row.errors).size).toBe(row.errors.length);
  });

  it('has no two rows with the same method and path, regardless of parameter names', () => {
    const keys = rows.map(([, r]) => `${r.method} ${r.path.replace(/:\w+/g, ':')}`);
    expect(keys).toEqual([...new Set(keys)]);
  });

  it('limits the bodies of answers, submits and files', () => {
    expect(ENDPOINTS.saveAnswers.bodyLimit).toBe(64 * 1024);
    expect(ENDPOINTS.submitParticipant.bodyLimit).toBe(2 * 1024 * 1024);
    expect(ENDPOINTS.importQuestions.bodyLimit).toBe(4 * 1024 * 1024);
    expect(REQUEST_LIMITS.bodyBytes).toBe(64 * 1024);
    expect(ENDPOINTS.login.bodyLimit).toBe(4 * 1024);
    expect(ENDPOINTS.heartbeat.bodyLimit).toBe(4 * 1024);
    expect(REQUEST_LIMITS.saveAnswersClientBytes).toBeLessThan(REQUEST_LIMITS.saveAnswersBytes);
  });
});

describe('the table of errors', () => {
  const errors = Object.entries(ERRORS);

  it.each(errors)('gives %s an error status and a sentence', (code, [status, said]) => {
    const sentence = said();
    expect(code).toMatch(/^[A-Z]+(_[A-Z]+)*$/);
    expect([400, 401, 403, 404, 409, 413, 415, 429, 500, 503]).toContain(status);
    expect(sentence).toMatch(/^[A-Z].{5,}$/);
    expect(sentence).toBe(sentence.trim());
  });

  it('has no two codes with the same sentence', () => {
    const sentences = errors.map(([, [, sentence]]) => sentence());
    expect(sentences).toEqual([...new Set(sentences)]);
  });

  it.each([
    ['INVALID_CREDENTIALS', 401, 'Invalid credentials'],
    ['ALREADY_COMPLETED', 403, 'You have already completed this test'],
    ['NO_QUESTIONS', 409, 'No questions found for this Assessment'],
    ['NO_EMAILS', 400, 'Please enter at least one email address'],
    ['QUIZ_NOT_OPEN', 409, 'Invitations cannot be sent for inactive Assessments'],
    ['NO_VALID_QUESTIONS', 400, 'No valid questions found in the CSV file'],
    ['LOOKS_LIKE_CODE', 400, 'This looks like a one-time password. Use a different one.'],
    ['FORBIDDEN', 403, 'Unauthorized'],
    ['QUIZ_INACTIVE', 403, 'This assessment is no longer active and cannot be accessed.'],
  ] as const)(
    'returns the status and the exact text of the specification for %s: %i',
    (code, status, sentence) => {
      expect([ERRORS[code][0], ERRORS[code][1]()]).toEqual([status, sentence]);
    },
  );
});

describe('schemas that endpoints share', () => {
  it.each([
    ['', false],
    ['1', false],
    ['not-an-id', false],
    ['0197f5a3-1c1e-7c3a-9b1a-2f4d5e6a7b8', false],
    ['0197f5a3-1c1e-7c3a-9b1a-2f4d5e6a7b8cc', false],
    ["0197f5a3-1c1e-7c3a-9b1a-2f4d5e6a7b8'", false],
    ['0197f5a3-1c1e-7c3a-9b1a-2f4d5e6a7b8c\n', false],
    ['0197f5a3-1c1e-7c3a-9b1a-2f4d5e6a7b8c', true],
    ['0197F5A3-1C1E-7C3A-9B1A-2F4D5E6A7B8C', true],
  ])('whether %j is an id: %s', (text, good) => {
    expect(accepts(Id, text)).toBe(good);
  });

  it('lowercases an id', () => {
    const id = '0197f5a3-1c1e-7c3a-9b1a-2f4d5e6a7b8c';
    expect(Id.parse(id.toUpperCase())).toBe(id);
  });

  it.each([
    ['', false],
    ['2026-05-14', false],
    ['2026-05-14T08:00:00', false],
    ['2026-05-14 08:00:00Z', false],
    ['2026-02-30T08:00:00Z', false],
    ['2026-05-14T24:00:00Z', false],
    ['1778745600000', false],
    // JavaScript and PostgreSQL disagree about the year 0.
    ['0000-01-01T00:00:00Z', false],
    ['0001-01-01T00:00:00+01:00', false],
    ['9999-12-31T23:59:59-01:00', false],
    ['0001-01-01T00:00:00Z', true],
    ['2026-05-14T08:00:00Z', true],
    ['2026-05-14T08:00:00.123Z', true],
    ['2026-05-14T10:00:00+02:00', true],
    ['9999-12-31T23:59:59Z', true],
  ])('whether %j is a time: %s', (text, good) => {
    expect(accepts(Instant, text)).toBe(good);
  });

  it('accepts one shape of error body', () => {
    const refusal = { statusCode: 409, error: 'Conflict', code: 'STALE', message: 'Changed' };
    expect(accepts(ErrorBody, refusal)).toBe(true);
    const issues = [{ path: 'answers.3', message: 'Wrong' }];
    expect(accepts(ErrorBody, { ...refusal, issues, details: { count: 1 } })).toBe(true);
    expect(accepts(ErrorBody, { ...refusal, code: undefined })).toBe(false);
  });
});
