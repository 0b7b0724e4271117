import {
  ClipboardList,
  Folder,
  LayoutDashboard,
  Library,
  SlidersHorizontal,
  Users,
} from 'lucide-react';
import { Link, useLocation } from 'react-router';
import { Tooltip } from '../../ui/tooltip.tsx';

const PAGES = [
  { to: '/admin/dashboard', name: 'Dashboard', Icon: LayoutDashboard },
  { to: '/admin/quizzes', name: 'Assessments', Icon: ClipboardList },
  { to: '/admin/questions', name: 'Questions', Icon: Library },
  { to: '/admin/participants', name: 'Participants', Icon: Users },
  { to: '/admin/categories', name: 'Categories', Icon: Folder },
  { to: '/admin/settings', name: 'Settings', Icon: SlidersHorizontal },
] as const;

/** The five sections (specification 2) and the question bank: icons with tooltips in the rail, otherwise with labels. */
export function AdminNav({ rail = false, onGo }: { rail?: boolean; onGo?: () => void }) {
  const { pathname } = useLocation();
  return (
    <nav aria-label="Main" className="grid gap-0.5">
      {PAGES.map(({ to, name, Icon }) => {
        const isCurrent =
          pathname === to ||
          pathname.startsWith(`${to}/`) ||
          (pathname === '/admin' && name === 'Dashboard');
        const link = (
          <Link
            key={to}
            to={to}
            {...(onGo === undefined ? {} : { onClick: onGo })}
            {...(isCurrent ? { 'aria-current': 'page' as const } : {})}
            className={`group flex min-h-9 items-center gap-2.5 rounded-md px-2.5 font-medium text-ink-2 transition-colors hover:bg-hover hover:text-ink aria-[current=page]:bg-accent-soft aria-[current=page]:text-accent-ink touch:min-h-11 ${rail ? 'justify-center lg:justify-start' : ''}`}
          >
            <Icon className="size-5 flex-none text-ink-3 group-aria-[current=page]:text-inherit" />
            <span className={rail ? 'sr-only lg:not-sr-only' : ''}>{name}</span>
          </Link>
        );
        if (!rail) return link;
        return (
          <Tooltip key={to} text={name} side="right" describes={false} className="lg:hidden">
            {link}
          </Tooltip>
        );
      })}
    </nav>
  );
}
