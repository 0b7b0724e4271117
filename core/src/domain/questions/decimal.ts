/** An exact decimal: `digits` × 10^-`scale`. */
export interface Decimal {
  digits: bigint;
  /** 0 or more */
  scale: number;
}

/** Longer numbers are not numbers that anyone types; exponents beyond are costly to compare. */
const MOST_CHARACTERS = 60;
const MOST_EXPONENT = 100;

const NUMBER = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d{1,4}))?$/i;

/** `-1.5`, `1e3`; `null` when it is not a number. Reads the form with a decimal point only. */
export function parseDecimal(text: string): Decimal | null {
  const match = text.length > MOST_CHARACTERS ? null : NUMBER.exec(text);
  if (!match) return null;
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  if (whole + fraction === '' || Math.abs(Number(exponent)) > MOST_EXPONENT) return null;
  const digits = BigInt(`${whole}${fraction}`) * (sign === '-' ? -1n : 1n);
  const scale = fraction.length - Number(exponent);
  return scale >= 0 ? { digits, scale } : { digits: digits * 10n ** BigInt(-scale), scale: 0 };
}

export function multiply(a: Decimal, b: Decimal): Decimal {
  return { digits: a.digits * b.digits, scale: a.scale + b.scale };
}

export function subtract(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale);
  return { digits: atScale(a, scale) - atScale(b, scale), scale };
}

export function absolute(a: Decimal): Decimal {
  return a.digits < 0n ? { ...a, digits: -a.digits } : a;
}

/** Negative, zero or positive, like a comparison for sorting. */
export function compareDecimals(a: Decimal, b: Decimal): number {
  const { digits } = subtract(a, b);
  return digits === 0n ? 0 : digits < 0n ? -1 : 1;
}

/** The shortest way to write it, with a decimal point. */
export function formatDecimal({ digits, scale }: Decimal): string {
  const sign = digits < 0n ? '-' : '';
  const text = (digits < 0n ? -digits : digits).toString().padStart(scale + 1, '0');
  if (scale === 0) return `${sign}${text}`;
  const fraction = text.slice(-scale).replace(/0+$/, '');
  return `${sign}${text.slice(0, -scale)}${fraction === '' ? '' : `.${fraction}`}`;
}

function atScale({ digits, scale }: Decimal, wanted: number): bigint {
  return digits * 10n ** BigInt(wanted - scale);
}
