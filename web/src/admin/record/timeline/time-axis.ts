/** Steps between two marks of the axis, minutes. */
const STEPS = [1, 2, 5, 10, 15, 20, 30, 60];
const MARKS_AT_MOST = 6;

/** The allowed time of an attempt as an axis; positions are in percent. */
export interface TimeAxis {
  /** The position of an instant, 0 to 100, clamped at both ends. */
  placeOf(at: string): number;
  marks: { label: string; place: number }[];
}

export function timeAxis(startedAt: string, deadlineAt: string): TimeAxis {
  const start = Date.parse(startedAt);
  const length = Math.max(60_000, Date.parse(deadlineAt) - start);
  const minutes = length / 60_000;
  const step = STEPS.find((size) => minutes / size <= MARKS_AT_MOST - 1) ?? 60;
  const marks = Array.from({ length: Math.floor(minutes / step) + 1 }, (_, n) => ({
    label: `${String(n * step).padStart(2, '0')}:00`,
    place: ((n * step) / minutes) * 100,
  }));
  return {
    placeOf: (at) => Math.min(100, Math.max(0, ((Date.parse(at) - start) / length) * 100)),
    marks,
  };
}
