import { z } from 'zod';
import { QUESTION_LIMITS, REQUEST_LIMITS } from '../../domain/limits.ts';
import { DIFFICULTIES, QUESTION_TYPES } from '../../domain/questions/question-definition.ts';
import { t } from '../../texts/i18n.ts';
import { endpoint, Id, Instant, page } from '../definition/endpoint.ts';
import { atMostAtATime, atMostCharacters } from '../definition/field-problems.ts';
import { KeyedDefinition, QuestionDefinition } from './question-definition.ts';
import { deleteQuestions } from './questions.ts';

const TAG = {
  error: () => t(/* a word by which questions are found */ 'field.tag', 'A tag is text'),
};

const Tag = z
  .string(TAG)
  .trim()
  .min(1, TAG)
  .max(QUESTION_LIMITS.tagMaxCharacters, {
    error: () =>
      t(
        'field.tagCharacters',
        '{max, plural, one {A tag has at most # character} other {A tag has at most # characters}}',
        { max: QUESTION_LIMITS.tagMaxCharacters },
      ),
  });
const Tags = z
  .array(Tag)
  .max(QUESTION_LIMITS.tagsMax, {
    error: () =>
      t('field.tags', '{max, plural, one {At most # tag} other {At most # tags}}', {
        max: QUESTION_LIMITS.tagsMax,
      }),
  })
  .transform((tags) => [...new Set(tags)]);
export const DifficultyLevel = z.enum(DIFFICULTIES, {
  error: () => t('field.difficulty', 'Select easy, medium or hard'),
});

/** How authors find a question again; candidates never see it. */
const labels = {
  tags: Tags.optional(),
  categoryId: Id.nullable().optional(),
  difficulty: DifficultyLevel.nullable().optional(),
  note: z.string().trim().max(4_000, atMostCharacters(4_000)).optional(),
};

/** The filters of the bank, and the page of the list. */
export const BankQuery = z.object({
  /** Searched in question, options, explanation, note and tags. */
  search: z.string().trim().max(320).optional(),
  tag: z.string().max(QUESTION_LIMITS.tagMaxCharacters).optional(),
  type: z.enum(QUESTION_TYPES).optional(),
  categoryId: Id.optional(),
  difficulty: DifficultyLevel.optional(),
  /** Used in this assessment: its own, and those that its sections name. */
  quizId: Id.optional(),
  /** `never`: on no paper yet; `bank`: belongs to no assessment. */
  use: z.enum(['never', 'bank']).optional(),
  state: z.enum(['active', 'draft', 'archived']).default('active'),
  /** Added at exactly this time: all questions of an import have the same. */
  createdAt: Instant.optional(),
  ...page(50),
});

/** A question of the bank with its key. An assessment's own questions are in the bank as well. */
export const BankQuestion = z.object({
  id: z.string(),
  version: z.int(),
  definition: KeyedDefinition,
  /** It has no key, so no paper gets it. */
  isDraft: z.boolean(),
  tags: z.array(z.string()),
  categoryId: z.string().nullable(),
  difficulty: DifficultyLevel.nullable(),
  note: z.string(),
  /** The assessment it belongs to; null: it is in the bank only. */
  quizId: z.string().nullable(),
  quizTitle: z.string().nullable(),
  orderNumber: z.int(),
  archivedAt: Instant.nullable(),
  createdAt: Instant,
  /** When the current version was written. */
  updatedAt: Instant,
  /** How many papers have had it, in any version. */
  timesSeen: z.int(),
});
export type BankQuestion = z.infer<typeof BankQuestion>;

export const listBank = endpoint('GET /api/questions', ['anywhere: questions.edit'], {
  summary: 'The question bank, newest first. Total in X-Total-Count',
  query: BankQuery,
  responses: { 200: z.array(BankQuestion) },
});

export const listTags = endpoint('GET /api/questions/tags', ['anywhere: questions.edit'], {
  summary: 'Tags of the bank with the number of questions that have each, by name',
  responses: { 200: z.array(z.object({ tag: z.string(), count: z.int() })) },
});

export const listDuplicates = endpoint(
  'GET /api/questions/duplicates',
  ['anywhere: questions.edit'],
  {
    summary:
      'Groups of questions of the bank, or of one assessment, with the same content and key; at most a hundred',
    responses: { 200: z.array(z.array(BankQuestion)) },
  },
);

export const addToBank = endpoint('POST /api/questions', ['anywhere: questions.edit'], {
  audit: 'questions.added',
  summary: 'Add a question of any type to the bank, or to an assessment as its own',
  body: z.object({
    definition: QuestionDefinition,
    quizId: Id.nullable().optional(),
    ...labels,
  }),
  responses: { 201: BankQuestion },
  errors: ['NOT_FOUND'],
  bodyLimit: REQUEST_LIMITS.questionBytes * 4,
});

export const getBankQuestion = endpoint('GET /api/questions/:id', ['question: questions.edit'], {
  summary: 'A question with all its versions, newest first, and the assessments that use it',
  responses: {
    200: BankQuestion.extend({
      versions: z.array(
        z.object({
          version: z.int(),
          createdAt: Instant,
          /** The administrator's name or address; null: not known. */
          by: z.string().nullable(),
          definition: KeyedDefinition,
        }),
      ),
      usedIn: z.array(z.object({ quizId: z.string(), title: z.string() })),
    }),
  },
});

export const changeBankQuestion = endpoint('PUT /api/questions/:id', ['question: questions.edit'], {
  audit: ['question.edited', 'question.labeled'],
  summary:
    'Change a question: new content is a new version for later starts; labels change at once',
  body: z.object({
    definition: QuestionDefinition.optional(),
    /** The version that was edited; another one stored is STALE. */
    version: z.int().min(1).optional(),
    ...labels,
    /** Labels as they were read: another one stored is STALE. They do not raise the version. */
    labelsBefore: z.object(labels).optional(),
  }),
  responses: { 200: BankQuestion },
  errors: ['STALE', 'RULES_UNMET'],
  bodyLimit: REQUEST_LIMITS.questionBytes * 4,
});

export const changeBankQuestions = endpoint(
  'POST /api/questions/change',
  ['anywhere: questions.edit'],
  {
    audit: ['question.labeled', 'question.deleted', 'question.restored'],
    summary: 'Change labels, archive, restore, move or delete several questions, all or none',
    body: z
      .object({
        ids: deleteQuestions.body.shape.ids,
        addTags: Tags.optional(),
        removeTags: Tags.optional(),
        categoryId: Id.nullable().optional(),
        difficulty: DifficultyLevel.nullable().optional(),
        isArchived: z.boolean().optional(),
        /** The assessment they shall belong to; null: to the bank only. */
        quizId: Id.nullable().optional(),
        /**
         * Only questions that no paper has had and no section names can be deleted; others can be archived.
         * False: deleted ones are back in their places.
         */
        isDeleted: z.boolean().optional(),
      })
      .refine(
        ({ ids, isDeleted }) => isDeleted !== undefined || ids.length <= REQUEST_LIMITS.listRowsMax,
        {
          path: ['ids'],
          ...atMostAtATime(REQUEST_LIMITS.listRowsMax),
        },
      ),
    responses: {
      200: z.object({
        changed: z.int(),
        /** Takes labels and archiving back: each a body of this call; none for moves. */
        undo: z.array(
          z.object({
            ids: z.array(z.string()),
            addTags: z.array(z.string()).optional(),
            removeTags: z.array(z.string()).optional(),
            categoryId: z.string().nullable().optional(),
            difficulty: DifficultyLevel.nullable().optional(),
            isArchived: z.boolean().optional(),
          }),
        ),
      }),
    },
    errors: ['NOT_FOUND', 'QUESTION_IN_USE', 'RULES_UNMET'],
    bodyLimit: REQUEST_LIMITS.listBodyBytes,
  },
);
