import { logProblem } from '../../lib/problem-log.ts';
import type { AttemptPhase } from './attempt-state.ts';
import type { Invigilation, InvigilationDeps } from './invigilation.ts';
import type { Notices } from './notice-board.ts';

/** What is shown before anything was noticed. */
const QUIET: Notices = { popup: null, counted: null, fullscreen: null, noticed: [] };

/**
 * Who watches over the attempt of this page. The code is fetched once the questions are usable, so
 * that nobody waits for it; until it is here nothing is noticed.
 */
class InvigilationHandle {
  readonly #listeners = new Set<() => void>();
  #over: AbortController | null = null;
  #watching: Invigilation | null = null;

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  getNotices = (): Notices => this.#watching?.board.getSnapshot() ?? QUIET;

  /** Begins after `delayMs` (seed 4); a second call while one is under way changes nothing. */
  begin(deps: InvigilationDeps, delayMs: number): void {
    if (this.#over !== null) return;
    const over = new AbortController();
    this.#over = over;
    const timer = setTimeout(() => void this.#open(deps, over.signal), delayMs);
    over.signal.addEventListener('abort', () => clearTimeout(timer));
  }

  /** Goes with the attempt: nothing is judged after its end, or where another tab has it. */
  follow({ kind }: Pick<AttemptPhase, 'kind'>): void {
    if (kind === 'running') return;
    if (kind === 'submitting') this.#watching?.stopJudging();
    else this.#stop();
  }

  acknowledge(): void {
    this.#watching?.board.acknowledge();
  }

  clearNoticed(): void {
    this.#watching?.board.clearNoticed();
  }

  /** The person's own words on what was noticed. Rejects when they could not be kept. */
  note(id: string, note: string): Promise<void> {
    return this.#watching?.note(id, note) ?? Promise.reject(new Error('nobody watches any more'));
  }

  setWatched(watched: boolean): void {
    this.#watching?.setWatched(watched);
  }

  /** For the heartbeat. */
  report(): Record<string, unknown> {
    return this.#watching?.report() ?? {};
  }

  async #open(deps: InvigilationDeps, over: AbortSignal): Promise<void> {
    try {
      const { Invigilation: Watching } = await import('./invigilation.ts');
      if (over.aborted) return;
      const watching = new Watching(deps);
      this.#watching = watching;
      over.addEventListener(
        'abort',
        watching.board.subscribe(() => this.#tell()),
      );
      watching.begin();
    } catch (cause) {
      logProblem('Monitoring could not be fetched: nothing is noticed on this page', cause);
      this.#over = null;
    }
  }

  #stop(): void {
    this.#watching?.stop();
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
