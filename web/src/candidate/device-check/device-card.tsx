import type { ReactNode } from 'react';
import { attemptMonitor } from '../../proctoring/attempt-monitor.ts';
import type { Device } from '../../proctoring/device/media-failure.ts';
import type { DeviceStatus } from '../../proctoring/monitor.ts';
import { Badge } from '../../ui/badges/badge.tsx';
import { StatusBadge } from '../../ui/badges/status-badge.tsx';
import { Button } from '../../ui/button.tsx';

/** One device of the check: its state, its picture or level, or what failed and what to do. */
export function DeviceCard({
  device,
  status,
  title,
  icon,
  children,
  footer,
}: {
  device: Device;
  status: DeviceStatus;
  title: string;
  icon: ReactNode;
  children: ReactNode;
  footer: ReactNode;
}) {
  return (
    <section
      aria-label={title}
      className="flex flex-col overflow-hidden rounded-lg border border-line bg-surface"
    >
      <div className="flex min-h-12 items-center justify-between gap-3 px-4 py-3">
        <h2 className="flex items-center gap-2.5 [&_svg]:size-5 [&_svg]:text-ink-2">
          {icon}
          <span>{title}</span>
        </h2>
        <span role="status">
          <StateBadge status={status} />
        </span>
      </div>
      <div className="relative h-44 bg-sunken md:h-59">
        {status.kind === 'granted' ? (
          children
        ) : (
          <div className="grid h-full place-content-center justify-items-center gap-2 overflow-y-auto p-5 text-center text-ink-3 [&_svg]:size-7">
            {status.kind === 'failed' ? (
              <>
                <p role="alert" className="font-medium text-bad-ink">
                  {status.failure.message}
                </p>
                <p className="text-sm text-ink-2">{status.failure.advice}</p>
                <Button className="mt-1" onClick={() => void attemptMonitor.ask(device)}>
                  Try again
                </Button>
              </>
            ) : (
              <>
                {icon}
                {status.kind === 'asking' && (
                  <p className="text-sm text-ink-2">{`When your browser asks, allow the ${device}.`}</p>
                )}
              </>
            )}
          </div>
        )}
      </div>
      <ul className="border-t border-line px-4 py-3 text-ink-2 [&_b]:text-ink">
        {status.kind === 'granted' ? footer : <li>Off</li>}
      </ul>
    </section>
  );
}

/** null, granted or denied (seed 4), each with its own glyph. */
function StateBadge({ status }: { status: DeviceStatus }) {
  if (status.kind === 'granted') return <StatusBadge status="granted" />;
  if (status.kind !== 'failed') return <StatusBadge status="not_asked" />;
  const { cause } = status.failure;
  if (cause === 'refused') return <StatusBadge status="denied" />;
  return (
    <Badge tone="bad" glyph="cross">
      {cause === 'missing' ? 'Not found' : 'Not working'}
    </Badge>
  );
}
