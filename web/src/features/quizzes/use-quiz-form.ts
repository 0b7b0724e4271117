import { type FieldErrors, type Resolver, useForm } from 'react-hook-form';
import { toast } from '../../ui/toast.ts';
import { POLICY_NUMBERS } from './policy-numbers.ts';
import { FIELDS, type JudgedQuizForm, type QuizFormValues } from './quiz-form.ts';

/**
 * The form of an assessment. What is wrong stands at its field; the seed's sentence for the whole
 * comes as a toast when it is sent.
 */
export function useQuizForm<B>(
  defaultValues: QuizFormValues,
  judge: (values: QuizFormValues) => JudgedQuizForm<B>,
) {
  const resolver: Resolver<QuizFormValues> = (values) => {
    const judged = judge(values);
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
  };
  const form = useForm<QuizFormValues>({ defaultValues, resolver });
  const sayInvalid = () => {
    const judged = judge(form.getValues());
    if (!judged.ok) toast({ title: judged.sentence, variant: 'destructive' });
  };
  return { form, sayInvalid };
}
