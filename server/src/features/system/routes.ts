import type { AppContext } from '../../app-context.ts';
import type { Handlers } from '../../http/endpoints.ts';
import { readSystem } from './read-system.ts';

export function systemHandlers(ctx: AppContext) {
  return {
    async getSystemInformation() {
      return { status: 200, body: await readSystem(ctx) };
    },
  } satisfies Handlers;
}
