import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatDecimal } from './decimal.ts';
import { readTypedNumber } from './typed-numbers.ts';

/** Digit zero of scripts from Arabic to Thai, of two in one row, of mathematics, and of full width. */
const ZEROS = [
  ...[0x30, 0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xbe6, 0xc66, 0xce6, 0xd66, 0xe50],
  ...[0xed0, 0xf20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1_16d0, 0x1_16da, 0x1_d7ce, 0x1_d7f6, 0xff10],
];

/** The number and its unit with a space between, or why it is not read. */
function read(text: string, hasUnits: boolean): string {
  const typed = readTypedNumber(text, hasUnits);
  if (typeof typed === 'string') return typed;
  return `${formatDecimal(typed.value)} ${typed.unit}`.trim();
}

describe('a typed number', () => {
  it.each([
    ['50 %', '50', '50 %'],
    ['%50', '50', '50 %'],
    ['\u066a\u0665\u0660', '50', '50 %'],
    ['10 ^ 3', '1000', '1000'],
    ['45\u00b0', '45', '45 \u00b0'],
    ['\u20ac 9,50', '9.5', '9.5 \u20ac'],
    ['50\u202f\uff05', '50', '50 %'],
    ['45\u00ba', '45', '45 \u00b0'],
    ['-$12.50', '-12.5', '-12.5 $'],
    ['\u20145', '-5', '-5'],
    ['9,50 CHF', '9.5', '9.5 CHF'],
    ['Fr. 5', '5', '5 Fr.'],
    ['9.81 m/s\u00b2', 'only-number', '9.81 m/s\u00b2'],
    ['20 \u00b0C', 'only-number', '20 \u00b0C'],
    ['5 \u2030', 'only-number', '5 \u2030'],
    ['5\u2032', 'only-number', "5 '"],
    ['5 apples', 'only-number', '5 apples'],
    ['1/2', 'calculation', 'calculation'],
    ['1\u20442', 'calculation', 'calculation'],
    ['1 \u00f7 2', 'calculation', 'calculation'],
    ['\u00bd', 'calculation', 'calculation'],
    ['3\u00bd', 'calculation', 'calculation'],
    ['3 1/2', 'calculation', 'calculation'],
    ['5\u00b2', 'calculation', 'calculation'],
    ['2 \u00d7 3', 'calculation', 'calculation'],
    ['5*100', 'calculation', 'calculation'],
    ['2 \u00d7 1000', 'calculation', 'calculation'],
    ['5 x 10 00', 'calculation', 'calculation'],
    ['2*10^0', '2', '2'],
    ['2*10^05', '200000', '200000'],
    ['2*105', '200000', '200000'],
    ['2*10 5', '200000', '200000'],
    ['2\u00d710\u2075', '200000', '200000'],
    ['2*10\u2070', '2', '2'],
    ['3 \u2013 4', 'calculation', 'calculation'],
    ['5 /s', 'only-number', '5 /s'],
    ['about ten', 'no-number', 'no-number'],
    ['', 'no-number', 'no-number'],
    [`${'1'.repeat(501)}`, 'no-number', 'no-number'],
    ['-10\u00b3', '-1000', '-1000'],
    ['10^-2', '0.01', '0.01'],
    ['1,2 \u00b7 10\u207b\u00b2', '0.012', '0.012'],
    ['5 \u00d7 10\u00b3 m', 'only-number', '5000 m'],
    ['1\u00a0234,5', '1234.5', '1234.5'],
    ['1\u2019234.5', '1234.5', '1234.5'],
    ['\u06f1\u06f2\u066b\u06f5', '12.5', '12.5'],
    ['\u0661\u066c\u0662\u0663\u0664', '1234', '1234'],
    ['\u0665\u0660\u066a', '50', '50 %'],
    ['\uff0d\uff11\uff0e\uff15', '-1.5', '-1.5'],
    ['\u{1d7d9}\u{1d7e2}', '10', '10'],
  ])('is read alone and with units: %s', (text, alone, withUnits) => {
    expect([read(text, false), read(text, true)]).toEqual([alone, withUnits]);
  });

  it('is the same in the digits of every script', () => {
    fc.assert(
      fc.property(fc.constantFrom(...ZEROS), fc.nat(), (zero, number) => {
        const typed = Array.from(String(number), (digit) =>
          String.fromCodePoint(zero + Number(digit)),
        );
        expect(read(typed.join(''), false)).toBe(String(number));
      }),
    );
  });
});
