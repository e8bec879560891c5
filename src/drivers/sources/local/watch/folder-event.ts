import type { ChangeHint } from '../../../../contracts/source.ts';
import { isBesideMarker } from '../rules/default-skip-index.ts';
import { fixedSkips } from '../rules/default-skips.ts';

/** What the system reported about an entry of a folder. */
export interface FolderEvent {
  /** Uri of the folder: empty, or ending in a slash. */
  readonly folder: string;
  /** The entry; null where the system does not name it, so that anything in the folder may have changed. */
  readonly name: string | null;
  /** Whether the entry came, went or was replaced; otherwise its content or its attributes changed. */
  readonly isRename: boolean;
}

const ignoreFiles: ReadonlySet<string> = new Set(['.gitignore', '.quarryignore']);

/** What an event may mean for the index; nothing for what is never indexed. */
export function hintOf({ folder, name, isRename }: FolderEvent): ChangeHint | undefined {
  if (name === null) return folderHint(folder, 'a folder of the project has changed');
  if (fixedSkips.has(name.toLowerCase())) {
    return isRename && name === '.git'
      ? { kind: 'everything', why: 'a git repository came or went' }
      : undefined;
  }
  if (ignoreFiles.has(name)) return folderHint(folder, `${name} has changed`);
  // Whether `dist/` is build output depends on the manifest in the same folder.
  if (isRename && isBesideMarker(name)) return folderHint(folder, `${name} came or went`);
  return { kind: 'path', uri: folder + name, ...(!isRename && { contentOnly: true }) };
}

function folderHint(folder: string, why: string): ChangeHint {
  return folder === '' ? { kind: 'everything', why } : { kind: 'path', uri: folder.slice(0, -1) };
}
