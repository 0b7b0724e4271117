import { ViolationAnswer } from '@invigil/core/contract/attempts/violations';
import { acceptsSaves, dueTimeAfter, isPaused, wasPausedAt } from '@invigil/core/domain/attempt';
import { VIOLATION_LIMITS } from '@invigil/core/domain/limits';
import {
  combinedCount,
  evaluateViolation,
  remainingOf,
  type ViolationRules,
} from '@invigil/core/domain/violations/violation-counting';
import {
  type CountingType,
  type FlagType,
  isCountingType,
  isLifecycleType,
  type LifecycleType,
  levelOf,
  reportGroupOf,
  sensorOf,
  UNSEEN,
} from '@invigil/core/domain/violations/violation-types';
import type { BaseContext } from '../../../app-context.ts';
import type { Tx } from '../../../db/database.ts';
import { newId } from '../../../db/new-id.ts';
import { findLastSaveAt } from '../../../db/queries/attempts/answers.ts';
import type { ParticipantView } from '../../../db/queries/attempts/attempts.ts';
import {
  addReviewFlag,
  addViolationCall,
  setViolationCounts,
} from '../../../db/queries/attempts/changes.ts';
import { setDueTime } from '../../../db/queries/attempts/ends.ts';
import { insertParticipantEvent } from '../../../db/queries/attempts/events.ts';
import { notifyAttempts } from '../../../db/queries/attempts/news.ts';
import {
  countReportsSince,
  findViolation,
  type Reported,
  readTally,
} from '../../../db/queries/attempts/violations.ts';
import type { ParticipantSession } from '../../../db/queries/sessions.ts';
import { inTransaction } from '../../../db/transaction.ts';
import type { Handlers } from '../../../http/endpoints.ts';
import { AppError } from '../../../runtime/app-error.ts';
import { Reply } from '../../../runtime/reply.ts';
import { deviceOf, type RequestOrigin } from '../../../security/request-device.ts';
import { requireLive } from '../../../sessions/guards.ts';
import { recordDevice } from '../device.ts';
import { closed, lockOwn } from '../own-attempt.ts';
import { followsPhoneRules, policyFor, violationCount } from '../present.ts';
import { storeViolation } from '../store-violation.ts';
import { noteViolation } from './note-violation.ts';

const MINUTE_MS = 60_000;

export interface Report {
  participantId: string;
  violationType: CountingType | FlagType | LifecycleType;
  notes: string | null;
  /** The page could not show a warning. */
  isUnseen?: boolean;
  id: string | undefined;
  ageMs: number;
  durationMs: number | null;
  engine: string | null;
  from: RequestOrigin;
}

/**
 * Stores a report, counts it as far as the attempt's own policy allows, and dismisses when a limit is
 * reached (I14, I15). The attempt is locked, so that reports count one after the other. A known id
 * changes nothing and returns the first answer.
 *
 * Throws NOT_FOUND, SESSION_REPLACED, ATTEMPT_CLOSED, TOO_MANY_VIOLATIONS.
 */
export async function reportViolation(
  ctx: BaseContext,
  session: ParticipantSession,
  report: Report,
  now: Date,
): Promise<{ isNew: boolean; answer: ViolationAnswer }> {
  const stored = await inTransaction(ctx.db, async (tx) => {
    const attempt = await lockOwn(tx, session, report.participantId);
    const known = report.id === undefined ? undefined : await findViolation(tx, report.id);
    if (known) {
      if (known.participantId !== attempt.id) throw new AppError('NOT_FOUND');
      return { isNew: false, answer: ViolationAnswer.parse(known.answer) };
    }
    if (attempt.sessionId !== session.id) throw new AppError('SESSION_REPLACED');
    if (isLifecycleType(report.violationType)) {
      if (attempt.submittedAt !== null) await requireLive(tx, session.id, now);
      const answer = await recordLifecycle(tx, attempt, report, report.violationType, now);
      return { isNew: true, answer };
    }
    if (!acceptsSaves(attempt.status, attempt.closeAt, now)) throw closed(attempt);
    if (isSwitchedOff(attempt, report.violationType) || isPaused(attempt, now)) {
      return { isNew: true, answer: await ignore(tx, attempt, report, report.violationType) };
    }
    // Before counting: the tab rule of computers applies from a computer's first request.
    const noted = await recordDevice(tx, attempt, deviceOf(report.from), now);
    return { isNew: true, answer: await record(tx, noted, report, report.violationType, now) };
  });
  if (stored.isNew)
    ctx.metrics.violations.inc({
      type: report.violationType,
      counted: String(stored.answer.counted),
    });
  return stored;
}

/** A sensor that is off, by the policy or for this person, can report nothing: no row, no mark. */
function isSwitchedOff(attempt: ParticipantView, type: CountingType | FlagType): boolean {
  const sensor = sensorOf(type);
  return sensor !== 'page' && !policyFor(attempt)[sensor];
}

async function ignore(
  tx: Tx,
  attempt: ParticipantView,
  report: Report,
  type: CountingType | FlagType,
): Promise<ViolationAnswer> {
  const { tally } = await readTally(tx, attempt.id);
  return {
    id: report.id ?? newId(),
    counted: false,
    violationCount: violationCount(attempt),
    remaining: isCountingType(type) ? remainingOf(rulesOf(attempt), tally, type) : null,
    status: attempt.status,
  };
}

async function recordLifecycle(
  tx: Tx,
  attempt: ParticipantView,
  report: Report,
  type: LifecycleType,
  now: Date,
): Promise<ViolationAnswer> {
  const { tally } = await readTallyWithin(tx, attempt.id, report, now);
  await insertParticipantEvent(tx, {
    participantId: attempt.id,
    kind: 'reported',
    at: now,
    details: { type },
  });
  const { id = newId(), notes, engine } = report;
  const remaining = remainingOf(rulesOf(attempt), tally, 'face_not_detected');
  return storeViolation(tx, attempt, { id, type, at: now, notes, engine, remaining }, now);
}

async function record(
  tx: Tx,
  attempt: ParticipantView,
  report: Report,
  type: CountingType | FlagType,
  now: Date,
): Promise<ViolationAnswer> {
  const before = await readTallyWithin(tx, attempt.id, report, now);
  const rules = rulesOf(attempt);
  const savedAt = await findLastSaveAt(tx, attempt.id);
  const requests = [attempt.lastSeenAt, before.lastReceivedAt, savedAt];
  const at = timeOfEvent(requests, report.ageMs, now);
  // The page did not know of the pause yet.
  if (wasPausedAt(attempt, at)) return ignore(tx, attempt, report, type);
  const { id = newId(), durationMs, engine } = report;
  const verdict =
    isCountingType(type) && !report.isUnseen
      ? evaluateViolation(rules, before.tally, { type, at, durationMs })
      : { counted: false, tally: before.tally, dismiss: false };
  const counts = {
    countedViolations: combinedCount(rules.policy, verdict.tally),
    fullscreenExits: verdict.tally.fullscreenExits,
    tabSwitches: verdict.tally.tabSwitches,
  };
  const { counted } = verdict;
  if (counted) await setViolationCounts(tx, attempt.id, counts);
  // A page that shows no warnings may be one that was made so.
  const isFlag = !isCountingType(type) && levelOf(type, durationMs) !== 'info';
  // A violation that the policy does not combine is in no count that a reviewer's list is made of.
  const isApart =
    counted &&
    sensorOf(type) !== 'page' &&
    counts.countedViolations === combinedCount(rules.policy, before.tally);
  if (isFlag || isApart || report.isUnseen) await addReviewFlag(tx, attempt.id);
  if (verdict.dismiss) await dismiss(tx, attempt, type, rules.policy.dismissDelayMs, now);
  const remaining = isCountingType(type) ? remainingOf(rules, verdict.tally, type) : null;
  const violation = {
    id,
    type,
    at,
    counted,
    durationMs,
    engine,
    remaining,
    notes: notesOf(report),
  };
  return storeViolation(tx, { ...attempt, ...counts }, violation, now);
}

function notesOf({ isUnseen, notes }: Report): string | null {
  if (!isUnseen) return notes;
  return `${UNSEEN}${notes ?? ''}`.slice(0, VIOLATION_LIMITS.notesMaxCharacters).toWellFormed();
}

/** The first limit that is reached decides; one that follows within the last second changes nothing. */
async function dismiss(
  tx: Tx,
  attempt: ParticipantView,
  type: string,
  delayMs: number,
  now: Date,
): Promise<void> {
  if (attempt.closeReason === 'dismissed') return;
  const due = dueTimeAfter(attempt, 'dismissed', now, delayMs);
  await setDueTime(tx, attempt.id, due);
  await insertParticipantEvent(tx, {
    participantId: attempt.id,
    kind: 'limit_reached',
    at: now,
    details: { type },
  });
  await notifyAttempts(tx, [attempt.id]);
}

/**
 * When it happened by the service clock: the receipt minus its age, but not before the attempt's previous
 * request, which would have reported it (product 6).
 */
function timeOfEvent(requests: readonly (Date | null)[], ageMs: number, now: Date): Date {
  const earliest = Math.max(...requests.map((at) => at?.getTime() ?? 0));
  return new Date(Math.min(now.getTime(), Math.max(now.getTime() - ageMs, earliest)));
}

/** The rules that an attempt runs under. */
export function rulesOf(attempt: ParticipantView): ViolationRules {
  const { cameraEnabled, microphoneEnabled } = attempt;
  const isPhone = followsPhoneRules(attempt);
  return { policy: policyFor(attempt), cameraEnabled, microphoneEnabled, isPhone };
}

/**
 * The reports of an attempt so far, within the quota of their group: a page that reports endlessly is broken
 * or forged; a queue after a long gap fits in. The first report to fill a group flags the attempt for review,
 * because further ones are not stored. Throws TOO_MANY_VIOLATIONS.
 */
async function readTallyWithin(
  tx: Tx,
  id: string,
  { violationType, durationMs }: Report,
  now: Date,
): Promise<Reported> {
  const reported = await readTally(tx, id);
  const group = reportGroupOf(violationType, durationMs);
  const before = reported.perGroup[group];
  if (before >= VIOLATION_LIMITS.perAttempt) {
    // Permanent: a retry is useless.
    throw new AppError('TOO_MANY_VIOLATIONS', { details: { isFull: true } });
  }
  if (before >= VIOLATION_LIMITS.perMinute) {
    const minuteAgo = new Date(now.getTime() - MINUTE_MS);
    if ((await countReportsSince(tx, id, group, minuteAgo)) >= VIOLATION_LIMITS.perMinute) {
      throw new AppError('TOO_MANY_VIOLATIONS', { retryAfterSeconds: 60 });
    }
  }
  if (before === VIOLATION_LIMITS.perAttempt - 1) await addReviewFlag(tx, id);
  return reported;
}

export function violationHandlers(ctx: BaseContext) {
  return {
    async reportViolation({ body, session, request, now }) {
      const report = {
        participantId: body.participantId,
        violationType: body.violationType,
        notes: body.notes ?? null,
        isUnseen: body.unseen === true,
        id: body.id,
        ageMs: body.ageMs ?? 0,
        durationMs: body.durationMs ?? null,
        engine: body.engine ?? null,
        from: request,
      };
      const { isNew, answer } = await reportViolation(ctx, session, report, now);
      return new Reply(isNew ? 201 : 200, answer);
    },
    async countViolation({ params, session, now }) {
      return { violationCount: await countViolationCall(ctx, session, params.id, now) };
    },
    async noteViolation({ params, body, session, now }) {
      await noteViolation(ctx, session, params.id, body.note, now);
      return { id: params.id, note: body.note };
    },
  } satisfies Handlers;
}

/**
 * Counts a call of the specification's counter endpoint, which never ends an attempt (product 6). Throws
 * NOT_FOUND, SESSION_REPLACED, ATTEMPT_CLOSED, TOO_MANY_VIOLATIONS.
 */
function countViolationCall(
  ctx: BaseContext,
  session: ParticipantSession,
  participantId: string,
  now: Date,
): Promise<number> {
  return inTransaction(ctx.db, async (tx) => {
    const attempt = await lockOwn(tx, session, participantId);
    if (attempt.sessionId !== session.id) throw new AppError('SESSION_REPLACED');
    if (!acceptsSaves(attempt.status, attempt.closeAt, now)) throw closed(attempt);
    if (attempt.violationCalls >= VIOLATION_LIMITS.perAttempt) {
      throw new AppError('TOO_MANY_VIOLATIONS', { details: { isFull: true } });
    }
    if (isPaused(attempt, now)) return violationCount(attempt);
    await addViolationCall(tx, attempt.id);
    return violationCount({ ...attempt, violationCalls: attempt.violationCalls + 1 });
  });
}
