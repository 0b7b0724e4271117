import { z } from 'zod';

/** Goes up with every change of what the consent dialog says; stored with each attempt. */
export const CONSENT_TEXT_VERSION = '2026-2';

const Given = z.object({ quizId: z.string(), textVersion: z.string(), at: z.number() });

const KEY = 'invigil-consent';

/**
 * When consent was given in this tab for this assessment and this text, so that a reload of the
 * device check does not ask again. The record that counts is made with the attempt.
 */
export function consentGivenAt(quizId: string): Date | null {
  try {
    const given = Given.safeParse(JSON.parse(sessionStorage.getItem(KEY) ?? 'null'));
    if (!given.success) return null;
    const { quizId: id, textVersion, at } = given.data;
    return id === quizId && textVersion === CONSENT_TEXT_VERSION ? new Date(at) : null;
  } catch {
    return null;
  }
}

export function keepConsent(quizId: string, at: Date): void {
  try {
    const given = { quizId, textVersion: CONSENT_TEXT_VERSION, at: at.getTime() };
    sessionStorage.setItem(KEY, JSON.stringify(given));
  } catch {
    // Storage is refused: a reload asks again.
  }
}
