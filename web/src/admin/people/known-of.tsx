import type { Participant } from '@invigil/core/contract/review/participants';

/** Number and groups of a person, where they are known. */
export function KnownOf({ person }: { person: Pick<Participant, 'externalId' | 'groups'> }) {
  const known = [person.externalId ?? [], person.groups ?? []].flat();
  if (known.length === 0) return null;
  return <span className="block text-sm wrap-anywhere text-ink-2">{known.join(' · ')}</span>;
}
