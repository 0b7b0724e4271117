import { isDeepStrictEqual } from 'node:util';
import type { Institution } from '@invigil/core/contract/installation/institution';
import { ENGLISH_ALONE, isLanguage } from '@invigil/core/texts/languages';
import type { BaseContext, FileContext } from '../../app-context.ts';
import { lockUntilCommit } from '../../db/advisory-locks.ts';
import { findImage } from '../../db/queries/images.ts';
import {
  findInstitution,
  type InstitutionRow,
  lockInstitution,
  putInstitution,
  THE_INSTITUTION,
} from '../../db/queries/institution.ts';
import type { Handlers } from '../../http/endpoints.ts';
import { AppError } from '../../runtime/app-error.ts';
import { ruleTextsOf, ruleVersionOf } from '../../runtime/language.ts';
import { Reply } from '../../runtime/reply.ts';
import { requireFreshPassword } from '../../sessions/guards.ts';
import { readInstitution } from '../../trust/institution.ts';
import { INSTITUTION } from '../../trust/row-kinds.ts';
import { changeSealed } from '../../trust/sealed-kinds.ts';
import { publicReceiptKey } from '../attempts/receipts.ts';

const FIELDS = ['name', 'timeZone', 'publicUrl', 'logo', 'languages'] as const;

export function institutionHandlers(ctx: BaseContext & Pick<FileContext, 'images'>) {
  return {
    getInstitution: async () => present(ctx, await findInstitution(ctx.db)),
    putInstitution: ({ body: { before: _, ...body }, command }) =>
      command(async ({ tx, actor, now, record, requireReadPart }) => {
        await lockUntilCommit(tx, 'settings');
        const before = await lockInstitution(tx);
        const { name = null, timeZone = null, publicUrl: url = null } = before ?? {};
        const { logo: image = null, languages: offered = [...ENGLISH_ALONE] } = before ?? {};
        const known = { name, timeZone, publicUrl: url, logo: image, languages: offered };
        requireReadPart(known);
        const publicUrl = body.publicUrl && originOf(body.publicUrl);
        const logo = body.logo === undefined ? image : body.logo;
        if (logo !== null && !(await findImage(tx, logo)))
          throw AppError.at('logo', 'INVALID_INPUT');
        const set = { ...body, publicUrl, logo, languages: body.languages ?? offered };
        const changed = FIELDS.filter((field) => !isDeepStrictEqual(set[field], known[field]));
        // Candidates enter their one-time password where the links in mails lead.
        if (changed.includes('publicUrl')) requireFreshPassword(actor, now);
        const row = await changeSealed(tx, ctx.keys.integrity, INSTITUTION, [THE_INSTITUTION], () =>
          putInstitution(tx, { ...set, updatedAt: now }),
        );
        await record('institution.changed', null, { changed });
        return present(ctx, row);
      }),
    readTranslation: async ({ params: { language } }) => ({
      version: ruleVersionOf(language),
      texts: ruleTextsOf(language),
    }),
    checkTranslation: ({ params: { language }, body: { version, checkedBy }, command }) =>
      command(async ({ tx, now, record }) => {
        const before = await lockInstitution(tx);
        // Who confirms other texts than this process has, read them from a process of another version.
        if (version !== ruleVersionOf(language)) throw new AppError('STALE');
        const { [language]: _, ...others } = before?.languageChecks ?? {};
        const check = checkedBy !== null && { checkedBy, checkedAt: now.toISOString(), version };
        const languageChecks = check ? { ...others, [language]: check } : others;
        const row = await changeSealed(tx, ctx.keys.integrity, INSTITUTION, [THE_INSTITUTION], () =>
          putInstitution(tx, { languageChecks, updatedAt: now }),
        );
        await record('translation.checked', null, {
          language,
          version,
          isChecked: checkedBy !== null,
        });
        return present(ctx, row);
      }),
    async readLogo() {
      const { logo } = await readInstitution(ctx, ctx.db);
      const bytes = logo === null ? undefined : await ctx.images.get(logo);
      if (bytes === undefined) throw new AppError('NOT_FOUND');
      return new Reply(200, bytes);
    },
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
    ...(row?.logo ? { logo: row.logo } : {}),
    ...(row && !isDeepStrictEqual(row.languages, ENGLISH_ALONE) ? translated(row) : {}),
    configured: { timeZone: config.timeZone, publicUrl: config.publicUrl },
  };
}

function translated(row: InstitutionRow): Pick<Institution, 'languages' | 'translations'> {
  const languages = row.languages.filter(isLanguage);
  const translations = languages
    .filter((language) => language !== 'en')
    .map((language) => {
      const check = row.languageChecks[language];
      return { language, version: ruleVersionOf(language), ...(check && { check }) };
    });
  return { languages, translations };
}

/** The origin as browsers write it. Throws INVALID_INPUT for a port or an address that cannot be. */
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
