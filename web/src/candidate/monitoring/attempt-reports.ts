import { reportViolation, type ViolationAnswer } from '@invigil/core/contract/attempts/violations';
import { retryDelayMs } from '../../answer-sync/back-off.ts';
import { stopOf } from '../../answer-sync/endpoint-transport.ts';
import { watchPage } from '../../answer-sync/page-events.ts';
import { logProblem } from '../../lib/problem-log.ts';
import { ApiError, callEndpoint, inTime, mayPass, retryAfterMsOf } from '../../net/api.ts';
import { type SendOutcome, ViolationOutbox } from '../../proctoring/evidence/violation-outbox.ts';
import {
  memoryViolationStore,
  openViolationStore,
  type StoredReport,
} from '../../proctoring/evidence/violation-store.ts';

export interface ReportsDeps {
  participantId: string;
  onAnswer(report: StoredReport, answer: ViolationAnswer): void;
  /** The server refused this report for good. */
  onRefused(report: StoredReport): void;
}

/** The unsent reports of an attempt, buffered until their store is open. */
export class AttemptReports {
  readonly #deps: ReportsDeps;
  readonly #over = new AbortController();
  #outbox: ViolationOutbox | null = null;
  #early: StoredReport[] = [];

  constructor(deps: ReportsDeps) {
    this.#deps = deps;
  }

  add(report: StoredReport): void {
    if (this.#outbox === null) this.#early.push(report);
    else this.#outbox.add(report);
  }

  async open(): Promise<void> {
    const { participantId, onAnswer, onRefused } = this.#deps;
    const onStoreFailure = (cause: unknown) =>
      logProblem('This browser cannot store reports: unsent ones are in memory only', cause);
    const store = await openViolationStore().catch((cause) => {
      onStoreFailure(cause);
      return memoryViolationStore();
    });
    const outbox = new ViolationOutbox({
      store,
      send,
      onAnswer,
      onRefused,
      retryDelayMs: (failures, afterMs) => retryDelayMs(failures, Math.random(), afterMs),
      wallNow: () => Date.now(),
      onStoreFailure,
    });
    if (this.#over.signal.aborted) return outbox.stop();
    this.#outbox = outbox;
    for (const report of this.#early.splice(0)) outbox.add(report);
    watchPage(
      { window, document },
      { leaving: () => undefined, back: () => outbox.retryNow() },
      this.#over.signal,
    );
    await outbox.resume(participantId);
  }

  /** Resolves once pending reports are sent or have failed. */
  async settled(): Promise<void> {
    await this.#outbox?.settled();
  }

  /** Stops sending; unacknowledged reports remain stored. */
  stop(): void {
    this.#over.abort();
    this.#outbox?.stop();
  }
}

/** One report over HTTP; outcomes are values. */
async function send(report: StoredReport, ageMs: number, over: AbortSignal): Promise<SendOutcome> {
  const { id, participantId, type, notes, durationMs, engine, unseen } = report;
  const body = {
    id,
    participantId,
    violationType: type,
    ageMs,
    notes,
    ...(durationMs === null ? {} : { durationMs: Math.round(durationMs) }),
    ...(engine === null ? {} : { engine }),
    ...(unseen === true ? { unseen } : {}),
  };
  try {
    const answer = await callEndpoint(reportViolation, { body, signal: inTime(over) });
    return { kind: 'answered', answer };
  } catch (error) {
    const stop = stopOf(error);
    if (stop !== null) return { kind: stop.kind === 'closed' ? 'over' : 'signed-out' };
    if (mayPass(error)) return { kind: 'try-again', afterMs: retryAfterMsOf(error) };
    // A 429 limits this type only.
    if (!(error instanceof ApiError) || error.status !== 429) {
      logProblem(`A report of ${type} was refused`, error);
    }
    return { kind: 'refused' };
  }
}
