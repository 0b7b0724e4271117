import { type ActionForMany, applyToMany } from '@invigil/core/contract/review/live';
import { useState } from 'react';
import type { z } from 'zod';
import { newId } from '../../lib/new-id.ts';
import { callEndpoint } from '../../net/api.ts';

export type ActionBody = z.output<typeof ActionForMany>;

/**
 * Assigns an id, the idempotency key, to each action. A retry keeps it, so that the server applies the
 * action only where it has not been; any change makes it another action.
 */
export class ActionIds {
  #last: { text: string; id: string } | null = null;

  idFor(body: ActionBody): string {
    const text = JSON.stringify(body);
    if (this.#last?.text !== text) this.#last = { text, id: newId() };
    return this.#last.id;
  }
}

/** Applies an action; again with the same one it does so only where it has not been applied yet. */
export function useApplyOnce() {
  const [actionIds] = useState(() => new ActionIds());
  return (body: ActionBody) =>
    callEndpoint(applyToMany, { body: { ...body, id: actionIds.idFor(body) } });
}
