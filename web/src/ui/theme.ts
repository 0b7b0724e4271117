const NAME = 'invigil-theme';

export type Theme = 'light' | 'dark';

/** What an administrator selected on this browser; `null` = as the system is. */
function chosenTheme(): Theme | null {
  try {
    const stored = localStorage.getItem(NAME);
    return stored === 'light' || stored === 'dark' ? stored : null;
  } catch {
    // Storage is switched off: the system's choice stands.
    return null;
  }
}

/** What is on the screen now. */
export function currentTheme(): Theme {
  const chosen = document.documentElement.dataset.theme;
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

/** Puts the remembered choice on the page. */
export function applyChosenTheme(): void {
  const theme = chosenTheme();
  if (theme !== null) document.documentElement.dataset.theme = theme;
}

/** Back to the system's choice, without forgetting: candidates and the sign-in page have no switch. */
export function leaveChosenTheme(): void {
  delete document.documentElement.dataset.theme;
}

/** Selects and remembers. */
export function chooseTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
  try {
    localStorage.setItem(NAME, theme);
  } catch {
    // Storage is switched off: the choice lasts as long as the page.
    return;
  }
}
