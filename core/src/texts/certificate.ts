import { dateText, isRightToLeft, percentText } from '../domain/locale.ts';
import { isolated } from '../domain/typed-text.ts';
import { t } from './i18n.ts';

/**
 * The text of a certificate about a result: '27 November 2026 · Grade A · 92.5 %'. `date` is a day in ISO
 * 8601.
 */
export const certifiedText = (result: {
  date: string;
  grade?: string | undefined;
  percent?: number | undefined;
}): string =>
  [
    dateText(result.date, { dateStyle: 'long', timeZone: 'UTC' }),
    ...(result.grade === undefined
      ? []
      : [
          t(/* on a certificate: the grade of the result */ 'certificate.grade', 'Grade {grade}', {
            grade: result.grade,
          }),
        ]),
    ...(result.percent === undefined ? [] : [percentText(result.percent)]),
  ]
    // So that a grade in Latin letters does not draw the percentage to its other side.
    .map((part) => (isRightToLeft() ? isolated(part) : part))
    .join(' · ');
