import fc from 'fast-check';

/** A body as sent over the network. */
export interface RawBody {
  text: string;
  type: string | undefined;
}

const JSON_TYPE = 'application/json';
const HUGE = 'x'.repeat(300_000);

/** None of these is valid anywhere. */
const HOSTILE: unknown[] = [
  ...[null, true, false, 0, -1, 1.5, 1e308, 99_999_999_999, '', ' ', 'NaN', HUGE],
  ...['a\u0000b', '\ud83d', '%00', '../../etc/passwd', "'; drop table quizzes; --", '=1+1'],
  ...['9999999999999999999999', '<script>alert(1)</script>', '\u202e\u200b\ufeff\uffff'],
  ...[[], [null], [[[]]], {}, { length: -1 }, Array(3_000).fill('x')],
];

const TYPES = [
  'text/plain',
  'text/csv',
  'text/html',
  'application/xml',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/json; charset=utf-16',
  'application/octet-stream',
  'APPLICATION/JSON',
  'application/json;;',
  'x',
];

const PROTOTYPE_KEYS = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'];

/** Replacements of a valid body; all kinds are equally frequent. */
export function wrongBodies(valid: fc.Arbitrary<unknown>): fc.Arbitrary<RawBody> {
  const json = (value: unknown): RawBody => ({
    text: JSON.stringify(value) ?? '',
    type: JSON_TYPE,
  });
  const swapped = fc
    .tuple(valid, fc.nat(1_000), fc.constantFrom(...HOSTILE))
    .map(([value, at, by]) => json(replaceAt(value, at, by)));
  return fc.oneof(
    swapped,
    swapped,
    fc.constantFrom(...HOSTILE).map(json),
    fc.jsonValue().map(json),
    fc
      .tuple(
        valid,
        fc.constantFrom(...PROTOTYPE_KEYS),
        fc.constantFrom('{}', '1', '{"isAdmin":true}'),
      )
      .map(([value, key, by]) => ({
        text: withKey(JSON.stringify(value), key, by),
        type: JSON_TYPE,
      })),
    fc
      .tuple(valid, fc.constantFrom(...TYPES, undefined))
      .map(([value, type]) => ({ text: JSON.stringify(value) ?? '', type })),
    fc.tuple(valid, fc.nat(500)).map(([value, cut]) => ({
      text: (JSON.stringify(value) ?? '').slice(0, cut),
      type: JSON_TYPE,
    })),
    fc.constantFrom(
      { text: '['.repeat(100_000), type: JSON_TYPE },
      { text: `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`, type: JSON_TYPE },
      { text: `"${'x'.repeat(5_000_000)}"`, type: JSON_TYPE },
    ),
  );
}

/** Adds a key to the text itself: an object literal could not contain it. */
function withKey(text: string | undefined, key: string, by: string): string {
  if (text?.startsWith('{') !== true) return `{"${key}":${by}}`;
  return `{"${key}":${by}${text === '{}' ? '' : ','}${text.slice(1)}`;
}

/** Replaces or removes one place of a value; `at` selects among all places. */
function replaceAt(value: unknown, at: number, by: unknown): unknown {
  const places: (() => void)[] = [];
  const whole = { value: structuredClone(value) };
  const walk = (within: Record<string, unknown>) => {
    for (const [key, one] of Object.entries(within)) {
      places.push(() => {
        within[key] = by;
      });
      if (within !== whole) places.push(() => delete within[key]);
      if (typeof one === 'object' && one !== null) walk(one as Record<string, unknown>);
    }
  };
  walk(whole);
  places[at % places.length]?.();
  return whole.value;
}
