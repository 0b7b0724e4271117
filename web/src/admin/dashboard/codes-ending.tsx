import type { Stats } from '@invigil/core/contract/review/stats';
import { KeyRound } from 'lucide-react';
import { Link } from 'react-router';
import { formatDateTime } from '../../lib/dates.ts';
import { Notice } from '../../ui/notice.tsx';
import { invitations } from '../invitations/invitation-words.ts';

/** Unused one-time passwords that end within a week, with links to their holders; hidden if there are none. */
export function CodesEnding({ quizzes }: { quizzes: Stats['codesEnding'] }) {
  if (quizzes.length === 0) return null;
  return (
    <div className="mb-4">
      <Notice tone="warn" icon={<KeyRound />} title="Unused one-time passwords end within a week">
        <ul className="grid gap-0.5">
          {quizzes.map(({ quizId, title, people, until }) => (
            <li key={quizId}>
              <Link
                to={`/admin/quizzes/${quizId}/invitations?state=code_ending`}
                className="font-medium underline underline-offset-4"
              >
                {`${invitations(people)} to ${title}`}
              </Link>
              {people === 1 ? ', on ' : ', the first on '}
              <time dateTime={until}>{formatDateTime(until)}</time>
            </li>
          ))}
        </ul>
      </Notice>
    </div>
  );
}
