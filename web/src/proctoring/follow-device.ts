import type { Device } from './device/media-failure.ts';
import type { DeviceStatus, Monitor } from './monitor.ts';

type Followed = Pick<Monitor, 'subscribe' | 'getSnapshot'>;

/** Calls `begin` once per stream of a device, with a signal that aborts when the stream is gone. */
export function onStream(
  monitor: Followed,
  device: Device,
  signal: AbortSignal,
  begin: (stream: MediaStream, live: AbortSignal) => void,
): void {
  let ended = new AbortController();
  onDeviceChange(monitor, device, signal, (status) => {
    ended.abort();
    if (status.kind !== 'granted') return;
    ended = new AbortController();
    begin(status.stream, AbortSignal.any([signal, ended.signal]));
  });
}

/** Calls `report` with the status of a device, and after each change. */
export function onDeviceChange(
  monitor: Followed,
  device: Device,
  signal: AbortSignal,
  report: (status: DeviceStatus) => void,
): void {
  let known: DeviceStatus | null = null;
  const check = () => {
    const status = monitor.getSnapshot()[device];
    if (status === known || signal.aborted) return;
    known = status;
    report(status);
  };
  signal.addEventListener('abort', monitor.subscribe(check));
  check();
}
