import {
  endOwnSession,
  listOwnSessions,
  type OwnSession,
} from '@invigil/core/contract/accounts/admins';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { formatAgo, formatDateTime } from '../../../lib/format.ts';
import { callEndpoint } from '../../../net/api.ts';
import { changeCached, endpointQuery } from '../../../net/endpoint-query.ts';
import { Button } from '../../../ui/button.tsx';
import { toast } from '../../../ui/toast.ts';
import { showFailure } from '../../data/show-failure.ts';
import { LoadedCard } from '../../parts/loaded.tsx';

const SESSIONS = endpointQuery(listOwnSessions, {});

function useEndSession() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => callEndpoint(endOwnSession, { params: { id } }),
    onSuccess: async (_, id) => {
      toast({ title: 'Session ended' });
      await changeCached<OwnSession[]>(client, SESSIONS.queryKey, (list) =>
        list.filter((session) => session.id !== id),
      );
    },
    onError: (error) => showFailure('Failed to end the session', error),
  });
}

/** The devices on which the administrator is signed in. */
export function OwnSessions() {
  const sessions = useQuery(SESSIONS);
  const end = useEndSession();
  return (
    <LoadedCard
      title="Where you are signed in"
      read={sessions}
      failure="Failed to load your sessions"
      loading="Loading your sessions..."
      rows={1}
    >
      {(list) => (
        <ul aria-label="Sessions">
          {list.map(({ id, isThis, signedInAt, lastSeenAt }) => (
            <li
              key={id}
              className="flex min-h-14 flex-wrap items-center justify-between gap-3 border-b border-line px-5 py-3 last:border-b-0"
            >
              <span className="min-w-0">
                <span className="block font-medium">
                  {isThis ? 'This browser' : 'Another browser'}
                </span>
                <span className="text-sm text-ink-3">
                  {'Signed in '}
                  <time dateTime={signedInAt}>{formatDateTime(signedInAt)}</time>
                  {', last active '}
                  <time dateTime={lastSeenAt} title={formatDateTime(lastSeenAt)}>
                    {formatAgo(lastSeenAt)}
                  </time>
                </span>
              </span>
              {!isThis && (
                <Button
                  size="dense"
                  aria-label={`End the session of ${formatDateTime(signedInAt)}`}
                  busy={end.isPending && end.variables === id && 'Ending…'}
                  onClick={() => end.mutate(id)}
                >
                  End
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
    </LoadedCard>
  );
}
