import { QUESTION_LIMITS } from '@invigil/core/domain/limits';
import { t } from '@invigil/core/texts/i18n';
import { TagField } from '../../../ui/fields/tag-field.tsx';
import { useTags } from '../../data/bank.ts';

/** The tags with those of a typed text, each once. Commas separate them. */
export function withTyped(tags: readonly string[], typed: string): string[] {
  const added = typed
    .split(',')
    .map((tag) => tag.trim().slice(0, QUESTION_LIMITS.tagMaxCharacters));
  return [...new Set([...tags, ...added.filter((tag) => tag !== '')])];
}

/** Selects tags: typed, or from those of the bank. Enter or a comma adds one. */
export function TagPicker({
  hint = t('bank.tags.hint', 'Press Enter after each tag.'),
  ...field
}: {
  label: string;
  hint?: string;
  tags: readonly string[];
  error?: string | undefined;
  onChange(tags: string[]): void;
}) {
  const known = useTags();
  return (
    <TagField
      {...field}
      hint={hint}
      known={(known.data ?? []).map(({ tag }) => tag)}
      maxLength={QUESTION_LIMITS.tagMaxCharacters}
      separator=","
      withTyped={withTyped}
    />
  );
}
