import type { LiveAttempt } from '@invigil/core/contract/live';
import { Link } from 'react-router';
import { signalWords } from '../../lib/signal-words.ts';
import { buttonClasses } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { LabelledValue, LabelledValues } from '../../ui/labelled-values.tsx';
import { ViolationPips } from '../../ui/violation-pips.tsx';
import { attentionMeaning, attentionWords } from './board-announcement.ts';
import { DeedButtons } from './deed-bar.tsx';
import { personName } from './live-tile.tsx';
import { Lasting, TimeLeft } from './time-left.tsx';
import { useThumbnail } from './use-thumbnail.ts';

/** One person who is writing: the camera picture, how it goes, and what can be done. */
export function PersonDialog({
  attempt,
  endsAt,
  clockOffsetMs,
  onClose,
}: {
  attempt: LiveAttempt;
  endsAt: number;
  clockOffsetMs: number;
  onClose(): void;
}) {
  const { attention, lastSignal } = attempt;
  return (
    <Dialog open onClose={onClose} title={personName(attempt)} description={attempt.quizTitle}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 pb-2">
        <CameraView attempt={attempt} />
        {attention !== null && (
          <p className="text-warn-ink">
            <b className="font-semibold">{attentionWords(attempt)}. </b>
            {attentionMeaning(attempt)}
          </p>
        )}
        <LabelledValues>
          <LabelledValue label="Answered">
            {`${attempt.answeredCount} of ${attempt.totalQuestions}`}
          </LabelledValue>
          <LabelledValue label="Time">
            <TimeLeft endsAt={endsAt} clockOffsetMs={clockOffsetMs} />
          </LabelledValue>
          <LabelledValue label="Violations">
            <ViolationPips count={attempt.violationCount} max={attempt.violationLimit} />
          </LabelledValue>
          <LabelledValue label="Fullscreen exits">{attempt.fullscreenExits}</LabelledValue>
          <LabelledValue label="Tab switches">{attempt.tabSwitches}</LabelledValue>
          <LabelledValue label="Last signal">
            {lastSignal === null ? (
              '–'
            ) : (
              <>
                {`${signalWords(lastSignal.type)}, `}
                <Lasting since={lastSignal.at} clockOffsetMs={clockOffsetMs} /> ago
              </>
            )}
          </LabelledValue>
          <LabelledValue label="Connection">
            {attempt.connection === 'online' ? 'Online' : 'Offline'}
          </LabelledValue>
        </LabelledValues>
        <DeedButtons ids={[attempt.id]} />
        <Link
          to={`/admin/participants/${attempt.id}`}
          className={buttonClasses('secondary', 'admin', true)}
        >
          Open the record
        </Link>
      </div>
    </Dialog>
  );
}

/** A picture a second, asked for only while this is open; that somebody looked is written down. */
function CameraView({ attempt }: { attempt: LiveAttempt }) {
  const { thumbnail, isUp, refused } = useThumbnail(attempt.id, attempt.hasCamera);
  const jpeg = thumbnail?.jpeg ?? null;
  const words = !attempt.hasCamera
    ? attempt.isPhone
      ? 'No camera (phone)'
      : 'No camera in this attempt'
    : refused !== null
      ? refused.sentence
      : !isUp
        ? 'No connection to the server'
        : 'Waiting for the camera picture…';
  return (
    <figure className="grid grid-cols-[minmax(0,1fr)] gap-1">
      {jpeg === null ? (
        <div className="grid aspect-4/3 w-80 max-w-full place-items-center rounded-lg bg-sunken px-4 text-center text-ink-2">
          {words}
        </div>
      ) : (
        <img
          alt={`${personName(attempt)}, now`}
          width={320}
          height={240}
          src={`data:image/jpeg;base64,${jpeg}`}
          className="aspect-4/3 h-auto w-80 max-w-full rounded-lg bg-sunken object-cover"
        />
      )}
      {attempt.hasCamera && (
        <figcaption className="text-sm text-ink-3">
          A new picture each second, not kept. That you look is logged.
        </figcaption>
      )}
    </figure>
  );
}
