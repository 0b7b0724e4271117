import type { AttemptNews, OwnParticipant, Summary } from '@invigil/core/contract/own-participant';
import type { AttemptStatus, SubmissionType } from '@invigil/core/domain/attempt';
import type { AnswerChange, AnswerValue } from './answer-sheet.ts';

/** What every acknowledgement carries about the attempt itself; heartbeat and stream tell more. */
export type SaveNews = Pick<AttemptNews, 'status' | 'remainingMs' | 'violationCount'>;

/** A row of the request that was refused. `index` counts from 0 in the sent order. */
export interface RefusedRow {
  index: number;
  reason: 'conflict' | 'refused';
  message: string;
}

/** Why the session or the attempt takes nothing more. */
export type Stop =
  | { kind: 'replaced' }
  /** Someone else signed in within this browser, or the attempt is not theirs any more. */
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

export type LoadOutcome = { kind: 'loaded'; answers: AnswerChange[] } | TryAgain | Stop;

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
  /** Changes that came after the end: kept apart, never scored. */
  lateCount: number;
}

/** Time was given that this page had not heard of: an automatic end was not taken. */
export interface TimeLeft {
  kind: 'time-left';
}

export type SubmitOutcome = Accepted | TimeLeft | { kind: 'refused' } | TryAgain | Stop;

/** How the attempt is asked to end. */
export interface AskedEnd {
  /** The time ran out, no one pressed a button. */
  auto: boolean;
  /** The deadline as last heard, so that time given since stops an automatic end. */
  deadlineAt: string | null;
}

/** The end of the attempt: a set of saves plus one transition. Never throws. */
export interface SubmitTransport {
  submit(
    changes: readonly AnswerChange[],
    call: AskedEnd & { signal: AbortSignal },
  ): Promise<SubmitOutcome>;
}
