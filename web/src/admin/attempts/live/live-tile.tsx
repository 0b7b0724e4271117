import type { LiveAttempt } from '@invigil/core/contract/review/live';
import { isolated } from '@invigil/core/domain/typed-text';
import { t } from '@invigil/core/texts/i18n';
import { CloudOff, Coffee, Hand, Pause, ScanFace, TriangleAlert } from 'lucide-react';
import { memo } from 'react';
import { formatTime } from '../../../lib/format.ts';
import { ViolationPips } from '../../../ui/badges/violation-pips.tsx';
import { Checkbox } from '../../../ui/fields/checkbox.tsx';
import { Trans } from '../../../ui/trans.tsx';
import { useKnownTexts } from '../../data/people.ts';
import {
  answeredText,
  attentionMeaning,
  attentionText,
  helpText,
  personName,
} from './board-hooks.ts';
import { Ago, Lasting, TimeLeft } from './time-left.tsx';

interface TileProps {
  attempt: LiveAttempt;
  /** The title of the assessment if several are on the board; else `null`. */
  quizTitle: string | null;
  endsAt: number;
  clockOffsetMs: number;
  selected: boolean;
  onSelect(id: string, selected: boolean): void;
  onOpen(id: string): void;
}

/**
 * An attempt that needs no attention. Rendered again only when it changes. No
 * `content-visibility`: with it each press of Tab lays out every tile on the way, seconds for 500.
 */
export const LiveTile = memo(function LiveTile(props: TileProps) {
  const { attempt, endsAt, clockOffsetMs } = props;
  const { violationCount, violationLimit } = attempt;
  return (
    <li className="relative flex items-center gap-3 rounded-lg border border-line bg-surface px-3.5 py-3 [contain:layout_style]">
      <ProgressRing answered={attempt.answeredCount} total={attempt.totalQuestions} />
      <div className="min-w-0 flex-1">
        <OpenButton {...props} />
        <BelowName {...props} />
        <PauseLine attempt={attempt} />
        <p className="flex flex-wrap gap-x-3 text-sm text-ink-2 tabular-nums">
          <TimeLeft {...{ attempt, endsAt, clockOffsetMs }} />
          {violationCount > 0 && <ViolationPips count={violationCount} max={violationLimit} />}
        </p>
      </div>
      <SelectBox {...props} />
    </li>
  );
});

export const AttentionCard = memo(function AttentionCard(props: TileProps) {
  const { attempt, endsAt, clockOffsetMs } = props;
  const { attention, violationCount, violationLimit } = attempt;
  if (attention === null) return null;
  const isLast = attention.kind === 'last_chance';
  const values = {
    what: attentionText(attempt),
    time: <Lasting since={attention.since} clockOffsetMs={clockOffsetMs} />,
  };
  return (
    <li
      className={`relative grid grid-cols-[minmax(0,1fr)] gap-1.5 rounded-lg border bg-surface px-4 py-3 ${isLast ? 'border-bad-line' : 'border-warn-line'}`}
    >
      <div className="flex items-start justify-between gap-3">
        <p
          className={`flex min-w-0 items-start gap-2 text-sm font-semibold [&_svg]:mt-px [&_svg]:size-4.5 [&_svg]:flex-none ${isLast ? 'text-bad-ink' : 'text-warn-ink'}`}
        >
          <AttentionIcon kind={attention.kind} />
          <span>
            {/* A state has a duration; a signal has an age. */}
            {['offline', 'silent', 'help'].includes(attention.kind) ? (
              <Trans
                id="live.for"
                comment="what: “Offline”, for so long. time: “1 min 20 s”"
                message="{what}, {time}"
                values={values}
              />
            ) : (
              <Ago {...values} />
            )}
          </span>
        </p>
        <SelectBox {...props} />
      </div>
      <div>
        <OpenButton {...props} />
        <BelowName {...props} />
      </div>
      <p className="text-sm text-ink-2">{attentionMeaning(attempt)}</p>
      <HelpLine {...{ attempt, clockOffsetMs }} />
      <PauseLine attempt={attempt} />
      <p className="flex flex-wrap gap-x-4 gap-y-1 text-sm text-ink-2 tabular-nums">
        <ViolationPips count={violationCount} max={violationLimit} />
        <span>{answeredText(attempt)}</span>
        <TimeLeft {...{ attempt, endsAt, clockOffsetMs }} />
      </p>
    </li>
  );
});

/** A raised hand beside a reason that is more urgent. */
export function HelpLine({
  attempt: { attention, helpAt },
  clockOffsetMs,
}: Pick<TileProps, 'attempt' | 'clockOffsetMs'>) {
  if (helpAt === undefined || attention?.kind === 'help') return null;
  return (
    <p className="flex items-start gap-2 text-sm font-semibold text-warn-ink [&_svg]:mt-px [&_svg]:size-4.5 [&_svg]:flex-none">
      <Hand />
      <span>
        <Trans
          id="live.for"
          comment="what: “Offline”, for so long. time: “1 min 20 s”"
          message="{what}, {time}"
          values={{
            what: helpText(),
            time: <Lasting since={helpAt} clockOffsetMs={clockOffsetMs} />,
          }}
        />
      </span>
    </p>
  );
}

/** That the time of an attempt is stopped, why, and until when. */
export function PauseLine({ attempt: { pause } }: Pick<TileProps, 'attempt'>) {
  if (pause === undefined) return null;
  const { reason, until } = pause;
  return (
    <p className="flex items-start gap-1.5 text-sm text-accent-ink [&_svg]:mt-0.5 [&_svg]:size-4 [&_svg]:flex-none">
      {reason === null ? <Coffee /> : <Pause />}
      <span className="min-w-0 wrap-anywhere">
        {reason === null
          ? t(/* a candidate */ 'live.onBreak', 'On a break until {time}', {
              time: formatTime(until ?? ''),
            })
          : until === undefined
            ? t(/* the time of a candidate */ 'live.paused', 'Paused: {reason}', {
                reason: isolated(reason),
              })
            : t(/* the time of a candidate */ 'live.pausedUntil', 'Paused until {time}: {reason}', {
                time: formatTime(until),
                reason: isolated(reason),
              })}
      </span>
    </p>
  );
}

type AttentionKind = NonNullable<LiveAttempt['attention']>['kind'];

const ICONS: Partial<Record<AttentionKind, typeof TriangleAlert>> = {
  help: Hand,
  high_flag: ScanFace,
  offline: CloudOff,
};

function AttentionIcon({ kind }: { kind: AttentionKind }) {
  const Icon = ICONS[kind] ?? TriangleAlert;
  return <Icon />;
}

/** The name opens the person dialog; its click area is the whole tile, below the checkbox. */
function OpenButton({ attempt, onOpen }: TileProps) {
  return (
    <button
      type="button"
      dir="auto"
      aria-haspopup="dialog"
      onClick={() => onOpen(attempt.id)}
      className="block max-w-full truncate text-start font-medium after:absolute after:inset-0 after:rounded-lg hover:text-accent-ink"
    >
      {personName(attempt)}
    </button>
  );
}

function BelowName({ attempt, quizTitle }: TileProps) {
  const known = useKnownTexts(attempt);
  const texts = quizTitle === null ? known : [quizTitle, ...known];
  return texts.length === 0 ? null : (
    <p dir="auto" className="w-fit max-w-full truncate text-xs text-ink-3">
      {texts.join(' · ')}
    </p>
  );
}

function SelectBox({ attempt, selected, onSelect }: TileProps) {
  return (
    // The name is for screen readers only; the negative margin removes the gap of an invisible
    // label.
    <span className="relative z-10 -me-2.5 touch:-my-3">
      <Checkbox
        label={
          <span className="sr-only">
            {t(/* a checkbox */ 'live.select', 'Select {person}', { person: personName(attempt) })}
          </span>
        }
        checked={selected}
        onChange={(event) => onSelect(attempt.id, event.target.checked)}
      />
    </span>
  );
}

const ROUND = 2 * Math.PI * 18;

/** Answered questions as a ring with the number in it; the text is for screen readers. */
function ProgressRing({ answered, total }: { answered: number; total: number }) {
  const share = total === 0 ? 0 : Math.min(1, answered / total);
  return (
    <span className="relative grid size-11 flex-none place-items-center font-semibold tabular-nums">
      <svg
        viewBox="0 0 44 44"
        aria-hidden="true"
        className="absolute inset-0 -rotate-90"
        fill="none"
        strokeWidth="4"
      >
        <circle cx="22" cy="22" r="18" className="stroke-line" />
        <circle
          cx="22"
          cy="22"
          r="18"
          className="stroke-accent"
          strokeDasharray={`${share * ROUND} ${ROUND}`}
        />
      </svg>
      <span aria-hidden="true" className="relative text-sm">
        {answered}
      </span>
      <span className="sr-only">
        {t(
          /* questions of a candidate; the time left follows */ 'live.answeredOfTotal',
          '{answered, plural, one {# of {total} answered,} other {# of {total} answered,}}',
          { answered, total },
        )}
      </span>
    </span>
  );
}
