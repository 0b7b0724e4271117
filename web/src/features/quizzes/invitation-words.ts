import type { Invitation } from '@invigil/core/contract/invitations';
import type { BadgeTone } from '../../ui/badge.tsx';
import type { GlyphName } from '../../ui/glyphs.tsx';

export interface MailWords {
  tone: BadgeTone;
  glyph: GlyphName;
  word: string;
}

/** How the message stands. Uncertain: the mail server took it, or did not, and never said. */
export function mailWords({ mail, revokedAt }: Invitation): MailWords {
  if (revokedAt !== null) return { tone: 'neutral', glyph: 'slashed', word: 'Taken back' };
  switch (mail?.state) {
    case undefined:
      return { tone: 'neutral', glyph: 'dashed', word: 'No mail' };
    case 'queued':
      return { tone: 'neutral', glyph: 'dashed', word: 'Mail queued' };
    case 'sending':
      return { tone: 'accent', glyph: 'half', word: 'Mail is being sent' };
    case 'sent':
      return { tone: 'ok', glyph: 'ticked', word: 'Mail sent' };
    case 'uncertain':
      return { tone: 'warn', glyph: 'ring', word: 'Mail uncertain' };
    case 'failed':
      return { tone: 'bad', glyph: 'cross', word: 'Mail failed' };
  }
}

/** What was arranged for this person, or nothing. */
export function accommodationWords(
  invitation: Pick<Invitation, 'extraTimeFactor' | 'cameraEnabled' | 'microphoneEnabled'>,
): string[] {
  return [
    ...(invitation.extraTimeFactor === 1 ? [] : [`${invitation.extraTimeFactor} times the time`]),
    ...(invitation.cameraEnabled ? [] : ['no camera']),
    ...(invitation.microphoneEnabled ? [] : ['no microphone']),
  ];
}

/** What was typed as a factor from 1 to 10, with a point or a comma; `null` when it is none. */
export function factorOf(typed: string): number | null {
  const text = typed.trim().replace(',', '.');
  if (!/^\d{1,2}(\.\d{1,2})?$/.test(text)) return null;
  const factor = Number(text);
  return factor >= 1 && factor <= 10 ? factor : null;
}
