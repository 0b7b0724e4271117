import type { Participant } from '@invigil/core/contract/review/participants';
import type { ReactNode } from 'react';

/** Below the name of a person: the address, which otherwise stands in its place, number and groups. */
export function KnownOf({
  person: { userName, externalId, groups },
  email,
}: {
  person: Pick<Participant, 'userName' | 'externalId' | 'groups'>;
  email: ReactNode;
}) {
  const known = [externalId ?? [], groups ?? []].flat();
  const line = 'block text-sm wrap-anywhere text-ink-2';
  return (
    <>
      {userName !== undefined && <span className={line}>{email}</span>}
      {known.length > 0 && <span className={line}>{known.join(' · ')}</span>}
    </>
  );
}
