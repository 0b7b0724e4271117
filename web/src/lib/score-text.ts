import { figureText } from '@invigil/core/domain/locale';
import { inOrder } from '@invigil/core/domain/typed-text';
import { t } from '@invigil/core/texts/i18n';

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
  if (points !== null) {
    return t(
      /* {score}: "12.5 / 20" */ 'portal.score.points',
      '{max, plural, one {{score} point} other {{score} points}}',
      { score: points, max: row.maxPoints ?? 0 },
    );
  }
  if (row.totalMarks === null) return String(row.score);
  return between === ' / '
    ? inOrder(`${row.score} / ${row.totalMarks}`)
    : t(/* right answers of all questions */ 'portal.score.of', '{score} of {total}', {
        score: row.score,
        total: row.totalMarks,
      });
}
