import {
  getMailProblems,
  type MailProblems as Problems,
} from '@invigil/core/contract/invitations/outbox';
import { useQuery } from '@tanstack/react-query';
import { MailWarning } from 'lucide-react';
import { Link } from 'react-router';
import { formatDateTime } from '../../lib/dates.ts';
import { endpointQuery } from '../../net/endpoint-query.ts';
import { Notice } from '../../ui/notice.tsx';
import { invitations } from '../invitations/invitation-words.ts';

const PROBLEMS = endpointQuery(getMailProblems, {});
const LINK = 'font-medium underline underline-offset-4';

const emails = (n: number) => `${n.toLocaleString('en-GB')} ${n === 1 ? 'email' : 'emails'}`;

/** Email that failed or is delayed, with links to it. Renders nothing without problems. */
export function MailProblems() {
  const { data } = useQuery(PROBLEMS);
  if (data === undefined) return null;
  const { quizzes, other, delayed, paused } = data;
  const failed = quizzes.reduce((sum, quiz) => sum + quiz.failed, 0) + other;
  if (failed + delayed === 0 && paused === undefined) return null;
  return (
    <div className="mb-4 grid gap-4">
      {paused !== undefined && <Paused {...paused} />}
      {failed + delayed > 0 && (
        <Notice
          tone={failed > 0 ? 'bad' : 'warn'}
          icon={<MailWarning />}
          title={
            failed > 0
              ? `${emails(failed)} could not be delivered`
              : `${emails(delayed)} ${delayed === 1 ? 'is' : 'are'} delayed`
          }
        >
          <ul className="grid gap-0.5">
            {quizzes.map(({ id, title, failed: n }) => (
              <li key={id}>
                <Link to={`/admin/quizzes/${id}/invitations?state=failed`} className={LINK}>
                  {`${invitations(n)} to ${title}`}
                </Link>
              </li>
            ))}
            {other > 0 && (
              <li>
                <Link to="/admin/settings/outbox" className={LINK}>
                  {`${emails(other)} in the outbox`}
                </Link>
              </li>
            )}
            {delayed > 0 && (
              <li>
                {`The mail server has not accepted ${emails(delayed)} after several tries. `}
                <Link to="/admin/settings/outbox" className={LINK}>
                  Open the outbox
                </Link>
              </li>
            )}
          </ul>
        </Notice>
      )}
    </div>
  );
}

/** Why no message goes out, what the provider said, and what to do. */
function Paused({ reason, advice, waiting, nextTryAt }: NonNullable<Problems['paused']>) {
  return (
    <Notice
      tone="warn"
      icon={<MailWarning />}
      title={`${emails(waiting)} ${waiting === 1 ? 'waits' : 'wait'} for your mail provider`}
    >
      <p className="wrap-anywhere">{/[.!?]$/.test(reason) ? reason : `${reason}.`}</p>
      <p>{advice}</p>
      <p>
        {`No email is lost or marked as failed. Next try: ${formatDateTime(nextTryAt)}. `}
        <Link to="/admin/settings/outbox" className={LINK}>
          Open the outbox
        </Link>
      </p>
    </Notice>
  );
}
