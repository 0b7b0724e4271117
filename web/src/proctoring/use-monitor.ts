import { useEffect, useState, useSyncExternalStore } from 'react';
import { attemptEngines, attemptMonitor } from './attempt-monitor.ts';
import type { EnginesSnapshot } from './loaded-engines.ts';
import type { MonitorSnapshot } from './monitor.ts';
import { isFullscreen, watchFullscreen } from './sensors/screen.ts';

/** One part of the monitor's state; the component renders again when that part changes. */
export function useMonitor<K extends keyof MonitorSnapshot>(part: K): MonitorSnapshot[K] {
  return useSyncExternalStore(attemptMonitor.subscribe, () => attemptMonitor.getSnapshot()[part]);
}

/** Loading progress of the detectors. */
export function useEngines(): EnginesSnapshot {
  return useSyncExternalStore(attemptEngines.subscribe, attemptEngines.getSnapshot);
}

/** Whether the page is in fullscreen. Watches only while `active`. */
export function useFullscreen(active: boolean): boolean {
  const [full, setFull] = useState(isFullscreen);
  useEffect(() => {
    if (!active) return;
    const ended = new AbortController();
    setFull(isFullscreen());
    watchFullscreen(setFull, ended.signal);
    return () => ended.abort();
  }, [active]);
  return full;
}
