import type { LiveAttempt } from '@invigil/core/contract/review/live';
import { Link } from 'react-router';
import { signalWords } from '../../lib/signal-labels.ts';
import { ViolationPips } from '../../ui/badges/violation-pips.tsx';
import { buttonClasses } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { LabelledValue, LabelledValues } from '../../ui/labelled-values.tsx';
import { Notice } from '../../ui/notice.tsx';
import { ActionButtons } from './action-bar.tsx';
import { attentionMeaning, attentionWords } from './board/board-hooks.ts';
import { CameraView } from './camera-view.tsx';
import { personName } from './live-tile.tsx';
import { Lasting, TimeLeft } from './time-left.tsx';

/** One attempt in progress: the camera picture, progress, and actions. */
export function PersonDialog({
  attempt,
  ended,
  endsAt,
  clockOffsetMs,
  onClose,
}: {
  attempt: LiveAttempt;
  /** No longer on the board: the last known state is shown. */
  ended: boolean;
  endsAt: number;
  clockOffsetMs: number;
  onClose(): void;
}) {
  const { attention, lastSignal } = attempt;
  return (
    <Dialog open onClose={onClose} title={personName(attempt)} description={attempt.quizTitle}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 pb-2">
        {ended ? (
          <Notice tone="neutral" role="status" title="This attempt has ended">
            These are the last known values. The record shows how it ended.
          </Notice>
        ) : (
          <CameraView attempt={attempt} clockOffsetMs={clockOffsetMs} />
        )}
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
            {ended ? 'Ended' : <TimeLeft endsAt={endsAt} clockOffsetMs={clockOffsetMs} />}
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
          {!ended && (
            <LabelledValue label="Connection">
              {attempt.connection === 'online' ? 'Online' : 'Offline'}
            </LabelledValue>
          )}
        </LabelledValues>
        <ActionButtons id={attempt.id} ended={ended} />
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
