import type { ParticipantRecord } from '@invigil/core/contract/review/participant-record';
import { isolated } from '@invigil/core/domain/typed-text';
import { t } from '@invigil/core/texts/i18n';
import { RefreshCw } from 'lucide-react';
import { useParams } from 'react-router';
import { formatDate, formatDateTime, formatTimeSpent, shortId } from '../../../../lib/format.ts';
import { timesInText } from '../../../../lib/portal-times.ts';
import { scoreText } from '../../../../lib/score-text.ts';
import { ApiError, sentenceOf } from '../../../../net/api.ts';
import { StatusBadge } from '../../../../ui/badges/badge.tsx';
import { ViolationPips } from '../../../../ui/badges/violation-pips.tsx';
import { FailureNotice } from '../../../../ui/failure-notice.tsx';
import { IconButton } from '../../../../ui/icon-button.tsx';
import { Card } from '../../../../ui/page.tsx';
import { SkeletonRows } from '../../../../ui/skeleton.tsx';
import { LabelledValues } from '../../../../ui/tables/table.tsx';
import { useRecord } from '../../../data/record.ts';
import { breakable, KnownOf, PersonLink, useNoName } from '../../../parts/known-of.tsx';
import { OutcomeOf, PercentOf, WhyFailed } from '../../../parts/outcome.tsx';
import { PersonData } from '../../../parts/person-data.tsx';
import { QuizLink } from '../../../parts/quiz-link.tsx';
import { LateAnswers, RecordAnswers } from '../answers/record-answers.tsx';
import { RecordEvidence } from '../evidence/record-evidence.tsx';
import { RecordActions } from '../record-dialogs.tsx';
import { RecordTimeline } from '../record-timeline.tsx';
import { OtherAttempts, RecordDetails, RecordNote, RecordSeal } from './record-details.tsx';
import { RecordPlaces } from './record-places.tsx';
import { RecordReleases } from './record-releases.tsx';
import { RecordSensors } from './record-sensors.tsx';
import { RecordVerdict } from './record-verdict.tsx';

/** /admin/participants/:id: everything an administrator needs to review one attempt. */
export function ParticipantRecordScreen() {
  const { id = '' } = useParams();
  return (
    <>
      <RecordPlaces id={id} />
      {/* Remounts for another record, without the previous one's note or filter. */}
      <LoadedRecord key={id} id={id} />
    </>
  );
}

function LoadedRecord({ id }: { id: string }) {
  const record = useRecord(id);

  if (record.data === undefined) {
    if (!record.isError) {
      return (
        <Card>
          <title>
            {t(
              /* Invigil: the name of this software */ 'record.pageTitle',
              'Participant · Invigil',
            )}
          </title>
          <SkeletonRows rows={6}>{t('record.loading', 'Loading record...')}</SkeletonRows>
        </Card>
      );
    }
    const isGone =
      record.error instanceof ApiError && [400, 404, 422].includes(record.error.status);
    return (
      <>
        <title>
          {t(/* Invigil: the name of this software */ 'record.pageTitle', 'Participant · Invigil')}
        </title>
        <h1 className="sr-only">
          {t(/* a person who takes an assessment */ 'portal.participant', 'Participant')}
        </h1>
        <FailureNotice
          title={
            isGone
              ? t('record.notFound.title', 'Attempt not found')
              : t('record.failed', 'Failed to load the record')
          }
          {...(isGone ? {} : { onRetry: () => void record.refetch() })}
          retrying={record.isFetching}
        >
          {isGone
            ? t('record.notFound.text', 'The address may be wrong.')
            : sentenceOf(record.error)}
        </FailureNotice>
      </>
    );
  }

  const { data } = record;
  return (
    <div className="@container">
      <RecordHeader
        record={data}
        onRenew={() => void record.refetch()}
        renewing={record.isFetching}
      />
      {record.isError && (
        <div className="mb-4">
          <FailureNotice
            title={t('record.reloadFailed', 'Failed to reload the record')}
            onRetry={() => void record.refetch()}
            retrying={record.isFetching}
          >
            {t('record.outOfDate', 'This is out of date.')} {sentenceOf(record.error)}
          </FailureNotice>
        </div>
      )}
      <RecordSeal record={data} />
      <RecordFigures record={data} />
      <div className="grid items-start gap-4 @min-[57rem]:grid-rows-[auto_1fr] @min-[57rem]:grid-cols-[minmax(0,1.9fr)_minmax(0,1fr)]">
        {/* The actions come before the timeline, so that on a phone they are not below the paper. */}
        <div className="min-w-0 @min-[57rem]:col-start-2">
          <RecordActions record={data} />
        </div>
        <div className="grid min-w-0 gap-4 @min-[57rem]:col-start-1 @min-[57rem]:row-span-2 @min-[57rem]:row-start-1">
          <RecordTimeline record={data} />
          <RecordEvidence record={data} />
          <RecordAnswers questions={data.questions} />
        </div>
        <div className="grid min-w-0 gap-4 @min-[57rem]:col-start-2">
          <RecordVerdict record={data} />
          <RecordReleases record={data} />
          <RecordSensors record={data} />
          <RecordNote participantId={data.participant.id} stored={data.note} />
          <RecordDetails record={data} />
          <LateAnswers record={data} />
          <OtherAttempts record={data} />
          <PersonData
            userId={data.participant.userId}
            email={data.participant.userEmail}
            isRunning={data.participant.status === 'in_progress'}
          />
        </div>
      </div>
      <p className="mt-3 text-sm text-ink-3">{timesInText()}</p>
    </div>
  );
}

function RecordHeader({
  record,
  onRenew,
  renewing,
}: {
  record: ParticipantRecord;
  onRenew(): void;
  renewing: boolean;
}) {
  const { participant } = record;
  const noName = useNoName();
  const email = participant.userEmail ?? noName;
  const name = isolated(participant.userName ?? email);
  return (
    <div className="mb-5 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <title>{`${name} · Invigil`}</title>
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h1 className="min-w-0">
            <PersonLink userId={participant.userId} isErased={participant.userEmail === null}>
              {breakable(name)}
            </PersonLink>
          </h1>
          <StatusBadge status={participant.status} />
        </div>
        <p className="mt-1 flex flex-wrap gap-x-4 text-ink-2">
          <span className="wrap-anywhere">
            <QuizLink quizId={participant.quizId} title={participant.quizTitle} />
          </span>
          <KnownOf person={participant} email={email} />
          <span className="code text-sm text-ink-3">{shortId(participant.id)}</span>
        </p>
      </div>
      <IconButton
        label={t('record.reload', 'Reload the record')}
        onClick={onRenew}
        aria-busy={renewing}
      >
        <RefreshCw />
      </IconButton>
    </div>
  );
}

function RecordFigures({ record }: { record: ParticipantRecord }) {
  const { participant, deadlineAt, questions, actions } = record;
  const { submittedAt } = participant;
  const rescored = actions.findLast(({ change }) => change !== undefined);
  return (
    <Card className="mb-4 px-5 py-4">
      <LabelledValues
        values={[
          [
            t(/* of an attempt */ 'portal.score', 'Score'),
            <>
              <b className="font-semibold">{scoreText(participant, ' of ') ?? '–'}</b>
              {rescored !== undefined && (
                <span className="block text-sm text-ink-3">
                  {t('record.figures.rescored', 'Rescored on {date}', {
                    date: formatDate(rescored.at),
                  })}
                </span>
              )}
            </>,
          ],
          participant.score !== null && [
            t(/* of the points */ 'portal.percent', 'Percent'),
            <PercentOf key="percent" of={participant} />,
          ],
          participant.outcome !== undefined && [
            t(/* passed or failed */ 'record.figures.result', 'Result'),
            <>
              <OutcomeOf outcome={participant.outcome} />
              <WhyFailed outcome={participant.outcome} />
            </>,
          ],
          [
            t(/* how many questions, “3 of 25” */ 'record.figures.answered', 'Answered'),
            t(
              /* questions that are answered: “3 of 25” */ 'record.figures.answeredOf',
              '{count} of {total}',
              {
                count: participant.answeredCount,
                total: questions.length,
              },
            ),
          ],
          [
            t(/* how many */ 'portal.violations', 'Violations'),
            <ViolationPips
              key="violations"
              count={participant.violationCount}
              max={participant.violationLimit}
            />,
          ],
          record.fullscreenExits > 0 && [
            t('portal.fullscreenExits', 'Fullscreen exits'),
            record.fullscreenExits,
          ],
          record.tabSwitches > 0 && [t('portal.tabSwitches', 'Tab switches'), record.tabSwitches],
          [t('portal.timeSpent', 'Time Spent'), formatTimeSpent(participant.timeSpent)],
          [t('record.figures.startedAt', 'Started At'), formatDateTime(participant.startedAt)],
          [t('record.figures.deadline', 'Deadline'), formatDateTime(deadlineAt)],
          [
            t('record.figures.submittedAt', 'Submitted At'),
            submittedAt === null ? '–' : formatDateTime(submittedAt),
          ],
        ]}
      />
    </Card>
  );
}
