import { reportViolation, type ViolationAnswer } from '@invigil/core/contract/attempts/violations';
import { VIOLATION_LIMITS } from '@invigil/core/domain/limits';
import { COUNTING_TYPES, FLAG_TYPES } from '@invigil/core/domain/violations/violation-types';
import type { DBSchema } from 'idb';
import { z } from 'zod';
import { openDatabase, withTimeout } from '../lib/database.ts';
import { logProblem } from '../lib/problem-log.ts';
import { ApiError, callEndpoint, mayPass, retryAfterMsOf } from '../net/api.ts';
import { RetryQueue, type TryAgain, watchPage } from '../net/retry.ts';
import { type Stop, stopOf } from '../net/stop.ts';

const ViolationReport = z.object({
  id: z.string(),
  participantId: z.string(),
  type: z.enum([...COUNTING_TYPES, ...FLAG_TYPES]),
  /** When it happened, milliseconds since 1970 by this device; only compared with the same clock. */
  wallAt: z.number(),
  durationMs: z.number().nullable(),
  notes: z.string().nullable(),
  engine: z.string().nullable(),
  /** The page could not show a warning. */
  unseen: z.boolean().optional(),
});

/** A detected event that the server has not acknowledged. */
export type ViolationReport = z.infer<typeof ViolationReport>;

interface Schema extends DBSchema {
  reports: { key: string; value: ViolationReport };
}

/** The database of reports; rejects if the browser has none. */
const openStore = () =>
  openDatabase<Schema>('invigil-violations', (created) => {
    created.createObjectStore('reports', { keyPath: 'id' });
  });
type Store = Awaited<ReturnType<typeof openStore>>;

type Outcome = { kind: 'answered'; answer: ViolationAnswer } | { kind: 'refused' } | Stop;

export interface ReportsDeps {
  participantId: string;
  onAnswer(report: ViolationReport, answer: ViolationAnswer): void;
  /** The server refused this report for good. */
  onRefused(report: ViolationReport): void;
}

/**
 * Reports of an attempt: stored first, then sent in order, one at a time, until each is answered. The id
 * is the idempotency key, so a resend counts once. The page never sends totals.
 */
export class ViolationReports {
  readonly #deps: ReportsDeps;
  readonly #over = new AbortController();
  readonly #queue: RetryQueue<ViolationReport, Outcome>;
  #store: Store | null = null;
  #isOpen = false;
  #pending: ViolationReport[] = [];

  constructor(deps: ReportsDeps) {
    this.#deps = deps;
    this.#queue = new RetryQueue({
      // The oldest one; none before those of an earlier visit are known.
      next: () => (this.#isOpen ? (this.#pending[0] ?? null) : null),
      send,
      settle: (report, outcome) => this.#settle(report, outcome),
    });
  }

  add(report: ViolationReport): void {
    if (this.#over.signal.aborted) return;
    this.#pending.push(report);
    this.#put(report);
    this.#queue.start();
  }

  /** Starts sending, with the reports of an earlier visit before newer ones. */
  async open(): Promise<void> {
    const store = await openStore().catch(cannotStore);
    const left = store === null ? [] : await load(store, this.#deps.participantId);
    if (this.#over.signal.aborted) return store?.close();
    this.#store = store;
    for (const report of this.#pending) this.#put(report);
    this.#pending = [...left, ...this.#pending];
    this.#isOpen = true;
    watchPage({ back: () => this.#queue.retryNow() }, this.#over.signal);
    this.#queue.start();
  }

  /**
   * Resolves once every pending report is answered or a try has failed, immediately if none is
   * pending. For requests that must not overtake the reports.
   */
  settled(): Promise<void> {
    this.#queue.retryNow();
    return this.#queue.idle();
  }

  /** Stops sending; unanswered reports remain stored for the next visit. */
  stop(): void {
    this.#over.abort();
    this.#queue.stop();
    this.#store?.close();
  }

  #settle(report: ViolationReport, outcome: Outcome | TryAgain): TryAgain | null {
    const { onAnswer, onRefused } = this.#deps;
    switch (outcome.kind) {
      case 'try-again':
        return outcome;
      case 'answered':
        this.#remove([report]);
        onAnswer(report, outcome.answer);
        return null;
      case 'refused':
      case 'closed': {
        const refused = outcome.kind === 'closed' ? this.#pending : [report];
        this.#remove(refused);
        for (const one of refused) onRefused(one);
        if (outcome.kind === 'closed') this.stop();
        return null;
      }
      default:
        // Remains stored: it is sent after the candidate signs in here again.
        this.stop();
        return null;
    }
  }

  #put(report: ViolationReport): void {
    this.#store?.put('reports', report).catch(cannotStore);
  }

  #remove(reports: readonly ViolationReport[]): void {
    this.#pending = this.#pending.filter((one) => !reports.includes(one));
    for (const { id } of reports) this.#store?.delete('reports', id).catch(cannotStore);
  }
}

function cannotStore(cause: unknown): null {
  logProblem('This browser cannot store reports: unsent ones are in memory only', cause);
  return null;
}

/** The stored reports of this attempt, oldest first; deletes what is too old or unreadable. */
async function load(store: Store, participantId: string): Promise<ViolationReport[]> {
  try {
    const reports: ViolationReport[] = [];
    for (const row of await withTimeout(store.getAll('reports'), 'reading stored reports')) {
      const read = ViolationReport.safeParse(row).data;
      const isOld = read === undefined || Date.now() - read.wallAt > VIOLATION_LIMITS.ageMaxMs;
      if (isOld) await store.delete('reports', row.id);
      else if (read.participantId === participantId) reports.push(read);
    }
    return reports.sort((a, b) => a.wallAt - b.wallAt);
  } catch (cause) {
    cannotStore(cause);
    return [];
  }
}

/** One report over HTTP; outcomes are values. */
async function send(report: ViolationReport, signal: AbortSignal): Promise<Outcome | TryAgain> {
  const { id, participantId, type, wallAt, notes, durationMs, engine, unseen } = report;
  // Clamped: the device clock may have been set back or forward.
  const age = Math.round(Date.now() - wallAt);
  const body = {
    id,
    participantId,
    violationType: type,
    ageMs: Math.min(VIOLATION_LIMITS.ageMaxMs, Math.max(0, age)),
    notes,
    ...(durationMs === null ? {} : { durationMs: Math.round(durationMs) }),
    ...(engine === null ? {} : { engine }),
    ...(unseen === true ? { unseen } : {}),
  };
  try {
    return { kind: 'answered', answer: await callEndpoint(reportViolation, { body, signal }) };
  } catch (error) {
    const stop = stopOf(error);
    if (stop !== null) return stop;
    if (mayPass(error)) return { kind: 'try-again', afterMs: retryAfterMsOf(error) };
    // A 429 limits this type only.
    if (!(error instanceof ApiError) || error.status !== 429) {
      logProblem(`A report of ${type} was refused`, error);
    }
    return { kind: 'refused' };
  }
}
