import { z } from 'zod';
import { QUESTION_TYPES, TEXT_FORMATS } from '../../domain/questions/question-definition.ts';
import { KeyText } from '../definition/classified.ts';
import { endpoint } from '../definition/endpoint.ts';
import { KeyedDefinition } from './question-definition.ts';

/** A question as administrators see it, with its key. */
export const Question = z.object({
  id: z.string(),
  quizId: z.string(),
  type: z.enum(QUESTION_TYPES),
  question: z.string(),
  options: z.array(z.string()),
  /** The right options, with commas where several are; empty for a typed answer. */
  correctAnswer: KeyText,
  orderNumber: z.int(),
  version: z.int(),
  /** Only where the question is more than plain texts with one right option. */
  definition: KeyedDefinition.optional(),
});
export type Question = z.infer<typeof Question>;

/** A question of a paper, as its candidate sees it: without the key, in the paper's order. */
export const PaperQuestion = z.object({
  id: z.string(),
  quizId: z.string(),
  type: z.enum(QUESTION_TYPES),
  question: z.string(),
  options: z.array(z.string()),
  orderNumber: z.int(),
  /** Absent: plain texts. */
  format: z.enum(TEXT_FORMATS).optional(),
  /** Points of a full answer; absent: questions have no points of their own. */
  points: z.number().optional(),
  /** Only for matching: the items, each of which is given one of the options. */
  items: z.array(z.string()).optional(),
  /** Only for a multiple response. */
  minSelections: z.int().optional(),
  maxSelections: z.int().optional(),
  /** Only for a number: a unit may follow it. */
  hasUnits: z.boolean().optional(),
  /** Title of the section it belongs to. */
  section: z.string().optional(),
});
export type PaperQuestion = z.infer<typeof PaperQuestion>;

export const listQuestions = endpoint(
  'GET /api/quizzes/:id/questions',
  ['quiz: questions.edit', 'participant'],
  {
    summary:
      'Questions of an assessment; a participant gets their own paper with forAssessment=true',
    query: z.object({ forAssessment: z.enum(['true', 'false']).optional() }),
    responses: { 200: z.union([z.array(Question), z.array(PaperQuestion)]) },
    errors: ['FOR_ASSESSMENT_ONLY', 'NOT_IN_PROGRESS', 'ATTEMPT_CLOSED'],
  },
);
