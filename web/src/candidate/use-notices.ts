import { useSyncExternalStore } from 'react';
import { currentInvigilation } from './monitoring/current-invigilation.ts';
import type { Notices } from './monitoring/notice-board.ts';

/** What monitoring has to say; drawn again whenever that changes. */
export function useNotices(): Notices {
  return useSyncExternalStore(currentInvigilation.subscribe, currentInvigilation.getNotices);
}
