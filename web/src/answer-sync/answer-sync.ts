import { atMost } from '../lib/timeout.ts';
import { AnswerSender } from './answer-sender.ts';
import {
  type AnswerChange,
  type AnswerNotice,
  AnswerSheet,
  type AnswerValue,
} from './answer-sheet.ts';
import type { AnswerTransport, LoadOutcome, SaveNews, Stop } from './answer-transport.ts';
import type { ChangeStore, LastMoment } from './change-store.ts';
import { timedRequestUntil } from './timed-request.ts';
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
  /** In-memory fallback for what `store` cannot store; read by the page's next visit. */
  memory?: ChangeStore;
  lastMoment?: LastMoment;
  /** Whether `store` outlives the page. */
  durable: boolean;
  onNews(news: SaveNews): void;
  onNotices(notices: AnswerNotice[]): void;
  random?: () => number;
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
export class AnswerSync {
  readonly #deps: AnswerSyncDeps;
  readonly #sheet = new AnswerSheet();
  readonly #sender: AnswerSender;
  readonly #listeners = new Set<() => void>();
  readonly #typing: TypingPause;
  #durable: boolean;
  /** `lastMoment` has changes, of which some may be acknowledged by now. */
  #hasLeft = false;
  /** The answers were opened without a connection. */
  #isFromCopy = false;
  #savedAt: Date | null = null;
  #snapshot: SyncSnapshot;

  constructor(deps: AnswerSyncDeps) {
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
      random: deps.random ?? Math.random,
    });
    this.#typing = new TypingPause({
      store: (questionId) => void this.#keep(questionId),
      send: (questionId) => void this.#keep(questionId)?.then((kept) => this.#sender.release(kept)),
    });
    this.#snapshot = this.#read();
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
        : timedRequestUntil((request) => this.#deps.transport.load({ signal: request }), signal),
      this.#held(),
    ]);
    if (outcome.kind === 'closed') this.#takeHeld(held);
    if (outcome.kind !== 'loaded') return outcome;
    const { settled, notices } = this.#sheet.merge(outcome.answers, held);
    this.#isFromCopy = outcome.isCopy === true;
    if (!this.#durable || this.#isFromCopy) this.#sheet.leap();
    for (const { questionId, revision } of settled) this.#forget(questionId, revision);
    if (outcome.answers.length > 0) this.#savedAt = new Date();
    if (notices.length > 0) this.#deps.onNotices(notices);
    for (const change of this.#sheet.unsent) this.#sender.release(change);
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

  /** For an ended attempt: its answers cannot be read; pending changes are sent with the submit. */
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
  type(questionId: string, selectedOption: string): void {
    if (this.#show(questionId, { selectedOption })) this.#typing.typed(questionId);
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
    this.#sender.retryNow();
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
    this.#sender.pause();
    await atMost(this.#sender.idle(), IN_FLIGHT_TIMEOUT_MS);
  }

  resumeSending(): void {
    this.#sender.resume();
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

  /** Stops sending; pending changes remain on this device. */
  stop(why?: Stop): void {
    this.settle();
    this.#sender.end(why);
  }

  /** The attempt is over and the server has everything: deletes all of it from this device. */
  async finish(): Promise<void> {
    this.#sender.end();
    this.#deps.lastMoment?.write([]);
    for (const store of this.#stores) {
      await store.clear(this.#deps.participantId).catch(() => undefined);
    }
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  getSnapshot = (): SyncSnapshot => this.#snapshot;

  /** Returns whether the sheet changed. */
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
    this.#snapshot = this.#read();
    for (const listener of this.#listeners) listener();
  }

  #read(): SyncSnapshot {
    return { state: this.#state(), values: this.#sheet.values, durable: this.#durable };
  }

  #state(): SyncState {
    const waiting = this.#sheet.unsentCount;
    const stopped = this.#sender.stopped;
    if (stopped !== null && stopped.kind !== 'ended') return { ...stopped, waiting };
    if (waiting === 0) return { kind: 'saved', at: this.#savedAt };
    return this.#sender.failures > 0 ? { kind: 'offline', waiting } : { kind: 'saving' };
  }
}
