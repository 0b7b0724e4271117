import {
  endOwnSession,
  listOwnSessions,
  type OwnSession,
} from '@invigil/core/contract/accounts/admins';
import { t } from '@invigil/core/texts/i18n';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { formatAgo, formatDateTime } from '../../../lib/format.ts';
import { callEndpoint } from '../../../net/api.ts';
import { changeCached, endpointQuery } from '../../../net/endpoint-query.ts';
import { Button } from '../../../ui/button.tsx';
import { toast } from '../../../ui/toast.ts';
import { Trans } from '../../../ui/trans.tsx';
import { showFailure } from '../../data/show-failure.ts';
import { LoadedCard } from '../../parts/loaded.tsx';

const SESSIONS = endpointQuery(listOwnSessions, {});

function useEndSession() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => callEndpoint(endOwnSession, { params: { id } }),
    onSuccess: async (_, id) => {
      toast({ title: t('account.session.ended', 'Session ended') });
      await changeCached<OwnSession[]>(client, SESSIONS.queryKey, (list) =>
        list.filter((session) => session.id !== id),
      );
    },
    onError: (error) =>
      showFailure(t('account.session.endFailed', 'Failed to end the session'), error),
  });
}

/** The devices on which the administrator is signed in. */
export function OwnSessions() {
  const sessions = useQuery(SESSIONS);
  const end = useEndSession();
  return (
    <LoadedCard
      title={t(/* “you”: the reader */ 'account.sessions', 'Where you are signed in')}
      read={sessions}
      failure={t('account.sessions.failed', 'Failed to load your sessions')}
      loading={t('account.sessions.loading', 'Loading your sessions...')}
      rows={1}
    >
      {(list) => (
        <ul
          aria-label={t(
            /* the name of a list: where someone is signed in */ 'account.sessions.list',
            'Sessions',
          )}
        >
          {list.map(({ id, isThis, signedInAt, lastSeenAt }) => (
            <li
              key={id}
              className="flex min-h-14 flex-wrap items-center justify-between gap-3 border-b border-line px-5 py-3 last:border-b-0"
            >
              <span className="min-w-0">
                <span className="block font-medium">
                  {isThis
                    ? t(/* a session */ 'account.session.this', 'This browser')
                    : t(/* a session */ 'account.session.other', 'Another browser')}
                </span>
                <span className="text-sm text-ink-3">
                  <Trans
                    id="account.session.times"
                    comment="a session; {since} is a date with its time, {ago} such as “2 min ago”"
                    message="Signed in {since}, last active {ago}"
                    values={{
                      since: <time dateTime={signedInAt}>{formatDateTime(signedInAt)}</time>,
                      ago: (
                        <time dateTime={lastSeenAt} title={formatDateTime(lastSeenAt)}>
                          {formatAgo(lastSeenAt)}
                        </time>
                      ),
                    }}
                  />
                </span>
              </span>
              {!isThis && (
                <Button
                  size="dense"
                  aria-label={t(
                    /* a button; {time} is when it began */ 'account.session.endOf',
                    'End the session of {time}',
                    { time: formatDateTime(signedInAt) },
                  )}
                  busy={
                    end.isPending &&
                    end.variables === id &&
                    t(/* on a button: it ends a session */ 'portal.ending', 'Ending…')
                  }
                  onClick={() => end.mutate(id)}
                >
                  {t(/* a button: ends a session */ 'account.session.end', 'End')}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
    </LoadedCard>
  );
}
