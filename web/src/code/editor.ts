import { signal } from '@preact/signals';
import { projects } from '../api/projects.ts';

const kept = 'quarry.editor';

/** Addresses by which editors open a file, with the absolute path percent-encoded but for its slashes. */
export const editors: Readonly<Record<string, (path: string, line: number) => string>> = {
  vscode: (path, line) => `vscode://file${path}:${line}`,
  cursor: (path, line) => `cursor://file${path}:${line}`,
  windsurf: (path, line) => `windsurf://file${path}:${line}`,
  zed: (path, line) => `zed://file${path}:${line}`,
  idea: (path, line) => `idea://open?file=${path}&line=${line}`,
  sublime: (path, line) => `subl://open?url=file://${path}&line=${line}`,
};

/** The editor that links open. */
export const editor = signal(localStorage.getItem(kept) ?? 'vscode');

/** Chooses the editor that links open; an unknown name for none. */
export function chooseEditor(name: string): void {
  editor.value = name;
  localStorage.setItem(kept, name);
}

/** The address that opens a file in the editor; undefined where the page does not know its folder. */
export function editorLink(project: string, path: string, line = 1): string | undefined {
  const folder = projects.value?.find(({ id }) => id === project)?.folder;
  const form = Object.hasOwn(editors, editor.value) ? editors[editor.value] : undefined;
  if (folder === undefined || !form || /^(?:virtual|conversation):/.test(path)) return undefined;
  const whole = `${folder.replaceAll('\\', '/')}/${path}`.split('/').map(encodeURIComponent).join('/');
  return form(whole.startsWith('/') ? whole : `/${whole}`, line);
}
