import { useSyncExternalStore } from 'react';
import { attemptMonitor } from './attempt-monitor.ts';
import type { MonitorSnapshot } from './monitor.ts';

/** One part of the monitor's state; the component renders again when that part changes. */
export function useMonitor<K extends keyof MonitorSnapshot>(part: K): MonitorSnapshot[K] {
  return useSyncExternalStore(attemptMonitor.subscribe, () => attemptMonitor.getSnapshot()[part]);
}
