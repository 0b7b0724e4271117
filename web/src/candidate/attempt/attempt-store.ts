import type { OwnParticipant } from '@invigil/core/contract/attempts/own-participant';
import type { AnswerSync } from '../../answer-sync/answer-sync.ts';
import { TabLock } from '../../answer-sync/tab-lock.ts';
import { SnapshotStore } from '../../lib/snapshot.ts';
import type { Feedback } from './api.ts';
import { type EnterOutcome, enter } from './attempt-loading.ts';
import { type AttemptContext, type AttemptSnapshot, NO_ATTEMPT } from './attempt-state.ts';
import { AttemptVisit } from './attempt-visit.ts';
import { endOf } from './local-copies.ts';

/**
 * The page's attempt. It lives above the screens, so that navigation between assessment and review
 * reloads and restarts nothing. `subscribe` and `getSnapshot` fit useSyncExternalStore.
 */
export class AttemptStore extends SnapshotStore<AttemptSnapshot> {
  readonly #context: AttemptContext;
  #page = new AbortController();
  #visit: AttemptVisit | null = null;
  #lock: TabLock | null = null;
  #entered: (EnterOutcome & { kind: 'entered' }) | null = null;
  #fromPage = 'Assessment Page';
  #shown: number | null = null;

  constructor(context: AttemptContext) {
    super(NO_ATTEMPT);
    this.#context = context;
  }

  /** Milliseconds left, by the server's time and the page's monotonic clock; `null` before the start. */
  remainingMs = (): number | null => this.#visit?.remainingMs() ?? null;

  /** Milliseconds until the clock goes on by itself; 0: it runs. */
  pausedLeftMs = (): number => this.#visit?.pausedLeftMs() ?? 0;

  /** Milliseconds of the whole attempt. */
  get totalMs(): number {
    return this.#visit?.totalMs ?? 1;
  }

  get answers(): Pick<AnswerSync, 'change' | 'type' | 'settle' | 'acknowledged'> | null {
    return this.snapshot.phase.kind === 'running' ? (this.#visit?.answers ?? null) : null;
  }

  async start(...call: Parameters<typeof enter>): Promise<EnterOutcome> {
    const outcome = await enter(...call);
    if (outcome.kind === 'entered') this.#entered = outcome;
    return outcome;
  }

  /**
   * Opens an attempt in this tab. No-op for the same attempt, unless it had stopped here before the
   * candidate signed in again.
   */
  open(attempt: OwnParticipant): void {
    const { participant, phase } = this.snapshot;
    if (participant?.id === attempt.id && phase.kind !== 'stopped') return;
    this.close();
    this.update({ participant: attempt, violationCount: attempt.violationCount });
    if (attempt.status !== 'in_progress') return this.#begin();
    this.update({ phase: { kind: 'loading' } });
    const lock = new TabLock({
      locks: 'locks' in navigator ? navigator.locks : undefined,
      name: `invigil-attempt-${attempt.id}`,
      signal: this.#page.signal,
      onState: (state) => {
        if (state === 'mine') this.#begin();
        else if (state === 'elsewhere') this.#leaveToOtherTab();
      },
    });
    this.#lock = lock;
    lock.start();
  }

  takeOverFromOtherTab(): void {
    this.#lock?.takeOver();
  }

  retry(): void {
    if (this.snapshot.phase.kind === 'failed') this.#begin();
  }

  acknowledge(id: string): void {
    this.#visit?.acknowledge(id);
  }

  /** Raises the candidate's hand, or puts it down. */
  askForHelp(handUp: boolean): void {
    void this.#visit?.askForHelp(handUp);
  }

  /** Begins a break of the candidate, or ends it. Throws what is to be shown. */
  async takeBreak(onBreak: boolean): Promise<void> {
    await this.#visit?.takeBreak(onBreak);
  }

  setViolationCount(violationCount: number): void {
    if (violationCount !== this.snapshot.violationCount) this.update({ violationCount });
  }

  setPage(page: 'Assessment Page' | 'Review Page'): void {
    this.#fromPage = page;
  }

  /** @param place of the question on the screen, from 0; null: none */
  setShown(place: number | null): void {
    this.#shown = place;
  }

  submit(feedback: Feedback): void {
    void this.#visit?.end({ feedback }, 'candidate');
  }

  close(): void {
    this.#visit?.leave();
    this.#visit = null;
    this.#lock = null;
    this.#page.abort();
    this.#page = new AbortController();
    this.update(NO_ATTEMPT);
  }

  #begin(): void {
    const { participant } = this.snapshot;
    if (participant === null) return;
    this.#visit?.leave();
    const entered = this.#entered?.participant.id === participant.id ? this.#entered : null;
    this.#entered = null;
    const visit = new AttemptVisit({
      context: this.#context,
      entered,
      read: this.getSnapshot,
      update: (change) => {
        if (this.#visit === visit) this.update(change);
      },
      fromPage: () => this.#fromPage,
      shown: () => this.#shown,
      again: () => this.#begin(),
    });
    this.#visit = visit;
    const running = participant.status === 'in_progress';
    this.update({
      phase: running
        ? { kind: 'loading' }
        : { kind: 'submitting', by: endOf(participant), tries: 0 },
      // A press of the visit before has no answer any more; the stream brings how it is.
      hand: NO_ATTEMPT.hand,
    });
    void visit.begin(participant);
  }

  #leaveToOtherTab(): void {
    this.#visit?.leave();
    this.#visit = null;
    this.update({ phase: { kind: 'elsewhere' } });
  }

  protected override onUpdate({ phase }: AttemptSnapshot): void {
    if (this.snapshot.phase !== phase) this.#context.onPhase(this.snapshot.phase);
  }
}
