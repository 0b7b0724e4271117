import type { OutboxMessage } from '@invigil/core/contract/outbox';
import { RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { sentenceOf } from '../../lib/api.ts';
import { zoneName } from '../../lib/dates.ts';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FailureNotice } from '../../ui/failure-notice.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { OUTBOX_ROWS, useOutbox, useSmtpSettings } from './api.ts';
import { OutboxMessageDialog } from './outbox-message-dialog.tsx';
import { OutboxRow } from './outbox-row.tsx';

/** The outbox: every message, its state, and what a waiting one says (with a mail server: for the password). */
export function OutboxCard() {
  const [page, setPage] = useState(1);
  const [reading, setReading] = useState<OutboxMessage | null>(null);
  const settings = useSmtpSettings();
  const outbox = useOutbox(page, settings.data !== undefined && settings.data !== null);
  const isReadable = settings.data === null;
  const pages = Math.max(1, Math.ceil((outbox.data?.total ?? 0) / OUTBOX_ROWS));

  return (
    <Card
      title="Outbox"
      aside={
        <IconButton label="Load the outbox again" onClick={() => void outbox.refetch()}>
          <RefreshCw aria-hidden="true" strokeWidth={1.5} />
        </IconButton>
      }
    >
      {outbox.isError && (
        <div className="p-5">
          <FailureNotice
            title="Failed to load the outbox"
            onRetry={() => void outbox.refetch()}
            retrying={outbox.isFetching}
          >
            {sentenceOf(outbox.error)}
          </FailureNotice>
        </div>
      )}
      {outbox.isPending ? (
        <SkeletonRows rows={3}>Loading messages...</SkeletonRows>
      ) : outbox.data === undefined ? null : outbox.data.rows.length === 0 ? (
        <EmptyState>No messages yet. Invitations appear here as soon as they are made.</EmptyState>
      ) : (
        <>
          {isReadable && (
            <p className="border-b border-line px-5 py-3 text-ink-2">
              No mail server is configured, so messages wait here. You can read a waiting one and
              copy it; each view is recorded.
            </p>
          )}
          <ul aria-label="Messages">
            {outbox.data.rows.map((message) => (
              <OutboxRow
                key={message.id}
                message={message}
                readable
                onRead={message.state === 'queued' ? () => setReading(message) : undefined}
              />
            ))}
          </ul>
          <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line px-5 py-3">
            <p className="text-sm text-ink-3">Times in {zoneName()}</p>
            {pages > 1 && <Pagination page={page} pages={pages} onPage={setPage} />}
          </div>
        </>
      )}
      {reading !== null && <OutboxMessageDialog id={reading.id} onClose={() => setReading(null)} />}
    </Card>
  );
}
