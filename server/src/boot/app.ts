import { REQUEST_LIMITS } from '@invigil/core/domain/limits';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { AppContext } from '../app-context.ts';
import { CachedCounts } from '../db/cached-counts.ts';
import { Notifications } from '../db/connection/notifications.ts';
import { openBatchPool } from '../db/connection/pool.ts';
import { openDatabase } from '../db/database.ts';
import { databaseFolder } from '../db/embedded-postgres/placement.ts';
import { newId } from '../db/new-id.ts';
import { bankHandlers } from '../features/assessments/bank/routes.ts';
import { categoryHandlers } from '../features/assessments/categories/routes.ts';
import { ImageFiles } from '../features/assessments/images/image-files.ts';
import { imageHandlers } from '../features/assessments/images/routes.ts';
import { importHandlers } from '../features/assessments/imports/routes.ts';
import { questionHandlers } from '../features/assessments/questions/routes.ts';
import { quizHandlers } from '../features/assessments/quizzes/routes.ts';
import { structureHandlers } from '../features/assessments/structure/routes.ts';
import { AttemptNewsHub } from '../features/attempt-news/attempt-news.ts';
import { OpenStreams } from '../features/attempt-news/open-streams.ts';
import { WatchNews } from '../features/attempt-news/watch-news.ts';
import { AnswerWriter } from '../features/attempts/answers/answer-writer.ts';
import { answerHandlers } from '../features/attempts/answers/routes.ts';
import { endedAttemptHandlers } from '../features/attempts/ended/describe-end.ts';
import { evidenceHandlers } from '../features/attempts/evidence/routes.ts';
import { feedbackHandlers } from '../features/attempts/feedback/give-feedback.ts';
import { HeartbeatWriter } from '../features/attempts/heartbeat/heartbeat-writer.ts';
import { noteFlood } from '../features/attempts/heartbeat/note-flood.ts';
import { heartbeatHandlers } from '../features/attempts/heartbeat/record-heartbeat.ts';
import { messageHandlers } from '../features/attempts/messages/routes.ts';
import { PaperCache } from '../features/attempts/paper/paper-cache.ts';
import { paperHandlers } from '../features/attempts/paper/routes.ts';
import { receiptHandlers } from '../features/attempts/receipts/routes.ts';
import { scoringHandlers } from '../features/attempts/scoring/rescore-question.ts';
import { attemptHandlers } from '../features/attempts/start-and-end/routes.ts';
import { openAttemptStarts } from '../features/attempts/start-and-end/start-participant.ts';
import { openAttemptSubmits } from '../features/attempts/start-and-end/submit-participant.ts';
import { violationHandlers } from '../features/attempts/violations/routes.ts';
import { auditHandlers } from '../features/audit-log/routes.ts';
import { invitationHandlers } from '../features/invitations/invite/routes.ts';
import { outboxHandlers } from '../features/invitations/outbox/outbox.ts';
import { smtpSettingsHandlers } from '../features/invitations/smtp-settings/routes.ts';
import { actionHandlers } from '../features/review/actions/routes.ts';
import { LiveBoard } from '../features/review/live/live-board.ts';
import { liveHandlers } from '../features/review/live/routes.ts';
import { Thumbnails } from '../features/review/live/thumbnails.ts';
import { participantHandlers } from '../features/review/participants/routes.ts';
import { userHandlers } from '../features/review/personal-data/personal-data.ts';
import { recordHandlers } from '../features/review/record/read-record.ts';
import { reportHandlers } from '../features/review/reports/participants-report.ts';
import { retentionHandlers } from '../features/review/retention/delete-expired.ts';
import { statsHandlers } from '../features/review/statistics/routes.ts';
import { adminHandlers } from '../features/sign-in/admins/routes.ts';
import { openCodeSignIns } from '../features/sign-in/code-sign-ins.ts';
import { authHandlers } from '../features/sign-in/routes.ts';
import { totpHandlers } from '../features/sign-in/two-step/routes.ts';
import { systemHandlers } from '../features/system/read-system.ts';
import { ImageConverter } from '../formats/images/image-converter.ts';
import { admission } from '../http/admission/admission.ts';
import { Budgets } from '../http/admission/budgets.ts';
import { requestBodies } from '../http/admission/request-bodies.ts';
import { closingConnections } from '../http/closing-connections.ts';
import { registerEndpoints } from '../http/endpoints.ts';
import { errorsPlugin, refuseBadPath } from '../http/errors.ts';
import { health } from '../http/health.ts';
import { metricsPlugin } from '../http/metrics-route.ts';
import { openApi } from '../http/openapi.ts';
import { requestGuards } from '../http/request-guards.ts';
import { securityHeaders } from '../http/security-headers.ts';
import { sessionPlugin } from '../http/session.ts';
import { keptAssetFolders } from '../http/web-files/kept-web-assets.ts';
import { webApp } from '../http/web-files/web-app.ts';
import { noteAliveAndRecover } from '../jobs/liveness/liveness.ts';
import { LivenessWatch } from '../jobs/liveness/liveness-watch.ts';
import { type RunningJobs, runJobs } from '../jobs/run-jobs.ts';
import { Metrics } from '../metrics/metrics.ts';
import {
  countMail,
  countOpenAttempts,
  countUnsealedEntries,
  probeDatabase,
} from '../metrics/shared-queries.ts';
import type { ServiceClock } from '../runtime/clock.ts';
import type { Config } from '../runtime/config.ts';
import type { Keys } from '../security/keys.ts';
import { DiskWatch } from '../storage/disk-watch.ts';
import { openEvidenceStorage, openImageStorage } from '../storage/open-storage.ts';
import { TrustRoot } from '../trust/trust-root.ts';

/** What an app is built from; tests pass their own. */
export interface AppDeps {
  config: Config;
  pool: pg.Pool;
  clock: ServiceClock;
  keys: Keys;
  log: Logger;
  /** The folder of the built web app, or `null` for an API alone. */
  webDist: string | null;
  heartbeatGatherMs?: number;
  /** With several serving processes: creates what collects the metrics of all. */
  joinMetrics?: (own: Registry) => () => Promise<string>;
}

export interface App {
  fastify: FastifyInstance;
  context: AppContext;
  /** Starts periodic jobs and messages between processes; without it an app only answers requests. */
  startJobs(): void;
  /** Stops accepting, finishes running requests, stops the jobs. The pool stays open. */
  close(): Promise<void>;
}

/** Numbers for the log and for people who report a failure: this process, then a count. */
function requestNumbers(): () => string {
  const process = newId().slice(-12);
  let n = 0;
  return () => {
    n += 1;
    return `${process}-${n}`;
  };
}

/** The disk of all stored data; null for an external database, whose disk we cannot see. */
function watchedFolders({ dataDir, databaseUrl }: Config): string[] {
  return databaseUrl === null ? [...new Set([dataDir, databaseFolder(dataDir)])] : [dataDir];
}

/** Builds the app. It does not listen: `main.ts` does, and tests use `inject`. */
export async function createApp(deps: AppDeps): Promise<App> {
  const { config, pool, clock, keys, log } = deps;
  const db = openDatabase(pool);
  const batchPool = openBatchPool(pool, log);
  let jobs: RunningJobs | undefined;
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
    liveness: new LivenessWatch((now) => noteAliveAndRecover({ db, log }, now)),
    keys,
    log,
    cachedCounts: new CachedCounts(),
    codeSignIns: openCodeSignIns({ db, keys }),
    attemptStarts: openAttemptStarts({ config, db, disk, keys, trust }),
    attemptSubmits: openAttemptSubmits({ config, db, keys, trust }),
    answerWriter: new AnswerWriter({ pool, batchPool }, metrics),
    heartbeats: new HeartbeatWriter({ pool, batchPool }, deps.heartbeatGatherMs),
    papers: new PaperCache(db, config.paperCacheBytes),
    attemptNews,
    liveBoard: new LiveBoard(db, clock, log, notifications),
    thumbnails: new Thumbnails(watchNews, (id) => attemptNews.wake(id)),
    storage: openEvidenceStorage(config),
    images: new ImageFiles(openImageStorage(config)),
    imageConverter: new ImageConverter(),
    disk,
    openStreams: new OpenStreams(),
    metrics,
    trust,
    wakeMail: () => jobs?.wakeMail(),
  };

  const fastify = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    // A line per response of ten thousand candidates is useless; failures are logged where they happen.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestNumbers(),
    // One log for all: a logger per request costs more than most requests, and failures name theirs.
    childLoggerFactory: (logger) => logger,
    frameworkErrors: refuseBadPath(context.budgets),
    trustProxy: config.trustProxy,
    bodyLimit: REQUEST_LIMITS.bodyBytes,
    // A long id is as unknown as a short one. Node limits the path, with all headers, to 16 KiB.
    routerOptions: { maxParamLength: 16_384 },
    // The longest; request-guards.ts has the shorter one of all others.
    requestTimeout: REQUEST_LIMITS.uploadTimeoutMs,
    http: {
      // Node's defaults would let a head drip for a minute, and check only every 30 s.
      headersTimeout: REQUEST_LIMITS.timeoutMs,
      connectionsCheckingInterval: REQUEST_LIMITS.slowCheckMs,
    },
    // A stopping server makes keep-alive clients reconnect.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
  });
  fastify.setValidatorCompiler(validatorCompiler);
  fastify.setSerializerCompiler(serializerCompiler);
  fastify.decorateRequest('caller', undefined);
  fastify.decorateRequest('isBodyOnItsWay', false);

  await fastify.register(closingConnections);
  await fastify.register(errorsPlugin, { metrics });
  await fastify.register(securityHeaders, { https: config.publicUrl.startsWith('https:') });
  await fastify.register(requestBodies);
  await fastify.register(sessionPlugin, context);
  await fastify.register(admission, { ctx: context, onFlood: (id) => void noteFlood(context, id) });
  await fastify.register(requestGuards, context);
  await fastify.register(openApi);
  registerEndpoints(fastify, context, {
    ...authHandlers(context),
    ...categoryHandlers(context),
    ...quizHandlers(context),
    ...bankHandlers(context),
    ...importHandlers(context),
    ...structureHandlers(context),
    ...questionHandlers(context),
    ...imageHandlers(context),
    ...invitationHandlers(context),
    ...outboxHandlers(context),
    ...paperHandlers(context),
    ...attemptHandlers(context),
    ...heartbeatHandlers(context),
    ...scoringHandlers(context),
    ...participantHandlers(context),
    ...recordHandlers(context),
    ...actionHandlers(context),
    ...answerHandlers(context),
    ...feedbackHandlers(context),
    ...endedAttemptHandlers(context),
    ...reportHandlers(context),
    ...smtpSettingsHandlers(context),
    ...statsHandlers(context),
    ...adminHandlers(context),
    ...auditHandlers(context),
    ...systemHandlers(context),
    ...retentionHandlers(context),
    ...liveHandlers(context),
    ...messageHandlers(context),
    ...receiptHandlers(context),
    ...violationHandlers(context),
    ...evidenceHandlers(context),
    ...userHandlers(context),
    ...totpHandlers(context),
  });
  await fastify.register(health, context);
  metrics.watch({
    pool,
    streams: () => context.openStreams.count,
    clockIsTrusted: () => clock.isTrusted(),
    machineClockAgrees: () => clock.machineAgrees(),
    disk: context.disk,
    trust,
    leads: () => jobs?.leads ?? false,
    database: {
      probe: () => probeDatabase(db),
      attempts: () => countOpenAttempts(db, clock.now()),
      unsealedEntries: () => countUnsealedEntries(db),
      mail: () => countMail(db, clock.now()),
    },
  });
  const { registry } = metrics;
  const readAll = deps.joinMetrics?.(registry) ?? (() => registry.metrics());
  await fastify.register(metricsPlugin, { config, readAll });
  if (deps.webDist !== null) {
    const kept = keptAssetFolders(config.dataDir);
    await fastify.register(webApp, { folder: deps.webDist, kept });
  }
  fastify.addHook('preClose', async () => {
    context.openStreams.endAll();
  });
  await fastify.ready();

  let closing: Promise<void> | undefined;
  async function closeAll(): Promise<void> {
    // In parallel: mail that is being sent gets a moment to arrive.
    const stopping = jobs?.stop();
    stopping?.catch(() => undefined);
    await fastify.close();
    await context.answerWriter.idle();
    await context.heartbeats.idle();
    await batchPool.end();
    context.liveBoard.stop();
    context.disk.stop();
    context.thumbnails.stop();
    context.imageConverter.stop();
    await notifications.stop();
    await stopping;
  }

  return {
    fastify,
    context,
    startJobs() {
      jobs ??= runJobs(context, pool);
      context.disk.start();
      // From now on, even without local readers of a stream: others may watch who writes here.
      void notifications.listen();
    },
    // Called twice in the parent of several processes: once all is ready, and at its end.
    close() {
      closing ??= closeAll();
      return closing;
    },
  };
}
