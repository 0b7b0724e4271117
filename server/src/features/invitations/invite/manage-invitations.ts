import type { ParsedBodyOf } from '@invigil/core/contract/definition/endpoint';
import type {
  Invitation,
  InvitationResult,
  updateInvitation,
} from '@invigil/core/contract/invitations/invitations';
import { retakeAfter } from '@invigil/core/domain/retakes';
import { may } from '@invigil/core/domain/rights';
import { storedRule } from '@invigil/core/domain/schedule';
import { INVITATION_REASONS } from '@invigil/core/texts/invitation-reasons';
import { languagesOf } from '@invigil/core/texts/languages';
import { momentText, noEndText } from '@invigil/core/texts/moments';
import type { BaseContext } from '../../../app-context.ts';
import type { Tx } from '../../../db/database.ts';
import { findCurrentParticipant, listAttemptsOf } from '../../../db/queries/attempts/attempts.ts';
import { notifyAttempts } from '../../../db/queries/attempts/news.ts';
import { lockInvitation } from '../../../db/queries/codes.ts';
import { wasMailDelivered } from '../../../db/queries/outbox.ts';
import { listPlaces } from '../../../db/queries/places.ts';
import { previewUntil, storePreviewCode } from '../../../db/queries/preview-codes.ts';
import { countDrafts } from '../../../db/queries/question-pool.ts';
import {
  findQuiz,
  lockQuiz,
  lockQuizOfResults,
  type QuizRow,
  type QuizView,
} from '../../../db/queries/quizzes.ts';
import { withTimesOf } from '../../../db/queries/schedules.ts';
import { endSessionsOfRevoked } from '../../../db/queries/session-changes.ts';
import { findSmtpSettings } from '../../../db/queries/smtp-settings.ts';
import { invitation as invitationMail } from '../../../deliveries/mails/invitation.ts';
import { renderMail } from '../../../deliveries/mails/mail.ts';
import { queueMail } from '../../../deliveries/queue-mail.ts';
import { unknownText } from '../../../formats/sheets/cell-words.ts';
import type { Handlers } from '../../../http/endpoints.ts';
import { AppError } from '../../../runtime/app-error.ts';
import { sealForPerson } from '../../../security/person-key.ts';
import { hashOneTimeCode, newOneTimeCode } from '../../../security/secrets/codes.ts';
import type { Write } from '../../../sessions/command.ts';
import { requireUnarchived } from '../../../sessions/guards.ts';
import { readInstitution, requireInstitution } from '../../../trust/institution.ts';
import { canContinue, isQuizOpen } from '../../assessments/present-quiz.ts';
import { findOpenResult } from '../../attempts/release-results.ts';
import { countKeyReaders } from '../../results/releases.ts';
import { findInvitation, listInvitedPeople } from '../list/list-queries.ts';
import { presentInvitation } from '../list/present.ts';
import { inviteToQuiz } from './invite-to-quiz.ts';
import {
  type AttemptOf,
  cancelWaitingMessages,
  findWaiting,
  type InvitationRow,
  listLatestAttempts,
  lockInvitations,
  revokeCodes,
  setAccommodations,
  setRevoked,
} from './queries.ts';
import { invitationParams, type Recipient, sendCodes, type Wording } from './send-codes.ts';

/** Takes the place of the code in a preview. */
const NO_CODE = 'XXXXXXXXXXXXXXX';
/** A person without accommodations. */
const STANDARD = {
  extraTimeFactor: 1,
  cameraEnabled: true,
  microphoneEnabled: true,
  faceCovered: false,
};

export function invitationHandlers(ctx: BaseContext) {
  return {
    async inviteToQuiz({ params, body: { emails, ...how }, command }) {
      return { invitations: await inviteToQuiz(ctx, command, params.id, emails ?? [], how) };
    },

    /** The facts that an author should know before the first invitation, as far as only the server has them. */
    async checkInviting({ params, now }) {
      const quiz = await requireUnarchived(ctx.db, params.id);
      const { publicUrl, timeZone } = await readInstitution(ctx, ctx.db);
      const settings = await findSmtpSettings(ctx.db);
      const moment = (at: Date | null) => at && momentText(at.toISOString(), timeZone);
      // A message that was delivered tests it as well.
      const isMailTested = settings
        ? settings.testedAt !== null || (await wasMailDelivered(ctx.db, settings.updatedAt))
        : false;
      const keyReaders = await countKeyReaders(ctx.db, quiz, now);
      return {
        ...(keyReaders > 0 ? { keyReaders } : {}),
        signInUrl: `${publicUrl}/login`,
        drafts: await countDrafts(ctx.db, quiz),
        isMailTested,
        opensAt: moment(quiz.opensAt),
        completeBy: moment(quiz.endDate) ?? noEndText(),
        timeZone,
      };
    },

    async sendTestInvitation({ params, body, session: { email }, command }) {
      await command((write) => sendTestInvitation(ctx, write, email, params.id, body));
      return { email };
    },

    /** The message as it will be sent, without a real code. */
    async previewInvitation({ params, body: wording, now }) {
      const quiz = await requireUnarchived(ctx.db, params.id);
      const institution = await requireInstitution(ctx, ctx.db);
      const { policySettings } = quiz;
      const shown = invitationParams(institution, quiz, policySettings, STANDARD, { wording }, now);
      const [language] = languagesOf({ ...quiz, offered: institution.languages });
      return renderMail(invitationMail, { ...shown, language }, NO_CODE);
    },

    async remindInvitations({ params, body, command }) {
      const work = (write: Write<'invitations.reminded'>) =>
        remindInvitations(ctx, write, params.id, body);
      return { invitations: await command(work) };
    },

    async resendInvitations({ params, body, command }) {
      const work = (write: Write<'invitations.resent'>) =>
        resendInvitations(ctx, write, params.id, body);
      return { invitations: await command(work) };
    },

    async revokeInvitations({ params, body, command }) {
      return { revoked: await command((write) => revokeInvitations(write, params.id, body.ids)) };
    },

    updateInvitation: ({ params, body, command }) =>
      command((write) => changeAccommodations(ctx, write, params.id, body)),
  } satisfies Handlers;
}

/**
 * Sends an administrator the invitation with a real one-time password, which opens a preview for a day.
 * No one is invited. Throws NOT_FOUND.
 */
async function sendTestInvitation(
  ctx: BaseContext,
  { tx, actor, now, record }: Write<'invitation.tested'>,
  email: string,
  quizId: string,
  wording: Wording,
): Promise<void> {
  const institution = await requireInstitution(ctx, tx);
  const quiz = await requireUnarchived(tx, quizId);
  const code = newOneTimeCode();
  const codeHash = hashOneTimeCode(ctx.keys.codes, code);
  await storePreviewCode(tx, { adminId: actor.id, quizId, codeHash }, now);
  const params = {
    ...invitationParams(institution, quiz, quiz.policySettings, STANDARD, { wording }, now),
    codeUntil: previewUntil(now).toISOString(),
  };
  const [language] = languagesOf({ ...quiz, offered: institution.languages });
  const message = { recipient: email, params, secret: code, language };
  await queueMail(tx, ctx, institution.publicUrl, invitationMail, [message], now);
  await record('invitation.tested', ['quiz', quizId]);
}

/**
 * Resends invitations to selected people. Those in progress keep the earlier code beside the new one. Those who
 * have finished get one where it opens a result, by who may see scores, as with printed ones. Throws NOT_FOUND,
 * QUIZ_NOT_OPEN.
 */
async function resendInvitations(
  ctx: BaseContext,
  { tx, actor, now, record, afterCommit }: Write<'invitations.resent'>,
  quizId: string,
  { ids, ...wording }: Wording & { ids: string[] },
): Promise<InvitationResult[]> {
  const { quiz, people } = await lockPeople(tx, await lockQuiz(tx, quizId, 'share'), ids);
  const fresh: (Recipient & { attempt: AttemptOf })[] = [];
  const running: Recipient[] = [];
  const readers: Recipient[] = [];
  const place = { quizId, categoryId: quiz.categoryId };
  const opensResults = may(actor.grants, 'scores.see', place);
  const results: InvitationResult[] = [];
  const view = await findQuiz(tx, quizId);
  for (const { invitation, email, attempt } of people) {
    const { id } = invitation;
    const { status } = attempt;
    const hasFinished = isFinished(attempt);
    const resultUntil =
      email !== null && hasFinished ? await resultUntilOf(tx, ctx, attempt, view, now) : null;
    if (email === null) results.push(erased(invitation));
    else if (!hasFinished) {
      if (status === 'in_progress') running.push({ email, invitation, attempt });
      else fresh.push({ email, invitation, attempt: attempt.mayRetake ? {} : attempt });
      results.push({ email, id, status: 'queued' });
    } else if (resultUntil === null) results.push(finished(invitation, email));
    else if (!opensResults) {
      const reason = INVITATION_REASONS.result_not_theirs();
      results.push({ ...finished(invitation, email), reason });
    } else {
      readers.push({ email, invitation, resultUntil });
      results.push({ email, id, status: 'queued' });
    }
  }
  requireOpenTo(quiz, fresh, now);
  await sendCodes(tx, ctx, quiz, fresh, { wording, keepEarlierCodes: false }, now);
  await sendCodes(tx, ctx, quiz, running, { wording, keepEarlierCodes: true }, now);
  // An administrator's own words are about an assessment that is still to be taken.
  await sendCodes(tx, ctx, quiz, readers, { wording: {}, keepEarlierCodes: false }, now);
  const queued = fresh.length + running.length + readers.length;
  await record('invitations.resent', ['quiz', quizId], { queued });
  afterCommit(() => ctx.wakeMail());
  return results;
}

/** Whether someone has ended their last attempt. */
export const isFinished = ({ status, mayRetake }: AttemptOf): boolean =>
  status !== undefined && status !== 'in_progress' && !mayRetake;

/** Whether someone who has not begun, or whose attempt was reinstated, can start. */
export function canBegin(
  quiz: QuizRow,
  {
    invitation,
    attempt: { continuesMs, replacedAt = null },
  }: Pick<Locked, 'invitation' | 'attempt'>,
  now: Date,
): boolean {
  const timed = withTimesOf(quiz, invitation);
  return continuesMs === undefined
    ? isQuizOpen(timed, now)
    : canContinue(timed, { replacedAt }, now);
}

type Locked = Awaited<ReturnType<typeof lockPeople>>['people'][number];

/** Throws QUIZ_NOT_OPEN unless one of some people, if there are any, can start. */
export function requireOpenTo(
  quiz: QuizRow,
  people: readonly Pick<Locked, 'invitation' | 'attempt'>[],
  now: Date,
): void {
  if (people.length > 0 && !people.some((person) => canBegin(quiz, person, now))) {
    throw new AppError('QUIZ_NOT_OPEN');
  }
}

/** Until when someone who has finished can read a result; null: there is none to read. */
async function resultUntilOf(
  tx: Tx,
  ctx: BaseContext,
  { id }: AttemptOf,
  quiz: QuizView | undefined,
  now: Date,
): Promise<Date | null> {
  if (id === undefined) return null;
  const open = await findOpenResult({ ...ctx, db: tx }, id, quiz, now);
  return open?.until ?? null;
}

/**
 * Reminds those of the selected people who have not started. The earlier codes stay valid beside the new
 * one: whichever message they open, its code works. Throws NOT_FOUND, QUIZ_NOT_OPEN.
 */
async function remindInvitations(
  ctx: BaseContext,
  { tx, now, record, afterCommit }: Write<'invitations.reminded'>,
  quizId: string,
  { ids, ...wording }: Wording & { ids: string[] },
): Promise<InvitationResult[]> {
  const { quiz, people } = await lockPeople(tx, await lockQuiz(tx, quizId, 'share'), ids);
  requireOpenTo(quiz, people, now);
  const waiting = await findWaiting(tx, ids);
  const recipients: Recipient[] = [];
  const results = people.map(({ invitation, email, attempt }): InvitationResult => {
    const { id } = invitation;
    const { status } = attempt;
    if (email === null) return erased(invitation);
    if (status === 'in_progress') {
      const reason = INVITATION_REASONS.in_progress({ keepsTime: false });
      return { email, id, status, reason };
    }
    if (status !== undefined) return finished(invitation, email);
    if (invitation.revokedAt !== null) {
      return { email, id, status: 'invalid', reason: INVITATION_REASONS.revoked() };
    }
    if (waiting.has(id)) {
      return { email, id, status: 'queued', reason: INVITATION_REASONS.waiting() };
    }
    recipients.push({ email, invitation, attempt });
    return { email, id, status: 'queued' };
  });
  const how = { wording, keepEarlierCodes: true, reminder: true };
  await sendCodes(tx, ctx, quiz, recipients, how, now);
  await record('invitations.reminded', ['quiz', quizId], { queued: recipients.length });
  afterCommit(() => ctx.wakeMail());
  return results;
}

const erased = ({ id }: InvitationRow): InvitationResult => ({
  email: unknownText(),
  id,
  status: 'invalid',
  reason: INVITATION_REASONS.erased(),
});

const finished = ({ id }: InvitationRow, email: string): InvitationResult => ({
  email,
  id,
  status: 'already_completed',
  reason: INVITATION_REASONS.already_completed({ keepsTime: false }),
});

/**
 * Selected invitations of a locked assessment under their locks, with the person's address and current
 * attempt. Throws NOT_FOUND.
 */
export async function lockPeople(tx: Tx, quiz: QuizRow | undefined, ids: string[]) {
  if (!quiz) throw new AppError('NOT_FOUND');
  const quizId = quiz.id;
  const locked = await lockAll(tx, quizId, ids);
  const emails = new Map((await listInvitedPeople(tx, quizId, ids)).map((p) => [p.id, p.email]));
  const attempts = await listLatestAttempts(
    tx,
    quizId,
    locked.map((invitation) => invitation.userId),
  );
  const retakers = await listRetakers(tx, quiz, locked);
  const people = locked.map((invitation) => ({
    invitation,
    email: emails.get(invitation.id) ?? null,
    attempt: {
      ...attempts.get(invitation.userId),
      ...(retakers.has(invitation.userId) ? { mayRetake: true as const } : {}),
    } satisfies AttemptOf as AttemptOf,
  }));
  return { quiz, people };
}

/** The people among some who have ended an attempt and may begin another one, at once or after the wait. */
async function listRetakers(
  tx: Tx,
  quiz: QuizRow,
  invited: readonly InvitationRow[],
): Promise<Set<string>> {
  const rules = new Map(
    invited.flatMap((invitation) => {
      const { retakes } = withTimesOf(quiz, invitation);
      return retakes ? [[invitation.userId, retakes] as const] : [];
    }),
  );
  if (rules.size === 0) return new Set();
  const takers = [...rules.keys()].map((userId) => ({ userId, quizId: quiz.id }));
  const attempts = Map.groupBy(await listAttemptsOf(tx, takers), ({ userId }) => userId);
  return new Set(
    [...rules].flatMap(([userId, rule]) =>
      retakeAfter(attempts.get(userId) ?? [], rule) ? [userId] : [],
    ),
  );
}

/**
 * Revokes invitations: codes fail at once, waiting mail is not sent, and people are signed out, unless they
 * are taking the assessment: started attempts continue. Throws NOT_FOUND.
 */
export async function revokeInvitations(
  { tx, now, record }: Write<'invitations.revoked'>,
  quizId: string,
  ids: string[],
): Promise<number> {
  if (!(await findQuiz(tx, quizId))) throw new AppError('NOT_FOUND');
  const locked = (await lockAll(tx, quizId, ids)).filter((i) => i.revokedAt === null);
  const own = locked.map((invitation) => invitation.id);
  if (own.length === 0) return 0;
  await setRevoked(tx, own, now);
  await revokeCodes(tx, own, now);
  await cancelWaitingMessages(tx, own, 'revoked');
  const people = locked.map((invitation) => invitation.userId);
  const started = await listLatestAttempts(tx, quizId, people);
  const away = locked.filter(({ userId }) => started.get(userId)?.status !== 'in_progress');
  await endSessionsOfRevoked(
    tx,
    away.map((invitation) => invitation.id),
    now,
  );
  await record('invitations.revoked', ['quiz', quizId], { count: own.length });
  return own.length;
}

/**
 * Locks selected invitations and returns them in the order of the given ids. One that is unknown or
 * another assessment's refuses the whole call. Throws NOT_FOUND.
 */
async function lockAll(tx: Tx, quizId: string, ids: string[]): Promise<InvitationRow[]> {
  const found = new Map((await lockInvitations(tx, quizId, ids)).map((row) => [row.id, row]));
  return [...new Set(ids)].map((id) => {
    const row = found.get(id);
    if (!row) throw new AppError('NOT_FOUND');
    return row;
  });
}

/**
 * Extra time, breaks, own times, sensor switches and a partly covered face, before the start; what is absent stays. Throws
 * NOT_FOUND, ALREADY_STARTED, STALE.
 */
export async function changeAccommodations(
  ctx: BaseContext,
  { tx, actor, now, record, requireReadPart }: Write<'invitation.accommodated'>,
  id: string,
  change: ParsedBodyOf<typeof updateInvitation>,
): Promise<Invitation> {
  // The locks that a start takes, too, in its order: no one starts between this check and the change.
  const [place] = await listPlaces(tx, 'invitation', [id]);
  const quiz = place?.quizId ? await lockQuizOfResults(tx, place.quizId, 'share') : undefined;
  const invitation = await lockInvitation(tx, id);
  if (!invitation) throw new AppError('NOT_FOUND');
  const attempt = await findCurrentParticipant(tx, invitation.userId, invitation.quizId);
  // With a rule for retakes another attempt may follow one that has ended.
  if (attempt && (attempt.status === 'in_progress' || !quiz?.retakes)) {
    throw new AppError('ALREADY_STARTED');
  }
  const { breaks: count, breakMinutes: minutes } = invitation;
  const stored = count === 0 ? null : { count, minutes };
  const accommodations = {
    extraTimeFactor: change.extraTimeFactor ?? invitation.extraTimeFactor,
    cameraEnabled: change.cameraEnabled ?? invitation.cameraEnabled,
    microphoneEnabled: change.microphoneEnabled ?? invitation.microphoneEnabled,
    faceCovered: change.faceCovered ?? invitation.faceCovered,
    breaks: change.breaks === undefined ? stored : change.breaks,
    ownTimes:
      change.ownTimes === undefined
        ? invitation.ownTimes
        : change.ownTimes && storedRule(change.ownTimes),
  };
  requireReadPart({ ...invitation, breaks: stored }, accommodations);
  const { breaks, ...columns } = accommodations;
  await setAccommodations(tx, [id], {
    ...columns,
    ...{ breaks: breaks?.count ?? 0, breakMinutes: breaks?.minutes ?? 0 },
  });
  if (change.ownTimes !== undefined) await notifyAttempts(tx, [invitation.quizId]);
  const reason = await sealForPerson(tx, ctx, invitation.userId, change.reason);
  const { ownTimes } = accommodations;
  const set = { ...(ownTimes ? { ownTimes } : {}), ...(breaks ? { breaks } : {}) };
  const { extraTimeFactor, cameraEnabled, microphoneEnabled, faceCovered } = accommodations;
  const always = { extraTimeFactor, cameraEnabled, microphoneEnabled, faceCovered };
  await record('invitation.accommodated', ['invitation', id], { ...always, ...set, reason });
  const row = await findInvitation(tx, actor.sees, id);
  if (!row) throw new AppError('NOT_FOUND');
  return presentInvitation(row, now);
}
