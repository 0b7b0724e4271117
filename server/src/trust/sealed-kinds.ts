import type { KeyObject } from 'node:crypto';
import type { Queryable, Tx } from '../db/database.ts';
import { portionsOf } from '../db/portions.ts';
import { listAnswersOf, type StoredAnswer } from '../db/queries/attempts/answers.ts';
import { listPaperKeys, type PaperKey } from '../db/queries/attempts/paper-keys.ts';
import type { QuestionVersionRow } from '../db/queries/questions.ts';
import type { certificates } from '../db/schema/attempts.ts';
import { fitsSeal, type SealedField, sealFields } from './row-seal.ts';
import {
  adminFields,
  certificateFields,
  digestOfTexts,
  evidenceFields,
  policyFields,
  type Result,
  resultFields,
  sessionFields,
  type VersionKey,
  versionFields,
} from './sealed-fields.ts';
import {
  findPolicyToSeal,
  listAdminsToSeal,
  listCertificatesToSeal,
  listEvidenceToSeal,
  listResultsToSeal,
  listSessionsToSeal,
  listVersionsToSeal,
  putSeals,
  type SealPlace,
  type Wanted,
} from './sealed-queries.ts';
import type { SealedName } from './table-list.ts';

/** Rows read at once; a result includes its paper and answers. */
const AT_A_TIME = 200;

/** A row, what its seal covers, and its seal. */
export interface SealedRow {
  id: string;
  fields: readonly SealedField[];
  seal: Buffer | null;
  /** The question versions a result was scored with: it is no more genuine than they are. */
  restsOn?: readonly SealedRow[];
}

/** How rows of one kind are read; used for sealing, verifying and key rotation. */
export interface SealedKind {
  name: SealedName;
  place: SealPlace;
  /** Rows read at once, where that can be more than the usual number. */
  atATime?: number;
  /** The subject of a change of a row, for people, where the name of its table does not say it. */
  concerns?(): string;
  list(db: Queryable, which: Wanted): Promise<SealedRow[]>;
}

export const ADMINS: SealedKind = {
  name: 'administrator',
  place: { table: 'admins', column: 'seal', isRow: 't.id = r.id::uuid' },
  async list(db, which) {
    const rows = await listAdminsToSeal(db, which);
    return rows.map(({ admin, totp }) => ({
      id: admin.id,
      fields: adminFields(admin, totp),
      seal: admin.seal,
    }));
  },
};

export const POLICY: SealedKind = {
  name: 'sign_in_policy',
  place: { table: 'sign_in_policy', column: 'seal', isRow: 't.one = r.id::boolean' },
  async list(db, which) {
    if ('after' in which && which.after !== null) return [];
    const row = await findPolicyToSeal(db);
    return row ? [{ id: 'true', fields: policyFields(row), seal: row.seal }] : [];
  },
};

export const SESSIONS: SealedKind = {
  name: 'session',
  place: { table: 'sessions', column: 'seal', isRow: 't.id = r.id::uuid' },
  async list(db, which) {
    const rows = await listSessionsToSeal(db, which);
    return rows.map((row) => ({ id: row.id, fields: sessionFields(row), seal: row.seal }));
  },
};

export const RESULTS: SealedKind = {
  name: 'result',
  place: { table: 'participants', column: 'result_seal', isRow: 't.id = r.id::uuid' },
  async list(db, which) {
    const rows = await listResultsToSeal(db, which);
    const ids = rows.map(({ id }) => id);
    const keys = Map.groupBy(await listPaperKeys(db, ids), (k) => k.participantId);
    const answers = Map.groupBy(await listAnswersOf(db, ids), (a) => a.participantId);
    return rows.map((row) => resultRow(row, keys.get(row.id) ?? [], answers.get(row.id) ?? []));
  },
};

/** A result as its seal is checked, with what it was scored with. */
export function resultRow(
  result: Result & { id: string; resultSeal: Buffer | null },
  keys: readonly PaperKey[],
  answers: readonly StoredAnswer[],
): SealedRow {
  return {
    id: result.id,
    fields: resultFields(result, keys, answers),
    seal: result.resultSeal,
    restsOn: keys.map(versionRow),
  };
}

/** Versions of questions, by question and number: `<uuid>/<version>`. */
export const VERSIONS: SealedKind = {
  name: 'question',
  place: {
    table: 'question_versions',
    column: 'seal',
    isRow:
      "t.question_id = split_part(r.id, '/', 1)::uuid and t.version = split_part(r.id, '/', 2)::int",
  },
  async list(db, which) {
    return (await listVersionsToSeal(db, which)).map(versionRow);
  },
};

/** The key of a question version as its seal is checked. */
export function versionRow(
  row: VersionKey & { questionId: string; questionVersion: number; seal: Buffer | null },
): SealedRow {
  const id = `${row.questionId}/${row.questionVersion}`;
  return { id, fields: versionFields(row), seal: row.seal };
}

/** A question version with its seal, to be stored. */
export function sealedVersion(
  key: KeyObject,
  version: Omit<QuestionVersionRow, 'seal'>,
): QuestionVersionRow {
  const id = `${version.questionId}/${version.version}`;
  const fields = versionFields({ ...version, textsDigest: digestOfTexts(version) });
  return { ...version, seal: sealOf(key, VERSIONS, id, fields) };
}

/** Whether a stored question version is as Invigil wrote it. */
export function isWholeVersion(key: KeyObject, version: QuestionVersionRow): boolean {
  const { seal } = sealedVersion(key, version);
  return version.seal !== null && seal !== null && version.seal.equals(seal);
}

export const EVIDENCE: SealedKind = {
  name: 'evidence',
  place: { table: 'evidence', column: 'seal', isRow: 't.id = r.id::uuid' },
  async list(db, which) {
    const rows = await listEvidenceToSeal(db, which);
    return rows.map((row) => ({ id: row.id, fields: evidenceFields(row), seal: row.seal }));
  },
};

export const CERTIFICATES: SealedKind = {
  name: 'certificate',
  place: { table: 'certificates', column: 'seal', isRow: 't.number = r.id' },
  async list(db, which) {
    return (await listCertificatesToSeal(db, which)).map(certificateRow);
  },
};

/** A certificate as its seal is checked. */
export function certificateRow(row: typeof certificates.$inferSelect): SealedRow {
  return { id: row.number, fields: certificateFields(row), seal: row.seal };
}

/** The seal of a row of a kind. */
export function sealOf(
  key: KeyObject,
  { place }: SealedKind,
  id: string,
  fields: readonly SealedField[],
): Buffer {
  return sealFields(key, `${place.table}/${id}`, fields);
}

/** Whether a row, and what it rests on, match their seals; false without one. */
export function isWhole(key: KeyObject, { place }: SealedKind, row: SealedRow): boolean {
  return (
    fitsSeal(key, `${place.table}/${row.id}`, row.fields, row.seal) &&
    (row.restsOn ?? []).every((version) => isWhole(key, VERSIONS, version))
  );
}

/** All rows of a kind by id, in portions. */
export async function* walkRows(
  db: Queryable,
  kind: SealedKind,
  after: string | null = null,
): AsyncGenerator<SealedRow[]> {
  const limit = kind.atATime ?? AT_A_TIME;
  for (let last = after; ; ) {
    const rows = await kind.list(db, { after: last, limit });
    if (rows.length > 0) yield rows;
    last = rows.at(-1)?.id ?? null;
    if (rows.length < limit) return;
  }
}

/** Seals rows as they are now, whatever their seals. For rows that were just created. */
export async function sealRows(
  tx: Tx,
  key: KeyObject,
  kind: SealedKind,
  rows: readonly SealedRow[],
): Promise<void> {
  await putSeals(
    tx,
    kind.place,
    rows.map(({ id, fields }) => ({ id, seal: sealOf(key, kind, id, fields) })),
  );
}

/** The ids of rows that match their seals. */
export async function listWhole(
  db: Queryable,
  key: KeyObject,
  kind: SealedKind,
  ids: readonly string[],
): Promise<string[]> {
  const whole: string[] = [];
  for (const some of portionsOf(ids, kind.atATime ?? AT_A_TIME)) {
    const rows = await kind.list(db, { ids: some });
    whole.push(...rows.filter((row) => isWhole(key, kind, row)).map(({ id }) => id));
  }
  return whole;
}

/**
 * Changes locked rows, and reseals those that matched their seals before, so that a later change does not
 * make a forged row genuine. Rows that the change creates are sealed too.
 */
export async function changeSealed<T>(
  tx: Tx,
  key: KeyObject,
  kind: SealedKind,
  ids: readonly string[],
  change: () => Promise<T>,
  onProgress?: (rows: number) => void,
): Promise<T> {
  const broken = new Set<string>();
  for (const some of portionsOf(ids, kind.atATime ?? AT_A_TIME)) {
    for (const row of await kind.list(tx, { ids: some })) {
      if (!isWhole(key, kind, row)) broken.add(row.id);
    }
    onProgress?.(some.length);
  }
  const result = await change();
  const kept = ids.filter((id) => !broken.has(id));
  for (const some of portionsOf(kept, kind.atATime ?? AT_A_TIME)) {
    await sealRows(tx, key, kind, await kind.list(tx, { ids: some }));
    onProgress?.(some.length);
  }
  return result;
}
