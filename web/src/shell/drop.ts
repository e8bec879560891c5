import { signal } from '@preact/signals';
import { goTo, linkTo, route } from './route.ts';

/** What a browser says of a folder that is dropped on it: not where it is, for no page may know that. */
export interface DroppedFolder {
  readonly name: string;
  readonly entries: readonly string[];
}

/** A folder that was dropped on the page and is to be indexed. */
export const dropped = signal<DroppedFolder | undefined>(undefined);

/** Entries by which a folder is recognised. */
const maxEntries = 50;

/** Takes folders that are dropped anywhere on the page; returns how to end that. */
export function followDrops(): () => void {
  const onDrag = (event: DragEvent): void => {
    if (!event.dataTransfer?.types.includes('Files')) return;
    // A browser would leave the page for what is dropped on it.
    event.preventDefault();
    event.dataTransfer.dropEffect = 'link';
  };
  const onDrop = (event: DragEvent): void => {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    const entry = event.dataTransfer.items[0]?.webkitGetAsEntry();
    // One file is no project.
    if (!entry?.isDirectory) return;
    const take = (entries: readonly string[]): void => {
      dropped.value = { name: entry.name, entries };
      goTo(linkTo(route.value.project, 'projects'));
    };
    const reader = (entry as FileSystemDirectoryEntry).createReader();
    const names = (found: readonly FileSystemEntry[]): string[] => found.map(({ name }) => name);
    // What cannot be read is looked for by its name alone.
    reader.readEntries(
      (found) => take(names(found).slice(0, maxEntries)),
      () => take([]),
    );
  };
  // Entering is answered too: where the view changes under the pointer, that alone decides whether a drop is taken.
  addEventListener('dragenter', onDrag);
  addEventListener('dragover', onDrag);
  addEventListener('drop', onDrop);
  return () => {
    removeEventListener('dragenter', onDrag);
    removeEventListener('dragover', onDrag);
    removeEventListener('drop', onDrop);
  };
}
