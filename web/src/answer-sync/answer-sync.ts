import { logProblem } from '../lib/problem-log.ts';
import { SnapshotStore } from '../lib/snapshot.ts';
import { atMost } from '../lib/timeout.ts';
import { timedRequest, watchPage } from '../net/retry.ts';
import type { Stop } from '../net/stop.ts';
import { AnswerSender } from './answer-sender.ts';
import {
  type AnswerChange,
  type AnswerNotice,
  AnswerSheet,
  type AnswerValue,
} from './answer-sheet.ts';
import {
  type AnswerTransport,
  endpointTransport,
  type LoadOutcome,
  type SaveNews,
} from './answer-transport.ts';
import {
  type ChangeStore,
  type EndRequest,
  type LastMoment,
  lastMomentOf,
  memoryChangeStore,
  openChangeStore,
} from './change-store.ts';
import { TypingPause } from './typing-pause.ts';

/** The save state for the screen. `saved`: every change is acknowledged. */
export type SyncState =
  | { kind: 'saved'; at: Date | null }
  | { kind: 'saving' }
  | { kind: 'offline'; waiting: number }
  | (Stop & { waiting: number });

export interface SyncSnapshot {
  state: SyncState;
  values: ReadonlyMap<string, AnswerValue>;
  /** False if this browser cannot store: then unsaved changes are only in this page's memory. */
  durable: boolean;
}

export interface AnswerSyncDeps {
  participantId: string;
  transport: AnswerTransport;
  store: ChangeStore;
  /** Holds in memory what `store` cannot store; read by the page's next visit. */
  memory?: ChangeStore;
  lastMoment?: LastMoment;
  /** Whether `store` outlives the page. */
  durable: boolean;
  onNews(news: SaveNews): void;
  onNotices(notices: AnswerNotice[]): void;
}

/**
 * How long a submit waits for the save in flight, milliseconds. The submit carries the same changes,
 * and a request that hangs must not use up the grace period.
 */
const IN_FLIGHT_TIMEOUT_MS = 3_000;

/**
 * The answer path of one attempt on this device: click, screen, durable outbox, one request in
 * flight, acknowledgement. Framework-free; `subscribe` and `getSnapshot` fit useSyncExternalStore.
 */
export class AnswerSync extends SnapshotStore<SyncSnapshot> {
  readonly #deps: AnswerSyncDeps;
  readonly #sheet = new AnswerSheet();
  readonly #sender: AnswerSender;
  readonly #typing: TypingPause;
  #durable: boolean;
  /** `lastMoment` has changes, of which some may be acknowledged by now. */
  #hasLeft = false;
  /** The answers were opened without a connection. */
  #isFromCopy = false;
  #savedAt: Date | null = null;

  constructor(deps: AnswerSyncDeps) {
    super({ state: { kind: 'saved', at: null }, values: new Map(), durable: deps.durable });
    this.#deps = deps;
    this.#durable = deps.durable;
    this.#sender = new AnswerSender({
      sheet: this.#sheet,
      transport: deps.transport,
      forget: (questionId, revision) => this.#forget(questionId, revision),
      onNews: (news) => {
        this.#savedAt = new Date();
        deps.onNews(news);
      },
      onNotices: deps.onNotices,
      onChange: () => this.#changed(),
    });
    this.#typing = new TypingPause({
      store: (questionId) => void this.#keep(questionId),
      send: (questionId) => void this.#keep(questionId)?.then((kept) => this.#sender.release(kept)),
    });
    this.#changed();
  }

  /**
   * Merges the server's answers with the unsent changes of an earlier visit, and continues sending. No
   * click is allowed before `loaded`: its revision could be below a stored one.
   *
   * @param isNew the attempt has just begun: the server has no answers of it
   */
  async resume(signal: AbortSignal, isNew = false): Promise<LoadOutcome> {
    const nothing: LoadOutcome = { kind: 'loaded', answers: [] };
    const [outcome, held] = await Promise.all([
      isNew
        ? nothing
        : timedRequest((request) => this.#deps.transport.load({ signal: request }), signal),
      this.#held(),
    ]);
    if (outcome.kind === 'closed' || outcome.kind === 'try-again') this.#takeHeld(held);
    // The server's answers are missing: what was left is sent, also with a submit of the earlier visit.
    if (outcome.kind === 'try-again') this.#releaseAll();
    if (outcome.kind !== 'loaded') return outcome;
    const { settled, notices } = this.#sheet.merge(outcome.answers, held);
    this.#isFromCopy = outcome.isCopy === true;
    if (!this.#durable || this.#isFromCopy) this.#sheet.leap();
    for (const { questionId, revision } of settled) this.#forget(questionId, revision);
    if (outcome.answers.length > 0) this.#savedAt = new Date();
    if (notices.length > 0) this.#deps.onNotices(notices);
    this.#releaseAll();
    this.#changed();
    return outcome;
  }

  /** The server answers again: replaces answers that came from a copy, except those changed since. */
  async confirm(signal: AbortSignal): Promise<void> {
    if (!this.#isFromCopy) return;
    this.#isFromCopy = false;
    const outcome = await this.#deps.transport.load({ signal });
    this.#isFromCopy = outcome.kind !== 'loaded' || outcome.isCopy === true;
    if (outcome.kind !== 'loaded' || this.#isFromCopy) return;
    this.#sheet.merge(outcome.answers, this.#sheet.unsent);
    this.#changed();
  }

  /** The answers that the server has, for a copy on this device. */
  get acknowledged(): readonly AnswerChange[] {
    return this.#sheet.acknowledged;
  }

  /** The highest revision of each question that this device knows. */
  get revisions(): Record<string, number> {
    return this.#sheet.revisions;
  }

  /**
   * Resumes an attempt that has ended: its answers cannot be read; pending changes are sent with the submit.
   */
  async resumeEnded(): Promise<void> {
    this.#takeHeld(await this.#held());
  }

  /** Records a click: shown at once, sent as soon as it is stored on this device. */
  change(questionId: string, change: Partial<AnswerValue>): void {
    this.settle();
    if (!this.#show(questionId, change)) return;
    void this.#keep(questionId)?.then((kept) => this.#sender.release(kept));
  }

  /**
   * Records a keystroke: shown at once, and part of any submit; stored and sent together with those that
   * follow, or with `settle`.
   */
  type(questionId: string, answer: string): void {
    if (this.#show(questionId, { answer })) this.#typing.typed(questionId);
  }

  /** Stores and sends what was typed without waiting for more: the field or the page was left. */
  settle(): void {
    this.#typing.end();
  }

  /** The unacknowledged changes, which a submit must carry. */
  get unsent(): readonly AnswerChange[] {
    return this.#sheet.unsent;
  }

  /** The connection or the page is back. */
  retryNow(): void {
    this.#sender.queue.retryNow();
  }

  /** The page may be closing. */
  flushForGood(): void {
    this.settle();
    if (this.#sender.stopped === null) this.#writeLastMoment();
    this.#sender.flushForGood();
  }

  /** Starts no new requests during a submit, and waits for the one in flight. */
  async pause(): Promise<void> {
    this.settle();
    this.#sender.queue.pause();
    await atMost(this.#sender.queue.idle(), IN_FLIGHT_TIMEOUT_MS);
  }

  resumeSending(): void {
    this.#sender.queue.resume();
  }

  /** Resolves once nothing is pending, or nothing more can be sent. */
  drained(): Promise<void> {
    const done = () => this.#sheet.unsentCount === 0 || this.#sender.stopped !== null;
    if (done()) return Promise.resolve();
    return new Promise((resolve) => {
      const stopListening = this.subscribe(() => {
        if (!done()) return;
        stopListening();
        resolve();
      });
    });
  }

  close(): void {
    this.#deps.store.close();
  }

  /** Stops sending; pending changes remain on this device. */
  stop(why?: Stop): void {
    this.settle();
    this.#sender.end(why);
  }

  /** Stores the submit request for a reload; in the page's memory if the browser cannot. */
  async storeEnd(request: EndRequest): Promise<void> {
    const { store, memory, participantId } = this.#deps;
    await store.putEnd(participantId, request).catch(() => memory?.putEnd(participantId, request));
  }

  async storedEnd(): Promise<EndRequest | null> {
    for (const store of this.#stores) {
      const stored = await store.loadEnd(this.#deps.participantId).catch(() => null);
      if (stored !== null) return stored;
    }
    return null;
  }

  /** The submit was withdrawn: the attempt continues. */
  async removeEnd(): Promise<void> {
    for (const store of this.#stores) {
      await store.removeEnd(this.#deps.participantId).catch(() => undefined);
    }
  }

  /** The attempt is over and the server has everything: deletes all of it from this device. */
  async finish(): Promise<void> {
    this.#sender.end();
    this.#deps.lastMoment?.write([]);
    for (const store of this.#stores) {
      await store.clear(this.#deps.participantId).catch(() => undefined);
    }
  }

  #show(questionId: string, change: Partial<AnswerValue>): boolean {
    if (this.#sender.stopped !== null || this.#sheet.change(questionId, change) === null)
      return false;
    this.#changed();
    return true;
  }

  /** Stores the pending change of a question on this device; `undefined` if there is none. */
  #keep(questionId: string): Promise<AnswerChange> | undefined {
    const pending = this.#sheet.unsentOf(questionId);
    if (pending === undefined) return undefined;
    return this.#deps.store
      .put(this.#deps.participantId, pending)
      .catch(() => {
        this.#notDurable();
        return this.#deps.memory?.put(this.#deps.participantId, pending);
      })
      .then(() => pending);
  }

  get #stores(): ChangeStore[] {
    const { store, memory = store } = this.#deps;
    return store === memory ? [store] : [store, memory];
  }

  async #held(): Promise<AnswerChange[]> {
    const loaded = this.#stores.map((store) =>
      store.load(this.#deps.participantId).catch(() => {
        this.#notDurable();
        return [];
      }),
    );
    const left = this.#deps.lastMoment?.read() ?? [];
    this.#hasLeft = left.length > 0;
    return [...left, ...(await Promise.all(loaded)).flat()];
  }

  #takeHeld(held: readonly AnswerChange[]): void {
    this.#sheet.merge([], held);
    this.#changed();
  }

  #releaseAll(): void {
    for (const change of this.#sheet.unsent) this.#sender.release(change);
  }

  #writeLastMoment(): void {
    const { unsent } = this.#sheet;
    this.#deps.lastMoment?.write(unsent);
    this.#hasLeft = unsent.length > 0;
  }

  #forget(questionId: string, revision: number): void {
    if (this.#hasLeft) this.#writeLastMoment();
    // If a row remains, the next merge settles it.
    for (const store of this.#stores) {
      void store.remove(this.#deps.participantId, questionId, revision).catch(() => undefined);
    }
  }

  /** Full disk or revoked storage: the page continues and shows a notice. */
  #notDurable(): void {
    this.#durable = false;
    this.#changed();
  }

  #changed(): void {
    this.update({ state: this.#state(), values: this.#sheet.values, durable: this.#durable });
  }

  #state(): SyncState {
    const waiting = this.#sheet.unsentCount;
    const stopped = this.#sender.stopped;
    if (stopped !== null && stopped.kind !== 'ended') return { ...stopped, waiting };
    if (waiting === 0) return { kind: 'saved', at: this.#savedAt };
    return this.#sender.queue.failures > 0 ? { kind: 'offline', waiting } : { kind: 'saving' };
  }
}

/** Changes that the browser could not store, for the page's next visit of the attempt. */
export const pageMemory = memoryChangeStore();

/**
 * Opens the answers of an attempt until the signal aborts: their durable queue, or the page's memory
 * if the browser cannot store, and their sender.
 */
export async function openAnswers(
  participantId: string,
  on: Pick<AnswerSyncDeps, 'onNews' | 'onNotices'>,
  signal: AbortSignal,
): Promise<AnswerSync> {
  let durable = true;
  const store = await openChangeStore().catch((cause) => {
    logProblem('This browser cannot store answers: unsent ones are in memory only', cause);
    durable = false;
    return pageMemory;
  });
  const transport = endpointTransport(participantId);
  const memory = pageMemory;
  const lastMoment = lastMomentOf(participantId);
  const sync = new AnswerSync({
    participantId,
    transport,
    store,
    memory,
    lastMoment,
    durable,
    ...on,
  });
  signal.addEventListener('abort', () => sync.stop());
  if (signal.aborted) sync.stop();
  watchPage({ leaving: () => sync.flushForGood(), back: () => sync.retryNow() }, signal);
  // Only if leaving would lose changes: neither stored here nor acknowledged.
  const ask = (event: BeforeUnloadEvent) => {
    if (!sync.getSnapshot().durable && sync.unsent.length > 0) event.preventDefault();
  };
  window.addEventListener('beforeunload', ask, { signal });
  return sync;
}
