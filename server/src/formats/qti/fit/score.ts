/** The points of a response according to the file; a response is what was selected or typed. */
export type Score<Response> = (response: Response) => number;

/** Response processing that is not read, with a sentence that says what it is. */
export class NotSupported extends Error {}

/** More texts or numbers than any question accepts; each is tried. */
const MOST_TRIED = 500;

/** Throws NotSupported when a file names more than can be tried in good time. */
export function limitTried(values: readonly unknown[]): void {
  if (values.length > MOST_TRIED) {
    throw new NotSupported(
      `It compares with ${values.length} texts or numbers; at most ${MOST_TRIED} are read.`,
    );
  }
}

/** Equal but for the rounding of binary fractions: 0.1 + 0.2 is 0.3. */
export function isNear(a: number, b: number): boolean {
  return Math.abs(a - b) <= 1e-6 * Math.max(1, Math.abs(a), Math.abs(b));
}

/** A share of the points in percent with at most five decimals, as weights are stored. */
export function percentOf(score: number, points: number): number {
  return Number(((score / points) * 100).toFixed(5));
}

/**
 * The points of a question: what the file says the most is, unless more can be reached. With
 * `isMostReached`, what can be reached counts alone.
 */
export function pointsOf(reached: number, declared: number | undefined, isMostReached: boolean) {
  if (declared === undefined || isMostReached || declared < reached) {
    const isOther = declared !== undefined && !isNear(declared, reached);
    return {
      points: reached,
      notes: isOther
        ? [
            `The file says at most ${declared} points, while ${reached} are reached; it has ${reached}.`,
          ]
        : [],
    };
  }
  return { points: declared, notes: [] };
}
