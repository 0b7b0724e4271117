import type { ParticipantRecord } from '@invigil/core/contract/review/participant-record';
import { RECORD_LIMITS } from '@invigil/core/domain/limits';
import { isolated } from '@invigil/core/domain/typed-text';
import { t } from '@invigil/core/texts/i18n';
import { countsText } from '@invigil/core/texts/retakes';
import { TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { formatDateTime } from '../../../../lib/format.ts';
import { scoreText } from '../../../../lib/score-text.ts';
import { keepTypedSince } from '../../../../lib/typed-since.ts';
import { sentenceOf } from '../../../../net/api.ts';
import { Badge, StatusBadge } from '../../../../ui/badges/badge.tsx';
import { Button } from '../../../../ui/button.tsx';
import { useUnsaved } from '../../../../ui/dialogs/unsaved.ts';
import { TextArea } from '../../../../ui/fields/text-area.tsx';
import { Notice } from '../../../../ui/notice.tsx';
import { Card } from '../../../../ui/page.tsx';
import { toast } from '../../../../ui/toast.ts';
import { otherNoteIn, useSaveNote } from '../../../data/record.ts';
import { showFailure } from '../../../data/show-failure.ts';
import { Line } from '../../../parts/line.tsx';
import { tooLongText } from '../record-texts.tsx';
import { causeText, engineText } from '../signal-lines.ts';
import { StaleNoteNotice, staleNoteSentence } from '../stale-note-notice.tsx';

const FEELINGS: Partial<Record<string, () => string>> = {
  smile: () => t(/* how the candidate found it */ 'record.feedback.good', 'Good'),
  neutral: () => t(/* how the candidate found it */ 'record.feedback.neutral', 'Neutral'),
  sad: () => t(/* how the candidate found it */ 'record.feedback.bad', 'Bad'),
};

export function RecordDetails({ record }: { record: ParticipantRecord }) {
  const { consent, deviceCheck, feedback, participant } = record;
  const devices = deviceLines(deviceCheck);
  return (
    <Card title={t(/* of a candidate at an assessment (noun) */ 'record.attempt.title', 'Attempt')}>
      <dl className="px-5 py-1.5">
        <Line
          label={t(/* of a candidate at an assessment (noun) */ 'record.attempt.title', 'Attempt')}
        >
          {participant.attempt}
        </Line>
        <Line label={t(/* when the candidate was */ 'record.attempt.lastSeen', 'Last seen')}>
          {formatDateTime(record.lastSeenAt)}
        </Line>
        <Line
          label={t(/* of the candidate to being monitored */ 'record.consent.label', 'Consent')}
        >
          {consent === null
            ? t(/* no consent, or no check of devices */ 'record.noneRecorded', 'None recorded')
            : t(
                /* when a consent was given, and to which version of its text */ 'record.consent.given',
                '{time}, text version {version}',
                { time: formatDateTime(consent.at), version: isolated(consent.textVersion) },
              )}
        </Line>
        {/* A blind review has none. */}
        {consent?.address && (
          <Line
            label={t(
              /* the network address from which it was given */ 'record.consent.address',
              'Consent from',
            )}
          >
            {consent.address}
          </Line>
        )}
        {devices.length === 0 && (
          <Line label={t(/* before the assessment */ 'record.device.title', 'Device check')}>
            {t(/* no consent, or no check of devices */ 'record.noneRecorded', 'None recorded')}
          </Line>
        )}
        {devices.map(({ label, value }) => (
          <Line key={label} label={label}>
            <bdi>{value}</bdi>
          </Line>
        ))}
        <Line label={t(/* of the candidate */ 'record.feedback.given', 'Feedback')}>
          {feedback === null
            ? t(/* no feedback was given */ 'record.feedback.none', 'None')
            : feedback.skipped
              ? t(/* the candidate left the feedback out */ 'record.feedback.skipped', 'Skipped')
              : (FEELINGS[feedback.emoji]?.() ?? feedback.emoji)}
        </Line>
      </dl>
      {feedback?.text && (
        <blockquote
          dir="auto"
          className="mx-5 mb-4 rounded-md bg-sunken px-3 py-2 wrap-anywhere whitespace-pre-line"
        >
          {feedback.text}
        </blockquote>
      )}
    </Card>
  );
}

/** The person's other attempts, and where a rule allows several which one counts; hidden if there are none. */
export function OtherAttempts({ record }: { record: ParticipantRecord }) {
  const { participant, earlierAttempts, laterAttempts = [], retakes } = record;
  const others = [...laterAttempts.toReversed(), ...earlierAttempts];
  if (others.length === 0) return null;
  const shown = retakes ? [participant, ...others] : others;
  return (
    <Card
      title={
        retakes
          ? t(/* of a person, a heading */ 'record.attempts.title', 'Attempts')
          : t('record.earlier.title', 'Earlier attempts')
      }
    >
      {retakes && (
        <p className="px-5 pt-3 text-sm text-ink-2">
          {t(
            /* the attempt; {counts}: “The best” */ 'record.attempts.counts',
            'Which attempt counts: {counts}',
            { counts: countsText(retakes.counts) },
          )}
        </p>
      )}
      <ul className="tabular-nums">
        {shown
          .toSorted((a, b) => b.attempt - a.attempt)
          .map((attempt) => (
            <li
              key={attempt.id}
              className="flex min-h-12 flex-wrap items-center justify-between gap-x-3 gap-y-1 border-b border-line px-5 py-2 last:border-b-0"
            >
              <span className="min-w-0">
                <Link
                  to={`/admin/participants/${attempt.id}`}
                  className="font-medium text-accent-ink underline-offset-4 hover:underline touch:inline-flex touch:min-h-11 touch:items-center"
                >
                  {t(
                    /* the first, second … of a candidate */ 'record.earlier.number',
                    'Attempt {number}',
                    {
                      number: attempt.attempt,
                    },
                  )}
                </Link>
                {retakes?.counting === attempt.id && (
                  <span className="ms-2">
                    <Badge tone="accent">
                      {t(
                        /* this attempt, by the rule for several */ 'record.attempts.this',
                        'Counts',
                      )}
                    </Badge>
                  </span>
                )}
                <span className="block text-sm text-ink-3">
                  {formatDateTime(attempt.startedAt)}
                </span>
              </span>
              <span className="flex items-center gap-3">
                <span>{scoreText(attempt, ' of ') ?? '–'}</span>
                <StatusBadge status={attempt.status} />
              </span>
            </li>
          ))}
      </ul>
    </Card>
  );
}

export function RecordSeal({ record }: { record: Pick<ParticipantRecord, 'hasBrokenSeal'> }) {
  if (!record.hasBrokenSeal) return null;
  return (
    <div className="mb-4">
      <Notice
        tone="bad"
        icon={<TriangleAlert strokeWidth={1.75} />}
        title={t('record.seal.title', 'The stored result does not match its seal.')}
      >
        {t(
          /* Invigil: the name of this software */ 'record.seal.text',
          'Score, answers, answer key, times or verdict were changed outside Invigil. Do not rely on this result until your operator has checked it.',
        )}
      </Notice>
    </div>
  );
}

/** Labels of the device check's values; unknown ones are shown unchanged. */
const LABELS: Partial<Record<string, () => string>> = {
  mobile: () => t('record.device.mobile', 'Phone or tablet'),
  camera: () => t('portal.camera', 'Camera'),
  cameraLabel: () => t('record.device.cameraLabel', 'Camera name'),
  microphone: () => t('portal.microphone', 'Microphone'),
  microphoneLabel: () => t('record.device.microphoneLabel', 'Microphone name'),
  roomFloorDb: () => t(/* the sound of the quiet room */ 'record.device.roomFloorDb', 'Room level'),
  fullscreen: () => t('record.device.fullscreen', 'Fullscreen possible'),
  screen: () => t(/* its size */ 'record.device.screen', 'Screen'),
  connection: () => t(/* to the server */ 'portal.connection', 'Connection'),
  roundTripMs: () =>
    t(/* the time of a request to the server and back */ 'record.device.roundTripMs', 'Round trip'),
  keepsAnswers: () =>
    t(/* the browser; yes or no */ 'record.device.keepsAnswers', 'Keeps unsent answers'),
  userAgent: () => t('record.device.userAgent', 'Browser'),
  secondScreen: () => t('record.device.secondScreen', 'Second screen'),
  faceFound: () => t(/* yes or no */ 'record.device.faceFound', 'Face found'),
  faces: () => t(/* how many */ 'record.device.faces', 'Faces in view'),
  brightness: () => t('record.device.brightness', 'Brightness, 0 to 255'),
  baselineYaw: () => t(/* to the side; degrees */ 'record.device.baselineYaw', 'Head turned'),
  baselinePitch: () => t(/* up or down; degrees */ 'record.device.baselinePitch', 'Head tilted'),
  spoken: () => t(/* yes or no */ 'record.device.spoken', 'Voice detected'),
  spokenLevel: () => t('record.device.spokenLevel', 'Level of the voice'),
  faceEngine: () => t('record.device.faceEngine', 'Face detected by'),
  faceMs: () =>
    t(/* that the detection of a face needs */ 'record.device.faceMs', 'Time per picture'),
  faceCannotTell: () =>
    t(/* the reason follows */ 'record.device.faceCannotTell', 'Face not checked'),
  soundEngine: () => t('record.device.soundEngine', 'Voice detected by'),
  soundCannotTell: () =>
    t(/* the reason follows */ 'record.device.soundCannotTell', 'Sound not checked'),
  echoCancellation: () => t('record.device.echoCancellation', 'Echo cancellation'),
  noiseSuppression: () => t('record.device.noiseSuppression', 'Noise suppression'),
  autoGainControl: () =>
    t(/* a setting of the microphone */ 'record.device.autoGainControl', 'Automatic gain'),
};

const UNITS: Partial<Record<string, string>> = {
  roomFloorDb: ' dB',
  roundTripMs: ' ms',
  faceMs: ' ms',
  baselineYaw: '°',
  baselinePitch: '°',
  spokenLevel: ' dB',
};
const STATES = new Set(['camera', 'microphone', 'connection']);

/** The states that the check of devices reports. */
const STATE_TEXTS: Partial<Record<string, () => string>> = {
  granted: () =>
    t(/* the permission for a camera or microphone */ 'record.state.granted', 'Granted'),
  failed: () => t(/* the camera or microphone */ 'record.state.failed', 'Failed'),
  asking: () => t(/* the browser asks for a permission */ 'record.state.asking', 'Asking'),
  off: () => t(/* the camera or microphone */ 'record.state.off', 'Off'),
  'no camera (mobile)': () =>
    t(/* a phone or tablet */ 'record.state.noCamera', 'No camera (mobile)'),
  checking: () => t(/* the connection is being checked */ 'record.state.checking', 'Checking'),
  good: () => t(/* the connection */ 'record.state.good', 'Good'),
  slow: () => t(/* the connection */ 'record.state.slow', 'Slow'),
  unreachable: () =>
    t(/* the server could not be reached */ 'record.state.unreachable', 'Unreachable'),
};

interface DeviceLine {
  label: string;
  value: string;
}

/** Omits unknown values. */
export function deviceLines(check: Readonly<Record<string, unknown>> | null): DeviceLine[] {
  if (check === null) return [];
  const known = Object.keys(LABELS).filter((key) => key in check);
  const others = Object.keys(check).filter((key) => LABELS[key] === undefined);
  return [...known, ...others].flatMap((key) => {
    const words = wordsFor(key, check[key]);
    return words === null ? [] : [{ label: LABELS[key]?.() ?? key, value: words }];
  });
}

function wordsFor(key: string, value: unknown): string | null {
  // Some browsers report this setting as text.
  if (typeof value === 'boolean' || value === 'true' || value === 'false') {
    return String(value) === 'true'
      ? t(/* something is so */ 'record.yes', 'Yes')
      : t(/* something is not so */ 'record.no', 'No');
  }
  if (typeof value === 'number') return `${value}${UNITS[key] ?? ''}`;
  if (typeof value !== 'string' || value === '') return null;
  if (key.endsWith('Engine')) return engineText(value);
  if (key.endsWith('CannotTell')) return causeText(value) ?? value;
  // Names and browser texts are shown unchanged; states have labels.
  if (!STATES.has(key)) return value;
  return STATE_TEXTS[value]?.() ?? value.charAt(0).toUpperCase() + value.slice(1);
}

const MOST = RECORD_LIMITS.noteMaxCharacters;
const NOTHING_TYPED: { note: string | null } = { note: null };

/** A note for administrators; the participant never sees it. */
export function RecordNote({ participantId, stored }: { participantId: string; stored: string }) {
  const save = useSaveNote(participantId);
  const [typed, setTyped] = useState(NOTHING_TYPED);
  /** The note that editing started from; a refetch may bring another one. */
  const [from, setFrom] = useState(stored);
  const [theirs, setTheirs] = useState<string | null>(null);
  const note = typed.note ?? stored;
  const tooLong = note.trim().length > MOST;
  const changed = note.trim() !== stored;
  useUnsaved(changed);

  const store = () => {
    const body = { note: note.trim(), from };
    save.mutate(body, {
      onSuccess: (saved) => {
        setTyped((now) => keepTypedSince(typed, now, NOTHING_TYPED));
        setFrom(saved.note);
        setTheirs(null);
        toast({ title: t('record.note.saved', 'Note saved') });
      },
      onError: (error) => {
        const other = otherNoteIn(error);
        if (other !== undefined) {
          setFrom(other);
          setTheirs(other);
        }
        showFailure(
          t('record.note.failed', 'Failed to save the note'),
          other === undefined ? sentenceOf(error) : staleNoteSentence(),
        );
      },
    });
  };

  return (
    <Card title={t(/* a heading (noun) */ 'record.note.title', 'Note')}>
      <form
        noValidate
        className="grid gap-3 px-5 py-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (changed && !tooLong) store();
        }}
      >
        <TextArea
          label={t(/* who reads the note */ 'record.note.label', 'For administrators')}
          rows={4}
          hint={t('record.note.hint', 'The candidate does not see this.')}
          error={tooLong ? tooLongText(MOST) : undefined}
          value={note}
          onChange={(event) => {
            if (typed.note === null) setFrom(stored);
            setTyped({ note: event.target.value });
          }}
        />
        {theirs !== null && (
          <StaleNoteNotice
            theirs={theirs}
            onTakeTheirs={() => {
              setTyped(NOTHING_TYPED);
              setTheirs(null);
            }}
          />
        )}
        <div className="flex flex-wrap items-center justify-between gap-3">
          <span role="status" className="text-sm text-ink-3">
            {changed ? t('record.note.notSaved', 'Not saved yet') : ''}
          </span>
          <Button
            type="submit"
            busy={
              save.isPending && t(/* on a button while it is saved */ 'portal.saving', 'Saving…')
            }
            aria-disabled={!changed || tooLong}
          >
            {t('record.note.save', 'Save note')}
          </Button>
        </div>
      </form>
    </Card>
  );
}
