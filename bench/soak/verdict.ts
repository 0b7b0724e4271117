import { slopeOf } from './least-squares.ts';
import type { Sample } from './sample.ts';

/** The targets. */
export const MOST_MB_AN_HOUR = 10;
export const MOST_LOOP_P99_MS = 50;
/** More open files than this above the lowest are a leak. */
const FLAT_HANDLES = 20;

export interface SoakFigures {
  rssMbAnHour: number | null;
  heapMbAnHour: number | null;
  /** The worst of all samples. */
  loopP99Ms: number;
  handles: { least: number; most: number };
  reached: boolean;
}

/**
 * Evaluates the samples after the warm-up.
 *
 * @throws when there are too few of them
 */
export function evaluateSoak(samples: readonly Sample[], warmUpMinutes: number): SoakFigures {
  const evaluated = samples.filter(({ minute }) => minute >= warmUpMinutes);
  if (evaluated.length < 2) throw new Error('too few samples after the warm-up');
  const anHour = (of: (sample: Sample) => number) =>
    slopeOf(evaluated.map((sample) => ({ x: sample.minute / 60, y: of(sample) }))) ?? null;
  const rssMbAnHour = anHour(({ rssMb }) => rssMb);
  const heapMbAnHour = anHour(({ heapMb }) => heapMb);
  const loopP99Ms = Math.max(...evaluated.map((sample) => sample.loopP99Ms));
  const all = evaluated.map(({ handles }) => handles);
  const handles = { least: Math.min(...all), most: Math.max(...all) };
  return {
    rssMbAnHour,
    heapMbAnHour,
    loopP99Ms,
    handles,
    reached:
      [rssMbAnHour, heapMbAnHour].every((slope) => slope !== null && slope < MOST_MB_AN_HOUR) &&
      loopP99Ms < MOST_LOOP_P99_MS &&
      handles.most - handles.least <= FLAT_HANDLES,
  };
}
