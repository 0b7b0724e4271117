import { z } from 'zod';
import { QUIZ_LIMITS } from '../../domain/limits.ts';
import { POLICY_PRESETS } from '../../domain/violations/violation-policy.ts';
import { t } from '../../texts/i18n.ts';
import { endpoint, Moment, whole } from '../definition/endpoint.ts';
import { atMostCharacters, ENTER_TITLE } from '../definition/field-problems.ts';
import { Languages } from '../definition/language-tag.ts';
import { PolicySettings } from './policy.ts';
import { PaperQuestion } from './question-list.ts';
import { Quiz } from './quiz.ts';
import { Retakes } from './retakes.ts';
import { Minutes, Reminders } from './schedule.ts';
import { StartTogether } from './start-together.ts';

const NamedPreset = z.strictObject({ preset: z.enum(['strict', 'balanced', 'review', 'off']) });

/** Full settings, or only the name of a preset: `{ "preset": "review" }`. */
const PolicyInput = z.preprocess(
  (input) => {
    const named = NamedPreset.safeParse(input);
    return named.success ? POLICY_PRESETS[named.data.preset] : input;
  },
  PolicySettings.partial({ preset: true }),
);

export const CreateQuizBody = z.object({
  title: z
    .string(ENTER_TITLE)
    .trim()
    .min(1, ENTER_TITLE)
    .max(QUIZ_LIMITS.titleMaxCharacters, atMostCharacters(QUIZ_LIMITS.titleMaxCharacters)),
  description: z
    .string()
    .trim()
    .max(
      QUIZ_LIMITS.descriptionMaxCharacters,
      atMostCharacters(QUIZ_LIMITS.descriptionMaxCharacters),
    )
    .nullable()
    .optional(),
  categoryId: z.guid({ error: () => t('field.category', 'Select a category') }),
  duration: Minutes,
  totalQuestions: whole(QUIZ_LIMITS.totalQuestionsMin, QUIZ_LIMITS.totalQuestionsMax, () =>
    t('field.totalQuestions', 'Total questions must be {min} to {max}', {
      min: QUIZ_LIMITS.totalQuestionsMin,
      max: QUIZ_LIMITS.totalQuestionsMax,
    }),
  ),
  /** The opening time lies before the end date; if that is omitted, before the stored one. */
  opensAt: Moment.nullable().optional(),
  endDate: Moment.nullable().optional(),
  /** The latest start, after the opening and not after the end date; null: until the end. */
  startBy: Moment.nullable().optional(),
  /** Null: each starts when they like. At a time needs an opening. */
  startTogether: StartTogether.nullable().optional(),
  finishAfterEnd: z.boolean().optional(),
  closingMail: z.boolean().optional(),
  /** Null: none. */
  reminders: Reminders.nullable().optional(),
  /** Null: the institution's first language. */
  languages: Languages.nullable().optional(),
  /** Null: once only. Omitted: as before. */
  retakes: Retakes.nullable().optional(),
  policy: PolicyInput.optional(),
  isActive: z.boolean().optional(),
});

export const UpdateQuizBody = CreateQuizBody.extend({ version: z.int().min(1).optional() });

export const listQuizzes = endpoint('GET /api/quizzes', ['anywhere: quizzes.see'], {
  summary: 'All assessments that are not archived, newest first',
  responses: { 200: z.array(Quiz) },
});

export const getQuiz = endpoint('GET /api/quizzes/:id', ['quiz: quizzes.see'], {
  summary: 'An assessment that is not archived',
  responses: { 200: Quiz },
});

export const createQuiz = endpoint('POST /api/quizzes', ['anywhere: quizzes.edit'], {
  audit: 'quiz.created',
  summary: 'Create an assessment',
  body: CreateQuizBody,
  responses: { 201: Quiz },
  errors: ['NOT_FOUND'],
});

export const updateQuiz = endpoint('PUT /api/quizzes/:id', ['quiz: quizzes.edit'], {
  audit: 'quiz.edited',
  summary:
    'Change an assessment; running attempts keep their deadline. Changing the policy while attempts run needs a fresh password',
  body: UpdateQuizBody,
  responses: { 200: Quiz },
  errors: ['STALE', 'CONFIRM_PASSWORD', 'TAKEN_AGAIN'],
});

export const deleteQuiz = endpoint('DELETE /api/quizzes/:id', ['quiz: quizzes.edit'], {
  audit: 'quiz.archived',
  summary: 'Archive an assessment; its results stay, running attempts continue',
  responses: { 204: null },
  errors: ['RULES_UNMET'],
});

export const duplicateQuiz = endpoint('POST /api/quizzes/:id/duplicate', ['quiz: quizzes.edit'], {
  audit: 'quiz.duplicated',
  summary: 'A copy with the same settings, policy and questions, inactive and without an end date',
  responses: { 201: Quiz },
  errors: ['CHANGED_OUTSIDE'],
});

export const getPreviewPaper = endpoint('GET /api/preview', ['preview'], {
  summary:
    'A paper as a candidate could get it, for who signed in with a test invitation; sample questions for who may not see those of the assessment',
  responses: { 200: z.array(PaperQuestion) },
  errors: ['NOT_FOUND', 'NO_QUESTIONS'],
});

export const previewQuiz = endpoint('GET /api/quizzes/:id/preview', ['quiz: questions.edit'], {
  summary: 'A paper as a candidate could get it, without an attempt and without the key',
  responses: { 200: z.array(PaperQuestion) },
  errors: ['NO_QUESTIONS'],
});
