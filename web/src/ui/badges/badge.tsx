import type { ReactNode } from 'react';
import { Glyph, type GlyphName } from './glyphs.tsx';

export type BadgeTone = 'neutral' | 'accent' | 'ok' | 'warn' | 'bad';

const TONES: Record<BadgeTone, string> = {
  neutral: 'bg-fill text-ink-2 [--g:var(--color-fill)]',
  accent: 'bg-accent-soft text-accent-ink [--g:var(--color-accent-soft)]',
  ok: 'bg-ok-soft text-ok-ink [--g:var(--color-ok-soft)]',
  warn: 'bg-warn-soft text-warn-ink [--g:var(--color-warn-soft)]',
  bad: 'bg-bad-soft text-bad-ink [--g:var(--color-bad-soft)]',
};

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
      className={`inline-flex min-h-5.5 items-center gap-1.5 rounded-sm py-0.5 pe-2 ps-1.5 text-xs font-medium whitespace-nowrap ${TONES[tone]}`}
    >
      {glyph !== undefined && <Glyph name={glyph} />}
      <span>{children}</span>
    </span>
  );
}

const STATUSES = {
  not_started: ['neutral', 'dashed', 'Not started'],
  started: ['neutral', 'half', 'Started'],
  in_progress: ['neutral', 'half', 'In progress'],
  completed: ['ok', 'ticked', 'Completed'],
  dismissed: ['bad', 'slashed', 'Dismissed'],
  active: ['ok', 'dot', 'Active'],
  ended: ['neutral', 'ticked', 'Ended'],
  opens: ['accent', 'dashed', 'Opens later'],
  not_ready: ['warn', 'half', 'Not ready'],
  inactive: ['neutral', 'ring', 'Inactive'],
  live: ['ok', 'dot', 'Live'],
  answered: ['ok', 'ticked', 'Answered'],
  to_check: ['warn', 'half', 'To check'],
  not_answered: ['neutral', 'ring', 'Not Answered'],
  granted: ['ok', 'ticked', 'Granted'],
  denied: ['bad', 'cross', 'Denied'],
  not_asked: ['neutral', 'dashed', 'Not asked yet'],
  queued: ['neutral', 'dashed', 'Queued'],
  delayed: ['warn', 'dashed', 'Delayed'],
  sending: ['accent', 'half', 'Sending'],
  sent: ['ok', 'ticked', 'Sent'],
  // No answer from the mail server on whether it was accepted.
  uncertain: ['warn', 'ring', 'Uncertain'],
  failed: ['bad', 'cross', 'Failed'],
  canceled: ['neutral', 'slashed', 'Canceled'],
  revoked: ['neutral', 'slashed', 'Revoked'],
  no_email: ['neutral', 'dashed', 'No email'],
} as const satisfies Record<string, readonly [BadgeTone, GlyphName, string]>;

type StatusName = keyof typeof STATUSES;

/** The product's fixed statuses, each with its own glyph. */
export function StatusBadge({ status }: { status: StatusName }) {
  const [tone, glyph, word] = STATUSES[status];
  return (
    <Badge tone={tone} glyph={glyph}>
      {word}
    </Badge>
  );
}
