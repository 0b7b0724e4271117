import type { KeyObject } from 'node:crypto';
import { fitsSeal, sealFields } from '../../../security/row-seal.ts';

interface Ended {
  id: string;
  submittedAt: Date;
}

const CONTEXT = 'note after the end';

/** Allows notes on one end of one attempt. It does not expire itself: notes close ten minutes after the end. */
export function noteToken(key: KeyObject, { id, submittedAt }: Ended): string {
  return sealFields(key, CONTEXT, [id, submittedAt.toISOString()]).toString('base64url');
}

export function isNoteToken(key: KeyObject, { id, submittedAt }: Ended, given: string): boolean {
  return fitsSeal(key, CONTEXT, [id, submittedAt.toISOString()], Buffer.from(given, 'base64url'));
}
