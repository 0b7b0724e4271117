import { t } from '@invigil/core/texts/i18n';
import { Mic, Video } from 'lucide-react';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { attemptMonitor } from '../../proctoring/attempt-monitor.ts';
import type { Device } from '../../proctoring/device/media-failure.ts';
import type { TrialResult } from '../../proctoring/device-trial.ts';
import type { DeviceStatus } from '../../proctoring/monitor.ts';
import { chooseDevice, devicesOf, type NamedDevice } from '../../proctoring/sensors/streams.ts';
import { useMonitor } from '../../proctoring/use-monitor.ts';
import { Badge, StatusBadge } from '../../ui/badges/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { CONTROL } from '../../ui/fields/field.tsx';
import { CameraPicture, FaceLine, VoiceLine } from '../monitor-lines.tsx';

export function DeviceCards({
  devices,
  redAbove,
  faceCovered,
  result,
  isTrial = false,
}: {
  devices: readonly Device[];
  redAbove: number;
  /** Accommodation for a covered face. */
  faceCovered: boolean;
  /** Results of the check; `null` before it runs. */
  result: TrialResult | null;
  /** There is no assessment that requires the devices. */
  isTrial?: boolean;
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
          isTrial={isTrial}
          title={t(/* the device */ 'deviceCheck.camera.title', 'Camera')}
          icon={<Video />}
          footer={
            <>
              <FaceLine mayBeCovered={faceCovered} isLive />
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
          isTrial={isTrial}
          title={t(/* the device */ 'deviceCheck.microphone.title', 'Microphone')}
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

export function DeviceCard({
  device,
  status,
  isTrial = false,
  title,
  icon,
  children,
  footer,
}: {
  device: Device;
  status: DeviceStatus;
  isTrial?: boolean;
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
                {!isTrial && (
                  <p role="alert" className="font-medium text-bad-ink">
                    {status.failure.message}
                  </p>
                )}
                <p className="text-sm text-ink-2">{status.failure.advice}</p>
                <Button className="mt-1" onClick={() => void attemptMonitor.ask(device)}>
                  {t(
                    /* a button: asks for the camera or microphone again */ 'deviceCheck.tryAgain',
                    'Try again',
                  )}
                </Button>
              </>
            ) : (
              <>
                {icon}
                {status.kind === 'asking' && (
                  <p className="text-sm text-ink-2">
                    {t(
                      'deviceCheck.allow',
                      '{device, select, camera {When your browser asks, allow the camera.} other {When your browser asks, allow the microphone.}}',
                      { device },
                    )}
                  </p>
                )}
              </>
            )}
          </div>
        )}
      </div>
      <ul className="border-t border-line px-4 py-3 text-ink-2 [&_b]:text-ink">
        {status.kind === 'granted' ? (
          footer
        ) : (
          <li>{t(/* a camera or microphone that is not in use */ 'deviceCheck.off', 'Off')}</li>
        )}
      </ul>
    </section>
  );
}

/** null, granted or denied (specification 4), each with its own glyph. */
function StateBadge({ status }: { status: DeviceStatus }) {
  if (status.kind === 'granted') return <StatusBadge status="granted" />;
  if (status.kind !== 'failed') return <StatusBadge status="not_asked" />;
  const { cause } = status.failure;
  if (cause === 'refused') return <StatusBadge status="denied" />;
  return (
    <Badge tone="bad" glyph="cross">
      {cause === 'missing'
        ? t(/* a camera or microphone */ 'deviceCheck.notFound', 'Not found')
        : t(/* a camera or microphone */ 'deviceCheck.notWorking', 'Not working')}
    </Badge>
  );
}

function DeviceChoice({ device, stream }: { device: Device; stream: MediaStream }) {
  const [devices, setDevices] = useState<NamedDevice[]>([]);
  const id = useId();
  useEffect(() => {
    const over = new AbortController();
    const read = () =>
      void devicesOf(device).then((found) => over.signal.aborted || setDevices(found));
    read();
    navigator.mediaDevices?.addEventListener('devicechange', read, { signal: over.signal });
    return () => over.abort();
  }, [device]);
  if (devices.length < 2) return null;
  const used = stream.getTracks()[0]?.getSettings().deviceId;
  return (
    <li className="mt-2 grid gap-1">
      <label htmlFor={id} className="text-sm">
        {device === 'camera'
          ? t(/* label of a choice */ 'deviceCheck.camera.use', 'Use this camera')
          : t(/* label of a choice */ 'deviceCheck.microphone.use', 'Use this microphone')}
      </label>
      <select
        id={id}
        value={used}
        onChange={({ target }) => {
          chooseDevice(device, target.value);
          void attemptMonitor.askAgain(device);
        }}
        className={`${CONTROL} min-h-11 px-3`}
      >
        {devices.map((one) => (
          <option key={one.id} value={one.id}>
            {one.label}
          </option>
        ))}
      </select>
    </li>
  );
}

const BARS = 38;
/** The scale of the level ends here (product 6). */
const LOUDEST = 120;

/** A level meter. Screen readers get the text 'Voice: … dB' below it. */
function LevelBars({ redAbove, spoken }: { redAbove: number; spoken: boolean }) {
  const level = useMonitor('level');
  // The part below "red", the range of a quiet room, has most of the width.
  const redFrom = Math.round(BARS * 0.8);
  const filled =
    level === null
      ? 0
      : level <= redAbove
        ? Math.round((level / redAbove) * redFrom)
        : redFrom + Math.ceil(((level - redAbove) / (LOUDEST - redAbove)) * (BARS - redFrom));
  return (
    <div className="flex h-full flex-col justify-between px-6 pt-4.5 pb-4">
      <p className="text-ink-2" role="status">
        {spoken
          ? t('deviceCheck.microphone.heard', 'We can hear you. From now on, keep the room quiet.')
          : t(
              /* bars: of the meter that shows how loud it is */ 'deviceCheck.microphone.sayWords',
              'Say a few words: “I am ready to begin my assessment.” The bars should move.',
            )}
      </p>
      <div>
        <div aria-hidden="true" data-shape="" className="mb-2.5 flex h-18 items-end gap-1 md:h-26">
          {Array.from({ length: BARS }, (_, i) => (
            <i
              // biome-ignore lint/suspicious/noArrayIndexKey: a bar is identified by its position
              key={i}
              style={{ height: `${18 + (i / (BARS - 1)) * 78}%` }}
              className={`flex-1 rounded-[2px] ${i < filled ? (i < redFrom ? 'bg-ok' : 'bg-bad') : i < redFrom ? 'bg-line-2' : 'bg-bad-line'}`}
            />
          ))}
        </div>
        <p className="flex justify-between text-sm text-ink-3">
          <span>
            {t(/* the lower end of a meter of the sound */ 'deviceCheck.microphone.quiet', 'Quiet')}
          </span>
          <span>
            {t(
              /* the upper end of a meter of the sound */ 'deviceCheck.microphone.tooLoud',
              'Too loud',
            )}
          </span>
        </p>
      </div>
    </div>
  );
}
