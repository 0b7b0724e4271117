import type { Message } from '@invigil/core/contract/attempts/own-participant';
import type { MessageRow } from '../../../db/queries/attempts/messages.ts';

export function presentMessage(row: MessageRow): Message {
  return { id: row.id, text: row.text, at: row.at.toISOString() };
}
