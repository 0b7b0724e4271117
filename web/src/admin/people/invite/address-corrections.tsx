import { t } from '@invigil/core/texts/i18n';
import { SpellCheck } from 'lucide-react';
import { useId } from 'react';
import { Button } from '../../../ui/button.tsx';
import { CorrectionField } from '../sheet/correction-field.tsx';
import type { Correction } from './correct-addresses.ts';

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
        <h3 id={headId} className="font-semibold">
          {t(
            /* check: a request */ 'invite.corrections.title',
            '{count, plural, one {Check # address} other {Check # addresses}}',
            { count: corrections.length },
          )}
        </h3>
        {suggested.length > 1 && (
          <Button size="dense" icon={<SpellCheck />} onClick={() => onCorrect(new Map(suggested))}>
            {t(
              /* a button */ 'invite.corrections.useAll',
              '{count, plural, one {Use # suggestion} other {Use # suggestions}}',
              { count: suggested.length },
            )}
          </Button>
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
        <p className="text-sm text-ink-2">
          {t(
            /* addresses */ 'invite.corrections.more',
            '{count, plural, one {and # more} other {and # more}}',
            { count: corrections.length - SHOWN },
          )}
        </p>
      )}
    </section>
  );
}
