import {
  getSystemInformation,
  type SystemInformation,
} from '@invigil/core/contract/installation/system';
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
      title="System Information"
      read={system}
      failure="Failed to load system information"
      loading="Loading system information..."
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
        <Line label="Platform version">{system.platformVersion}</Line>
        <Line label="Database">
          <Badge tone={isConnected ? 'ok' : 'bad'} glyph={isConnected ? 'ticked' : 'cross'}>
            {isConnected ? 'Connected' : 'Unavailable'}
          </Badge>
          <span className="mt-1 block text-sm font-normal text-ink-3">
            PostgreSQL {database.version}, {database.embedded ? 'embedded, ' : ''}
            {formatBytes(database.sizeBytes)}
          </span>
        </Line>
        <Line label="Admin accounts">{system.adminCount}</Line>
        <Line label="Email service">
          <Badge
            tone={emailConfigured ? 'ok' : 'neutral'}
            glyph={emailConfigured ? 'ticked' : 'ring'}
          >
            {emailConfigured ? 'Configured' : 'Not Configured'}
          </Badge>
        </Line>
        <Line label="Time zone">{system.timeZone}</Line>
        <Line label="Audit entries">
          {audit.sealed + audit.waiting}
          {audit.waiting > 0 && (
            <span className="block text-sm font-normal text-ink-3">
              {audit.waiting} waiting to be sealed
            </span>
          )}
        </Line>
      </dl>
      <h3 className="border-t border-line px-5 pt-4 pb-1">Security features</h3>
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
              {active ? 'Active' : 'Not active'}
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
          API documentation
          <ExternalLink className="size-4" />
          <span className="sr-only">(new tab)</span>
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

const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** A human-readable size: `512 bytes`, `9.4 MiB`, `120 GiB`. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  const digits = unit > 0 && value < 10 ? 1 : 0;
  return `${value.toFixed(digits)} ${UNITS[unit]}`;
}
