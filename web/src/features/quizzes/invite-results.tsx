import type { InvitationResult } from '@invigil/core/contract/invitations';
import { Mail } from 'lucide-react';
import { Link } from 'react-router';
import { Badge, type BadgeTone } from '../../ui/badge.tsx';
import type { GlyphName } from '../../ui/glyphs.tsx';
import { Notice } from '../../ui/notice.tsx';

const OUTCOMES: Record<InvitationResult['status'], readonly [BadgeTone, GlyphName, string]> = {
  queued: ['ok', 'ticked', 'Queued'],
  invalid: ['bad', 'slashed', 'Invalid'],
  already_completed: ['neutral', 'ticked', 'Already completed'],
  in_progress: ['accent', 'half', 'In progress'],
};

const ORDER = ['invalid', 'already_completed', 'in_progress', 'queued'] as const;

/** What became of each address. */
export function InviteResults({
  results,
  mailServer,
}: {
  results: readonly InvitationResult[];
  mailServer: 'configured' | 'missing' | 'unknown';
}) {
  // What needs somebody's attention stands above what is on its way.
  const ordered = [...results].sort((a, b) => ORDER.indexOf(a.status) - ORDER.indexOf(b.status));
  const counts = ORDER.flatMap((status) => {
    const n = results.filter((result) => result.status === status).length;
    return n === 0 ? [] : [`${n.toLocaleString('en-GB')} ${OUTCOMES[status][2].toLowerCase()}`];
  });
  return (
    <div className="grid gap-4">
      <p className="font-medium tabular-nums">{counts.join(', ')}</p>
      {mailServer === 'missing' && (
        <Notice tone="warn" icon={<Mail strokeWidth={1.5} />}>
          No mail server is configured yet. The messages wait in the{' '}
          <Link to="/admin/settings" className="font-medium underline underline-offset-4">
            outbox
          </Link>
          , where you can read and copy them.
        </Notice>
      )}
      <ul aria-label="Results" className="rounded-lg border border-line">
        {ordered.map((result) => {
          const [tone, glyph, word] = OUTCOMES[result.status];
          return (
            <li
              key={result.email}
              className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 border-b border-line px-4 py-2.5 last:border-b-0"
            >
              <div className="min-w-0">
                <div className="break-all">{result.email}</div>
                {result.reason !== undefined && (
                  <div className="text-sm text-ink-3">{result.reason}</div>
                )}
              </div>
              <Badge tone={tone} glyph={glyph}>
                {word}
              </Badge>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
