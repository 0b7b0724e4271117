import type { AppContext } from '../../../app-context.ts';
import type { Handlers } from '../../../http/endpoints.ts';
import { erasePerson, exportPerson } from './personal-data.ts';

export function userHandlers(ctx: AppContext) {
  return {
    async exportPerson({ params, session, now }) {
      return {
        status: 200,
        body: await exportPerson(ctx, session.adminId, params.id, now),
        headers: { 'content-disposition': `attachment; filename="person_${params.id}.json"` },
      };
    },
    async erasePerson({ params, body, session, now }) {
      await erasePerson(ctx, session.adminId, params.id, body.reason, now);
      return { status: 204 };
    },
  } satisfies Handlers;
}
