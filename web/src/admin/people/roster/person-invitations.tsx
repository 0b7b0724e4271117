import { listText } from '@invigil/core/domain/locale';
import { t } from '@invigil/core/texts/i18n';
import { Link } from 'react-router';
import { scoreText } from '../../../lib/score-text.ts';
import { StatusBadge } from '../../../ui/badges/badge.tsx';
import { Card, EmptyState } from '../../../ui/page.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { useMayOn, useQuizzes } from '../../data/assessments.ts';
import { useAccommodationTexts } from '../../data/invitations.ts';
import type { usePersonInvitations } from '../../data/people.ts';
import { LoadFailure } from '../../parts/failures.tsx';
import { LatestStep, MailOf } from '../invitations/invitations-list.tsx';

type Read = ReturnType<typeof usePersonInvitations>;
type PersonInvitation = NonNullable<Read['data']>[number];

const LINK =
  'font-medium text-accent-ink underline-offset-4 hover:underline touch:inline-flex touch:min-h-11 touch:items-center';

/** Each assessment that a person was invited to, and how far they are. */
export function PersonInvitations({ invitations: read }: { invitations: Read }) {
  const { data } = read;
  if (data === undefined && read.isError) {
    return (
      <LoadFailure
        title={t('people.invitations.failed', 'Failed to load invitations')}
        read={read}
      />
    );
  }
  return (
    <Card title={t('portal.assessments', 'Assessments')}>
      {data === undefined ? (
        <SkeletonRows>{t('people.invitations.loading', 'Loading invitations...')}</SkeletonRows>
      ) : data.length === 0 ? (
        <EmptyState>{t('people.invitations.none', 'Not invited to an assessment yet.')}</EmptyState>
      ) : (
        <ul className="tabular-nums">
          {data.map((invitation) => (
            <Invited key={invitation.id} invitation={invitation} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function Invited({ invitation }: { invitation: PersonInvitation }) {
  const { quizId, quizTitle, participantId, attempt } = invitation;
  const may = useMayOn(quizId);
  // An archived one has no page.
  const isListed = useQuizzes().data?.some(({ id }) => id === quizId) ?? false;
  const score = attempt && scoreText(attempt, ' of ');
  const arranged = useAccommodationTexts(invitation);
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 border-b border-line px-5 py-3 last:border-b-0">
      <div className="grid min-w-0 flex-1 basis-60 justify-items-start gap-1">
        {isListed ? (
          <Link to={`/admin/quizzes/${quizId}`} className={`${LINK} wrap-anywhere`}>
            {quizTitle}
          </Link>
        ) : (
          <span className="font-medium wrap-anywhere">{quizTitle}</span>
        )}
        <span className="text-sm text-ink-2">
          <LatestStep invitation={invitation} />
        </span>
        {arranged.length > 0 && (
          <span className="text-sm text-ink-2">
            {t(
              /* {list}: '+25 % time', 'no camera' */ 'people.accommodations',
              'Accommodations: {list}',
              { list: listText(arranged, 'unit') },
            )}
          </span>
        )}
      </div>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5 sm:justify-end">
        {score != null && <span className="font-medium">{score}</span>}
        {participantId === null && <MailOf invitation={invitation} />}
        <StatusBadge status={invitation.status} />
        {participantId !== null && may('records.see') && (
          <Link
            to={`/admin/participants/${participantId}`}
            aria-label={t(
              /* of an attempt; {title}: of an assessment */ 'people.invitations.openRecord',
              'Open the record of {title}',
              { title: quizTitle },
            )}
            className={`${LINK} text-sm`}
          >
            {t(/* a link, to the record of an attempt */ 'people.invitations.open', 'Open')}
          </Link>
        )}
      </div>
    </li>
  );
}
