import type { OwnParticipant } from '@invigil/core/contract/own-participant';
import { z } from 'zod';

/** Goes up with every change of what the consent dialog says; stored with each attempt. */
export const CONSENT_TEXT_VERSION = '2026-2';

/** Who gave it, for which assessment, to which text, to being watched by what, and when. */
const Given = z.object({
  userId: z.string(),
  quizId: z.string(),
  textVersion: z.string(),
  to: z.object({ camera: z.boolean(), microphone: z.boolean(), stills: z.boolean() }),
  at: z.number(),
});

/** Whose consent, to which assessment. */
export type ConsentBy = Pick<z.infer<typeof Given>, 'userId' | 'quizId'>;

/** A consent that was given: when, and to what. */
export type Consent = Pick<z.infer<typeof Given>, 'at' | 'to'>;

/** What the text asks for under a policy. */
export function consentAskedBy(
  policy: Pick<OwnParticipant['policy'], 'camera' | 'microphone' | 'stillEveryMs'>,
): Consent['to'] {
  const { camera, microphone, stillEveryMs } = policy;
  return { camera, microphone, stills: camera && stillEveryMs !== null };
}

const KEY = 'invigil-consent';

/**
 * What this person has agreed to in this tab, for this assessment and this text, so that a reload of the
 * device check does not ask again; `null` where more is asked for now. The record that counts is made
 * with the attempt.
 */
export function consentGiven({ userId, quizId }: ConsentBy, asked: Consent['to']): Consent | null {
  try {
    const given = Given.safeParse(JSON.parse(sessionStorage.getItem(KEY) ?? 'null'));
    if (!given.success) return null;
    const { textVersion, at, to } = given.data;
    const isTheirs = given.data.userId === userId && given.data.quizId === quizId;
    const isEnough =
      (to.camera || !asked.camera) &&
      (to.microphone || !asked.microphone) &&
      (to.stills || !asked.stills);
    return isTheirs && isEnough && textVersion === CONSENT_TEXT_VERSION ? { at, to } : null;
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
