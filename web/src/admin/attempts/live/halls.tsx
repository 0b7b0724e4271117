import {
  type Hall,
  listHalls,
  startTogether,
  type WaitingCounts,
  type WaitingState,
} from '@invigil/core/contract/review/halls';
import { listText } from '@invigil/core/domain/locale';
import { isolated } from '@invigil/core/domain/typed-text';
import { minutesText } from '@invigil/core/texts/amounts';
import { t } from '@invigil/core/texts/i18n';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Play, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { formatTime } from '../../../lib/format.ts';
import { callEndpoint } from '../../../net/api.ts';
import { endpointKey, endpointQuery } from '../../../net/endpoint-query.ts';
import { Badge } from '../../../ui/badges/badge.tsx';
import type { GlyphName } from '../../../ui/badges/glyphs.tsx';
import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Card } from '../../../ui/page.tsx';
import { useMayOn } from '../../data/assessments.ts';
import { people } from '../../data/invitations.ts';
import { morePeopleText, unknownText } from '../../data/people.ts';
import { FormDialog, FormSelect } from '../../parts/dialogs.tsx';
import { LoadFailure } from '../../parts/failures.tsx';

const EVERY_MS = 3_000;

type Person = Hall['people'][number];

const STATES: Record<WaitingState, () => string> = {
  absent: () => t(/* the state of a candidate */ 'live.hall.absent', 'Not signed in'),
  lost: () => t(/* the state of a candidate who was waiting */ 'live.hall.lost', 'Contact lost'),
  entered: () =>
    t(
      /* the state of a candidate: in instructions or device check */ 'live.hall.entered',
      'Preparing',
    ),
  waiting: () => t(/* the state of a candidate: is ready */ 'live.hall.waiting', 'Waiting'),
};

const GLYPHS: Record<WaitingState, GlyphName> = {
  ...{ absent: 'dashed', lost: 'ring', entered: 'half', waiting: 'ticked' },
};

const notReady = ({ absent = 0, lost = 0, entered = 0 }: WaitingCounts) => absent + lost + entered;

const waitText = ({ waiting = 0 }: WaitingCounts) =>
  t(/* candidates */ 'live.hall.wait', '{waiting, plural, one {# waits} other {# wait}}', {
    waiting,
  });

const notReadyText = (counts: WaitingCounts) =>
  t(
    /* candidates */ 'live.hall.missing',
    '{missing, plural, one {# is not ready} other {# are not ready}}',
    { missing: notReady(counts) },
  );

/** Assessments that all start together, before they begin: who waits, who is not ready, and the start. */
export function Halls({ quizId }: { quizId: string | null }) {
  const read = useQuery({ ...endpointQuery(listHalls, {}), refetchInterval: EVERY_MS });
  if (read.data === undefined) {
    return read.isError ? (
      <Card className="mb-6">
        <LoadFailure
          title={t('live.hall.failed', 'Failed to load who waits for a start')}
          read={read}
        />
      </Card>
    ) : null;
  }
  const { at, halls } = read.data;
  return halls
    .filter((hall) => quizId === null || hall.quizId === quizId)
    .map((hall) => <HallCard key={`${hall.quizId} ${hall.opensAt}`} hall={hall} at={at} />);
}

/** Whether a start was given, and those who are late can still start by it. */
const isOn = ({ lateUntil }: { lateUntil?: string | undefined }, at: string) =>
  lateUntil !== undefined && at < lateUntil;

function HallCard({ hall, at }: { hall: Hall; at: string }) {
  const { counts, people: shown } = hall;
  const mayStart = useMayOn(hall.quizId)('attempts.act');
  const [isAsking, setAsking] = useState(false);
  const id = `hall-${hall.quizId}-${hall.opensAt}`;
  const more = notReady(counts) + (counts.waiting ?? 0) - shown.length;
  return (
    <section aria-labelledby={id} className="mb-6">
      <Card>
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-5 py-4">
          <div className="min-w-0">
            <h2 id={id} className="wrap-anywhere">
              {isolated(hall.title)}
            </h2>
            <p className="text-sm text-ink-2">{whenText(hall, at)}</p>
          </div>
          <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
            <p className="tabular-nums">
              {listText([waitText(counts), notReadyText(counts)], 'unit')}
            </p>
            {hall.by === 'button' && mayStart && !isOn(hall, at) && (
              <Button
                variant="primary"
                icon={<Play />}
                disabled={hall.opensAt !== null}
                onClick={() => setAsking(true)}
              >
                {startText()}
              </Button>
            )}
          </div>
        </div>
        <PersonList
          label={t(/* a list of candidates */ 'live.hall.people', 'Before the start')}
          shown={shown}
          className="grid-cols-[repeat(auto-fill,minmax(min(22rem,100%),1fr))] border-t"
        />
        {more > 0 && <p className="px-5 pb-3 text-sm text-ink-3">{morePeopleText(more)}</p>}
      </Card>
      {isAsking && <StartDialog hall={hall} at={at} onClose={() => setAsking(false)} />}
    </section>
  );
}

const startText = () =>
  t(
    /* a button: starts an assessment for all who wait */ 'live.hall.start',
    'Start for all who wait',
  );

/** When all start, or until when those who are late can. */
function whenText(hall: Hall, at: string): string {
  const { by, opensAt, lateMinutes, lateUntil } = hall;
  if (isOn(hall, at) && lateUntil !== undefined) {
    return t(
      /* an assessment; late candidates. time: of day */ 'live.hall.started',
      'Started. Those who are late can start until {time}.',
      { time: formatTime(lateUntil) },
    );
  }
  if (by === 'time' && opensAt !== null) {
    return t(/* candidates. time: of day */ 'live.hall.byTime', 'All start together at {time}.', {
      time: formatTime(opensAt),
    });
  }
  const late = minutesText(lateMinutes * 60_000);
  return opensAt === null
    ? t(
        /* late: “15 minutes” */ 'live.hall.byButton',
        'All wait for your start. Those who are late can start until {late} after it.',
        { late },
      )
    : t(
        /* the assessment. time: of day */ 'live.hall.opensLater',
        'All wait for your start, which is possible from {time} on, when it opens.',
        { time: formatTime(opensAt) },
      );
}

function PersonList({
  label,
  shown,
  className,
}: {
  label: string;
  shown: readonly Person[];
  className: string;
}) {
  return (
    <ul
      aria-label={label}
      className={`grid max-h-80 gap-x-6 overflow-y-auto border-line px-5 py-2 ${className}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls is reached by keyboard
      tabIndex={0}
    >
      {shown.map((person) => (
        <li
          key={person.invitationId}
          className="flex min-h-9 flex-wrap items-center justify-between gap-x-3 py-1"
        >
          <bdi className="min-w-0 truncate font-medium">{nameOf(person)}</bdi>
          <Badge
            tone={person.state === 'waiting' ? 'ok' : person.state === 'lost' ? 'warn' : 'neutral'}
            glyph={GLYPHS[person.state]}
          >
            {STATES[person.state]()}
          </Badge>
        </li>
      ))}
    </ul>
  );
}

const nameOf = ({ userName, email }: Person) => isolated(userName ?? email ?? unknownText());

/** Stands for all groups: no group has a space at its beginning. */
const EVERYONE = ' ';

/** Says who waits and who is not ready before the start, which is not taken back. */
function StartDialog({ hall, at, onClose }: { hall: Hall; at: string; onClose(): void }) {
  const client = useQueryClient();
  const form = useForm({ defaultValues: { group: EVERYONE } });
  const wanted = form.watch('group');
  const groups = hall.groups.filter((one) => !isOn(one, at));
  const group = groups.find((one) => one.group === wanted);
  const counts = group?.counts ?? hall.counts;
  const waiting = counts.waiting ?? 0;
  const missing = notReady(counts);
  const late = hall.people.filter(
    ({ state, groups: own }) =>
      state !== 'waiting' && (group === undefined || own.includes(group.group)),
  );
  return (
    <FormDialog
      form={form}
      title={startText()}
      description={hall.title}
      submitLabel={t(/* a button: starts an assessment */ 'live.hall.confirm', 'Start now')}
      busyLabel={t(/* an assessment is being started */ 'live.hall.starting', 'Starting…')}
      failed={t('live.hall.startFailed', 'Failed to start')}
      onClose={onClose}
      onSubmit={async () => {
        await callEndpoint(startTogether, {
          params: { id: hall.quizId },
          body: { group: group?.group ?? null },
        });
        void client.invalidateQueries({ queryKey: endpointKey(listHalls) });
        return {
          title: t(/* an assessment, for all who wait */ 'live.hall.done', 'Started'),
          description: hall.title,
        };
      }}
    >
      {groups.length > 0 && (
        <FormSelect
          form={form}
          name="group"
          label={t(/* whom to start; a field */ 'live.hall.whom', 'Who starts')}
          options={[
            { value: EVERYONE, label: t(/* all candidates */ 'live.hall.everyone', 'Everyone') },
            ...groups.map((one) => ({
              value: one.group,
              label: t(
                /* a group and how many are in it: “2A (12 people)” */ 'assessment.schedule.groupOf',
                '{group} ({people})',
                {
                  group: isolated(one.group),
                  people: people((one.counts.waiting ?? 0) + notReady(one.counts)),
                },
              ),
            })),
          ]}
        />
      )}
      <p>
        {t(
          'live.hall.effect',
          '{waiting, plural, =0 {Nobody waits.} one {# candidate waits and gets the first question within seconds.} other {# candidates wait and get the first question within seconds.}} A start cannot be taken back.',
          { waiting },
        )}
      </p>
      {missing > 0 && (
        <Notice tone="warn" icon={<TriangleAlert />} title={notReadyText(counts)}>
          {t(
            /* candidates who are not ready. late: “15 minutes” */ 'live.hall.missing.about',
            'They can still start in the next {late}, with all of their time.',
            { late: minutesText(hall.lateMinutes * 60_000) },
          )}
        </Notice>
      )}
      {late.length > 0 && (
        <PersonList
          label={t(/* a list of candidates */ 'live.hall.notReady', 'Not ready')}
          shown={late}
          className="rounded-lg border"
        />
      )}
      {missing > late.length && (
        <p className="text-sm text-ink-3">{morePeopleText(missing - late.length)}</p>
      )}
    </FormDialog>
  );
}
