import type {
  AttemptNews,
  OwnParticipant,
  Summary,
} from '@invigil/core/contract/attempts/own-participant';
import type { AttemptStatus, SubmissionType } from '@invigil/core/domain/attempt';
import type { AnswerChange, AnswerValue } from './answer-sheet.ts';

/** Attempt state in every acknowledgement; heartbeat and stream carry more. */
export type SaveNews = Pick<AttemptNews, 'status' | 'remainingMs' | 'violationCount'>;

/** A row of the request that was refused. `index` counts from 0 in the sent order. */
export interface RefusedRow {
  index: number;
  reason: 'conflict' | 'refused';
  message: string;
}

/** Why the session or the attempt accepts no more saves. */
export type Stop =
  | { kind: 'replaced' }
  /** Another person signed in in this browser, or the attempt is no longer theirs. */
  | { kind: 'foreign' }
  | { kind: 'signed-out' }
  | { kind: 'closed'; status: AttemptStatus | null; submissionType: SubmissionType | null };

/** No usable answer this time: network, time-out, 429 or 5xx. `afterMs` is the server's Retry-After. */
export interface TryAgain {
  kind: 'try-again';
  afterMs: number | null;
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

/** Parameters of a submit. */
export interface EndRequest {
  /** The time ran out; no button was pressed. */
  auto: boolean;
  /** The deadline last received: a later extension prevents an automatic submit. */
  deadlineAt: string | null;
}

/** Submits the attempt: a set of saves plus one transition. Never throws. */
export interface SubmitTransport {
  submit(
    changes: readonly AnswerChange[],
    call: EndRequest & { signal: AbortSignal },
  ): Promise<SubmitOutcome>;
}
