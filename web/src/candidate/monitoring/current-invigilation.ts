import type { MonitorReport } from '@invigil/core/contract/own-participant';
import { logProblem } from '../../lib/problem-log.ts';
import { fetchAgain } from '../../proctoring/fetch-again.ts';
import type { AttemptPhase } from '../attempt/attempt-state.ts';
import type { Invigilation, InvigilationDeps } from './invigilation.ts';
import type { Notices } from './notice-board.ts';

/** What is shown before anything was detected: NO_NOTICES, whose file is fetched later. */
const QUIET: Notices = {
  popup: null,
  counted: null,
  fullscreen: null,
  leftFor: null,
  detected: [],
  spoken: null,
};

/**
 * Who watches over the attempt of this page. The code is fetched once the questions are usable, so
 * that no one waits for it; until it is here nothing is detected. What goes wrong in it is logged and
 * ends here: answers are saved and handed in whatever monitoring does.
 */
class InvigilationHandle {
  readonly #listeners = new Set<() => void>();
  #over: AbortController | null = null;
  #watching: Invigilation | null = null;
  #evidence: Promise<void> = Promise.resolve();

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  getNotices = (): Notices => this.#watching?.board.getSnapshot() ?? QUIET;

  /** Begins to judge after `delayMs` (seed 4); a second call while one is under way changes nothing. */
  begin(deps: InvigilationDeps, delayMs: number): void {
    if (this.#over !== null) return;
    const over = new AbortController();
    this.#over = over;
    void this.#open(deps, delayMs, over.signal);
  }

  /** Goes with the attempt: nothing is judged after its end, or where another tab has it. */
  follow({ kind }: Pick<AttemptPhase, 'kind'>): void {
    if (kind === 'running') return;
    try {
      // What has not begun by now does not begin while the attempt is handed in.
      if (kind === 'submitting' && this.#watching !== null) this.#watching.stopDetecting();
      else this.#stop();
    } catch (cause) {
      logProblem('Monitoring did not end as it should', cause);
    }
  }

  acknowledge(): void {
    this.#watching?.board.acknowledge();
  }

  clearDetected(): void {
    this.#watching?.board.clearDetected();
  }

  /** The person's own words on what was detected. Rejects when they could not be kept. */
  note(id: string, note: string): Promise<void> {
    return this.#watching?.note(id, note) ?? Promise.reject(new Error('nobody watches any more'));
  }

  setWatched(watched: boolean): void {
    this.#watching?.setWatched(watched);
  }

  /** The reports that wait have been sent, or could not be. Never rejects. */
  async reportsSettled(): Promise<void> {
    try {
      await this.#watching?.reportsSettled();
    } catch (cause) {
      logProblem('The last reports could not be waited for', cause);
    }
  }

  /** The evidence of the attempt that ended here has been sent, or is lost. Never rejects. */
  evidenceSettled(): Promise<void> {
    return this.#evidence;
  }

  /** For the heartbeat; `undefined` while no one watches, as when the code could not be fetched. */
  report(): MonitorReport | undefined {
    return this.#watching?.report();
  }

  /** The code is fetched during the delay: a line that drops right then leaves less undone. */
  async #open(deps: InvigilationDeps, delayMs: number, over: AbortSignal): Promise<void> {
    const [code] = await Promise.all([
      fetchAgain(
        () => import('./invigilation.ts'),
        () => !over.aborted,
        (cause) =>
          logProblem('Monitoring could not be fetched: nothing is detected until it is', cause),
      ),
      new Promise((resolve) => setTimeout(resolve, delayMs)),
    ]);
    if (code === null || over.aborted) return;
    try {
      const watching = new code.Invigilation(deps);
      this.#watching = watching;
      over.addEventListener(
        'abort',
        watching.board.subscribe(() => this.#tell()),
      );
      watching.begin();
    } catch (cause) {
      logProblem('Monitoring could not begin: nothing is detected on this page', cause);
      this.#watching = null;
    }
  }

  #stop(): void {
    this.#watching?.stop();
    this.#evidence = this.#watching?.evidenceSettled() ?? this.#evidence;
    this.#watching = null;
    this.#over?.abort();
    this.#over = null;
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** The one of this page. */
export const currentInvigilation = new InvigilationHandle();
