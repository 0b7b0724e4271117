import { z } from 'zod';
import { Imported } from '../assessments/imports.ts';
import { Rescored } from '../assessments/questions.ts';
import { endpoint, Id, Instant } from '../definition/endpoint.ts';
import { ERRORS, type ErrorCode } from '../definition/errors.ts';

/** `scores.check` is the dry run of `scores.correct`. */
export const WORK_KINDS = ['questions.import', 'scores.check', 'scores.correct'] as const;

/** Long work that an administrator began, which goes on when they leave the page. */
export const Work = z.object({
  id: z.string(),
  kind: z.enum(WORK_KINDS),
  /** The name of the file that is imported; otherwise empty. */
  name: z.string(),
  /** The assessment that the questions belong to; null: the bank. */
  quizId: Id.nullable(),
  /** The question whose attempts are scored again; null: no rescoring. */
  questionId: Id.nullable(),
  begunAt: Instant,
  /** `lost`: the server stopped meanwhile, and nothing was stored. */
  state: z.enum(['running', 'done', 'failed', 'lost']),
  /** Items of the file that are read, or attempts that are scored … */
  done: z.int(),
  /** … of so many; null: not known yet. When all are, they are being stored. */
  total: z.int().nullable(),
  result: z.union([Imported, Rescored]).nullable(),
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
