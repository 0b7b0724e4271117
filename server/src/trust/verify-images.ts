import { createHash } from 'node:crypto';
import type { AppContext } from '../app-context.ts';
import { insertAudit } from '../db/queries/audit.ts';
import { deleteImageRows, listImages, listUnusedImages } from '../db/queries/images.ts';
import { inTransaction } from '../db/transaction.ts';
import { fileOfImage, type Storage } from '../storage/storage.ts';
import type { Area } from './verify.ts';

const AT_A_TIME = 500;

/** An image that was just uploaded may be in a question that is not saved yet. */
const UNSAVED_MAX_MS = 86_400_000;

/**
 * Removes images of more than a day that are in no question, nor in an earlier version of one, and are not
 * the logo; audited. No process may be serving: a question that is being saved could name one of them.
 * Returns how many.
 */
export async function removeUnusedImages(
  { db, imageStorage }: Pick<AppContext, 'db'> & { imageStorage: Storage },
  now: Date,
): Promise<number> {
  const unused = await listUnusedImages(db, new Date(now.getTime() - UNSAVED_MAX_MS));
  const hashes = unused.map(({ hash }) => hash);
  const bytes = unused.reduce((sum, image) => sum + image.bytes, 0);
  if (hashes.length === 0) return 0;
  await inTransaction(db, async (tx) => {
    await deleteImageRows(tx, hashes);
    const details = { images: hashes.length, bytes };
    await insertAudit(tx, now, null, 'images.removed', null, details);
  });
  for (const hash of hashes) {
    const { folder, name } = fileOfImage(hash);
    await imageStorage.remove(folder, name);
  }
  return hashes.length;
}

/** Verifies that the file of every image exists, and is the one that its hash names. */
export async function verifyImages({
  db,
  imageStorage,
}: Pick<AppContext, 'db'> & { imageStorage: Storage }): Promise<Area> {
  const findings: string[] = [];
  let checked = 0;
  let last = '';
  for (;;) {
    const rows = await listImages(db, last, AT_A_TIME);
    for (const { hash } of rows) {
      const { folder, name } = fileOfImage(hash);
      const bytes = await imageStorage.get(folder, name);
      if (bytes === undefined) findings.push(`image ${hash}: its file is missing`);
      else if (createHash('sha256').update(bytes).digest('hex') !== hash) {
        findings.push(`image ${hash}: its file was changed`);
      }
    }
    checked += rows.length;
    last = rows.at(-1)?.hash ?? last;
    if (rows.length < AT_A_TIME) break;
  }
  return { name: 'Images', checked: `${checked} images`, findings };
}
