import type { AuditEntry } from '@invigil/core/contract/installation/audit';
import type { ParticipantRecord } from '@invigil/core/contract/review/participant-record';
import type { Verdict } from '@invigil/core/domain/attempt';
import type { AnswerRow } from '../../../db/queries/attempts/answers.ts';
import type { ParticipantListRow } from '../../../db/queries/attempts/attempt-list.ts';
import type { ParticipantView } from '../../../db/queries/attempts/attempts.ts';
import type { listParticipantEvents } from '../../../db/queries/attempts/events.ts';
import type { EvidenceRow } from '../../../db/queries/attempts/evidence.ts';
import type { FeedbackRow } from '../../../db/queries/attempts/feedback.ts';
import type { MessageRow } from '../../../db/queries/attempts/messages.ts';
import type { PaperKey } from '../../../db/queries/attempts/paper-keys.ts';
import type { ViolationRow } from '../../../db/queries/attempts/violations.ts';
import { presentMessage } from '../../attempts/messages/send-message.ts';
import type { Paper } from '../../attempts/paper/paper-cache.ts';
import { followsPhoneRules, policyFor } from '../../attempts/present.ts';
import { presentEvidenceSummary, presentViolation } from '../../attempts/violations/present.ts';
import { presentParticipant } from '../participants/present-row.ts';
import { connectionGaps, sensorsOf, verdictOf } from './present-monitoring.ts';
import { presentRecordQuestions } from './present-questions.ts';

/** The parts that make up a record. */
export interface RecordParts {
  attempt: ParticipantView;
  row: ParticipantListRow;
  paper: Paper;
  keys: readonly PaperKey[];
  answers: readonly AnswerRow[];
  hasBrokenSeal: boolean;
  lateAnswerCount: number;
  feedback: FeedbackRow | undefined;
  events: Awaited<ReturnType<typeof listParticipantEvents>>;
  earlier: readonly ParticipantListRow[];
  /** Audit entries about the attempt. */
  actions: readonly AuditEntry[];
  messages: readonly MessageRow[];
  violations: readonly ViolationRow[];
  evidence: readonly EvidenceRow[];
  evidenceDeletedAt: Date | null;
  retentionDays: number;
  /** Of the administrator who recorded the verdict. */
  reviewerEmail: string;
}

const DAY_MS = 86_400_000;

export function presentRecord(parts: RecordParts, now: Date): ParticipantRecord {
  const { attempt, row, feedback } = parts;
  const { consentAt, consentTextVersion, consentAddress } = attempt;
  return {
    participant: presentParticipant(row, now),
    deadlineAt: attempt.deadlineAt.toISOString(),
    lastSeenAt: attempt.lastSeenAt.toISOString(),
    consent:
      consentAt === null || consentTextVersion === null
        ? null
        : {
            textVersion: consentTextVersion,
            at: consentAt.toISOString(),
            address: consentAddress ?? 'Unknown',
          },
    deviceCheck: recordOf(attempt.deviceCheck),
    feedback: feedback
      ? {
          emoji: feedback.emoji,
          text: feedback.text,
          skipped: feedback.skipped,
          at: feedback.createdAt.toISOString(),
        }
      : null,
    note: attempt.note,
    questions: presentRecordQuestions(parts),
    lateAnswerCount: parts.lateAnswerCount,
    events: parts.events.map(({ kind, at, details }) => ({
      kind,
      at: at.toISOString(),
      details: recordOf(details),
    })),
    earlierAttempts: parts.earlier.map((other) => presentParticipant(other, now)),
    actions: parts.actions.map(({ at, action, adminEmail, details }) => ({
      at,
      action,
      adminEmail: adminEmail ?? 'System',
      reason: typeof details?.reason === 'string' ? details.reason : null,
      verdict: verdictIn(details?.verdict),
    })),
    messages: parts.messages.map(presentMessage),
    violations: parts.violations.map((violation) => presentViolation(violation, parts.evidence)),
    periodicEvidence: parts.evidence
      .filter(({ violationId }) => violationId === null)
      .map(presentEvidenceSummary),
    evidenceKeptUntil:
      attempt.submittedAt === null
        ? null
        : new Date(attempt.submittedAt.getTime() + parts.retentionDays * DAY_MS).toISOString(),
    evidenceDeletedAt: parts.evidenceDeletedAt?.toISOString() ?? null,
    connectionGaps: connectionGaps(attempt, parts.events, now),
    sensors: sensorsOf(attempt),
    fullscreenExits: attempt.fullscreenExits,
    tabSwitches: attempt.tabSwitches,
    isPhone: attempt.isPhone,
    computerUsed: !followsPhoneRules(attempt),
    policy: { version: attempt.policyVersion, ...policyFor(attempt) },
    verdict: verdictOf(attempt, parts.reviewerEmail),
    ...(parts.hasBrokenSeal ? { hasBrokenSeal: true } : {}),
  };
}

function verdictIn(value: unknown): Verdict | null {
  return value === 'no_concern' || value === 'talk' || value === 'breach' ? value : null;
}

/** A stored JSON value as an object, or `null` if it is none. */
function recordOf(json: unknown): Record<string, unknown> | null {
  return typeof json === 'object' && json !== null
    ? Object.fromEntries(Object.entries(json))
    : null;
}
