import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emailKey, isEmailAddress } from './email-address.ts';

const label = (n: number) => 'x'.repeat(n);

describe('e-mail addresses', () => {
  it.each([
    '',
    ' ',
    'a',
    '@',
    'a@',
    '@example.org',
    'a@b',
    'a@@example.org',
    'a@b@example.org',
    'a b@example.org',
    'a@exa mple.org',
    ' a@example.org',
    'a@example.org ',
    'a@example.org\n',
    'a@example.org\r\nBcc: b@example.org',
    'a@example.org,b@example.org',
    'a@example.org; b@example.org',
    'Anna <a@example.org>',
    '.a@example.org',
    'a.@example.org',
    'a..b@example.org',
    'a@.example.org',
    'a@example.org.',
    'a@example..org',
    'a@-example.org',
    'a@example-.org',
    'a@exa_mple.org',
    'a@[127.0.0.1]',
    '"a b"@example.org',
    'ü@example.org',
    'a@exämple.org',
    'a\0@example.org',
    `${label(65)}@example.org`,
    `a@${label(64)}.org`,
    `${label(64)}@${label(63)}.${label(63)}.${label(61)}.org`,
  ])('refuses %j', (text) => {
    expect(isEmailAddress(text)).toBe(false);
  });

  it.each([
    'a@example.org',
    'A.Rahman@Example.ORG',
    'a+tag@example.org',
    "o'neil@example.org",
    'a_b-c@sub.example.co.uk',
    '!#$%&*/=?^_`{|}~@example.org',
    'a@localhost',
    'admin@localhost.localdomain',
    'a@1.example.org',
    'a@xn--exmple-cua.org',
    `${label(64)}@example.org`,
    `a@${label(63)}.org`,
    `${label(64)}@${label(63)}.${label(63)}.${label(57)}.org`,
  ])('accepts %j', (text) => {
    expect(isEmailAddress(text)).toBe(true);
  });

  it('runs in linear time on hostile input', () => {
    const hostile = [
      `${'a'.repeat(250)}!`,
      `a@${'a-'.repeat(120)}`,
      `a@${'a.'.repeat(120)}!`,
      `${'.'.repeat(200)}@x.org`,
      `a@${'a'.repeat(1_000_000)}`,
    ];
    const before = process.threadCpuUsage();
    for (const text of hostile) expect(isEmailAddress(text)).toBe(false);
    // Processor time in µs: independent of the machine's load.
    expect(process.threadCpuUsage(before).user).toBeLessThan(1_000_000);
  });

  it('refuses every address with a line break, which could inject mail headers', () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom('\r', '\n', '\r\n'), fc.string(), (a, br, b) => {
        expect(isEmailAddress(`${a}${br}${b}`)).toBe(false);
      }),
    );
  });

  it('compares regardless of case and surrounding spaces', () => {
    expect(emailKey('  A.Rahman@Example.ORG\t')).toBe('a.rahman@example.org');
    expect(emailKey('a@example.org')).toBe(emailKey('A@EXAMPLE.org'));
    expect(emailKey('a@example.org')).not.toBe(emailKey('b@example.org'));
  });
});
