import type { Institution } from '@invigil/core/contract/installation/institution';
import type { BaseContext } from '../../app-context.ts';
import { inTransaction } from '../../db/database.ts';
import {
  findInstitution,
  type InstitutionRow,
  putInstitution,
} from '../../db/queries/institution.ts';
import type { Handlers } from '../../http/endpoints.ts';
import { AppError } from '../../runtime/app-error.ts';
import { requireFreshPassword } from '../../sessions/guards.ts';
import { recordAudit } from '../../sessions/record-audit.ts';
import { publicReceiptKey } from '../attempts/receipts/receipts.ts';

const FIELDS = ['name', 'timeZone', 'publicUrl'] as const;

export function institutionHandlers(ctx: BaseContext) {
  return {
    getInstitution: async () => present(ctx, await findInstitution(ctx.db)),
    putInstitution: ({ body, session, now }) =>
      inTransaction(ctx.db, async (tx) => {
        const before = await findInstitution(tx);
        const publicUrl = body.publicUrl && originOf(body.publicUrl);
        const set = { ...body, publicUrl };
        const changed = FIELDS.filter((field) => set[field] !== (before?.[field] ?? null));
        // Candidates enter their one-time password where the links in mails lead.
        if (changed.includes('publicUrl')) requireFreshPassword(session, now);
        const row = await putInstitution(tx, { ...set, updatedAt: now });
        await recordAudit(tx, now, session.adminId, 'institution.changed', null, { changed });
        return present(ctx, row);
      }),
    checkPublicUrl: async ({ body: { publicUrl } }) => ({
      leadsHere: await leadsHere(ctx, originOf(publicUrl)),
    }),
  } satisfies Handlers;
}

function present({ config }: BaseContext, row: InstitutionRow | undefined): Institution {
  return {
    name: row?.name ?? null,
    timeZone: row?.timeZone ?? null,
    publicUrl: row?.publicUrl ?? null,
    configured: { timeZone: config.timeZone, publicUrl: config.publicUrl },
  };
}

/** As browsers write it. Throws INVALID_INPUT for a port or an address that cannot be. */
function originOf(publicUrl: string): string {
  const url = URL.parse(publicUrl);
  if (!url) throw AppError.at('publicUrl', 'INVALID_INPUT');
  return url.origin;
}

const ANSWER_WITHIN_MS = 5_000;
const ANSWER_MAX_BYTES = 4_096;

/**
 * Whether what answers at an address proves to be this installation, by the key that only it has. One
 * fixed request without redirects, and a yes or no: it must not serve to look around in our own network.
 */
async function leadsHere(ctx: BaseContext, origin: string): Promise<boolean> {
  try {
    const response = await fetch(`${origin}/api/receipts/key`, {
      redirect: 'error',
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      if (text.length > ANSWER_MAX_BYTES) return false;
    }
    return JSON.parse(text).publicKey === publicReceiptKey(ctx);
  } catch {
    return false;
  }
}
