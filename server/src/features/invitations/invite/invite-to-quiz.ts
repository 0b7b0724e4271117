import { isDeepStrictEqual } from 'node:util';
import { opensBeforeEnd, startsWithin } from '@invigil/core/contract/assessments/schedule';
import type {
  InvitationResult,
  InvitedPerson,
} from '@invigil/core/contract/invitations/invitations';
import type { PersonOutcome } from '@invigil/core/contract/invitations/people';
import { extraTimeOf } from '@invigil/core/domain/attempt';
import {
  addressProblem,
  emailKey,
  isEmailAddress,
  readableEmail,
} from '@invigil/core/domain/email-address';
import { MAIL_LIMITS, PEOPLE_LIMITS } from '@invigil/core/domain/limits';
import { storedRule, type TimeRule } from '@invigil/core/domain/schedule';
import { addressText } from '@invigil/core/texts/addresses';
import { t } from '@invigil/core/texts/i18n';
import { INVITATION_REASONS } from '@invigil/core/texts/invitation-reasons';
import { rowText } from '@invigil/core/texts/people-rows';
import type { BaseContext } from '../../../app-context.ts';
import { lockUntilCommit } from '../../../db/advisory-locks.ts';
import { ChangedConcurrently } from '../../../db/database-away.ts';
import { notifyAttempts } from '../../../db/queries/attempts/news.ts';
import {
  adoptPeople,
  changePeople,
  listEnteredFor,
  listExtraTime,
  listOwnPeople,
  type PersonRow,
  setEntered,
} from '../../../db/queries/people.ts';
import { lockQuiz, type QuizRow } from '../../../db/queries/quizzes.ts';
import { withTimesOf } from '../../../db/queries/schedules.ts';
import { isClosed, listSeenPeople } from '../../../db/queries/seen-people.ts';
import type { Entered } from '../../../db/schema/invitations.ts';
import { AppError } from '../../../runtime/app-error.ts';
import type { Command, Write } from '../../../sessions/command.ts';
import { PEOPLE } from '../../../trust/row-kinds.ts';
import { changeSealed } from '../../../trust/sealed-kinds.ts';
import { isQuizOpen, presentOtherTimes } from '../../assessments/present-quiz.ts';
import {
  applyImport,
  newPerson,
  readTyped,
  recordImport,
  wholePercent,
} from '../../people/people.ts';
import {
  ensureInvitations,
  ensureUsers,
  type InvitationRow,
  isAnyErased,
  listLatestAttempts,
  lockInvitationsTo,
  renewInvitations,
  setAccommodations,
  setOwnTimes,
} from './queries.ts';
import { type Recipient, sendCodes, type Wording } from './send-codes.ts';

/** The texts; without mail people get no code either, but one by `makePasswords`. */
type How = Wording & {
  sendMail?: boolean;
  /** People of whom more than the address is given. */
  people?: readonly InvitedPerson[];
};

/**
 * Invites people: invitation, code and outbox row in one transaction (product 8). Inviting again replaces the
 * code, except for someone in progress, to whom nothing is sent. People with names, numbers, groups, extra
 * time or own times are added and changed as by an import; an inviter with a limited reach stores the details with their
 * invitations only; a row that cannot be stored is not invited.
 *
 * Throws NO_EMAILS, INVALID_INPUT (too many, or an opening that is not before the end that stays), NOT_FOUND,
 * IS_PRACTICE, QUIZ_NOT_OPEN.
 *
 * @returns one result per address, duplicates merged, in the order given; behind them rows without one,
 *   refused, with their number in the place of the address
 */
export async function inviteToQuiz(
  ctx: BaseContext,
  command: Command<Action>,
  quizId: string,
  lines: readonly string[],
  how: How,
): Promise<InvitationResult[]> {
  const addresses = distinctAddresses([
    ...lines,
    ...(how.people ?? []).map(({ email = '' }) => email),
  ]);
  if (addresses.length === 0) throw new AppError('NO_EMAILS');
  if (addresses.length > MAIL_LIMITS.addressesPerCall) {
    const message = t(
      'server.invitations.atMost',
      '{max, plural, one {At most # address at a time} other {At most # addresses at a time}}',
      { max: MAIL_LIMITS.addressesPerCall },
    );
    throw new AppError('INVALID_INPUT', { message, issues: [{ path: 'emails', message }] });
  }
  return command((write) => inviteOnce(ctx, write, quizId, addresses, how));
}

type Action = 'invitations.sent' | 'invitation.accommodated' | 'people.imported';
type Inviting = Write<Action>;

async function inviteOnce(
  ctx: BaseContext,
  write: Inviting,
  quizId: string,
  addresses: readonly string[],
  how: How,
): Promise<InvitationResult[]> {
  const { tx, now, afterCommit } = write;
  const quiz = await lockQuiz(tx, quizId, 'share');
  if (!quiz) throw new AppError('NOT_FOUND');
  if (quiz.practiceToken !== null) throw new AppError('IS_PRACTICE');
  if (!isQuizOpen(quiz, now)) throw new AppError('QUIZ_NOT_OPEN');
  const { outcomes, typed } = await storePeople(ctx, write, quizId, how.people ?? []);
  const valid = addresses.filter(
    (address) => isEmailAddress(address) && outcomes.get(emailKey(address))?.status !== 'refused',
  );
  const byAddress =
    valid.length > 0 ? await inviteAll(ctx, write, quiz, valid, { ...how, typed }) : new Map();
  afterCommit(() => ctx.wakeMail());
  const withoutAddress = (how.people ?? []).filter((person) => addressOf(person) === '');
  const unknown = withoutAddress.map(
    ({ externalId = '' }): InvitationResult => ({
      ...{ email: externalId, status: 'invalid', reason: rowText({ code: 'no_email' }) },
    }),
  );
  const results = addresses.map((email): InvitationResult => {
    const { reason } = outcomes.get(emailKey(email)) ?? {};
    const invited = byAddress.get(emailKey(email));
    if (invited) return reason === undefined ? invited : { reason, ...invited };
    const why = reason ?? addressText(addressProblem(email));
    return { email, status: 'invalid', reason: why };
  });
  return [...results, ...unknown];
}

/** Details from the list of an inviter with a limited reach, by address key. */
type Typed = ReadonlyMap<string, PersonRow>;

/**
 * Stores what is given of people beside the address, or returns it to be stored with their invitations. Also
 * returns what became of each, by address key.
 */
async function storePeople(
  ctx: BaseContext,
  write: Inviting,
  quizId: string,
  people: NonNullable<How['people']>,
): Promise<{ outcomes: Map<string, PersonOutcome>; typed: Typed }> {
  const { tx, actor, now } = write;
  const named = people.filter((person) => isEmailAddress(addressOf(person)));
  const keyOf = (i: number) => emailKey(addressOf(named[i]));
  // The refusal counts where an address is in two rows.
  const byKey = (outcomes: readonly PersonOutcome[]) =>
    new Map(
      outcomes
        .map((outcome, i) => [keyOf(i), outcome] as const)
        .sort(([, a], [, b]) => Number(a.status === 'refused') - Number(b.status === 'refused')),
    );
  if (named.length === 0) return { outcomes: new Map(), typed: new Map() };
  if (actor.reach === 'all') {
    // Before anyone is locked, as a change of the fields does.
    if (named.some(({ fields }) => fields)) {
      await lockUntilCommit(tx, 'personFields', { isShared: true });
    }
    // Before the people, in the order of an erasure.
    await lockInvitationsTo(tx, quizId, named.map(addressOf));
    // Their extra time and times are for this invitation.
    const people = named.map(
      ({ extraTime: _, opensAt: _o, endDate: _e, minutes: _m, ...person }) => person,
    );
    return { outcomes: byKey(await applyImport(ctx, write, people)), typed: new Map() };
  }
  const rows = await readTyped(tx, named, now);
  return {
    outcomes: byKey(rows.map(({ outcome }) => outcome)),
    typed: new Map(rows.flatMap(({ typed }, i) => (typed ? [[keyOf(i), typed]] : []))),
  };
}

/**
 * The people whom the invitations show. Those of an inviter who reaches all people open what the installation
 * knows. With a limited reach a new one has what its inviter sees and typed, an earlier one gets what was
 * typed, and nothing of the installation's changes: only people who were entered here, and are invited
 * nowhere else, get their names.
 *
 * @returns `own`: the extra time that the installation keeps of newly invited people, for those who reach all
 */
async function ensurePeople(
  { keys: { integrity } }: Pick<BaseContext, 'keys'>,
  write: Inviting,
  quizId: string,
  emails: string[],
  typed: Typed,
): Promise<{ userIds: Map<string, string>; rows: InvitationRow[]; own: OwnTime }> {
  const { tx, actor, now } = write;
  const { id: adminId, reach } = actor;
  const isAll = reach === 'all';
  const userIds = await ensureUsers(tx, emails, (email) => {
    const { givenName, familyName, language, fields } =
      typed.get(emailKey(email)) ?? newPerson(email, now);
    const details = { givenName, familyName, language, fields };
    const row = { ...newPerson(email, now), ...details, enteredFor: isAll ? null : quizId };
    return PEOPLE.sealed(integrity, row);
  });
  const ids = [...userIds.values()];
  const typedOf = new Map(
    [...typed].flatMap(([key, row]) => {
      const id = userIds.get(key);
      return id === undefined ? [] : [[id, row] as const];
    }),
  );
  const seen = new Map(
    (isAll ? [] : await listSeenPeople(tx, reach, ids)).map((person) => [person.id, person]),
  );
  const enteredOf = (userId: string) =>
    isAll ? null : withTyped(seen.get(userId) ?? newPerson('', now), typedOf.get(userId));
  const { rows, added } = await ensureInvitations(tx, quizId, ids, enteredOf, adminId, now);
  // After the invitations, in the order of an erasure; the other order would deadlock.
  if (await isAnyErased(tx, ids, { isChanging: isAll || typed.size > 0 })) {
    // Erased between the lookup of the addresses and the lock: invited as a new person.
    throw new ChangedConcurrently();
  }
  if (isAll) {
    const foreign = await listEnteredFor(tx, ids);
    const closed = rows.filter(({ entered }) => entered !== null);
    const closedIds = closed.map(({ userId }) => userId);
    const known = closed.length === 0 ? [] : await listSeenPeople(tx, 'all', closedIds);
    const isKnown = new Set(
      known.filter((person) => isAnything(person)).map((person) => person.id),
    );
    // Typed details stay where the installation knows no more: they are stored only there.
    const opening = closed.filter(({ userId }) => isKnown.has(userId) && !foreign.includes(userId));
    await setEntered(
      tx,
      opening.map(({ id }) => ({ id, entered: null })),
    );
    await changeSealed(tx, integrity, PEOPLE, foreign, () => adoptPeople(tx, foreign));
  } else if (typedOf.size > 0) {
    const changed = rows.flatMap(({ id, userId, entered }) => {
      const next = isClosed(entered) && withTyped(entered, typedOf.get(userId));
      return !next || isDeepStrictEqual(next, entered) ? [] : [{ id, userId, entered: next }];
    });
    await setEntered(tx, changed);
    const own = await listOwnPeople(tx, reach, [...typedOf.keys()]);
    const corrected = own.flatMap((row) => {
      const { givenName, familyName, language, fields } = withTyped(row, typedOf.get(row.id));
      const next = { ...row, givenName, familyName, language, fields };
      return isDeepStrictEqual(next, row) ? [] : [PEOPLE.resealed(integrity, row, next)];
    });
    const ownIds = corrected.map(({ id }) => id);
    await changePeople(tx, corrected);
    // All people of the assessment count as changed, whether or not they were known elsewhere.
    const kept = new Set([...changed.map(({ userId }) => userId), ...ownIds]);
    for (const id of added) kept.delete(id);
    const imported = { added: added.filter((id) => typedOf.has(id)), changed: [...kept] };
    await recordImport(write, quizId, imported);
  }
  return { userIds, rows, own: isAll ? await listExtraTime(tx, added) : new Map() };
}

const isAnything = ({ givenName, familyName, externalId, groups, language, fields }: Entered) =>
  [givenName, familyName, externalId ?? '', language, ...groups].some((text) => text !== '') ||
  Object.keys(fields).length > 0;

/** An empty cell changes nothing; groups are added. */
function withTyped(known: Entered, typed: Entered = known): Entered {
  const groups = [...new Set([...known.groups, ...typed.groups])];
  return {
    givenName: typed.givenName || known.givenName,
    familyName: typed.familyName || known.familyName,
    externalId: typed.externalId || known.externalId,
    groups: groups.slice(0, PEOPLE_LIMITS.groupsMax),
    language: typed.language || known.language,
    fields: { ...known.fields, ...typed.fields },
  };
}

/** The address as it is stored and shown; empty where a row has none. */
const addressOf = (row: Pick<InvitedPerson, 'email'> | undefined) =>
  readableEmail(row?.email?.trim() ?? '');

/** Trimmed, without empty ones, the first spelling of each address. */
function distinctAddresses(lines: readonly string[]): string[] {
  const byKey = new Map<string, string>();
  for (const line of lines) {
    const address = addressOf({ email: line });
    if (address !== '' && !byKey.has(emailKey(address))) byKey.set(emailKey(address), address);
  }
  return [...byKey.values()];
}

async function inviteAll(
  ctx: BaseContext,
  write: Inviting,
  quiz: QuizRow,
  emails: string[],
  { typed, ...how }: How & { typed: Typed },
): Promise<Map<string, InvitationResult>> {
  const { tx, now, record } = write;
  const { userIds, rows, own } = await ensurePeople(ctx, write, quiz.id, emails, typed);
  const invitationOf = new Map(rows.map((row) => [row.userId, row]));
  // Read under the invitations' locks: no one can start between this read and the new code.
  const attempts = await listLatestAttempts(tx, quiz.id, [...userIds.values()]);
  const listed = new Map(
    (how.people ?? []).map((person, row) => [emailKey(addressOf(person)), { ...person, row }]),
  );
  const results = new Map<string, InvitationResult>();
  const toSend: Recipient[] = [];
  for (const email of emails) {
    const userId = userIds.get(emailKey(email)) ?? '';
    const invitation = invitationOf.get(userId);
    if (!invitation) throw new Error('an invitation was created but not found');
    const { status, ...attempt } = attempts.get(userId) ?? {};
    if (status === undefined) toSend.push({ email, invitation, attempt });
    const ofList = listed.get(emailKey(email));
    const keeps = {
      keepsTime: ofList?.extraTime !== undefined,
      keepsTimes: ofList !== undefined && hasTimes(ofList),
    };
    const why = status === 'in_progress' ? 'in_progress' : 'already_completed';
    results.set(emailKey(email), {
      email,
      id: invitation.id,
      ...(status === undefined
        ? { status: how.sendMail === false ? 'invited' : 'queued' }
        : { status: why, reason: INVITATION_REASONS[why](keeps) }),
    });
  }
  await accommodate(write, quiz, toSend, { listed, own });
  for (const { email, invitation } of toSend) {
    const result = results.get(emailKey(email));
    const time = extraTimeOf(withTimesOf(quiz, invitation), invitation.extraTimeFactor, now);
    if (!result || !time) continue;
    const { minutes, atMost } = time;
    result.extraTime = { minutes, atMost, ...presentOtherTimes(invitation) };
  }
  const { sendMail = true, people: _, ...wording } = how;
  if (sendMail) {
    await sendCodes(tx, ctx, quiz, toSend, { wording, keepEarlierCodes: false }, now);
  } else {
    // The others keep their time, by which their password ends.
    const revoked = toSend.filter(({ invitation }) => invitation.revokedAt !== null);
    await renewInvitations(
      tx,
      revoked.map(({ invitation }) => invitation.id),
      now,
    );
  }
  await record('invitations.sent', ['quiz', quiz.id], {
    queued: how.sendMail === false ? 0 : toSend.length,
    addresses: emails.length,
  });
  return results;
}

/** Percent of extra time by the person. */
type OwnTime = ReadonlyMap<string, number>;

/** A person of the list with the number of their row, from 0. */
type Listed = InvitedPerson & { row: number };

const hasTimes = ({ opensAt, endDate, minutes }: InvitedPerson): boolean =>
  opensAt !== undefined || endDate !== undefined || minutes !== undefined;

/**
 * Stores the extra time of a list, else what is kept of a person, and the times of the list, for people who have
 * not started; the invitations are locked. Throws INVALID_INPUT.
 */
async function accommodate(
  { tx, recordAll }: Inviting,
  quiz: QuizRow,
  invited: readonly Recipient[],
  { listed, own }: { listed: ReadonlyMap<string, Listed>; own: OwnTime },
): Promise<void> {
  const changed = invited.flatMap(({ email, invitation }) => {
    const ofList = listed.get(emailKey(email));
    const percent = wholePercent(ofList?.extraTime ?? own.get(invitation.userId));
    const extraTimeFactor =
      percent === undefined ? invitation.extraTimeFactor : (100 + percent) / 100;
    const ownTimes =
      ofList && hasTimes(ofList)
        ? timesOfRow(quiz, invitation, email, ofList)
        : invitation.ownTimes;
    const isTimed = !isDeepStrictEqual(ownTimes, invitation.ownTimes);
    const isLonger = extraTimeFactor !== invitation.extraTimeFactor;
    if (!isTimed && !isLonger) return [];
    // The invitation is changed in place: the message contains the time that the person has.
    invitation.extraTimeFactor = extraTimeFactor;
    const by = isTimed || ofList?.extraTime !== undefined ? 'list' : 'person';
    return [{ invitation, ownTimes, isTimed, isLonger, by }];
  });
  const longer = changed.filter(({ isLonger }) => isLonger);
  const byFactor = Map.groupBy(longer, ({ invitation }) => invitation.extraTimeFactor);
  for (const [extraTimeFactor, some] of byFactor) {
    const ids = some.map(({ invitation }) => invitation.id);
    await setAccommodations(tx, ids, { extraTimeFactor });
  }
  const timed = changed.filter(({ isTimed }) => isTimed);
  const stored = await setOwnTimes(
    tx,
    timed.map(({ invitation: { id }, ownTimes }) => ({ id, ownTimes })),
  );
  const after = new Map(stored.map((change) => [change.id, change.after]));
  for (const { invitation, ownTimes } of timed) {
    Object.assign(invitation, after.get(invitation.id), { ownTimes });
  }
  if (timed.length > 0) await notifyAttempts(tx, [quiz.id]);
  const entries = changed.map(({ invitation, isTimed, ownTimes, by }) => {
    const { id, extraTimeFactor, cameraEnabled, microphoneEnabled, faceCovered } = invitation;
    const times = isTimed && ownTimes ? { ownTimes } : {};
    const details = { extraTimeFactor, cameraEnabled, microphoneEnabled, faceCovered, ...times };
    return { id, details: { ...details, by } };
  });
  await recordAll('invitation.accommodated', 'invitation', entries);
}

/**
 * The times of a person after a row of a list: what the row leaves open stays as the person has it. Throws
 * INVALID_INPUT.
 */
function timesOfRow(
  quiz: QuizRow,
  invitation: InvitationRow,
  email: string,
  { opensAt, endDate, minutes, row }: Listed,
): TimeRule {
  const known = withTimesOf(quiz, invitation);
  const window =
    opensAt === undefined && endDate === undefined
      ? invitation.ownTimes?.window
      : {
          opensAt: opensAt ?? known.opensAt?.toISOString() ?? null,
          endDate: endDate ?? known.endDate?.toISOString() ?? null,
          startBy: known.startBy?.toISOString(),
        };
  if (window && !opensBeforeEnd(window)) {
    const path = `people.${row}.${opensAt === undefined ? 'endDate' : 'opensAt'}`;
    const message = t(
      /* {email}: of a candidate; both: the opening and the end */ 'server.invitations.opensTooLate',
      '{email}: the assessment would open after its end. Enter both times',
      { email },
    );
    throw new AppError('INVALID_INPUT', { message, issues: [{ path, message }] });
  }
  const duration = minutes ?? invitation.ownTimes?.minutes;
  // A latest start goes with times that it does not fit.
  const startBy = window && startsWithin(window) ? window.startBy : undefined;
  return storedRule({
    ...(window ? { window: { ...window, startBy } } : {}),
    ...(duration === undefined ? {} : { minutes: duration }),
  });
}
