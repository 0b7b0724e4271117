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

/** An attempt's score in words: "12.5 / 20 points", or "12 of 25" with its own word in between. */
export function scoreWords(
  row: Points & { score: number | null; totalMarks: number | null },
  between: ' of ' | ' / ',
): string | null {
  if (row.score === null) return null;
  const points = pointsOfMax(row);
  if (points !== null) return `${points} points`;
  return row.totalMarks === null ? String(row.score) : `${row.score}${between}${row.totalMarks}`;
}
