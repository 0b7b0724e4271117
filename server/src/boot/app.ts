import { REQUEST_LIMITS } from '@invigil/core/domain/limits';
import { ENGLISH_ALONE } from '@invigil/core/texts/languages';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { serializerCompiler } from 'fastify-type-provider-zod';
import type { AppContext } from '../app-context.ts';
import { newId } from '../db/new-id.ts';
import { bankHandlers } from '../features/assessments/bank.ts';
import { categoryHandlers } from '../features/assessments/categories.ts';
import { quizHandlers } from '../features/assessments/change-quiz.ts';
import { importHandlers } from '../features/assessments/imports/imports.ts';
import { practiceSettingHandlers } from '../features/assessments/practice-setting.ts';
import { questionHandlers } from '../features/assessments/questions/routes.ts';
import { scheduleHandlers } from '../features/assessments/schedule.ts';
import { imageHandlers } from '../features/assessments/store-image.ts';
import { structureHandlers } from '../features/assessments/structure.ts';
import { answerHandlers } from '../features/attempts/answers/save-answers.ts';
import { helpHandlers } from '../features/attempts/ask-for-help.ts';
import { endedAttemptHandlers } from '../features/attempts/describe-end.ts';
import { evidenceHandlers } from '../features/attempts/evidence/routes.ts';
import { feedbackHandlers } from '../features/attempts/give-feedback.ts';
import { breakHandlers } from '../features/attempts/pauses.ts';
import { paperHandlers } from '../features/attempts/read-paper.ts';
import { receiptHandlers } from '../features/attempts/receipts.ts';
import { heartbeatHandlers, recordFlood } from '../features/attempts/record-heartbeat.ts';
import { messageHandlers } from '../features/attempts/send-message.ts';
import { attemptHandlers } from '../features/attempts/start-and-end/routes.ts';
import { violationHandlers } from '../features/attempts/violations/report-violation.ts';
import { auditHandlers } from '../features/audit-log/audit-log.ts';
import { forgottenPasswordHandlers } from '../features/invitations/forgotten-password.ts';
import { passwordHandlers } from '../features/invitations/invite/make-passwords.ts';
import { invitationHandlers } from '../features/invitations/invite/manage-invitations.ts';
import { invitationListHandlers } from '../features/invitations/list/list-invitations.ts';
import { outboxHandlers } from '../features/invitations/outbox.ts';
import { smtpSettingsHandlers } from '../features/invitations/smtp-settings.ts';
import { peopleHandlers } from '../features/people/people.ts';
import { candidateResultHandlers } from '../features/results/candidate-result.ts';
import { certificateHandlers } from '../features/results/certificates.ts';
import { statsHandlers } from '../features/results/dashboard/routes.ts';
import { reportHandlers } from '../features/results/participants-report.ts';
import { practiceHandlers } from '../features/results/practice.ts';
import { statisticsHandlers } from '../features/results/quiz-statistics.ts';
import { releaseHandlers } from '../features/results/releases.ts';
import { scoringHandlers } from '../features/results/rescore-question.ts';
import { resultHandlers } from '../features/results/results.ts';
import { retentionHandlers } from '../features/review/delete-expired.ts';
import { participantHandlers } from '../features/review/find-participants.ts';
import { hallHandlers } from '../features/review/live/halls.ts';
import { liveHandlers } from '../features/review/live/routes.ts';
import { actionHandlers } from '../features/review/manage-participant.ts';
import { outageHandlers } from '../features/review/outages.ts';
import { userHandlers } from '../features/review/personal-data.ts';
import { recordHandlers } from '../features/review/read-record.ts';
import { adminHandlers } from '../features/sign-in/admins/routes.ts';
import { authHandlers } from '../features/sign-in/routes.ts';
import { totpHandlers } from '../features/sign-in/totp.ts';
import { institutionHandlers } from '../features/system/institution.ts';
import { systemHandlers } from '../features/system/read-system.ts';
import { workHandlers } from '../features/system/works.ts';
import { admission } from '../http/admission/admission.ts';
import { requestBodies } from '../http/admission/request-bodies.ts';
import { closingConnections } from '../http/closing-connections.ts';
import { type Handlers, registerEndpoints } from '../http/endpoints.ts';
import { errorsPlugin, refuseBadPath } from '../http/errors.ts';
import { health } from '../http/health.ts';
import { languagePlugin } from '../http/language.ts';
import { bodyValidatorCompiler } from '../http/long-lists.ts';
import { metricsPlugin } from '../http/metrics-route.ts';
import { openApi } from '../http/openapi.ts';
import { requestGuards } from '../http/request-guards.ts';
import { securityHeaders } from '../http/security-headers.ts';
import { sessionPlugin } from '../http/session.ts';
import { keptAssetFolders } from '../http/web-files/kept-web-assets.ts';
import { webApp } from '../http/web-files/web-app.ts';
import { type RunningJobs, runJobs } from '../jobs/run-jobs.ts';
import { within } from '../runtime/within.ts';
import { readInstitution, type ShownInstitution } from '../trust/institution.ts';
import { type AppDeps, openContext } from './context.ts';

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

const KEPT_MS = 2_000;
const WITHIN_MS = 500;

/** Builds the app. It does not listen: `main.ts` does, and tests use `inject`. */
export async function createApp(deps: AppDeps): Promise<App> {
  const { config, pool, log } = deps;
  let jobs: RunningJobs | undefined;
  const { context, notifications, close } = openContext(deps, () => jobs?.wakeMail());

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
  fastify.setValidatorCompiler(bodyValidatorCompiler);
  fastify.setSerializerCompiler(serializerCompiler);
  fastify.decorateRequest('caller', undefined);
  fastify.decorateRequest('admitted', undefined);
  fastify.decorateRequest('isBodyOnItsWay', false);

  await fastify.register(closingConnections);
  await fastify.register(errorsPlugin, context);
  await fastify.register(securityHeaders, { https: config.publicUrl.startsWith('https:') });
  await fastify.register(requestBodies);
  await fastify.register(sessionPlugin, context);
  await fastify.register(admission, {
    ctx: context,
    onFlood: (id) => void recordFlood(context, id),
  });
  await fastify.register(requestGuards, context);
  await fastify.register(languagePlugin);
  await fastify.register(openApi);
  registerEndpoints(fastify, context, handlersOf(context));
  await fastify.register(health, context);
  context.metrics.watch({ ...context, pool, leads: () => jobs?.leads ?? false });
  const { registry } = context.metrics;
  const readAll = deps.joinMetrics?.(registry) ?? (() => registry.metrics());
  await fastify.register(metricsPlugin, { config, readAll });
  if (deps.webDist !== null) {
    const kept = keptAssetFolders(config.dataDir);
    await fastify.register(webApp, {
      folder: deps.webDist,
      kept,
      institution: institutionOf(context),
      isSignedOut: (request) => request.sessionToken() === undefined,
    });
  }
  fastify.addHook('preClose', async () => {
    context.openStreams.endAll();
  });
  await fastify.ready();

  let closing: Promise<void> | undefined;
  async function closeAll(): Promise<void> {
    // Jobs stop in parallel: mail that is being sent gets a moment to arrive.
    const stopping = jobs?.stop();
    stopping?.catch(() => undefined);
    await fastify.close();
    await close();
    await stopping;
  }

  return {
    fastify,
    context,
    startJobs() {
      jobs ??= runJobs(context, pool);
      context.disk.start();
      // Listens even without local readers of a stream: readers of other processes may watch who writes here.
      void notifications.listen();
    },
    // Called twice in the parent of several processes: once all is ready, and at its end.
    close() {
      closing ??= closeAll();
      return closing;
    },
  };
}

type Shown = Pick<ShownInstitution, 'name' | 'languages'>;
const UNKNOWN: Shown = { name: null, languages: [...ENGLISH_ALONE] };

/** Pages are free of budgets, so many share one read; without the database they come as if nothing were set. */
function institutionOf(ctx: AppContext): () => Promise<Shown> {
  let known = Promise.resolve(UNKNOWN);
  let readAt = Number.NEGATIVE_INFINITY;
  return () => {
    const now = ctx.clock.now().getTime();
    if (Math.abs(now - readAt) > KEPT_MS) {
      readAt = now;
      const read = readInstitution(ctx, ctx.db);
      known = within(WITHIN_MS, read, () => new Error('too late')).catch(() => UNKNOWN);
    }
    return known;
  };
}

/** The handler of each endpoint of the table, feature by feature. */
function handlersOf(ctx: AppContext): Required<Handlers> {
  return {
    ...authHandlers(ctx),
    ...categoryHandlers(ctx),
    ...quizHandlers(ctx),
    ...scheduleHandlers(ctx),
    ...practiceSettingHandlers(ctx),
    ...bankHandlers(ctx),
    ...importHandlers(ctx),
    ...structureHandlers(ctx),
    ...questionHandlers(ctx),
    ...imageHandlers(ctx),
    ...invitationHandlers(ctx),
    ...invitationListHandlers(ctx),
    ...passwordHandlers(ctx),
    ...forgottenPasswordHandlers(ctx),
    ...peopleHandlers(ctx),
    ...outboxHandlers(ctx),
    ...paperHandlers(ctx),
    ...attemptHandlers(ctx),
    ...heartbeatHandlers(ctx),
    ...scoringHandlers(ctx),
    ...participantHandlers(ctx),
    ...recordHandlers(ctx),
    ...actionHandlers(ctx),
    ...outageHandlers(ctx),
    ...answerHandlers(ctx),
    ...feedbackHandlers(ctx),
    ...endedAttemptHandlers(ctx),
    ...reportHandlers(ctx),
    ...smtpSettingsHandlers(ctx),
    ...statsHandlers(ctx),
    ...resultHandlers(ctx),
    ...statisticsHandlers(ctx),
    ...releaseHandlers(ctx),
    ...certificateHandlers(ctx),
    ...candidateResultHandlers(ctx),
    ...practiceHandlers(ctx),
    ...adminHandlers(ctx),
    ...auditHandlers(ctx),
    ...systemHandlers(ctx),
    ...workHandlers(ctx),
    ...institutionHandlers(ctx),
    ...retentionHandlers(ctx),
    ...hallHandlers(ctx),
    ...liveHandlers(ctx),
    ...messageHandlers(ctx),
    ...helpHandlers(ctx),
    ...breakHandlers(ctx),
    ...receiptHandlers(ctx),
    ...violationHandlers(ctx),
    ...evidenceHandlers(ctx),
    ...userHandlers(ctx),
    ...totpHandlers(ctx),
  };
}
