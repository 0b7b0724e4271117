import { describe, expect, it } from 'vitest';
import { newTotpSecret, stepOfCode, totpUri } from './totp.ts';

/** RFC 6238, appendix B: the secret is the ASCII of 12345678901234567890; the last six of eight digits. */
const RFC_SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const RFC_CODES = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
] as const;
const at = (seconds: number) => new Date(seconds * 1_000);

describe('codes of the second step', () => {
  it.each(RFC_CODES)('match RFC 6238 at second %i', (seconds, code) => {
    expect(stepOfCode(RFC_SECRET, code, at(seconds))).toBe(Math.floor(seconds / 30));
  });

  it('are valid one period before and after, and no longer', () => {
    const [seconds, code] = RFC_CODES[2];
    const step = Math.floor(seconds / 30);
    for (const [later, expected] of [
      [-60, null],
      [-30, step],
      [0, step],
      [30, step],
      [60, null],
    ] as const) {
      expect(stepOfCode(RFC_SECRET, code, at(step * 30 + later))).toBe(expected);
    }
  });

  it.each([
    '',
    '28708',
    '2870822',
    '287 08',
    'abcdef',
    '２８７０８２',
    '-87082',
    '2870 8x',
    '0x1234',
  ])('are six digits, unlike %j', (typed) => {
    expect(stepOfCode(RFC_SECRET, typed, at(59))).toBeNull();
  });

  it('may be typed in two groups, as apps show them', () => {
    expect(stepOfCode(RFC_SECRET, ' 287 082 ', at(59))).toBe(1);
  });

  it('come from 160 random bits', () => {
    const secrets = Array.from({ length: 50 }, newTotpSecret);
    for (const secret of secrets) expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(new Set(secrets).size).toBe(50);
  });

  it('have a setup address that every app reads, whatever the account’s name', () => {
    const uri = new URL(totpUri(RFC_SECRET, 'a+b%?&/ü@example.org'));
    expect([uri.protocol, uri.host]).toEqual(['otpauth:', 'totp']);
    expect(decodeURIComponent(uri.pathname)).toBe('/Invigil:a+b%?&/ü@example.org');
    expect(Object.fromEntries(uri.searchParams)).toMatchObject({
      issuer: 'Invigil',
      secret: RFC_SECRET,
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    });
  });
});
