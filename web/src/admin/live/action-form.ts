import { ActionForMany } from '@invigil/core/contract/review/live';
import type { z } from 'zod';
import { newId } from '../../lib/new-id.ts';

export type ActionKind = 'message' | 'extend' | 'end';
export type ActionBody = z.output<typeof ActionForMany>;

/** The most frequent reasons; others are typed. */
export const REASONS = [
  'Technical problem',
  'Interruption in the room',
  'Agreed accommodation',
  'Question from the candidate',
  'Suspected rule violation',
] as const;
export const OTHER_REASON = 'other';

export interface ActionValues {
  text: string;
  minutes: string;
  /** One of the list, `OTHER_REASON`, or nothing yet. */
  reason: string;
  otherReason: string;
}

export const NO_ACTION: ActionValues = { text: '', minutes: '', reason: '', otherReason: '' };

export type ActionField = 'text' | 'minutes' | 'reason' | 'otherReason';
/** The problem per field, or of the selection. */
export type ActionProblems = Partial<Record<ActionField | 'ids', string>>;
export type ValidatedAction =
  | { ok: true; body: ActionBody }
  | { ok: false; problems: ActionProblems };

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

/**
 * The call for an action, or the problem per field. The id is added on sending.
 */
export function validateAction(
  kind: ActionKind,
  ids: readonly string[],
  values: ActionValues,
): ValidatedAction {
  const isOther = values.reason === OTHER_REASON;
  const minutes = /^\d{1,3}$/.test(values.minutes.trim()) ? Number(values.minutes) : Number.NaN;
  const action =
    kind === 'message'
      ? { kind, text: values.text }
      : kind === 'extend'
        ? { kind, minutes }
        : { kind };
  const reason = isOther ? values.otherReason : values.reason;
  const parsed = ActionForMany.safeParse({ ids, action, ...(reason === '' ? {} : { reason }) });
  if (parsed.success) return { ok: true, body: parsed.data };
  const problems: ActionProblems = {};
  for (const { path, message } of parsed.error.issues) {
    const last = path.at(-1);
    if (last === 'text') problems.text ??= message;
    if (last === 'minutes') problems.minutes ??= 'Whole minutes, 1 to 180';
    if (path[0] === 'ids') problems.ids ??= message;
    if (path[0] === 'reason') problems[isOther ? 'otherReason' : 'reason'] ??= message;
  }
  return { ok: false, problems };
}
