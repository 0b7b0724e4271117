import { join } from 'node:path';
import type { Logger } from 'pino';
import { StartProblem } from '../runtime/app-error.ts';
import type { Config } from '../runtime/config.ts';
import { diskStorage } from './disk-storage.ts';
import { s3Storage } from './s3-storage.ts';
import { type Storage, StorageAway } from './storage.ts';

type Settings = Pick<Config, 'dataDir' | 'evidenceS3'>;

/** The storage of evidence. Nothing is contacted or created yet. */
export function openEvidenceStorage(settings: Settings): Storage {
  return openStorage(settings, 'evidence');
}

/** The storage of the images of questions, beside that of evidence. */
export function openImageStorage(settings: Settings): Storage {
  return openStorage(settings, 'images');
}

function openStorage({ dataDir, evidenceS3 }: Settings, name: string): Storage {
  return evidenceS3 === null ? diskStorage(join(dataDir, name)) : s3Storage(evidenceS3, name);
}

/**
 * Checks at the start whether the S3 store accepts us. One that is away does not prevent the start: only
 * evidence and images wait for it. Throws StartProblem.
 */
export async function requireStorage(
  { evidenceS3 }: Settings,
  log: Pick<Logger, 'warn'>,
): Promise<void> {
  if (evidenceS3 === null) return;
  try {
    for (const prefix of ['evidence', 'images']) {
      const problem = await s3Storage(evidenceS3, prefix).findProblem();
      if (problem !== null) throw new StartProblem(`EVIDENCE_S3_…: ${problem}.`);
    }
  } catch (error) {
    if (!(error instanceof StorageAway)) throw error;
    log.warn(
      { err: error },
      'the S3 store of evidence cannot be reached; evidence and images wait for it',
    );
  }
}
