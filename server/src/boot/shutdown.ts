import type { Logger } from 'pino';

export interface Shutdown {
  /** Aborted when the end begins, so that whatever is still starting stops. */
  readonly signal: AbortSignal;
  /** Registers what is to be closed at the end. The last registered is closed first. */
  onEnd(what: string, close: () => unknown): void;
  /** Closes everything and exits with `code`, or 1 when something did not close. */
  end(code: 0 | 1): Promise<never>;
}

/** A service manager or a container kills us after this or little more. */
const LIMIT_MS = 10_000;
/**
 * Ctrl-C under `npm start` arrives twice within milliseconds, from the terminal and from npm, which
 * passes signals on. A second one means "at once" only after a time in which a person can press it.
 */
const SAME_KEYSTROKE_MS = 1_000;

/** Not SIGHUP: a listener of ours would undo `nohup`, and without one it ends us like a kill. */
const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/**
 * Ends the process in order: with 0 on a signal, with 1 on an unhandled error, at the latest ten seconds
 * after the end has begun. A second signal ends it at once.
 */
export function watchForEnd(log: Logger): Shutdown {
  const abort = new AbortController();
  const closers: { what: string; close: () => unknown }[] = [];
  let ending: Promise<never> | undefined;

  async function close(code: 0 | 1): Promise<never> {
    abort.abort();
    setTimeout(() => {
      log.fatal(`Not everything was closed within ${LIMIT_MS / 1000} s`);
      process.exit(1);
    }, LIMIT_MS);
    let outcome = code;
    // Closers that are registered while others run are run as well.
    for (let next = closers.pop(); next !== undefined; next = closers.pop()) {
      try {
        await next.close();
      } catch (error) {
        log.error({ err: error }, `Closing failed: ${next.what}`);
        outcome = 1;
      }
    }
    process.exit(outcome);
  }

  const end = (code: 0 | 1) => {
    ending ??= close(code);
    return ending;
  };

  let askedAt: number | undefined;
  for (const name of SIGNALS) {
    process.on(name, () => {
      if (askedAt === undefined) {
        askedAt = performance.now();
        log.info(`${name}: stopping`);
        void end(0);
      } else if (performance.now() - askedAt > SAME_KEYSTROKE_MS) {
        log.warn(`${name} again: stopping at once`);
        process.exit(1);
      }
    });
  }
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      log.fatal({ err: error }, `Stopping after an unhandled error (${event})`);
      void end(1);
    });
  }
  return { signal: abort.signal, onEnd: (what, close) => void closers.push({ what, close }), end };
}
