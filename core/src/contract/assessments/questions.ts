import { z } from 'zod';
import { QUESTION_LIMITS, REQUEST_LIMITS } from '../../domain/limits.ts';
import { IMPORT_LIMITS } from '../../domain/questions/question-files.ts';
import { decodeOptions, QUESTION_MESSAGES } from '../../domain/questions/question-options.ts';
import { ENCODINGS } from '../../domain/text-encoding.ts';
import { t } from '../../texts/i18n.ts';
import { OptionalPersonText, PersonEmail } from '../definition/classified.ts';
import { endpoint, Id } from '../definition/endpoint.ts';
import { atMost, atMostAtATime, atMostCharacters } from '../definition/field-problems.ts';
import { Question } from './question-list.ts';
import { Outcome } from './result-rules.ts';

/** An array, a JSON array in a string or a comma-separated string (specification 3); always texts afterwards. */
const Options = z.preprocess(
  (input) => decodeOptions(input) ?? input,
  z
    .array(z.string({ error: () => t('field.optionText', 'An option must be text') }), {
      error: QUESTION_MESSAGES.twoOptions,
    })
    .max(20, { error: QUESTION_MESSAGES.tooManyOptions }),
);

export const QuestionBody = z.object({
  quizId: Id.optional(),
  type: z.literal('multiple_choice').default('multiple_choice'),
  question: z.string({ error: QUESTION_MESSAGES.noQuestion }),
  options: Options,
  correctAnswer: z.string({ error: QUESTION_MESSAGES.noCorrectAnswer }),
  orderNumber: z.int().min(1).max(100_000).optional(),
});

export const createQuestion = endpoint(
  'POST /api/quizzes/:id/questions',
  ['quiz: questions.edit'],
  {
    audit: 'questions.added',
    summary: 'Add a question',
    body: QuestionBody,
    responses: { 201: Question },
    bodyLimit: REQUEST_LIMITS.questionBytes,
  },
);

export const updateQuestion = endpoint(
  'PUT /api/quizzes/:id/questions/:questionId',
  ['quiz: questions.edit'],
  {
    audit: ['question.edited', 'question.labeled'],
    summary: 'Edit a question: a new version for later starts; existing papers keep theirs',
    body: QuestionBody.extend({ version: z.int().min(1).optional() }),
    responses: { 200: Question },
    errors: ['STALE', 'RULES_UNMET'],
    bodyLimit: REQUEST_LIMITS.questionBytes,
  },
);

export const deleteQuestion = endpoint(
  'DELETE /api/quizzes/:id/questions/:questionId',
  ['quiz: questions.edit'],
  {
    audit: 'question.deleted',
    summary: 'Delete a question of an assessment that no one has started',
    responses: { 204: null },
    errors: ['QUESTION_IN_USE', 'RULES_UNMET'],
  },
);

export const deleteQuestions = endpoint(
  'POST /api/quizzes/:id/questions/delete',
  ['quiz: questions.edit'],
  {
    audit: 'question.deleted',
    summary: 'Delete several questions of an assessment that no one has started, all or none',
    body: z.object({
      // The limit is that of an import, so that a whole import can be undone at once.
      ids: z
        .array(Id)
        .min(1, { error: () => t('field.questions', 'Select at least one question') })
        .max(IMPORT_LIMITS.itemsMax, atMostAtATime(IMPORT_LIMITS.itemsMax)),
    }),
    responses: { 200: z.object({ deleted: z.int() }) },
    errors: ['QUESTION_IN_USE', 'RULES_UNMET'],
    bodyLimit: REQUEST_LIMITS.listBodyBytes,
  },
);

/**
 * `keepFirstRow` and `encoding` belong to the file form (text/csv): the file has no header row, and is read in
 * that encoding; in the likeliest one where it is absent. The answer says which one it was.
 */
export const importQuestions = endpoint(
  'POST /api/quizzes/:id/questions/csv',
  ['quiz: questions.edit'],
  {
    audit: 'questions.added',
    summary: 'Add many questions, all or nothing: the rows as JSON or the file itself as text/csv',
    query: z.object({
      keepFirstRow: z.enum(['true', 'false']).optional(),
      encoding: z.enum(ENCODINGS).optional(),
    }),
    body: z.union([z.object({ questions: z.array(z.unknown()) }), z.instanceof(Uint8Array)]),
    responses: {
      201: z.object({
        created: z.int(),
        questions: z.array(Question),
        encoding: z.enum(ENCODINGS).optional(),
      }),
    },
    errors: ['NO_VALID_QUESTIONS', 'INVALID_QUESTIONS', 'TOO_LARGE'],
    bodyLimit: REQUEST_LIMITS.questionsCsvBytes,
    isBulk: true,
    consumes: ['text/csv'],
  },
);

export const reorderQuestions = endpoint(
  'PUT /api/quizzes/:id/questions/order',
  ['quiz: questions.edit'],
  {
    audit: 'questions.reordered',
    summary: 'Reorder the questions: every id exactly once; applies to later starts',
    body: z.object({ ids: z.array(Id).max(10_000) }),
    responses: { 200: z.array(Question) },
    errors: ['STALE'],
    bodyLimit: REQUEST_LIMITS.listBodyBytes,
  },
);

/** How a corrected key changes one person's score. */
export const ScoreChange = z.object({
  participantId: z.string(),
  userEmail: PersonEmail,
  userName: OptionalPersonText,
  before: z.int(),
  after: z.int(),
  totalMarks: z.int(),
  /** Present if questions have points; `before` and `after` then count questions with full points. */
  pointsBefore: z.number().optional(),
  pointsAfter: z.number().optional(),
  maxPoints: z.number().optional(),
  /** Present if the assessment has a pass mark or grades. */
  outcomeBefore: Outcome.optional(),
  outcomeAfter: Outcome.optional(),
  /** Present if it differs from `maxPoints`. */
  maxPointsBefore: z.number().optional(),
});
export type ScoreChange = z.infer<typeof ScoreChange>;

/** The decision that a rescoring makes for everyone, besides the key. */
const Correction = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('key') }),
  /** Also given for blank answers. */
  z.object({ kind: z.literal('full_points') }),
  /** It counts for no one. */
  z.object({ kind: z.literal('left_out') }),
  /** Each of these options alone is right as well; of an all-or-nothing question with one right option. */
  z.object({
    kind: z.literal('also_right'),
    options: z
      .array(z.string())
      .min(1, { error: () => t(/* an answer of a question */ 'field.option', 'Select an option') })
      .max(QUESTION_LIMITS.richOptionsMax),
  }),
]);
export type Correction = z.infer<typeof Correction>;

/** An option of earlier papers and one of the current version, and whether they are the same answer. */
const SameOption = z.object({ before: z.string(), now: z.string(), isSame: z.boolean() });

/** How many a rescoring changed, or would change. */
export const Rescored = z.object({ participants: z.int(), changed: z.int() });

const rescoring = {
  audit: ['question.rescored', 'participant.rescored'],
  summary:
    'Apply the current key or another correction to all papers that hold the question; dryRun lists who changes',
  body: z.object({
    dryRun: z.boolean(),
    /** Absent: every version as it was decided, by its key where nothing was. */
    correction: Correction.optional(),
    /** Decisions on `options` of an earlier response. */
    options: z.array(SameOption).max(1_000, atMost(1_000)).optional(),
    reason: z.string().trim().max(500, atMostCharacters(500)).optional(),
    /** Goes on when its caller leaves, and is found under this id (`listWorks`). */
    work: Id.optional(),
  }),
  responses: {
    200: z.object({
      /** Participants whose paper holds the question, running ones included. */
      participants: z.int(),
      /** Papers whose version lacks the correct option, or one that is accepted beside it. */
      unchanged: z.int(),
      /** Participants whose attempt has no points: only a fully right answer counts, as 1. */
      withoutPoints: z.int().optional(),
      changes: z.array(ScoreChange),
      applied: z.boolean(),
      /** The decision made besides the key, if any. */
      correction: Correction.optional(),
      /** Something else was decided for a version that papers hold; without `correction` it keeps that. */
      isMixed: z.literal(true).optional(),
      /**
       * Options that a person has to confirm: those of earlier papers whose text changed where the key
       * depends on it, and those that could be a right option their version lacks.
       */
      options: z.array(SameOption.extend({ participants: z.int() })).optional(),
    }),
  },
  errors: ['WORK_BEGUN'],
} as const;

export const rescoreQuestion = endpoint(
  'POST /api/quizzes/:id/questions/:questionId/rescore',
  ['quiz: scores.correct'],
  rescoring,
);

/** The same for a question of the bank, in every assessment whose papers hold it. */
export const rescoreBankQuestion = endpoint(
  'POST /api/questions/:id/rescore',
  ['installation: scores.correct'],
  rescoring,
);
