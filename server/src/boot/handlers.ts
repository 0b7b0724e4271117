import type { AppContext } from '../app-context.ts';
import { bankHandlers } from '../features/assessments/bank/routes.ts';
import { categoryHandlers } from '../features/assessments/categories/routes.ts';
import { imageHandlers } from '../features/assessments/images/routes.ts';
import { importHandlers } from '../features/assessments/imports/routes.ts';
import { questionHandlers } from '../features/assessments/questions/routes.ts';
import { quizHandlers } from '../features/assessments/quizzes/routes.ts';
import { structureHandlers } from '../features/assessments/structure/routes.ts';
import { answerHandlers } from '../features/attempts/answers/save-answers.ts';
import { endedAttemptHandlers } from '../features/attempts/ended/describe-end.ts';
import { evidenceHandlers } from '../features/attempts/evidence/routes.ts';
import { feedbackHandlers } from '../features/attempts/feedback/give-feedback.ts';
import { heartbeatHandlers } from '../features/attempts/heartbeat/record-heartbeat.ts';
import { messageHandlers } from '../features/attempts/messages/routes.ts';
import { paperHandlers } from '../features/attempts/paper/read-paper.ts';
import { receiptHandlers } from '../features/attempts/receipts/routes.ts';
import { scoringHandlers } from '../features/attempts/scoring/rescore-question.ts';
import { attemptHandlers } from '../features/attempts/start-and-end/routes.ts';
import { violationHandlers } from '../features/attempts/violations/routes.ts';
import { auditHandlers } from '../features/audit-log/routes.ts';
import { invitationHandlers } from '../features/invitations/invite/routes.ts';
import { outboxHandlers } from '../features/invitations/outbox/outbox.ts';
import { smtpSettingsHandlers } from '../features/invitations/smtp-settings/routes.ts';
import { actionHandlers } from '../features/review/actions/routes.ts';
import { liveHandlers } from '../features/review/live/routes.ts';
import { participantHandlers } from '../features/review/participants/routes.ts';
import { userHandlers } from '../features/review/personal-data/personal-data.ts';
import { recordHandlers } from '../features/review/record/read-record.ts';
import { reportHandlers } from '../features/review/reports/participants-report.ts';
import { retentionHandlers } from '../features/review/retention/delete-expired.ts';
import { statsHandlers } from '../features/review/statistics/routes.ts';
import { adminHandlers } from '../features/sign-in/admins/routes.ts';
import { authHandlers } from '../features/sign-in/routes.ts';
import { totpHandlers } from '../features/sign-in/two-step/routes.ts';
import { systemHandlers } from '../features/system/read-system.ts';
import type { Handlers } from '../http/endpoints.ts';

/** What answers each endpoint of the table, feature by feature. */
export function handlersOf(ctx: AppContext): Required<Handlers> {
  return {
    ...authHandlers(ctx),
    ...categoryHandlers(ctx),
    ...quizHandlers(ctx),
    ...bankHandlers(ctx),
    ...importHandlers(ctx),
    ...structureHandlers(ctx),
    ...questionHandlers(ctx),
    ...imageHandlers(ctx),
    ...invitationHandlers(ctx),
    ...outboxHandlers(ctx),
    ...paperHandlers(ctx),
    ...attemptHandlers(ctx),
    ...heartbeatHandlers(ctx),
    ...scoringHandlers(ctx),
    ...participantHandlers(ctx),
    ...recordHandlers(ctx),
    ...actionHandlers(ctx),
    ...answerHandlers(ctx),
    ...feedbackHandlers(ctx),
    ...endedAttemptHandlers(ctx),
    ...reportHandlers(ctx),
    ...smtpSettingsHandlers(ctx),
    ...statsHandlers(ctx),
    ...adminHandlers(ctx),
    ...auditHandlers(ctx),
    ...systemHandlers(ctx),
    ...retentionHandlers(ctx),
    ...liveHandlers(ctx),
    ...messageHandlers(ctx),
    ...receiptHandlers(ctx),
    ...violationHandlers(ctx),
    ...evidenceHandlers(ctx),
    ...userHandlers(ctx),
    ...totpHandlers(ctx),
  };
}
