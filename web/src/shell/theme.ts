import { effect, signal } from '@preact/signals';

const kept = 'quarry.theme';
const themes = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const keptTheme = (): Theme => themes.find((name) => name === localStorage.getItem(kept)) ?? 'auto';

/** Light, dark, or as the system says. */
export const theme = signal<Theme>(keptTheme());

/** The next theme in turn. */
export function switchTheme(): void {
  theme.value = themes[(themes.indexOf(theme.value) + 1) % themes.length] ?? 'auto';
}

/** Applies the theme and keeps the choice, in all tabs. */
export function followTheme(): void {
  addEventListener('storage', ({ key }) => {
    if (key === kept) theme.value = keptTheme();
  });
  effect(() => {
    localStorage.setItem(kept, theme.value);
    document.documentElement.dataset.theme = theme.value;
  });
}
