import { z } from 'zod';
import { t } from '../../texts/i18n.ts';
import { Outcome, ResultRules } from '../assessments/result-rules.ts';
import { OptionalPersonText, PersonEmail, PersonId } from '../definition/classified.ts';
import { endpoint } from '../definition/endpoint.ts';

/** Figures of current attempts that have ended. */
export const ResultFigures = z.object({
  ended: z.int(),
  passed: z.int(),
  failed: z.int(),
  /** Mean percentage, at most two decimals; null without an attempt that has points. */
  meanPercent: z.number().nullable(),
  /** Attempts by percentage, in twentieths; 100 is in the last. */
  distribution: z.array(z.int()).length(20),
  /** Grades from the best to the lowest. */
  grades: z.array(z.object({ name: z.string(), attempts: z.int() })),
  sections: z.array(
    z.object({
      id: z.string(),
      /** The newest; attempts that ended under another one are counted too. */
      title: z.string(),
      attempts: z.int(),
      meanPercent: z.number(),
      /** Attempts below its minimum; null where it has none. */
      below: z.int().nullable(),
    }),
  ),
});
export type ResultFigures = z.infer<typeof ResultFigures>;

const QuizResults = z.object({
  /** null: attempts have no outcome. */
  rules: ResultRules.nullable(),
  /** The sections of later papers. */
  sections: z.array(z.object({ id: z.string(), title: z.string() })),
  /** The most points of a paper; null where papers differ, or there is none yet. */
  maxPoints: z.number().nullable(),
  figures: ResultFigures,
});
export type QuizResults = z.infer<typeof QuizResults>;

export const getQuizResults = endpoint('GET /api/quizzes/:id/results', ['quiz: figures.see'], {
  summary: 'Pass mark and grades of an assessment, and how many passed',
  responses: { 200: QuizResults },
});

/** A person whose outcome other rules change. */
const OutcomeChange = z.object({
  participantId: z.string(),
  userId: PersonId,
  userEmail: PersonEmail,
  userName: OptionalPersonText,
  before: Outcome.nullable(),
  after: Outcome.nullable(),
});

export const setResultRules = endpoint('PUT /api/quizzes/:id/results', ['quiz: scores.correct'], {
  audit: 'quiz.results_set',
  summary:
    'Set pass mark and grades, or with `dryRun` say only whose outcome would change; audited',
  body: z.object({
    rules: ResultRules.nullable(),
    dryRun: z.boolean({ error: () => t('field.dryRun', 'Say whether it is a dry run') }),
    /** The rules as they were read; if others are stored, the call is STALE. */
    before: ResultRules.nullable().optional(),
  }),
  responses: {
    200: z.object({
      applied: z.boolean(),
      before: ResultFigures,
      after: ResultFigures,
      /** How many change; `changes` has the first of them. */
      changed: z.int(),
      changes: z.array(OutcomeChange),
    }),
  },
  errors: ['STALE', 'RULES_UNMET'],
});
