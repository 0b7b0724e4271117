import { CODE_ALPHABET } from '@invigil/core/domain/one-time-code';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { storeAccount, storeEndedSession } from '../../lib/person/stored-auth.ts';
import { CANDIDATE } from '../../testing/fixtures.ts';
import { isCaptchaRight, newCaptcha } from './captcha-code.ts';
import { prefilledEmail, validateLogin } from './login-fields.ts';

const held = new Map<string, string>();
beforeEach(() => {
  held.clear();
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => held.get(name) ?? null,
    setItem: (name: string, value: string) => held.set(name, value),
    removeItem: (name: string) => held.delete(name),
  });
});

describe('captcha', () => {
  test('another code, none and half of it are wrong', () => {
    expect(isCaptchaRight('', 'H4TQ9')).toBe(false);
    expect(isCaptchaRight('H4TQ', 'H4TQ9')).toBe(false);
    expect(isCaptchaRight('H4TQ8', 'H4TQ9')).toBe(false);
  });

  test('case and surrounding blanks do not matter', () => {
    expect(isCaptchaRight('h4tq9', 'H4TQ9')).toBe(true);
    expect(isCaptchaRight(' H4tQ9\n', 'H4TQ9')).toBe(true);
  });

  test('five signs without I, O, 0 and 1, and not the same twice', () => {
    const codes = Array.from({ length: 200 }, newCaptcha);
    for (const code of codes) expect(code).toMatch(new RegExp(`^[${CODE_ALPHABET}]{5}$`));
    expect(codes.join('')).not.toMatch(/[IO01]/);
    expect(new Set(codes).size).toBeGreaterThan(190);
  });
});

describe('what is missing before anything is sent', () => {
  const typed = { email: 'a@example.org', password: 'x', captcha: 'H4TQ9' };

  test.each([
    [{ ...typed, email: ' ' }, 'email'],
    [{ ...typed, email: 'a b' }, 'email'],
    [{ ...typed, password: '' }, 'password'],
    [{ ...typed, captcha: '  ' }, 'captcha'],
  ] as const)('%j: only %s', (fields, problem) => {
    expect(Object.keys(validateLogin(fields))).toEqual([problem]);
  });

  test('nothing, when everything is there; spaces belong to a password', () => {
    expect(validateLogin({ ...typed, password: ' ' })).toEqual({});
  });
});

test('an address is handed over by a link or a screen, and never anything else', () => {
  expect(prefilledEmail('', null)).toBe('');
  expect(prefilledEmail('', { email: 4 })).toBe('');
  expect(prefilledEmail('?email=a%40example.org', null)).toBe('a@example.org');
  expect(prefilledEmail('?email=b', { email: 'a@example.org' })).toBe('a@example.org');
});

test('fills in the address only for someone whose session was replaced', () => {
  storeAccount(CANDIDATE);
  expect(prefilledEmail('', null)).toBe('');
  storeEndedSession(CANDIDATE);
  expect(prefilledEmail('', null)).toBe('a.rahman@example.org');
  expect(prefilledEmail('?email=b%40example.org', null)).toBe('b@example.org');
  // Signing out forgets it.
  storeAccount(null);
  expect(prefilledEmail('', null)).toBe('');
});
