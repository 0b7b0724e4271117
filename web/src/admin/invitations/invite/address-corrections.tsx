import { SpellCheck } from 'lucide-react';
import { useId, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { CONTROL, CONTROL_SIZE, FieldNote } from '../../../ui/fields/field.tsx';
import type { Correction } from './correct-addresses.ts';
import { many } from './invite-progress.tsx';

/** More of them are no list of addresses. */
const SHOWN = 50;

/** Entries that are no addresses or look mistyped, each in a field of its own. */
export function AddressCorrections({
  corrections,
  onCorrect,
}: {
  corrections: readonly Correction[];
  /** What each entry becomes; nothing removes it. */
  onCorrect(to: ReadonlyMap<string, string>): void;
}) {
  const headId = useId();
  if (corrections.length === 0) return null;
  const suggested = corrections.flatMap(({ entry, suggestion }): [string, string][] =>
    suggestion === null ? [] : [[entry, suggestion]],
  );
  return (
    <section
      aria-labelledby={headId}
      className="grid gap-3 rounded-lg border border-line px-4 py-3.5"
    >
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h3 id={headId} className="font-semibold">{`Check ${many(corrections.length)}`}</h3>
        {suggested.length > 1 && (
          <Button
            size="dense"
            icon={<SpellCheck />}
            onClick={() => onCorrect(new Map(suggested))}
          >{`Use ${suggested.length.toLocaleString('en-GB')} suggestions`}</Button>
        )}
      </div>
      <ul className="grid gap-3">
        {corrections.slice(0, SHOWN).map((correction) => (
          <CorrectionField
            key={correction.entry}
            {...correction}
            onCorrect={(to) => onCorrect(new Map([[correction.entry, to]]))}
          />
        ))}
      </ul>
      {corrections.length > SHOWN && (
        <p className="text-sm text-ink-2">{`and ${(corrections.length - SHOWN).toLocaleString('en-GB')} more`}</p>
      )}
    </section>
  );
}

function CorrectionField({
  entry,
  reason,
  suggestion,
  onCorrect,
}: Correction & { onCorrect(to: string): void }) {
  const noteId = useId();
  const [typed, setTyped] = useState(entry);
  // When the field is left: on the way to an address there are others, "a@x.co".
  const settle = () => typed.trim() !== entry && onCorrect(typed.trim());
  return (
    <li className="grid gap-1.5">
      <div className="flex flex-wrap gap-2">
        <input
          type="text"
          aria-label={`Correct ${entry}`}
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
          <Button onClick={() => onCorrect(suggestion)}>{`Use ${suggestion}`}</Button>
        )}
      </div>
      {reason === null ? (
        <FieldNote
          id={noteId}
          hint="Possibly mistyped. It is sent as it is unless you change it."
        />
      ) : (
        <FieldNote id={noteId} error={`${reason}. Correct it, or empty the field to remove it.`} />
      )}
    </li>
  );
}
