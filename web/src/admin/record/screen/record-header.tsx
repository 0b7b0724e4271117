import type { ParticipantRecord } from '@invigil/core/contract/review/participant-record';
import { RefreshCw } from 'lucide-react';
import { formatDateTime } from '../../../lib/dates.ts';
import { scoreWords } from '../../../lib/points.ts';
import { shortId } from '../../../lib/short-id.ts';
import { formatTimeSpent } from '../../../lib/time-spent.ts';
import { StatusBadge } from '../../../ui/badges/status-badge.tsx';
import { ViolationPips } from '../../../ui/badges/violation-pips.tsx';
import { Card } from '../../../ui/card.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { LabelledValue, LabelledValues } from '../../../ui/labelled-values.tsx';

/** Candidate, assessment and status. */
export function RecordHeader({
  record,
  onRenew,
  renewing,
}: {
  record: ParticipantRecord;
  onRenew(): void;
  renewing: boolean;
}) {
  const { participant } = record;
  const name = participant.userEmail ?? 'Unknown';
  return (
    <div className="mb-5 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <title>{`${name} · Invigil`}</title>
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h1 className="min-w-0 break-all">{name}</h1>
          <StatusBadge status={participant.status} />
        </div>
        <p className="mt-1 flex flex-wrap gap-x-4 text-ink-2">
          <span className="break-words">{participant.quizTitle}</span>
          <span className="code text-sm text-ink-3">{shortId(participant.id)}</span>
        </p>
      </div>
      <IconButton label="Reload the record" onClick={onRenew} aria-busy={renewing}>
        <RefreshCw />
      </IconButton>
    </div>
  );
}

/** Score, times and violations in one row. */
export function RecordFigures({ record }: { record: ParticipantRecord }) {
  const { participant, deadlineAt, questions } = record;
  const { submittedAt } = participant;
  return (
    <Card className="mb-4 px-5 py-4">
      <LabelledValues>
        <LabelledValue label="Score">
          <b className="font-semibold">{scoreWords(participant, ' of ') ?? '–'}</b>
        </LabelledValue>
        <LabelledValue label="Answered">
          {`${participant.answeredCount} of ${questions.length}`}
        </LabelledValue>
        <LabelledValue label="Violations">
          <ViolationPips count={participant.violationCount} max={participant.violationLimit} />
        </LabelledValue>
        <LabelledValue label="Time Spent">{formatTimeSpent(participant.timeSpent)}</LabelledValue>
        <LabelledValue label="Started At">{formatDateTime(participant.startedAt)}</LabelledValue>
        <LabelledValue label="Deadline">{formatDateTime(deadlineAt)}</LabelledValue>
        <LabelledValue label="Submitted At">
          {submittedAt === null ? '–' : formatDateTime(submittedAt)}
        </LabelledValue>
      </LabelledValues>
    </Card>
  );
}
