import type { SystemInformation } from '@invigil/core/contract/installation/system';
import { PLATFORM_VERSION } from '@invigil/core/domain/limits';
import { t } from '@invigil/core/texts/i18n';
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
        name: t(/* a security feature */ 'server.security.https', 'Encrypted connection'),
        active: https,
        detail: https
          ? t('server.security.httpsOn', 'People reach this installation by https')
          : t(
              /* PUBLIC_URL is the name of a setting */ 'server.security.httpsOff',
              'Ask IT for an https address, and to set PUBLIC_URL to it',
            ),
      },
      {
        name: t(/* a security feature */ 'server.security.passwords', 'Administrator passwords'),
        active: true,
        detail: t(
          /* of passwords */ 'server.security.passwordsHow',
          'At least 12 characters, stored so that no one can read them',
        ),
      },
      {
        name: t(/* a security feature */ 'server.security.twoSteps', 'Two-step sign-in'),
        active: withTotp === adminCount,
        detail: twoStepsText(withTotp, adminCount, required),
      },
      {
        name: t(/* a security feature */ 'server.security.codes', 'One-time passwords'),
        active: true,
        detail: t(
          /* of one-time passwords */ 'server.security.codesHow',
          'Too long to guess, stored so that no one can read them',
        ),
      },
      {
        name: t(
          /* a security feature: who guesses has to wait */ 'server.security.throttle',
          'Sign-in throttle',
        ),
        active: true,
        detail: t(
          'server.security.throttleHow',
          'After wrong passwords a wait of up to 30 seconds',
        ),
      },
      {
        name: t(
          /* a security feature: of what is stored */ 'server.security.secrets',
          'Secrets at rest',
        ),
        active: true,
        detail: t(
          /* of secrets */ 'server.security.secretsHow',
          'Encrypted, with a key that is not in the database',
        ),
      },
      {
        name: t(/* a security feature */ 'server.security.log', 'Audit log'),
        active: ctx.trust.chainProblem === null && !ctx.trust.isUnsealed,
        detail: logText(ctx.trust),
      },
    ],
    audit: await countSealing(ctx.db),
  };
}

const twoStepsText = (withTotp: number, all: number, required: boolean): string =>
  required
    ? t(
        /* how many have two-step sign-in */ 'server.security.twoStepsRequired',
        '{all, plural, one {{n} of # administrators, required for all} other {{n} of # administrators, required for all}}',
        { n: withTotp, all },
      )
    : t(
        /* how many have two-step sign-in */ 'server.security.twoStepsOf',
        '{all, plural, one {{n} of # administrators} other {{n} of # administrators}}',
        { n: withTotp, all },
      );

/** Describes the audit log: what it detects; or its problem, what no longer works, and what to do. */
function logText({ chainProblem, isUnsealed }: BaseContext['trust']): string {
  const todo = t(
    /* {command} is typed into a terminal */ 'server.security.logAsk',
    'Ask the operator to run "{command}"',
    { command: 'npm run verify' },
  );
  if (isUnsealed) {
    const problem = t(
      /* the audit log */ 'server.security.logUnsealed',
      'It was changed outside of Invigil before an upgrade, so no attempt starts and no mail leaves.',
    );
    return `${problem} ${todo}`;
  }
  if (chainProblem !== null) {
    const problem = t(
      /* the audit log; {problem} is a fact about it, in English */ 'server.security.logChanged',
      'It was changed outside of Invigil: {problem}.',
      { problem: chainProblem },
    );
    return `${problem} ${todo}`;
  }
  return t(
    /* of the audit log */ 'server.security.logHow',
    'A changed or removed entry is detected',
  );
}

export function systemHandlers(ctx: BaseContext) {
  return {
    getSystemInformation: () => readSystem(ctx),
  } satisfies Handlers;
}
