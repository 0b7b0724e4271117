import type { PaperQuestion } from '@invigil/core/contract/assessments/question-list';
import type {
  Message,
  MonitorReport,
  OwnParticipant,
} from '@invigil/core/contract/attempts/own-participant';
import type { AnswerNotice } from '../../answer-sync/answer-sheet.ts';
import type { SyncSnapshot } from '../../answer-sync/answer-sync.ts';
import type { Accepted } from '../../answer-sync/answer-transport.ts';
import type { SessionStop } from '../../net/stop.ts';
import type { Announcement } from './announcements.ts';
import type { LoadFailure } from './attempt-loading.ts';

/** The cause of the end, as known to this page before the server's response. */
export type EndedBy = 'candidate' | 'time' | 'server' | 'dismissal';

export type AttemptPhase =
  | { kind: 'idle' }
  | { kind: 'loading' }
  /** Another tab of this browser has the attempt; this one neither shows it nor saves. */
  | { kind: 'elsewhere' }
  | { kind: 'failed'; failure: LoadFailure }
  | { kind: 'running' }
  /** The clock stands still and the questions are covered; see `PausedClock`. */
  | { kind: 'paused'; reason: string | null; isOpen: boolean }
  /** The submit is in progress. `tries` counts those without a response. */
  | { kind: 'submitting'; by: EndedBy; tries: number }
  | ({ kind: 'ended'; by: EndedBy } & Pick<Accepted, 'summary' | 'receipt' | 'lateCount'>)
  | { kind: 'stopped'; why: SessionStop['kind'] };

/** The candidate's call for somebody, which a message answers. */
export interface RaisedHand {
  isUp: boolean;
  /** A press is on its way to the server. */
  isSending: boolean;
  /** The last press did not reach the server. */
  hasFailed: boolean;
}

/** State of the attempt for its screens. A new object after every change. */
export interface AttemptSnapshot {
  phase: AttemptPhase;
  participant: OwnParticipant | null;
  paper: readonly PaperQuestion[];
  sync: SyncSnapshot;
  violationCount: number;
  announcements: readonly Announcement[];
  /** All messages from administrators, oldest first. */
  messages: readonly Message[];
  hand: RaisedHand;
}

export const NO_ATTEMPT: AttemptSnapshot = {
  phase: { kind: 'idle' },
  participant: null,
  paper: [],
  sync: { state: { kind: 'saved', at: null }, values: new Map(), durable: true },
  violationCount: 0,
  announcements: [],
  messages: [],
  hand: { isUp: false, isSending: false, hasFailed: false },
};

export interface AttemptContext {
  monitoring: {
    /** The monitor's report for the heartbeat; `undefined` while monitoring is not running. */
    report(): MonitorReport | undefined;
    /** Resolves once reports are sent or have failed: a submit must not overtake them. */
    reportsSettled(): Promise<void>;
    /** An administrator starts or stops viewing the camera picture. */
    setWatched(isWatched: boolean): void;
  };
  onNotices(notices: AnswerNotice[]): void;
  onPhase(phase: AttemptPhase): void;
}
