import type { ParticipantRecord } from '@invigil/core/contract/review/participant-record';
import { RECORD_LIMITS } from '@invigil/core/domain/limits';
import { numberText } from '@invigil/core/domain/locale';
import { TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { formatDateTime } from '../../../../lib/format.ts';
import { scoreText } from '../../../../lib/score-text.ts';
import { keepTypedSince } from '../../../../lib/typed-since.ts';
import { sentenceOf } from '../../../../net/api.ts';
import { StatusBadge } from '../../../../ui/badges/badge.tsx';
import { Button } from '../../../../ui/button.tsx';
import { useUnsaved } from '../../../../ui/dialogs/unsaved.ts';
import { TextArea } from '../../../../ui/fields/text-area.tsx';
import { Notice } from '../../../../ui/notice.tsx';
import { Card } from '../../../../ui/page.tsx';
import { toast } from '../../../../ui/toast.ts';
import { otherNoteIn, useSaveNote } from '../../../data/record.ts';
import { showFailure } from '../../../data/show-failure.ts';
import { Line } from '../../../parts/line.tsx';
import { causeText, engineText } from '../signal-lines.ts';
import { STALE_NOTE_SENTENCE, StaleNoteNotice } from '../stale-note-notice.tsx';

const FEELINGS: Partial<Record<string, string>> = {
  smile: 'Good',
  neutral: 'Neutral',
  sad: 'Bad',
};

export function RecordDetails({ record }: { record: ParticipantRecord }) {
  const { consent, deviceCheck, feedback, participant } = record;
  const devices = deviceLines(deviceCheck);
  return (
    <Card title="Attempt">
      <dl className="px-5 py-1.5">
        <Line label="Attempt">{participant.attempt}</Line>
        <Line label="Last seen">{formatDateTime(record.lastSeenAt)}</Line>
        <Line label="Consent">
          {consent === null
            ? 'None recorded'
            : `${formatDateTime(consent.at)}, text version ${consent.textVersion}`}
        </Line>
        {/* A blind review has none. */}
        {consent?.address && <Line label="Consent from">{consent.address}</Line>}
        {devices.length === 0 && <Line label="Device check">None recorded</Line>}
        {devices.map(({ label, value }) => (
          <Line key={label} label={label}>
            {value}
          </Line>
        ))}
        <Line label="Feedback">
          {feedback === null
            ? 'None'
            : feedback.skipped
              ? 'Skipped'
              : (FEELINGS[feedback.emoji] ?? feedback.emoji)}
        </Line>
      </dl>
      {feedback?.text && (
        <blockquote className="mx-5 mb-4 rounded-md bg-sunken px-3 py-2 wrap-anywhere whitespace-pre-line">
          {feedback.text}
        </blockquote>
      )}
    </Card>
  );
}

/** Replaced attempts; hidden if there are none. */
export function EarlierAttempts({ record }: { record: ParticipantRecord }) {
  if (record.earlierAttempts.length === 0) return null;
  return (
    <Card title="Earlier attempts">
      <ul className="tabular-nums">
        {record.earlierAttempts.map((attempt) => (
          <li
            key={attempt.id}
            className="flex min-h-12 flex-wrap items-center justify-between gap-x-3 gap-y-1 border-b border-line px-5 py-2 last:border-b-0"
          >
            <span className="min-w-0">
              <Link
                to={`/admin/participants/${attempt.id}`}
                className="font-medium text-accent-ink underline-offset-4 hover:underline touch:inline-flex touch:min-h-11 touch:items-center"
              >
                {`Attempt ${attempt.attempt}`}
              </Link>
              <span className="block text-sm text-ink-3">{formatDateTime(attempt.startedAt)}</span>
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
        title="The stored result does not match its seal."
      >
        Score, answers, answer key, times or verdict were changed outside Invigil. Do not rely on
        this result until your operator has checked it.
      </Notice>
    </div>
  );
}

/** Labels of the device check's values; unknown ones are shown unchanged. */
const LABELS: Partial<Record<string, string>> = {
  mobile: 'Phone or tablet',
  camera: 'Camera',
  cameraLabel: 'Camera name',
  microphone: 'Microphone',
  microphoneLabel: 'Microphone name',
  roomFloorDb: 'Room level',
  fullscreen: 'Fullscreen possible',
  screen: 'Screen',
  connection: 'Connection',
  roundTripMs: 'Round trip',
  keepsAnswers: 'Keeps unsent answers',
  userAgent: 'Browser',
  secondScreen: 'Second screen',
  faceFound: 'Face found',
  faces: 'Faces in view',
  brightness: 'Brightness, 0 to 255',
  baselineYaw: 'Head turned',
  baselinePitch: 'Head tilted',
  spoken: 'Voice detected',
  spokenLevel: 'Level of the voice',
  faceEngine: 'Face detected by',
  faceMs: 'Time per picture',
  faceCannotTell: 'Face not checked',
  soundEngine: 'Voice detected by',
  soundCannotTell: 'Sound not checked',
  echoCancellation: 'Echo cancellation',
  noiseSuppression: 'Noise suppression',
  autoGainControl: 'Automatic gain',
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
    return words === null ? [] : [{ label: LABELS[key] ?? key, value: words }];
  });
}

function wordsFor(key: string, value: unknown): string | null {
  // Some browsers report this setting as text.
  if (typeof value === 'boolean' || value === 'true' || value === 'false') {
    return String(value) === 'true' ? 'Yes' : 'No';
  }
  if (typeof value === 'number') return `${value}${UNITS[key] ?? ''}`;
  if (typeof value !== 'string' || value === '') return null;
  if (key.endsWith('Engine')) return engineText(value);
  if (key.endsWith('CannotTell')) return causeText(value) ?? value;
  // Names and browser texts are shown unchanged; states have labels.
  if (!STATES.has(key)) return value;
  return value.charAt(0).toUpperCase() + value.slice(1);
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
        toast({ title: 'Note saved' });
      },
      onError: (error) => {
        const other = otherNoteIn(error);
        if (other !== undefined) {
          setFrom(other);
          setTheirs(other);
        }
        showFailure(
          'Failed to save the note',
          other === undefined ? sentenceOf(error) : STALE_NOTE_SENTENCE,
        );
      },
    });
  };

  return (
    <Card title="Note">
      <form
        noValidate
        className="grid gap-3 px-5 py-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (changed && !tooLong) store();
        }}
      >
        <TextArea
          label="For administrators"
          rows={4}
          hint="The candidate does not see this."
          error={tooLong ? `At most ${numberText(MOST)} characters` : undefined}
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
            {changed ? 'Not saved yet' : ''}
          </span>
          <Button
            type="submit"
            busy={save.isPending && 'Saving…'}
            aria-disabled={!changed || tooLong}
          >
            Save note
          </Button>
        </div>
      </form>
    </Card>
  );
}
