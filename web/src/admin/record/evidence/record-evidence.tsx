import type { Violation } from '@invigil/core/contract/attempts/violation-views';
import type { ParticipantRecord } from '@invigil/core/contract/review/participant-record';
import { X } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { formatDate } from '../../../lib/format.ts';
import { signalWords } from '../../../lib/signal-labels.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { sinceStart } from '../record-events.ts';
import { endingViolation } from '../record-texts.tsx';
import { countedText } from '../signal-lines.ts';
import { EvidenceTile, type TileState } from './evidence-tile.tsx';
import { EvidenceViewer, evidenceSummary, OpenedEvidence } from './evidence-viewer.tsx';

const FIRST = 8;

/** Violations and their evidence. Nothing is opened automatically: each view is logged. */
export function RecordEvidence({ record }: { record: ParticipantRecord }) {
  const [all, setAll] = useState(false);
  const { violations, periodicEvidence, evidenceDeletedAt } = record;
  // Information without evidence is shown only in the timeline.
  const found = violations.filter(
    ({ level, evidence, candidateNote }) =>
      level !== 'info' || evidence.length > 0 || candidateNote !== null,
  );
  const shown = all ? found : found.slice(0, FIRST);
  if (found.length === 0 && periodicEvidence.length === 0) return null;
  return (
    <Card title="Evidence" aside={<p className="text-sm text-ink-3">{keptText(record)}</p>}>
      {shown.length > 0 && <Tiles record={record} shown={shown} />}
      {shown.length < found.length && (
        <div className="border-t border-line px-5 py-3">
          <Button size="dense" onClick={() => setAll(true)}>{`Show all ${found.length}`}</Button>
        </div>
      )}
      {periodicEvidence.length > 0 && (
        <div className="border-t border-line px-5 py-4 first:border-t-0">
          <p className="font-medium">Periodic stills</p>
          <p className="mb-2 text-sm text-ink-2">
            {`${periodicEvidence.length} kept at regular intervals, as set in the violation policy.`}
          </p>
          <EvidenceViewer
            of={{ participantId: record.participant.id, violationId: null }}
            summaries={periodicEvidence}
            momentAt={record.participant.startedAt}
            isDeleted={evidenceDeletedAt !== null}
          />
        </div>
      )}
    </Card>
  );
}

/** Retention of evidence, and that viewing is logged. */
function keptText({ evidenceKeptUntil, evidenceDeletedAt }: ParticipantRecord): string {
  if (evidenceDeletedAt !== null) return `Deleted on ${formatDate(evidenceDeletedAt)}.`;
  const until = evidenceKeptUntil === null ? '' : `Kept until ${formatDate(evidenceKeptUntil)}. `;
  return `${until}Viewing is logged.`;
}

const uploadsOf = ({ evidence }: Violation) => evidence.map(({ id }) => id);

/** The tiles, and below them all evidence of the selected one. */
function Tiles({ record, shown }: { record: ParticipantRecord; shown: readonly Violation[] }) {
  const { participant, violations, evidenceDeletedAt } = record;
  const panelId = useId();
  /**
   * The evidence of each when it was opened; later evidence is opened on request, as another view.
   */
  const [opened, setOpened] = useState<ReadonlyMap<string, readonly string[]>>(new Map());
  const [selected, setSelected] = useState<string | null>(null);
  const isDeleted = evidenceDeletedAt !== null;
  const fatal = endingViolation(record);
  const closed = shown.filter(({ id, evidence }) => evidence.length > 0 && !opened.has(id));
  const open = (some: readonly Violation[]) =>
    setOpened(new Map([...opened, ...some.map((one) => [one.id, uploadsOf(one)] as const)]));
  const ofOne = ({ id }: Violation) => ({ participantId: participant.id, violationId: id });

  const stateOf = (violation: Violation): TileState => {
    if (violation.evidence.length === 0) return { kind: 'none' };
    if (isDeleted) return { kind: 'deleted' };
    const uploads = opened.get(violation.id);
    if (uploads === undefined) return { kind: 'closed' };
    return { kind: 'open', of: ofOne(violation), uploads, isShown: selected === violation.id };
  };
  const subject = shown.find(({ id }) => id === selected && opened.has(id));
  return (
    <>
      {!isDeleted && closed.length > 1 && (
        <div className="px-5 pt-4">
          <Button size="dense" onClick={() => open(closed)}>
            {`Open all ${closed.length}`}
          </Button>
        </div>
      )}
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(8.5rem,100%),1fr))] gap-x-4 gap-y-5 px-5 py-4">
        {shown.map((violation) => (
          <EvidenceTile
            key={violation.id}
            violation={violation}
            since={sinceStart(participant.startedAt, violation.at) ?? 'before'}
            count={countedText(violation, violations, participant)}
            isFatal={violation === fatal}
            what={evidenceSummary(violation.evidence)}
            state={stateOf(violation)}
            panelId={panelId}
            onOpen={() => {
              if (!opened.has(violation.id)) open([violation]);
              setSelected(selected === violation.id ? null : violation.id);
            }}
          />
        ))}
      </ul>
      <div id={panelId}>
        {subject !== undefined && (
          <Panel
            key={subject.id}
            title={`${signalWords(subject.type)}, ${sinceStart(participant.startedAt, subject.at) ?? 'before'}`}
            onClose={() => setSelected(null)}
          >
            <OpenedEvidence
              of={ofOne(subject)}
              uploads={uploadsOf(subject)}
              opened={opened.get(subject.id) ?? []}
              onOpen={() => open([subject])}
              momentAt={subject.at}
            />
          </Panel>
        )}
      </div>
    </>
  );
}

/** Scrolls into view when opened below the page's edge, and can be closed. */
function Panel({
  title,
  onClose,
  children,
}: {
  title: string;
  onClose(): void;
  children: ReactNode;
}) {
  const box = useRef<HTMLElement>(null);
  useEffect(() => {
    // Braces: it returns a promise in newer browsers, and an effect must not return one.
    box.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <section
      ref={box}
      aria-label={title}
      className="min-h-96 scroll-my-4 border-t border-line px-5 pt-3 pb-5"
    >
      <div className="mb-3 flex items-center justify-between gap-3">
        <h3>{title}</h3>
        <IconButton label="Close evidence" onClick={onClose}>
          <X />
        </IconButton>
      </div>
      {children}
    </section>
  );
}
