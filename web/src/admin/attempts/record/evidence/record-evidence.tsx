import type { Violation } from '@invigil/core/contract/attempts/violation-views';
import type { ParticipantRecord } from '@invigil/core/contract/review/participant-record';
import { sensorOf } from '@invigil/core/domain/violations/violation-types';
import { t } from '@invigil/core/texts/i18n';
import { AppWindow, AudioLines, ImageOff, Images, X } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { formatDate } from '../../../../lib/format.ts';
import { signalText } from '../../../../lib/signal-labels.ts';
import { Badge } from '../../../../ui/badges/badge.tsx';
import { Button } from '../../../../ui/button.tsx';
import { IconButton } from '../../../../ui/icon-button.tsx';
import { Card } from '../../../../ui/page.tsx';
import { Spinner } from '../../../../ui/spinner.tsx';
import { useMayAnywhere } from '../../../data/own-rights.ts';
import { type EvidenceOf, useEvidence } from '../../../data/record.ts';
import { sinceText } from '../record-events.ts';
import { countedText, signalLines } from '../signal-lines.ts';
import {
  EVIDENCE_TEXTS,
  type EvidenceKind,
  EvidenceViewer,
  evidenceKind,
  OpenedEvidence,
} from './evidence-viewer.tsx';
import { stillsOf } from './still-places.ts';

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
    <Card
      title={t('record.evidence.title', 'Evidence')}
      aside={<p className="text-sm text-ink-3">{keptText(record)}</p>}
    >
      {shown.length > 0 && <Tiles record={record} shown={shown} />}
      {shown.length < found.length && (
        <div className="border-t border-line px-5 py-3">
          <Button size="dense" onClick={() => setAll(true)}>
            {t(
              /* violations and signals; a button */ 'record.evidence.showAll',
              '{count, plural, one {Show all #} other {Show all #}}',
              { count: found.length },
            )}
          </Button>
        </div>
      )}
      {periodicEvidence.length > 0 && (
        <div className="border-t border-line px-5 py-4 first:border-t-0">
          <p className="font-medium">
            {t(
              /* photos of the camera, taken at regular intervals */ 'record.periodic.title',
              'Periodic stills',
            )}
          </p>
          <p className="mb-2 text-sm text-ink-2">
            {t(
              /* stills */ 'record.periodic.about',
              '{count, plural, one {# kept at regular intervals, as set in the violation policy.} other {# kept at regular intervals, as set in the violation policy.}}',
              { count: periodicEvidence.length },
            )}
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

function keptText({ evidenceKeptUntil, evidenceDeletedAt }: ParticipantRecord): string {
  if (evidenceDeletedAt !== null) {
    return t(/* the evidence */ 'record.evidence.deletedOn', 'Deleted on {date}.', {
      date: formatDate(evidenceDeletedAt),
    });
  }
  const logged = t('record.evidence.logged', 'Viewing is logged.');
  if (evidenceKeptUntil === null) return logged;
  const until = t(/* the evidence */ 'record.evidence.keptUntil', 'Kept until {date}.', {
    date: formatDate(evidenceKeptUntil),
  });
  return `${until} ${logged}`;
}

const uploadsOf = ({ evidence }: Violation) => evidence.map(({ id }) => id);

function Tiles({ record, shown }: { record: ParticipantRecord; shown: readonly Violation[] }) {
  const { participant, evidenceDeletedAt } = record;
  const panelId = useId();
  /**
   * The evidence of each when it was opened; later evidence is opened on request, as another view.
   */
  const [opened, setOpened] = useState<ReadonlyMap<string, readonly string[]>>(new Map());
  const [selected, setSelected] = useState<string | null>(null);
  const isDeleted = evidenceDeletedAt !== null;
  const closed = shown.filter(({ id, evidence }) => evidence.length > 0 && !opened.has(id));
  const open = (some: readonly Violation[]) =>
    setOpened(new Map([...opened, ...some.map((one) => [one.id, uploadsOf(one)] as const)]));
  const subject = shown.find(({ id }) => id === selected && opened.has(id));
  return (
    <>
      {!isDeleted && closed.length > 1 && (
        <div className="px-5 pt-4">
          <Button size="dense" onClick={() => open(closed)}>
            {t(
              /* evidence; a button */ 'record.evidence.openAll',
              '{count, plural, one {Open all #} other {Open all #}}',
              { count: closed.length },
            )}
          </Button>
        </div>
      )}
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(8.5rem,100%),1fr))] gap-x-4 gap-y-5 px-5 py-4">
        {shown.map((violation) => (
          <EvidenceTile
            key={violation.id}
            {...{ record, violation, panelId }}
            uploads={opened.get(violation.id)}
            isShown={selected === violation.id}
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
            title={momentOf(subject, participant.startedAt)}
            onClose={() => setSelected(null)}
          >
            <OpenedEvidence
              of={{ participantId: participant.id, violationId: subject.id }}
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

const momentOf = ({ type, at }: Violation, startedAt: string): string =>
  t(
    /* what: “Face not detected”. since: “12:04” into the attempt */ 'record.evidence.moment',
    '{what}, {since}',
    { what: signalText(type), since: sinceText(startedAt, at) },
  );

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
        <IconButton
          label={t(/* a button */ 'record.evidence.close', 'Close evidence')}
          onClick={onClose}
        >
          <X />
        </IconButton>
      </div>
      {children}
    </section>
  );
}

function EvidenceTile({
  record: { participant, violations, endingViolationId, evidenceDeletedAt },
  violation,
  panelId,
  uploads,
  isShown,
  onOpen,
}: {
  record: ParticipantRecord;
  violation: Violation;
  panelId: string;
  /** The evidence of the violation that was opened; absent before. */
  uploads: readonly string[] | undefined;
  isShown: boolean;
  onOpen(): void;
}) {
  const name = signalText(violation.type);
  const since = sinceText(participant.startedAt, violation.at);
  const moment = momentOf(violation, participant.startedAt);
  const what = evidenceKind(violation.evidence);
  const isFatal = violation.id === endingViolationId;
  const isNone = violation.evidence.length === 0;
  const isOpen = uploads !== undefined && isShown;
  return (
    <li className="grid min-w-0 content-start gap-1">
      {isNone || evidenceDeletedAt !== null ? (
        <Frame since={since}>
          <Without
            state={isNone ? 'none' : 'deleted'}
            isPage={sensorOf(violation.type) === 'page'}
            what={what}
          />
        </Frame>
      ) : (
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={panelId}
          onClick={onOpen}
          className={`rounded-lg text-accent-ink hover:text-ink ${isOpen ? 'outline-2 outline-offset-2 outline-accent' : ''}`}
        >
          <Frame since={since}>
            {uploads === undefined ? (
              <>
                <Images className="size-5" />
                <span className="font-medium">
                  {EVIDENCE_TEXTS.open(what)}
                  <span className="sr-only">{`: ${moment}`}</span>
                </span>
              </>
            ) : (
              <>
                <span className="sr-only">{`${EVIDENCE_TEXTS[isOpen ? 'close' : 'show'](what)}: ${moment}`}</span>
                <MomentPicture
                  of={{ participantId: participant.id, violationId: violation.id }}
                  uploads={uploads}
                  momentAt={violation.at}
                />
              </>
            )}
          </Frame>
        </button>
      )}
      <p className="mt-1 font-medium">{name}</p>
      {signalLines(violation).map((line) => (
        <p key={line} className="text-sm wrap-anywhere text-ink-2">
          {line}
        </p>
      ))}
      <p>
        <Badge
          tone={isFatal ? 'bad' : violation.counted ? 'warn' : 'neutral'}
          glyph={isFatal ? 'cross' : violation.counted ? 'dot' : 'ring'}
        >
          {countedText(violation, violations, participant)}
        </Badge>
      </p>
    </li>
  );
}

function Without({
  state,
  isPage,
  what,
}: {
  state: 'none' | 'deleted';
  isPage: boolean;
  what: EvidenceKind;
}) {
  const Icon = state === 'none' && isPage ? AppWindow : ImageOff;
  const maySee = useMayAnywhere()('evidence.see');
  return (
    <>
      <Icon className="size-5" />
      {state === 'deleted' && <span>{EVIDENCE_TEXTS.deleted(what)}</span>}
      {state === 'none' && !isPage && (
        <span>
          {maySee
            ? t(
                /* photos of the camera, and the curve of the sound level */ 'record.evidence.noneKept',
                'No stills or level curve were kept.',
              )
            : t('record.evidence.notForRole', 'Your roles show no pictures.')}
        </span>
      )}
    </>
  );
}

function Frame({ since, children }: { since: string; children: ReactNode }) {
  return (
    <span
      data-shape=""
      className="relative grid aspect-4/3 w-full place-content-center place-items-center gap-1.5 overflow-hidden rounded-lg border border-line bg-sunken px-3 pb-6 text-center text-sm text-ink-3 [button>&]:text-inherit"
    >
      {children}
      <span
        aria-hidden="true"
        className="absolute bottom-2 inset-s-2 rounded-sm bg-raised px-1.5 text-xs leading-5 text-ink tabular-nums"
      >
        {since}
      </span>
    </span>
  );
}

function MomentPicture({
  of,
  uploads,
  momentAt,
}: {
  of: EvidenceOf;
  uploads: readonly string[];
  momentAt: string;
}) {
  const { evidence, isPending } = useEvidence(of, uploads);
  if (isPending) return <Spinner />;
  const moment = stillsOf(evidence, momentAt).find(({ isMoment }) => isMoment);
  if (moment === undefined) {
    return <AudioLines className="size-5" />;
  }
  return (
    <img
      alt=""
      width={320}
      height={240}
      src={`data:image/jpeg;base64,${moment.jpeg}`}
      className="absolute inset-0 size-full object-cover"
    />
  );
}
