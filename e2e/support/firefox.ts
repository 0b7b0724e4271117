import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as passes } from 'node:timers/promises';

/** Quiet: no network of its own, no questions. */
const PREFS = {
  'app.update.disabledForTesting': true,
  'browser.shell.checkDefaultBrowser': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'full-screen-api.warning.timeout': 0,
  'media.navigator.permission.disabled': true,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'toolkit.telemetry.enabled': false,
};
const WAIT_MS = 60_000;
const POLL_MS = 100;

/** The installed Firefox, if any. */
export function findFirefox(): string | undefined {
  const folders = ['/usr/bin', ...(process.env.PATH ?? '').split(delimiter).filter(Boolean)];
  const names = ['firefox-esr', 'firefox'];
  return names
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => existsSync(path));
}

/**
 * One tab of a real Firefox, driven by WebDriver BiDi (W3C): Playwright drives only a Firefox of its own.
 * Clicks and keys are those of a person for the page.
 */
export class Firefox {
  readonly #process: ChildProcess;
  readonly #profile: string;
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  /** Errors and warnings of the page's console. */
  readonly logged: string[] = [];
  #lastId = 0;
  #tab = '';

  private constructor(process: ChildProcess, profile: string, socket: WebSocket) {
    this.#process = process;
    this.#profile = profile;
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => this.#receive(JSON.parse(String(data))));
  }

  static async launch(program: string, prefs: Record<string, boolean> = {}): Promise<Firefox> {
    const profile = mkdtempSync(join(tmpdir(), 'invigil-firefox-'));
    const lines = Object.entries({ ...PREFS, ...prefs }).map(
      ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
    );
    writeFileSync(join(profile, 'user.js'), lines.join('\n'));
    const size = ['--width=1440', '--height=900'];
    const child = spawn(
      program,
      ['--headless', '--remote-debugging-port=0', '--profile', profile, '--no-remote', ...size],
      { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, HOME: profile } },
    );
    const socket = new WebSocket(`${await addressIn(child)}/session`);
    await new Promise((resolve, reject) => {
      socket.addEventListener('open', resolve);
      socket.addEventListener('error', () => reject(new Error('no connection to Firefox')));
    });
    const firefox = new Firefox(child, profile, socket);
    await firefox.#send('session.new', { capabilities: {} });
    await firefox.#send('session.subscribe', { events: ['log.entryAdded'] });
    // Not the first tab: without a person it never has the focus, which fullscreen needs.
    const { context } = await firefox.#send('browsingContext.create', { type: 'tab' });
    firefox.#tab = context;
    return firefox;
  }

  async goto(url: string): Promise<void> {
    await this.#send('browsingContext.navigate', {
      context: this.#tab,
      url,
      wait: 'interactive',
    });
  }

  async reload(): Promise<void> {
    await this.#send('browsingContext.reload', { context: this.#tab, wait: 'interactive' });
  }

  /** As Playwright's: runs before the scripts of every page that is opened from now on. */
  async addInitScript<T>(script: (arg: T) => void, arg?: T): Promise<void> {
    await this.#send('script.addPreloadScript', {
      functionDeclaration: `() => { (${script})(${JSON.stringify(arg)}) }`,
    });
  }

  /** As Playwright's: the result passes as JSON. */
  async evaluate<R, T = undefined>(script: (arg: T) => R | Promise<R>, arg?: T): Promise<R> {
    const passed = arg === undefined ? 'undefined' : JSON.stringify(arg);
    const { result, exceptionDetails } = await this.#send('script.evaluate', {
      expression: `(async () => JSON.stringify(await (${script})(${passed})))()`,
      target: { context: this.#tab },
      awaitPromise: true,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.text);
    return result.value === undefined ? (undefined as R) : JSON.parse(result.value);
  }

  /** All words of the page. */
  words(): Promise<string> {
    // biome-ignore lint/performance/useDomNodeTextContent: only what is shown
    return this.evaluate(() => document.body.innerText.replace(/\s+/g, ' '));
  }

  /** Waits until the page shows these words. */
  async sees(words: string | RegExp): Promise<void> {
    let shown = '';
    await until(async () => {
      shown = await this.words();
      return typeof words === 'string' ? shown.includes(words) : words.test(shown);
    }).catch(() => {
      throw new Error(`Firefox does not show ${words}, but: ${shown.slice(0, 2_000)}`);
    });
  }

  /** Clicks the middle of the first element that a selector finds and whose words begin so. */
  async click(selector: string, words = ''): Promise<void> {
    let place: { x: number; y: number } | null = null;
    await until(async () => {
      place = await this.evaluate(placeOf, { selector, words });
      return place !== null;
    }).catch(() => {
      throw new Error(`Firefox has no ${selector} "${words}" to click`);
    });
    const at = place ?? { x: 0, y: 0 };
    await this.#act('pointer', [
      { type: 'pointerMove', ...at },
      { type: 'pointerDown', button: 0 },
      { type: 'pointerUp', button: 0 },
    ]);
  }

  async fill(selector: string, text: string): Promise<void> {
    await this.click(selector);
    await this.#act(
      'key',
      [...text].flatMap((value) => [
        { type: 'keyDown', value },
        { type: 'keyUp', value },
      ]),
    );
  }

  /** Another tab is in front for this long. */
  async lookAway(ms: number): Promise<void> {
    const { context } = await this.#send('browsingContext.create', { type: 'tab' });
    await passes(ms);
    await this.#send('browsingContext.close', { context });
    await this.#send('browsingContext.activate', { context: this.#tab });
  }

  async screenshot(): Promise<Buffer> {
    const { data } = await this.#send('browsingContext.captureScreenshot', { context: this.#tab });
    return Buffer.from(data, 'base64');
  }

  async close(): Promise<void> {
    const ended = new Promise((resolve) => this.#process.once('exit', resolve));
    this.#socket.close();
    this.#process.kill();
    await ended;
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 5 });
  }

  async #act(type: 'pointer' | 'key', actions: object[]): Promise<void> {
    await this.#send('input.performActions', {
      context: this.#tab,
      actions: [{ type, id: type, actions }],
    });
  }

  // biome-ignore lint/suspicious/noExplicitAny: replies differ with each command of the protocol
  #send(method: string, params: object): Promise<any> {
    this.#lastId += 1;
    const answer = Promise.withResolvers<unknown>();
    this.#waiting.set(this.#lastId, answer);
    this.#socket.send(JSON.stringify({ id: this.#lastId, method, params }));
    return answer.promise;
  }

  #receive(message: {
    id?: number;
    type: string;
    result?: unknown;
    message?: string;
    params?: { level?: string; text?: string };
  }): void {
    const { level, text } = message.params ?? {};
    if (level === 'error' || level === 'warn') this.logged.push(text ?? '');
    const waiting = this.#waiting.get(message.id ?? -1);
    if (message.type === 'success') waiting?.resolve(message.result);
    else if (message.type === 'error') waiting?.reject(new Error(message.message));
  }
}

/** The address that Firefox prints. */
function addressIn(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = '';
    child.stderr?.on('data', (chunk) => {
      printed += String(chunk);
      const [, address] = /WebDriver BiDi listening on (ws:\/\/\S+)/.exec(printed) ?? [];
      if (address !== undefined) resolve(address);
    });
    child.once('exit', () => reject(new Error(`Firefox has ended: ${printed}`)));
  });
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + WAIT_MS; Date.now() < end; ) {
    // A page that is just being replaced answers nothing.
    if (await isSo().catch(() => false)) return;
    await passes(POLL_MS);
  }
  throw new Error('it did not happen in time');
}

/** Runs in the page: the middle of an enabled, visible element; `null` without one. */
function placeOf({ selector, words }: { selector: string; words: string }) {
  for (const found of document.querySelectorAll<HTMLElement>(selector)) {
    const name = found.getAttribute('aria-label') ?? found.textContent ?? '';
    const isReady = !found.matches(':disabled') && found.checkVisibility();
    if (!isReady || !name.trim().startsWith(words)) continue;
    found.scrollIntoView({ block: 'center', behavior: 'instant' });
    const { left, top, width, height } = found.getBoundingClientRect();
    return { x: Math.round(left + width / 2), y: Math.round(top + height / 2) };
  }
  return null;
}
