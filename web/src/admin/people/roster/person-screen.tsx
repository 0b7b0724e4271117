import type { Person } from '@invigil/core/contract/invitations/people';
import { nameOf } from '@invigil/core/domain/people';
import { t } from '@invigil/core/texts/i18n';
import { Send } from 'lucide-react';
import { useState } from 'react';
import { useParams } from 'react-router';
import { timesInText } from '../../../lib/portal-times.ts';
import { ApiError, sentenceOf } from '../../../net/api.ts';
import { Button } from '../../../ui/button.tsx';
import { FailureNotice } from '../../../ui/failure-notice.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Card, PageHeader } from '../../../ui/page.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { useQuizzes } from '../../data/assessments.ts';
import { useMay, useMayAnywhere } from '../../data/own-rights.ts';
import { shownName, usePerson, usePersonInvitations } from '../../data/people.ts';
import { BackLink } from '../../parts/links.tsx';
import { PersonData } from '../../parts/person-data.tsx';
import { InvitePeople } from '../invite/invite-people.tsx';
import { KnownDetails, PersonDetails } from './person-details.tsx';
import { PersonInvitations } from './person-invitations.tsx';

/** /admin/people/:id: what is known of a person, and their invitations and attempts. */
export function PersonScreen() {
  const { id = '' } = useParams();
  const person = usePerson(id);
  return (
    <>
      <BackLink to="/admin/people">{t('portal.people', 'People')}</BackLink>
      {person.data !== undefined ? (
        <PersonPage key={id} person={person.data} />
      ) : person.isError ? (
        <NoPerson read={person} />
      ) : (
        <Card>
          <title>
            {t(
              /* Invigil: the name of this software */ 'people.person.documentTitle',
              'Person · Invigil',
            )}
          </title>
          <SkeletonRows rows={6}>
            {t('people.person.loading', 'Loading the person...')}
          </SkeletonRows>
        </Card>
      )}
    </>
  );
}

function NoPerson({ read }: { read: ReturnType<typeof usePerson> }) {
  const { error } = read;
  const isGone = error instanceof ApiError && [400, 404].includes(error.status);
  return (
    <>
      <title>
        {t(
          /* Invigil: the name of this software */ 'people.person.documentTitle',
          'Person · Invigil',
        )}
      </title>
      <h1 className="sr-only">{t('people.person.title', 'Person')}</h1>
      <FailureNotice
        title={
          isGone
            ? t('people.person.notFound', 'Person not found')
            : t('people.person.failed', 'Failed to load the person')
        }
        {...(isGone ? {} : { onRetry: () => void read.refetch() })}
        retrying={read.isFetching}
      >
        {isGone
          ? t(
              /* address: of the page */ 'people.person.gone',
              'The address may be wrong, or this person is in none of your assessments.',
            )
          : sentenceOf(error)}
      </FailureNotice>
    </>
  );
}

function PersonPage({ person }: { person: Person }) {
  const { id, email } = person;
  const invitations = usePersonInvitations(id);
  const mayEdit = useMayEdit((invitations.data ?? []).map(({ quizId }) => quizId));
  const mayInvite = useMayAnywhere()('people.invite');
  const [inviting, setInviting] = useState(false);
  return (
    <div className="@container">
      <PageHeader
        title={shownName(person)}
        subtitle={
          <span className="flex flex-wrap gap-x-4">
            {nameOf(person) !== '' && email !== null && (
              <span className="wrap-anywhere">{email}</span>
            )}
            {person.externalId !== '' && <span>{person.externalId}</span>}
            {person.groups.length > 0 && <span>{person.groups.join(' · ')}</span>}
          </span>
        }
      >
        {mayInvite && email !== null && (
          <Button icon={<Send />} onClick={() => setInviting(true)}>
            {t(/* a button */ 'people.invite', 'Invite…')}
          </Button>
        )}
      </PageHeader>
      {email === null && (
        <div className="mb-4">
          <Notice title={t('people.person.erased', 'The data of this person was erased.')}>
            {t('people.person.erasedStays', 'Scores and answers stay without a name.')}
          </Notice>
        </div>
      )}
      <div className="grid items-start gap-4 @min-[57rem]:grid-cols-[minmax(0,1.6fr)_minmax(0,1fr)]">
        <PersonInvitations invitations={invitations} />
        <div className="grid min-w-0 gap-4">
          {email !== null &&
            (mayEdit ? (
              <PersonDetails person={person} email={email} />
            ) : (
              <KnownDetails person={person} />
            ))}
          <PersonData
            userId={id}
            email={email}
            isRunning={(invitations.data ?? []).some(({ status }) => status === 'in_progress')}
          />
        </div>
      </div>
      <p className="mt-3 text-sm text-ink-3">{timesInText()}</p>
      {inviting && email !== null && (
        <InvitePeople emails={[email]} onClose={() => setInviting(false)} />
      )}
    </div>
  );
}

/** Whether the reader may change someone who was invited to these assessments. */
function useMayEdit(quizIds: readonly string[]): boolean {
  const may = useMay();
  const quizzes = useQuizzes().data ?? [];
  return (
    may('people.invite') ||
    quizIds.some((quizId) => {
      const categoryId = quizzes.find(({ id }) => id === quizId)?.categoryId;
      return may('people.invite', { quizId, categoryId });
    })
  );
}
