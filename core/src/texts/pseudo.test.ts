import { describe, expect, it } from 'vitest';
import { pseudoText } from './pseudo.ts';

describe('a pseudo-text', () => {
  it.each([
    ['Sign in', 'Šîğñēē îñ'],
    ['{n} s', '{n} š'],
    ['Wait {left} s', 'Ŵàîţēē {left} š'],
    [
      '{n, plural, one {# day} other {# days, {x} left}}',
      '{n, plural, one {# đàýēē} other {# đàýšēē, {x} ļéƒţēē}}',
    ],
    ['<b>Now</b>: go', '<b>Ñöŵēē</b>: ğö'],
  ])('of %s is longer and keeps values and tags', (english, expected) => {
    expect(pseudoText(english, 'en-XA')).toBe(expected);
  });

  it('is in letters from right to left', () => {
    expect(pseudoText('{n, plural, one {<b>day</b>} other {# x}}', 'ar-XB')).toMatch(
      /^\{n, plural, one \{<b>\p{Script=Arabic}{3}<\/b>\} other \{# \p{Script=Arabic}\}\}$/u,
    );
  });
});
