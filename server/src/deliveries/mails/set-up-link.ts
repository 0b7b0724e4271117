import { listText } from '@invigil/core/domain/locale';
import { isolated } from '@invigil/core/domain/typed-text';
import { t } from '@invigil/core/texts/i18n';
import { momentText } from '@invigil/core/texts/moments';
import { roleLines } from '@invigil/core/texts/roles';
import { z } from 'zod';
import { ADDRESS, GIVEN_ROLES, mail } from './mail.ts';

/** A link to set the first password, for an administrator whom a colleague added. */
export const setUpLink = mail({
  kind: 'set_up_link',
  to: 'administrator',
  params: { publicUrl: ADDRESS, days: z.number(), ...GIVEN_ROLES },
  secret: 'link',
  subjects: {
    institution: ({ institution }) =>
      t(
        /* {institution} is its name */ 'mail.setUpLink.subjectOfInstitution',
        'You are invited to the assessments of {institution}',
        { institution: institution ?? '' },
      ),
    standard: () => t('mail.setUpLink.subject', 'Your administrator account'),
  },
  write: ({ publicUrl, days, by, institution, grants, timeZone }, _link: string) => [
    invites({ publicUrl, by, institution }),
    ...(grants.length === 0
      ? []
      : [
          t(
            /* {roles} is a list: “Author everywhere, Reviewer in Anatomy” */ 'mail.setUpLink.part',
            'Your part: {roles}.',
            { roles: listText(roleLines(grants), 'unit') },
          ),
        ]),
    ...grants.flatMap(({ opensAt }) => {
      if (!opensAt) return [];
      const moment = momentText(opensAt, timeZone);
      return [
        t(
          /* an assessment; {moment} is a date with the time */ 'mail.setUpLink.opens',
          'It opens {moment}.',
          { moment },
        ),
      ];
    }),
    t(
      /* a link follows */ 'mail.setUpLink.how',
      '{days, plural, one {To set your password, open this link within # day. It works once.} other {To set your password, open this link within # days. It works once.}}',
      { days },
    ),
  ],
});

function invites({
  publicUrl,
  by,
  institution,
}: {
  publicUrl: string;
  by: string;
  institution: string | null;
}): string {
  if (by === '') {
    return t(
      'mail.setUpLink.byColleague',
      'A colleague has made an administrator account for you at {publicUrl}.',
      { publicUrl },
    );
  }
  return institution
    ? t(
        /* {by} is an administrator’s name and address */ 'mail.setUpLink.byInstitution',
        '{by} invites you to work on the assessments of {institution} at {publicUrl}.',
        { by, institution: isolated(institution), publicUrl },
      )
    : t(
        /* {by} is an administrator’s name and address */ 'mail.setUpLink.by',
        '{by} invites you to work on the assessments at {publicUrl}.',
        { by, publicUrl },
      );
}
