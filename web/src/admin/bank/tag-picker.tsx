import { QUESTION_LIMITS } from '@invigil/core/domain/limits';
import { X } from 'lucide-react';
import { useId, useState } from 'react';
import { CONTROL, CONTROL_SIZE, Field } from '../../ui/fields/field.tsx';
import { useTags } from './bank-api.ts';

/** The tags with those of a typed text, each once. Commas separate them. */
export function withTyped(tags: readonly string[], typed: string): string[] {
  const added = typed
    .split(',')
    .map((tag) => tag.trim().slice(0, QUESTION_LIMITS.tagMaxCharacters));
  return [...new Set([...tags, ...added.filter((tag) => tag !== '')])];
}

/** Selects tags: typed, or from those of the bank. Enter or a comma adds one. */
export function TagPicker({
  label,
  hint = 'Press Enter after each tag.',
  tags,
  error,
  onChange,
}: {
  label: string;
  hint?: string;
  tags: readonly string[];
  error?: string | undefined;
  onChange(tags: string[]): void;
}) {
  const listId = useId();
  const [typed, setTyped] = useState('');
  const known = useTags();
  const add = (text: string) => {
    setTyped('');
    onChange(withTyped(tags, text));
  };
  return (
    <Field label={label} hint={hint} error={error}>
      {(ids) => (
        <div className="grid gap-2">
          <input
            {...ids}
            type="text"
            list={listId}
            autoComplete="off"
            maxLength={QUESTION_LIMITS.tagMaxCharacters}
            value={typed}
            onChange={({ target }) => {
              const isKnown = known.data?.some(({ tag }) => tag === target.value) === true;
              // A suggestion was selected, not typed.
              const isSelected = isKnown && Math.abs(target.value.length - typed.length) > 1;
              if (target.value.includes(',') || isSelected) add(target.value);
              else setTyped(target.value);
            }}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || typed.trim() === '') return;
              event.preventDefault();
              add(typed);
            }}
            onBlur={() => typed.trim() !== '' && add(typed)}
            className={`${CONTROL} ${CONTROL_SIZE.admin}`}
          />
          <datalist id={listId}>
            {(known.data ?? []).map(({ tag }) =>
              tags.includes(tag) ? null : <option key={tag} value={tag} />,
            )}
          </datalist>
          {tags.length > 0 && (
            <ul aria-label={`${label}: selected`} className="flex flex-wrap gap-1.5">
              {tags.map((tag) => (
                <li
                  key={tag}
                  className="inline-flex max-w-full items-center rounded-sm bg-fill pl-2 text-sm text-ink-2"
                >
                  <span className="min-w-0 wrap-anywhere">{tag}</span>
                  <button
                    type="button"
                    aria-label={`Remove ${tag}`}
                    onClick={() => onChange(tags.filter((other) => other !== tag))}
                    className="grid size-7 flex-none place-items-center rounded-sm hover:text-ink touch:size-11"
                  >
                    <X className="size-3.5" />
                  </button>
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
    </Field>
  );
}
