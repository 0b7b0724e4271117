import { Video, VideoOff } from 'lucide-react';
import { useCallback } from 'react';
import type { DeviceStatus } from '../proctoring/monitor.ts';
import { useMonitor } from '../proctoring/use-monitor.ts';

/** The candidate's live picture, mirrored. It does not leave the page. */
export function CameraPicture({ className = '' }: { className?: string }) {
  const camera = useMonitor('camera');
  const stream = camera.kind === 'granted' ? camera.stream : null;
  const show = useCallback(
    (video: HTMLVideoElement | null) => {
      if (video !== null && video.srcObject !== stream) video.srcObject = stream;
    },
    [stream],
  );
  return (
    <span className={`relative block overflow-hidden bg-sunken text-ink-3 ${className}`}>
      {stream === null ? (
        <span className="grid size-full place-items-center" data-shape="">
          <CameraOffSign camera={camera} />
        </span>
      ) : (
        <video
          ref={show}
          autoPlay
          muted
          playsInline
          aria-label="Your camera picture"
          className="size-full -scale-x-100 object-cover"
        />
      )}
    </span>
  );
}

function CameraOffSign({ camera }: { camera: DeviceStatus }) {
  const Sign = camera.kind === 'failed' ? VideoOff : Video;
  return <Sign className="size-6" />;
}
