import type { AppContext } from '../../../app-context.ts';
import type { Handlers } from '../../../http/endpoints.ts';
import { keepImage } from './keep-image.ts';

export function imageHandlers(ctx: AppContext) {
  return {
    async uploadImage({ body, now }) {
      return { status: 201, body: await keepImage(ctx, body, now) };
    },
  } satisfies Handlers;
}
