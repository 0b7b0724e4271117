import type { ParticipantRecord } from '@invigil/core/contract/participant-record';
import type { Violation } from '@invigil/core/contract/violation-views';
import { sensorOf } from '@invigil/core/domain/violation-types';
import { useState } from 'react';
import { formatDate } from '../../lib/dates.ts';
import { signalWords } from '../../lib/signal-words.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { EvidenceViewer } from './evidence-viewer.tsx';
import { sinceStart } from './record-events.ts';
import { countedText, signalLines } from './signal-lines.ts';

const FIRST = 8;

/** What was noticed and what shows it. Nothing is opened unasked: each view is written down. */
export function RecordEvidence({ record }: { record: ParticipantRecord }) {
  const [all, setAll] = useState(false);
  const { violations, periodicEvidence, evidenceDeletedAt } = record;
  // What says little and shows nothing stands in the time line alone.
  const found = violations.filter(
    ({ level, evidence, candidateNote }) =>
      level !== 'info' || evidence.length > 0 || candidateNote !== null,
  );
  const shown = all ? found : found.slice(0, FIRST);
  if (found.length === 0 && periodicEvidence.length === 0) return null;
  return (
    <Card title="Evidence" aside={<p className="text-sm text-ink-3">{keptText(record)}</p>}>
      <ul>
        {shown.map((violation) => (
          <Noticed
            key={violation.id}
            violation={violation}
            record={record}
            isDeleted={evidenceDeletedAt !== null}
          />
        ))}
        {periodicEvidence.length > 0 && (
          <li className="border-t border-line px-5 py-4 first:border-t-0">
            <p className="font-medium">Stills in between</p>
            <p className="mb-2 text-sm text-ink-2">
              {`${periodicEvidence.length} kept because this assessment asks for one every so often.`}
            </p>
            <EvidenceViewer
              of={{ participantId: record.participant.id, violationId: null }}
              summaries={periodicEvidence}
              momentAt={record.participant.startedAt}
              isDeleted={evidenceDeletedAt !== null}
            />
          </li>
        )}
      </ul>
      {shown.length < found.length && (
        <div className="border-t border-line px-5 py-3">
          <Button size="dense" onClick={() => setAll(true)}>{`Show all ${found.length}`}</Button>
        </div>
      )}
    </Card>
  );
}

/** Until when evidence is kept, and that looking at it leaves a trace. */
function keptText({ evidenceKeptUntil, evidenceDeletedAt }: ParticipantRecord): string {
  if (evidenceDeletedAt !== null) return `Deleted on ${formatDate(evidenceDeletedAt)}.`;
  const until = evidenceKeptUntil === null ? '' : `Kept until ${formatDate(evidenceKeptUntil)}. `;
  return `${until}Every viewing is logged.`;
}

function Noticed({
  violation,
  record,
  isDeleted,
}: {
  violation: Violation;
  record: ParticipantRecord;
  isDeleted: boolean;
}) {
  const { participant, violations } = record;
  return (
    <li className="grid gap-2 border-t border-line px-5 py-4 first:border-t-0">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="text-sm text-ink-2 tabular-nums">
          {sinceStart(participant.startedAt, violation.at) ?? 'before'}
        </span>
        <span className="font-medium">{signalWords(violation.type)}</span>
        <Badge
          tone={violation.counted ? 'warn' : 'neutral'}
          glyph={violation.counted ? 'dot' : 'ring'}
        >
          {countedText(violation, violations, participant)}
        </Badge>
      </div>
      {signalLines(violation).map((line) => (
        <p key={line} className="text-sm break-words text-ink-2">
          {line}
        </p>
      ))}
      {violation.evidence.length === 0 && sensorOf(violation.type) !== 'page' && !isDeleted && (
        <p className="text-sm text-ink-3">No stills or level curve were kept of it.</p>
      )}
      {violation.evidence.length > 0 && (
        <EvidenceViewer
          of={{ participantId: participant.id, violationId: violation.id }}
          summaries={violation.evidence}
          momentAt={violation.at}
          isDeleted={isDeleted}
        />
      )}
    </li>
  );
}
