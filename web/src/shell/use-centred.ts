import { useEffect } from 'preact/hooks';

/** Scrolls a row sideways, where it does not fit, so that the entry that matches the selector is in sight. */
export function useCentred(
  row: { readonly current: HTMLElement | null },
  selector: string,
  current: unknown,
): void {
  useEffect(() => {
    const show = () => {
      const entry = row.current?.querySelector<HTMLElement>(selector);
      if (entry && row.current)
        row.current.scrollLeft = entry.offsetLeft - (row.current.clientWidth - entry.offsetWidth) / 2;
    };
    show();
    addEventListener('resize', show);
    return () => removeEventListener('resize', show);
  }, [current]);
}
