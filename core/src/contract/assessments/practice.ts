import { z } from 'zod';
import { REQUEST_LIMITS } from '../../domain/limits.ts';
import { t } from '../../texts/i18n.ts';
import { endpoint, Id } from '../definition/endpoint.ts';
import { AnsweredQuestion } from './answered-question.ts';
import { IMAGE_MEDIA_TYPE, ImageHash } from './images.ts';
import { NegativeMarks } from './negative-marks.ts';
import { PolicySettings } from './policy.ts';
import { PaperQuestion } from './question-list.ts';
import { Quiz } from './quiz.ts';

/** The end of the public address of a practice assessment: 128 random bits. */
export const PracticeToken = z.string().regex(/^[\w-]{22}$/);

const params = z.object({ token: PracticeToken });

/** A practice assessment as anyone with its address may see it, with a paper drawn for this reading. */
export const Practice = z.object({
  title: z.string(),
  description: z.string().nullable(),
  /** minutes */
  duration: z.int(),
  negativeMarks: NegativeMarks.optional(),
  policy: PolicySettings,
  questions: z.array(PaperQuestion),
});
export type Practice = z.infer<typeof Practice>;

/** It is NOT_FOUND as well while it is inactive, not yet open or over. */
export const getPractice = endpoint('GET /api/practice/:token', 'public', {
  summary: 'A practice assessment with a paper drawn for this reading; nothing is stored',
  params,
  responses: { 200: Practice },
  errors: ['NO_QUESTIONS'],
  cost: 10,
});

export const checkPracticeAnswer = endpoint('POST /api/practice/:token/answers', 'public', {
  audit: { none: 'reads only' },
  summary:
    'What an answer to a question of a practice assessment earns, with the key and explanations; nothing is stored',
  params,
  body: z.object({
    questionId: Id,
    /** The answer as a save has it: an option, a typed text, or a JSON array of texts. Empty: none. */
    answer: z.string(),
  }),
  responses: { 200: AnsweredQuestion },
  bodyLimit: REQUEST_LIMITS.bodyBytes,
  cost: 2,
});

export const readPracticeImage = endpoint('GET /api/practice/:token/images/:hash', 'public', {
  summary: 'An image that a question of a practice assessment or its explanation shows',
  params: params.extend({ hash: ImageHash }),
  responses: { 200: z.custom<Uint8Array>((body) => body instanceof Uint8Array) },
  produces: IMAGE_MEDIA_TYPE,
});

/** Whether an assessment is for practice, or which one its candidates are told of. */
export const PracticeSetting = z.object({
  isPractice: z.boolean(),
  /** null: none */
  practiceQuizId: Id.nullable(),
});
export type PracticeSetting = z.infer<typeof PracticeSetting>;

export const setPractice = endpoint('PUT /api/quizzes/:id/practice', ['quiz: quizzes.edit'], {
  audit: 'quiz.practice_set',
  summary:
    'Make an assessment a practice assessment under a new public address, or an ordinary one that may name a practice assessment; with `dryRun` say only what follows',
  body: PracticeSetting.extend({
    dryRun: z.boolean({ error: () => t('field.dryRun', 'Say whether it is a dry run') }),
    /** The setting as it was read; if another one is stored, the call is STALE. */
    before: PracticeSetting.optional(),
  }),
  responses: {
    200: z.object({
      quiz: Quiz,
      /** How many other assessments, none of them for practice, can ask some of its questions. */
      askedBy: z.int(),
    }),
  },
  errors: ['STALE', 'HAS_CANDIDATES'],
});
