/** "1 point", "2.5 points". */
export function pointsWords(points: number): string {
  return `${points} ${points === 1 ? 'point' : 'points'}`;
}

/** Points of an attempt or a question, where its questions have some. */
export interface Points {
  points?: number | null | undefined;
  maxPoints?: number | null | undefined;
}

/** "12.5 / 20"; `null` where there are no points. */
export function pointsOfMax({ points, maxPoints }: Points): string | null {
  return typeof points === 'number' && typeof maxPoints === 'number'
    ? `${points} / ${maxPoints}`
    : null;
}
