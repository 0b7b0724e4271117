import { useEffect, useId, useState } from 'react';
import { attemptMonitor } from '../../proctoring/attempt-monitor.ts';
import {
  chooseDevice,
  devicesOf,
  type NamedDevice,
} from '../../proctoring/device/chosen-device.ts';
import type { Device } from '../../proctoring/device/media-failure.ts';
import { CONTROL } from '../../ui/fields/field.tsx';

/** Which camera or microphone is used, where there are several. */
export function DeviceChoice({ device, stream }: { device: Device; stream: MediaStream }) {
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
        {device === 'camera' ? 'Use this camera' : 'Use this microphone'}
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
