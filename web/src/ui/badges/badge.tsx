import type { ReactNode } from 'react';
import { Glyph, type GlyphName } from './glyphs.tsx';

export type BadgeTone = 'neutral' | 'accent' | 'ok' | 'warn' | 'bad';

const TONES: Record<BadgeTone, string> = {
  neutral: 'bg-fill text-ink-2 [--g:var(--iv-fill)]',
  accent: 'bg-accent-soft text-accent-ink [--g:var(--iv-accent-soft)]',
  ok: 'bg-ok-soft text-ok-ink [--g:var(--iv-ok-soft)]',
  warn: 'bg-warn-soft text-warn-ink [--g:var(--iv-warn-soft)]',
  bad: 'bg-bad-soft text-bad-ink [--g:var(--iv-bad-soft)]',
};

/** Glyph and label; the color is redundant. */
export function Badge({
  tone = 'neutral',
  glyph,
  children,
}: {
  tone?: BadgeTone;
  glyph?: GlyphName;
  children: ReactNode;
}) {
  return (
    <span
      className={`inline-flex min-h-5.5 items-center gap-1.5 rounded-sm py-0.5 pr-2 pl-1.5 text-xs font-medium whitespace-nowrap ${TONES[tone]}`}
    >
      {glyph !== undefined && <Glyph name={glyph} />}
      <span>{children}</span>
    </span>
  );
}
