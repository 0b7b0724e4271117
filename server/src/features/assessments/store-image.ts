import { createHash } from 'node:crypto';
import type { StoredImage } from '@invigil/core/contract/assessments/images';
import { t } from '@invigil/core/texts/i18n';
import type { AppContext, FileContext } from '../../app-context.ts';
import type { Tx } from '../../db/database.ts';
import { findImage, type ImageRow, insertImage } from '../../db/queries/images.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Handlers } from '../../http/endpoints.ts';
import { senderOf } from '../../http/sender.ts';
import { AppError } from '../../runtime/app-error.ts';
import type { Sender } from '../../runtime/work-queue.ts';

type Ctx = Pick<AppContext, 'db' | 'disk' | 'imageConverter' | 'images' | 'queues'>;

type Keep = (hash: string, insert: (tx: Tx) => Promise<void>) => Promise<void>;

const DISK_LOW_SECONDS = 60;

/**
 * Converts an image and stores it under the hash of what it became; the same image again changes nothing.
 * An image as it is stored, from an export, is taken as it is.
 *
 * The file is durable before its row: without a row no one can use it, and the next upload replaces it
 * with the same bytes.
 *
 * @param keep stores its row, which is there already for one that is known
 *
 * Throws NOT_AN_IMAGE, HEIC_IMAGE, IMAGE_TOO_LARGE, IMAGE_TOO_COMPLEX, DISK_LOW, StorageAway; UNAVAILABLE
 * while too many are waiting, and for a sender who has left.
 */
export async function storeImage(
  ctx: Ctx,
  uploaded: Uint8Array,
  sender: Sender,
  now: Date,
  keep: Keep = (_, insert) => inTransaction(ctx.db, insert),
): Promise<StoredImage> {
  if (ctx.images.isOurs && ctx.disk.isLow) {
    const message = t(
      'server.image.diskLow',
      'The server is low on disk space, so no image can be stored right now. Try again in a few minutes',
    );
    throw new AppError('DISK_LOW', { message, retryAfterSeconds: DISK_LOW_SECONDS });
  }
  const source = sha256(uploaded);
  const known = await findImage(ctx.db, source);
  if (known) {
    await ctx.images.put(known.hash, Buffer.from(uploaded));
    await keep(known.hash, async () => undefined);
    return presentImage(known);
  }
  const converted = await ctx.queues.images.run(sender, (signal) =>
    ctx.imageConverter.convert(uploaded, signal),
  );
  if (typeof converted === 'string') throw new AppError(converted);
  const { mediaType, webp, width, height } = converted;
  const row = {
    hash: sha256(webp),
    mediaType,
    width,
    height,
    bytes: webp.length,
    sources: [source],
    createdAt: now,
  };
  await ctx.images.put(row.hash, webp);
  await keep(row.hash, (tx) => insertImage(tx, row));
  return presentImage(row);
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function presentImage({ hash, width, height, bytes }: ImageRow): StoredImage {
  return { hash, mediaType: 'image/webp', width, height, bytes };
}

export function imageHandlers(ctx: FileContext) {
  return {
    uploadImage: ({ body, command, now, ...exchange }) =>
      storeImage(ctx, body, senderOf(exchange), now, (image, insert) =>
        command(async ({ tx, record }) => {
          await insert(tx);
          await record('image.uploaded', null, { image });
        }),
      ),
  } satisfies Handlers;
}
