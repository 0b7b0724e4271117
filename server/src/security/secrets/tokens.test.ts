import { createHmac, createSecretKey } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { hashSessionToken, newSessionToken } from './tokens.ts';

const KEY = createSecretKey(Buffer.alloc(32, 7));
const OTHER_KEY = createSecretKey(Buffer.alloc(32, 8));

describe('a session token', () => {
  it('is 256 random bits that fit into a cookie', () => {
    const tokens = Array.from({ length: 100 }, newSessionToken);
    for (const token of tokens) expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(new Set(tokens).size).toBe(100);
  });

  it('is stored as an HMAC-SHA-256, which requires the key', () => {
    const hash = createHmac('sha256', KEY).update('token').digest();
    expect(hashSessionToken(KEY, 'token')).toEqual(hash);
    expect(hashSessionToken(OTHER_KEY, 'token')).not.toEqual(hash);
    expect(hashSessionToken(KEY, 'Token')).not.toEqual(hash);
  });
});
