import { Moon, Sun } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from './icon-button.tsx';
import { chooseTheme, currentTheme } from './theme.ts';

/** Theme switch for administrators; stored in this browser. */
export function ThemeButton({ side = 'top' }: { side?: 'top' | 'right' | 'bottom' }) {
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
