import { type Grant, isOwner } from '@invigil/core/domain/rights';
import { isolated } from '@invigil/core/domain/typed-text';
import { t } from '@invigil/core/texts/i18n';
import { roleNames } from '@invigil/core/texts/roles';
import { ChevronsUpDown, CircleUser, LogOut } from 'lucide-react';
import { cloneElement, type ReactElement, Suspense, useState } from 'react';
import { useSession } from '../../lib/person/session.tsx';
import { Button } from '../../ui/button.tsx';
import { DiscardDialog } from '../../ui/dialogs/dialog.tsx';
import { hasUnsaved } from '../../ui/dialogs/unsaved.ts';
import { Tooltip } from '../../ui/tooltip.tsx';
import { Trans } from '../../ui/trans.tsx';
import { late } from '../screen.ts';
import type { OwnMenuProps } from './own-menu.tsx';

/** `Administrator` for an owner, else the roles. */
const roleOf = (grants: readonly Grant[]) =>
  isOwner(grants)
    ? t(/* the role of an owner */ 'portal.administrator', 'Administrator')
    : roleNames(grants);

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
      busy={leaving && t('portal.signOut.busy', 'Signing out…')}
      icon={<LogOut />}
      className={
        rail
          ? 'whitespace-nowrap max-lg:px-0! lg:px-2! lg:max-xl:[&_svg]:hidden max-lg:[&>span:last-child]:sr-only'
          : ''
      }
    >
      {t(/* a button */ 'portal.signOut', 'Sign out')}
    </Button>
  );
  return (
    <div
      className={`mt-auto grid grid-cols-[minmax(0,1fr)] gap-2.5 border-t border-line pt-3.5 ${rail ? 'lg:px-2' : 'px-2'}`}
    >
      <MenuWhenAsked onGo={onGo} onShortcuts={onShortcuts}>
        <button
          type="button"
          aria-haspopup="menu"
          title={account?.user.email}
          className={`group flex min-h-9 items-center gap-2.5 rounded-md px-2 py-1 text-start hover:bg-hover aria-expanded:bg-hover touch:min-h-11 ${rail ? 'justify-center lg:-mx-2 lg:justify-start' : '-mx-2'}`}
        >
          <CircleUser className="size-5 flex-none text-ink-3" />
          <span className={`min-w-0 flex-1 ${rail ? 'max-lg:sr-only' : ''}`}>
            <bdi className="block w-fit max-w-full truncate font-medium">
              {isolated(account?.name || account?.user.email || '')}
            </bdi>
            <span className="block text-xs text-ink-3">
              <Trans
                id="portal.ownMenu"
                comment="the role of the administrator; in <menu> for screen readers"
                message="{role}<menu>: your menu</menu>"
                values={{ role: roleOf(account?.grants ?? []) }}
                components={{ menu: <span className="sr-only" /> }}
              />
            </span>
          </span>
          <ChevronsUpDown
            className={`size-4 flex-none text-ink-3 ${rail ? 'max-lg:hidden' : ''}`}
          />
        </button>
      </MenuWhenAsked>
      {rail ? (
        <Tooltip
          text={t(/* a button */ 'portal.signOut', 'Sign out')}
          side="end"
          describes={false}
          className="lg:hidden"
        >
          {signOutButton}
        </Tooltip>
      ) : (
        signOutButton
      )}
      <DiscardDialog open={asking} onCancel={() => setAsking(false)} onConfirm={leave} />
    </div>
  );
}

const fetchMenu = () => import('./own-menu.tsx');
const OwnMenu = late(fetchMenu, 'OwnMenu');

/** The code of menus comes when this one is about to be opened: no page waits for it. */
function MenuWhenAsked({ children, ...props }: OwnMenuProps & { children: ReactElement<Pressed> }) {
  const [isAsked, setAsked] = useState(false);
  const button = cloneElement(children, {
    onClick: () => setAsked(true),
    onPointerEnter: () => void fetchMenu().catch(() => undefined),
  });
  if (!isAsked) return button;
  return (
    <Suspense fallback={button}>
      <OwnMenu {...props}>{children}</OwnMenu>
    </Suspense>
  );
}

type Pressed = { onClick?: () => void; onPointerEnter?: () => void };
