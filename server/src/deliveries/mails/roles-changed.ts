import { listText } from '@invigil/core/domain/locale';
import { t } from '@invigil/core/texts/i18n';
import { type NamedGrant, roleLines } from '@invigil/core/texts/roles';
import { ADDRESS, GIVEN_ROLES, mail } from './mail.ts';

/** To someone whose roles another administrator changed. */
export const rolesChanged = mail({
  kind: 'roles_changed',
  to: 'administrator',
  params: { publicUrl: ADDRESS, ...GIVEN_ROLES },
  subjects: { standard: () => t('mail.rolesChanged.subject', 'Your roles were changed') },
  write: ({ publicUrl, by, grants }) => [
    by === ''
      ? t(
          'mail.rolesChanged.bySomeone',
          'Another administrator has changed what you may do at {publicUrl}.',
          { publicUrl },
        )
      : t(
          /* {by} is an administrator’s name and address */ 'mail.rolesChanged.by',
          '{by} has changed what you may do at {publicUrl}.',
          { by, publicUrl },
        ),
    ...(by === '' ? [] : [rolesNow(grants)]),
    t('mail.rolesChanged.seeThem', 'Sign in and open your account to see your roles.'),
  ],
});

const rolesNow = (grants: readonly NamedGrant[]): string =>
  grants.length === 0
    ? t(/* of an administrator */ 'mail.rolesChanged.none', 'Your roles now: none.')
    : t(
        /* {roles} is a list: “Author everywhere, Reviewer in Anatomy” */ 'mail.rolesChanged.now',
        'Your roles now: {roles}.',
        { roles: listText(roleLines(grants), 'unit') },
      );
