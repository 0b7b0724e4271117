import { NegativeMarks } from '@invigil/core/contract/assessments/negative-marks';
import type { NegativeMarks as Marks } from '@invigil/core/domain/questions/scoring';

/** Negative marks as typed. */
export interface NegativeDraft {
  isOn: boolean;
  percent: string;
  floor: Marks['floor'];
}

export function negativeDraftOf(marks: Marks | null): NegativeDraft {
  return {
    isOn: marks !== null,
    percent: String(marks?.percent ?? 25),
    floor: marks?.floor ?? 'total',
  };
}

/** The marks, or what is wrong with the percentage. */
export function negativeOf({
  isOn,
  percent,
  floor,
}: NegativeDraft): { marks: Marks | null } | { problem: string } {
  if (!isOn) return { marks: null };
  const typed = percent.trim().replace(',', '.');
  const marks = NegativeMarks.safeParse({ percent: typed === '' ? null : Number(typed), floor });
  return marks.success
    ? { marks: marks.data }
    : { problem: marks.error.issues[0]?.message ?? 'Enter a percentage' };
}

const EXAMPLE_POINTS = 4;

/** What the marks do to a question of four points. */
export function exampleOf({ percent, floor }: Marks): string {
  const lost = Math.round(EXAMPLE_POINTS * percent * 100) / 10_000;
  const points = `${lost} ${lost === 1 ? 'point' : 'points'}`;
  return floor === 'total'
    ? `Example: a wrong answer to a question of ${EXAMPLE_POINTS} points takes ${points} off the total.`
    : `Example: each wrong selection in a question of ${EXAMPLE_POINTS} points takes ${points} off what the question earned.`;
}
