import type { Outage } from './check-ends.ts';

/** What faults noted while they were played. */
export interface Notes {
  outages: Outage[];
  /** Of servers that ended: milliseconds until they were ready again, without a person. */
  readyMs: number[];
  /** SIGKILL alone, of servers and of the database. */
  kills: number;
  /** How often a message may have been cut off between its delivery and the note of it. */
  cuts: number;
  /** Invitations whose transaction was broken before its commit. */
  brokenInvitations: number;
  disks: DiskNote[];
  clocks: ClockNote[];
  /** When each standby had been promoted; a time of the history. */
  promotions: number[];
}

/** Someone who waits to begin, and what they were told. */
export interface Knock {
  status: number | null;
  code: string;
  retryAfter: string | null;
}

/** A disk that filled up. Times are those of the history. */
export interface DiskNote {
  /** From when little room was left, and from when none at all. */
  lowAt: number;
  fullAt: number;
  /** When there was room again, and when all was as before. */
  freedAt: number;
  wellAt: number;
  /** A new attempt while little room was left, an attempt taken up again, and a new one afterwards. */
  whileLow: Knock;
  resumed: Knock;
  afterwards: Knock;
  /** Evidence and a report while the disk was nearly full. */
  evidence: Knock;
  report: Knock;
  alarms: Alarms;
}

/** A clock that jumped. */
export interface ClockNote {
  whose: string;
  from: number;
  to: number;
  /** How far the clock was seen to be away: what does not jump proves nothing. */
  seenMs: number;
  alarms: Alarms;
}

/** Where an operator would have seen it, and whether that ended with its cause. */
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
