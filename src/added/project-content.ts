import type { Project } from '../calls/project.ts';
import { isVirtual } from '../core/document.ts';
import { deletePaths } from '../index/write.ts';
import { hasStateFolder } from '../state-folder/state-folder.ts';
import type { ContentParts } from './add-content.ts';

/** The calls that add content to a project and remove it; what they need is loaded when they are made. */
export function createContent(parts: ContentParts): Pick<Project, 'add' | 'remove' | 'adopt'> {
  const { folder, inCurrent } = parts;
  return {
    add: async (document, { signal } = {}) =>
      (await import('./add-content.ts')).addContent(parts, document, signal),
    async remove(...uris) {
      const { removeContent } = await import('./add-content.ts');
      const isIndexed = hasStateFolder(folder);
      let removed = 0;
      for (const uri of new Set(uris))
        if (isVirtual(uri)) removed += Number(await removeContent(parts, uri, isIndexed));
        else if (isIndexed) removed += await inCurrent((current) => deletePaths(current, [uri]));
      return removed;
    },
    adopt: async ({ signal } = {}) => (await import('./adopt-content.ts')).adoptContent(parts, signal),
  };
}
