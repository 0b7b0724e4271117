import type { OwnParticipant, Summary } from '@invigil/core/contract/participants';
import type { PaperQuestion } from '@invigil/core/contract/questions';
import type { AnswerNotice } from '../../answer-sync/answer-sheet.ts';
import { AnswerSync, type SyncSnapshot } from '../../answer-sync/answer-sync.ts';
import type { AttemptNews, Stop } from '../../answer-sync/answer-transport.ts';
import {
  type ChangeStore,
  memoryChangeStore,
  openChangeStore,
  type SubmissionRequest,
} from '../../answer-sync/change-store.ts';
import { endpointTransport } from '../../answer-sync/endpoint-transport.ts';
import { watchPage } from '../../answer-sync/page-events.ts';
import { Submission } from '../../answer-sync/submission.ts';
import { TabLock } from '../../answer-sync/tab-lock.ts';
import { logProblem } from '../../lib/problem-log.ts';
import { thisDevice } from '../../proctoring/device-kind.ts';
import { type Feedback, sendFeedback, sendHeartbeat } from './api.ts';
import { type AttemptClock, heardFromServer, remainingLeft, startClock } from './attempt-clock.ts';
import { type EnterOutcome, enter, type LoadFailure, loadPaperPatiently } from './attempt-loading.ts';
import { keepBeating } from './heartbeat.ts';
import { copyAnswers, copyCompletion, copyDismissal, copyStart } from './local-copies.ts';

export type AttemptPhase =
  | { kind: 'idle' }
  | { kind: 'loading' }
  /** Another tab of this browser has the attempt; this one neither shows nor saves. */
  | { kind: 'elsewhere' }
  | { kind: 'failed'; failure: LoadFailure }
  | { kind: 'running' }
  /** The end is on its way. `tries` counts the ones without an answer. */
  | { kind: 'submitting'; auto: boolean; tries: number }
  | { kind: 'ended'; summary: Summary; receiptId: string; auto: boolean }
  | { kind: 'stopped'; why: 'replaced' | 'signed-out' };

export interface AttemptSnapshot {
  phase: AttemptPhase;
  participant: OwnParticipant | null;
  paper: readonly PaperQuestion[];
  sync: SyncSnapshot;
  violationCount: number;
}

/** What the attempt needs from the page around it. */
export interface AttemptSurroundings {
  /** The devices' state, for the heartbeat. */
  monitorReport(): Record<string, unknown>;
  /** Changes the server did not take. */
  onNotices(notices: AnswerNotice[]): void;
}

const NOTHING_YET: SyncSnapshot = {
  state: { kind: 'saved', at: null },
  values: new Map(),
  durable: true,
};

/** How often the end of the time is looked for, milliseconds. */
const TICK_MS = 250;

/**
 * The one attempt of this page: its paper, its answers, its clock and its end. It stands above the
 * screens, so walking from the assessment to the review loads and restarts nothing.
 */
export class AttemptStore {
  readonly #around: AttemptSurroundings;
  readonly #listeners = new Set<() => void>();
  #snapshot: AttemptSnapshot = {
    phase: { kind: 'idle' },
    participant: null,
    paper: [],
    sync: NOTHING_YET,
    violationCount: 0,
  };
  #id: string | null = null;
  /** Ends with the attempt on this page. */
  #page = new AbortController();
  /** Ends when another tab takes over, and begins anew when this one does. */
  #visit = new AbortController();
  #entered: (EnterOutcome & { kind: 'entered' }) | null = null;
  #lock: TabLock | null = null;
  #sync: AnswerSync | null = null;
  #store: ChangeStore | null = null;
  #clock: AttemptClock | null = null;
  #beatNow: () => void = () => undefined;
  #fromPage = 'Assessment Page';

  constructor(around: AttemptSurroundings) {
    this.#around = around;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  getSnapshot = (): AttemptSnapshot => this.#snapshot;

  /** Milliseconds left, by the server's word and the page's own clock; `null` before the start. */
  remainingMs(): number | null {
    return this.#clock === null ? null : remainingLeft(this.#clock, performance.now());
  }

  get totalMs(): number {
    return this.#clock?.totalMs ?? 1;
  }

  /** The permissions screen: starts the attempt with what was agreed and measured. */
  async start(...call: Parameters<typeof enter>): Promise<EnterOutcome> {
    const outcome = await enter(...call);
    if (outcome.kind === 'entered') this.#entered = outcome;
    return outcome;
  }

  /** Opens the attempt in this tab. Opening the same one again changes nothing. */
  open(attempt: OwnParticipant): void {
    if (this.#id === attempt.id) return;
    this.close();
    this.#id = attempt.id;
    this.#set({ participant: attempt, violationCount: attempt.violationCount });
    if (attempt.status !== 'in_progress') return void this.#load(attempt);
    this.#set({ phase: { kind: 'loading' } });
    this.#lock = new TabLock({
      locks: 'locks' in navigator ? navigator.locks : undefined,
      name: `invigil-attempt-${attempt.id}`,
      signal: this.#page.signal,
      onState: (state) => {
        if (state === 'mine') void this.#load(attempt);
        else if (state === 'elsewhere') this.#leaveToOtherTab();
      },
    });
    this.#lock.start();
  }

  takeOverFromOtherTab(): void {
    this.#lock?.takeOver();
  }

  /** After a failure: everything is asked for again, the one lock stays. */
  retry(): void {
    const { participant, phase } = this.#snapshot;
    if (participant !== null && phase.kind === 'failed') void this.#load(participant);
  }

  choose(questionId: string, selectedOption: string): void {
    if (this.#snapshot.phase.kind === 'running') this.#sync?.change(questionId, { selectedOption });
  }

  flag(questionId: string, isFlagged: boolean): void {
    if (this.#snapshot.phase.kind === 'running') this.#sync?.change(questionId, { isFlagged });
  }

  /** Where a dismissal would say that it happened. */
  setPage(page: 'Assessment Page' | 'Review Page'): void {
    this.#fromPage = page;
  }

  /** Ends the attempt; a second call while one is under way does nothing. */
  submit(feedback: Feedback | null): void {
    void this.#end({ auto: false, feedback });
  }

  /** Lets go of everything: the attempt is over on this page. */
  close(): void {
    this.#visit.abort();
    this.#page.abort();
    this.#page = new AbortController();
    this.#store?.close();
    this.#id = null;
    this.#sync = null;
    this.#store = null;
    this.#clock = null;
    this.#lock = null;
    this.#set({ phase: { kind: 'idle' }, participant: null, paper: [], sync: NOTHING_YET });
  }

  async #load(attempt: OwnParticipant): Promise<void> {
    this.#visit.abort();
    const visit = new AbortController();
    this.#visit = visit;
    const { signal } = visit;
    const running = attempt.status === 'in_progress';
    this.#set({ phase: running ? { kind: 'loading' } : { kind: 'submitting', auto: false, tries: 0 } });
    const [sync, entered, paper] = await Promise.all([
      this.#openSync(attempt.id, signal),
      running ? this.#enter(attempt.quizId) : null,
      running ? loadPaperPatiently(attempt.quizId, thisDevice().ios, signal) : null,
    ]);
    if (signal.aborted) return;
    this.#sync = sync;
    this.#listen(sync, signal);
    const answers = await sync.resume(signal);
    const asked = await this.#store?.loadSubmission(attempt.id).catch(() => null);
    if (signal.aborted) return;

    if (entered?.kind === 'entered') {
      this.#clock = startClock(entered.participant, entered.heardAt);
      this.#set({
        participant: entered.participant,
        violationCount: entered.participant.violationCount,
      });
    }
    for (const outcome of [entered, paper, answers]) {
      if (outcome?.kind === 'replaced' || outcome?.kind === 'signed-out') return this.#stop(outcome);
    }
    const ended = !running || [entered, paper, answers].some((o) => o?.kind === 'closed');
    if (ended || asked) return this.#end(asked ?? { auto: false, feedback: null });
    for (const outcome of [entered, paper]) {
      if (outcome?.kind === 'failed') {
        return this.#set({ phase: { kind: 'failed', failure: outcome.failure } });
      }
    }
    if (answers.kind !== 'loaded' || paper?.kind !== 'paper' || entered?.kind !== 'entered') {
      const message = 'The server cannot be reached. Check your connection and try again.';
      return this.#set({ phase: { kind: 'failed', failure: { kind: 'questions', message } } });
    }
    copyStart(entered.participant, paper.paper);
    this.#set({ paper: paper.paper, phase: { kind: 'running' } });
    this.#run(attempt.id, signal);
  }

  /** The attempt that the permissions screen has just started is not asked for a second time. */
  async #enter(quizId: string): Promise<EnterOutcome> {
    const fresh = this.#entered;
    this.#entered = null;
    return fresh?.participant.id === this.#id ? fresh : enter(quizId);
  }

  async #openSync(participantId: string, signal: AbortSignal): Promise<AnswerSync> {
    this.#store?.close();
    let durable = true;
    this.#store = await openChangeStore().catch((cause) => {
      logProblem('This browser stores nothing: answers wait in the page only', cause);
      durable = false;
      return memoryChangeStore();
    });
    const sync = new AnswerSync({
      participantId,
      transport: endpointTransport(participantId),
      store: this.#store,
      durable,
      onNews: (news) => this.#heard(news),
      onNotices: this.#around.onNotices,
    });
    signal.addEventListener('abort', () => sync.stop());
    return sync;
  }

  /** Answers and news of the sync become the page's own, until this visit ends. */
  #listen(sync: AnswerSync, signal: AbortSignal): void {
    let values = sync.getSnapshot().values;
    const stop = sync.subscribe(() => {
      const snapshot = sync.getSnapshot();
      this.#set({ sync: snapshot });
      if (snapshot.values !== values) copyAnswers(snapshot.values);
      values = snapshot.values;
      const { state } = snapshot;
      if (this.#snapshot.phase.kind !== 'running') return;
      if (state.kind === 'replaced' || state.kind === 'signed-out') this.#stop(state);
      else if (state.kind === 'closed') void this.#end({ auto: false, feedback: null });
    });
    signal.addEventListener('abort', stop);
    watchPage(
      { window, document },
      {
        leaving: () => sync.flushForGood(),
        back: () => {
          sync.retryNow();
          this.#beatNow();
        },
      },
      signal,
    );
  }

  /** Heartbeat and the look at the clock, as long as the attempt runs in this tab. */
  #run(participantId: string, signal: AbortSignal): void {
    const beating = keepBeating(
      {
        send: (seq, request) =>
          sendHeartbeat(participantId, { seq, monitor: this.#around.monitorReport() }, request),
        onNews: (news) => this.#heard(news),
        onStop: (stop) =>
          stop.kind === 'closed' ? this.#end({ auto: false, feedback: null }) : this.#stop(stop),
      },
      signal,
    );
    this.#beatNow = beating.beatNow;
    const ticking = setInterval(() => {
      if (this.remainingMs() === 0) void this.#end({ auto: true, feedback: null });
    }, TICK_MS);
    signal.addEventListener('abort', () => {
      clearInterval(ticking);
      this.#beatNow = () => undefined;
    });
  }

  #heard(news: AttemptNews & { deadlineAt?: string }): void {
    if (this.#clock !== null) this.#clock = heardFromServer(this.#clock, news, performance.now());
    if (news.violationCount !== this.#snapshot.violationCount) {
      this.#set({ violationCount: news.violationCount });
    }
    if (news.status !== 'in_progress') void this.#end({ auto: false, feedback: null });
  }

  #leaveToOtherTab(): void {
    this.#visit.abort();
    this.#set({ phase: { kind: 'elsewhere' } });
  }

  #stop({ kind }: Exclude<Stop, { kind: 'closed' }>): void {
    this.#visit.abort();
    this.#set({ phase: { kind: 'stopped', why: kind } });
  }

  async #end(request: SubmissionRequest): Promise<void> {
    const { phase, participant } = this.#snapshot;
    const sync = this.#sync;
    if (sync === null || participant === null || this.#ending) return;
    if (phase.kind === 'ended' || phase.kind === 'stopped') return;
    this.#ending = true;
    const { auto, feedback } = request;
    this.#set({ phase: { kind: 'submitting', auto, tries: 0 } });
    copyCompletion(this.#ownSummary(participant, auto), auto);
    const { signal } = this.#visit;
    await this.#store?.putSubmission(participant.id, request).catch(() => undefined);
    const submission = new Submission(sync, endpointTransport(participant.id));
    watchPage(
      { window, document },
      { leaving: () => undefined, back: () => submission.retryNow() },
      signal,
    );
    const end = await submission.run(signal, (tries) =>
      this.#set({ phase: { kind: 'submitting', auto, tries } }),
    );
    this.#ending = false;
    if (end.kind === 'aborted') return;
    if (end.kind !== 'accepted') return this.#stop(end);
    if (feedback !== null) await sendFeedback(participant.id, feedback).catch(logFeedback);
    this.#visit.abort();
    const { summary, receiptId } = end;
    copyCompletion(summary, auto);
    if (summary.status === 'dismissed') copyDismissal(summary, this.#fromPage, this.#flagged());
    this.#set({
      participant: end.participant,
      violationCount: summary.violationCount,
      phase: { kind: 'ended', summary, receiptId, auto },
    });
  }

  #ending = false;

  /** What this page knows of the end before the server has spoken. */
  #ownSummary(participant: OwnParticipant, auto: boolean): Summary {
    const { sync, violationCount } = this.#snapshot;
    const left = this.remainingMs() ?? 0;
    return {
      status: 'completed',
      timeSpent: Math.round((this.totalMs - left) / 1_000),
      answeredCount: [...sync.values.values()].filter((v) => v.selectedOption !== '').length,
      totalQuestions: participant.totalQuestions,
      violationCount,
      submissionType: auto ? 'auto' : 'manual',
    };
  }

  #flagged(): number {
    return [...this.#snapshot.sync.values.values()].filter((value) => value.isFlagged).length;
  }

  #set(change: Partial<AttemptSnapshot>): void {
    this.#snapshot = { ...this.#snapshot, ...change };
    for (const listener of this.#listeners) listener();
  }
}

function logFeedback(cause: unknown): void {
  logProblem('The feedback could not be sent', cause);
}
