// By its default export: an older Node.js, which is told so, lacks the name and would not even start.
import module from 'node:module';
import { join } from 'node:path';
import { processEnvironment, userCacheFolder } from './environment.ts';
import { keepCode, keepCodeIn } from './kept-code.ts';
import { makeFolder } from './make-folder.ts';

/**
 * Keeps compiled code for the next process that runs this command. What lies there is run, so that the folder belongs to the user alone; the
 * default of Node.js is a folder for temporary files that all users share.
 */
export async function useCompileCache(command = ''): Promise<void> {
  if (processEnvironment('NODE_DISABLE_COMPILE_CACHE')) return;
  const name = /^[a-z-]{2,20}$/.test(command) ? command : 'search';
  const chosen = processEnvironment('NODE_COMPILE_CACHE');
  // The user has chosen a folder, and Node.js uses it already.
  if (chosen) return keepCodeIn(chosen, name);
  const folder = join(userCacheFolder(processEnvironment), 'compiled');
  try {
    await makeFolder(folder, 0o700);
  } catch {
    // Without it a command only starts slower.
    return;
  }
  module.enableCompileCache(folder);
  keepCodeIn(folder, name);
}

/** Writes down what is compiled so far. A process does so when it ends, but not when it is killed, as editors do. */
export function keepCompiledModules(): void {
  module.flushCompileCache();
  keepCode();
}
