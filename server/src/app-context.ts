import type { QuizStatistics } from '@invigil/core/contract/review/statistics';
import type { Logger } from 'pino';
import type { CachedCounts } from './db/cached-counts.ts';
import type { Database } from './db/database.ts';
import type { ImageFiles } from './features/assessments/image-files.ts';
import type { AttemptNewsHub } from './features/attempt-news/attempt-news.ts';
import type { OpenStreams, WatchedSessions } from './features/attempt-news/open-streams.ts';
import type { AnswerWriter } from './features/attempts/answers/answer-writer.ts';
import type { HeartbeatWriter } from './features/attempts/heartbeat-writer.ts';
import type { PaperCache } from './features/attempts/paper-cache.ts';
import type {
  AttemptStarts,
  AttemptSubmits,
  WaitingRoom,
} from './features/attempts/start-and-end/begin-attempts.ts';
import type { LiveBoard } from './features/review/live/live-board.ts';
import type { Thumbnails } from './features/review/live/thumbnails.ts';
import type { CodeSignIns } from './features/sign-in/signed-in.ts';
import type { CertificatePrinter } from './formats/certificate/print-certificate.ts';
import type { ImageConverter } from './formats/images/image-converter.ts';
import type { Budgets } from './http/admission/budgets.ts';
import type { LivenessWatch } from './jobs/liveness/liveness-watch.ts';
import type { Metrics } from './metrics/metrics.ts';
import type { ServiceClock } from './runtime/clock.ts';
import type { Config } from './runtime/config.ts';
import type { WorkQueues } from './runtime/work-queue.ts';
import type { Keys } from './security/keys.ts';
import type { DiskWatch } from './storage/disk-watch.ts';
import type { Storage } from './storage/storage.ts';
import type { TrustRoot } from './trust/trust-root.ts';

/** The parts that nearly every use case works with. */
export interface BaseContext {
  config: Config;
  db: Database;
  clock: ServiceClock;
  keys: Keys;
  log: Logger;
  /** Knows what holds even if an attacker can write to the database. */
  trust: TrustRoot;
  metrics: Metrics;
  /** The queues of work that takes long and is not a candidate's. */
  queues: WorkQueues;
  /** Wakes the mail job when there is something to deliver, before its next run. */
  wakeMail(): void;
}

/** Candidates at work: sign-in, start, answers, presence, end. */
export interface AttemptContext extends BaseContext {
  codeSignIns: CodeSignIns;
  attemptStarts: AttemptStarts;
  attemptSubmits: AttemptSubmits;
  waitingRoom: WaitingRoom;
  answerWriter: AnswerWriter;
  papers: PaperCache;
  heartbeats: HeartbeatWriter;
  attemptNews: AttemptNewsHub;
}

/** Statistics with what they were computed from: they are current while it is the same. */
export interface KeptStatistics {
  counted: string;
  keys: string;
  /** Some of the papers, with all of their questions. */
  papers: string[];
  statistics: QuizStatistics;
}

/** The parts behind the live views of administrators. */
export interface LiveContext extends BaseContext {
  liveBoard: LiveBoard;
  thumbnails: Thumbnails;
  openStreams: OpenStreams;
  watchedSessions: WatchedSessions;
  /** Figures over all attempts of a large installation. */
  cachedCounts: CachedCounts;
  /** Statistics that were computed last, by assessment and filter. */
  keptStatistics: Map<string, KeptStatistics>;
}

/** Files of evidence and of images. */
export interface FileContext extends BaseContext {
  storage: Storage;
  images: ImageFiles;
  imageConverter: ImageConverter;
  certificatePrinter: CertificatePrinter;
  /** The free disk space of the folders with all stored data. */
  disk: DiskWatch;
}

export interface ProcessContext extends BaseContext {
  /** How many requests each caller may send to this process. */
  budgets: Budgets;
  /** Whether the service was away. */
  liveness: LivenessWatch;
}

/**
 * All of them. Built once in boot/context.ts and passed down; nothing is global. A function asks for the
 * part that it needs, or for less (`Pick`).
 */
export interface AppContext extends AttemptContext, LiveContext, FileContext, ProcessContext {}
