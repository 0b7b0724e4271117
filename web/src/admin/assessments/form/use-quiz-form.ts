import { useRef } from 'react';
import { type FieldErrors, type Resolver, useForm } from 'react-hook-form';
import { toast } from '../../../ui/toasts/toast.ts';
import { POLICY_NUMBERS } from './policy-numbers.ts';
import {
  FIELDS,
  type QuizFormValues,
  UNREADABLE_DATE,
  type ValidatedQuizForm,
} from './quiz-form.ts';

/**
 * The form of an assessment. Errors are shown at their fields; the seed's sentence for the form is a
 * toast on submit.
 */
export function useQuizForm<B>(
  defaultValues: QuizFormValues,
  validate: (values: QuizFormValues) => ValidatedQuizForm<B>,
) {
  const validated = useRef<ValidatedQuizForm<B>>(null);
  const resolver: Resolver<QuizFormValues> = (values, _context, { fields }) => {
    validated.current = validate(asTyped(values, fields.endDate?.ref));
    return errorsOf(values, validated.current);
  };
  const form = useForm<QuizFormValues>({ defaultValues, resolver });
  const sayInvalid = () => {
    if (validated.current?.ok === false) {
      toast({ title: validated.current.sentence, variant: 'destructive' });
    }
  };
  return { form, sayInvalid };
}

/**
 * The values on the screen, with the control of the end date. A partly typed date has an empty
 * value and fires no event; only the control's validity shows that it is not empty.
 */
export function asTyped(values: QuizFormValues, endDate: unknown): QuizFormValues {
  const isUnreadable = endDate instanceof HTMLInputElement && endDate.validity.badInput;
  return isUnreadable ? { ...values, endDate: UNREADABLE_DATE } : values;
}

function errorsOf<B>(values: QuizFormValues, validated: ValidatedQuizForm<B>) {
  if (validated.ok) return { values, errors: {} };
  const errors: FieldErrors<QuizFormValues> = {};
  for (const field of FIELDS) {
    const message = validated.problems[field];
    if (message !== undefined) errors[field] = { type: 'validate', message };
  }
  for (const field of POLICY_NUMBERS) {
    const message = validated.problems.policy?.[field];
    if (message === undefined) continue;
    errors.policy = { ...errors.policy, [field]: { type: 'validate', message } };
  }
  return { values: {}, errors };
}
