import { ROLES } from '@invigil/core/domain/rights';
import { t } from '@invigil/core/texts/i18n';
import { ROLE_WORDS } from '@invigil/core/texts/roles';
import { useState } from 'react';
import { useSession } from '../../../lib/person/session.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card, PageHeader } from '../../../ui/page.tsx';
import { useOwnGrants } from '../../data/own-rights.ts';
import { RoleLines } from '../team/edit-roles.tsx';
import { ChangePasswordDialog } from './change-password.tsx';
import { OwnName } from './own-name.tsx';
import { OwnSessions } from './own-sessions.tsx';
import { TotpCard } from './totp-card.tsx';

/** /admin/account: what belongs to the person who is signed in. */
export function AccountScreen() {
  const { account } = useSession();
  const [changing, setChanging] = useState(false);
  return (
    <>
      <PageHeader
        title={t(/* heading of a page */ 'account.title', 'Your account')}
        subtitle={account?.user.email ?? ''}
      />
      <div className="grid max-w-180 gap-4">
        <OwnName />
        <OwnRoles />
        <Card title={t(/* heading of a card */ 'account.password.title', 'Password')}>
          <div className="flex flex-wrap items-center justify-between gap-4 px-5 py-4">
            <p className="min-w-0 flex-1 basis-60 text-ink-2">
              {t(
                'account.password.hint',
                'At least 12 characters. Changing it signs you out on other devices.',
              )}
            </p>
            <Button size="dense" onClick={() => setChanging(true)}>
              {t(
                /* a button, and the title of its dialog */ 'account.changePassword',
                'Change password',
              )}
            </Button>
          </div>
        </Card>
        <TotpCard />
        <OwnSessions />
      </div>
      {changing && <ChangePasswordDialog onClose={() => setChanging(false)} />}
    </>
  );
}

function OwnRoles() {
  const grants = useOwnGrants();
  const held = ROLES.filter((role) => grants.some((grant) => grant.role === role));
  return (
    <Card
      title={t(
        /* heading above the roles that the reader has */ 'account.rights',
        'What you may do',
      )}
    >
      <div className="grid gap-3 px-5 py-4">
        <RoleLines grants={grants} />
        <dl className="grid gap-1.5 text-sm">
          {held.map((role) => (
            <div key={role}>
              <dt className="inline font-medium">
                {`${t(/* a role, followed by what it means */ 'account.roleHead', '{role}:', { role: ROLE_WORDS[role].name() })} `}
              </dt>
              <dd className="inline text-ink-2">{ROLE_WORDS[role].sentence()}</dd>
            </div>
          ))}
        </dl>
        {held[0] !== 'owner' && (
          <p className="text-sm text-ink-3">
            {t('account.moreRoles', 'An owner can give you more roles.')}
          </p>
        )}
      </div>
    </Card>
  );
}
