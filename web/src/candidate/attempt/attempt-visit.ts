import type { AttemptNews, OwnParticipant } from '@invigil/core/contract/own-participant';
import type { AnswerNotice } from '../../answer-sync/answer-sheet.ts';
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
import { type AttemptClock, heardFromServer, remainingLeft, startClock } from './attempt-clock.ts';
import {
  type EnterOutcome,
  enter,
  loadPaperPatiently,
  type PaperOutcome,
} from './attempt-loading.ts';
import type {
  AttemptPhase,
  AttemptSnapshot,
  AttemptSurroundings,
  EndedBy,
  StoppedBy,
} from './attempt-state.ts';
import { EndCopies } from './end-copies.ts';
import { keepInStep } from './keep-in-step.ts';
import { checkStart, copyAnswers, copyStart } from './local-copies.ts';
import { endOf } from './summary-before.ts';

export interface VisitDeps {
  around: AttemptSurroundings;
  /** What the permissions screen has just been answered; not asked for a second time. */
  entered: (EnterOutcome & { kind: 'entered' }) | null;
  read(): AttemptSnapshot;
  update(change: Partial<AttemptSnapshot>): void;
  /** Where a dismissal would say that it happened. */
  fromPage(): string;
  /** The attempt continues after all: a new visit takes the place of this one. */
  again(): void;
}

/** How long an end lets the last reports go first, milliseconds: well inside the grace for answers. */
const REPORTS_TIMEOUT_MS = 2_000;

/** What a page asks of an end; what it knows of the deadline goes along by itself. */
type EndRequest = Pick<SubmissionRequest, 'auto' | 'feedback'> & Partial<SubmissionRequest>;

const NO_FEEDBACK: EndRequest = { auto: false, feedback: null };

/**
 * One tab's time with an attempt: loading it, keeping it saved and in step with the server's clock,
 * and ending it. It ends with `leave`, and a new one begins where it is needed again.
 */
export class AttemptVisit {
  readonly #deps: VisitDeps;
  readonly #over = new AbortController();
  #sync: AnswerSync | null = null;
  #store: ChangeStore | null = null;
  #clock: AttemptClock | null = null;
  #ending = false;
  readonly #unsaid: AnswerNotice[] = [];
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

  change(...change: Parameters<AnswerSync['change']>): void {
    if (this.#deps.read().phase.kind === 'running') this.#sync?.change(...change);
  }

  acknowledge(): void {
    this.#announcements?.acknowledge();
  }

  /** Everything ends here; what is not yet saved stays stored and is sent by the next visit. */
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
      running ? loadPaperPatiently(attempt.quizId, thisDevice().ios, signal) : null,
      running ? sync.resume(signal) : sync.resumeEnded().then(() => null),
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

  /** The end that was asked for here, by an earlier visit. */
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
    this.#say(this.#unsaid.splice(0));
    this.#run(entered.participant);
  }

  async #openSync(participantId: string): Promise<AnswerSync> {
    const on = {
      onNews: (news: SaveNews) => this.#heard(news),
      onNotices: (notices: AnswerNotice[]) => this.#say(notices),
    };
    const { sync, store } = await openAnswers(participantId, on, this.#over.signal);
    this.#store = store;
    this.#sync = sync;
    this.#listen(sync);
    return sync;
  }

  /** Answers and saving state become the page's own, until this visit ends. */
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
        monitorReport: () => this.#deps.around.monitorReport(),
        onNews: (news, tookMs) => this.#heard(news, tookMs),
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

  /** Heartbeat, stream and saves alike; the latter say less. */
  #heard(news: SaveNews & Partial<AttemptNews>, tookMs?: number): void {
    const { violationCount, status, messageCount, watched, endsInMs } = news;
    // An ended attempt has no time left, which says nothing about the time it took.
    if (this.#clock !== null && status === 'in_progress') {
      const before = this.#clock;
      this.#clock = heardFromServer(before, news, performance.now(), tookMs);
      const moreMs = Date.parse(this.#clock.deadlineAt) - Date.parse(before.deadlineAt);
      if (moreMs > 0) this.#announcements?.extraTime(moreMs);
    }
    if (violationCount !== this.#deps.read().violationCount) this.#deps.update({ violationCount });
    if (watched !== undefined) this.#deps.around.onWatched(watched);
    if (endsInMs !== undefined) this.#announcements?.ending(endsInMs);
    if (messageCount !== undefined) this.#announcements?.heardCount(messageCount);
    if (status !== 'in_progress') void this.end(NO_FEEDBACK, endOf(news));
  }

  /** Changes that were not taken, by the numbers of their questions: so only once there is a paper. */
  #say(notices: AnswerNotice[]): void {
    if (this.#deps.read().paper.length === 0) this.#unsaid.push(...notices);
    else if (notices.length > 0) this.#deps.around.onNotices(notices);
  }

  #stop(stop: Exclude<Stop, { kind: 'closed' }>): void {
    // First of all the answers, which then tell how many of them wait.
    this.#sync?.stop(stop);
    this.#over.abort();
    this.#deps.update({ phase: { kind: 'stopped', why: stop.kind } });
  }

  /**
   * Sends the end until the server has acknowledged it. The server's summary is the truth: an
   * attempt that it had closed before answers with what it became.
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
    // After the end no report is taken any more; it waits for them, but not for long.
    await atMost(this.#deps.around.reportsSettled(), REPORTS_TIMEOUT_MS);
    const submission = new Submission(sync, endpointTransport(participant.id));
    const on = { leaving: () => undefined, back: () => submission.retryNow() };
    watchPage({ window, document }, on, signal);
    const end = await submission.run(request, signal, (tries) => {
      if (tries === 1) logProblem('The end of the attempt did not get through; it is sent again');
      this.#deps.update({ phase: { kind: 'submitting', by, tries } });
    });
    if (end.kind === 'aborted') return;
    if (end.kind === 'time-left') {
      await this.#takeBack(participant.id);
      return signal.aborted ? undefined : this.#deps.again();
    }
    if (end.kind !== 'accepted') return this.#stop(end);
    // The thank-you does not wait for the feedback (seed 4); it goes out behind it.
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

/** Whether this page has to stop, although the attempt may continue. */
function isStop<T extends { kind: string }>(
  outcome: T,
): outcome is Extract<T, { kind: StoppedBy }> {
  return ['replaced', 'foreign', 'signed-out'].includes(outcome.kind);
}
