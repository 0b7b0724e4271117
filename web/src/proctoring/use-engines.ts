import { useSyncExternalStore } from 'react';
import { attemptEngines } from './attempt-monitor.ts';
import type { EnginesSnapshot } from './loaded-engines.ts';

/** Loading progress of the detectors. */
export function useEngines(): EnginesSnapshot {
  return useSyncExternalStore(attemptEngines.subscribe, attemptEngines.getSnapshot);
}
