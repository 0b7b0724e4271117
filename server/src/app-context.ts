import type { Logger } from 'pino';
import type { CachedCounts } from './db/cached-counts.ts';
import type { Database } from './db/database.ts';
import type { ImageFiles } from './features/assessments/images/image-files.ts';
import type { AttemptNewsHub } from './features/attempt-news/attempt-news.ts';
import type { OpenStreams } from './features/attempt-news/open-streams.ts';
import type { AnswerWriter } from './features/attempts/answers/answer-writer.ts';
import type { HeartbeatWriter } from './features/attempts/heartbeat/heartbeat-writer.ts';
import type { PaperCache } from './features/attempts/paper/paper-cache.ts';
import type {
  AttemptStarts,
  AttemptSubmits,
} from './features/attempts/start-and-end/attempt-work.ts';
import type { LiveBoard } from './features/review/live/live-board.ts';
import type { Thumbnails } from './features/review/live/thumbnails.ts';
import type { CodeSignIns } from './features/sign-in/signed-in.ts';
import type { ImageConverter } from './formats/images/image-converter.ts';
import type { Budgets } from './http/admission/budgets.ts';
import type { LivenessWatch } from './jobs/liveness/liveness-watch.ts';
import type { Metrics } from './metrics/metrics.ts';
import type { ServiceClock } from './runtime/clock.ts';
import type { Config } from './runtime/config.ts';
import type { Keys } from './security/keys.ts';
import type { DiskWatch } from './storage/disk-watch.ts';
import type { Storage } from './storage/storage.ts';
import type { TrustRoot } from './trust/trust-root.ts';

/** What routes and use cases work with. Built once in app.ts and passed down; nothing is global. */
export interface AppContext {
  config: Config;
  db: Database;
  /** Figures over all attempts of a large installation. */
  cachedCounts: CachedCounts;
  clock: ServiceClock;
  /** How many requests each caller may send to this process. */
  budgets: Budgets;
  /** Whether the service was away. */
  liveness: LivenessWatch;
  keys: Keys;
  log: Logger;
  codeSignIns: CodeSignIns;
  attemptStarts: AttemptStarts;
  attemptSubmits: AttemptSubmits;
  answerWriter: AnswerWriter;
  papers: PaperCache;
  heartbeats: HeartbeatWriter;
  attemptNews: AttemptNewsHub;
  liveBoard: LiveBoard;
  thumbnails: Thumbnails;
  /** Files of evidence. */
  storage: Storage;
  /** Files of the images of questions. */
  images: ImageFiles;
  imageConverter: ImageConverter;
  /** The free disk space of the folders with all stored data. */
  disk: DiskWatch;
  openStreams: OpenStreams;
  metrics: Metrics;
  /** What is trusted even if an attacker can write to the database. */
  trust: TrustRoot;
  /** Wakes the mail job when there is something to deliver, before its next run. */
  wakeMail(): void;
}
