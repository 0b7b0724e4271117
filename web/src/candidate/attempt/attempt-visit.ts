import type {
  AttemptNews,
  OwnParticipant,
  PausedClock,
} from '@invigil/core/contract/attempts/own-participant';
import { t } from '@invigil/core/texts/i18n';
import type { AnswerNotice } from '../../answer-sync/answer-sheet.ts';
import { type AnswerSync, openAnswers } from '../../answer-sync/answer-sync.ts';
import {
  endpointTransport,
  type LoadOutcome,
  type SaveNews,
} from '../../answer-sync/answer-transport.ts';
import type { EndRequest } from '../../answer-sync/change-store.ts';
import { Submission } from '../../answer-sync/submission.ts';
import { logProblem } from '../../lib/problem-log.ts';
import { atMost } from '../../lib/timeout.ts';
import { watchPage } from '../../net/retry.ts';
import { isSessionStop, type SessionStop, type Stop, stopOf } from '../../net/stop.ts';
import { Announcements } from './announcements.ts';
import { loadMessages, sendBreak, sendFeedback, sendHand } from './api.ts';
import {
  type AttemptClock,
  extension,
  isStopped,
  remainingLeft,
  startClock,
  syncClock,
} from './attempt-clock.ts';
import { type EnterOutcome, enter, getPaper } from './attempt-loading.ts';
import type { AttemptContext, AttemptSnapshot, EndedBy } from './attempt-state.ts';
import { FocusTime } from './focus-time.ts';
import { keepInStep } from './keep-in-step.ts';
import {
  checkStart,
  copyAnswers,
  copyEnd,
  copyEndBefore,
  copyStart,
  endOf,
  type SeenAttempt,
} from './local-copies.ts';

export interface VisitDeps {
  context: AttemptContext;
  /** The response to the start on the permissions screen, so that it is not requested twice. */
  entered: (EnterOutcome & { kind: 'entered' }) | null;
  read(): AttemptSnapshot;
  update(change: Partial<AttemptSnapshot>): void;
  fromPage(): string;
  /** The place on the paper, from 0, of the question on the screen. */
  shown(): number | null;
  /** The attempt continues after all: a new visit replaces this one. */
  again(): void;
}

/** How long a submit waits for the last reports, milliseconds: well within the grace period. */
const REPORTS_TIMEOUT_MS = 2_000;

const unreachable = () =>
  t('halted.unreachable', 'The server cannot be reached. Check your connection and try again.');

const CONFIRM_EVERY_MS = 60_000;

/**
 * An attempt open in one tab: loads it, saves answers, synchronizes with the server's clock, and
 * submits it. It ends with `leave`.
 */
export class AttemptVisit {
  readonly #deps: VisitDeps;
  readonly #over = new AbortController();
  #sync: AnswerSync | null = null;
  #clock: AttemptClock | null = null;
  #ending = false;
  /**
   * The server knows nothing of this page yet: it was opened without a connection. When to tell it, by the
   * monotonic clock; `null`: it knows.
   */
  #confirmAt: number | null = null;
  readonly #pendingNotices: AnswerNotice[] = [];
  #announcements: Announcements | null = null;
  /** When the server last answered a press of the hand: what was asked before that is older. */
  #handAt = 0;
  readonly #focus = new FocusTime();

  constructor(deps: VisitDeps) {
    this.#deps = deps;
  }

  remainingMs(): number | null {
    return this.#clock === null ? null : remainingLeft(this.#clock, performance.now());
  }

  /** Milliseconds until the clock goes on by itself; 0: it runs. */
  pausedLeftMs(): number {
    return Math.max(0, (this.#clock?.pausedUntil ?? 0) - performance.now());
  }

  get totalMs(): number {
    return this.#clock?.totalMs ?? 1;
  }

  /** The answers of this attempt; `null` before they are opened. */
  get answers(): AnswerSync | null {
    return this.#sync;
  }

  acknowledge(id: string): void {
    this.#announcements?.acknowledge(id);
  }

  /** Raises the hand, or puts it down. What fails is said, and left to the next press. */
  async askForHelp(handUp: boolean): Promise<void> {
    const { read, update } = this.#deps;
    const { participant, hand } = read();
    if (participant === null || hand.isSending) return;
    update({ hand: { ...hand, isSending: true, hasFailed: false } });
    try {
      const { handUp: isUp } = await sendHand(participant.id, handUp, this.#over.signal);
      this.#handAt = performance.now();
      update({ hand: { isUp, isSending: false, hasFailed: false } });
    } catch (cause) {
      update({ hand: { ...hand, isSending: false, hasFailed: true } });
      logProblem('The hand could not be raised or put down', cause);
      const stop = stopOf(cause);
      if (stop !== null && !this.#over.signal.aborted) this.#stopOrEnd(stop);
    }
  }

  /** Begins a break or ends it. Throws what the caller shows. */
  async takeBreak(onBreak: boolean): Promise<void> {
    const { participant } = this.#deps.read();
    if (participant === null) return;
    const changed = await sendBreak(participant.id, onBreak, this.#over.signal);
    const { breaks: _, ...others } = participant;
    const { breaks } = changed;
    this.#deps.update({ participant: { ...others, ...(breaks ? { breaks } : {}) } });
    if (this.#clock !== null) this.#clock = syncClock(this.#clock, changed, performance.now(), 0);
    this.#pauseOrGoOn(changed.pause);
  }

  /** Covers the questions while the clock stands still, and uncovers them when it runs. */
  #pauseOrGoOn(pause?: PausedClock): void {
    const { phase } = this.#deps.read();
    if (phase.kind !== 'running' && phase.kind !== 'paused') return;
    const isPaused = this.#clock !== null && isStopped(this.#clock, performance.now());
    if (!isPaused && phase.kind === 'paused') this.#deps.update({ phase: { kind: 'running' } });
    if (!isPaused || pause === undefined) return;
    const { reason, isOpen = false } = pause;
    const isSame = phase.kind === 'paused' && phase.reason === reason && phase.isOpen === isOpen;
    if (!isSame) this.#deps.update({ phase: { kind: 'paused', reason, isOpen } });
  }

  /** Heartbeat and stream carry the hand. */
  #receiveHand(isUp: boolean, tookMs = 0): void {
    const { hand } = this.#deps.read();
    const isOlder = hand.isSending || performance.now() - tookMs < this.#handAt;
    if (!isOlder && isUp !== hand.isUp) {
      this.#deps.update({ hand: { isUp, isSending: false, hasFailed: false } });
    }
  }

  /** Ends the visit; unsaved changes remain stored for the next one. */
  leave(): void {
    if (this.#over.signal.aborted) return;
    this.#sync?.flushForGood();
    this.#over.abort();
  }

  async begin(attempt: OwnParticipant): Promise<void> {
    const { signal } = this.#over;
    const { update } = this.#deps;
    const running = attempt.status === 'in_progress';
    const sync = await this.#openSync(attempt.id);
    // An attempt that has just begun here has no answers.
    const { questions = [] } = this.#deps.entered ?? {};
    const [entered, paper, answers, asked] = await Promise.all([
      running ? (this.#deps.entered ?? enter(attempt.quizId, { resumes: attempt.id })) : null,
      running ? getPaper(attempt.quizId, questions, signal) : null,
      running ? sync.resume(signal, questions.length > 0) : sync.resumeEnded().then(() => null),
      sync.storedEnd(),
    ]);
    if (signal.aborted) return;
    if (entered?.kind === 'entered') {
      const { participant, receivedAt } = entered;
      if (entered.isCopy) this.#confirmAt = receivedAt;
      this.#clock = startClock(participant, receivedAt);
      update({ participant, violationCount: participant.violationCount });
    }
    const outcomes = [entered, paper, answers].filter((outcome) => outcome !== null);
    const stop = outcomes.find(isSessionStop);
    if (stop) return this.#stop(stop);
    const isExtended = entered?.kind === 'entered' && entered.participant.remainingMs > 0;
    const isWithdrawn = asked?.auto ? isExtended : asked && hasNewer(answers, asked.known);
    if (isWithdrawn) await sync.removeEnd();
    else if (asked) return this.end(asked, asked.auto ? 'time' : 'candidate');
    const closed = outcomes.find((outcome) => outcome.kind === 'closed');
    if (closed || !running) return this.end({}, endOf(closed ?? attempt));
    const failed = outcomes.find((outcome) => outcome.kind === 'failed');
    if (failed) return update({ phase: { kind: 'failed', failure: failed.failure } });
    if (answers?.kind !== 'loaded' || paper?.kind !== 'paper' || entered?.kind !== 'entered') {
      return update({
        phase: { kind: 'failed', failure: { kind: 'questions', message: unreachable() } },
      });
    }
    this.#run(entered.participant, paper.paper);
  }

  async #openSync(participantId: string): Promise<AnswerSync> {
    const on = {
      onNews: (news: SaveNews) => this.#receive(news),
      onNotices: (notices: AnswerNotice[]) => this.#notify(notices),
    };
    this.#sync = await openAnswers(participantId, on, this.#over.signal);
    this.#listen(this.#sync);
    return this.#sync;
  }

  #listen(sync: AnswerSync): void {
    const { signal } = this.#over;
    let { values } = sync.getSnapshot();
    const stopListening = sync.subscribe(() => {
      const snapshot = sync.getSnapshot();
      this.#deps.update({ sync: snapshot });
      if (snapshot.values !== values) copyAnswers(snapshot.values);
      values = snapshot.values;
      if (!['running', 'paused'].includes(this.#deps.read().phase.kind)) return;
      this.#stopOrEnd(snapshot.state);
    });
    signal.addEventListener('abort', stopListening);
  }

  #run(participant: OwnParticipant, paper: AttemptSnapshot['paper']): void {
    const { context, update } = this.#deps;
    copyStart(participant, paper);
    this.#announcements = new Announcements({
      loadMessages: () => loadMessages(participant.id),
      onChange: (announcements, messages) => update({ announcements, messages }),
    });
    update({ paper, phase: { kind: 'running' } });
    this.#pauseOrGoOn(participant.pause);
    this.#notify(this.#pendingNotices.splice(0));
    keepInStep(
      {
        participantId: participant.id,
        monitorReport: () => context.monitoring.report(),
        focused: () => this.#focus.seconds,
        onNews: (news, tookMs) => this.#receive(news, tookMs),
        onStop: (stop) => this.#stopOrEnd(stop),
        onTick: () => {
          this.#focus.look(this.#deps.shown());
          this.#pauseOrGoOn();
          if (this.remainingMs() === 0) void this.end({ auto: true }, 'time');
        },
        onTimestampCheck: () => checkStart(participant),
      },
      this.#over.signal,
    );
  }

  /** Applies an update from heartbeat, stream or save; saves carry less. */
  #receive(news: SaveNews & Partial<AttemptNews>, tookMs = news.tookMs): void {
    const { violationCount, status, messageCount, watched, endsInMs } = news;
    void this.#sync?.confirm(this.#over.signal);
    if (status === 'in_progress') void this.#confirmStart();
    // The time left of an ended attempt is 0, whatever the time taken.
    if (this.#clock !== null && status === 'in_progress') {
      const before = this.#clock;
      this.#clock = syncClock(before, news, performance.now(), tookMs);
      const moreMs = extension(before, this.#clock);
      if (moreMs > 0) this.#announcements?.extraTime(moreMs);
      this.#pauseOrGoOn(news.pause);
    }
    if (violationCount !== this.#deps.read().violationCount) this.#deps.update({ violationCount });
    if (watched !== undefined) this.#deps.context.monitoring.setWatched(watched);
    if (endsInMs !== undefined) this.#announcements?.ending(endsInMs);
    if (messageCount !== undefined) {
      this.#announcements?.setCount(messageCount);
      this.#receiveHand(news.handUp === true, tookMs);
    }
    if (status !== 'in_progress') void this.end({}, endOf(news));
  }

  /**
   * The server answers again: a start that came from a copy is repeated. Otherwise this page's checks, which
   * begin at 0, would be below those of the page before, as if no picture were checked.
   */
  async #confirmStart(): Promise<void> {
    const { participant } = this.#deps.read();
    const isDue = this.#confirmAt !== null && performance.now() >= this.#confirmAt;
    if (!isDue || participant === null) return;
    // Once a minute at most: each is recorded as a return, also where its reply comes too late.
    this.#confirmAt = performance.now() + CONFIRM_EVERY_MS;
    const outcome = await enter(participant.quizId, { resumes: participant.id });
    const isUnknown = outcome.kind === 'failed' || (outcome.kind === 'entered' && outcome.isCopy);
    if (!isUnknown) this.#confirmAt = null;
  }

  /** Notices name question numbers, so they are deferred until the paper is loaded. */
  #notify(notices: AnswerNotice[]): void {
    if (this.#deps.read().paper.length === 0) this.#pendingNotices.push(...notices);
    else if (notices.length > 0) this.#deps.context.onNotices(notices);
  }

  #stopOrEnd(outcome: { kind: string } | Stop): void {
    if (isSessionStop(outcome)) this.#stop(outcome);
    else if ('status' in outcome) void this.end({}, endOf(outcome));
  }

  #stop(stop: SessionStop): void {
    // Stop the answers first: their state has the number of pending changes.
    this.#sync?.stop(stop);
    this.#over.abort();
    this.#deps.update({ phase: { kind: 'stopped', why: stop.kind } });
  }

  /**
   * Submits until the server acknowledges. The server's summary is authoritative: for an attempt already
   * closed, it describes that end.
   */
  async end(
    {
      auto = false,
      feedback = null,
      deadlineAt = null,
      known = this.#sync?.revisions ?? null,
    }: Partial<EndRequest>,
    by: EndedBy,
  ): Promise<void> {
    const { context, read, update } = this.#deps;
    const { participant } = read();
    const sync = this.#sync;
    if (sync === null || participant === null || this.#ending) return;
    this.#ending = true;
    const { signal } = this.#over;
    const request = { auto, feedback, deadlineAt: this.#clock?.deadlineAt ?? deadlineAt, known };
    copyEndBefore(participant, by, this.#seen());
    update({ phase: { kind: 'submitting', by, tries: 0 } });
    if (this.#clock !== null) await sync.storeEnd(request);
    // The server accepts no reports after the end: wait for them, briefly.
    await atMost(context.monitoring.reportsSettled(), REPORTS_TIMEOUT_MS);
    const submission = new Submission(sync, endpointTransport(participant.id, this.#focus.seconds));
    watchPage({ back: () => submission.retryNow() }, signal);
    const end = await submission.run(request, signal, (tries) => {
      if (tries === 1) logProblem('The submit failed; retrying');
      update({ phase: { kind: 'submitting', by, tries } });
    });
    if (end.kind === 'aborted') return;
    if (end.kind === 'time-left') {
      await sync.removeEnd();
      return signal.aborted ? undefined : this.#deps.again();
    }
    if (end.kind !== 'accepted') {
      // It goes on elsewhere, so a later visit must not end it.
      if (end.kind === 'replaced') await sync.removeEnd();
      return this.#stop(end);
    }
    // The thank-you page does not wait for the feedback (specification 4).
    if (feedback !== null) {
      sendFeedback(participant.id, feedback).catch((cause) =>
        logProblem('The feedback could not be sent', cause),
      );
    }
    this.#over.abort();
    sync.close();
    const { summary, receipt, lateCount } = end;
    copyEnd(summary, by, this.#seen());
    const { violationCount } = summary;
    const phase = { kind: 'ended', summary, receipt, lateCount, by } as const;
    update({ participant: end.participant, violationCount, phase });
  }

  #seen(): SeenAttempt {
    const { sync, violationCount } = this.#deps.read();
    const passedMs = this.#clock === null ? null : this.totalMs - (this.remainingMs() ?? 0);
    return { passedMs, values: sync.values, violationCount, fromPage: this.#deps.fromPage() };
  }
}

/** Whether the attempt went on elsewhere after a submit that this device has not sent yet. */
function hasNewer(loaded: LoadOutcome | null, known: EndRequest['known']): boolean {
  if (loaded?.kind !== 'loaded' || known === null) return false;
  return loaded.answers.some(({ questionId, revision }) => revision > (known[questionId] ?? 0));
}
