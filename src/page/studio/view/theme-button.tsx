import { useEffect, useState, type ReactElement } from 'react';
import { texts } from '../texts.js';

const themes = ['system', 'light', 'dark'] as const;
type Theme = (typeof themes)[number];
const key = 'promptwire theme';

const kept = (): Theme => themes.find((theme) => theme === localStorage.getItem(key)) ?? 'system';

/** Changes between the theme of the system, the light one and the dark one. */
export const ThemeButton = (): ReactElement => {
  const [theme, setTheme] = useState<Theme>(kept);
  useEffect(() => {
    document.documentElement.style.colorScheme = theme === 'system' ? '' : theme;
    localStorage.setItem(key, theme);
  }, [theme]);
  const next = themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system';
  return (
    <button
      type="button"
      className="quiet icon"
      onClick={() => setTheme(next)}
      aria-label={texts.theme.next(theme, next)}
    >
      <span aria-hidden="true">{{ system: '◐', light: '☀', dark: '☾' }[theme]}</span>
    </button>
  );
};
