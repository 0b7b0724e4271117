import {
  listAnswers,
  saveAnswers,
  submitParticipant,
} from '@invigil/core/contract/attempts/answers';
import type {
  AttemptNews,
  OwnParticipant,
  Summary,
} from '@invigil/core/contract/attempts/own-participant';
import {
  ApiError,
  callEndpoint,
  callEndpointWithHeaders,
  hasCode,
  retryAfterMsOf,
} from '../net/api.ts';
import type { TryAgain } from '../net/retry.ts';
import { type Stop, stopOf } from '../net/stop.ts';
import type { AnswerChange, AnswerValue } from './answer-sheet.ts';
import type { EndRequest } from './change-store.ts';

/** Attempt state in every acknowledgement; heartbeat and stream carry more. */
export type SaveNews = Pick<AttemptNews, 'status' | 'remainingMs' | 'violationCount'> & {
  /** Milliseconds from the request to the reply. */
  tookMs?: number;
};

/** A row of the request that was refused. `index` counts from 0 in the sent order. */
export interface RefusedRow {
  index: number;
  reason: 'conflict' | 'refused';
  message: string;
}

export type SaveOutcome =
  | {
      kind: 'saved';
      saved: { questionId: string; revision: number }[];
      stale: (AnswerValue & { questionId: string; revision: number })[];
      news: SaveNews;
    }
  /** Nothing was written. `rows` is empty when the server did not name the rows. */
  | { kind: 'refused'; rows: RefusedRow[]; message: string }
  | { kind: 'too-large' }
  | TryAgain
  | Stop;

/** `isCopy`: without a connection, from the copies on this device; the server may have newer ones. */
export type LoadOutcome =
  | { kind: 'loaded'; answers: AnswerChange[]; isCopy?: boolean }
  | TryAgain
  | Stop;

/** The two calls of the answer path. Outcomes are values; an implementation never throws. */
export interface AnswerTransport {
  save(
    changes: readonly AnswerChange[],
    call: { signal: AbortSignal; keepalive: boolean },
  ): Promise<SaveOutcome>;
  load(call: { signal: AbortSignal }): Promise<LoadOutcome>;
}

export interface Accepted {
  kind: 'accepted';
  participant: OwnParticipant;
  summary: Summary;
  /** `signed` is the receipt itself. */
  receipt: { id: string; signed: string };
  /** Changes received after the end: stored separately, never scored. */
  lateCount: number;
}

/** The attempt was extended without this page knowing: the automatic submit was refused. */
export interface TimeLeft {
  kind: 'time-left';
}

export type SubmitOutcome = Accepted | TimeLeft | { kind: 'refused' } | TryAgain | Stop;

/** Submits the attempt: a set of saves plus one transition. Never throws. */
export interface SubmitTransport {
  submit(
    changes: readonly AnswerChange[],
    call: Pick<EndRequest, 'auto' | 'deadlineAt'> & { signal: AbortSignal },
  ): Promise<SubmitOutcome>;
}

/**
 * The answer path over HTTP, for one attempt.
 *
 * @param focused what a submit says of the seconds in which each question was in view
 */
export function endpointTransport(
  participantId: string,
  focused?: number[],
): AnswerTransport & SubmitTransport {
  const params = { id: participantId };
  return {
    async save(changes, { signal, keepalive }) {
      const sentAt = performance.now();
      try {
        const body = { answers: changes.map(wireRow) };
        const reply = await callEndpoint(saveAnswers, { params, body, signal, keepalive });
        const { saved, stale = [], status, remainingMs, violationCount } = reply;
        const tookMs = performance.now() - sentAt;
        const news = { status, remainingMs, violationCount, tookMs };
        return { kind: 'saved', saved, stale: stale.map(fromWire), news };
      } catch (error) {
        return saveFailure(error);
      }
    },

    async load({ signal }) {
      try {
        const { body, headers } = await callEndpointWithHeaders(listAnswers, { params, signal });
        const isCopy = headers.has('x-offline-copy');
        return { kind: 'loaded', answers: body.map(fromWire), ...(isCopy ? { isCopy } : {}) };
      } catch (error) {
        return stopOf(error) ?? tryAgain(error);
      }
    },

    async submit(changes, { signal, auto, deadlineAt }) {
      try {
        const answers = changes.map((change) => ({ participantId, ...wireRow(change) }));
        const participant = {
          submissionType: auto ? ('auto' as const) : ('manual' as const),
          ...(deadlineAt === null ? {} : { deadlineAt }),
        };
        const body = { answers, participant, focused };
        const call = { params, body, signal };
        const { body: end, headers } = await callEndpointWithHeaders(submitParticipant, call);
        return { kind: 'accepted', ...end, lateCount: lateCountIn(headers) };
      } catch (error) {
        if (hasCode(error, 'TIME_LEFT')) return { kind: 'time-left' };
        const failure = saveFailure(error);
        // The normal path finds the refused row (submission.ts).
        return failure.kind === 'too-large' || failure.kind === 'refused'
          ? { kind: 'refused' }
          : failure;
      }
    },
  };
}

/** The number of late answers, which is in a header because the body is the same for every call. */
function lateCountIn(headers: Headers): number {
  const count = Number(headers.get('x-late-answers') ?? 0);
  return Number.isInteger(count) && count > 0 ? count : 0;
}

/** The outcome of a failed save for its rows. Exported for its tests. */
export function saveFailure(error: unknown) {
  const stop = stopOf(error);
  if (stop !== null) return stop;
  if (error instanceof ApiError) {
    if (error.status === 413) return { kind: 'too-large' } as const;
    // A proxy's response says nothing about the rows, whatever its status.
    if (error.isOurs && [400, 404, 409].includes(error.status)) {
      return { kind: 'refused', rows: refusedRows(error), message: error.sentence } as const;
    }
  }
  return tryAgain(error);
}

/** Anything else is temporary: no network, a proxy, a restart, 429, 503. */
function tryAgain(error: unknown): TryAgain {
  return { kind: 'try-again', afterMs: retryAfterMsOf(error) };
}

/** The rows named in the `issues` of a refusal: `answers.3`, `answers.3.selectedOption`. */
export function refusedRows(error: ApiError): RefusedRow[] {
  const rows = new Map<number, RefusedRow>();
  for (const { path, message } of error.issues) {
    const index = Number(/^answers\.(\d+)(\.|$)/.exec(path)?.[1] ?? Number.NaN);
    if (Number.isNaN(index) || rows.has(index)) continue;
    rows.set(index, {
      index,
      reason: error.code === 'REVISION_CONFLICT' ? 'conflict' : 'refused',
      message,
    });
  }
  return [...rows.values()];
}

/** Only the fields of the contract. */
export function wireRow({ questionId, answer, isFlagged, revision }: AnswerChange) {
  return { questionId, selectedOption: answer, isFlagged, revision };
}

function fromWire(row: ReturnType<typeof wireRow>): AnswerChange {
  const { questionId, selectedOption, isFlagged, revision } = row;
  return { questionId, answer: selectedOption, isFlagged, revision };
}
