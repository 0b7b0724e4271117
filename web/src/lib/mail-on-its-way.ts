import type { OutboxMessage } from '@invigil/core/contract/outbox';

/** While mail is on its way its list is looked at again. Milliseconds. */
export const DELIVERY_REFRESH_MS = 5_000;

/** Whether a message is still to be delivered: looking again later tells more. */
export function isOnItsWay(state: OutboxMessage['state'] | undefined): boolean {
  return state === 'queued' || state === 'sending';
}
