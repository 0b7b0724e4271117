import { z } from 'zod';
import { QUESTION_TYPES, TEXT_FORMATS } from '../../domain/questions/question-definition.ts';
import { IsKey } from '../definition/classified.ts';
import { endpoint, Instant } from '../definition/endpoint.ts';
import { TABLE, TableFormat } from '../definition/table-format.ts';

const Figure = z.number().nullable();
const Group = z.string().trim().min(1).max(200);

/** Statistics of a question: domain/results/statistics.ts. */
const OptionStatistics = z.object({
  text: z.string(),
  isKey: IsKey,
  chosen: z.int(),
  share: z.number(),
  correlation: Figure,
  byAbility: z.array(z.number()),
  /**
   * Only where items are matched or put in order: `text` is an item, the figures are of those who had it right,
   * and this is what it was given, an answer or a place, most often first.
   */
  given: z.array(z.object({ text: z.string(), isKey: IsKey, chosen: z.int() })).optional(),
});

const QuestionStatistics = z.object({
  questionId: z.string(),
  /** The number of the question in the list; questions that were removed since then come last. */
  number: z.int(),
  type: z.enum(QUESTION_TYPES),
  format: z.enum(TEXT_FORMATS),
  question: z.string(),
  /** The decision of a rescoring besides the key. */
  correction: z.enum(['full_points', 'left_out', 'also_right']).optional(),
  n: z.int(),
  facility: Figure,
  sd: Figure,
  itemRest: Figure,
  discrimination: Figure,
  effectiveWeight: Figure,
  omitted: z.int(),
  notReached: z.int(),
  /** The median time in view, in seconds. */
  medianSeconds: Figure,
  alphaWithout: Figure,
  options: z.array(OptionStatistics),
  byAbility: z.array(Figure),
  suspicions: z.array(z.enum(['key', 'easy', 'hard', 'flat'])),
  /** Present if two groups are compared; null: not enough people. */
  comparison: z
    .object({
      odds: z.number(),
      delta: z.number(),
      chiSquare: z.number(),
      class: z.enum(['A', 'B', 'C']),
    })
    .nullable()
    .optional(),
});
export type QuestionStatistics = z.infer<typeof QuestionStatistics>;

const QuizStatistics = z.object({
  test: z.object({
    n: z.int(),
    mean: Figure,
    median: Figure,
    sd: Figure,
    skewness: Figure,
    kurtosis: Figure,
    reliability: z.union([
      z.object({
        /** The number of questions that everyone had; only if papers differ. */
        common: z.int().optional(),
        kind: z.enum(['kr20', 'alpha']),
        alpha: z.number(),
        sem: z.number(),
      }),
      z.object({ none: z.enum(['few', 'papers', 'questions', 'variance']) }),
    ]),
  }),
  /** The median time of the people who are counted, in seconds. */
  medianTime: Figure,
  questions: z.array(QuestionStatistics),
});
export type QuizStatistics = z.infer<typeof QuizStatistics>;

const Query = z.object({
  /** Ends from this moment on, and before the other one. */
  from: Instant.optional(),
  until: Instant.optional(),
  status: z.enum(['completed', 'dismissed']).optional(),
  group: Group.optional(),
  /** Two groups whose chances are compared for each question. */
  first: Group.optional(),
  second: Group.optional(),
});

export const getQuizStatistics = endpoint(
  'GET /api/quizzes/:id/statistics',
  ['quiz: figures.see'],
  {
    summary:
      'Statistics of an assessment and of its questions, over current attempts that have ended; groups only for who may see people',
    query: Query,
    responses: { 200: QuizStatistics },
    cost: 10,
  },
);

export const exportQuizStatistics = endpoint(
  'GET /api/quizzes/:id/statistics/export',
  ['quiz: figures.see'],
  {
    audit: 'statistics.exported',
    summary: 'The same as CSV or as an Excel workbook: a row per question and option',
    query: Query.extend({ format: TableFormat.default('csv') }),
    ...TABLE,
    cost: 10,
  },
);
