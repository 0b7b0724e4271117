import type { FileContext } from '../../../app-context.ts';
import type { Handlers } from '../../../http/endpoints.ts';
import { recordAudit } from '../../../sessions/record-audit.ts';
import { storeImage } from './store-image.ts';

export function imageHandlers(ctx: FileContext) {
  return {
    async uploadImage({ body, session, now }) {
      const image = await storeImage(ctx, body, now);
      await recordAudit(ctx.db, {
        adminId: session.adminId,
        action: 'image.uploaded',
        details: { image: image.hash },
        at: now,
      });
      return { status: 201, body: image };
    },
  } satisfies Handlers;
}
