import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

interface Reply {
  id?: number;
  result?: Record<string, unknown>;
  error?: { message: string };
}

/**
 * A Chromium without Playwright, driven by the DevTools protocol. Playwright keeps every
 * page "visible"; here a new tab in front really hides the one behind it.
 */
export class PlainBrowser {
  readonly #process: ChildProcess;
  readonly #profile: string;
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, (reply: Reply) => void>();
  #sent = 0;
  #session: string | undefined;

  private constructor(process: ChildProcess, profile: string, socket: WebSocket) {
    this.#process = process;
    this.#profile = profile;
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => {
      const reply: Reply = JSON.parse(String(data));
      if (reply.id !== undefined) this.#waiting.get(reply.id)?.(reply);
    });
  }

  static async open(): Promise<PlainBrowser> {
    const profile = mkdtempSync(join(tmpdir(), 'invigil-browser-'));
    const child = spawn(
      process.env.CHROMIUM_PATH ?? 'chromium',
      [
        '--headless',
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
        '--disable-gpu',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--remote-debugging-port=0',
        `--user-data-dir=${profile}`,
        'about:blank',
      ],
      { stdio: 'ignore' },
    );
    const socket = new WebSocket(await addressIn(join(profile, 'DevToolsActivePort')));
    await once(socket, 'open');
    return new PlainBrowser(child, profile, socket);
  }

  /**
   * Opens a URL in its own tab, with the session of a signed-in user.
   *
   * @param phone the user agent of the phone to emulate, if any
   */
  async visit(url: string, cookie: string, phone?: string): Promise<void> {
    const targetId = await this.newTab();
    const { sessionId } = await this.#call('Target.attachToTarget', { targetId, flatten: true });
    this.#session = String(sessionId);
    const [name = '', value = ''] = cookie.split('=', 2);
    await this.#call('Network.setCookie', { name, value, url, httpOnly: true }, this.#session);
    if (phone !== undefined) {
      const platform = { platform: 'Android', platformVersion: '15', architecture: '' };
      const userAgentMetadata = { ...platform, model: '', mobile: true };
      const as = { userAgent: phone, userAgentMetadata };
      await this.#call('Emulation.setUserAgentOverride', as, this.#session);
    }
    await this.#call('Page.navigate', { url }, this.#session);
  }

  /** Opens a tab in front of the current one. */
  async newTab(): Promise<string> {
    const { targetId } = await this.#call('Target.createTarget', { url: 'about:blank' });
    return String(targetId);
  }

  async closeTab(targetId: string): Promise<void> {
    await this.#call('Target.closeTarget', { targetId });
  }

  /** Evaluates an expression in the visited page. */
  async evaluate(expression: string): Promise<unknown> {
    const reply = await this.#call(
      'Runtime.evaluate',
      { expression, returnByValue: true, awaitPromise: true },
      this.#session,
    );
    const { result } = reply;
    return typeof result === 'object' && result !== null ? Reflect.get(result, 'value') : undefined;
  }

  async close(): Promise<void> {
    this.#socket.close();
    // A process that has ended emits no further exit event.
    if (this.#process.exitCode === null && this.#process.signalCode === null) {
      const exited = once(this.#process, 'exit');
      this.#process.kill('SIGTERM');
      await exited;
    }
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 5 });
  }

  async #call(
    method: string,
    params: Record<string, unknown>,
    sessionId?: string,
  ): Promise<Record<string, unknown>> {
    this.#sent += 1;
    const id = this.#sent;
    const replied = new Promise<Reply>((resolve) => this.#waiting.set(id, resolve));
    this.#socket.send(JSON.stringify({ id, method, params, ...(sessionId ? { sessionId } : {}) }));
    const { result, error } = await replied;
    this.#waiting.delete(id);
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result ?? {};
  }
}

/** Chromium creates the file first and writes its two lines a moment later. */
async function addressIn(file: string): Promise<string> {
  for (let tries = 0; tries < 300; tries += 1) {
    const [port, path] = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
    if (port && path) return `ws://127.0.0.1:${port}${path}`;
    await pause(100);
  }
  throw new Error('Chromium did not write its DevTools port');
}
