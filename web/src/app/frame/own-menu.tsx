import { t } from '@invigil/core/texts/i18n';
import { BookOpen, CircleUser, Keyboard, Moon, Sun } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useNavigate } from 'react-router';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { chooseTheme, currentTheme, themeText } from '../../ui/theme.ts';

export interface OwnMenuProps {
  /** Closes what the menu stands in. */
  onGo: (() => void) | undefined;
  /** Absent: there is no keyboard. */
  onShortcuts: (() => void) | undefined;
}

/** One's own account and what is set for oneself, in this browser. It is open when it comes. */
export function OwnMenu({ onGo, onShortcuts, children }: OwnMenuProps & { children: ReactNode }) {
  const navigate = useNavigate();
  const [theme, setTheme] = useState(currentTheme);
  const other = theme === 'dark' ? 'light' : 'dark';
  const go = (path: string) => {
    onGo?.();
    void navigate(path);
  };
  return (
    <Menu trigger={children} startsOpen>
      <MenuItem icon={<CircleUser />} onSelect={() => go('/admin/account')}>
        {t('portal.ownMenu.account', 'Your account')}
      </MenuItem>
      <MenuItem icon={<BookOpen />} onSelect={() => go('/admin/guide')}>
        {t(/* to the portal */ 'portal.ownMenu.guide', 'Guide')}
      </MenuItem>
      {onShortcuts !== undefined && (
        <MenuItem icon={<Keyboard />} onSelect={onShortcuts}>
          {t('portal.shortcuts', 'Keyboard shortcuts')}
        </MenuItem>
      )}
      <MenuItem
        icon={theme === 'dark' ? <Sun /> : <Moon />}
        onSelect={() => {
          chooseTheme(other);
          setTheme(other);
        }}
      >
        {themeText(other)}
      </MenuItem>
    </Menu>
  );
}
