import { t } from '@invigil/core/texts/i18n';
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
  not_started: [
    'neutral',
    'dashed',
    () => t(/* the state of an attempt */ 'status.notStarted', 'Not started'),
  ],
  started: ['neutral', 'half', () => t(/* the state of an attempt */ 'status.started', 'Started')],
  in_progress: [
    'neutral',
    'half',
    () => t(/* the state of an attempt */ 'status.inProgress', 'In progress'),
  ],
  completed: [
    'ok',
    'ticked',
    () => t(/* the state of an attempt */ 'status.completed', 'Completed'),
  ],
  dismissed: [
    'bad',
    'slashed',
    () =>
      t(
        /* the state of an attempt that was ended under the rules */ 'status.dismissed',
        'Dismissed',
      ),
  ],
  active: [
    'ok',
    'dot',
    () => t(/* the state of an assessment that can be taken */ 'status.active', 'Active'),
  ],
  ended: [
    'neutral',
    'ticked',
    () => t(/* the state of an assessment whose time is over */ 'status.ended', 'Ended'),
  ],
  opens: [
    'accent',
    'dashed',
    () => t(/* the state of an assessment */ 'status.opensLater', 'Opens later'),
  ],
  not_ready: [
    'warn',
    'half',
    () => t(/* the state of an assessment that lacks questions */ 'status.notReady', 'Not ready'),
  ],
  inactive: [
    'neutral',
    'ring',
    () => t(/* the state of an assessment that is switched off */ 'status.inactive', 'Inactive'),
  ],
  live: [
    'ok',
    'dot',
    () => t(/* the state of an attempt or assessment that is going on now */ 'status.live', 'Live'),
  ],
  answered: ['ok', 'ticked', () => t(/* the state of a question */ 'status.answered', 'Answered')],
  to_check: [
    'warn',
    'half',
    () => t(/* the state of an answer that may have a mistake */ 'status.toCheck', 'To check'),
  ],
  not_answered: [
    'neutral',
    'ring',
    () => t(/* the state of a question */ 'status.notAnswered', 'Not Answered'),
  ],
  granted: [
    'ok',
    'ticked',
    () =>
      t(/* the state of the permission for a camera or microphone */ 'status.granted', 'Granted'),
  ],
  denied: [
    'bad',
    'cross',
    () => t(/* the state of the permission for a camera or microphone */ 'status.denied', 'Denied'),
  ],
  not_asked: [
    'neutral',
    'dashed',
    () =>
      t(
        /* the state of the permission for a camera or microphone */ 'status.notAsked',
        'Not asked yet',
      ),
  ],
  queued: ['neutral', 'dashed', () => t(/* the state of an email */ 'status.queued', 'Queued')],
  delayed: ['warn', 'dashed', () => t(/* the state of an email */ 'status.delayed', 'Delayed')],
  sending: ['accent', 'half', () => t(/* the state of an email */ 'status.sending', 'Sending')],
  sent: ['ok', 'ticked', () => t(/* the state of an email */ 'status.sent', 'Sent')],
  // No answer from the mail server on whether it was accepted.
  uncertain: [
    'warn',
    'ring',
    () =>
      t(
        /* the state of an email: whether it was sent is not known */ 'status.uncertain',
        'Uncertain',
      ),
  ],
  failed: ['bad', 'cross', () => t(/* the state of an email */ 'status.failed', 'Failed')],
  canceled: [
    'neutral',
    'slashed',
    () => t(/* the state of an email */ 'status.canceled', 'Canceled'),
  ],
  revoked: [
    'neutral',
    'slashed',
    () => t(/* the state of an invitation */ 'status.revoked', 'Revoked'),
  ],
  no_email: [
    'neutral',
    'dashed',
    () => t(/* the state of an invitation without one */ 'status.noEmail', 'No email'),
  ],
} as const satisfies Record<string, readonly [BadgeTone, GlyphName, () => string]>;

type StatusName = keyof typeof STATUSES;

/** The word for a status. */
export const statusText = (status: StatusName): string => STATUSES[status][2]();

/** The product's fixed statuses, each with its own glyph. */
export function StatusBadge({ status }: { status: StatusName }) {
  const [tone, glyph] = STATUSES[status];
  return (
    <Badge tone={tone} glyph={glyph}>
      {statusText(status)}
    </Badge>
  );
}
