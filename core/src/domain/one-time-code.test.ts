import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  CODE_ALPHABET,
  codeFromBytes,
  groupCode,
  isCodeShaped,
  normalizeCode,
} from './one-time-code.ts';

const code = fc
  .array(fc.constantFrom(...CODE_ALPHABET), { minLength: 15, maxLength: 15 })
  .map((signs) => signs.join(''));

describe('one-time passwords', () => {
  it('are made of 32 unambiguous characters', () => {
    expect(CODE_ALPHABET).toHaveLength(32);
    expect(new Set(CODE_ALPHABET).size).toBe(32);
    expect(CODE_ALPHABET).toMatch(/^[A-Z2-9]+$/);
    expect(CODE_ALPHABET).not.toMatch(/[IO01]/);
  });

  it.each([
    ['', false],
    ['ABCDE-FGHJK-LMNP', false],
    ['ABCDE-FGHJK-LMNPQR', false],
    ['ABCDE-FGHJK-LMNP1', false],
    ['ABCDE-FGHJK-LMNPO', false],
    ['ABCDE.FGHJK.LMNPQ', false],
    ['ABCDE_FGHJK_LMNPQ', false],
    ['ÄBCDE-FGHJK-LMNPQ', false],
    ['correct horse battery', false],
    ['ABCDE-FGHJK-LMNPQ', true],
    ['abcde-fghjk-lmnpq', true],
    ['ABCDEFGHJKLMNPQ', true],
    ['  ABCDE FGHJK\tLMNPQ\n', true],
    ['A-B-C-D-E-F-G-H-J-K-L-M-N-P-Q', true],
    ['23456-78923-45678', true],
  ])('whether %j has the shape of one: %s', (typed, shaped) => {
    expect(isCodeShaped(typed)).toBe(shaped);
  });

  it('are equal in any case, with any spaces and dashes', () => {
    const variant = code.chain((right) =>
      fc
        .array(
          fc.tuple(
            fc.constantFrom(
              '',
              ' ',
              '-',
              ' – ',
              '\u2011',
              '\u200b',
              '\u00a0',
              '\u00ad',
              '\u2212',
              '\t',
            ),
            fc.boolean(),
          ),
          {
            minLength: 15,
            maxLength: 15,
          },
        )
        .map((changes) => ({
          right,
          typed: [...right]
            .map((sign, i) => {
              const [gap = '', lower = false] = changes[i] ?? [];
              return gap + (lower ? sign.toLowerCase() : sign);
            })
            .join(''),
        })),
    );
    fc.assert(
      fc.property(variant, ({ right, typed }) => {
        expect(normalizeCode(typed)).toBe(right);
        expect(isCodeShaped(typed)).toBe(true);
      }),
    );
  });

  it('are shown in groups of five and read back', () => {
    expect(groupCode('ABCDEFGHJKLMNPQ')).toBe('ABCDE-FGHJK-LMNPQ');
    expect(groupCode('ABCDEFG')).toBe('ABCDE-FG');
    fc.assert(
      fc.property(code, (right) => {
        expect(normalizeCode(groupCode(right))).toBe(right);
      }),
    );
  });

  it('use each character equally often for random bytes, and refuse too few bytes', () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, i) => i);
    const counts = Map.groupBy(codeFromBytes(bytes, 256), (sign) => sign);
    expect([...counts.values()].map((signs) => signs.length)).toEqual(
      CODE_ALPHABET.split('').map(() => 8),
    );
    expect(() => codeFromBytes(new Uint8Array(14), 15)).toThrow(RangeError);
  });
});
