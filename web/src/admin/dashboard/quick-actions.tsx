import { ChartNoAxesColumn, ChevronRight, Plus, Send } from 'lucide-react';
import { Link } from 'react-router';
import { Card } from '../../ui/card.tsx';

const ACTIONS = [
  // The list opens the dialog, but not again on Back.
  { name: 'Create New Assessment', to: '/admin/quizzes', state: { create: true }, Icon: Plus },
  { name: 'Send Invitations', to: '/admin/quizzes', state: null, Icon: Send },
  { name: 'View Reports', to: '/admin/participants', state: null, Icon: ChartNoAxesColumn },
] as const;

/** Shortcuts to the most frequent tasks. */
export function QuickActions() {
  return (
    <Card title="Quick Actions">
      <ul>
        {ACTIONS.map(({ name, to, state, Icon }) => (
          <li key={name} className="border-b border-line last:border-b-0">
            <Link
              to={to}
              state={state}
              className="flex min-h-12 items-center gap-3 pr-4 pl-5 font-medium hover:bg-hover"
            >
              <Icon aria-hidden="true" className="size-5 flex-none text-accent-ink" />
              <span>{name}</span>
              <ChevronRight className="ml-auto size-4 flex-none text-ink-3" />
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}
