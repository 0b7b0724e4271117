import { useSyncExternalStore } from 'react';
import { attemptEngines } from './attempt-monitor.ts';
import type { EnginesSnapshot } from './loaded-engines.ts';

/** How far loading the detectors is. */
export function useEngines(): EnginesSnapshot {
  return useSyncExternalStore(attemptEngines.subscribe, attemptEngines.getSnapshot);
}
