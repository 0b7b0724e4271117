import { Mic, Video } from 'lucide-react';
import type { Device } from '../../proctoring/device/media-failure.ts';
import type { TrialResult } from '../../proctoring/device-trial.ts';
import { useMonitor } from '../../proctoring/use-monitor.ts';
import { CameraPicture } from '../camera-picture.tsx';
import { FaceLine, VoiceLine } from '../monitor-lines.tsx';
import { DeviceCard } from './device-card.tsx';
import { DeviceChoice } from './device-choice.tsx';
import { LevelBars } from './level-bars.tsx';

/** The cards of the required devices. */
export function DeviceCards({
  devices,
  redAbove,
  faceCovered,
  result,
}: {
  devices: readonly Device[];
  redAbove: number;
  /** Accommodation for a covered face. */
  faceCovered: boolean;
  /** Results of the check; `null` before it runs. */
  result: TrialResult | null;
}) {
  const camera = useMonitor('camera');
  const microphone = useMonitor('microphone');
  if (devices.length === 0) return null;
  return (
    <div className={`mt-6 grid gap-4 ${devices.length === 2 ? 'md:grid-cols-2' : 'md:max-w-102'}`}>
      {devices.includes('camera') && (
        <DeviceCard
          device="camera"
          status={camera}
          title="Camera"
          icon={<Video />}
          footer={
            <>
              <FaceLine mayBeCovered={faceCovered} />
              {camera.kind === 'granted' && <DeviceChoice device="camera" stream={camera.stream} />}
            </>
          }
        >
          <CameraPicture className="size-full" />
          <span
            aria-hidden="true"
            className={`absolute top-3 left-1/2 h-[78%] w-33 -translate-x-1/2 rounded-[50%] border-2 border-[rgb(255_255_255/0.9)] ${result?.faceFound ? '' : 'border-dashed'}`}
          />
        </DeviceCard>
      )}
      {devices.includes('microphone') && (
        <DeviceCard
          device="microphone"
          status={microphone}
          title="Microphone"
          icon={<Mic />}
          footer={
            <>
              <VoiceLine redAbove={redAbove} />
              {microphone.kind === 'granted' && (
                <DeviceChoice device="microphone" stream={microphone.stream} />
              )}
            </>
          }
        >
          <LevelBars redAbove={redAbove} spoken={result?.spoken ?? false} />
        </DeviceCard>
      )}
    </div>
  );
}
