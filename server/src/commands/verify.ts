import { parseArgs } from 'node:util';
import type { Logger } from 'pino';
import { verifyBackup } from '../backup/backup-file.ts';
import { WITHOUT_TIME_LIMITS } from '../db/connection/pool.ts';
import { openDatabase } from '../db/database.ts';
import { countServing } from '../key-rotation/key-queries.ts';
import { StartProblem } from '../runtime/app-error.ts';
import type { Config } from '../runtime/config.ts';
import { createLog } from '../runtime/log.ts';
import { deriveKeys } from '../security/keys.ts';
import { openEvidenceStorage, openImageStorage } from '../storage/open-storage.ts';
import { sealAudit } from '../trust/seal-audit.ts';
import { removeTrustFile, TrustRoot } from '../trust/trust-root.ts';
import {
  type Area,
  acceptAsIs,
  verifyAssessments,
  verifyCredentials,
  verifyEvidence,
  verifyLog,
  verifyPeople,
  verifyQuestions,
  verifyResults,
  verifySettings,
} from '../trust/verify.ts';
import { removeUnusedImages, verifyImages } from '../trust/verify-images.ts';
import { complain, runCommand, withData } from './open-for-command.ts';

/*
 * `npm run verify` checks that the data is as Invigil wrote it: audit log, credentials, settings, mail,
 * assessments, people, questions, results, evidence and images. It reads the same settings as the server,
 * works while the server runs, and changes nothing unless asked to.
 *
 *   npm run verify -- --backup <file>     checks a backup as well; may be given several times
 *   npm run verify -- --head 123:<hash>   also compares with a head from the server's log
 *   npm run verify -- --accept            accepts everything as it is now (docs/run/trust-and-data.md)
 *   npm run verify -- --remove-unused-images   removes images that are in no question, after the checks
 *   npm run audit:verify                  the audit log alone
 */

const HEAD = /^(\d+):([0-9a-f]{64})$/;
/** Lines that are printed per area; further ones are only counted. */
const MOST_LINES = 100;

type Head = { number: number; hash: string };

const { values } = parseArgs({
  options: {
    verify: { type: 'boolean' },
    'verify-audit': { type: 'boolean', default: false },
    head: { type: 'string' },
    backup: { type: 'string', multiple: true, default: [] },
    accept: { type: 'boolean', default: false },
    'remove-unused-images': { type: 'boolean', default: false },
  },
});

process.exitCode = await main();

async function main(): Promise<number> {
  const head = readHead(values.head);
  if (typeof head === 'string') return complain(head);
  const log = createLog('error');
  return runCommand(
    (config) =>
      withData(config, log, WITHOUT_TIME_LIMITS, (pool, secretKey) => {
        const keys = deriveKeys(secretKey);
        const ctx = {
          db: openDatabase(pool),
          keys,
          trust: new TrustRoot(config.dataDir, keys.integrity, log),
          storage: openEvidenceStorage(config),
          imageStorage: openImageStorage(config),
        };
        return values['verify-audit']
          ? auditAlone(ctx, head)
          : all(ctx, secretKey, head, config, log);
      }),
    (message) => `The data could not be verified: ${message}`,
  );
}

type Ctx = Parameters<typeof verifyEvidence>[0] & Parameters<typeof verifyImages>[0];

async function all(ctx: Ctx, secret: string, head: Head | undefined, config: Config, log: Logger) {
  const audit = await verifyLog(ctx, head);
  const areas: Area[] = [audit];
  report(audit);
  for (const verify of [
    verifyCredentials,
    verifySettings,
    verifyAssessments,
    verifyPeople,
    verifyQuestions,
    verifyResults,
    verifyEvidence,
    verifyImages,
  ]) {
    const area = await verify(ctx);
    report(area);
    areas.push(area);
  }
  for (const file of values.backup) {
    const area = await verifyBackupArea(file, secret);
    report(area);
    areas.push(area);
  }
  if (values['remove-unused-images']) {
    await requireNoServer(ctx);
    const removed = await removeUnusedImages(ctx, new Date());
    process.stdout.write(`Removed ${removed} images that are in no question.\n`);
  }
  const rows = areas.slice(1).flatMap(({ findings }) => findings);
  if (!values.accept) return audit.findings.length + rows.length === 0 ? 0 : 1;
  await accept(ctx, { chainProblem: audit.findings[0] ?? null, rows }, config, log);
  process.stdout.write(
    'Accepted as it is now: everything has a new seal, and administrators sign in again.\n',
  );
  return 0;
}

async function accept(
  ctx: Ctx,
  findings: Parameters<typeof acceptAsIs>[1],
  { dataDir }: Config,
  log: Logger,
): Promise<void> {
  await requireNoServer(ctx);
  await acceptAsIs(ctx, findings, new Date());
  removeTrustFile(dataDir);
  const trust = new TrustRoot(dataDir, ctx.keys.integrity, log);
  await sealAudit({ ...ctx, trust, log });
  if (trust.chainProblem !== null) throw new StartProblem(`The audit log: ${trust.chainProblem}.`);
}

async function requireNoServer({ db }: Ctx): Promise<void> {
  if ((await countServing(db)) === 0) return;
  throw new StartProblem(
    'Invigil is running on this database. Stop every process of it first. Nothing was changed.',
  );
}

/** Whether a backup is completely as this installation wrote it. */
async function verifyBackupArea(file: string, secretKey: string): Promise<Area> {
  const name = `Backup ${file}`;
  try {
    await verifyBackup(file, secretKey);
    return { name, checked: 'authentic and complete', findings: [] };
  } catch (error) {
    return {
      name,
      checked: 'read',
      findings: [error instanceof Error ? error.message : String(error)],
    };
  }
}

async function auditAlone(ctx: Ctx, named: Head | undefined): Promise<number> {
  const { checked, findings, head } = await verifyLog(ctx, named);
  const [problem] = findings;
  if (problem !== undefined) return complain(`The audit log is NOT intact: ${problem}.`);
  process.stdout.write(`The audit log is intact: ${checked}.\n`);
  if (head !== null) process.stdout.write(`Head: ${head.number}:${head.hash.toString('hex')}\n`);
  return 0;
}

/** One line when all is well. */
function report({ name, checked, findings }: Area): void {
  if (findings.length === 0) {
    process.stdout.write(`ok      ${name}: ${checked}\n`);
    return;
  }
  const more = findings.length - MOST_LINES;
  complain(
    `BROKEN  ${name}: ${checked}, ${findings.length} findings`,
    ...findings.slice(0, MOST_LINES).map((line) => `          ${line}`),
    ...(more > 0 ? [`          and ${more} more`] : []),
  );
}

/** Returns an error message if it is malformed. */
function readHead(text: string | undefined): Head | string | undefined {
  if (text === undefined) return undefined;
  const [, number, hash] = HEAD.exec(text) ?? [];
  return number === undefined || hash === undefined
    ? '--head takes a number and a hash of 64 hexadecimal digits: 123:0f3a…'
    : { number: Number(number), hash };
}
