import { z } from 'zod';
import { Imported } from '../assessments/imports.ts';
import { endpoint, Id, Instant } from '../definition/endpoint.ts';
import { ERRORS, type ErrorCode } from '../definition/errors.ts';

/** Long work that an administrator began, which goes on when they leave the page. */
export const Work = z.object({
  id: z.string(),
  kind: z.literal('questions.import'),
  /** The name of the file. */
  name: z.string(),
  /** The assessment that the questions belong to; null: the bank. */
  quizId: Id.nullable(),
  begunAt: Instant,
  /** `lost`: the server stopped meanwhile, and nothing was stored. */
  state: z.enum(['running', 'done', 'failed', 'lost']),
  /** Items that are read … */
  done: z.int(),
  /** … of so many; null: unknown. When all are, they are being stored. */
  total: z.int().nullable(),
  result: Imported.nullable(),
  failure: z.enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]).nullable(),
});
export type Work = z.infer<typeof Work>;

export const listWorks = endpoint('GET /api/works', ['self'], {
  summary: "One's own long work of the last day, under way or ended, the latest first",
  responses: { 200: z.array(Work) },
});

export const forgetWork = endpoint('DELETE /api/works/:id', ['self'], {
  audit: { none: "of one's own work, which writes its own entries" },
  summary: 'Cancel long work, or take it off the list where it has ended',
  responses: { 204: null },
});
