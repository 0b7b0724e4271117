import { z } from 'zod';
import { COUNTING } from '../../domain/retakes.ts';
import { Instant } from '../definition/endpoint.ts';
import { LanguageTag } from '../definition/language-tag.ts';
import { NegativeMarks } from './negative-marks.ts';
import { Policy } from './policy.ts';

/** When all start at the same time. Stands here because candidates load no rules of forms. */
export const KnownStartTogether = z.object({
  by: z.enum(['time', 'button']),
  lateMinutes: z.int(),
});

/** An assessment. `isOpen` is computed by the server: active, not archived, end date not passed. */
export const Quiz = z.object({
  id: z.string(),
  title: z.string(),
  description: z.string().nullable(),
  categoryId: z.string(),
  category: z.string(),
  /** minutes */
  duration: z.int(),
  totalQuestions: z.int(),
  questionCount: z.int(),
  /** Sections decide which questions papers have, and how many. */
  hasSections: z.literal(true).optional(),
  /** Some of its own questions have several right options, or a typed answer. */
  hasOtherAnswers: z.literal(true).optional(),
  /** The deduction for wrong answers in attempts that begin now; absent: none. */
  negativeMarks: NegativeMarks.optional(),
  /**
   * No attempt starts before; absent: none has to wait. Until then a candidate gets 0 as the numbers of
   * questions.
   */
  opensAt: Instant.optional(),
  endDate: Instant.nullable(),
  /** No attempt starts from then on; absent: the end date decides. */
  startBy: Instant.optional(),
  /** How many groups have times of their own; absent: none. */
  timeRules: z.int().optional(),
  /** It is a practice assessment: the end of its public address, and how many assessments name it. */
  asPractice: z.object({ token: z.string(), namedBy: z.int() }).optional(),
  /** The practice assessment that its candidates are told of; `token` absent: it is not available. */
  practice: z.object({ quizId: z.string(), token: z.string().optional() }).optional(),
  /** All start at the same time; absent: each when they like. */
  startTogether: KnownStartTogether.optional(),
  finishAfterEnd: z.boolean(),
  /** Whether each candidate gets an email with the receipt when the attempt has ended. */
  closingMail: z.boolean(),
  /** How often each person may take it, for a candidate with an own number; absent: once only. */
  retakes: z
    .object({ attempts: z.int(), waitMinutes: z.int(), counts: z.enum(COUNTING) })
    .optional(),
  /** Emails before the opening and the end; absent: none. */
  reminders: z
    .object({ beforeOpening: z.int().nullable(), beforeEnd: z.int().nullable() })
    .optional(),
  /** Candidates choose from these, the first for who prefers none; absent: the institution's first. */
  languages: z.array(LanguageTag).optional(),
  isActive: z.boolean(),
  isOpen: z.boolean(),
  policy: Policy,
  version: z.int(),
  createdAt: Instant,
});
export type Quiz = z.infer<typeof Quiz>;
