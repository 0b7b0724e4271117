import { ScoreChange } from '@invigil/core/contract/assessments/questions';
import type { AuditEntry } from '@invigil/core/contract/installation/audit';
import type {
  GivenVerdict,
  ParticipantRecord,
  SensorState,
} from '@invigil/core/contract/review/participant-record';
import { deadlineShown, type Verdict } from '@invigil/core/domain/attempt';
import { definitionOf } from '@invigil/core/domain/questions/question-versions';
import type { Counting } from '@invigil/core/domain/retakes';
import { isLanguage } from '@invigil/core/texts/languages';
import type { AnswerRow } from '../../db/queries/attempts/answers.ts';
import type { ParticipantListRow } from '../../db/queries/attempts/attempt-list.ts';
import type { ParticipantView } from '../../db/queries/attempts/attempts.ts';
import type { listParticipantEvents } from '../../db/queries/attempts/events.ts';
import type { EvidenceRow } from '../../db/queries/attempts/evidence.ts';
import type { FeedbackRow } from '../../db/queries/attempts/feedback.ts';
import type { MessageRow } from '../../db/queries/attempts/messages.ts';
import type { PaperKey } from '../../db/queries/attempts/paper-keys.ts';
import type { ReleaseRow } from '../../db/queries/attempts/releases.ts';
import type { ViolationRow } from '../../db/queries/attempts/violations.ts';
import { systemText, unknownText } from '../../formats/sheets/cell-words.ts';
import { answerText, rowsOf, UNANSWERED } from '../attempts/answers/answer-text.ts';
import type { Paper } from '../attempts/paper-cache.ts';
import {
  followsPhoneRules,
  listEarned,
  policyFor,
  policyOf,
  presentParticipant,
} from '../attempts/present.ts';
import { presentMessage } from '../attempts/send-message.ts';
import { gapSince } from '../attempts/start-and-end/start-participant.ts';
import { presentEvidenceSummary, presentViolation } from '../attempts/violations/present.ts';
import type { presentCertificates } from '../results/certificates.ts';

export interface RecordParts {
  attempt: ParticipantView;
  row: ParticipantListRow;
  paper: Paper;
  keys: readonly PaperKey[];
  answers: readonly AnswerRow[];
  hasBrokenSeal: boolean;
  lateAnswerCount: number;
  releases: readonly ReleaseRow[];
  /** `issuedBy` is an id here. */
  certificates: Awaited<ReturnType<typeof presentCertificates>>;
  /** Addresses of administrators by id. */
  adminEmails: ReadonlyMap<string, string>;
  feedback: FeedbackRow | undefined;
  events: Awaited<ReturnType<typeof listParticipantEvents>>;
  /** All attempts of the person at the assessment, newest first. */
  attempts: readonly (ParticipantListRow & { replacedHow: string | null })[];
  /** Which attempt counts by the rule of the assessment. */
  counts: Counting;
  /** Audit entries about the attempt. */
  actions: readonly AuditEntry[];
  messages: readonly MessageRow[];
  violations: readonly ViolationRow[];
  ending: { id: string } | null;
  evidence: readonly EvidenceRow[];
  evidenceDeletedAt: Date | null;
  retentionDays: number;
  /** The address of the administrator who recorded the verdict. */
  reviewerEmail: string;
}

const DAY_MS = 86_400_000;
const Change = ScoreChange.omit({ participantId: true, userEmail: true });

export function presentRecord(parts: RecordParts, now: Date): ParticipantRecord {
  const { attempt, row, feedback } = parts;
  const { consentAt, consentTextVersion, consentAddress, consentLanguage } = attempt;
  return {
    participant: presentParticipant(row, now),
    deadlineAt: deadlineShown(attempt, attempt.submittedAt ?? now).toISOString(),
    lastSeenAt: attempt.lastSeenAt.toISOString(),
    consent:
      consentAt === null || consentTextVersion === null
        ? null
        : {
            textVersion: consentTextVersion,
            ...(consentLanguage !== null && isLanguage(consentLanguage)
              ? { language: consentLanguage }
              : {}),
            at: consentAt.toISOString(),
            address: consentAddress ?? unknownText(),
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
    ...(parts.releases.length === 0
      ? {}
      : {
          releases: parts.releases.map(({ releasedAt, releasedBy, result }) => ({
            at: releasedAt.toISOString(),
            by: releasedBy && (parts.adminEmails.get(releasedBy) ?? unknownText()),
            percent: result.percent,
            ...(result.outcome ? { outcome: result.outcome } : {}),
            ...result.course,
          })),
        }),
    ...(parts.certificates.length === 0
      ? {}
      : {
          certificates: parts.certificates.map(({ issuedBy, ...certificate }) => ({
            ...certificate,
            issuedBy: issuedBy && (parts.adminEmails.get(issuedBy) ?? unknownText()),
          })),
        }),
    events: parts.events.map(({ kind, at, details }) => ({
      kind,
      at: at.toISOString(),
      details: recordOf(details),
    })),
    ...presentOthers(parts, now),
    actions: parts.actions.map(({ at, action, adminEmail, details }) => ({
      at,
      action,
      adminEmail: adminEmail ?? systemText(),
      reason: typeof details?.reason === 'string' ? details.reason : null,
      verdict: verdictIn(details?.verdict),
      ...(action === 'participant.rescored' ? { change: Change.parse(details) } : {}),
    })),
    messages: parts.messages.map(presentMessage),
    violations: parts.violations.map((violation) => presentViolation(violation, parts.evidence)),
    ...(parts.ending ? { endingViolationId: parts.ending.id } : {}),
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

function presentOthers(
  { attempt, attempts, counts }: Pick<RecordParts, 'attempt' | 'attempts' | 'counts'>,
  now: Date,
): Pick<ParticipantRecord, 'earlierAttempts' | 'laterAttempts' | 'retakes'> {
  const shown = (some: RecordParts['attempts']) => some.map((one) => presentParticipant(one, now));
  const later = attempts.filter((other) => other.attempt > attempt.attempt);
  const isRetaken = attempts.some(({ replacedHow }) => replacedHow === 'retake');
  const counting = attempts.find(({ replacedHow }) => replacedHow === null)?.id ?? null;
  return {
    earlierAttempts: shown(attempts.filter((other) => other.attempt < attempt.attempt)),
    ...(isRetaken ? { retakes: { counts, counting } } : {}),
    ...(isRetaken && later.length > 0 ? { laterAttempts: shown(later.toReversed()) } : {}),
  };
}

/** A stored JSON value as an object, or `null` if it is none. */
function recordOf(json: unknown): Record<string, unknown> | null {
  return typeof json === 'object' && json !== null
    ? Object.fromEntries(Object.entries(json))
    : null;
}

/** The sensors that were on, and those that were switched off for this person. */
function sensorsOf(
  attempt: Pick<ParticipantView, 'policySettings' | 'cameraEnabled' | 'microphoneEnabled'>,
): { camera: SensorState; microphone: SensorState; fullscreen: SensorState } {
  const policy = policyOf(attempt);
  const state = (isRequired: boolean, isEnabled: boolean): SensorState => {
    if (!isRequired) return 'off';
    return isEnabled ? 'on' : 'not_applicable';
  };
  return {
    camera: state(policy.camera, attempt.cameraEnabled),
    microphone: state(policy.microphone, attempt.microphoneEnabled),
    fullscreen: state(policy.fullscreen, true),
  };
}

/**
 * Times without contact with the browser, including one that is still open or lasted until the end.
 */
function connectionGaps(
  attempt: ParticipantView,
  events: Awaited<ReturnType<typeof listParticipantEvents>>,
  now: Date,
): { from: string; to: string }[] {
  const gaps = events.flatMap(({ kind, at, details }) => {
    const from = kind === 'gap' ? fromOf(details) : undefined;
    return from === undefined ? [] : [{ from, to: at.toISOString() }];
  });
  const end = attempt.submittedAt ?? now;
  const last = gapSince(attempt.lastSeenAt, end);
  return last ? [...gaps, { from: last.details.from, to: end.toISOString() }] : gaps;
}

function fromOf(details: unknown): string | undefined {
  const hasFrom = typeof details === 'object' && details !== null && 'from' in details;
  return hasFrom && typeof details.from === 'string' ? details.from : undefined;
}

function verdictOf(attempt: ParticipantView, adminEmail: string): GivenVerdict | null {
  if (attempt.verdict === null || attempt.verdictAt === null) return null;
  return {
    verdict: attempt.verdict,
    note: attempt.verdictNote,
    at: attempt.verdictAt.toISOString(),
    adminEmail,
  };
}

/** The paper with key, answers and points, in its order. */
function presentRecordQuestions({
  attempt,
  paper,
  keys,
  answers,
}: RecordParts): ParticipantRecord['questions'] {
  return listEarned(attempt, paper, keys, answers).map(({ entry, key, answer, earned }) => {
    const { position, questionId, optionOrder, content } = entry;
    const texts = (ids: readonly number[]) => ids.map((id) => content.textOf.get(id) ?? '');
    const definition =
      key &&
      definitionOf({
        ...key,
        question: content.question,
        optionTexts: texts(key.optionIds),
      });
    const correct = definition?.options.filter((option) => option.isCorrect) ?? [];
    const rows = key && rowsOf(key, content.textOf, optionOrder, answer);
    return {
      position,
      questionId,
      question: content.question,
      options: texts(optionOrder),
      correctAnswer: correct.map((option) => option.text).join(', '),
      selectedOption: answerText(entry, answer ?? UNANSWERED),
      ...(rows ? { rows } : {}),
      isFlagged: answer?.isFlagged ?? false,
      savedAt: answer?.savedAt.toISOString() ?? null,
      ...earned,
      ...(key?.details ? { definition } : {}),
      ...(key?.correction ? { correction: key.correction.kind } : {}),
    };
  });
}
