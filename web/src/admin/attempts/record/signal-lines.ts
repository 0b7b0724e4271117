import type { Violation } from '@invigil/core/contract/attempts/violation-views';
import { currentLocale, listText } from '@invigil/core/domain/locale';
import { isolated } from '@invigil/core/domain/typed-text';
import { UNSEEN } from '@invigil/core/domain/violations/violation-types';
import { t } from '@invigil/core/texts/i18n';
import { shortDuration } from '../../../lib/portal-times.ts';

/** `4 s`, `1 min 20 s`, `1 h 5 min` */
export function lastingText(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1_000));
  if (seconds < 3_600) return shortDuration(seconds);
  const hours = Math.floor(seconds / 3_600);
  const minutes = Math.floor(seconds / 60) % 60;
  return minutes === 0
    ? t(/* a duration, short */ 'record.duration.hours', '{hours} h', { hours })
    : t(/* a duration, short */ 'record.duration.hoursMinutes', '{hours} h {minutes} min', {
        hours,
        minutes,
      });
}

const ENGINES: Partial<Record<string, () => string>> = {
  model: () => t(/* what detected something */ 'record.engine.model', 'detection model'),
  basic: () => t(/* what detected something */ 'record.engine.basic', 'basic check'),
  level: () => t(/* what detected something */ 'record.engine.level', 'sound level'),
};

export const engineText = (engine: string): string => ENGINES[engine]?.() ?? engine;

export function signalLines(violation: Violation): string[] {
  const { durationMs, engine, notes, candidateNote } = violation;
  const facts = [
    durationMs === null
      ? null
      : t(/* so long; duration: “1 min 20 s” */ 'record.signal.lasted', 'For {duration}.', {
          duration: lastingText(durationMs),
        }),
    engine === null
      ? null
      : t(/* engine: “detection model” */ 'record.signal.detectedBy', 'Detected by: {engine}.', {
          engine: engineText(engine),
        }),
  ].filter((fact) => fact !== null);
  const lines = facts.length === 0 ? [] : [facts.join(' ')];
  const isUnseen = notes?.startsWith(UNSEEN) === true;
  if (isUnseen)
    lines.push(t('record.signal.notWarned', 'The page could not show a warning at that moment.'));
  const figures = isUnseen ? notes.slice(UNSEEN.length) : notes;
  if (figures) lines.push(figuresText(figures));
  if (candidateNote !== null && candidateNote !== '')
    lines.push(
      t(
        /* what the candidate says of it */ 'record.signal.candidateNote',
        'The candidate: “{note}”',
        {
          note: isolated(candidateNote),
        },
      ),
    );
  return lines;
}

/** Single-word notes of detectors. */
const CAUSES: Record<string, () => string> = {
  slow: () => t('record.cause.slow', 'The detector did not respond in time'),
  'no-frame': () => t('record.cause.noPicture', 'The camera returned no picture'),
  'not-loaded': () => t('record.cause.notLoaded', 'The detector was not loaded'),
  blurred: () => t('record.cause.blurred', 'The picture was out of focus'),
  unsure: () => t('record.cause.unsure', 'Someone was only partly in view'),
  dark: () => t('record.cause.dark', 'The picture was too dark'),
  covered: () => t('record.cause.covered', 'The camera was covered'),
  muted: () => t('record.cause.muted', 'The microphone was muted'),
  'no-sound': () => t('record.cause.noSound', 'The microphone returned no sound'),
  falsified: () =>
    t('record.cause.falsified', 'The browser, or an add-on in it, changes what sensors deliver'),
  'no-clock': () =>
    t(
      'record.cause.noClock',
      'The browser found no sound output, without which it measures no sound',
    ),
  constant: () => t('record.cause.constant', 'The level was the same to the last digit'),
  silent: () => t('record.cause.silent', 'The microphone delivered only silence'),
  'not answered': () =>
    t('record.cause.notAnswered', 'The browser’s permission request was not answered'),
};

export function causeText(name: string): string | null {
  return Object.hasOwn(CAUSES, name) ? (CAUSES[name]?.() ?? null) : null;
}

/**
 * Describes a detector's measurements. Other notes are shown unchanged: a manipulated page may send
 * anything.
 */
export function figuresText(notes: string): string {
  const cause = causeText(notes);
  if (cause !== null) return sentenceText(cause);
  const speech = /^speech: (\d+) %$/.exec(notes)?.[1];
  if (speech !== undefined) {
    return t(
      /* the window: the time that was measured */ 'record.signal.speech',
      'Speech in {speech} % of the window.',
      { speech },
    );
  }
  const loud = /^loud: above (\d+)$/.exec(notes)?.[1];
  if (loud !== undefined) {
    return t(
      /* level: of the sound, 0 to 255. readings: of a meter */ 'record.signal.loud',
      'Louder than {level} for several readings.',
      { level: loud },
    );
  }
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
  ].filter((part) => part !== undefined);
  const text = listText(parts, 'unit');
  return sentenceText(`${text.charAt(0).toLocaleUpperCase(currentLocale())}${text.slice(1)}`);
}

const sentenceText = (text: string) =>
  t(/* some words as a sentence */ 'record.signal.sentence', '{text}.', { text });

function facesText(count: number): string {
  return count === 0
    ? t(/* of a picture; in a row of such facts */ 'record.picture.noOne', 'no one in view')
    : t(
        /* of a picture; in a row of such facts */ 'record.picture.faces',
        '{count, plural, =1 {one face} one {# face} other {# faces}}',
        { count },
      );
}

/** @param mean of the gray picture, 0 to 255 */
function lightText(mean: number): string {
  if (mean < 30)
    return t(/* of a picture; in a row of such facts */ 'record.picture.dark', 'too dark to tell');
  if (mean < 70)
    return t(/* of a picture; in a row of such facts */ 'record.picture.dim', 'dim light');
  return mean > 200
    ? t(/* of a picture; in a row of such facts */ 'record.picture.bright', 'very bright')
    : t(/* of a picture; in a row of such facts */ 'record.picture.good', 'good light');
}

/** Degrees, positive to the person's left and up. */
function poseText(yaw: number, pitch: number): string {
  const height = pitch === 0 ? 'level' : pitch > 0 ? 'up' : 'down';
  const values = { height, yaw: Math.abs(yaw), pitch: Math.abs(pitch) };
  if (yaw > 0) {
    return t(
      /* of the candidate; in a row of facts of a picture */ 'record.pose.left',
      '{height, select, up {head turned {yaw}° to their left and {pitch}° up} down {head turned {yaw}° to their left and {pitch}° down} other {head turned {yaw}° to their left}}',
      values,
    );
  }
  if (yaw < 0) {
    return t(
      /* of the candidate; in a row of facts of a picture */ 'record.pose.right',
      '{height, select, up {head turned {yaw}° to their right and {pitch}° up} down {head turned {yaw}° to their right and {pitch}° down} other {head turned {yaw}° to their right}}',
      values,
    );
  }
  return t(
    /* of the candidate; in a row of facts of a picture */ 'record.pose.ahead',
    '{height, select, up {head turned {pitch}° up} down {head turned {pitch}° down} other {looking ahead}}',
    { height, pitch: values.pitch },
  );
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
  if (!violation.counted) return t(/* as a violation */ 'record.notCounted', 'Not counted');
  const added = all.filter(
    ({ counted, type }) => counted && (type === 'face_not_detected' || type === 'voice_detected'),
  );
  const place = added.indexOf(violation);
  if (place === -1 || violationLimit === null || added.length !== violationCount)
    return t(/* as a violation */ 'record.counted', 'Counted');
  return t(
    /* the second of three violations that are allowed */ 'record.countedOf',
    'Counted {place} of {limit}',
    { place: place + 1, limit: violationLimit },
  );
}
