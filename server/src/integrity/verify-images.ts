import { createHash } from 'node:crypto';
import type { AppContext } from '../app-context.ts';
import { listImages } from '../db/queries/images.ts';
import { fileOfImage, type Storage } from '../storage/storage.ts';
import type { Area } from './verify.ts';

const AT_A_TIME = 500;

/** That the file of every image exists, and is the one that its hash names. */
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
