import type { SystemInformation } from '@invigil/core/contract/installation/system';
import { PLATFORM_VERSION } from '@invigil/core/domain/limits';
import type { BaseContext } from '../../app-context.ts';
import { countAdmins } from '../../db/queries/admins.ts';
import { countSealing } from '../../db/queries/audit.ts';
import { findSmtpSettings } from '../../db/queries/smtp-settings.ts';
import { countTotp } from '../../db/queries/two-step.ts';
import type { Handlers } from '../../http/endpoints.ts';
import { isTotpRequired } from '../../sessions/sign-in-policy.ts';
import { readInstitution } from '../../trust/institution.ts';
import { readDatabaseFacts } from './queries.ts';

/** System Information (specification 2). Every value is read from the running installation. */
async function readSystem(ctx: BaseContext): Promise<SystemInformation> {
  const facts = await readDatabaseFacts(ctx.db);
  const smtp = await findSmtpSettings(ctx.db);
  const adminCount = await countAdmins(ctx.db);
  const withTotp = await countTotp(ctx.db);
  const required = await isTotpRequired(ctx, ctx.db);
  const https = ctx.config.publicUrl.startsWith('https:');
  return {
    platformVersion: PLATFORM_VERSION,
    database: { status: 'connected', ...facts, embedded: ctx.config.databaseUrl === null },
    adminCount,
    emailConfigured: smtp?.isActive ?? false,
    timeZone: (await readInstitution(ctx, ctx.db)).timeZone,
    securityFeatures: [
      {
        name: 'Encrypted connection',
        active: https,
        detail: https
          ? 'People reach this installation by https'
          : 'Ask IT for an https address, and to set PUBLIC_URL to it',
      },
      {
        name: 'Administrator passwords',
        active: true,
        detail: 'At least 12 characters, stored so that no one can read them',
      },
      {
        name: 'Two-step sign-in',
        active: withTotp === adminCount,
        detail: `${withTotp} of ${adminCount} administrators${required ? ', required for all' : ''}`,
      },
      {
        name: 'One-time passwords',
        active: true,
        detail: 'Too long to guess, stored so that no one can read them',
      },
      {
        name: 'Sign-in throttle',
        active: true,
        detail: 'After wrong passwords a wait of up to 30 seconds',
      },
      {
        name: 'Secrets at rest',
        active: true,
        detail: 'Encrypted, with a key that is not in the database',
      },
      {
        name: 'Audit log',
        active: ctx.trust.chainProblem === null && !ctx.trust.isUnsealed,
        detail: logText(ctx.trust),
      },
    ],
    audit: await countSealing(ctx.db),
  };
}

/** Describes the audit log: what it detects; or its problem, what no longer works, and what to do. */
function logText({ chainProblem, isUnsealed }: BaseContext['trust']): string {
  const todo = 'Ask the operator to run "npm run verify"';
  if (isUnsealed) {
    return `It was changed outside of Invigil before an upgrade, so no attempt starts and no mail leaves. ${todo}`;
  }
  if (chainProblem !== null) return `It was changed outside of Invigil: ${chainProblem}. ${todo}`;
  return 'A changed or removed entry is detected';
}

export function systemHandlers(ctx: BaseContext) {
  return {
    getSystemInformation: () => readSystem(ctx),
  } satisfies Handlers;
}
