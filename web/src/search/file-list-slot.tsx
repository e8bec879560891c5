import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Question } from './questions.ts';

type Listed = { project: string; asked: Question };

/** Where the files are listed that pass the filters; what lists them is loaded with the first list. */
export function FileListSlot(listed: Listed) {
  const [loaded, setLoaded] = useState<{ FileList: ComponentType<Listed> }>();
  useEffect(() => {
    // What cannot be loaded is missing because the server is gone, which the page says.
    import('./file-list.tsx').then(setLoaded, () => undefined);
  }, []);
  return loaded ? <loaded.FileList {...listed} /> : <p class="quiet late">Listing…</p>;
}
