import { signal } from '@preact/signals';

/** Whether the list of actions is shown. */
export const paletteIsOpen = signal(false);
