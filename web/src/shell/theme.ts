import { effect, signal } from '@preact/signals';

const kept = 'quarry.theme';
const themes = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

/** Light, dark, or as the system says. */
export const theme = signal<Theme>(themes.find((name) => name === localStorage.getItem(kept)) ?? 'auto');

/** The next theme in turn. */
export function switchTheme(): void {
  theme.value = themes[(themes.indexOf(theme.value) + 1) % themes.length] ?? 'auto';
}

/** Applies the theme and keeps the choice. */
export function followTheme(): void {
  effect(() => {
    localStorage.setItem(kept, theme.value);
    document.documentElement.dataset.theme = theme.value;
  });
}
