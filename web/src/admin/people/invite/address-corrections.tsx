import { numberText } from '@invigil/core/domain/locale';
import { SpellCheck } from 'lucide-react';
import { useId } from 'react';
import { Button } from '../../../ui/button.tsx';
import { CorrectionField } from '../sheet/correction-field.tsx';
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
  /** Receives the correction of each entry; an empty one removes it. */
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
          >{`Use ${numberText(suggested.length)} suggestions`}</Button>
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
        <p className="text-sm text-ink-2">{`and ${numberText(corrections.length - SHOWN)} more`}</p>
      )}
    </section>
  );
}
