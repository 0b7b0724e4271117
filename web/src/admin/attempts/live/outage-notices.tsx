import {
  grantLostTime,
  type LostTime,
  listOutages,
  type Outage,
} from '@invigil/core/contract/review/outages';
import { isolated } from '@invigil/core/domain/typed-text';
import { t } from '@invigil/core/texts/i18n';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { formatTime } from '../../../lib/format.ts';
import { callEndpoint, PageError } from '../../../net/api.ts';
import { endpointKey, endpointQuery } from '../../../net/endpoint-query.ts';
import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { useMay } from '../../data/own-rights.ts';
import { ReasonDialog } from '../../parts/reason-dialog.tsx';
import { personName } from './board-hooks.ts';

/** Outages that cost attempts time, for owners: each until the time is given back. */
export function OutageNotices() {
  const may = useMay()('installation.manage');
  const { data = [] } = useQuery({
    ...endpointQuery(listOutages, {}),
    enabled: may,
    refetchInterval: 30_000,
  });
  const [opened, setOpened] = useState<Outage | null>(null);
  return (
    <>
      {data.map((outage) => (
        <div key={outage.id} className="mb-4">
          <Notice tone="warn" title={outageTitle(outage)}>
            <div className="flex flex-wrap items-center justify-between gap-3">
              <p>{lossSentence(outage.attempts)}</p>
              <Button onClick={() => setOpened(outage)}>
                {t(/* a button: lost time, to candidates */ 'live.outage.give', 'Give it back')}
              </Button>
            </div>
          </Notice>
        </div>
      ))}
      {opened !== null && <GiveBackDialog outage={opened} onClose={() => setOpened(null)} />}
    </>
  );
}

const outageTitle = ({ beganAt, endedAt }: Outage) =>
  t(
    /* from, until: times of day */ 'live.outage.title',
    'The service was down from {from} to {until}',
    { from: formatTime(beganAt), until: formatTime(endedAt) },
  );

const lossSentence = (attempts: readonly LostTime[]) =>
  t(
    /* minutes: the most that one of them lost */
    'live.outage.loss',
    '{count, plural, one {# attempt lost time: {minutes} min.} other {# attempts lost time, up to {minutes} min each.}}',
    { count: attempts.length, minutes: Math.max(...attempts.map(({ minutes }) => minutes)) },
  );

function GiveBackDialog({ outage, onClose }: { outage: Outage; onClose(): void }) {
  const client = useQueryClient();
  const give = useMutation({
    mutationFn: (reason: string) =>
      callEndpoint(grantLostTime, { params: { id: outage.id }, body: { reason } }),
    onSettled: () => client.invalidateQueries({ queryKey: endpointKey(listOutages) }),
  });
  const { attempts } = outage;
  return (
    <ReasonDialog
      title={t('live.outage.dialog', 'Give lost time back')}
      consequence={
        <>
          <p>
            {outageTitle(outage)}. {lossSentence(attempts)}
          </p>
          <p>
            {t(
              'live.outage.consequence',
              'Each gets the whole minutes in which nothing was heard of it then, once. Where the time has run out, the attempt is reinstated with them: the candidate signs in again.',
            )}
          </p>
          <ul className="mt-2 max-h-52 overflow-y-auto text-sm">
            {attempts.map((one) => (
              <li
                key={one.participantId}
                className="flex justify-between gap-3 border-t border-line py-1.5 first:border-t-0"
              >
                <span className="min-w-0 truncate">
                  {personName(one)} · {isolated(one.quizTitle)}
                </span>
                <span className="flex-none tabular-nums">
                  {one.hasEnded
                    ? t('live.outage.reinstated', '{minutes} min, reinstated', {
                        minutes: one.minutes,
                      })
                    : t(/* more time */ 'live.outage.minutes', '{minutes} min', {
                        minutes: one.minutes,
                      })}
                </span>
              </li>
            ))}
          </ul>
        </>
      }
      confirmLabel={t('live.outage.confirm', 'Give the time back')}
      busyLabel={t(/* extra time is being given */ 'parts.action.extend.busy', 'Giving…')}
      doneTitle={t('live.outage.done', 'Time given back')}
      failTitle={t('live.outage.failed', 'Failed to give the time back to everyone')}
      onConfirm={async (reason) => {
        const { refused } = await give.mutateAsync(reason);
        const [first] = refused;
        if (first !== undefined) throw new PageError(first.message);
      }}
      onClose={onClose}
    />
  );
}
