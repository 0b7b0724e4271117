import { figureText } from '@invigil/core/domain/locale';
import { inOrder } from '@invigil/core/domain/typed-text';

/** Points of an attempt or a question, where its questions have some. */
export interface Points {
  points?: number | null | undefined;
  maxPoints?: number | null | undefined;
}

/** "12.5 / 20"; `null` where there are no points. */
export function pointsOfMax({ points, maxPoints }: Points): string | null {
  return typeof points === 'number' && typeof maxPoints === 'number'
    ? inOrder(`${figureText(points)} / ${figureText(maxPoints)}`)
    : null;
}

/** An attempt's score in words: "12.5 / 20 points", or "12 of 25" with its own word in between. */
export function scoreText(
  row: Points & { score: number | null; totalMarks: number | null },
  between: ' of ' | ' / ',
): string | null {
  if (row.score === null) return null;
  const points = pointsOfMax(row);
  if (points !== null) return `${points} points`;
  if (row.totalMarks === null) return String(row.score);
  const text = `${row.score}${between}${row.totalMarks}`;
  return between === ' / ' ? inOrder(text) : text;
}
