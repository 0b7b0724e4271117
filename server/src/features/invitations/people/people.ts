import { isDeepStrictEqual } from 'node:util';
import type { ParsedBodyOf } from '@invigil/core/contract/definition/endpoint';
import type {
  Person,
  PersonInput,
  PersonOutcome,
  setPersonFields,
  updatePerson,
} from '@invigil/core/contract/people/people';
import {
  emailKey,
  emailSpellings,
  readableEmail,
  whyNotEmailAddress,
} from '@invigil/core/domain/email-address';
import { PEOPLE_LIMITS } from '@invigil/core/domain/limits';
import { PEOPLE_HEAD, type PersonField, readField } from '@invigil/core/domain/people';
import type { Reach } from '@invigil/core/domain/rights';
import type { BaseContext } from '../../../app-context.ts';
import { lockUntilCommit } from '../../../db/advisory-locks.ts';
import { inTransaction, type Tx } from '../../../db/database.ts';
import { isTaken } from '../../../db/database-away.ts';
import { newId } from '../../../db/new-id.ts';
import { readPage } from '../../../db/page-window.ts';
import {
  listPersonFields,
  putInstitution,
  readInstitution,
} from '../../../db/queries/institution.ts';
import { redirectWaiting } from '../../../db/queries/outbox.ts';
import { lockUser } from '../../../db/queries/people.ts';
import type { Handlers } from '../../../http/endpoints.ts';
import { fileTime } from '../../../http/file-time.ts';
import { senderOf } from '../../../http/sender.ts';
import { downloadHeaders, tableStream } from '../../../http/table-stream.ts';
import { AppError } from '../../../runtime/app-error.ts';
import { Reply } from '../../../runtime/reply.ts';
import type { Sender } from '../../../runtime/work-queue.ts';
import { type Editor, requireSame } from '../../../sessions/guards.ts';
import { recordAudit } from '../../../sessions/record-audit.ts';
import { type ReadRows, readRowsInProcess } from '../../assessments/imports/file-process.ts';
import {
  changePeople,
  changePerson,
  countPeople,
  dropFields,
  insertPeople,
  listGroups,
  listPeopleById,
  listPeopleOfOthers,
  listPersonIds,
  lockPeople,
  type PeopleFilter,
  type PersonRow,
  pagePeople,
} from './people-queries.ts';

const EXPORTED_AT_ONCE = 1_000;

export function peopleHandlers(ctx: BaseContext) {
  return {
    async listPeople({ query: { limit, offset, ...filter }, reach }) {
      const wanted = { ...filter, reach };
      const { rows, total } = await readPage(
        { limit, offset },
        () => countPeople(ctx.db, wanted),
        (window) => pagePeople(ctx.db, wanted, window),
      );
      return new Reply(200, rows.map(presentPerson), { 'x-total-count': String(total) });
    },
    listGroups: ({ reach }) => listGroups(ctx.db, reach),
    listPersonFields: () => listPersonFields(ctx.db),
    setPersonFields: ({ body, session, now }) => changeFields(ctx, session.adminId, body, now),
    readPeopleSheet: ({ body, ...exchange }) => readSheetRows(ctx, body, senderOf(exchange)),
    async getPerson({ params }) {
      return presentPerson(await findPerson(ctx, params.id));
    },
    async updatePerson({ params, body, session, reach, now }) {
      await editPerson(ctx, { adminId: session.adminId, reach }, params.id, body, now);
      return presentPerson(await findPerson(ctx, params.id));
    },
    async importPeople({ body: { people, dryRun }, session, now }) {
      return await importPeople(ctx, session.adminId, people, dryRun, now);
    },
    async exportPeople({ query: { format, ...filter }, session, reach, now }) {
      const { timeZone } = await readInstitution(ctx.db, ctx.config);
      await recordAudit(ctx.db, now, session.adminId, 'people.exported', null, {
        isFiltered: Boolean(filter.search || filter.group),
      });
      const fields = await listPersonFields(ctx.db);
      const table = {
        name: 'People',
        head: [...PEOPLE_HEAD, ...fields.map(({ name }) => name)],
        portions: exported(ctx, { ...filter, reach }, fields),
      };
      const name = `people_${fileTime(now, timeZone)}`;
      return new Reply(
        200,
        tableStream(table, { format, timeZone }),
        downloadHeaders(name, format),
      );
    },
  } satisfies Handlers;
}

/**
 * Replaces the installation's own fields, and deletes what people have in those that are gone. Throws STALE
 * for other fields than `before`.
 */
async function changeFields(
  ctx: BaseContext,
  adminId: string,
  { fields, before }: ParsedBodyOf<typeof setPersonFields>,
  now: Date,
): Promise<PersonField[]> {
  await inTransaction(ctx.db, async (tx) => {
    // No one writes a value while its field is removed.
    await lockUntilCommit(tx, 'personFields');
    const stored = await listPersonFields(tx);
    requireSame(before, stored);
    const removed = stored.filter(({ id }) => !fields.some((field) => field.id === id));
    await putInstitution(tx, { personFields: fields, updatedAt: now });
    const ids = removed.map(({ id }) => id);
    await dropFields(tx, ids);
    await recordAudit(tx, now, adminId, 'people.fields_changed', null, {
      fields: fields.length,
      removed: ids.length,
    });
  });
  return fields;
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
  throw new AppError('INVALID_INPUT', { message: 'At most 10,000 people at a time' });
}

async function* exported(
  { db }: Pick<BaseContext, 'db'>,
  filter: PeopleFilter,
  fields: readonly PersonField[],
) {
  // At once: who is added or erased during the export would move the others to another portion.
  const ids = await listPersonIds(db, filter);
  for (let i = 0; i < ids.length; i += EXPORTED_AT_ONCE) {
    const some = ids.slice(i, i + EXPORTED_AT_ONCE);
    const rowOf = new Map((await listPeopleById(db, some)).map((row) => [row.id, row]));
    const rows = some.flatMap((id) => rowOf.get(id) ?? []).filter(({ email }) => email !== null);
    yield rows.map((row) => [
      ...[row.email ?? '', row.givenName, row.familyName, row.externalId ?? ''],
      ...[row.groups.join('; '), row.language],
      ...fields.map(({ id }) => row.fields[id] ?? ''),
    ]);
  }
}

async function findPerson({ db }: Pick<BaseContext, 'db'>, id: string): Promise<PersonRow> {
  const [row] = await listPeopleById(db, [id]);
  if (!row) throw new AppError('NOT_FOUND');
  return row;
}

function presentPerson({ sealedKey: _, externalId, createdAt, ...row }: PersonRow): Person {
  return { ...row, externalId: externalId ?? '', createdAt: createdAt.toISOString() };
}

/** Throws NOT_FOUND, FORBIDDEN for a person who is not the editor's alone, EMAIL_TAKEN, EXTERNAL_ID_TAKEN. */
async function editPerson(
  ctx: BaseContext,
  { adminId, reach }: Editor,
  id: string,
  { email, externalId, fields, ...details }: ParsedBodyOf<typeof updatePerson>,
  now: Date,
): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const defined = fields && (await keepFields(tx));
    const row = await lockUser(tx, id);
    if (!row || row.email === null) throw new AppError('NOT_FOUND');
    if ((await listPeopleOfOthers(tx, reach, [id])).has(id)) {
      const message =
        'This person also belongs to assessments that you do not manage. Ask someone who manages all of them';
      throw new AppError('FORBIDDEN', { message });
    }
    const own = fields && withFields(row.fields, fields, defined ?? []);
    if (own?.problem) {
      const { id: field, message } = own.problem;
      throw new AppError('INVALID_INPUT', {
        message,
        issues: [{ path: `fields.${field}`, message }],
      });
    }
    const isMoved = email !== undefined && email !== row.email;
    if (isMoved) await requireFree(tx, row, { keys: emailSpellings(email) }, 'EMAIL_TAKEN');
    if (externalId) {
      await requireFree(tx, row, { externalIds: [externalId] }, 'EXTERNAL_ID_TAKEN');
    }
    const set = Object.fromEntries(
      Object.entries(details).filter(([, value]) => value !== undefined),
    );
    await changePerson(tx, id, {
      ...set,
      ...(externalId === undefined ? {} : { externalId: externalId || null }),
      ...(isMoved ? { email, formerEmails: [...row.formerEmails, row.email] } : {}),
      ...(own ? { fields: own.values } : {}),
    });
    if (isMoved) await redirectWaiting(tx, id, email);
    const changed = { ...set, email: isMoved || undefined, externalId, fields };
    await recordAudit(tx, now, adminId, 'person.changed', ['user', id], {
      fields: Object.entries(changed).flatMap(([key, value]) => (value === undefined ? [] : key)),
    });
  });
}

/** The fields, which stay defined until the transaction ends; asked for before people are locked. */
async function keepFields(tx: Tx): Promise<PersonField[]> {
  await lockUntilCommit(tx, 'personFields', { isShared: true });
  return listPersonFields(tx);
}

/**
 * What someone has in the installation's own fields after a change; an empty value is none. A field that is
 * not defined is a problem, and so is a value of another kind.
 */
function withFields(
  stored: Readonly<Record<string, string>>,
  typed: Readonly<Record<string, string>>,
  fields: readonly PersonField[],
): { values: Record<string, string>; problem?: { id: string; message: string } } {
  const values = { ...stored };
  for (const [id, text] of Object.entries(typed)) {
    const field = fields.find((one) => one.id === id);
    if (!field) return { values, problem: { id, message: 'There is no such field' } };
    const { value, problem } = readField(field, text);
    if (problem) return { values, problem: { id, message: `${field.name}: ${problem}` } };
    if (value === '') delete values[id];
    else values[id] = value;
  }
  return { values };
}

async function requireFree(
  tx: Tx,
  { id }: PersonRow,
  { keys = [], externalIds = [] }: { keys?: string[]; externalIds?: string[] },
  code: 'EMAIL_TAKEN' | 'EXTERNAL_ID_TAKEN',
): Promise<void> {
  const others = await lockPeople(tx, { keys, externalIds });
  if (others.some((other) => other.id !== id)) {
    throw AppError.at(code === 'EMAIL_TAKEN' ? 'email' : 'externalId', code);
  }
}

/** A row, and what is stored of it. */
interface Planned {
  outcome: PersonOutcome;
  row: PersonRow | null;
}

/**
 * Adds and changes people by a list, all or nothing. Two imports at a time wait for each other's people.
 *
 * @returns one outcome per row
 */
async function importPeople(
  ctx: BaseContext,
  adminId: string,
  people: readonly PersonInput[],
  dryRun: boolean,
  now: Date,
): Promise<{ outcomes: PersonOutcome[]; isStored: boolean }> {
  const once = () =>
    inTransaction(ctx.db, async (tx) => {
      const plan = await planImport(tx, people, now, 'all');
      const outcomes = plan.map(({ outcome }) => outcome);
      const isStored = !dryRun && outcomes.every(({ status }) => status !== 'refused');
      if (isStored) await storePlan(tx, adminId, plan, now);
      return { outcomes, isStored };
    });
  return once().catch((error: unknown) => {
    // Someone was added at the same time: now they are found.
    if (isTaken(error)) return once();
    throw error;
  });
}

/**
 * Stores every row that can be; the others are refused alone. What is known of people who are not the
 * editor's alone is only completed.
 */
export async function applyImport(
  tx: Tx,
  { adminId, reach }: Editor,
  people: readonly PersonInput[],
  now: Date,
): Promise<PersonOutcome[]> {
  const plan = await planImport(tx, people, now, reach);
  await storePlan(tx, adminId, plan, now);
  return plan.map(({ outcome }) => outcome);
}

async function storePlan(tx: Tx, adminId: string, plan: readonly Planned[], now: Date) {
  const of = (status: PersonOutcome['status']) =>
    plan.flatMap(({ outcome, row }) => (outcome.status === status && row ? [row] : []));
  const [added, changed] = [of('added'), of('changed')];
  if (added.length + changed.length === 0) return;
  await insertPeople(tx, added);
  await changePeople(tx, changed);
  await recordAudit(tx, now, adminId, 'people.imported', null, {
    added: added.length,
    changed: changed.length,
  });
}

async function planImport(
  tx: Tx,
  people: readonly PersonInput[],
  now: Date,
  reach: Reach,
): Promise<Planned[]> {
  const rows = people.map((person) => ({
    ...person,
    email: readableEmail((person.email ?? '').trim()),
  }));
  // Before anyone is locked, as a change of the fields does; the other order would deadlock.
  const fields = people.some((person) => person.fields) ? await keepFields(tx) : [];
  const keys = rows.flatMap(({ email }) => (email === '' ? [] : emailSpellings(emailKey(email))));
  const externalIds = rows.flatMap(({ externalId }) => externalId || []);
  const known = await lockPeople(tx, { keys, externalIds });
  const ofOthers = await listPeopleOfOthers(
    tx,
    reach,
    known.map(({ id }) => id),
  );
  const byKey = new Map(known.map((row) => [emailKey(row.email ?? ''), row]));
  const byNumber = new Map(known.map((row) => [row.externalId ?? '', row]));
  const seen = new Map<string, number>();
  const numbers = new Map<string, string>();
  /** Whom a row is about, or why it is refused. */
  const find = ({ email, externalId = '' }: (typeof rows)[number], i: number) => {
    const why = whyUnidentified(email, externalId);
    if (why !== null) return refused(why, 'email');
    const ofNumber = externalId === '' ? undefined : byNumber.get(externalId);
    const found = email === '' ? ofNumber : byKey.get(emailKey(email));
    if (email === '' && !found) {
      return refused('No one has this number: enter an email address', 'email');
    }
    if (ofNumber && ofNumber !== found) {
      const owner = reach === 'all' ? ofNumber.email : 'Someone else';
      return refused(`${owner} has this number already`, 'externalId');
    }
    const id = found?.id ?? emailKey(email);
    const earlier = seen.get(id);
    if (earlier !== undefined) return refused(`The same person as in row ${earlier + 1}`, 'email');
    seen.set(id, i);
    if (externalId !== '' && (numbers.get(externalId) ?? id) !== id) {
      return refused('Another row has this number', 'externalId');
    }
    numbers.set(externalId, id);
    return { found };
  };
  return rows.map((input, i): Planned => {
    const who = find(input, i);
    if ('outcome' in who) return who;
    const before = who.found ?? newPerson(input.email, now);
    const typed = Object.entries(input.fields ?? {}).filter(([, text]) => text !== '');
    const own = withFields(before.fields, Object.fromEntries(typed), fields);
    if (own.problem) return refused(own.problem.message);
    const listed = { ...merged(before, input), fields: own.values };
    // Of others what is known goes first.
    const row = ofOthers.has(before.id)
      ? { ...merged(listed, before), fields: { ...listed.fields, ...before.fields } }
      : listed;
    if (row.groups.length > PEOPLE_LIMITS.groupsMax) {
      return refused(`At most ${PEOPLE_LIMITS.groupsMax} groups`);
    }
    const isSame = FIELDS.every((field) => isDeepStrictEqual(row[field], before[field]));
    const status = !who.found ? 'added' : isSame ? 'unchanged' : 'changed';
    const isKept = DETAILS.some((field) => !isDeepStrictEqual(row[field], listed[field]));
    const reason = isKept ? { reason: 'Known to others: what they entered stays' } : {};
    return { outcome: { status, id: row.id, ...reason }, row };
  });
}

const refused = (reason: string, at?: PersonOutcome['at']): Planned => ({
  outcome: { status: 'refused', reason, ...(at ? { at } : {}) },
  row: null,
});

function whyUnidentified(email: string, externalId: string): string | null {
  if (email !== '') return whyNotEmailAddress(email);
  return externalId === '' ? 'Enter an email address' : null;
}

const DETAILS = ['givenName', 'familyName', 'externalId', 'language', 'fields'] as const;
const FIELDS = [...DETAILS, 'groups'] as const;

function newPerson(email: string, now: Date): PersonRow {
  return {
    ...{ id: newId(), email, givenName: '', familyName: '', externalId: null, groups: [] },
    ...{ language: '', fields: {}, note: '', formerEmails: [], sealedKey: null, createdAt: now },
  };
}

/** An empty cell changes nothing; groups are added. */
function merged(row: PersonRow, input: PersonInput | PersonRow): PersonRow {
  return {
    ...row,
    givenName: input.givenName || row.givenName,
    familyName: input.familyName || row.familyName,
    externalId: input.externalId || row.externalId,
    groups: [...new Set([...row.groups, ...(input.groups ?? [])])],
    language: input.language || row.language,
  };
}
