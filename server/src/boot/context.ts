import type pg from 'pg';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { AppContext } from '../app-context.ts';
import { CachedCounts } from '../db/cached-counts.ts';
import { Notifications } from '../db/connection/notifications.ts';
import { openBatchPool } from '../db/connection/pool.ts';
import { openDatabase } from '../db/database.ts';
import { databaseFolder } from '../db/embedded-postgres/placement.ts';
import { ImageFiles } from '../features/assessments/image-files.ts';
import { AttemptNewsHub } from '../features/attempt-news/attempt-news.ts';
import { OpenStreams, WatchedSessions } from '../features/attempt-news/open-streams.ts';
import { WatchNews } from '../features/attempt-news/watch-news.ts';
import { AnswerWriter } from '../features/attempts/answers/answer-writer.ts';
import { HeartbeatWriter } from '../features/attempts/heartbeat-writer.ts';
import { PaperCache } from '../features/attempts/paper-cache.ts';
import { openAttemptStarts } from '../features/attempts/start-and-end/start-participant.ts';
import { openAttemptSubmits } from '../features/attempts/start-and-end/submit-participant.ts';
import { openWaitingRoom } from '../features/attempts/start-and-end/waiting.ts';
import { LiveBoard } from '../features/review/live/live-board.ts';
import { Thumbnails } from '../features/review/live/thumbnails.ts';
import { openCodeSignIns } from '../features/sign-in/code-sign-ins.ts';
import { CertificatePrinter } from '../formats/certificate/print-certificate.ts';
import { ImageConverter } from '../formats/images/image-converter.ts';
import { Budgets } from '../http/admission/budgets.ts';
import { recordAliveAndRecover } from '../jobs/liveness/liveness.ts';
import { LivenessWatch } from '../jobs/liveness/liveness-watch.ts';
import { Metrics } from '../metrics/metrics.ts';
import type { ServiceClock } from '../runtime/clock.ts';
import type { Config } from '../runtime/config.ts';
import { openWorkQueues } from '../runtime/work-queue.ts';
import type { Keys } from '../security/keys.ts';
import { readLiveGrants } from '../sessions/session-reader.ts';
import { DiskWatch } from '../storage/disk-watch.ts';
import { openEvidenceStorage, openImageStorage } from '../storage/open-storage.ts';
import { TrustRoot } from '../trust/trust-root.ts';

/** The dependencies that an app is built from; tests pass their own. */
export interface AppDeps {
  config: Config;
  pool: pg.Pool;
  clock: ServiceClock;
  keys: Keys;
  log: Logger;
  /** The folder of the built web app, or `null` for an API alone. */
  webDist: string | null;
  heartbeatGatherMs?: number;
  /** Creates the collector of the metrics of all serving processes, where there are several. */
  joinMetrics?: (own: Registry) => () => Promise<string>;
}

/** The disk of all stored data; null for an external database, whose disk we cannot see. */
function watchedFolders({ dataDir, databaseUrl }: Config): string[] {
  return databaseUrl === null ? [...new Set([dataDir, databaseFolder(dataDir)])] : [dataDir];
}

export interface OpenedContext {
  context: AppContext;
  notifications: Notifications;
  /** Once nothing uses the context any more: writes what waits, and stops its threads and timers. */
  close(): Promise<void>;
}

export function openContext(deps: AppDeps, wakeMail: () => void): OpenedContext {
  const { config, pool, clock, keys, log } = deps;
  const db = openDatabase(pool);
  const batchPool = openBatchPool(pool, log);
  const notifications = new Notifications(pool, log);
  const attemptNews = new AttemptNewsHub(notifications);
  const watchNews = new WatchNews(notifications, keys.sealing, log);
  const metrics = new Metrics();
  const trust = new TrustRoot(config.dataDir, keys.integrity, log);
  const disk = new DiskWatch(watchedFolders(config), config.diskReserveBytes, log);
  const context: AppContext = {
    config,
    db,
    clock,
    budgets: new Budgets(config.requestBudget),
    liveness: new LivenessWatch((now) => recordAliveAndRecover({ db, log }, now)),
    keys,
    log,
    cachedCounts: new CachedCounts(),
    keptStatistics: new Map(),
    codeSignIns: openCodeSignIns({ config, db, keys }),
    attemptStarts: openAttemptStarts({ config, db, disk, keys, trust }),
    attemptSubmits: openAttemptSubmits({ config, db, keys, trust }),
    waitingRoom: openWaitingRoom({ config, db, clock }),
    answerWriter: new AnswerWriter({ pool, batchPool }, metrics),
    heartbeats: new HeartbeatWriter({ pool, batchPool }, deps.heartbeatGatherMs),
    papers: new PaperCache(db, config.paperCacheBytes),
    attemptNews,
    liveBoard: new LiveBoard(db, clock, log, notifications),
    thumbnails: new Thumbnails(watchNews, (id) => attemptNews.wake(id)),
    storage: openEvidenceStorage(config),
    images: new ImageFiles(openImageStorage(config)),
    imageConverter: new ImageConverter(),
    certificatePrinter: new CertificatePrinter(),
    disk,
    openStreams: new OpenStreams(),
    watchedSessions: new WatchedSessions(
      (ids) => readLiveGrants({ db, keys, trust }, ids, clock.now()),
      log,
    ),
    metrics,
    queues: openWorkQueues(),
    trust,
    wakeMail,
  };
  return {
    context,
    notifications,
    async close() {
      await context.answerWriter.idle();
      await context.heartbeats.idle();
      await batchPool.end();
      context.liveBoard.stop();
      disk.stop();
      context.thumbnails.stop();
      context.imageConverter.stop();
      context.certificatePrinter.stop();
      await notifications.stop();
    },
  };
}
