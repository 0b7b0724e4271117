import { z } from 'zod';
import { sectionIdOf } from '../../domain/questions/quiz-structure.ts';
import type { ResultRules as Rules } from '../../domain/results/outcome.ts';
import { classified } from '../definition/classified.ts';

const Percent = z
  .number('Enter a percentage')
  .min(0, 'From 0 to 100')
  .max(100, 'From 0 to 100')
  .refine((percent) => Number(percent.toFixed(2)) === percent, 'At most two decimals');
/** The percentage that must be reached, so never 0. */
export const MarkPercent = Percent.refine((percent) => percent > 0, 'More than 0');

const PassMark = z.union(
  [
    z.strictObject({ percent: MarkPercent }),
    z.strictObject({
      points: z
        .number('Enter the points')
        .positive('More than 0')
        .max(1_000_000, 'At most 1,000,000')
        .refine((points) => Number(points.toFixed(2)) === points, 'At most two decimals'),
    }),
  ],
  'Enter a percentage or points',
);

const Bands = z
  .array(
    z.object({
      name: z.string('Enter a name').trim().min(1, 'Enter a name').max(40, 'At most 40 characters'),
      from: Percent,
    }),
  )
  .max(30, 'At most 30 grades')
  .superRefine((bands, ctx) => {
    const say = (path: (string | number)[], message: string) =>
      ctx.addIssue({ code: 'custom', path, message });
    if (bands.length === 1) say([], 'Enter at least two grades');
    for (const [i, { name, from }] of bands.entries()) {
      const before = bands[i - 1];
      if (before && from >= before.from) say([i, 'from'], 'Lower than the grade above');
      if (i === bands.length - 1 && from !== 0) say([i, 'from'], 'The lowest grade begins at 0');
      if (bands.slice(0, i).some((other) => other.name === name)) {
        say([i, 'name'], 'This grade is there twice');
      }
    }
  });

/** Any text that no other section of the assessment has. */
export const SectionId = z
  .string('Enter an id')
  .min(1, 'Enter an id')
  .max(200, 'At most 200 characters');

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
      .max(20, 'At most 20 sections'),
    grades: Bands,
  })
  .superRefine(({ passMark, sectionMarks, grades }, ctx) => {
    const say = (path: string, message: string) =>
      ctx.addIssue({ code: 'custom', path: [path], message });
    if (passMark === null && grades.length === 0) say('passMark', 'Enter a pass mark or grades');
    if (new Set(sectionMarks.map(sectionIdOf)).size < sectionMarks.length) {
      say('sectionMarks', 'A section is there twice');
    }
    if (passMark === null && sectionMarks.length > 0) {
      say('sectionMarks', 'Enter a pass mark for the whole assessment too');
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
