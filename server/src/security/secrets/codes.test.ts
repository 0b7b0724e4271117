import { createHmac, createSecretKey } from 'node:crypto';
import { isCodeShaped } from '@invigil/core/domain/one-time-code';
import { describe, expect, it } from 'vitest';
import { hashOneTimeCode, newOneTimeCode } from './codes.ts';

const KEY = createSecretKey(Buffer.alloc(32, 7));
const OTHER_KEY = createSecretKey(Buffer.alloc(32, 8));

describe('a one-time code', () => {
  it('has fifteen characters of the alphabet, different each time', () => {
    const codes = Array.from({ length: 200 }, newOneTimeCode);
    for (const code of codes) {
      expect(code).toHaveLength(15);
      expect(isCodeShaped(code)).toBe(true);
    }
    expect(new Set(codes).size).toBe(200);
    // Every character occurs: 200 codes that lack one are a chance of one in 10^40.
    expect(new Set(codes.join('')).size).toBe(32);
  });

  it('is stored as an HMAC-SHA-256 of its characters, which requires the key', () => {
    const hash = createHmac('sha256', KEY).update('ABCDEFGHJKLMNPQ').digest();
    expect(hashOneTimeCode(KEY, 'ABCDEFGHJKLMNPQ')).toEqual(hash);
    expect(hashOneTimeCode(OTHER_KEY, 'ABCDEFGHJKLMNPQ')).not.toEqual(hash);
    expect(hashOneTimeCode(KEY, 'ABCDEFGHJKLMNPR')).not.toEqual(hash);
  });

  it.each(['ABCDE-FGHJK-LMNPQ', ' abcde fghjk lmnpq ', 'aBcDe--FgHjK\tLmNpQ\n'])(
    'is the same however it is typed: %j',
    (typed) => {
      expect(hashOneTimeCode(KEY, typed)).toEqual(hashOneTimeCode(KEY, 'ABCDEFGHJKLMNPQ'));
    },
  );
});
