import type { AttemptNews, OwnParticipant } from '@invigil/core/contract/attempts/own-participant';
import type { AnswerChange, AnswerNotice } from '../../answer-sync/answer-sheet.ts';
import type { AnswerSync } from '../../answer-sync/answer-sync.ts';
import type { LoadOutcome, SaveNews, Stop } from '../../answer-sync/answer-transport.ts';
import type { ChangeStore, SubmissionRequest } from '../../answer-sync/change-store.ts';
import { endpointTransport } from '../../answer-sync/endpoint-transport.ts';
import { watchPage } from '../../answer-sync/page-events.ts';
import { Submission } from '../../answer-sync/submission.ts';
import { logProblem } from '../../lib/problem-log.ts';
import { atMost } from '../../lib/timeout.ts';
import { thisDevice } from '../../proctoring/device/device-kind.ts';
import { Announcements } from './announcements.ts';
import { loadMessages, sendFeedback } from './api.ts';
import { openAnswers, pageMemory } from './attempt-answers.ts';
import { type AttemptClock, remainingLeft, startClock, syncClock } from './attempt-clock.ts';
import {
  type EnterOutcome,
  enter,
  loadPaperWithRetries,
  type PaperOutcome,
  takePaper,
} from './attempt-loading.ts';
import type {
  AttemptContext,
  AttemptPhase,
  AttemptSnapshot,
  EndedBy,
  StoppedBy,
} from './attempt-state.ts';
import { EndCopies } from './end-copies.ts';
import { keepInStep } from './keep-in-step.ts';
import { checkStart, copyAnswers, copyStart } from './local-copies.ts';
import { endOf } from './summary-before.ts';

export interface VisitDeps {
  context: AttemptContext;
  /** The response to the start on the permissions screen, so that it is not requested twice. */
  entered: (EnterOutcome & { kind: 'entered' }) | null;
  read(): AttemptSnapshot;
  update(change: Partial<AttemptSnapshot>): void;
  /** The page that a dismissal would name. */
  fromPage(): string;
  /** The attempt continues after all: a new visit replaces this one. */
  again(): void;
}

/** How long a submit waits for the last reports, milliseconds: well within the grace period. */
const REPORTS_TIMEOUT_MS = 2_000;

/** A submit request; the known deadline is added to it. */
type EndRequest = Pick<SubmissionRequest, 'auto' | 'feedback'> & Partial<SubmissionRequest>;

const NO_FEEDBACK: EndRequest = { auto: false, feedback: null };

/**
 * An attempt open in one tab: loads it, saves answers, synchronizes with the server's clock, and
 * submits it. It ends with `leave`.
 */
export class AttemptVisit {
  readonly #deps: VisitDeps;
  readonly #over = new AbortController();
  #sync: AnswerSync | null = null;
  #store: ChangeStore | null = null;
  #clock: AttemptClock | null = null;
  #ending = false;
  readonly #pendingNotices: AnswerNotice[] = [];
  #announcements: Announcements | null = null;
  readonly #copies: EndCopies;

  constructor(deps: VisitDeps) {
    this.#deps = deps;
    const passedMs = () => (this.#clock === null ? null : this.totalMs - (this.remainingMs() ?? 0));
    this.#copies = new EndCopies({ read: deps.read, fromPage: deps.fromPage, passedMs });
  }

  remainingMs(): number | null {
    return this.#clock === null ? null : remainingLeft(this.#clock, performance.now());
  }

  get totalMs(): number {
    return this.#clock?.totalMs ?? 1;
  }

  get changeableAnswers(): AnswerSync | null {
    return this.#deps.read().phase.kind === 'running' ? this.#sync : null;
  }

  /** The answers that the server has, for a copy on this device. */
  get acknowledged(): readonly AnswerChange[] {
    return this.#sync?.acknowledged ?? [];
  }

  acknowledge(): void {
    this.#announcements?.acknowledge();
  }

  /** Ends the visit; unsaved changes remain stored for the next one. */
  leave(): void {
    if (this.#over.signal.aborted) return;
    this.#sync?.flushForGood();
    this.#over.abort();
  }

  async begin(attempt: OwnParticipant): Promise<void> {
    const { signal } = this.#over;
    const running = attempt.status === 'in_progress';
    const sync = await this.#openSync(attempt.id);
    const [entered, paper, answers, asked] = await Promise.all([
      running ? (this.#deps.entered ?? enter(attempt.quizId)) : null,
      running ? this.#loadPaper(attempt.quizId) : null,
      running ? sync.resume(signal, this.#isNew) : sync.resumeEnded().then(() => null),
      this.#storedEnd(attempt.id),
    ]);
    if (signal.aborted) return;
    if (entered?.kind === 'entered') {
      const { participant, receivedAt } = entered;
      this.#clock = startClock(participant, receivedAt);
      this.#deps.update({ participant, violationCount: participant.violationCount });
    }
    const outcomes = [entered, paper, answers];
    for (const outcome of outcomes) {
      if (outcome !== null && isStop(outcome)) return this.#stop(outcome);
    }
    const extended = entered?.kind === 'entered' && entered.participant.remainingMs > 0;
    if (asked?.auto && extended) await this.#takeBack(attempt.id);
    else if (asked) return this.end(asked, asked.auto ? 'time' : 'candidate');
    const closed = outcomes.find((outcome) => outcome?.kind === 'closed');
    if (closed || !running) return this.end(NO_FEEDBACK, endOf(closed ?? attempt));
    this.#open(attempt.id, entered, paper, answers);
  }

  /** The attempt has just begun here: its paper came with the start, and it has no answers. */
  get #isNew(): boolean {
    return (this.#deps.entered?.questions ?? []).length > 0;
  }

  #loadPaper(quizId: string): Promise<PaperOutcome> {
    const { signal } = this.#over;
    const { questions = [] } = this.#deps.entered ?? {};
    return this.#isNew
      ? takePaper(questions, signal)
      : loadPaperWithRetries(quizId, thisDevice().ios, signal);
  }

  /** The stored submit request of an earlier visit. */
  async #storedEnd(participantId: string): Promise<SubmissionRequest | null> {
    const stored = await this.#store?.loadSubmission(participantId).catch(() => null);
    return stored ?? pageMemory.loadSubmission(participantId);
  }

  async #storeEnd(participantId: string, request: SubmissionRequest): Promise<void> {
    await this.#store
      ?.putSubmission(participantId, request)
      .catch(() => pageMemory.putSubmission(participantId, request));
  }

  async #takeBack(participantId: string): Promise<void> {
    await this.#store?.removeSubmission(participantId).catch(() => undefined);
    await pageMemory.removeSubmission(participantId);
  }

  #open(
    participantId: string,
    entered: EnterOutcome | null,
    paper: PaperOutcome | null,
    answers: LoadOutcome | null,
  ): void {
    const failed = [entered, paper].find((outcome) => outcome?.kind === 'failed');
    if (failed?.kind === 'failed') {
      return this.#deps.update({ phase: { kind: 'failed', failure: failed.failure } });
    }
    if (answers?.kind !== 'loaded' || paper?.kind !== 'paper' || entered?.kind !== 'entered') {
      const message = 'The server cannot be reached. Check your connection and try again.';
      const failure = { kind: 'questions', message } as const;
      return this.#deps.update({ phase: { kind: 'failed', failure } });
    }
    copyStart(entered.participant, paper.paper);
    this.#announcements = new Announcements({
      loadMessages: () => loadMessages(participantId),
      onChange: (announcements) => this.#deps.update({ announcements }),
    });
    this.#deps.update({ paper: paper.paper, phase: { kind: 'running' } });
    this.#notify(this.#pendingNotices.splice(0));
    this.#run(entered.participant);
  }

  async #openSync(participantId: string): Promise<AnswerSync> {
    const on = {
      onNews: (news: SaveNews) => this.#receive(news),
      onNotices: (notices: AnswerNotice[]) => this.#notify(notices),
    };
    const { sync, store } = await openAnswers(participantId, on, this.#over.signal);
    this.#store = store;
    this.#sync = sync;
    this.#listen(sync);
    return sync;
  }

  /** Publishes answers and save state until this visit ends. */
  #listen(sync: AnswerSync): void {
    const { signal } = this.#over;
    let { values } = sync.getSnapshot();
    const stopListening = sync.subscribe(() => {
      const snapshot = sync.getSnapshot();
      this.#deps.update({ sync: snapshot });
      if (snapshot.values !== values) copyAnswers(snapshot.values);
      values = snapshot.values;
      if (this.#deps.read().phase.kind !== 'running') return;
      const { state } = snapshot;
      if (isStop(state)) this.#stop(state);
      else if (state.kind === 'closed') void this.end(NO_FEEDBACK, endOf(state));
    });
    signal.addEventListener('abort', stopListening);
  }

  #run(participant: OwnParticipant): void {
    keepInStep(
      {
        participantId: participant.id,
        monitorReport: () => this.#deps.context.monitorReport(),
        onNews: (news, tookMs) => this.#receive(news, tookMs),
        onStop: (stop) =>
          stop.kind === 'closed' ? void this.end(NO_FEEDBACK, endOf(stop)) : this.#stop(stop),
        onTick: () => {
          if (this.remainingMs() === 0) void this.end({ auto: true, feedback: null }, 'time');
        },
        onTimestampCheck: () => checkStart(participant),
      },
      this.#over.signal,
    );
  }

  /** Applies an update from heartbeat, stream or save; saves carry less. */
  #receive(news: SaveNews & Partial<AttemptNews>, tookMs?: number): void {
    const { violationCount, status, messageCount, watched, endsInMs } = news;
    void this.#sync?.confirm(this.#over.signal);
    // The time left of an ended attempt is 0, whatever the time taken.
    if (this.#clock !== null && status === 'in_progress') {
      const before = this.#clock;
      this.#clock = syncClock(before, news, performance.now(), tookMs);
      const moreMs = Date.parse(this.#clock.deadlineAt) - Date.parse(before.deadlineAt);
      if (moreMs > 0) this.#announcements?.extraTime(moreMs);
    }
    if (violationCount !== this.#deps.read().violationCount) this.#deps.update({ violationCount });
    if (watched !== undefined) this.#deps.context.onWatched(watched);
    if (endsInMs !== undefined) this.#announcements?.ending(endsInMs);
    if (messageCount !== undefined) this.#announcements?.setCount(messageCount);
    if (status !== 'in_progress') void this.end(NO_FEEDBACK, endOf(news));
  }

  /** Notices name question numbers, so they are deferred until the paper is loaded. */
  #notify(notices: AnswerNotice[]): void {
    if (this.#deps.read().paper.length === 0) this.#pendingNotices.push(...notices);
    else if (notices.length > 0) this.#deps.context.onNotices(notices);
  }

  #stop(stop: Exclude<Stop, { kind: 'closed' }>): void {
    // Stop the answers first: their state has the number of pending changes.
    this.#sync?.stop(stop);
    this.#over.abort();
    this.#deps.update({ phase: { kind: 'stopped', why: stop.kind } });
  }

  /**
   * Submits until the server acknowledges. The server's summary is authoritative: for an attempt already
   * closed, it describes that end.
   */
  async end(asked: EndRequest, by: EndedBy): Promise<void> {
    const { participant } = this.#deps.read();
    const sync = this.#sync;
    if (sync === null || participant === null || this.#ending) return;
    this.#ending = true;
    const { signal } = this.#over;
    const deadlineAt = this.#clock?.deadlineAt ?? asked.deadlineAt ?? null;
    const request = { ...asked, deadlineAt };
    this.#copies.before(participant, by);
    this.#deps.update({ phase: { kind: 'submitting', by, tries: 0 } });
    if (this.#clock !== null) await this.#storeEnd(participant.id, request);
    // The server accepts no reports after the end: wait for them, briefly.
    await atMost(this.#deps.context.reportsSettled(), REPORTS_TIMEOUT_MS);
    const submission = new Submission(sync, endpointTransport(participant.id));
    const on = { leaving: () => undefined, back: () => submission.retryNow() };
    watchPage({ window, document }, on, signal);
    const end = await submission.run(request, signal, (tries) => {
      if (tries === 1) logProblem('The submit failed; retrying');
      this.#deps.update({ phase: { kind: 'submitting', by, tries } });
    });
    if (end.kind === 'aborted') return;
    if (end.kind === 'time-left') {
      await this.#takeBack(participant.id);
      return signal.aborted ? undefined : this.#deps.again();
    }
    if (end.kind !== 'accepted') return this.#stop(end);
    // The thank-you page does not wait for the feedback (seed 4).
    const { feedback } = request;
    if (feedback !== null) {
      sendFeedback(participant.id, feedback).catch((cause) =>
        logProblem('The feedback could not be sent', cause),
      );
    }
    const { summary, receipt, lateCount } = end;
    this.#ended(end.participant, { kind: 'ended', summary, receipt, lateCount, by });
  }

  #ended(participant: OwnParticipant, phase: AttemptPhase & { kind: 'ended' }): void {
    this.#over.abort();
    this.#store?.close();
    const { summary, by } = phase;
    this.#copies.after(summary, by);
    const { violationCount } = summary;
    this.#deps.update({ participant, violationCount, phase });
  }
}

/** Whether this page has to stop although the attempt may continue. */
function isStop<T extends { kind: string }>(
  outcome: T,
): outcome is Extract<T, { kind: StoppedBy }> {
  return ['replaced', 'foreign', 'signed-out'].includes(outcome.kind);
}
