import { type LiveAttempt, Thumbnail, watchParticipant } from '@invigil/core/contract/review/live';
import { t } from '@invigil/core/texts/i18n';
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { formatClock } from '../../../lib/format.ts';
import { signalText } from '../../../lib/signal-labels.ts';
import { ApiError, callForFile, mayPass } from '../../../net/api.ts';
import { followStream } from '../../../net/event-stream.ts';
import { ViolationPips } from '../../../ui/badges/violation-pips.tsx';
import { buttonClasses } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { LabelledValues } from '../../../ui/tables/table.tsx';
import { useMayOn } from '../../data/assessments.ts';
import { ActionButtons } from '../../parts/action-dialog.tsx';
import {
  answeredText,
  attentionMeaning,
  attentionText,
  onEachSecond,
  personName,
  wholeSecond,
} from './board-hooks.ts';
import { HelpLine, PauseLine } from './live-tile.tsx';
import { Ago, Lasting, TimeLeft } from './time-left.tsx';

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
  const mayRead = useMayOn(attempt.quizId)('records.see');
  return (
    <Dialog open onClose={onClose} title={personName(attempt)} description={attempt.quizTitle}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 pb-2">
        {ended ? (
          <Notice
            tone="neutral"
            role="status"
            title={t('live.ended.title', 'This attempt has ended')}
          >
            {t('live.ended.values', 'These are the last known values.')}
            {mayRead &&
              ` ${t(/* it: the attempt */ 'live.ended.record', 'The record shows how it ended.')}`}
          </Notice>
        ) : (
          <CameraView attempt={attempt} clockOffsetMs={clockOffsetMs} />
        )}
        {attention !== null && (
          <p className="text-warn-ink">
            <b className="font-semibold">
              {t(/* as a sentence: “Offline.” */ 'live.attention.sentence', '{what}.', {
                what: attentionText(attempt),
              })}{' '}
            </b>
            {attentionMeaning(attempt)}
          </p>
        )}
        <HelpLine {...{ attempt, clockOffsetMs }} />
        <PauseLine attempt={attempt} />
        <LabelledValues
          values={[
            [
              t(/* how many questions, “3 of 25” */ 'live.values.answered', 'Answered'),
              answeredText(attempt),
            ],
            [
              t(/* how much is left */ 'live.values.time', 'Time'),
              ended ? (
                t(/* in the place of the time that is left */ 'live.values.ended', 'Ended')
              ) : (
                <TimeLeft key="time" {...{ attempt, endsAt, clockOffsetMs }} />
              ),
            ],
            [
              t(/* how many */ 'portal.violations', 'Violations'),
              <ViolationPips
                key="violations"
                count={attempt.violationCount}
                max={attempt.violationLimit}
              />,
            ],
            [t('portal.fullscreenExits', 'Fullscreen exits'), attempt.fullscreenExits],
            [t('portal.tabSwitches', 'Tab switches'), attempt.tabSwitches],
            [
              t('live.values.lastSignal', 'Last signal'),
              lastSignal === null ? (
                '–'
              ) : (
                <Ago
                  key="last"
                  what={signalText(lastSignal.type)}
                  time={<Lasting since={lastSignal.at} clockOffsetMs={clockOffsetMs} />}
                />
              ),
            ],
            !ended && [
              t(/* to the server */ 'portal.connection', 'Connection'),
              attempt.connection === 'online'
                ? t(/* the connection of a candidate */ 'live.online', 'Online')
                : t(/* the connection of a candidate */ 'live.offline', 'Offline'),
            ],
          ]}
        />
        <ActionButtons
          id={attempt.id}
          quizId={attempt.quizId}
          ended={ended}
          paused={attempt.pause !== undefined}
        />
        {mayRead && (
          <Link
            to={`/admin/participants/${attempt.id}`}
            className={buttonClasses('secondary', 'admin', true)}
          >
            {t('live.openRecord', 'Open the record')}
          </Link>
        )}
      </div>
    </Dialog>
  );
}

/** Age from which a picture is not current; pictures arrive every second. */
const OLD_MS = 5_000;
type Seen = Pick<LiveAttempt, 'userEmail' | 'hasCamera' | 'isPhone' | 'connection'>;

/** One picture a second, requested only while this is open; viewing is logged. */
function CameraView({ attempt, clockOffsetMs }: { attempt: LiveAttempt; clockOffsetMs: number }) {
  const thumbnail = useThumbnail(attempt.id, attempt.hasCamera);
  return (
    <figure className="grid grid-cols-[minmax(0,1fr)] gap-1">
      <CameraPicture attempt={attempt} thumbnail={thumbnail} clockOffsetMs={clockOffsetMs} />
      {attempt.hasCamera && (
        <figcaption className="text-sm text-ink-3">
          {t('live.camera.about', 'A new picture each second, not kept. Viewing is logged.')}
        </figcaption>
      )}
    </figure>
  );
}

export function CameraPicture({
  attempt,
  thumbnail: { picture, isUp, refused },
  clockOffsetMs,
}: {
  attempt: Seen;
  thumbnail: ThumbnailState;
  clockOffsetMs: number;
}) {
  const isOld = useIsOld(picture?.at ?? null, clockOffsetMs) || !isUp;
  if (picture === null) {
    return (
      <p className="grid aspect-4/3 max-h-[32dvh] w-full place-items-center rounded-lg bg-sunken px-4 text-center text-ink-2">
        {refused?.sentence ?? wordsWithout(attempt, isUp)}
      </p>
    );
  }
  const person = personName(attempt);
  const time = formatClock(picture.at);
  return (
    <div className="relative overflow-hidden rounded-lg bg-sunken">
      <img
        alt={
          isOld
            ? t(
                /* a picture of the camera that is not new */ 'live.camera.pictureSince',
                '{person}, no picture since {time}',
                { person, time },
              )
            : t(/* a picture of the camera */ 'live.camera.pictureNow', '{person}, now', { person })
        }
        width={320}
        height={240}
        src={`data:image/jpeg;base64,${picture.jpeg}`}
        className={`aspect-4/3 h-auto max-h-[32dvh] w-full object-contain ${isOld ? 'opacity-25 grayscale' : ''}`}
      />
      <p role="status" className="absolute inset-0 grid place-items-center p-4 empty:hidden">
        {isOld && (
          <span className="grid rounded-lg border border-line bg-surface px-4 py-2 text-center text-ink-2">
            <b className="font-semibold text-ink">
              {t('live.camera.noneSince', 'No picture since {time}', { time })}
            </b>
            {!isUp && ` ${reconnectingText()}`}
          </span>
        )}
      </p>
    </div>
  );
}

function wordsWithout({ hasCamera, isPhone, connection }: Seen, isUp: boolean): string {
  if (!hasCamera)
    return isPhone
      ? t('live.camera.phone', 'No camera (phone)')
      : t('live.camera.none', 'No camera in this attempt');
  if (isUp && connection === 'offline')
    return t('live.camera.offline', 'No picture while the candidate is offline');
  return isUp ? t('live.camera.waiting', 'Waiting for the camera picture…') : reconnectingText();
}

const reconnectingText = () =>
  t('live.camera.reconnecting', 'No connection to the server. Reconnecting…');

/** Checked every second, renders only on a change. `at` is the server's time. */
function useIsOld(at: string | null, clockOffsetMs: number): boolean {
  const isOldAt = (nowMs: number) => at !== null && nowMs + clockOffsetMs - Date.parse(at) > OLD_MS;
  const [, setOld] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: derived from these two.
  useEffect(() => onEachSecond((nowMs) => setOld(isOldAt(nowMs))), [at, clockOffsetMs]);
  return isOldAt(wholeSecond());
}

export interface ThumbnailState {
  /** The latest picture, of any age; its time is the server's. */
  picture: { at: string; jpeg: string } | null;
  isUp: boolean;
  refused: ApiError | null;
}

const NOTHING_YET: ThumbnailState = { picture: null, isUp: true, refused: null };

function useThumbnail(id: string, hasCamera: boolean): ThumbnailState {
  const [thumbnail, setThumbnail] = useState(NOTHING_YET);
  useEffect(() => {
    if (!hasCamera) return;
    const end = new AbortController();
    followThumbnails(id, setThumbnail, end.signal);
    return () => end.abort();
  }, [id, hasCamera]);
  return thumbnail;
}

/**
 * Follows the pictures of one candidate until the signal aborts. Reconnects after a broken connection;
 * once the attempt has ended the server refuses.
 */
export function followThumbnails(
  id: string,
  change: (changed: (now: ThumbnailState) => ThumbnailState) => void,
  signal: AbortSignal,
): void {
  followStream(
    {
      open: (line) => callForFile(watchParticipant, { params: { id }, signal: line }),
      event: 'thumbnail',
      schema: Thumbnail,
      onEvent: ({ at, jpeg }) =>
        change((now) => ({
          ...now,
          isUp: true,
          // A new connection starts without a picture: keep the last one.
          picture: at !== null && jpeg !== null ? { at, jpeg } : now.picture,
        })),
      onDown: () => change((now) => (now.isUp ? { ...now, isUp: false } : now)),
      isRefused: (error) => {
        if (!(error instanceof ApiError) || mayPass(error)) return false;
        change(() => ({ picture: null, isUp: false, refused: error }));
        return true;
      },
    },
    signal,
  );
}
