/**
 * Unexpected console output fails a test: noise hides warnings. A test that expects output replaces the
 * method, for example `vi.spyOn(console, 'error').mockImplementation(() => undefined)`.
 */
import { afterAll, afterEach, beforeAll, beforeEach, chai } from 'vitest';

const METHODS = ['debug', 'error', 'info', 'log', 'trace', 'warn'] as const;

const original = Object.fromEntries(METHODS.map((name) => [name, console[name]]));
let unexpected: Error[] = [];

function listen(): void {
  for (const name of METHODS) {
    console[name] = (...parts: unknown[]) => {
      const text = parts.map(textOf).join(' ');
      unexpected.push(new Error(`Unexpected console.${name}: ${text}`));
    };
  }
}

/** Works in Node and in a browser, unlike `util.inspect`. */
function textOf(part: unknown): string {
  if (typeof part === 'string') return part;
  return part instanceof Error ? (part.stack ?? String(part)) : chai.util.inspect(part);
}

/** Throws when something was printed since the last call. */
export function evaluateOutput(): void {
  const found = unexpected;
  unexpected = [];
  if (found.length === 1) throw found[0];
  if (found.length > 1) {
    throw new AggregateError(found, found.map(({ message }) => message).join('\n'));
  }
}

beforeAll(listen);
beforeEach(listen);
afterEach(evaluateOutput);
afterAll(() => {
  Object.assign(console, original);
  evaluateOutput();
});
