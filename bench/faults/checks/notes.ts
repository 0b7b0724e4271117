/** A time when the service was unreachable; milliseconds since 1970. */
export interface Outage {
  from: number;
  to: number;
}

export interface Notes {
  outages: Outage[];
  /** Milliseconds until a server was ready again, for each that ended. */
  readyMs: number[];
  kills: number;
  /** How often sending may have been interrupted between delivery and its record. */
  cuts: number;
  /** Invitations whose transaction was aborted before its commit. */
  brokenInvitations: number;
  disks: DiskNote[];
  clocks: ClockNote[];
  /** When each standby was promoted; a time of the history. */
  promotions: number[];
}

/** The reply to a single request. */
export interface SingleReply {
  status: number | null;
  code: string;
  retryAfter: string | null;
}

/** A disk that filled up. Times are those of the history. */
export interface DiskNote {
  /** When the disk got low, and when it was full. */
  lowAt: number;
  fullAt: number;
  /** When it was cleared, and when the service had recovered. */
  freedAt: number;
  wellAt: number;
  /** A new attempt while the disk was low, a resumed one, and a new one afterwards. */
  whileLow: SingleReply;
  resumed: SingleReply;
  afterwards: SingleReply;
  /** Evidence and a report while the disk was nearly full. */
  evidence: SingleReply;
  report: SingleReply;
  alarms: Alarms;
}

/** A clock that jumped. */
export interface ClockNote {
  whose: string;
  from: number;
  to: number;
  /** The measured offset of the clock: without a jump nothing is tested. */
  seenMs: number;
  alarms: Alarms;
}

/** Whether the alarm was visible in the log and in the metrics, and whether it ended with its cause. */
export interface Alarms {
  log: boolean;
  metrics: boolean;
  over: boolean;
}

export function newNotes(): Notes {
  return {
    outages: [],
    readyMs: [],
    kills: 0,
    cuts: 0,
    brokenInvitations: 0,
    disks: [],
    clocks: [],
    promotions: [],
  };
}
