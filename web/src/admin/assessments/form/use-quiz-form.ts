import { useRef } from 'react';
import { type FieldErrors, type Resolver, useForm } from 'react-hook-form';
import { toast } from '../../../ui/toasts/toast.ts';
import { POLICY_NUMBERS } from './policy-numbers.ts';
import { FIELDS, type JudgedQuizForm, type QuizFormValues, UNREADABLE_DATE } from './quiz-form.ts';

/**
 * The form of an assessment. What is wrong stands at its field; the seed's sentence for the whole
 * comes as a toast when it is sent.
 */
export function useQuizForm<B>(
  defaultValues: QuizFormValues,
  judge: (values: QuizFormValues) => JudgedQuizForm<B>,
) {
  const judged = useRef<JudgedQuizForm<B>>(null);
  const resolver: Resolver<QuizFormValues> = (values, _context, { fields }) => {
    judged.current = judge(asTyped(values, fields.endDate?.ref));
    return errorsOf(values, judged.current);
  };
  const form = useForm<QuizFormValues>({ defaultValues, resolver });
  const sayInvalid = () => {
    if (judged.current?.ok === false) {
      toast({ title: judged.current.sentence, variant: 'destructive' });
    }
  };
  return { form, sayInvalid };
}

/**
 * The values as they stand on the screen, with the control of the end date. One with a date that is
 * typed in part has an empty value and tells no event; only the control itself says that there is
 * something in it.
 */
export function asTyped(values: QuizFormValues, endDate: unknown): QuizFormValues {
  const isUnreadable = endDate instanceof HTMLInputElement && endDate.validity.badInput;
  return isUnreadable ? { ...values, endDate: UNREADABLE_DATE } : values;
}

function errorsOf<B>(values: QuizFormValues, judged: JudgedQuizForm<B>) {
  if (judged.ok) return { values, errors: {} };
  const errors: FieldErrors<QuizFormValues> = {};
  for (const field of FIELDS) {
    const message = judged.problems[field];
    if (message !== undefined) errors[field] = { type: 'validate', message };
  }
  for (const field of POLICY_NUMBERS) {
    const message = judged.problems.policy?.[field];
    if (message === undefined) continue;
    errors.policy = { ...errors.policy, [field]: { type: 'validate', message } };
  }
  return { values: {}, errors };
}
