import { z } from 'zod';
import {
  type QuestionDefinition as Definition,
  type KeyField,
  QUESTION_TYPES,
  SCORING_RULES,
  TEXT_FORMATS,
} from '../../domain/questions/question-definition.ts';
import { t } from '../../texts/i18n.ts';
import { classified } from '../definition/classified.ts';
import { ENTER_POINTS } from '../definition/field-problems.ts';

const Text = z.string({ error: () => t('field.text', 'Enter a text') });
const Weight = z
  .number({
    error: () =>
      t(/* of an answer: its share of the points */ 'field.weight', 'A weight is a number'),
  })
  .optional();

const AcceptedNumber = z.union(
  [
    z.object({ min: Text, max: Text, weight: Weight }),
    z.object({ value: Text, tolerancePercent: Text, weight: Weight }),
    z.object({ value: Text, weight: Weight }),
  ],
  { error: () => t('field.valueOrRange', 'Enter a value, or both ends of a range') },
);

/** The shape of the key of each type that has one. */
const KEYS: { [F in KeyField]: z.ZodType<Definition[F], Definition[F]> } = {
  numeric: z
    .object({
      accepted: z.array(AcceptedNumber).max(200),
      units: z
        .array(z.object({ unit: Text, factor: Text }))
        .max(200)
        .optional(),
      isUnitRequired: z.boolean().optional(),
    })
    .optional(),
  shortText: z
    .object({
      accepted: z.array(z.object({ text: Text, weight: Weight })).max(200),
      isCaseSensitive: z.boolean().optional(),
      isSpaceExact: z.boolean().optional(),
    })
    .optional(),
};

/** The shape of a definition; its rules are domain/questions/validate-definition.ts. */
export const QuestionDefinition: z.ZodType<Definition, Definition> = z.object({
  type: z.enum(QUESTION_TYPES, {
    error: () => t('field.questionType', 'Select a type of question'),
  }),
  format: z.enum(TEXT_FORMATS, {
    error: () =>
      t(
        /* values of the API, not translated: plain, markdown */ 'field.format',
        'Select plain or markdown',
      ),
  }),
  question: z.string({ error: () => t('definition.noQuestion', 'Please enter a question') }),
  options: z
    .array(
      z.object({
        text: Text,
        isCorrect: z.boolean(),
        weight: Weight,
        isLast: z.boolean().optional(),
        feedback: Text.optional(),
        match: z
          .int({
            error: () =>
              t(
                /* of a matching question: for an item */ 'definition.match',
                'Select one of the answers',
              ),
          })
          .nullable()
          .optional(),
        place: z.int().optional(),
      }),
    )
    .max(200),
  points: z.number(ENTER_POINTS),
  rule: z.enum(SCORING_RULES, { error: () => t('field.scoringRule', 'Select a scoring rule') }),
  minSelections: z.int().optional(),
  maxSelections: z.int().optional(),
  ...KEYS,
  explanation: z.string().optional(),
});
export type QuestionDefinition = Definition;

/** One in an answer: it has the key. */
export const KeyedDefinition = classified(['key'], QuestionDefinition, undefined);
