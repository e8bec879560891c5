import { isAbsolute } from 'node:path';

/** Whether a name means a folder: absolute, with a separator in it, or beginning with a dot. */
export function isModelPath(name: string): boolean {
  return isAbsolute(name) || /[\\/]/.test(name) || name.startsWith('.');
}
