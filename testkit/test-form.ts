/**
 * Whether tests run in their long form: `INVIGIL_TESTS=long`, which `npm run test:all` and `npm run
 * attacks` set (docs/testing.md).
 */
export const IS_LONG = process.env.INVIGIL_TESTS === 'long';

/** `npm run test:fast`: the short form without the slowest files (tests/slowest-tests.mjs). */
export const IS_FAST = process.env.INVIGIL_TESTS === 'fast';

/** How often something is repeated, or how much of it there is, in the form that runs. */
export function inForm<T>({ short, long }: { short: T; long: T }): T {
  return IS_LONG ? long : short;
}
