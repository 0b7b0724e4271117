import {
  getSystemInformation,
  type SystemInformation,
} from '@invigil/core/contract/installation/system';
import { figureText } from '@invigil/core/domain/locale';
import { t } from '@invigil/core/texts/i18n';
import { useQuery } from '@tanstack/react-query';
import { ExternalLink } from 'lucide-react';
import type { ReactNode } from 'react';
import { endpointQuery } from '../../../net/endpoint-query.ts';
import { Badge } from '../../../ui/badges/badge.tsx';
import { LoadedCard } from '../../parts/loaded.tsx';

export function SystemCard() {
  const system = useQuery(endpointQuery(getSystemInformation, {}));
  return (
    <LoadedCard
      title={t(/* heading of a card */ 'settings.system.title', 'System Information')}
      read={system}
      failure={t('settings.system.loadFailed', 'Failed to load system information')}
      loading={t('settings.system.loading', 'Loading system information...')}
      rows={16}
    >
      {(system) => <Facts system={system} />}
    </LoadedCard>
  );
}

function Facts({ system }: { system: SystemInformation }) {
  const { database, emailConfigured, audit } = system;
  const isConnected = database.status === 'connected';
  return (
    <>
      <dl className="px-5 py-2">
        <Line label={t('settings.system.version', 'Platform version')}>
          {system.platformVersion}
        </Line>
        <Line label={t('settings.system.databaseLabel', 'Database')}>
          <Badge tone={isConnected ? 'ok' : 'bad'} glyph={isConnected ? 'ticked' : 'cross'}>
            {isConnected
              ? t(/* the database */ 'settings.system.connected', 'Connected')
              : t(/* the database */ 'settings.system.unavailable', 'Unavailable')}
          </Badge>
          <span className="mt-1 block text-sm font-normal text-ink-3">
            {database.embedded
              ? t(
                  /* the database: PostgreSQL is its program, {size} such as 9.4 MiB */ 'settings.system.embedded',
                  'PostgreSQL {version}, embedded, {size}',
                  { version: database.version, size: formatBytes(database.sizeBytes) },
                )
              : t(
                  /* the database: PostgreSQL is its program, {size} such as 9.4 MiB */ 'settings.system.database',
                  'PostgreSQL {version}, {size}',
                  { version: database.version, size: formatBytes(database.sizeBytes) },
                )}
          </span>
        </Line>
        <Line label={t('settings.system.admins', 'Admin accounts')}>{system.adminCount}</Line>
        <Line label={t('settings.system.email', 'Email service')}>
          <Badge
            tone={emailConfigured ? 'ok' : 'neutral'}
            glyph={emailConfigured ? 'ticked' : 'ring'}
          >
            {emailConfigured
              ? t(/* the email service */ 'settings.system.configured', 'Configured')
              : t(/* the email service */ 'settings.system.notConfigured', 'Not Configured')}
          </Badge>
        </Line>
        <Line label={t(/* of the institution */ 'settings.system.timeZone', 'Time zone')}>
          {system.timeZone}
        </Line>
        <Line
          label={t(
            /* how many the audit log has */ 'settings.system.auditEntries',
            'Audit entries',
          )}
        >
          {audit.sealed + audit.waiting}
          {audit.waiting > 0 && (
            <span className="block text-sm font-normal text-ink-3">
              {t(
                /* entries of the audit log */ 'settings.system.waiting',
                '{count, plural, one {# waiting to be sealed} other {# waiting to be sealed}}',
                { count: audit.waiting },
              )}
            </span>
          )}
        </Line>
      </dl>
      <h3 className="border-t border-line px-5 pt-4 pb-1">
        {t('settings.system.security', 'Security features')}
      </h3>
      <ul className="px-5 pb-3">
        {system.securityFeatures.map(({ name, active, detail }) => (
          <li
            key={name}
            className="flex items-start justify-between gap-4 border-b border-line py-2.5 last:border-b-0"
          >
            <div className="min-w-0">
              <div>{name}</div>
              <div className="text-sm text-ink-3">{detail}</div>
            </div>
            <Badge tone={active ? 'ok' : 'warn'} glyph={active ? 'ticked' : 'ring'}>
              {active
                ? t(/* a security feature */ 'settings.system.active', 'Active')
                : t(/* a security feature */ 'settings.system.notActive', 'Not active')}
            </Badge>
          </li>
        ))}
      </ul>
      <p className="border-t border-line px-5 py-3">
        <a
          href="/api/docs"
          target="_blank"
          rel="noreferrer"
          className="inline-flex items-center gap-1.5 font-medium text-accent-ink hover:underline touch:min-h-11"
        >
          {t(/* a link */ 'settings.system.api', 'API documentation')}
          <ExternalLink className="size-4" />
          <span className="sr-only">
            {t(
              /* behind a link, for screen readers: it opens one */ 'settings.newTab',
              '(new tab)',
            )}
          </span>
        </a>
      </p>
    </>
  );
}

function Line({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex items-start justify-between gap-4 border-b border-line py-2.5 last:border-b-0">
      <dt className="text-ink-2">{label}</dt>
      <dd className="text-end font-medium tabular-nums">{children}</dd>
    </div>
  );
}

const UNITS = [
  (size: string) => t(/* a size */ 'settings.system.bytes', '{size} bytes', { size }),
  (size: string) => t(/* a size: kibibytes */ 'settings.system.kib', '{size} KiB', { size }),
  (size: string) => t(/* a size: mebibytes */ 'settings.system.mib', '{size} MiB', { size }),
  (size: string) => t(/* a size: gibibytes */ 'settings.system.gib', '{size} GiB', { size }),
  (size: string) => t(/* a size: tebibytes */ 'settings.system.tib', '{size} TiB', { size }),
] as const;

/** A human-readable size: `512 bytes`, `9.4 MiB`, `120 GiB`. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  const digits = unit > 0 && value < 10 ? 1 : 0;
  const size = figureText(value, digits);
  return UNITS[unit]?.(size) ?? size;
}
