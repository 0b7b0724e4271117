import { t } from './i18n.ts';

/** The sentences of a printed slip below its one-time password; moments are in words. */
export function slipLines({
  signInUrl,
  opensAt,
  completeBy,
  validUntil,
}: {
  signInUrl: string;
  opensAt: string | null;
  completeBy: string;
  validUntil: string | null;
}): string[] {
  return [
    t(/* a request, on paper for a candidate */ 'invite.slip.signIn', 'Sign in at {address}', {
      address: signInUrl,
    }),
    ...(opensAt === null
      ? []
      : [t(/* said of an assessment */ 'invite.slip.opens', 'Opens at {time}', { time: opensAt })]),
    t(/* it: an assessment */ 'invite.slip.completeBy', 'Complete it by {time}', {
      time: completeBy,
    }),
    ...(validUntil === null
      ? []
      : [
          t('invite.slip.validUntil', 'The one-time password is valid until {time}', {
            time: validUntil,
          }),
        ]),
    t(
      /* said to a candidate */ 'invite.slip.how',
      'Sign in with this email address and the one-time password, in lower case and without hyphens if you like.',
    ),
  ];
}
