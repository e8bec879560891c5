import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../../../test/temporary-folder.ts';

const lockUrl = new URL('../../../../platform/sqlite/writer-lock.ts', import.meta.url).href;
const storeUrl = new URL('../store.ts', import.meta.url).href;

/** Stands between a process and the system, and refuses every lock as a drive without them does. */
const refusingLocks = `
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
static int control(const char *name, int file, int command, void *argument) {
  if (command == F_SETLK && ((struct flock *)argument)->l_type != F_UNLCK) {
    errno = atoi(getenv("REFUSAL"));
    return -1;
  }
  return ((int (*)(int, int, ...))dlsym(RTLD_NEXT, name))(file, command, argument);
}
#define REPLACE(name) int name(int file, int command, ...) { \\
  va_list list; va_start(list, command); void *argument = va_arg(list, void *); va_end(list); \\
  return control(#name, file, command, argument); }
REPLACE(fcntl)
REPLACE(fcntl64)
`;

const canCompile = process.platform === 'linux' && spawnSync('cc', ['--version']).status === 0;

describe.skipIf(!canCompile)('on a drive that refuses locks', () => {
  // ENOLCK, which SQLite takes for a lock that somebody holds, and ENOTSUP.
  test.each([37, 95])(
    'the cause and the remedy are reported, whichever way it refuses (%i)',
    async (refusal) => {
      const folder = await temporaryFolder();
      const library = join(folder, 'refusing.so');
      const { status } = spawnSync('cc', ['-shared', '-fPIC', '-x', 'c', '-o', library, '-', '-ldl'], {
        input: refusingLocks,
      });
      expect(status).toBe(0);
      const script = `
      const { tryLock, waitForLock } = await import(${JSON.stringify(lockUrl)});
      const { openSqliteStore } = await import(${JSON.stringify(storeUrl)});
      const reported = async (work) => { try { await work(); } catch ({ code, remedy }) { return code + ': ' + remedy; } };
      console.log(JSON.stringify([
        await reported(() => tryLock(${JSON.stringify(join(folder, 'writer.lock'))})),
        await reported(() => waitForLock(${JSON.stringify(join(folder, 'writer.lock'))})),
        await reported(async () => openSqliteStore(${JSON.stringify(join(folder, 'index.sqlite'))})),
      ]));`;
      const flags = ['--experimental-strip-types', '--no-warnings', '--input-type=module', '-e', script];
      const environment = { ...process.env, LD_PRELOAD: library, REFUSAL: String(refusal) };
      const { stdout } = await promisify(execFile)(process.execPath, flags, { env: environment });
      const remedy = 'Move the project to a local disk, or mount the network drive with locks.';
      expect(JSON.parse(stdout)).toEqual(Array(3).fill(`store-unusable: ${remedy}`));
    },
  );
});
