import type { AppContext } from '../app-context.ts';
import { lockUntilCommit } from '../db/advisory-locks.ts';
import type { Queryable } from '../db/database.ts';
import { findEvidence, findEvidenceKey } from '../db/queries/attempts/evidence.ts';
import { insertAudit } from '../db/queries/audit.ts';
import { inTransaction } from '../db/transaction.ts';
import { unsealOrNull } from '../security/sealing.ts';
import { fileContext, openEvidenceKey, parseEvidenceFile } from './evidence-file.ts';
import { bindMailPassword, listRecorded, recordedKinds } from './extend-seals.ts';
import {
  ASSESSMENTS,
  INSTITUTION,
  MAIL_SERVER,
  MESSAGES,
  MONITORING_POLICIES,
  PEOPLE,
  RELEASES,
  RESEALED_KINDS,
  RETENTION,
} from './row-kinds.ts';
import { verifyAudit } from './seal-audit.ts';
import {
  ADMINS,
  CERTIFICATES,
  EVIDENCE,
  isWhole,
  POLICY,
  RESULTS,
  SESSIONS,
  type SealedKind,
  sealRows,
  VERSIONS,
  walkRows,
} from './sealed-kinds.ts';
import {
  deleteAdminSessions,
  dissolveChain,
  findLoggedPolicy,
  insertDefaultPolicy,
  isUnused,
  listVanishedAdmins,
} from './sealed-queries.ts';

type Ctx = Pick<AppContext, 'db' | 'keys' | 'trust'>;

export interface Area {
  name: string;
  /** The number of checked objects, for people: "12 entries". */
  checked: string;
  /** One line each; none when all is well. */
  findings: string[];
}

/** Walks the audit chain and compares it with the known heads. */
export async function verifyLog(
  ctx: Ctx,
  named?: { number: number; hash: string },
): Promise<Area & { head: { number: number; hash: Buffer } | null }> {
  const { entries, waiting, head, problem } = await verifyAudit(ctx, named);
  const soon = waiting === 0 ? '' : `, ${waiting} not sealed yet`;
  const findings = problem === null ? [] : [problem];
  return { name: 'Audit log', checked: `${entries} entries${soon}`, findings, head };
}

/** Administrators with their second step, their requirements, and their sessions. */
export async function verifyCredentials(ctx: Ctx): Promise<Area> {
  const { db } = ctx;
  const findings: string[] = [];
  let checked = 0;
  for (const kind of [ADMINS, POLICY, SESSIONS]) {
    const { n, broken } = await checkRows(ctx, kind);
    checked += n;
    findings.push(...broken);
  }
  for (const id of await listVanishedAdmins(db)) {
    findings.push(`administrator ${id} is missing, and the audit log has no entry for it`);
  }
  findings.push(...(await findPolicyProblems(ctx)));
  return { name: 'Credentials', checked: `${checked} rows`, findings };
}

/** An older row with its own seal matches; the audit log shows that there is a newer one. */
async function findPolicyProblems({ db }: Ctx): Promise<string[]> {
  const [row] = await POLICY.list(db, { ids: ['true'] });
  const logged = await findLoggedPolicy(db);
  if (!row) return (await isUnused(db)) ? [] : ['the row of sign_in_policy is missing'];
  const isOlder = logged !== undefined && String(row.fields[1]) < logged.at.toISOString();
  return isOlder ? ['sign_in_policy is older than its last change in the audit log'] : [];
}

/** Every version of every question: what scoring reads, and the texts. */
export async function verifyQuestions(ctx: Ctx): Promise<Area> {
  const { n, broken } = await checkRows(ctx, VERSIONS);
  return { name: 'Questions', checked: `${n} versions`, findings: broken };
}

/** Verifies the rows that starts, mails and outcomes follow: assessments and their monitoring policies. */
export async function verifyAssessments(ctx: Ctx): Promise<Area> {
  const assessments = await checkRows(ctx, ASSESSMENTS);
  const policies = await checkRows(ctx, MONITORING_POLICIES);
  const checked = `${assessments.n} assessments, ${policies.n} monitoring policies`;
  return { name: 'Assessments', checked, findings: [...assessments.broken, ...policies.broken] };
}

/** Addresses, names, numbers and groups of people. */
export async function verifyPeople(ctx: Ctx): Promise<Area> {
  const { n, broken } = await checkRows(ctx, PEOPLE);
  return { name: 'People', checked: `${n} people`, findings: broken };
}

/** Mail settings, institution, days of retention, and messages. */
export async function verifySettings(ctx: Ctx): Promise<Area> {
  const findings: string[] = [];
  let settings = 0;
  for (const kind of [MAIL_SERVER, INSTITUTION, RETENTION]) {
    const { n, broken } = await checkRows(ctx, kind);
    settings += n;
    findings.push(...broken);
  }
  const messages = await checkRows(ctx, MESSAGES);
  findings.push(...messages.broken);
  const checked = `${settings} rows of settings, ${messages.n} messages`;
  return { name: 'Settings and mail', checked, findings };
}

/** Results of ended attempts, with their answers and keys, their releases and their certificates. */
export async function verifyResults(ctx: Ctx): Promise<Area> {
  const results = await checkRows(ctx, RESULTS);
  const certificates = await checkRows(ctx, CERTIFICATES);
  const releases = await checkRows(ctx, RELEASES);
  const checked = `${results.n} attempts, ${releases.n} releases, ${certificates.n} certificates`;
  const findings = [results, releases, certificates].flatMap(({ broken }) => broken);
  return { name: 'Results', checked, findings };
}

/**
 * Rows of evidence, and that their files exist, open, and contain what the rows say. On our own disk also
 * files that no row names.
 */
export async function verifyEvidence(ctx: Ctx & Pick<AppContext, 'storage'>): Promise<Area> {
  const { db, storage } = ctx;
  const { n, broken } = await checkRows(ctx, EVIDENCE);
  const findings = [...broken];
  for await (const rows of walkRows(db, EVIDENCE)) {
    for (const { id } of rows) {
      const problem = await findFileProblem(ctx, id);
      if (problem !== null) findings.push(`evidence ${id}: ${problem}`);
    }
  }
  let files = 0;
  for await (const { folder, name } of storage.list() ?? []) {
    files += 1;
    if (await isUnnamed(db, folder, name)) {
      findings.push(`evidence ${name} of attempt ${folder}: a file that no row names`);
    }
  }
  return { name: 'Evidence', checked: `${n} uploads, ${files} files`, findings };
}

async function findFileProblem(
  ctx: Ctx & Pick<AppContext, 'storage'>,
  id: string,
): Promise<string | null> {
  const row = await findEvidence(ctx.db, id);
  if (!row) return null;
  const keyRow = await findEvidenceKey(ctx.db, row.participantId);
  const key = keyRow ? openEvidenceKey(ctx, keyRow) : null;
  if (key === null) return 'its key cannot be opened';
  const sealed = await ctx.storage.get(row.participantId, id);
  if (sealed === undefined) return 'its file is missing';
  const text = unsealOrNull(key, sealed, fileContext(row.participantId, id));
  if (text === null) return 'its file was changed';
  const { stills, levels } = parseEvidenceFile(text);
  const bytes = stills.reduce((sum, { jpeg }) => sum + Buffer.from(jpeg, 'base64').length, 0);
  const isSame =
    stills.length === row.stills && (levels !== null) === row.hasLevels && bytes === row.bytes;
  return isSame ? null : 'its file does not hold what its row says';
}

/** The key of deleted evidence is already destroyed; its files follow within the hour. */
async function isUnnamed(db: Queryable, folder: string, name: string): Promise<boolean> {
  if ((await findEvidence(db, name))?.participantId === folder) return false;
  const key = await findEvidenceKey(db, folder);
  return key === undefined || key.sealedKey !== null;
}

async function checkRows({ db, keys }: Ctx, kind: SealedKind) {
  const found = { n: 0, broken: [] as string[] };
  for await (const rows of walkRows(db, kind)) {
    found.n += rows.length;
    for (const row of rows) {
      if (isWhole(keys.integrity, kind, row)) continue;
      const concerns = kind.concerns === undefined ? '' : ` (${kind.concerns()})`;
      found.broken.push(`${kind.place.table} ${row.id} does not match its seal${concerns}`);
    }
  }
  return found;
}

/**
 * Accepts everything as genuine as it is now: for an operator who has investigated an alarm, or who knows
 * its cause. The findings are audited. A broken chain is rebuilt. All administrators are signed out. No
 * process may be serving.
 */
export async function acceptAsIs(
  { db, keys }: Pick<AppContext, 'db' | 'keys'>,
  findings: { chainProblem: string | null; rows: readonly string[] },
  now: Date,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockUntilCommit(tx, 'sealing');
    await insertDefaultPolicy(tx, now);
    await deleteAdminSessions(tx);
    // Once: a password of an old copy must not be bound to whatever host is stored now.
    if (!(await listRecorded(tx)).has(MAIL_SERVER.name)) await bindMailPassword(tx, keys.sealing);
    for (const kind of RESEALED_KINDS) {
      for await (const rows of walkRows(tx, kind)) await sealRows(tx, keys.integrity, kind, rows);
    }
    const { chainProblem, rows } = findings;
    if (chainProblem !== null) await dissolveChain(tx);
    const details = {
      ...{ chain: chainProblem, findings: rows.length, first: rows.slice(0, 100) },
      kinds: recordedKinds(),
    };
    await insertAudit(tx, now, null, 'trust.accepted', null, details);
  });
}
