import { listAnswers, saveAnswers, submitParticipant } from '@invigil/core/contract/answers';
import { AttemptStatus, SubmissionType } from '@invigil/core/contract/own-participant';
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
        const answers = await callEndpoint(listAnswers, { params, signal });
        return { kind: 'loaded', answers: answers.map(wireRow) };
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
        // Whatever row it was, the normal path finds it (submission.ts).
        return failure.kind === 'too-large' || failure.kind === 'refused'
          ? { kind: 'refused' }
          : failure;
      }
    },
  };
}

/** Told beside the body, which is the same at every call. */
function lateCountIn(headers: Headers): number {
  const count = Number(headers.get('x-late-answers') ?? 0);
  return Number.isInteger(count) && count > 0 ? count : 0;
}

/** What a failed save means for its rows. Exported for its table of cases. */
export function saveFailure(error: unknown) {
  const stop = stopOf(error);
  if (stop !== null) return stop;
  if (error instanceof ApiError) {
    if (error.status === 413) return { kind: 'too-large' } as const;
    // A page of a proxy says nothing about the rows, whatever its status.
    if (error.isOurs && [400, 404, 409].includes(error.status)) {
      return { kind: 'refused', rows: refusedRows(error), message: error.sentence } as const;
    }
  }
  return tryAgain(error);
}

/**
 * The refusals after which nothing more can be sent, or `null`. A 401 that is not our server's (a
 * captive portal, a proxy that wants a password) ends nothing.
 *
 * An attempt that is there for no one, or for another kind of user, is someone else's: another person
 * signed in within this browser. What waits here stays stored until the right one is back.
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

/** Anything else may pass: no network, a proxy, a restart, 429, 503. */
function tryAgain(error: unknown): TryAgain {
  return { kind: 'try-again', afterMs: retryAfterMsOf(error) };
}

/** The rows that the `issues` of a refusal name: `answers.3`, `answers.3.selectedOption`. */
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
