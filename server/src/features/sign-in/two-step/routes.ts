import type { BaseContext } from '../../../app-context.ts';
import { countRecoveryCodes, findTotp } from '../../../db/queries/two-step.ts';
import type { Handlers } from '../../../http/endpoints.ts';
import { isTotpRequired } from '../../../sessions/sign-in-policy.ts';
import { renewRecoveryCodes, requireTotp, resetTotp, switchOffTotp } from './change-totp.ts';
import { beginTotp, confirmTotp } from './set-up-totp.ts';

export function totpHandlers(ctx: BaseContext) {
  return {
    async getTotp({ session }) {
      const totp = await findTotp(ctx.db, session.adminId);
      return {
        status: 200,
        body: {
          enabled: totp?.confirmedAt != null,
          recoveryCodesLeft: await countRecoveryCodes(ctx.db, session.adminId),
          required: await isTotpRequired(ctx, ctx.db),
        },
      };
    },
    async beginTotp({ body, session, now }) {
      const begun = await beginTotp(ctx, session, body.currentPassword, now);
      return { status: 200, body: begun };
    },
    async confirmTotp({ body, session, now }) {
      const recoveryCodes = await confirmTotp(ctx, session, body.code, now);
      return { status: 200, body: { recoveryCodes } };
    },
    async renewRecoveryCodes({ body, session, now }) {
      const recoveryCodes = await renewRecoveryCodes(ctx, session, body, now);
      return { status: 200, body: { recoveryCodes } };
    },
    async switchOffTotp({ body, session, now }) {
      await switchOffTotp(ctx, session, body, now);
      return { status: 204 };
    },
    async resetTotp({ params, session, now }) {
      await resetTotp(ctx, session, params.id, now);
      return { status: 204 };
    },
    async getSignInPolicy() {
      return { status: 200, body: { totpRequired: await isTotpRequired(ctx, ctx.db) } };
    },
    async putSignInPolicy({ body, session, now }) {
      await requireTotp(ctx, session, body.totpRequired, now);
      return { status: 200, body };
    },
  } satisfies Handlers;
}
