import { z } from 'zod';
import { endpoint, IdParams } from '../definition/endpoint.ts';

/** A question as administrators see it, with its key. */
export const Question = z.object({
  id: z.string(),
  quizId: z.string(),
  type: z.literal('multiple_choice'),
  question: z.string(),
  options: z.array(z.string()),
  correctAnswer: z.string(),
  orderNumber: z.int(),
  version: z.int(),
});
export type Question = z.infer<typeof Question>;

/** A question of a paper, as its candidate sees it: without the key, in the paper's order. */
export const PaperQuestion = z.object({
  id: z.string(),
  quizId: z.string(),
  type: z.literal('multiple_choice'),
  question: z.string(),
  options: z.array(z.string()),
  orderNumber: z.int(),
});
export type PaperQuestion = z.infer<typeof PaperQuestion>;

export const listQuestions = endpoint({
  method: 'GET',
  path: '/api/quizzes/:id/questions',
  access: ['admin', 'participant'],
  summary: 'Questions of an assessment; a participant gets their own paper with forAssessment=true',
  params: IdParams,
  query: z.object({ forAssessment: z.enum(['true', 'false']).optional() }),
  responses: { 200: z.union([z.array(Question), z.array(PaperQuestion)]) },
  errors: ['NOT_FOUND', 'FOR_ASSESSMENT_ONLY', 'NOT_IN_PROGRESS', 'ATTEMPT_CLOSED'],
});
