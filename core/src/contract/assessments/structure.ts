import { z } from 'zod';
import { QUESTION_LIMITS } from '../../domain/limits.ts';
import {
  type QuizStructure as Structure,
  withSectionIds,
} from '../../domain/questions/quiz-structure.ts';
import { t } from '../../texts/i18n.ts';
import { endpoint, Id } from '../definition/endpoint.ts';
import { atMostCharacters, atMostSections, ENTER_TITLE } from '../definition/field-problems.ts';
import { DifficultyLevel } from './bank.ts';
import { NegativeMarks } from './negative-marks.ts';
import { SectionId } from './result-rules.ts';

const SectionItem = z.union(
  [
    z.object({ questionId: Id }),
    z.object({
      count: z
        .int({ error: () => t(/* questions are drawn */ 'field.drawCount', 'Enter how many') })
        .min(1, { error: () => t(/* question */ 'field.drawOne', 'Draw at least one') })
        .max(100, {
          error: () => t(/* questions */ 'field.drawMax', 'Draw at most {max}', { max: 100 }),
        }),
      from: z.object({
        tags: z.array(z.string().max(QUESTION_LIMITS.tagMaxCharacters)).max(50).optional(),
        categoryId: Id.optional(),
        difficulties: z.array(DifficultyLevel).max(3).optional(),
      }),
    }),
  ],
  { error: () => t('field.sectionItem', 'Name a question, or how many to draw and from what') },
);

/** Sections of an assessment: domain/questions/quiz-structure.ts. */
export const QuizStructure: z.ZodType<Structure, Structure> = z.object({
  sections: z
    .array(
      z.object({
        /**
         * Stays when the title changes. Absent: that of the stored section with this title, or a new one. An id
         * that no stored section has is that of a new section; earlier papers may have it.
         */
        id: SectionId.optional(),
        title: z.string(ENTER_TITLE).trim().min(1, ENTER_TITLE).max(200, atMostCharacters(200)),
        isShuffled: z.boolean(),
        items: z.array(SectionItem).max(200, {
          error: () =>
            t(
              /* in a section */ 'field.entries',
              '{max, plural, one {At most # entry} other {At most # entries}}',
              { max: 200 },
            ),
        }),
      }),
    )
    .min(1, { error: () => t(/* an order */ 'field.addSection', 'Add a section') })
    .max(20, atMostSections(20)),
});

const SECTION_TAKEN = {
  id: () => t('field.sectionIdTaken', 'Another section has this id'),
  title: () => t('field.sectionTitleTaken', 'Another section has this title'),
};

/** A structure to be saved: its sections need different ids, and titles by which people know them. */
const SavedStructure = QuizStructure.superRefine(({ sections }, ctx) => {
  for (const field of ['id', 'title'] as const) {
    for (const [i, { [field]: value }] of sections.entries()) {
      const isFirst = sections.findIndex((other) => other[field] === value) === i;
      if (isFirst || value === undefined) continue;
      const path = ['sections', i, field];
      ctx.addIssue({ code: 'custom', path, message: SECTION_TAKEN[field]() });
    }
  }
});

const Settings = z.object({
  /** null: the assessment's own questions, drawn at random. */
  structure: QuizStructure.nullable(),
  negativeMarks: NegativeMarks.nullable(),
});

const Check = z.object({
  /** How many questions qualify, by section and entry; 1 for a fixed one that exists. */
  qualified: z.array(z.array(z.int())),
  /** Problems by their path, such as `structure.sections.0.items.2`; empty: papers can be drawn. */
  problems: z.array(z.object({ path: z.string(), message: z.string() })),
});

export const getStructure = endpoint('GET /api/quizzes/:id/structure', ['quiz: questions.edit'], {
  summary: 'Sections, drawing rules and negative marks of an assessment',
  responses: { 200: Settings.extend({ check: Check }) },
});

export const checkStructure = endpoint(
  'POST /api/quizzes/:id/structure/check',
  ['quiz: questions.edit'],
  {
    audit: { none: 'reads only' },
    summary:
      'How many questions qualify for each rule, and which rules cannot be met; stores nothing',
    body: z.object({ structure: QuizStructure }),
    responses: { 200: Check },
  },
);

export const setStructure = endpoint('PUT /api/quizzes/:id/structure', ['quiz: questions.edit'], {
  audit: 'quiz.structured',
  summary: 'Set sections, drawing rules and negative marks; for later starts',
  /** `before`: as they were read; others that are stored are STALE. */
  body: Settings.extend({
    structure: SavedStructure.nullable(),
    before: Settings.extend({
      structure: QuizStructure.transform(withSectionIds).nullable(),
    }).optional(),
  }),
  responses: { 200: Settings.extend({ check: Check }) },
  errors: ['STALE', 'RULES_UNMET'],
});
