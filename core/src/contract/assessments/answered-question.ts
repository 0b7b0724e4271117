import { z } from 'zod';
import { TEXT_FORMATS } from '../../domain/questions/question-definition.ts';

/** A question with its answer and what of it is shown. */
export const AnsweredQuestion = z.object({
  number: z.int(),
  question: z.string(),
  format: z.enum(TEXT_FORMATS),
  /** The options as the candidate had them; none for typed answers. */
  options: z.array(
    z.object({
      text: z.string(),
      isSelected: z.boolean(),
      isCorrect: z.boolean().optional(),
      /** The author's feedback on a selected option. */
      feedback: z.string().optional(),
    }),
  ),
  /** Rows of an answer to match or to order: an item, what it was given ('' is nothing), what is right. */
  rows: z
    .array(z.object({ item: z.string(), given: z.string(), right: z.string().optional() }))
    .optional(),
  /** Present where rows are about an order: they have places from 1. */
  isOrder: z.literal(true).optional(),
  /** The typed answer, where there are no options. */
  typed: z.string().optional(),
  isCorrect: z.boolean().optional(),
  points: z.number().optional(),
  maxPoints: z.number().optional(),
  /** Typed answers that are right. */
  accepted: z.array(z.string()).optional(),
  explanation: z.string().optional(),
  correction: z.enum(['full_points', 'left_out', 'also_right']).optional(),
});
export type AnsweredQuestion = z.infer<typeof AnsweredQuestion>;
