import { t } from '@invigil/core/texts/i18n';
import { useForm } from 'react-hook-form';
import { ApiError, sentenceOf } from '../../net/api.ts';

const MISSING = {
  password: () => t('parts.secret.password', 'Enter your password'),
  code: () => t(/* a code of two-step login */ 'parts.secret.code', 'Enter the code'),
};

/**
 * A form of one secret. A refusal is shown at its field, whose text is selected.
 *
 * @param onSubmit rejects if the secret is refused
 */
export function useSecretForm(
  kind: keyof typeof MISSING,
  onSubmit: (secret: string) => Promise<unknown>,
) {
  const form = useForm<Record<string, string>>({ defaultValues: { [kind]: '' } });
  const { errors, isSubmitting } = form.formState;
  const submit = form.handleSubmit(async ({ [kind]: secret = '' }) => {
    try {
      await onSubmit(secret);
    } catch (error) {
      const issue = error instanceof ApiError ? error.issues[0]?.message : undefined;
      form.setError(kind, { message: issue ?? sentenceOf(error) });
      form.setFocus(kind, { shouldSelect: true });
    }
  });
  return {
    submit,
    busy: isSubmitting,
    field: { ...form.register(kind, { required: MISSING[kind]() }), error: errors[kind]?.message },
    focus: () => form.setFocus(kind),
  };
}
