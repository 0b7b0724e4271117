import { z } from 'zod';
import { sectionIdOf } from '../../domain/questions/quiz-structure.ts';
import type { ResultRules as Rules } from '../../domain/results/outcome.ts';
import { t } from '../../texts/i18n.ts';
import { classified } from '../definition/classified.ts';
import {
  AT_MOST_TWO_DECIMALS,
  atMost,
  atMostCharacters,
  atMostSections,
  ENTER_NAME,
  ENTER_PERCENTAGE,
  ENTER_POINTS,
} from '../definition/field-problems.ts';

const FROM_0_TO_100 = { error: () => t(/* percent */ 'field.percentRange', 'From 0 to 100') };
const MORE_THAN_0 = { error: () => t(/* a number */ 'field.moreThan0', 'More than 0') };

const Percent = z
  .number(ENTER_PERCENTAGE)
  .min(0, FROM_0_TO_100)
  .max(100, FROM_0_TO_100)
  .refine((percent) => Number(percent.toFixed(2)) === percent, AT_MOST_TWO_DECIMALS);
/** The percentage that must be reached, so never 0. */
export const MarkPercent = Percent.refine((percent) => percent > 0, MORE_THAN_0);

const PassMark = z.union(
  [
    z.strictObject({ percent: MarkPercent }),
    z.strictObject({
      points: z
        .number(ENTER_POINTS)
        .positive(MORE_THAN_0)
        .max(1_000_000, atMost(1_000_000))
        .refine((points) => Number(points.toFixed(2)) === points, AT_MOST_TWO_DECIMALS),
    }),
  ],
  { error: () => t('field.passMark', 'Enter a percentage or points') },
);

const Bands = z
  .array(
    z.object({
      name: z.string(ENTER_NAME).trim().min(1, ENTER_NAME).max(40, atMostCharacters(40)),
      from: Percent,
    }),
  )
  .max(30, {
    error: () =>
      t('field.grades', '{max, plural, one {At most # grade} other {At most # grades}}', {
        max: 30,
      }),
  })
  .superRefine((bands, ctx) => {
    const say = (path: (string | number)[], message: string) =>
      ctx.addIssue({ code: 'custom', path, message });
    if (bands.length === 1) say([], t('field.twoGrades', 'Enter at least two grades'));
    for (const [i, { name, from }] of bands.entries()) {
      const before = bands[i - 1];
      if (before && from >= before.from)
        say(
          [i, 'from'],
          t(
            /* this percentage has to be lower than that of the better grade */ 'field.lowerGrade',
            'Lower than the grade above',
          ),
        );
      if (i === bands.length - 1 && from !== 0)
        say([i, 'from'], t(/* percent */ 'field.lowestGrade', 'The lowest grade begins at 0'));
      if (bands.slice(0, i).some((other) => other.name === name)) {
        say([i, 'name'], t('field.gradeTwice', 'This grade is there twice'));
      }
    }
  });

const ENTER_ID = { error: () => t('field.sectionId', 'Enter an id') };

/** Any text that no other section of the assessment has. */
export const SectionId = z.string(ENTER_ID).min(1, ENTER_ID).max(200, atMostCharacters(200));

/** The pass mark and grades of an assessment: domain/results/outcome.ts. */
export const ResultRules: z.ZodType<Rules, Rules> = z
  .object({
    passMark: PassMark.nullable(),
    sectionMarks: z
      .array(
        z.object({
          /** Absent: that of the section with this title. */
          id: SectionId.optional(),
          title: z.string().max(200),
          percent: MarkPercent,
        }),
      )
      .max(20, atMostSections(20)),
    grades: Bands,
  })
  .superRefine(({ passMark, sectionMarks, grades }, ctx) => {
    const say = (path: string, message: string) =>
      ctx.addIssue({ code: 'custom', path: [path], message });
    if (passMark === null && grades.length === 0)
      say('passMark', t('field.markOrGrades', 'Enter a pass mark or grades'));
    if (new Set(sectionMarks.map(sectionIdOf)).size < sectionMarks.length) {
      say('sectionMarks', t('field.sectionTwice', 'A section is there twice'));
    }
    if (passMark === null && sectionMarks.length > 0) {
      say('sectionMarks', t('field.wholeMark', 'Enter a pass mark for the whole assessment too'));
    }
  });

export const Outcome = classified(
  ['score'],
  z.object({
    /** At most two decimals. */
    percent: z.number(),
    /** null without a pass mark */
    result: z.enum(['passed', 'failed']).nullable(),
    /** null without grades */
    grade: z.string().nullable(),
    /** Why it failed. */
    because: z.enum(['points', 'section', 'dismissed', 'breach']).optional(),
  }),
  undefined,
);
