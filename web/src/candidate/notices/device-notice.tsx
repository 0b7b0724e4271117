import type { OwnParticipant } from '@invigil/core/contract/attempts/own-participant';
import { TriangleAlert } from 'lucide-react';
import { attemptMonitor } from '../../proctoring/attempt-monitor.ts';
import { thisDevice } from '../../proctoring/device/device-kind.ts';
import type { Device } from '../../proctoring/device/media-failure.ts';
import { useMonitor } from '../../proctoring/use-monitor.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { neededDevices } from '../monitoring/monitor-plan.ts';

/** A required device is missing: which one, and how to restore it without losing anything. */
export function DeviceNotice({
  policy,
  className = '',
}: {
  policy: OwnParticipant['policy'];
  className?: string;
}) {
  const devices: readonly Device[] = neededDevices(policy, thisDevice());
  const camera = useMonitor('camera');
  const microphone = useMonitor('microphone');
  const failed = devices.filter(
    (device) => (device === 'camera' ? camera : microphone).kind === 'failed',
  );
  const [first] = failed;
  if (first === undefined) return null;
  const status = first === 'camera' ? camera : microphone;
  if (status.kind !== 'failed') return null;
  return (
    <div className={className}>
      <Notice
        tone="warn"
        role="alert"
        icon={<TriangleAlert />}
        title={status.failure.message}
        action={
          <Button size="dense" onClick={() => void attemptMonitor.askInTurn(failed)}>
            Try again
          </Button>
        }
      >
        {status.failure.advice}
      </Notice>
    </div>
  );
}
