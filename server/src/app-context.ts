import type { Logger } from 'pino';
import type { ServiceClock } from './clock.ts';
import type { Config } from './config.ts';
import type { Database } from './db/database.ts';
import type { AnswerWriter } from './features/answers/answer-writer.ts';
import type { PaperCache } from './features/answers/paper-cache.ts';
import type { AttemptNewsHub } from './features/live/attempt-news.ts';
import type { LiveBoard } from './features/live/live-board.ts';
import type { OpenStreams } from './features/live/open-streams.ts';
import type { Thumbnails } from './features/live/thumbnails.ts';
import type { HeartbeatWriter } from './features/participants/heartbeat-writer.ts';
import type { Keys } from './security/keys.ts';
import type { Storage } from './storage/storage.ts';

/** What routes and use-cases work with. Built once in app.ts and passed down; nothing is global. */
export interface AppContext {
  config: Config;
  db: Database;
  clock: ServiceClock;
  keys: Keys;
  log: Logger;
  answerWriter: AnswerWriter;
  papers: PaperCache;
  heartbeats: HeartbeatWriter;
  attemptNews: AttemptNewsHub;
  liveBoard: LiveBoard;
  thumbnails: Thumbnails;
  /** Files of evidence. */
  storage: Storage;
  openStreams: OpenStreams;
  /** Tells the mail job that there is something to deliver, without waiting for its next round. */
  wakeMail(): void;
}
