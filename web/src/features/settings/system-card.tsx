import { PLATFORM_VERSION } from '@invigil/core/domain/limits';
import type { ReactNode } from 'react';
import { Badge } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { useSmtpSettings } from './api.ts';

/** System Information: only what is known to be so. */
export function SystemCard() {
  const settings = useSmtpSettings();
  return (
    <Card title="System Information">
      <dl className="px-5 py-2">
        <Line label="Platform version">{PLATFORM_VERSION}</Line>
        <Line label="Email service">
          {settings.data === undefined ? (
            <span className="text-ink-3">–</span>
          ) : (
            <Badge
              tone={settings.data === null ? 'neutral' : 'ok'}
              glyph={settings.data === null ? 'ring' : 'ticked'}
            >
              {settings.data === null ? 'Not Configured' : 'Configured'}
            </Badge>
          )}
        </Line>
      </dl>
    </Card>
  );
}

function Line({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex items-center justify-between gap-4 border-b border-line py-2.5 last:border-b-0">
      <dt className="text-ink-2">{label}</dt>
      <dd className="text-right font-medium tabular-nums">{children}</dd>
    </div>
  );
}
