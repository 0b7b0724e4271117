import type { MonitorReport, OwnParticipant } from '@invigil/core/contract/own-participant';
import type { PaperQuestion } from '@invigil/core/contract/question-list';
import type { AnswerNotice } from '../../answer-sync/answer-sheet.ts';
import type { SyncSnapshot } from '../../answer-sync/answer-sync.ts';
import type { Accepted, Stop } from '../../answer-sync/answer-transport.ts';
import type { Announcement } from './announcements.ts';
import type { LoadFailure } from './attempt-loading.ts';

/** Who ended the attempt, as far as this page knows before the server has said it. */
export type EndedBy = 'candidate' | 'time' | 'server' | 'dismissal';

/** Why this page has stopped, although the attempt may continue. */
export type StoppedBy = Exclude<Stop['kind'], 'closed'>;

export type AttemptPhase =
  | { kind: 'idle' }
  | { kind: 'loading' }
  /** Another tab of this browser has the attempt; this one neither shows nor saves. */
  | { kind: 'elsewhere' }
  | { kind: 'failed'; failure: LoadFailure }
  | { kind: 'running' }
  /** The end is on its way. `tries` counts the ones without an answer. */
  | { kind: 'submitting'; by: EndedBy; tries: number }
  | ({ kind: 'ended'; by: EndedBy } & Pick<Accepted, 'summary' | 'receipt' | 'lateCount'>)
  | { kind: 'stopped'; why: StoppedBy };

/** Everything the screens of an attempt show. A new object after every change. */
export interface AttemptSnapshot {
  phase: AttemptPhase;
  participant: OwnParticipant | null;
  paper: readonly PaperQuestion[];
  sync: SyncSnapshot;
  violationCount: number;
  /** From administrators, not yet answered with OK. */
  announcements: readonly Announcement[];
}

export const NO_ATTEMPT: AttemptSnapshot = {
  phase: { kind: 'idle' },
  participant: null,
  paper: [],
  sync: { state: { kind: 'saved', at: null }, values: new Map(), durable: true },
  violationCount: 0,
  announcements: [],
};

/** What the attempt needs from the page around it. */
export interface AttemptSurroundings {
  /** The monitor's word, for the heartbeat; `undefined` while no one watches. */
  monitorReport(): MonitorReport | undefined;
  /** Changes the server did not take. */
  onNotices(notices: AnswerNotice[]): void;
  /** What was detected has been reported, or could not be: an end must not overtake it. */
  reportsSettled(): Promise<void>;
  /** An administrator looks at the camera picture, or no more. */
  onWatched(watched: boolean): void;
}
