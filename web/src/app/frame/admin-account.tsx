import { type Grant, isOwner } from '@invigil/core/domain/rights';
import { isolated } from '@invigil/core/domain/typed-text';
import { roleNames } from '@invigil/core/texts/roles';
import { BookOpen, ChevronsUpDown, CircleUser, Keyboard, LogOut, Moon, Sun } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useNavigate } from 'react-router';
import { useSession } from '../../lib/person/session.tsx';
import { Button } from '../../ui/button.tsx';
import { DiscardDialog } from '../../ui/dialogs/dialog.tsx';
import { hasUnsaved } from '../../ui/dialogs/unsaved.ts';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { chooseTheme, currentTheme } from '../../ui/theme.ts';
import { Tooltip } from '../../ui/tooltip.tsx';

/** `Administrator` for an owner, else the roles. */
const roleOf = (grants: readonly Grant[]) =>
  isOwner(grants) ? 'Administrator' : roleNames(grants);

/**
 * A menu of one's own at the name, and *Sign out*, which is always in sight (specification 2). `onGo` closes
 * what it stands in.
 */
export function AdminAccount({
  rail = false,
  onGo,
  onShortcuts,
}: {
  rail?: boolean;
  onGo?: () => void;
  onShortcuts?: () => void;
}) {
  const { account, signOut } = useSession();
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
  return (
    <div
      className={`mt-auto grid grid-cols-[minmax(0,1fr)] gap-2.5 border-t border-line pt-3.5 ${rail ? 'lg:px-2' : 'px-2'}`}
    >
      <OwnMenu onGo={onGo} onShortcuts={onShortcuts}>
        <button
          type="button"
          title={account?.user.email}
          className={`group flex min-h-9 items-center gap-2.5 rounded-md px-2 py-1 text-left hover:bg-hover aria-expanded:bg-hover touch:min-h-11 ${rail ? 'justify-center lg:-mx-2 lg:justify-start' : '-mx-2'}`}
        >
          <CircleUser className="size-5 flex-none text-ink-3" />
          <span className={`min-w-0 flex-1 ${rail ? 'max-lg:sr-only' : ''}`}>
            <span className="block truncate font-medium">
              {isolated(account?.name || account?.user.email || '')}
            </span>
            <span className="block text-xs text-ink-3">
              {roleOf(account?.grants ?? [])}
              <span className="sr-only">: your menu</span>
            </span>
          </span>
          <ChevronsUpDown
            className={`size-4 flex-none text-ink-3 ${rail ? 'max-lg:hidden' : ''}`}
          />
        </button>
      </OwnMenu>
      {rail ? (
        <Tooltip text="Sign out" side="right" describes={false} className="lg:hidden">
          {signOutButton}
        </Tooltip>
      ) : (
        signOutButton
      )}
      <DiscardDialog open={asking} onCancel={() => setAsking(false)} onConfirm={leave} />
    </div>
  );
}

/** The theme is stored in this browser. */
function OwnMenu({
  onGo,
  onShortcuts,
  children,
}: {
  onGo: (() => void) | undefined;
  onShortcuts: (() => void) | undefined;
  children: ReactNode;
}) {
  const navigate = useNavigate();
  const [theme, setTheme] = useState(currentTheme);
  const other = theme === 'dark' ? 'light' : 'dark';
  const go = (path: string) => {
    onGo?.();
    void navigate(path);
  };
  return (
    <Menu trigger={children}>
      <MenuItem icon={<CircleUser />} onSelect={() => go('/admin/account')}>
        Your account
      </MenuItem>
      <MenuItem icon={<BookOpen />} onSelect={() => go('/admin/guide')}>
        Guide
      </MenuItem>
      {onShortcuts !== undefined && (
        <MenuItem icon={<Keyboard />} onSelect={onShortcuts}>
          Keyboard shortcuts
        </MenuItem>
      )}
      <MenuItem
        icon={theme === 'dark' ? <Sun /> : <Moon />}
        onSelect={() => {
          chooseTheme(other);
          setTheme(other);
        }}
      >
        {`Use ${other} appearance`}
      </MenuItem>
    </Menu>
  );
}
