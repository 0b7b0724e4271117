import type { Violation } from '@invigil/core/contract/attempts/violation-views';
import { UNSEEN } from '@invigil/core/domain/violations/violation-types';

/** `4 s`, `1 min 20 s`, `1 h 5 min` */
export function lastingText(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1_000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  const [head, tail] =
    minutes < 60
      ? [`${minutes} min`, `${seconds % 60} s`]
      : [`${Math.floor(minutes / 60)} h`, `${minutes % 60} min`];
  return tail.startsWith('0 ') ? head : `${head} ${tail}`;
}

export function engineText(engine: string): string {
  const known: Partial<Record<string, string>> = {
    model: 'detection model',
    basic: 'basic check',
    level: 'sound level',
  };
  return known[engine] ?? engine;
}

export function signalLines(violation: Violation): string[] {
  const { durationMs, engine, notes, candidateNote } = violation;
  const facts = [
    durationMs === null ? null : `For ${lastingText(durationMs)}.`,
    engine === null ? null : `Detected by: ${engineText(engine)}.`,
  ].filter((fact) => fact !== null);
  const lines = facts.length === 0 ? [] : [facts.join(' ')];
  const isUnseen = notes?.startsWith(UNSEEN) === true;
  if (isUnseen) lines.push('The page could not show a warning at that moment.');
  const figures = isUnseen ? notes.slice(UNSEEN.length) : notes;
  if (figures) lines.push(figuresText(figures));
  if (candidateNote !== null && candidateNote !== '')
    lines.push(`The candidate: “${candidateNote}”`);
  return lines;
}

/** Single-word notes of detectors. */
const CAUSES: Record<string, string> = {
  slow: 'The detector did not respond in time',
  'no-frame': 'The camera returned no picture',
  'not-loaded': 'The detector was not loaded',
  blurred: 'The picture was out of focus',
  unsure: 'Someone was only partly in view',
  dark: 'The picture was too dark',
  covered: 'The camera was covered',
  muted: 'The microphone was muted',
  'no-sound': 'The microphone returned no sound',
  falsified: 'The browser, or an add-on in it, changes what sensors deliver',
  'no-clock': 'The browser found no sound output, without which it measures no sound',
  constant: 'The level was the same to the last digit',
  silent: 'The microphone delivered only silence',
  'not answered': 'The browser’s permission request was not answered',
};

export function causeText(name: string): string | null {
  return CAUSES[name] ?? null;
}

/**
 * Describes a detector's measurements. Other notes are shown unchanged: a manipulated page may send
 * anything.
 */
export function figuresText(notes: string): string {
  const cause = causeText(notes);
  if (cause !== null) return `${cause}.`;
  const speech = /^speech: (\d+) %$/.exec(notes)?.[1];
  if (speech !== undefined) return `Speech in ${speech} % of the window.`;
  const loud = /^loud: above (\d+)$/.exec(notes)?.[1];
  if (loud !== undefined) return `Louder than ${loud} for several readings.`;
  const figures =
    /^(?:faces: (\d+)(?:, |$))?(?:brightness: (\d+))?(?:, yaw: (-?\d+), pitch: (-?\d+))?$/.exec(
      notes,
    );
  if (figures === null) return notes;
  const [, faces, brightness, yaw, pitch] = figures;
  const parts = [
    faces && facesText(Number(faces)),
    brightness && lightText(Number(brightness)),
    yaw && pitch && poseText(Number(yaw), Number(pitch)),
  ].filter((part) => part !== undefined && part !== '');
  const text = parts.join(', ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function facesText(n: number): string {
  if (n === 0) return 'no one in view';
  return n === 1 ? 'one face' : `${n} faces`;
}

/** @param mean of the gray picture, 0 to 255 */
function lightText(mean: number): string {
  if (mean < 30) return 'too dark to tell';
  return mean < 70 ? 'dim light' : mean > 200 ? 'very bright' : 'good light';
}

/** Degrees, positive to the person's left and up. */
function poseText(yaw: number, pitch: number): string {
  const side = yaw === 0 ? '' : `${Math.abs(yaw)}° to their ${yaw > 0 ? 'left' : 'right'}`;
  const height = pitch === 0 ? '' : `${Math.abs(pitch)}° ${pitch > 0 ? 'up' : 'down'}`;
  const turned = [side, height].filter((one) => one !== '').join(' and ');
  return turned === '' ? 'looking ahead' : `head turned ${turned}`;
}

/**
 * The position of a counted face or voice violation: `Counted 2 of 3`. Without a limit, or if the
 * policy does not combine this type, only that it counted.
 */
export function countedText(
  violation: Violation,
  all: readonly Violation[],
  { violationCount, violationLimit }: { violationCount: number; violationLimit: number | null },
): string {
  if (!violation.counted) return 'Not counted';
  const added = all.filter(
    ({ counted, type }) => counted && (type === 'face_not_detected' || type === 'voice_detected'),
  );
  const place = added.indexOf(violation);
  if (place === -1 || violationLimit === null || added.length !== violationCount) return 'Counted';
  return `Counted ${place + 1} of ${violationLimit}`;
}
