import type { BrowserContext } from '@playwright/test';

/**
 * Expected entries: browsers log every refused request, including the check for a session; a submit
 * that fails is logged and retried (seed 8), its cause is a separate line; and the library of the voice
 * model logs that it was interrupted when a page is left while it loads.
 */
const ORDINARY = [
  /status of 401 .*\/api\/auth\/me$/,
  /\[invigil\] The submit failed; retrying/,
  /: wasm streaming compile failed: TypeError: WebAssembly compilation aborted: Network error.*\/assets\/voice-/,
  /: falling back to ArrayBuffer instantiation at .*\/assets\/voice-/,
];

/**
 * Collects unexpected output: errors and warnings in the console, uncaught exceptions and
 * violations of the content security policy, of every page of the contexts it watches.
 */
export class ConsoleWatch {
  readonly #seen: string[] = [];
  readonly #expected: RegExp[] = [...ORDINARY];

  async watch(context: BrowserContext): Promise<void> {
    context.on('console', (message) => {
      if (message.type() !== 'error' && message.type() !== 'warning') return;
      this.#seen.push(`console ${message.type()}: ${message.text()} at ${message.location().url}`);
    });
    context.on('weberror', (error) => this.#seen.push(`uncaught: ${error.error().stack}`));
    await context.exposeBinding('reportPolicyViolation', (_source, what: string) => {
      this.#seen.push(`content security policy: ${what}`);
    });
    await context.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', (event) => {
        const report: unknown = Reflect.get(window, 'reportPolicyViolation');
        if (typeof report === 'function')
          report(`${event.violatedDirective} ${event.blockedURI} ${event.sourceFile ?? ''}`);
      });
    });
  }

  /** Makes these entries part of the test from now on. */
  expect(...patterns: RegExp[]): void {
    this.#expected.push(...patterns);
  }

  get unexpected(): string[] {
    return this.#seen.filter((line) => !this.#expected.some((pattern) => pattern.test(line)));
  }
}
