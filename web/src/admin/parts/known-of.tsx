import type { Participant } from '@invigil/core/contract/review/participants';
import { t } from '@invigil/core/texts/i18n';
import { Fragment, type ReactNode } from 'react';
import { useMayAnywhere, useSeesWhoseAttempts } from '../data/own-rights.ts';
import { unknownText, useKnownTexts } from '../data/people.ts';
import { RowLink } from './links.tsx';

/** The line below a person's name: the address, which otherwise replaces the name, and other details. */
export function KnownOf({
  person,
  email,
}: {
  person: Pick<Participant, 'userName' | 'externalId' | 'groups' | 'fields'>;
  email: ReactNode;
}) {
  const known = useKnownTexts(person);
  const details = person.userName === undefined ? known : [email, ...known];
  // Each stays in one piece where it fits, so that a narrow column breaks between them.
  return details.length === 0 ? null : (
    <span className="block text-sm wrap-anywhere text-ink-2">
      {details.map((detail, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the details of a person stay in their order
        <Fragment key={i}>
          <span className="inline-block max-w-full">
            {detail}
            {i < details.length - 1 && ' ·'}
          </span>{' '}
        </Fragment>
      ))}
    </span>
  );
}

/** A long address breaks before its @ rather than anywhere. */
export function breakable(email: string): ReactNode {
  const at = Math.max(0, email.lastIndexOf('@'));
  return (
    <>
      {email.slice(0, at)}
      <wbr />
      {email.slice(at)}
    </>
  );
}

/** The word for a person whose address is missing: erased, or not for this reader to see. */
export const useNoName = (): string =>
  useSeesWhoseAttempts()
    ? unknownText()
    : t(/* in the place of a person's name */ 'portal.candidate', 'Candidate');

/** The name of a person as the way to their page, for those who may see people; an erased one has none. */
export function PersonLink({
  userId,
  isErased,
  children,
}: {
  userId: string;
  isErased: boolean;
  children: ReactNode;
}) {
  const maySee = useMayAnywhere()('people.see');
  if (isErased || !maySee) return children;
  return <RowLink to={`/admin/people/${userId}`}>{children}</RowLink>;
}
