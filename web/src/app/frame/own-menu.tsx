import { currentLanguage } from '@invigil/core/domain/locale';
import { t } from '@invigil/core/texts/i18n';
import { LANGUAGE_TAGS, LANGUAGES } from '@invigil/core/texts/languages';
import { useQueryClient } from '@tanstack/react-query';
import { BookOpen, CircleUser, Keyboard, Languages, Moon, Sun } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useNavigate } from 'react-router';
import { rememberLanguage } from '../../net/remember-language.ts';
import { changeLanguage } from '../../ui/language-menu.tsx';
import { Menu, MenuChoice, MenuItem } from '../../ui/menu.tsx';
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
  const client = useQueryClient();
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
      <MenuChoice
        icon={<Languages />}
        label={t(/* a menu */ 'language.label', 'Language')}
        value={currentLanguage()}
        options={LANGUAGE_TAGS.map((tag) => ({
          value: tag,
          label: (
            <bdi lang={tag} translate="no">
              {LANGUAGES[tag]}
            </bdi>
          ),
        }))}
        onSelect={(tag) =>
          void changeLanguage(tag, () => {
            rememberLanguage(tag);
            // Some of what the server has said is in words.
            void client.invalidateQueries();
          })
        }
      />
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
