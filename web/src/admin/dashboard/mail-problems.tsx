import { getMailProblems } from '@invigil/core/contract/invitations/outbox';
import { useQuery } from '@tanstack/react-query';
import { MailWarning } from 'lucide-react';
import { Link } from 'react-router';
import { endpointQuery } from '../../net/endpoint-query.ts';
import { Notice } from '../../ui/notice.tsx';

const PROBLEMS = endpointQuery(getMailProblems, {});
const LINK = 'font-medium underline underline-offset-4';

const emails = (n: number) => `${n.toLocaleString('en-GB')} ${n === 1 ? 'email' : 'emails'}`;

/** Email that failed or is delayed, with links to it. Renders nothing without problems. */
export function MailProblems() {
  const { data } = useQuery({ ...PROBLEMS, refetchOnMount: 'always' });
  if (data === undefined) return null;
  const { quizzes, other, delayed } = data;
  const failed = quizzes.reduce((sum, quiz) => sum + quiz.failed, 0) + other;
  if (failed + delayed === 0) return null;
  return (
    <div className="mb-4">
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
                {`${n.toLocaleString('en-GB')} ${n === 1 ? 'invitation' : 'invitations'} to ${title}`}
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
    </div>
  );
}
