import { useState } from 'react';
import { useSession } from '../../lib/person/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Card, PageHeader } from '../../ui/page.tsx';
import { TotpCard } from '../settings/two-step/totp-card.tsx';
import { ChangePasswordDialog } from './change-password.tsx';

/** /admin/account: what belongs to the person who is signed in. */
export function AccountScreen() {
  const { account } = useSession();
  const [changing, setChanging] = useState(false);
  return (
    <>
      <PageHeader title="Your account" subtitle={account?.user.email ?? ''} />
      <div className="grid max-w-180 gap-4">
        <Card title="Password">
          <div className="flex flex-wrap items-center justify-between gap-4 px-5 py-4">
            <p className="min-w-0 flex-1 basis-60 text-ink-2">
              At least 12 characters. Changing it signs you out on other devices.
            </p>
            <Button size="dense" onClick={() => setChanging(true)}>
              Change password
            </Button>
          </div>
        </Card>
        <TotpCard />
      </div>
      {changing && <ChangePasswordDialog onClose={() => setChanging(false)} />}
    </>
  );
}
