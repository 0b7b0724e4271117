import { t } from '@invigil/core/texts/i18n';
import { useId, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { CONTROL, CONTROL_SIZE, FieldNote } from '../../../ui/fields/field.tsx';

/** An entry of a list in a field of its own, with what is wrong with it. */
export function CorrectionField({
  entry,
  label,
  reason,
  suggestion = null,
  onCorrect,
}: {
  entry: string;
  /** The place of the entry; shown. Absent for an entry that is a line of its own. */
  label?: string;
  /** `null`: the entry may be correct. */
  reason: string | null;
  /** The entry that was probably meant. */
  suggestion?: string | null;
  /** Empty removes it. */
  onCorrect(to: string): void;
}) {
  const noteId = useId();
  const [typed, setTyped] = useState(entry);
  // When the field is left: on the way to an address there are others, "a@x.co".
  const settle = () => typed.trim() !== entry.trim() && onCorrect(typed.trim());
  return (
    <li className="grid gap-1.5">
      {label !== undefined && <span className="text-sm font-medium wrap-anywhere">{label}</span>}
      <div className="flex flex-wrap gap-2">
        <input
          type="text"
          aria-label={t(
            /* {entry}: of a list, or its place in it */ 'people.correct',
            'Correct {entry}',
            { entry: label ?? entry },
          )}
          aria-invalid={reason !== null}
          aria-describedby={noteId}
          autoCapitalize="off"
          autoComplete="off"
          spellCheck={false}
          className={`${CONTROL} ${CONTROL_SIZE.admin} flex-1 basis-44`}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onBlur={settle}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            // Not the form around it.
            event.preventDefault();
            settle();
          }}
        />
        {suggestion !== null && (
          <Button onClick={() => onCorrect(suggestion)}>
            {t(
              /* a button; {address}: that was probably meant */ 'people.correct.use',
              'Use {address}',
              { address: suggestion },
            )}
          </Button>
        )}
      </div>
      {reason === null ? (
        <FieldNote
          id={noteId}
          hint={t(
            /* it: an email address */ 'people.correct.mistyped',
            'Possibly mistyped. It is sent as it is unless you change it.',
          )}
        />
      ) : (
        <FieldNote
          id={noteId}
          error={`${reason}. ${t(/* it: an entry of a list */ 'people.correct.hint', 'Correct it, or empty the field to remove it.')}`}
        />
      )}
    </li>
  );
}
