import { CODE_ALPHABET } from '@invigil/core/domain/one-time-code';
import { describe, expect, test } from 'vitest';
import { storeAccount, storeEndedSession } from '../../lib/person/stored-auth.ts';
import { stubStorage } from '../../testing/browser-stubs.ts';
import { CANDIDATE } from '../../testing/fixtures.ts';
import { isCaptchaRight, newCaptcha, prefilledEmail, validateLogin } from './login-form.tsx';

stubStorage();

describe('captcha', () => {
  test('rejects another code, none and a part of it', () => {
    expect(isCaptchaRight('', 'H4TQ9')).toBe(false);
    expect(isCaptchaRight('H4TQ', 'H4TQ9')).toBe(false);
    expect(isCaptchaRight('H4TQ8', 'H4TQ9')).toBe(false);
  });

  test('ignores case and surrounding blanks', () => {
    expect(isCaptchaRight('h4tq9', 'H4TQ9')).toBe(true);
    expect(isCaptchaRight(' H4tQ9\n', 'H4TQ9')).toBe(true);
  });

  test('creates different codes of five characters without I, O, 0 and 1', () => {
    const codes = Array.from({ length: 200 }, newCaptcha);
    for (const code of codes) expect(code).toMatch(new RegExp(`^[${CODE_ALPHABET}]{5}$`));
    expect(codes.join('')).not.toMatch(/[IO01]/);
    expect(new Set(codes).size).toBeGreaterThan(190);
  });
});

describe('validation before sending', () => {
  const typed = { email: 'a@example.org', password: 'x', captcha: 'H4TQ9' };

  test.each([
    [{ ...typed, email: ' ' }, 'email'],
    [{ ...typed, email: 'a b' }, 'email'],
    [{ ...typed, password: '' }, 'password'],
    [{ ...typed, captcha: '  ' }, 'captcha'],
  ] as const)('finds for %j only %s', (fields, problem) => {
    expect(Object.keys(validateLogin(fields))).toEqual([problem]);
  });

  test('finds nothing if all fields are filled, even a password of spaces', () => {
    expect(validateLogin({ ...typed, password: ' ' })).toEqual({});
  });
});

test('prefills an address from a link or a screen only', () => {
  expect(prefilledEmail('', null)).toBe('');
  expect(prefilledEmail('', { email: 4 })).toBe('');
  expect(prefilledEmail('?email=a%40example.org', null)).toBe('a@example.org');
  expect(prefilledEmail('?email=b', { email: 'a@example.org' })).toBe('a@example.org');
});

test('prefills the address after an expired session only', () => {
  storeAccount(CANDIDATE);
  expect(prefilledEmail('', null)).toBe('');
  storeEndedSession(CANDIDATE);
  expect(prefilledEmail('', null)).toBe('a.rahman@example.org');
  expect(prefilledEmail('?email=b%40example.org', null)).toBe('b@example.org');
  // Sign-out deletes it.
  storeAccount(null);
  expect(prefilledEmail('', null)).toBe('');
});
