import {
  listAnswers,
  saveAnswers,
  submitParticipant,
} from '@invigil/core/contract/attempts/answers';
import { AttemptStatus, SubmissionType } from '@invigil/core/contract/attempts/own-participant';
import { ApiError, callEndpoint, callEndpointWithHeaders, retryAfterMsOf } from '../net/api.ts';
import type {
  AnswerTransport,
  RefusedRow,
  Stop,
  SubmitTransport,
  TryAgain,
} from './answer-transport.ts';
import { wireRow } from './request-batch.ts';

/** The answer path over HTTP, for one attempt. */
export function endpointTransport(participantId: string): AnswerTransport & SubmitTransport {
  const params = { id: participantId };
  return {
    async save(changes, { signal, keepalive }) {
      try {
        const body = { answers: changes.map(wireRow) };
        const reply = await callEndpoint(saveAnswers, { params, body, signal, keepalive });
        const { saved, stale = [], status, remainingMs, violationCount } = reply;
        return { kind: 'saved', saved, stale, news: { status, remainingMs, violationCount } };
      } catch (error) {
        return saveFailure(error);
      }
    },

    async load({ signal }) {
      try {
        const { body, headers } = await callEndpointWithHeaders(listAnswers, { params, signal });
        const isCopy = headers.has('x-offline-copy');
        return { kind: 'loaded', answers: body.map(wireRow), ...(isCopy ? { isCopy } : {}) };
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
        const body = { answers, participant };
        const call = { params, body, signal };
        const { body: end, headers } = await callEndpointWithHeaders(submitParticipant, call);
        return { kind: 'accepted', ...end, lateCount: lateCountIn(headers) };
      } catch (error) {
        if (error instanceof ApiError && error.code === 'TIME_LEFT') return { kind: 'time-left' };
        const failure = saveFailure(error);
        // The normal path finds the refused row (submission.ts).
        return failure.kind === 'too-large' || failure.kind === 'refused'
          ? { kind: 'refused' }
          : failure;
      }
    },
  };
}

/** In a header, because the body is the same for every call. */
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

/**
 * The refusals after which nothing more can be sent, or `null`. A 401 from a captive portal or a
 * proxy is not one of them.
 *
 * NOT_FOUND without issues and FORBIDDEN mean that another person signed in in this browser. Pending
 * changes remain stored until the candidate signs in again.
 */
export function stopOf(error: unknown): Stop | null {
  if (!(error instanceof ApiError)) return null;
  if (error.code === 'SESSION_REPLACED') return { kind: 'replaced' };
  const isUnknown = error.code === 'NOT_FOUND' && error.issues.length === 0;
  if (error.code === 'FORBIDDEN' || isUnknown) return { kind: 'foreign' };
  if (error.code === 'ATTEMPT_CLOSED') {
    const status = AttemptStatus.safeParse(error.details.status);
    const submissionType = SubmissionType.safeParse(error.details.submissionType);
    return {
      kind: 'closed',
      status: status.success ? status.data : null,
      submissionType: submissionType.success ? submissionType.data : null,
    };
  }
  return error.isOurs && error.status === 401 ? { kind: 'signed-out' } : null;
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
