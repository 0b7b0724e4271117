import { join } from 'node:path';
import { REQUEST_LIMITS } from '@invigil/core/domain/limits';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { AppContext } from './app-context.ts';
import type { ServiceClock } from './clock.ts';
import type { Config } from './config.ts';
import { openDatabase } from './db/database.ts';
import { newId } from './db/new-id.ts';
import { adminHandlers } from './features/admins/routes.ts';
import { AnswerWriter } from './features/answers/answer-writer.ts';
import { PaperCache } from './features/answers/paper-cache.ts';
import { answerHandlers } from './features/answers/routes.ts';
import { auditHandlers } from './features/audit/routes.ts';
import { authHandlers } from './features/auth/routes.ts';
import { categoryHandlers } from './features/categories/routes.ts';
import { evidenceHandlers } from './features/evidence/routes.ts';
import { feedbackHandlers } from './features/feedback/routes.ts';
import { invitationHandlers } from './features/invitations/routes.ts';
import { AttemptNewsHub } from './features/live/attempt-news.ts';
import { LiveBoard } from './features/live/live-board.ts';
import { OpenStreams } from './features/live/open-streams.ts';
import { liveHandlers } from './features/live/routes.ts';
import { Thumbnails } from './features/live/thumbnails.ts';
import { messageHandlers } from './features/messages/routes.ts';
import { outboxHandlers } from './features/outbox/routes.ts';
import { HeartbeatWriter } from './features/participants/heartbeat-writer.ts';
import { participantHandlers } from './features/participants/routes.ts';
import { questionHandlers } from './features/questions/routes.ts';
import { quizHandlers } from './features/quizzes/routes.ts';
import { receiptHandlers } from './features/receipts/routes.ts';
import { reportHandlers } from './features/reports/routes.ts';
import { retentionHandlers } from './features/retention/routes.ts';
import { smtpSettingsHandlers } from './features/smtp-settings/routes.ts';
import { statsHandlers } from './features/stats/routes.ts';
import { systemHandlers } from './features/system/routes.ts';
import { userHandlers } from './features/users/routes.ts';
import { violationHandlers } from './features/violations/routes.ts';
import { type RunningJobs, runJobs } from './jobs/run-jobs.ts';
import { closingConnections } from './plugins/closing-connections.ts';
import { registerEndpoints } from './plugins/endpoints.ts';
import { errorsPlugin, refuseBadPath } from './plugins/errors.ts';
import { health } from './plugins/health.ts';
import { openApi } from './plugins/openapi.ts';
import { requestGuards } from './plugins/request-guards.ts';
import { securityHeaders } from './plugins/security-headers.ts';
import { sessionPlugin } from './plugins/session.ts';
import { webApp } from './plugins/web-app.ts';
import type { Keys } from './security/keys.ts';
import { diskStorage } from './storage/storage.ts';

/** What an app is built from; tests bring their own of each. */
export interface AppDeps {
  config: Config;
  pool: pg.Pool;
  clock: ServiceClock;
  keys: Keys;
  log: Logger;
  /** The folder of the built web app, or `null` for an API alone. */
  webDist: string | null;
}

export interface App {
  fastify: FastifyInstance;
  context: AppContext;
  /** Starts the periodic jobs; an app without them answers requests and does nothing by itself. */
  startJobs(): void;
  /** Stops accepting, finishes what is in flight, stops the jobs. The pool stays open. */
  close(): Promise<void>;
}

/** Numbers for the log and for whoever reports a failure: this process, then a count. */
function requestNumbers(): () => string {
  const process = newId().slice(-12);
  let n = 0;
  return () => {
    n += 1;
    return `${process}-${n}`;
  };
}

/** Builds the app. It does not listen: `main.ts` does, and tests use `inject`. */
export async function createApp(deps: AppDeps): Promise<App> {
  const { config, pool, clock, keys, log } = deps;
  const db = openDatabase(pool);
  let jobs: RunningJobs | undefined;
  const attemptNews = new AttemptNewsHub(pool, log);
  const context: AppContext = {
    config,
    db,
    clock,
    keys,
    log,
    answerWriter: new AnswerWriter(pool),
    heartbeats: new HeartbeatWriter(pool),
    papers: new PaperCache(db),
    attemptNews,
    liveBoard: new LiveBoard(db, clock, log),
    thumbnails: new Thumbnails((id) => attemptNews.wake(id)),
    storage: diskStorage(join(config.dataDir, 'evidence')),
    openStreams: new OpenStreams(),
    wakeMail: () => jobs?.wakeMail(),
  };

  const fastify = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    // A line per answer of ten thousand candidates says nothing; failures are logged where they happen.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestNumbers(),
    // One log for all: a logger per request costs more than most requests, and failures name theirs.
    childLoggerFactory: (logger) => logger,
    frameworkErrors: refuseBadPath,
    trustProxy: config.trustProxy,
    bodyLimit: REQUEST_LIMITS.bodyBytes,
    requestTimeout: REQUEST_LIMITS.timeoutMs,
    // A stopping server tells keep-alive clients to come back on a new connection.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
  });
  fastify.setValidatorCompiler(validatorCompiler);
  fastify.setSerializerCompiler(serializerCompiler);
  fastify.decorateRequest('caller', undefined);

  await fastify.register(closingConnections);
  await fastify.register(errorsPlugin);
  await fastify.register(securityHeaders, { https: config.publicUrl.startsWith('https:') });
  await fastify.register(requestGuards, context);
  await fastify.register(sessionPlugin, context);
  await fastify.register(openApi);
  registerEndpoints(fastify, context, {
    ...authHandlers(context),
    ...categoryHandlers(context),
    ...quizHandlers(context),
    ...questionHandlers(context),
    ...invitationHandlers(context),
    ...outboxHandlers(context),
    ...participantHandlers(context),
    ...answerHandlers(context),
    ...feedbackHandlers(context),
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
  });
  await fastify.register(health, context);
  if (deps.webDist !== null) await fastify.register(webApp, { folder: deps.webDist });
  fastify.addHook('preClose', async () => {
    context.openStreams.endAll();
  });
  await fastify.ready();

  return {
    fastify,
    context,
    startJobs() {
      jobs ??= runJobs(context, pool);
    },
    async close() {
      await fastify.close();
      await context.answerWriter.idle();
      await context.heartbeats.idle();
      context.liveBoard.stop();
      await context.attemptNews.stop();
      await jobs?.stop();
    },
  };
}
