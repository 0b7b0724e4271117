import { logProblem } from '../problem-log.ts';

/** The copies with which service-worker.ts opens the running attempt without a connection. */
export const OFFLINE_COPIES = 'invigil-attempt';

/** Deletes the copies and the service worker: the attempt has ended here, or another person may follow. */
export function wipeOfflineCopies(): void {
  void wipe().catch((cause) => logProblem('Copies of the attempt could not be deleted', cause));
}

async function wipe(): Promise<void> {
  if ('caches' in window) await caches.delete(OFFLINE_COPIES);
  // Absent where the page is not in a secure context.
  if (!('serviceWorker' in navigator)) return;
  for (const registration of await navigator.serviceWorker.getRegistrations()) {
    await registration.unregister();
  }
}
