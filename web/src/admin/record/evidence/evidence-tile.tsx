import type { Violation } from '@invigil/core/contract/attempts/violation-views';
import { sensorOf } from '@invigil/core/domain/violations/violation-types';
import { AppWindow, AudioLines, ImageOff, Images } from 'lucide-react';
import type { ReactNode } from 'react';
import { signalWords } from '../../../lib/signal-labels.ts';
import { Badge } from '../../../ui/badges/badge.tsx';
import { Spinner } from '../../../ui/spinner.tsx';
import { type EvidenceOf, useEvidence } from '../record-api.ts';
import { signalLines } from '../signal-lines.ts';
import { stillsOf } from './still-places.ts';

/** State of the evidence: none, deleted, available, or open. */
export type TileState =
  | { kind: 'none' }
  | { kind: 'deleted' }
  | { kind: 'closed' }
  | { kind: 'open'; of: EvidenceOf; uploads: readonly string[]; isShown: boolean };

/** A violation as a tile: its picture once opened, and its text. */
export function EvidenceTile({
  violation,
  since,
  count,
  isFatal,
  what,
  state,
  panelId,
  onOpen,
}: {
  violation: Violation;
  /** Time since the start. */
  since: string;
  /** `Counted 1 of 3` */
  count: string;
  isFatal: boolean;
  /** `12 stills and level curve` */
  what: string;
  state: TileState;
  panelId: string;
  onOpen(): void;
}) {
  const name = signalWords(violation.type);
  const tone = isFatal ? 'bad' : violation.counted ? 'warn' : 'neutral';
  const isOpen = state.kind === 'open' && state.isShown;
  return (
    <li className="grid min-w-0 content-start gap-1">
      {state.kind === 'none' || state.kind === 'deleted' ? (
        <Frame since={since}>
          <Without state={state.kind} isPage={sensorOf(violation.type) === 'page'} what={what} />
        </Frame>
      ) : (
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={panelId}
          onClick={onOpen}
          className={`rounded-lg text-accent-ink hover:text-ink ${isOpen ? 'outline-2 outline-offset-2 outline-accent' : ''}`}
        >
          {state.kind === 'open' ? (
            <Frame since={since}>
              <span className="sr-only">{`${isOpen ? 'Close' : 'Show'} ${what}: ${name}, ${since}`}</span>
              <MomentPicture of={state.of} uploads={state.uploads} momentAt={violation.at} />
            </Frame>
          ) : (
            <Frame since={since}>
              <Images className="size-5" />
              <span className="font-medium">
                {`Open ${what}`}
                <span className="sr-only">{`: ${name}, ${since}`}</span>
              </span>
            </Frame>
          )}
        </button>
      )}
      <p className="mt-1 font-medium">{name}</p>
      {signalLines(violation).map((line) => (
        <p key={line} className="text-sm break-words text-ink-2">
          {line}
        </p>
      ))}
      <p>
        <Badge tone={tone} glyph={isFatal ? 'cross' : violation.counted ? 'dot' : 'ring'}>
          {count}
        </Badge>
      </p>
    </li>
  );
}

/** Why there is nothing to open. */
function Without({
  state,
  isPage,
  what,
}: {
  state: 'none' | 'deleted';
  isPage: boolean;
  what: string;
}) {
  const Icon = state === 'none' && isPage ? AppWindow : ImageOff;
  return (
    <>
      <Icon className="size-5" />
      {state === 'deleted' && <span>{`${what} were deleted.`}</span>}
      {state === 'none' && !isPage && <span>No stills or level curve were kept.</span>}
    </>
  );
}

/** A 4:3 area with the time in a corner. */
function Frame({ since, children }: { since: string; children: ReactNode }) {
  return (
    <span
      data-shape=""
      className="relative grid aspect-4/3 w-full place-content-center place-items-center gap-1.5 overflow-hidden rounded-lg border border-line bg-sunken px-3 pb-6 text-center text-sm text-ink-3 [button>&]:text-inherit"
    >
      {children}
      <span
        aria-hidden="true"
        className="absolute bottom-2 left-2 rounded-sm bg-raised px-1.5 text-xs leading-5 text-ink tabular-nums"
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
