import { type Grant, isOwner } from '@invigil/core/domain/rights';
import { isolated } from '@invigil/core/domain/typed-text';
import { roleNames } from '@invigil/core/texts/roles';
import { BookOpen, CircleUser, LogOut, Moon, Sun } from 'lucide-react';
import { useState } from 'react';
import { Link, useLocation } from 'react-router';
import { useSession } from '../../lib/person/session.tsx';
import { Button } from '../../ui/button.tsx';
import { DiscardDialog } from '../../ui/dialogs/dialog.tsx';
import { hasUnsaved } from '../../ui/dialogs/unsaved.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { chooseTheme, currentTheme } from '../../ui/theme.ts';
import { Tooltip } from '../../ui/tooltip.tsx';

/** `Administrator` for an owner, else the roles. */
const roleOf = (grants: readonly Grant[]) =>
  isOwner(grants) ? 'Administrator' : roleNames(grants);

export function AdminAccount({ rail = false, onGo }: { rail?: boolean; onGo?: () => void }) {
  const { account, signOut } = useSession();
  const { pathname } = useLocation();
  const [asking, setAsking] = useState(false);
  const [leaving, setLeaving] = useState(false);
  const leave = () => {
    setAsking(false);
    setLeaving(true);
    void signOut();
  };
  const signOutButton = (
    <Button
      size="dense"
      full
      onClick={() => (hasUnsaved() ? setAsking(true) : leave())}
      busy={leaving && 'Signing out…'}
      icon={<LogOut />}
      className={
        rail
          ? 'whitespace-nowrap max-lg:px-0! lg:px-2! lg:max-xl:[&_svg]:hidden max-lg:[&>span:last-child]:sr-only'
          : ''
      }
    >
      Sign out
    </Button>
  );
  const own = (
    <Link
      to="/admin/account"
      onClick={onGo}
      {...(pathname === '/admin/account' ? { 'aria-current': 'page' as const } : {})}
      className={`group flex min-h-9 items-center gap-2.5 rounded-md px-2 py-1 hover:bg-hover aria-[current=page]:bg-accent-soft ${rail ? 'justify-center lg:-mx-2 lg:justify-start' : '-mx-2'}`}
    >
      <CircleUser className="size-5 flex-none text-ink-3 group-aria-[current=page]:text-accent-ink" />
      <span className={`min-w-0 ${rail ? 'max-lg:sr-only' : ''}`}>
        <span className="block truncate font-medium" title={account?.user.email}>
          {isolated(account?.name || account?.user.email || '')}
        </span>
        <span className="block text-xs text-ink-3">
          {roleOf(account?.grants ?? [])}
          <span className="sr-only">: your account</span>
        </span>
      </span>
    </Link>
  );
  return (
    <div
      className={`mt-auto grid grid-cols-[minmax(0,1fr)] gap-2.5 border-t border-line pt-3.5 ${rail ? 'lg:px-2' : 'px-2'}`}
    >
      {rail ? (
        <Tooltip text="Your account" side="right" describes={false} className="lg:hidden">
          {own}
        </Tooltip>
      ) : (
        own
      )}
      <div className={`flex items-center gap-2 ${rail ? 'max-lg:flex-col-reverse' : ''}`}>
        <div className="min-w-0 flex-1 max-lg:w-full">
          {rail ? (
            <Tooltip text="Sign out" side="right" describes={false} className="lg:hidden">
              {signOutButton}
            </Tooltip>
          ) : (
            signOutButton
          )}
        </div>
        <Tooltip text="Guide" side={rail ? 'right' : 'top'} describes={false}>
          <Link
            to="/admin/guide"
            aria-label="Guide"
            onClick={onGo}
            className="inline-grid size-8 place-items-center rounded-md text-ink-2 hover:bg-hover hover:text-ink touch:size-11"
          >
            <BookOpen className="size-4.5" />
          </Link>
        </Tooltip>
        <ThemeButton side={rail ? 'right' : 'top'} />
      </div>
      <DiscardDialog open={asking} onCancel={() => setAsking(false)} onConfirm={leave} />
    </div>
  );
}

/** Theme switch for administrators; stored in this browser. */
function ThemeButton({ side = 'top' }: { side?: 'top' | 'right' | 'bottom' }) {
  const [theme, setTheme] = useState(currentTheme);
  const other = theme === 'dark' ? 'light' : 'dark';
  return (
    <IconButton
      label={`Use ${other} appearance`}
      side={side}
      onClick={() => {
        chooseTheme(other);
        setTheme(other);
      }}
    >
      {theme === 'dark' ? <Sun /> : <Moon />}
    </IconButton>
  );
}
