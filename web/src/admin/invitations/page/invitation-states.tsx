import type { InvitationCounts } from '@invigil/core/contract/invitations/invitations';
import { INVITATION_STATES, type InvitationState } from '@invigil/core/domain/invitation-states';
import { SelectControl } from '../../../ui/fields/select-field.tsx';
import { STATE_WORDS } from '../invitation-words.ts';

const ALL = 'all';

const GROUPS: readonly { label: string; states: readonly InvitationState[] }[] = [
  { label: 'Email', states: ['queued', 'sent', 'uncertain', 'failed'] },
  {
    label: 'Candidate',
    states: ['not_started', 'signed_in', 'code_ending', 'started', 'finished', 'revoked'],
  },
];

/** The states to filter the list by, with their counts. */
export function InvitationStates({
  counts,
  state,
  onState,
}: {
  counts: InvitationCounts | undefined;
  state: InvitationState | null;
  onState(state: InvitationState | null): void;
}) {
  // Rare: it has no button until it has people.
  const isShown = (each: InvitationState) =>
    each !== 'code_ending' || each === state || (counts?.[each] ?? 0) > 0;
  const options = [null, ...GROUPS.flatMap(({ states }) => states.filter(isShown))].map((each) => ({
    value: each ?? ALL,
    label: `${each === null ? 'All' : STATE_WORDS[each]} (${figureOf(counts?.[each ?? 'all'])})`,
  }));
  return (
    <>
      {/* A phone has no room for ten buttons: use a select. */}
      <SelectControl
        aria-label="State"
        className="sm:hidden!"
        options={options}
        value={state ?? ALL}
        onChange={(value) => onState(INVITATION_STATES.find((each) => each === value) ?? null)}
      />
      <div className="flex flex-wrap items-center gap-x-5 gap-y-2 max-sm:hidden">
        <Filter
          word="All"
          n={counts?.all}
          isPressed={state === null}
          onPress={() => onState(null)}
        />
        {GROUPS.map(({ label, states }) => (
          <fieldset key={label} className="flex flex-wrap items-center gap-1.5">
            <legend className="float-left mr-1 text-sm text-ink-3">{label}</legend>
            {states.filter(isShown).map((each) => (
              <Filter
                key={each}
                word={STATE_WORDS[each]}
                n={counts?.[each]}
                isBad={each === 'failed'}
                isPressed={state === each}
                onPress={() => onState(state === each ? null : each)}
              />
            ))}
          </fieldset>
        ))}
      </div>
    </>
  );
}

const figureOf = (n: number | undefined) => n?.toLocaleString('en-GB') ?? '–';

function Filter({
  word,
  n,
  isBad = false,
  isPressed,
  onPress,
}: {
  word: string;
  n: number | undefined;
  isBad?: boolean;
  isPressed: boolean;
  onPress(): void;
}) {
  const ink = isBad && n !== undefined && n > 0 ? 'text-bad-ink' : n === 0 ? 'text-ink-3' : '';
  return (
    <button
      type="button"
      aria-pressed={isPressed}
      onClick={onPress}
      className="inline-flex min-h-8 items-center gap-1.5 rounded-md border border-line-2 bg-surface px-2.5 text-sm text-ink-2 transition-colors hover:bg-hover hover:text-ink aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-accent-ink touch:min-h-11"
    >
      <span>{word}</span>
      <span className={`font-medium tabular-nums ${isPressed ? '' : ink}`}>{figureOf(n)}</span>
    </button>
  );
}
