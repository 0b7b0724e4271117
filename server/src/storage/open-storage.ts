import { join } from 'node:path';
import type { Logger } from 'pino';
import { S3mini, S3NetworkError, S3ServiceError } from 's3mini';
import { StartProblem } from '../runtime/app-error.ts';
import type { Config, S3Settings } from '../runtime/config.ts';
import { diskStorage } from './disk-storage.ts';
import { requireFileNames, type Storage, StorageAway } from './storage.ts';

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

/** An upload is at most a megabyte, and requests must not wait much longer than this. */
const ANSWER_WITHIN_MS = 10_000;
const DELETE_AT_ONCE = 500;

/** Temporary errors: come again later (429, 503), or a failure of the store. */
const isPassing = (status: number) => status === 408 || status === 429 || status >= 500;

interface S3Storage extends Storage {
  /** Returns what is wrong with the settings, or `null`. Throws StorageAway. */
  findProblem(): Promise<string | null>;
}

/** Files in a bucket, under `<prefix>/<folder>/<name>`. */
export function s3Storage(settings: S3Settings, prefix: string): S3Storage {
  const { endpoint, bucket, region, accessKeyId, secretAccessKey } = settings;
  const client = new S3mini({
    endpoint: `${endpoint}/${bucket}`,
    region,
    accessKeyId,
    secretAccessKey,
    requestAbortTimeout: ANSWER_WITHIN_MS,
  });
  const keyOf = (...names: string[]) => [prefix, ...requireFileNames(names)].join('/');
  const list = async (below: string, most?: number) => client.listObjects('/', below, most);
  return {
    isOurs: false,
    put: (folder, name, bytes) =>
      asking(async () => {
        await client.putObject(keyOf(folder, name), bytes, 'application/octet-stream');
      }),
    get: (folder, name) =>
      asking(async () => {
        const bytes = await client.getObjectArrayBuffer(keyOf(folder, name));
        return bytes === null ? undefined : Buffer.from(bytes);
      }),
    remove: (folder, name) =>
      asking(async () => {
        const gone = await client.deleteObjects([keyOf(folder, name)]);
        if (gone.includes(false)) throw new Error('the S3 store did not delete the file');
      }),
    list: () => null,
    removeFolder: (folder) =>
      asking(async () => {
        const keys = ((await list(`${keyOf(folder)}/`)) ?? []).map(({ Key }) => Key);
        for (let i = 0; i < keys.length; i += DELETE_AT_ONCE) {
          const gone = await client.deleteObjects(keys.slice(i, i + DELETE_AT_ONCE));
          if (gone.includes(false)) throw new Error('the S3 store did not delete every file');
        }
      }),
    async findProblem() {
      try {
        const found = await asking(() => list(`${prefix}/`, 1));
        return found === null ? `there is no bucket ${bucket} at ${endpoint}` : null;
      } catch (error) {
        if (!(error instanceof S3ServiceError)) throw error;
        return `${endpoint} refuses the bucket ${bucket}: ${error.serviceCode ?? error.status}`;
      }
    },
  };
}

/** Distinguishes a store that is away from one that refuses us, which a person has to fix. */
async function asking<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isAway =
      error instanceof S3ServiceError
        ? isPassing(error.status)
        : error instanceof S3NetworkError ||
          error instanceof TypeError ||
          (error instanceof DOMException && error.name === 'TimeoutError');
    if (isAway) throw new StorageAway('the S3 store cannot be reached', { cause: error });
    throw error;
  }
}
