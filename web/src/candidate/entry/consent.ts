import { ConsentToBody } from '@invigil/core/contract/attempts/own-participant';
import { type ConsentTo, coversConsent } from '@invigil/core/domain/consent';
import { z } from 'zod';

/** Increased with every change of the consent text; stored with each attempt. */
export const CONSENT_TEXT_VERSION = '2026-7';

/** Person, assessment, text version, devices and time of a consent. */
const Given = z.object({
  userId: z.string(),
  quizId: z.string(),
  textVersion: z.string(),
  to: ConsentToBody,
  at: z.number(),
});

/** Person and assessment. */
export type ConsentBy = Pick<z.infer<typeof Given>, 'userId' | 'quizId'>;

/** A given consent: when, and to what. */
export type Consent = Pick<z.infer<typeof Given>, 'at' | 'to'>;

const KEY = 'invigil-consent';

/**
 * The consent given in this tab for this assessment and text, so that a reload of the device check does
 * not ask again; `null` if the policy now requires more. The authoritative record is stored with the
 * attempt.
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
    // Storage is not available: a reload asks again.
  }
}

/** Clears a consent that no longer matches the policy. */
export function forgetConsent(): void {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // Storage is not available: nothing was stored.
  }
}
