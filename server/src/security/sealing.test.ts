import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deriveKeys } from './keys.ts';
import { seal, unseal } from './sealing.ts';

const { sealing: key } = deriveKeys('a secret');

describe('sealing', () => {
  it('does not open for another context', () => {
    const sealed = seal(key, 'smtp password', 'smtp_settings/1');
    for (const context of ['smtp_settings/2', 'outbox/1', '', 'smtp_settings/1 ']) {
      expect(() => unseal(key, sealed, context)).toThrow();
    }
  });

  it('does not open with another key', () => {
    const sealed = seal(key, 'text', 'a/1');
    expect(() => unseal(deriveKeys('another secret').sealing, sealed, 'a/1')).toThrow();
    expect(() => unseal(deriveKeys('a secret').receipts, sealed, 'a/1')).toThrow();
  });

  it('does not open with any single bit changed', () => {
    const sealed = seal(key, 'text', 'a/1');
    for (let bit = 0; bit < sealed.length * 8; bit += 1) {
      const changed = Buffer.from(sealed);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(() => unseal(key, changed, 'a/1'), `bit ${bit}`).toThrow();
    }
  });

  it('does not open when truncated or extended, even for an empty text', () => {
    for (const plain of ['text', '']) {
      const sealed = seal(key, plain, 'a/1');
      for (let length = 0; length < sealed.length; length += 1) {
        expect(() => unseal(key, sealed.subarray(0, length), 'a/1'), `${length} bytes`).toThrow();
      }
      expect(() => unseal(key, Buffer.concat([sealed, Buffer.alloc(1)]), 'a/1')).toThrow();
    }
  });

  it('opens to the original text, and never seals to the same bytes twice', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (plain, context) => {
        const sealed = seal(key, plain, context);
        expect(unseal(key, sealed, context)).toBe(plain);
        expect(seal(key, plain, context).equals(sealed)).toBe(false);
      }),
    );
    expect(seal(key, 'smtp password', 'a/1').includes('password')).toBe(false);
  });
});
