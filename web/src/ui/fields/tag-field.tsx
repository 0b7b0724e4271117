import { t } from '@invigil/core/texts/i18n';
import { X } from 'lucide-react';
import { useId, useState } from 'react';
import { CONTROL, CONTROL_SIZE, Field, type FieldTexts } from './field.tsx';

/** Short texts in any number: typed, or from those that are known. Enter adds one. */
export function TagField({
  label,
  hint,
  error,
  optional,
  tags,
  known,
  maxLength,
  separator,
  withTyped,
  onChange,
}: FieldTexts & {
  tags: readonly string[];
  /** Suggestions. */
  known: readonly string[];
  maxLength: number;
  /** A character that adds what was typed before it. */
  separator?: string;
  withTyped(tags: readonly string[], typed: string): string[];
  onChange(tags: string[]): void;
}) {
  const listId = useId();
  const [typed, setTyped] = useState('');
  const set = (next: string[]) => {
    setTyped('');
    onChange(next);
  };
  const add = (text: string) => set(withTyped(tags, text));
  return (
    <Field label={label} hint={hint} error={error} optional={optional}>
      {(ids) => (
        <div className="grid gap-2">
          <input
            {...ids}
            type="text"
            list={listId}
            autoComplete="off"
            maxLength={maxLength}
            value={typed}
            onChange={({ target: { value } }) => {
              // A suggestion was selected, not typed.
              const isSelected = known.includes(value) && Math.abs(value.length - typed.length) > 1;
              if (isSelected) set([...new Set([...tags, value])]);
              else if (separator !== undefined && value.includes(separator)) add(value);
              else setTyped(value);
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
            {known.map((tag) => (tags.includes(tag) ? null : <option key={tag} value={tag} />))}
          </datalist>
          {tags.length > 0 && (
            <ul
              aria-label={t(
                /* a list; {label}: the name of a field, as Labels */ 'ui.tags.selected',
                '{label}: selected',
                { label },
              )}
              className="flex flex-wrap gap-1.5"
            >
              {tags.map((tag) => (
                <li
                  key={tag}
                  className="inline-flex max-w-full items-center rounded-sm bg-fill ps-2 text-sm text-ink-2"
                >
                  <span className="min-w-0 wrap-anywhere">{tag}</span>
                  <button
                    type="button"
                    aria-label={t(
                      /* a button: takes a tag away */ 'ui.tags.remove',
                      'Remove {tag}',
                      { tag },
                    )}
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
