import { useSyncExternalStore } from 'react';
import { currentInvigilation } from './monitoring/current-invigilation.ts';
import type { Notices } from './monitoring/notice-board.ts';

/** Monitoring notices; renders again on every change. */
export function useNotices(): Notices {
  return useSyncExternalStore(currentInvigilation.subscribe, currentInvigilation.getNotices);
}
