import type { AuditEntry } from '@invigil/core/contract/audit';
import type { ParticipantRecord } from '@invigil/core/contract/participant-record';
import type { Verdict } from '@invigil/core/domain/attempt';
import type { Paper } from '../answers/paper-cache.ts';
import type { AnswerRow } from '../answers/queries.ts';
import type { EvidenceRow } from '../evidence/queries.ts';
import type { FeedbackRow } from '../feedback/queries.ts';
import { presentMessage } from '../messages/present.ts';
import type { MessageRow } from '../messages/queries.ts';
import { presentEvidenceSummary, presentViolation } from '../violations/present.ts';
import type { ViolationRow } from '../violations/queries.ts';
import type { ParticipantListRow } from './list-queries.ts';
import { goesByPhoneRules, policyFor } from './present.ts';
import { connectionGaps, sensorsOf, verdictOf } from './present-monitoring.ts';
import { presentParticipant } from './present-row.ts';
import type { listParticipantEvents, ParticipantView } from './queries.ts';

/** What the record is put together from. */
export interface RecordParts {
  attempt: ParticipantView;
  row: ParticipantListRow;
  paper: Paper;
  keys: ReadonlyMap<string, number>;
  answers: readonly AnswerRow[];
  hasBrokenSeal: boolean;
  lateAnswerCount: number;
  feedback: FeedbackRow | undefined;
  events: Awaited<ReturnType<typeof listParticipantEvents>>;
  earlier: readonly ParticipantListRow[];
  /** Audit entries about the attempt. */
  deeds: readonly AuditEntry[];
  messages: readonly MessageRow[];
  violations: readonly ViolationRow[];
  evidence: readonly EvidenceRow[];
  evidenceDeletedAt: Date | null;
  retentionDays: number;
  /** Of whoever gave the verdict. */
  judgeEmail: string;
}

const DAY_MS = 86_400_000;

export function presentRecord(parts: RecordParts, now: Date): ParticipantRecord {
  const { attempt, row, feedback } = parts;
  const answers = new Map(parts.answers.map((answer) => [answer.questionId, answer]));
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
    questions: parts.paper.entries.map(({ position, questionId, optionOrder, content }) => {
      const answer = answers.get(questionId);
      const chosen = answer?.optionId ?? null;
      const right = parts.keys.get(questionId) ?? 0;
      return {
        position,
        questionId,
        question: content.question,
        options: optionOrder.map((id) => content.textOf.get(id) ?? ''),
        correctAnswer: content.textOf.get(right) ?? '',
        selectedOption: chosen === null ? '' : (content.textOf.get(chosen) ?? ''),
        isFlagged: answer?.isFlagged ?? false,
        isCorrect: chosen === right,
        savedAt: answer?.savedAt.toISOString() ?? null,
      };
    }),
    lateAnswerCount: parts.lateAnswerCount,
    events: parts.events.map(({ kind, at, details }) => ({
      kind,
      at: at.toISOString(),
      details: recordOf(details),
    })),
    earlierAttempts: parts.earlier.map((other) => presentParticipant(other, now)),
    deeds: parts.deeds.map(({ at, action, adminEmail, details }) => ({
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
    computerUsed: !goesByPhoneRules(attempt),
    policy: { version: attempt.policyVersion, ...policyFor(attempt) },
    verdict: verdictOf(attempt, parts.judgeEmail),
    ...(parts.hasBrokenSeal ? { hasBrokenSeal: true } : {}),
  };
}

function verdictIn(value: unknown): Verdict | null {
  return value === 'no_concern' || value === 'talk' || value === 'breach' ? value : null;
}

/** A stored document, where it is one. */
function recordOf(json: unknown): Record<string, unknown> | null {
  return typeof json === 'object' && json !== null
    ? Object.fromEntries(Object.entries(json))
    : null;
}
