import { t } from '@invigil/core/texts/i18n';

const NAME = 'invigil-theme';

export type Theme = 'light' | 'dark';

/** The theme an administrator selected on this browser; `null`: follow the system. */
function selectedTheme(): Theme | null {
  try {
    const stored = localStorage.getItem(NAME);
    return stored === 'light' || stored === 'dark' ? stored : null;
  } catch {
    // Storage is not available: follow the system.
    return null;
  }
}

export function currentTheme(): Theme {
  const theme = document.documentElement.dataset.theme;
  if (theme === 'light' || theme === 'dark') return theme;
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

/** The words on a control that selects a theme. */
export const themeText = (theme: Theme): string =>
  theme === 'dark'
    ? t(/* a command */ 'portal.theme.dark', 'Use dark appearance')
    : t(/* a command */ 'portal.theme.light', 'Use light appearance');

export function applySelectedTheme(): void {
  const theme = selectedTheme();
  if (theme !== null) document.documentElement.dataset.theme = theme;
}

/** Follows the system, keeping the stored theme: candidates and the sign-in page have no switch. */
export function leaveSelectedTheme(): void {
  delete document.documentElement.dataset.theme;
}

export function chooseTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
  try {
    localStorage.setItem(NAME, theme);
  } catch {
    // Storage is not available: the theme lasts as long as the page.
    return;
  }
}
