import { z } from 'zod';

/** Goes up with every change of what the consent dialog says; stored with each attempt. */
export const CONSENT_TEXT_VERSION = '2026-2';

/** Who gave it, for which assessment, to which text, and when. */
const Given = z.object({
  userId: z.string(),
  quizId: z.string(),
  textVersion: z.string(),
  at: z.number(),
});

/** Whose consent, to which assessment. */
export type ConsentBy = Pick<z.infer<typeof Given>, 'userId' | 'quizId'>;

const KEY = 'invigil-consent';

/**
 * When this person consented in this tab, for this assessment and this text, so that a reload of the
 * device check does not ask again. The record that counts is made with the attempt.
 */
export function consentGivenAt({ userId, quizId }: ConsentBy): Date | null {
  try {
    const given = Given.safeParse(JSON.parse(sessionStorage.getItem(KEY) ?? 'null'));
    if (!given.success) return null;
    const { textVersion, at } = given.data;
    const isTheirs = given.data.userId === userId && given.data.quizId === quizId;
    return isTheirs && textVersion === CONSENT_TEXT_VERSION ? new Date(at) : null;
  } catch {
    return null;
  }
}

export function keepConsent(by: ConsentBy, at: Date): void {
  try {
    const given = { ...by, textVersion: CONSENT_TEXT_VERSION, at: at.getTime() };
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
