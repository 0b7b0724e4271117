import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addressProblem,
  asciiEmail,
  emailKey,
  emailSpellings,
  isEmailAddress,
  readableEmail,
} from './email-address.ts';

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
    'a\0@example.org',
    'a@exäm ple.org',
    'a@exä/mple.org',
    'a@-ä.org',
    'a@ä..org',
    'a@ä',
    `a@${'ä'.repeat(60)}.org`,
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
    'a@exämple.org',
    'anna@müller-schule.de',
    'a@школа.рф',
    'a@例え。テスト',
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

  it.each([
    ['anna@müller-schule.de', 'anna@xn--mller-schule-dlb.de'],
    ['Anna@Müller-Schule.DE', 'Anna@xn--mller-schule-dlb.de'],
    ['anna@mu\u0308ller-schule.de', 'anna@xn--mller-schule-dlb.de'],
    ['a@STRAẞE.de', 'a@xn--strae-oqa.de'],
    ['A@Example.ORG', 'A@Example.ORG'],
  ])('%s is sent as %s', (written, sent) => {
    expect(asciiEmail(written)).toBe(sent);
    expect(emailKey(written)).toBe(emailKey(sent));
    expect(emailSpellings(written).sort()).toEqual(
      [...new Set([emailKey(written), sent.toLowerCase()])].sort(),
    );
  });

  it('shows a domain in its own script, and others as they were typed', () => {
    expect(readableEmail('Anna@XN--MLLER-SCHULE-DLB.de')).toBe('Anna@müller-schule.de');
    expect(readableEmail('A@Example.ORG')).toBe('A@Example.ORG');
    for (const none of ['a@xn--999999999999.de', 'a@xn--a-ü.de', 'a@xn--a_.de']) {
      expect(readableEmail(none)).toBe(none);
    }
  });

  it('gives the reason for a part before the @ beyond ASCII', () => {
    const notDeliverable = { code: 'not_deliverable', sign: 'ö' };
    expect(addressProblem('jörg@example.org')).toEqual(notDeliverable);
    expect(addressProblem('jörg@müller.de')).toEqual(notDeliverable);
    expect(addressProblem('jörg')).toEqual({ code: 'not_email' });
    expect(addressProblem('a@example.org')).toBeNull();
  });
});
