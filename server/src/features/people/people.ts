import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { ParsedBodyOf } from '@invigil/core/contract/definition/endpoint';
import type {
  Person,
  PersonInput,
  PersonOutcome,
  updatePerson,
} from '@invigil/core/contract/invitations/people';
import {
  addressProblem,
  emailKey,
  emailSpellings,
  readableEmail,
} from '@invigil/core/domain/email-address';
import { PEOPLE_LIMITS } from '@invigil/core/domain/limits';
import { type PersonField, peopleHeads, readField } from '@invigil/core/domain/people';
import type { Reach } from '@invigil/core/domain/rights';
import { t } from '@invigil/core/texts/i18n';
import { type RowProblem, rowText } from '@invigil/core/texts/people-rows';
import type { BaseContext } from '../../app-context.ts';
import { lockUntilCommit } from '../../db/advisory-locks.ts';
import type { Queryable, Tx } from '../../db/database.ts';
import { readPage } from '../../db/page-window.ts';
import { portionsOf } from '../../db/portions.ts';
import {
  listPersonFields,
  lockInstitution,
  putInstitution,
  THE_INSTITUTION,
} from '../../db/queries/institution.ts';
import { lockWaitingOf, redirect } from '../../db/queries/outbox.ts';
import {
  changePeople,
  changePerson,
  dropFields,
  insertPeople,
  listOwnPeople,
  lockInvitationsOf,
  lockPeople,
  type NewPerson,
  type PersonRow,
  setEntered,
  takeNumbers,
} from '../../db/queries/people.ts';
import {
  countPeople,
  isAnyWithExtraTime,
  listGroups,
  listPersonIds,
  listSeenPeople,
  type PeopleFilter,
  type SeenPerson,
} from '../../db/queries/seen-people.ts';
import type { Handlers } from '../../http/endpoints.ts';
import { senderOf } from '../../http/sender.ts';
import { tableReply } from '../../http/table-stream.ts';
import { AppError } from '../../runtime/app-error.ts';
import { type ReadRows, readRowsInProcess } from '../../runtime/file-process.ts';
import { Reply } from '../../runtime/reply.ts';
import { inTurns, nextTurn } from '../../runtime/turns.ts';
import type { Sender } from '../../runtime/work-queue.ts';
import type { Command, Write } from '../../sessions/command.ts';
import { readInstitution } from '../../trust/institution.ts';
import { INSTITUTION, MESSAGES, PEOPLE } from '../../trust/row-kinds.ts';
import { changeSealed } from '../../trust/sealed-kinds.ts';

const EXPORTED_AT_ONCE = 1_000;
/** Others wait while rows are read, some milliseconds … */
const READ_AT_ONCE = 100;
/** … and while their seals are made, some ten. */
const STORED_AT_ONCE = 500;

export function peopleHandlers(ctx: BaseContext) {
  return {
    async listPeople({ query: { limit, offset, ...filter }, sees }) {
      const wanted = { ...filter, sees };
      const { rows, total } = await readPage(
        { limit, offset },
        () => countPeople(ctx.db, wanted),
        async (window) => {
          const page = await listPersonIds(ctx.db, wanted, window);
          return listSeenPeople(
            ctx.db,
            sees,
            page.map(({ id }) => id),
          );
        },
      );
      return new Reply(200, rows.map(presentPerson), { 'x-total-count': String(total) });
    },
    listPersonIds: ({ query, sees }) => listPersonIds(ctx.db, { ...query, sees }),
    listGroups: ({ sees }) => listGroups(ctx.db, sees),
    listPersonFields: () => listPersonFields(ctx.db),
    async setPersonFields({ body: { fields }, command }) {
      await command((write) => changeFields(ctx, write, fields));
      return fields;
    },
    readPeopleSheet: ({ body, ...exchange }) => readSheetRows(ctx, body, senderOf(exchange)),
    async getPerson({ params, sees }) {
      return presentPerson(await getSeen(ctx.db, sees, params.id));
    },
    async updatePerson({ params: { id }, body, command, reach, sees }) {
      const edit = reach === 'all' ? editPerson : editEntered;
      await command((write) => edit(ctx, write, id, body));
      return presentPerson(await getSeen(ctx.db, sees, id));
    },
    importPeople: ({ body: { people, ...how }, command }) =>
      importPeople(ctx, command, people, how),
    async exportPeople({ query: { format, ...filter }, command, sees, now }) {
      const { timeZone } = await readInstitution(ctx, ctx.db);
      const isFiltered = Boolean(filter.search || filter.group);
      await command(({ record }) => record('people.exported', null, { isFiltered }));
      const fields = await listPersonFields(ctx.db);
      const hasExtraTime = sees === 'all' && (await isAnyWithExtraTime(ctx.db));
      const make = () => {
        const { extraTime, ...always } = peopleHeads();
        return {
          name: t(/* name of a sheet */ 'peopleTable.name', 'People'),
          head: [
            ...[...Object.values(always), ...fields.map(({ name }) => name)],
            ...(hasExtraTime ? [extraTime] : []),
          ],
          portions: exported(ctx, { ...filter, sees }, fields, hasExtraTime),
        };
      };
      const rows = await countPeople(ctx.db, { ...filter, sees });
      return tableReply('people', make, { format, timeZone, now, rows });
    },
  } satisfies Handlers;
}

/**
 * Replaces the installation's own fields, and deletes what people have in those that are gone. Throws STALE
 * for other fields than `before`.
 */
async function changeFields(
  ctx: BaseContext,
  { tx, now, record, requireRead }: Write<'people.fields_changed'>,
  fields: PersonField[],
): Promise<void> {
  // No one writes a value while its field is removed.
  await lockUntilCommit(tx, 'personFields');
  const stored = (await lockInstitution(tx))?.personFields ?? [];
  requireRead(stored);
  const removed = stored.filter(({ id }) => !fields.some((field) => field.id === id));
  await changeSealed(tx, ctx.keys.integrity, INSTITUTION, [THE_INSTITUTION], () =>
    putInstitution(tx, { personFields: fields, updatedAt: now }),
  );
  const ids = removed.map(({ id }) => id);
  await dropFields(tx, ids);
  const counts = { fields: fields.length, removed: ids.length };
  await record('people.fields_changed', null, counts);
}

/** Throws INVALID_INPUT for a file that cannot be read or has too many rows, IMPORT_BUSY. */
async function readSheetRows(
  { queues }: Pick<BaseContext, 'queues'>,
  bytes: Uint8Array,
  sender: Sender,
): Promise<ReadRows> {
  using place = await queues.files.enter(sender);
  const sheet = await readRowsInProcess(bytes, place);
  // And the head.
  if (sheet.rows.length <= PEOPLE_LIMITS.rowsPerImport + 1) return sheet;
  const message = t(
    'server.people.atMost',
    '{max, plural, one {At most # person at a time} other {At most # people at a time}}',
    { max: PEOPLE_LIMITS.rowsPerImport },
  );
  throw new AppError('INVALID_INPUT', { message });
}

async function* exported(
  { db }: Pick<BaseContext, 'db'>,
  filter: PeopleFilter,
  fields: readonly PersonField[],
  hasExtraTime: boolean,
) {
  // All ids are read at once: a person who is added or erased during the export would move the others to
  // another portion.
  const ids = (await listPersonIds(db, filter)).map(({ id }) => id);
  for (const some of portionsOf(ids, EXPORTED_AT_ONCE)) {
    const seen = await listSeenPeople(db, filter.sees, some);
    const rows = seen.filter(({ email }) => email !== null);
    yield rows.map((row) => [
      ...[row.email ?? '', row.givenName, row.familyName, row.externalId ?? ''],
      ...[row.groups.join('; '), row.language],
      ...fields.map(({ id }) => row.fields[id] ?? ''),
      // With its sign, or 2 could be read as a factor.
      ...(hasExtraTime ? [row.extraTime === 0 ? '' : `${row.extraTime} %`] : []),
    ]);
  }
}

/** Throws NOT_FOUND. */
async function getSeen(db: Queryable, sees: Reach, id: string): Promise<SeenPerson> {
  const [row] = await listSeenPeople(db, sees, [id]);
  if (!row) throw new AppError('NOT_FOUND');
  return row;
}

function presentPerson(person: SeenPerson): Person {
  const { id, email, givenName, familyName, externalId, groups, language } = person;
  const { fields, extraTime, note, formerEmails, createdAt } = person;
  return {
    ...{ id, email, givenName, familyName, externalId: externalId ?? '', groups, language },
    ...{ fields, extraTime, note, formerEmails, createdAt: createdAt.toISOString() },
  };
}

type Change = ParsedBodyOf<typeof updatePerson>;

/**
 * Changes a person for someone who reaches all people; the person is the installation's from then on. Throws
 * NOT_FOUND, EMAIL_TAKEN, EXTERNAL_ID_TAKEN, STALE.
 */
async function editPerson(
  ctx: BaseContext,
  { tx, record, requireReadPart }: Write<'person.changed'>,
  id: string,
  change: Change,
): Promise<void> {
  const { before: _, email, externalId, fields, extraTime, ...details } = change;
  const defined = fields && (await keepFields(tx));
  // Also whoever has the address or the number, in one order: two such changes at a time wait.
  const locked = await lockPeople(tx, {
    ids: [id],
    keys: email === undefined ? [] : emailSpellings(emailKey(email)),
    externalIds: externalId ? [externalId] : [],
  });
  const row = locked.find((person) => person.id === id);
  if (!row || row.email === null) throw new AppError('NOT_FOUND');
  const others = locked.filter((person) => person !== row);
  const isMoved = email !== undefined && email !== row.email;
  const key = isMoved && emailKey(email);
  if (others.some((other) => emailKey(other.email ?? '') === key)) {
    throw AppError.at('email', 'EMAIL_TAKEN');
  }
  if (externalId && others.some((other) => other.externalId === externalId)) {
    throw AppError.at('externalId', 'EXTERNAL_ID_TAKEN');
  }
  if (change.before) requireReadPart(...detailsBeside(await getSeen(tx, 'all', id), change));
  const set = withoutAbsent({ ...details, extraTime: wholePercent(extraTime) });
  const stored = {
    ...set,
    enteredFor: null,
    ...(externalId === undefined ? {} : { externalId: externalId || null }),
    ...(isMoved ? { email, formerEmails: [...row.formerEmails, row.email] } : {}),
    ...(fields ? { fields: changedFields(row.fields, fields, defined ?? []) } : {}),
  };
  const { integrity } = ctx.keys;
  await changeSealed(tx, integrity, PEOPLE, [id], () => changePerson(tx, id, stored));
  if (isMoved) await redirectWaiting(tx, ctx, id, email);
  const changed = { ...set, email: isMoved || undefined, externalId, fields };
  await record('person.changed', ['user', id], { fields: namesOf(changed) });
}

/** Sends a person's mail that waits to another address. */
async function redirectWaiting(
  tx: Tx,
  { keys }: Pick<BaseContext, 'keys'>,
  id: string,
  email: string,
): Promise<void> {
  const waiting = await lockWaitingOf(tx, id);
  await changeSealed(tx, keys.integrity, MESSAGES, waiting, () => redirect(tx, waiting, email));
}

/**
 * Changes the details of a person in the invitations of someone with a limited reach. The person themself
 * follows only while they were entered there and are invited nowhere else, and never in address, number or
 * groups, by which the installation finds people.
 *
 * Throws NOT_FOUND, FORBIDDEN, STALE.
 */
async function editEntered(
  ctx: BaseContext,
  { tx, actor: { reach }, record, requireReadPart }: Write<'person.changed'>,
  id: string,
  change: Change,
): Promise<void> {
  const { before: _, email, note, extraTime, fields, ...typed } = change;
  const defined = fields && (await keepFields(tx));
  const invitations = await lockInvitationsOf(tx, id, reach);
  const [row] = await lockPeople(tx, { ids: [id] });
  if (!row || row.email === null || invitations.length === 0) throw new AppError('NOT_FOUND');
  if ((email !== undefined && email !== row.email) || note || extraTime) {
    const message = t(
      'server.people.onlyManagers',
      'Only someone who manages all people can change an address, a note or extra time. Ask one of them',
    );
    throw new AppError('FORBIDDEN', { message });
  }
  const details = withoutAbsent({ ...typed, fields });
  const [seen] = await listSeenPeople(tx, reach, [id]);
  if (!seen) throw new AppError('NOT_FOUND');
  requireReadPart(...detailsBeside(seen, change));
  // Only what is changed: an open invitation still shows the rest as the installation knows it.
  const entered = invitations.map((invitation) => {
    const known = invitation.entered?.fields ?? seen.fields;
    return {
      id: invitation.id,
      entered: {
        ...{ ...invitation.entered, ...details },
        ...(typed.externalId === undefined ? {} : { externalId: typed.externalId || null }),
        ...(fields ? { fields: changedFields(known, fields, defined ?? []) } : {}),
      },
    };
  });
  await setEntered(tx, entered);
  const [own] = await listOwnPeople(tx, reach, [id]);
  if (own) {
    const { givenName, familyName, language } = typed;
    const stored = {
      ...withoutAbsent({ givenName, familyName, language }),
      ...(fields ? { fields: changedFields(own.fields, fields, defined ?? []) } : {}),
    };
    await changeSealed(tx, ctx.keys.integrity, PEOPLE, [id], () => changePerson(tx, id, stored));
  }
  await record('person.changed', ['user', id], { fields: namesOf(details) });
}

/** The known details of a person, now and after a change; a field without a value is empty. */
function detailsBeside(seen: SeenPerson, { before, ...change }: Change) {
  const stored = presentPerson(seen);
  const { fields } = stored;
  const named = Object.keys({ ...before?.fields, ...change.fields });
  const none = Object.fromEntries(named.map((id) => [id, '']));
  const known = { ...stored, fields: { ...none, ...fields } };
  const next = {
    ...known,
    ...withoutAbsent(change),
    fields: { ...known.fields, ...change.fields },
  };
  return [known, next] as const;
}

/** The values of a change that are given. */
const withoutAbsent = <T extends object>(change: T) =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };

const namesOf = (changed: object) => Object.keys(withoutAbsent(changed));

/** The values of someone in the installation's own fields after a change. Throws INVALID_INPUT. */
function changedFields(...change: Parameters<typeof withFields>): Record<string, string> {
  const { values, problem } = withFields(...change);
  if (!problem) return values;
  const { id, why } = problem;
  const message = rowText(why);
  throw new AppError('INVALID_INPUT', { message, issues: [{ path: `fields.${id}`, message }] });
}

/** The fields, which stay defined until the transaction ends; asked for before people are locked. */
async function keepFields(tx: Tx): Promise<PersonField[]> {
  await lockUntilCommit(tx, 'personFields', { isShared: true });
  return listPersonFields(tx);
}

/**
 * The values of someone in the installation's own fields after a change; an empty value is none. A field that
 * is not defined is a problem, and so is a value of another kind.
 */
function withFields(
  stored: Readonly<Record<string, string>>,
  typed: Readonly<Record<string, string>>,
  fields: readonly PersonField[],
): { values: Record<string, string>; problem?: { id: string; why: RowProblem } } {
  const values = { ...stored };
  for (const [id, text] of Object.entries(typed)) {
    const field = fields.find((one) => one.id === id);
    if (!field) return { values, problem: { id, why: { code: 'field_unknown' } } };
    const { value, problem } = readField(field, text);
    if (problem) {
      const why: RowProblem = { code: 'field', name: field.name, problem };
      return { values, problem: { id, why } };
    }
    if (value === '') delete values[id];
    else values[id] = value;
  }
  return { values };
}

/** A row, what is stored of it, and of someone known what was stored before. */
interface Planned {
  outcome: PersonOutcome;
  row: PersonRow | null;
  before?: PersonRow | undefined;
}

/**
 * Adds and changes people by a list, all or nothing. Two imports at a time wait for each other's people.
 *
 * @returns one outcome per row
 */
function importPeople(
  ctx: BaseContext,
  command: Command<'people.imported'>,
  people: readonly PersonInput[],
  { dryRun, replacesGroups }: { dryRun: boolean; replacesGroups: boolean },
): Promise<{ outcomes: PersonOutcome[]; isStored: boolean }> {
  return command(async (write) => {
    const plan = await planImport(write.tx, people, write.now, {
      replacesGroups,
      isAllOrNone: true,
    });
    const outcomes = plan.map(({ outcome }) => outcome);
    const isStored = !dryRun && outcomes.every(({ status }) => status !== 'refused');
    if (isStored) await storePlan(ctx, write, plan);
    return { outcomes, isStored };
  });
}

/**
 * Stores every row that can be; the others are refused alone. Only for someone who reaches all people: the
 * installation's details change.
 */
export async function applyImport(
  ctx: Pick<BaseContext, 'keys'>,
  write: Write<'people.imported'>,
  people: readonly PersonInput[],
): Promise<PersonOutcome[]> {
  const plan = await planImport(write.tx, people, write.now);
  await storePlan(ctx, write, plan);
  return plan.map(({ outcome }) => outcome);
}

/**
 * Reads the details in a list of someone with a limited reach, as they are stored with the invitations. No
 * one who is known already is looked up, so no answer can reveal who is.
 */
export async function readTyped(
  tx: Tx,
  people: readonly PersonInput[],
  now: Date,
): Promise<{ outcome: PersonOutcome; typed: PersonRow | null }[]> {
  const plan = await planImport(tx, people, now, { isOfList: true });
  return plan.map(({ outcome, row }) => ({ outcome, typed: row }));
}

async function storePlan(
  ctx: Pick<BaseContext, 'keys'>,
  write: Write<'people.imported'>,
  plan: readonly Planned[],
) {
  const { tx } = write;
  const added: string[] = [];
  const changed: string[] = [];
  const renumbered = plan.flatMap(({ row, before }) =>
    row && before && before.externalId !== null && row.externalId !== before.externalId
      ? [row.id]
      : [],
  );
  await takeNumbers(tx, renumbered);
  let written: Promise<unknown> = Promise.resolve();
  // Seals are made while the database stores those before.
  for (const some of portionsOf(plan, STORED_AT_ONCE)) {
    const rows: { added: NewPerson[]; changed: PersonRow[] } = { added: [], changed: [] };
    for (const { outcome, row, before } of some) {
      if (outcome.status === 'added' && row) {
        rows.added.push(PEOPLE.sealed(ctx.keys.integrity, row));
        added.push(row.id);
      } else if (outcome.status === 'changed' && row && before) {
        rows.changed.push(PEOPLE.resealed(ctx.keys.integrity, before, row));
        changed.push(row.id);
      }
    }
    await written;
    written = insertPeople(tx, rows.added).then(() => changePeople(tx, rows.changed));
    // Awaited one portion later.
    written.catch(() => undefined);
    await nextTurn();
  }
  await written;
  for (const { row, before } of plan) {
    if (!row?.email || !before || before.email === row.email) continue;
    await redirectWaiting(tx, ctx, row.id, row.email);
  }
  if (added.length + changed.length > 0) {
    await recordImport(write, null, { added, changed });
  }
}

/** The number of ids in an entry of the log that is still readable. */
const IDS_PER_ENTRY = 200;

/** Records whose data a list added or changed: for the installation, or for an assessment. */
export async function recordImport(
  { recordAll }: Write<'people.imported'>,
  quizId: string | null,
  { added, changed }: Record<'added' | 'changed', readonly string[]>,
): Promise<void> {
  const ids = [...added, ...changed];
  const counts = { added: added.length, changed: changed.length };
  const entries = portionsOf(ids, IDS_PER_ENTRY).map((some, i) => ({
    id: quizId,
    details: { ...(i === 0 ? counts : {}), ids: some },
  }));
  await recordAll('people.imported', quizId && 'quiz', entries);
}

/**
 * @param isOfList the rows are compared with each other only
 * @param replacesGroups else the groups of a row are added
 * @param isAllOrNone a number may go from one row to another: neither is stored alone
 */
async function planImport(
  tx: Tx,
  people: readonly PersonInput[],
  now: Date,
  { isOfList = false, replacesGroups = false, isAllOrNone = false } = {},
): Promise<Planned[]> {
  const rows: (PersonInput & { email: string })[] = [];
  const keys: string[] = [];
  for await (const some of inTurns(portionsOf(people, READ_AT_ONCE))) {
    for (const person of some) {
      const email = readableEmail((person.email ?? '').trim());
      rows.push({ ...person, email });
      if (email !== '') keys.push(...emailSpellings(emailKey(email)));
    }
  }
  // Before anyone is locked, as a change of the fields does; the other order would deadlock.
  const fields = people.some((person) => person.fields) ? await keepFields(tx) : [];
  const externalIds = rows.flatMap(({ externalId }) => externalId || []);
  const known = isOfList ? [] : await lockPeople(tx, { keys, externalIds });
  const byKey = new Map(known.map((row) => [emailKey(row.email ?? ''), row]));
  const byNumber = new Map(known.map((row) => [row.externalId ?? '', row]));
  const seen = new Map<string, number>();
  const numbers = new Map<string, string>();
  /** The numbers that known people get by this list, by the person. */
  const numberOf = new Map(
    rows.flatMap(({ email, externalId = '' }) => {
      const person = byKey.get(emailKey(email));
      return person && externalId !== '' ? [[person.id, externalId] as const] : [];
    }),
  );
  /** Whether the list gives the owner of a number another one. */
  const isGivenUp = (owner: PersonRow) =>
    isAllOrNone && (numberOf.get(owner.id) ?? owner.externalId) !== owner.externalId;
  /** Whom a row is about, or why it is refused. */
  const find = (
    { email, externalId = '', isNewAddress = false }: (typeof rows)[number],
    i: number,
  ) => {
    const why = whyUnidentified(email, externalId);
    if (why !== null) return refused(why, 'email');
    const ofNumber = externalId === '' ? undefined : byNumber.get(externalId);
    const ofAddress = byKey.get(emailKey(email));
    const found = email === '' || (isNewAddress && !ofAddress) ? ofNumber : ofAddress;
    if (email === '' && !found) {
      return refused({ code: 'number_unknown' }, 'email');
    }
    if (ofNumber && ofNumber !== found && !isGivenUp(ofNumber)) {
      const taken = refused({ code: 'number_taken', email: ofNumber.email }, 'externalId');
      if (!ofAddress) taken.outcome.mayBeNewAddress = true;
      return taken;
    }
    const id = found?.id ?? emailKey(email);
    const earlier = seen.get(id);
    if (earlier !== undefined) {
      const again = refused({ code: 'person_repeated', row: earlier + 1 }, 'email');
      again.outcome.sameAs = earlier + 1;
      return again;
    }
    seen.set(id, i);
    if (externalId !== '' && (numbers.get(externalId) ?? id) !== id) {
      return refused({ code: 'number_repeated' }, 'externalId');
    }
    numbers.set(externalId, id);
    return { found };
  };
  const plan = (input: (typeof rows)[number], i: number): Planned => {
    const who = find(input, i);
    if ('outcome' in who) return who;
    const before = who.found ?? newPerson(input.email, now);
    const typed = Object.entries(input.fields ?? {}).filter(([, text]) => text !== '');
    const own = withFields(before.fields, Object.fromEntries(typed), fields);
    if (own.problem) return refused(own.problem.why);
    // The importer reaches all people, so they become the installation's.
    const row = {
      ...merged(before, input, replacesGroups),
      ...(who.found && input.isNewAddress ? movedTo(before, input.email) : {}),
      ...{ fields: own.values, enteredFor: null },
    };
    if (row.groups.length > PEOPLE_LIMITS.groupsMax) {
      return refused({ code: 'too_many_groups' });
    }
    const isSame = FIELDS.every(
      (field) => row[field] === before[field] || isDeepStrictEqual(row[field], before[field]),
    );
    const status = !who.found ? 'added' : isSame ? 'unchanged' : 'changed';
    const changes = status === 'changed' ? changesOf(before, row) : [];
    const outcome = { status, id: row.id, ...(changes.length === 0 ? {} : { changes }) } as const;
    return { outcome, row, before: who.found };
  };
  const planned: Planned[] = [];
  for await (const some of inTurns(portionsOf(rows, READ_AT_ONCE))) {
    for (const input of some) planned.push(plan(input, planned.length));
  }
  return planned;
}

const refused = (why: RowProblem, at?: PersonOutcome['at']): Planned => ({
  outcome: { status: 'refused', reason: rowText(why), ...(at ? { at } : {}) },
  row: null,
});

function whyUnidentified(email: string, externalId: string): RowProblem | null {
  if (email !== '') return addressProblem(email);
  return externalId === '' ? { code: 'no_email' } : null;
}

const SHOWN = ['email', 'givenName', 'familyName', 'externalId', 'groups', 'language'] as const;
const FIELDS = [...SHOWN, 'fields', 'extraTime', 'enteredFor'] as const;

/** Someone of whom only the address is known. */
export function newPerson(email: string, now: Date): PersonRow {
  return {
    // Not by time, which would tell since when someone is known.
    ...{ id: randomUUID(), email, givenName: '', familyName: '', externalId: null, groups: [] },
    ...{ language: '', fields: {}, extraTime: 0, note: '', formerEmails: [], sealedKey: null },
    ...{ enteredFor: null, createdAt: now, seal: null },
  };
}

/** Percent as it is stored: whole, so that mail, screens and deadline have the same. */
export const wholePercent = (percent: number | undefined) =>
  percent === undefined ? undefined : Math.round(percent);

/** A new address and the former one; nothing for another spelling of the same. */
function movedTo(row: PersonRow, email: string) {
  if (emailKey(email) === emailKey(row.email ?? '')) return {};
  return { email, formerEmails: [...row.formerEmails, ...(row.email === null ? [] : [row.email])] };
}

/** The details that a list changes, as texts. */
const changesOf = (before: PersonRow, row: PersonRow) =>
  [
    ...SHOWN.map((column) => [column, before[column], row[column]] as const),
    ['extraTime', `${before.extraTime} %`, `${row.extraTime} %`] as const,
    ...Object.keys({ ...before.fields, ...row.fields }).map(
      (id) => [`field ${id}`, before.fields[id] ?? '', row.fields[id] ?? ''] as const,
    ),
  ].flatMap(([column, ...values]) => {
    const [from, to] = values.map((value) => [value ?? ''].flat().join(', '));
    return from === undefined || to === undefined || from === to ? [] : [{ column, from, to }];
  });

/** An empty cell changes nothing, an extra time of 0 takes it back; groups are added. */
function merged(row: PersonRow, input: PersonInput, replacesGroups: boolean): PersonRow {
  const { groups = [] } = input;
  return {
    ...row,
    givenName: input.givenName || row.givenName,
    familyName: input.familyName || row.familyName,
    externalId: input.externalId || row.externalId,
    groups: [...new Set([...(replacesGroups && groups.length > 0 ? [] : row.groups), ...groups])],
    language: input.language || row.language,
    extraTime: wholePercent(input.extraTime) ?? row.extraTime,
  };
}
