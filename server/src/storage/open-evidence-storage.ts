import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '../runtime/config.ts';
import { StartProblem } from '../runtime/start-problem.ts';
import { diskStorage } from './disk-storage.ts';
import { s3Storage } from './s3-storage.ts';
import { type Storage, StorageAway } from './storage.ts';

type Settings = Pick<Config, 'dataDir' | 'evidenceS3'>;

/** The evidence storage of the settings. Nothing is contacted or created yet. */
export function openEvidenceStorage({ dataDir, evidenceS3 }: Settings): Storage {
  return evidenceS3 === null ? diskStorage(join(dataDir, 'evidence')) : s3Storage(evidenceS3);
}

/**
 * Checks at the start whether the S3 store accepts us. One that is away does not prevent the start: only
 * evidence waits for it. Throws StartProblem.
 */
export async function requireEvidenceStorage(
  { evidenceS3 }: Settings,
  log: Pick<Logger, 'warn'>,
): Promise<void> {
  if (evidenceS3 === null) return;
  try {
    const problem = await s3Storage(evidenceS3).findProblem();
    if (problem !== null) throw new StartProblem(`EVIDENCE_S3_…: ${problem}.`);
  } catch (error) {
    if (!(error instanceof StorageAway)) throw error;
    log.warn({ err: error }, 'the S3 store of evidence cannot be reached; evidence waits for it');
  }
}
