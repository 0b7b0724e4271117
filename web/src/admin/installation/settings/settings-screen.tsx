import type { Permission } from '@invigil/core/domain/rights';
import { t } from '@invigil/core/texts/i18n';
import type { ReactNode } from 'react';
import { Navigate, useParams } from 'react-router';
import { PageHeader } from '../../../ui/page.tsx';
import { useMay } from '../../data/own-rights.ts';
import { TabLinks } from '../../parts/tab-links.tsx';
import { RequireTotpCard } from '../account/totp-card.tsx';
import { AdminsCard } from './admins-card.tsx';
import { AuditCard } from './audit-card.tsx';
import { InstitutionCard } from './institution-card.tsx';
import { OutboxCard } from './outbox-card.tsx';
import { PeopleFieldsCard } from './people-fields-card.tsx';
import { RetentionCard } from './retention-card.tsx';
import { SmtpCard } from './smtp-settings-form.tsx';
import { SystemCard } from './system-card.tsx';

/** Each tab has a URL, for sharing, reloading and Back. */
const TABS: {
  path: string;
  name(): string;
  permission?: Permission;
  columns?: true;
  content(): ReactNode;
}[] = [
  {
    path: '/admin/settings',
    name: () => t(/* a tab of the settings */ 'settings.general', 'General'),
    columns: true,
    content: () => (
      <>
        <div className="grid gap-4">
          <InstitutionCard />
          <AdminsCard />
          <PeopleFieldsCard />
          <SmtpCard />
        </div>
        <SystemCard />
      </>
    ),
  },
  {
    path: '/admin/settings/outbox',
    name: () => t(/* a tab of the settings: emails */ 'settings.outbox', 'Outbox'),
    permission: 'mail.see',
    content: () => <OutboxCard />,
  },
  {
    path: '/admin/settings/security',
    name: () => t(/* a tab of the settings */ 'settings.security', 'Security and data'),
    columns: true,
    content: () => (
      <>
        <RequireTotpCard />
        <RetentionCard />
      </>
    ),
  },
  {
    path: '/admin/settings/audit',
    name: () => t('portal.auditLog', 'Audit log'),
    content: () => <AuditCard />,
  },
];

/** /admin/settings, and its other tabs below it. */
export function SettingsScreen() {
  const { tab } = useParams();
  const path = tab === undefined ? '/admin/settings' : `/admin/settings/${tab}`;
  const may = useMay();
  const tabs = TABS.filter(({ permission = 'installation.manage' }) => may(permission));
  const current = tabs.find((one) => one.path === path);
  if (current === undefined) return <Navigate to={tabs[0]?.path ?? '/admin'} replace />;
  return (
    <>
      <PageHeader
        title={t(/* a page of the navigation */ 'portal.nav.settings', 'Settings')}
        subtitle={t(
          /* of the page of settings */ 'settings.subtitle',
          'Institution, administrators, email and audit log',
        )}
      />
      <TabLinks
        label={t(/* a page of the navigation */ 'portal.nav.settings', 'Settings')}
        tabs={tabs.map(({ path: to, name }) => ({ to, name: name() }))}
        current={path}
      />
      <div
        className={`grid items-start gap-4 ${current.columns ? 'xl:grid-cols-[minmax(0,1.7fr)_minmax(0,1fr)]' : ''}`}
      >
        {current.content()}
      </div>
    </>
  );
}
