import type { Violation } from '@invigil/core/contract/violation-views';

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

/** What is known about something that was noticed: how long, who judged, what was written. */
export function signalLines(violation: Violation): string[] {
  const { durationMs, engine, notes, candidateNote } = violation;
  const facts = [
    durationMs === null ? null : `For ${lastingText(durationMs)}.`,
    engine === null ? null : `Judged by: ${engine}.`,
  ].filter((fact) => fact !== null);
  const lines = facts.length === 0 ? [] : [facts.join(' ')];
  if (notes !== null && notes !== '') lines.push(notes);
  if (candidateNote !== null && candidateNote !== '')
    lines.push(`The participant: “${candidateNote}”`);
  return lines;
}

/**
 * Where a counted face or voice stands in the count: `Counted 2 of 3`. Without a limit, or where the
 * policy does not add this kind up, only that it counted.
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
