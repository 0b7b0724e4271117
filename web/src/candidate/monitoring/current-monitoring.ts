import type { MonitorReport } from '@invigil/core/contract/attempts/own-participant';
import { withTexts } from '../../lib/language.ts';
import { logProblem } from '../../lib/problem-log.ts';
import { fetchAgain } from '../../proctoring/fetch-again.ts';
import { onRegionFailed } from '../../ui/region.tsx';
import type { AttemptPhase } from '../attempt/attempt-state.ts';
import type { Monitoring, MonitoringDeps } from './monitoring.ts';
import type { Notices } from './notice-board.ts';

/** The same as NO_NOTICES, whose file is fetched later. */
const QUIET: Notices = {
  popup: null,
  counted: null,
  fullscreen: null,
  voice: false,
  leftFor: null,
  detected: [],
  spoken: null,
};

/**
 * Monitoring of the page's attempt. Its code is fetched once the questions are usable, so that they
 * load first; until then nothing is detected. Errors are logged and contained here: answers are saved
 * and submitted whatever monitoring does.
 */
class CurrentMonitoring {
  readonly #listeners = new Set<() => void>();
  #over: AbortController | null = null;
  #running: Monitoring | null = null;
  #evidence: Promise<void> = Promise.resolve();

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  getNotices = (): Notices => this.#running?.board.getSnapshot() ?? QUIET;

  /** Starts detection after `delayMs` (specification 4); no-op while running. */
  begin(deps: MonitoringDeps, delayMs: number): void {
    if (this.#over !== null) return;
    const over = new AbortController();
    this.#over = over;
    void this.#open(deps, delayMs, over.signal);
  }

  /** Follows the attempt: nothing is detected after its end, or while another tab has it. */
  follow({ kind }: Pick<AttemptPhase, 'kind'>): void {
    if (kind === 'running') return;
    try {
      // Do not start during a submit.
      if (kind === 'submitting' && this.#running !== null) this.#running.stopDetecting();
      else this.#stop();
    } catch (cause) {
      logProblem('Monitoring could not be stopped cleanly', cause);
    }
  }

  acknowledge(): void {
    this.#running?.board.acknowledge();
  }

  clearDetected(): void {
    this.#running?.board.clearDetected();
  }

  note(id: string, note: string): Promise<void> {
    return this.#running?.note(id, note) ?? Promise.reject(new Error('monitoring has stopped'));
  }

  setWatched(watched: boolean): void {
    this.#running?.setWatched(watched);
  }

  /** Resolves once pending reports are sent or have failed. Never rejects. */
  async reportsSettled(): Promise<void> {
    try {
      await this.#running?.reportsSettled();
    } catch (cause) {
      logProblem('Waiting for the last reports failed', cause);
    }
  }

  /** Resolves once the evidence of the ended attempt is sent or lost. Never rejects. */
  evidenceSettled(): Promise<void> {
    return this.#evidence;
  }

  /**
   * The report for the heartbeat; `undefined` while monitoring is not running: the server then flags the
   * attempt.
   */
  report(): MonitorReport | undefined {
    try {
      return this.#running?.report();
    } catch (cause) {
      // Errors of monitoring must not stop the heartbeat.
      logProblem('Monitoring could not report its state', cause);
      return undefined;
    }
  }

  /** Fetches the code during the delay. What fails on the page before is recorded after it. */
  async #open(deps: MonitoringDeps, delayMs: number, over: AbortSignal): Promise<void> {
    const failedBefore: string[] = [];
    const stopListening = onRegionFailed((name) => failedBefore.push(name));
    const [code] = await Promise.all([
      fetchAgain(
        withTexts(() => import('./monitoring.ts')),
        () => !over.aborted,
        (cause) =>
          logProblem(
            'Monitoring could not be fetched: nothing is detected until a retry succeeds',
            cause,
          ),
      ),
      new Promise((resolve) => setTimeout(resolve, delayMs)),
    ]);
    stopListening();
    if (code === null || over.aborted) return;
    try {
      const running = new code.Monitoring(deps);
      this.#running = running;
      over.addEventListener(
        'abort',
        running.board.subscribe(() => this.#notify()),
      );
      running.begin();
      for (const name of failedBefore) running.partFailed(name);
    } catch (cause) {
      logProblem('Monitoring could not start: nothing is detected on this page', cause);
      this.#running = null;
    }
  }

  #stop(): void {
    this.#running?.stop();
    this.#evidence = this.#running?.evidenceSettled() ?? this.#evidence;
    this.#running = null;
    this.#over?.abort();
    this.#over = null;
    this.#notify();
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}

export const currentMonitoring = new CurrentMonitoring();
