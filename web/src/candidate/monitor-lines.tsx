import { t } from '@invigil/core/texts/i18n';
import { backIntoView } from '@invigil/core/texts/notices';
import { AudioLines, ShieldCheck, Video, VideoOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { useCallback } from 'react';
import type { FaceShown } from '../proctoring/detection/face-debouncer.ts';
import type { DeviceStatus } from '../proctoring/monitor.ts';
import { useMonitor } from '../proctoring/use-monitor.ts';
import { Trans } from '../ui/trans.tsx';
import { FaceFrame, FaceMissing } from './attempt-icons.tsx';
import { useAttempt } from './current-attempt.ts';

/** The candidate's live picture, mirrored. It does not leave the page. */
export function CameraPicture({ className = '' }: { className?: string }) {
  const camera = useMonitor('camera');
  const stream = camera.kind === 'granted' ? camera.stream : null;
  const show = useCallback(
    (video: HTMLVideoElement | null) => {
      if (video !== null && video.srcObject !== stream) video.srcObject = stream;
    },
    [stream],
  );
  return (
    <span className={`relative block overflow-hidden bg-sunken text-ink-3 ${className}`}>
      {stream === null ? (
        <span className="grid size-full place-items-center" data-shape="">
          <CameraOffSign camera={camera} />
        </span>
      ) : (
        <video
          ref={show}
          autoPlay
          muted
          playsInline
          aria-label={t('monitor.camera', 'Your camera picture')}
          className="size-full -scale-x-100 object-cover"
        />
      )}
    </span>
  );
}

function CameraOffSign({ camera }: { camera: DeviceStatus }) {
  const Sign = camera.kind === 'failed' ? VideoOff : Video;
  return <Sign className="size-6" />;
}

const FACE_WORDS: Record<FaceShown, () => string> = {
  starting: () => t(/* after Face: */ 'monitor.face.starting', 'Starting'),
  ok: () => t(/* after Face: */ 'monitor.face.ok', 'OK'),
  lowered: () => t(/* after Face: */ 'monitor.face.lowered', 'Looking down'),
  'not-detected': () => t(/* after Face: */ 'monitor.face.notDetected', 'Not Detected'),
  'cannot-tell': () => t(/* after Face: */ 'monitor.face.cannotTell', 'Cannot tell'),
};

function faceWord(face: FaceShown, isOff: boolean, mayBeCovered: boolean): string {
  if (isOff) return t(/* the camera, after Face: */ 'monitor.face.off', 'Off');
  return face === 'not-detected' && mayBeCovered
    ? t(/* after Face: */ 'monitor.face.mayBeCovered', 'May be covered')
    : FACE_WORDS[face]();
}

/** Sets off what a line says. */
const VALUE = { b: <b className="font-medium" /> };

function Line({
  icon,
  warn = false,
  children,
  aside,
  hint,
  isLive = false,
}: {
  icon: ReactNode;
  warn?: boolean;
  children: ReactNode;
  aside?: string | null;
  /** Advice about the problem. */
  hint?: string | null;
  /** The hint is announced. */
  isLive?: boolean;
}) {
  return (
    <li
      className={`flex items-center gap-2 whitespace-nowrap [&_svg]:size-4.5 [&_svg]:flex-none ${warn ? 'text-warn-ink' : '[&_svg]:text-ink-3'}`}
    >
      {icon}
      <span className="flex flex-wrap gap-x-2">
        <span>
          {children}
          {hint !== undefined && (
            <span role={isLive ? 'status' : undefined} className="block empty:hidden">
              {hint}
            </span>
          )}
        </span>
        {aside && <span className="text-ink-3">{aside}</span>}
      </span>
    </li>
  );
}

/**
 * Detected, not detected, or inconclusive; the last is neutral, like the start. A face that may be
 * covered gets no hint to move back into view.
 *
 * @param isLive announces the hint; during the test the warning does
 */
export function FaceLine({
  mayBeCovered = false,
  isLive = false,
}: {
  mayBeCovered?: boolean;
  isLive?: boolean;
}) {
  const face = useMonitor('face');
  const camera = useMonitor('camera');
  const off = camera.kind === 'failed';
  const missed = !off && face === 'not-detected' && !mayBeCovered;
  return (
    <Line
      icon={missed ? <FaceMissing /> : <FaceFrame />}
      warn={missed}
      hint={missed ? backIntoView() : null}
      isLive={isLive}
    >
      <Trans
        comment="{word}: OK, Not Detected, Cannot tell"
        id="monitor.face.line"
        message="Face: <b>{word}</b>"
        values={{ word: faceWord(face, off, mayBeCovered) }}
        components={VALUE}
      />
    </Line>
  );
}

const SOUND_WORDS = {
  quiet: () => t(/* of the room, beside the level of sound */ 'monitor.sound.quiet', 'Quiet'),
  noise: () => t(/* a kind of sound, not of speech */ 'monitor.sound.noise', 'Noise'),
  speech: () => t(/* a kind of sound */ 'monitor.sound.speech', 'Speech'),
};

/** The level of the specification, and in a word what it is: a fan is noise, and nothing counts. */
export function VoiceLine({ redAbove }: { redAbove: number }) {
  const level = useMonitor('level');
  const sound = useMonitor('sound');
  const red = level !== null && level > redAbove;
  return (
    <Line icon={<AudioLines />} aside={sound && SOUND_WORDS[sound]()}>
      <Trans
        comment="{level}: of the sound"
        id="monitor.sound.line"
        message="Voice: <b>{level} dB</b>"
        values={{ level: level ?? '–' }}
        components={{ b: <b className={`font-medium ${red ? 'text-bad-ink' : ''}`} /> }}
      />
    </Line>
  );
}

/** `2`, `2/5` */
const countOf = (count: number, limit: number | null) =>
  limit === null ? String(count) : `${count}/${limit}`;

/** The same in the bar, from the first one on: the box may be out of sight. */
export function ViolationsBadge({ limit }: { limit: number | null }) {
  const { violationCount } = useAttempt();
  if (violationCount === 0) return null;
  return (
    <span
      role="img"
      aria-label={
        limit === null
          ? t('monitor.violations.count', '{n, plural, other {# violations}}', {
              n: violationCount,
            })
          : t('monitor.violations.countOf', '{limit, plural, other {{n} of # violations}}', {
              n: violationCount,
              limit,
            })
      }
      // A small bar has no room for it, and the strip below has the count too.
      className="flex flex-none items-center gap-1.5 rounded-md bg-warn-soft px-2 py-1 text-sm font-medium text-warn-ink max-sm:hidden [&_svg]:size-4"
    >
      <ShieldCheck />
      {countOf(violationCount, limit)}
    </span>
  );
}

/** The server's count and the limit of this attempt's policy. */
export function ViolationsLine({ limit }: { limit: number | null }) {
  const { violationCount } = useAttempt();
  return (
    <Line icon={<ShieldCheck />}>
      <Trans
        comment="{count}: 2/5"
        id="monitor.violations.line"
        message="Violations: <b>{count}</b>"
        values={{ count: countOf(violationCount, limit) }}
        components={VALUE}
      />
    </Line>
  );
}
