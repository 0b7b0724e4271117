import { extraTimeOf, remainingMs } from '@invigil/core/domain/attempt';
import { emailKey } from '@invigil/core/domain/email-address';
import { codeValidUntil } from '@invigil/core/domain/one-time-code';
import { nameOf } from '@invigil/core/domain/people';
import type { Reach } from '@invigil/core/domain/rights';
import { endingRules } from '@invigil/core/domain/violations/applied-limits';
import { changedText } from '@invigil/core/texts/changed-outside';
import { preferredIn } from '@invigil/core/texts/languages';
import type { BaseContext } from '../../../app-context.ts';
import type { Tx } from '../../../db/database.ts';
import { newId } from '../../../db/new-id.ts';
import { findNamedToken } from '../../../db/queries/practice.ts';
import { getPolicy, type QuizRow, type QuizView } from '../../../db/queries/quizzes.ts';
import { withTimesOf } from '../../../db/queries/schedules.ts';
import { listInvitedNames, NOT_EVERYONE } from '../../../db/queries/seen-people.ts';
import { type InvitationParams, invitation } from '../../../deliveries/mails/invitation.ts';
import { queueMail } from '../../../deliveries/queue-mail.ts';
import { AppError } from '../../../runtime/app-error.ts';
import { hashOneTimeCode, newOneTimeCode } from '../../../security/secrets/codes.ts';
import { requireInstitution } from '../../../trust/institution.ts';
import {
  ASSESSMENTS,
  MONITORING_POLICIES,
  PEOPLE,
  readGenuine,
  requireGenuine,
} from '../../../trust/row-kinds.ts';
import { policyFor } from '../../attempts/present.ts';
import {
  type AttemptOf,
  cancelWaitingMessages,
  type InvitationRow,
  insertCodes,
  renewInvitations,
  revokeCodes,
} from './queries.ts';

/** An administrator's own texts; empty means the default ones. */
export interface Wording {
  subject?: string | null | undefined;
  message?: string | null | undefined;
}

export interface Sending {
  wording: Wording;
  /** Whether the message is a reminder. */
  reminder?: boolean;
}

/** A recipient whose invitation this transaction has locked. */
export interface Recipient {
  email: string;
  invitation: InvitationRow;
  attempt?: AttemptOf;
  /** Until when the code opens the result of someone who has finished. */
  resultUntil?: Date;
}

/**
 * Gives each recipient a new code and a message in the outbox. The earlier codes end at once, except for
 * people in progress, to whom a resend adds a second valid one (product 5).
 */
export async function sendCodes(
  tx: Tx,
  ctx: BaseContext,
  quiz: QuizRow,
  people: readonly Recipient[],
  how: Sending & { keepEarlierCodes: boolean },
  now: Date,
): Promise<void> {
  if (people.length === 0) return;
  requireGenuine(ctx, ASSESSMENTS, quiz);
  const policy = await getPolicy(tx, quiz.id, quiz.policyVersion);
  requireGenuine(ctx, MONITORING_POLICIES, policy);
  const institution = await requireInstitution(ctx, tx);
  if (!how.keepEarlierCodes) {
    const ids = people.map((p) => p.invitation.id);
    await revokeCodes(tx, ids, now);
    await cancelWaitingMessages(tx, ids, 'replaced');
  }
  const made = await makeCodes(tx, ctx, people, { opensResults: true }, now);
  // The invitation's own view of the person is used: anyone who sees its mail can read the message.
  const readers = await readReaders(tx, ctx, NOT_EVERYONE, people);
  const namedToken = await findNamedToken(tx, quiz.practiceQuizId);
  const spoken = { ...quiz, offered: institution.languages };
  const timedFor = (invited: InvitationRow) => withTimesOf({ ...quiz, namedToken }, invited);
  const messages = made.map(
    ({ email, invitation: invited, attempt, resultUntil, code, codeId }) => ({
      ...{ recipient: email, invitationId: invited.id, codeId, secret: code },
      language: preferredIn(spoken, [readers.get(invited.id)?.language ?? '']),
      params: {
        ...invitationParams(institution, timedFor(invited), policy.settings, invited, how, now),
        name: readers.get(invited.id)?.name ?? '',
        ...(resultUntil
          ? {
              opensAt: null,
              endDate: null,
              startBy: null,
              codeUntil: resultUntil.toISOString(),
              isForResult: true,
            }
          : timesOf(timedFor(invited), attempt, now)),
      },
    }),
  );
  await queueMail(tx, ctx, institution.publicUrl, invitation, messages, now);
}

/** The times in a message to someone who has begun, and whose code works as long as that lasts. */
function timesOf(
  { endDate }: QuizRow,
  { deadlineAt, continuesMs }: AttemptOf = {},
  now: Date,
): Partial<InvitationParams> {
  const leftMs = deadlineAt ? remainingMs(deadlineAt, now) : continuesMs;
  if (leftMs === undefined) return {};
  const durationMinutes = Math.max(1, Math.floor(leftMs / 60_000));
  const time = { durationMinutes, isCutAtEnd: false };
  if (!deadlineAt) return { ...time, ...(endDate ? {} : { codeUntil: null }) };
  const endsAt = deadlineAt.toISOString();
  return { ...time, opensAt: null, endDate: endsAt, startBy: null, codeUntil: null };
}

/**
 * The names of people, which may be empty, and tags of their languages, by their invitations. Throws
 * CHANGED_OUTSIDE, also where an address is not the person's.
 */
export async function readReaders(
  tx: Tx,
  ctx: Pick<BaseContext, 'keys' | 'trust'>,
  sees: Reach,
  people: readonly Recipient[],
): Promise<Map<string, { name: string; language: string | undefined }>> {
  const userIds = people.map(({ invitation }) => invitation.userId);
  const genuine = await readGenuine(ctx, tx, PEOPLE, userIds);
  // Addresses are checked again, whatever an earlier reading found: a one-time password goes to the sealed
  // address only.
  for (const { email, invitation } of people) {
    if (emailKey(genuine.get(invitation.userId)?.email ?? '') === emailKey(email)) continue;
    throw new AppError('CHANGED_OUTSIDE', { message: changedText('person') });
  }
  const rows = await listInvitedNames(
    tx,
    sees,
    people.map(({ invitation }) => invitation.id),
  );
  const userIdOf = new Map(people.map(({ invitation: { id, userId } }) => [id, userId]));
  return new Map(
    rows.map((row) => [
      row.id,
      { name: nameOf(row), language: genuine.get(userIdOf.get(row.id) ?? '')?.language },
    ]),
  );
}

/**
 * A new code for each recipient, beside earlier ones; only its hash is stored.
 *
 * @param opensResults false: only that of an attempt taken with it
 */
export async function makeCodes(
  tx: Tx,
  { keys }: Pick<BaseContext, 'keys'>,
  people: readonly Recipient[],
  { opensResults }: { opensResults: boolean },
  now: Date,
): Promise<(Recipient & { code: string; codeId: string })[]> {
  const made = people.map((person) => ({ ...person, code: newOneTimeCode(), codeId: newId() }));
  await renewInvitations(
    tx,
    made.map(({ invitation }) => invitation.id),
    now,
  );
  await insertCodes(
    tx,
    made.map(({ codeId, invitation, code }) => ({
      id: codeId,
      invitationId: invitation.id,
      codeHash: hashOneTimeCode(keys.codes, code),
      createdAt: now,
      opensResults,
    })),
  );
  return made;
}

/**
 * The times in an invitation to someone who has not begun.
 *
 * @param invitedAt the moment from which the code is valid
 */
export function timeParams(
  quiz: Pick<QuizRow, 'duration' | 'opensAt' | 'endDate' | 'startBy' | 'finishAfterEnd'>,
  extraTimeFactor: number,
  invitedAt: Date,
  now: Date,
) {
  const extra = extraTimeOf(quiz, extraTimeFactor, now);
  return {
    durationMinutes: extra ? Math.max(1, extra.atMost) : quiz.duration,
    isCutAtEnd: Boolean(extra?.startBy) && extra?.atMost === extra?.minutes,
    opensAt: quiz.opensAt?.toISOString() ?? null,
    endDate: quiz.endDate?.toISOString() ?? null,
    startBy: quiz.startBy?.toISOString() ?? null,
    codeUntil: codeValidUntil(invitedAt, quiz).toISOString(),
  };
}

/** The parameters of an invitation besides the code. */
export function invitationParams(
  { name, timeZone, publicUrl }: Awaited<ReturnType<typeof requireInstitution>>,
  quiz: Pick<QuizView, 'id' | 'title' | 'namedToken'> & Parameters<typeof timeParams>[0],
  policySettings: unknown,
  arranged: Pick<InvitationRow, 'extraTimeFactor' | 'cameraEnabled' | 'microphoneEnabled'>,
  { wording, reminder = false }: Sending,
  now: Date,
): InvitationParams {
  const policy = policyFor({ policySettings, ...arranged });
  const { camera, microphone } = policy;
  return {
    quizId: quiz.id,
    title: quiz.title,
    name: '',
    ...timeParams(quiz, arranged.extraTimeFactor, now, now),
    institution: name,
    timeZone,
    signInUrl: `${publicUrl}/login`,
    practiceUrl: quiz.namedToken && `${publicUrl}/practice/${quiz.namedToken}`,
    subject: wording.subject || null,
    message: wording.message || null,
    camera,
    microphone,
    reminder,
    isForResult: false,
    rules: endingRules(policy),
  };
}
