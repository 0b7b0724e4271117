import { ConsentToBody } from '@invigil/core/contract/own-participant';
import { type ConsentTo, coversConsent } from '@invigil/core/domain/consent';
import { z } from 'zod';

/** Goes up with every change of what the consent dialog says; stored with each attempt. */
export const CONSENT_TEXT_VERSION = '2026-6';

/** Who gave it, for which assessment, to which text, to being watched by what, and when. */
const Given = z.object({
  userId: z.string(),
  quizId: z.string(),
  textVersion: z.string(),
  to: ConsentToBody,
  at: z.number(),
});

/** Whose consent, to which assessment. */
export type ConsentBy = Pick<z.infer<typeof Given>, 'userId' | 'quizId'>;

/** A consent that was given: when, and to what. */
export type Consent = Pick<z.infer<typeof Given>, 'at' | 'to'>;

const KEY = 'invigil-consent';

/**
 * What this person has agreed to in this tab, for this assessment and this text, so that a reload of the
 * device check does not ask again; `null` where more is asked for now. The record that counts is made
 * with the attempt.
 */
export function consentGiven({ userId, quizId }: ConsentBy, asked: ConsentTo): Consent | null {
  try {
    const given = Given.safeParse(JSON.parse(sessionStorage.getItem(KEY) ?? 'null'));
    if (!given.success) return null;
    const { textVersion, at, to } = given.data;
    const isTheirs = given.data.userId === userId && given.data.quizId === quizId;
    const isThis = isTheirs && textVersion === CONSENT_TEXT_VERSION;
    return isThis && coversConsent(to, asked) ? { at, to } : null;
  } catch {
    return null;
  }
}

export function keepConsent(by: ConsentBy, consent: Consent): void {
  try {
    const given = { ...by, ...consent, textVersion: CONSENT_TEXT_VERSION };
    sessionStorage.setItem(KEY, JSON.stringify(given));
  } catch {
    // Storage is refused: a reload asks again.
  }
}

/** What was agreed to is not what is asked for any more. */
export function forgetConsent(): void {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // Storage is refused: nothing was kept.
  }
}
