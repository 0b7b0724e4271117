import { PageHeader } from '../../ui/page-header.tsx';
import { AdminsCard } from './admins-card.tsx';
import { AuditCard } from './audit-card.tsx';
import { OutboxCard } from './outbox-card.tsx';
import { RetentionCard } from './retention-card.tsx';
import { SmtpCard } from './smtp-card.tsx';
import { SystemCard } from './system-card.tsx';
import { TotpCard } from './totp-card.tsx';

/** /admin/settings */
export function SettingsScreen() {
  return (
    <>
      <PageHeader
        title="Settings"
        subtitle="Administrators, mail, this platform and its audit log"
      />
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1.7fr)_minmax(0,1fr)]">
        <div className="grid gap-4">
          <AdminsCard />
          <SmtpCard />
          <OutboxCard />
          <AuditCard />
        </div>
        <div className="grid gap-4">
          <TotpCard />
          <SystemCard />
          <RetentionCard />
        </div>
      </div>
    </>
  );
}
