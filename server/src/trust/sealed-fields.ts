import { createHash } from 'node:crypto';
import { stableJson } from '@invigil/core/domain/questions/question-versions';
import type { StoredAnswer } from '../db/queries/attempts/answers.ts';
import type { PaperKey } from '../db/queries/attempts/paper-keys.ts';
import type { questionVersions } from '../db/schema/assessments.ts';
import type { certificates, participants } from '../db/schema/attempts.ts';
import type { evidence } from '../db/schema/monitoring.ts';
import type { sessions } from '../db/schema/sessions.ts';
import type { admins, adminTotp, pendingSignIns, signInPolicy } from '../db/schema/sign-in.ts';
import type { SealedField } from './row-seal.ts';

/*
 * The fields that the seal of each kind of row covers. Adding one here breaks every existing seal: a new
 * field needs a new context, and resealed rows.
 */

type Admin = Pick<typeof admins.$inferSelect, 'email' | 'passwordHash' | 'grants' | 'createdAt'>;
type Totp = typeof adminTotp.$inferSelect;

/**
 * A second step counts once it is confirmed. The time of the last sign-in and the last used code change
 * at every sign-in and are not covered.
 */
export function adminFields(admin: Admin, totp: Totp | null): SealedField[] {
  const step = totp?.confirmedAt
    ? [digest(totp.sealedSecret), time(totp.createdAt), time(totp.confirmedAt)]
    : null;
  const { email, passwordHash, createdAt, grants } = admin;
  return [email, passwordHash, time(createdAt), step, stableJson(grants)];
}

type Policy = Pick<typeof signInPolicy.$inferSelect, 'totpRequired' | 'updatedAt'>;

export function policyFields(row: Policy): SealedField[] {
  return [row.totpRequired, time(row.updatedAt)];
}

type AdminSession = Pick<
  typeof sessions.$inferSelect,
  'adminId' | 'tokenHash' | 'createdAt' | 'expiresAt'
>;

/** The last activity and the end of a session change and are not covered. */
export function sessionFields(row: AdminSession): SealedField[] {
  return [row.adminId, row.tokenHash.toString('hex'), time(row.createdAt), time(row.expiresAt)];
}

export function pendingFields(
  row: Pick<typeof pendingSignIns.$inferSelect, 'adminId' | 'expiresAt'>,
): SealedField[] {
  return [row.adminId, time(row.expiresAt)];
}

type Participant = typeof participants.$inferSelect;

/** The columns of an attempt that are its result. */
export type Result = Pick<
  Participant,
  | 'invitationId'
  | 'userId'
  | 'quizId'
  | 'attempt'
  | 'policyVersion'
  | 'status'
  | 'submissionType'
  | 'startedAt'
  | 'deadlineAt'
  | 'pausedUntil'
  | 'pausedMs'
  | 'submittedAt'
  | 'score'
  | 'totalMarks'
  | 'points'
  | 'maxPoints'
  | 'countsRight'
  | 'negativeMarks'
  | 'sections'
  | 'answeredCount'
  | 'receiptId'
  | 'replacedAt'
  | 'replacedHow'
  | 'addedMinutes'
  | 'verdict'
  | 'verdictNote'
  | 'verdictAt'
  | 'verdictBy'
>;

/** An ended attempt: its result, its paper with the key of each question, and its final answers. */
export function resultFields(
  row: Result,
  keys: readonly PaperKey[],
  answers: readonly StoredAnswer[],
): SealedField[] {
  // Only where there are any: other seals stay as they were.
  const hasPoints = row.points !== null || row.maxPoints !== null;
  const points = hasPoints ? [row.points, row.maxPoints] : [];
  const counting = row.countsRight === null ? [] : ['right'];
  const added = row.addedMinutes === null ? [] : [row.addedMinutes];
  const paused =
    row.pausedUntil === null && row.pausedMs === 0 ? [] : [time(row.pausedUntil), row.pausedMs];
  const keyOf = ({ details }: PaperKey) => (details === null ? [] : [JSON.stringify(details)]);
  return [
    [row.invitationId, row.userId, row.quizId, row.attempt, row.policyVersion],
    [row.status, row.submissionType, row.receiptId],
    [time(row.startedAt), time(row.deadlineAt), time(row.submittedAt), ...paused],
    [row.score, row.totalMarks, row.answeredCount, ...points, ...counting],
    [time(row.replacedAt), row.replacedHow, ...added],
    [row.verdict, row.verdictNote, time(row.verdictAt), row.verdictBy],
    [...keys]
      .sort((a, b) => a.position - b.position)
      .map((k) => [
        k.position,
        k.questionId,
        k.questionVersion,
        k.optionOrder,
        k.correctOptionId,
        ...keyOf(k),
        ...correctionOf(k),
      ]),
    [...answers]
      .sort((a, b) => (a.questionId < b.questionId ? -1 : 1))
      .map((a) => [
        a.questionId,
        a.optionId,
        a.isFlagged,
        a.revision,
        ...(a.response === null ? [] : [a.response]),
      ]),
    ...(row.negativeMarks === null ? [] : [stableJson(row.negativeMarks)]),
    ...(row.sections?.some(({ points }) => points !== undefined)
      ? [['sections', stableJson(row.sections)]]
      : []),
  ];
}

/** Only where there is one: other seals stay as they were. */
function correctionOf({ correction }: Pick<VersionKey, 'correction'>): SealedField[] {
  return correction === null ? [] : [stableJson(correction)];
}

/** The columns of a question version that scoring reads, and the digest of its texts. */
export type VersionKey = Pick<
  typeof questionVersions.$inferSelect,
  'optionIds' | 'correctOptionId' | 'details' | 'correction'
> & { textsDigest: string };

export function versionFields(row: VersionKey): SealedField[] {
  const details = row.details === null ? null : stableJson(row.details);
  return [row.textsDigest, row.optionIds, row.correctOptionId, details, ...correctionOf(row)];
}

/** SHA-256 of the texts in hexadecimal; the database computes the same (`textsDigest`). */
export function digestOfTexts({
  question,
  optionTexts,
}: Pick<typeof questionVersions.$inferSelect, 'question' | 'optionTexts'>): string {
  return digest(Buffer.from(JSON.stringify([question, ...optionTexts])));
}

type Evidence = Omit<typeof evidence.$inferSelect, 'id' | 'seal'>;

export function evidenceFields(row: Evidence): SealedField[] {
  return [
    row.participantId,
    row.violationId,
    time(row.at),
    time(row.receivedAt),
    time(row.storedAt),
    row.stills,
    row.hasLevels,
    row.bytes,
  ];
}

/** The fields of a certificate, whose number is its id. */
export function certificateFields(
  row: Omit<typeof certificates.$inferSelect, 'seal'>,
): SealedField[] {
  return [row.participantId, time(row.issuedAt), time(row.revokedAt), stableJson(row.content)];
}

function time(at: Date | null): string | null {
  return at?.toISOString() ?? null;
}

function digest(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
