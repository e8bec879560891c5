import { menu } from './menu.tsx';
import { paletteIsOpen } from './palette-open.ts';
import { goTo, linkTo, route } from './route.ts';

/** Milliseconds within which a letter after `g` leads to a view. */
const patience = 1500;

/** Whether the reader is typing a text. */
export function isTyping({ target }: Event): boolean {
  return target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null;
}

/** The keys that work in every view: `/` to the search, `g` and a letter to a view, `?` or Ctrl+K for all that can be done. */
export function followKeys(): () => void {
  let goingSince = Number.NEGATIVE_INFINITY;
  const onKey = (event: KeyboardEvent): void => {
    // Also from within a field: there a letter alone is one of the text.
    if (
      event.key.toLowerCase() === 'k' &&
      (event.ctrlKey || event.metaKey) &&
      !event.altKey &&
      !event.shiftKey
    ) {
      paletteIsOpen.value = true;
      event.preventDefault();
      return;
    }
    if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = menu.find(({ letter }) => letter === event.key);
    if (performance.now() - goingSince < patience && target) {
      goTo(linkTo(route.value.project, target.view));
      event.preventDefault();
    } else if (event.key === '/') {
      const isThere = route.value.view === 'search';
      if (!isThere) goTo(linkTo(route.value.project, 'search'));
      document.querySelector<HTMLInputElement>('[data-keys="query"]')?.select();
      event.preventDefault();
    } else if (event.key === '?') paletteIsOpen.value = true;
    goingSince = event.key === 'g' ? performance.now() : Number.NEGATIVE_INFINITY;
  };
  addEventListener('keydown', onKey);
  return () => removeEventListener('keydown', onKey);
}
