import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../../../test/temporary-folder.ts';
import { fillLibrary } from '../soundness/library.fixture.ts';
import { openSqliteStore } from '../store.ts';

const storeUrl = new URL('../store.ts', import.meta.url).href;

/** Stands between a process and the system, and refuses to write into a `-shm` file as a full disk does. */
const refusingWrites = `
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>
static int is_refused(int file) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, sizeof path);
  return length > 4 && memcmp(path + length - 4, "-shm", 4) == 0;
}
#define REPLACE(name) ssize_t name(int file, const void *bytes, size_t count, off_t offset) { \\
  if (is_refused(file)) { errno = ENOSPC; return -1; } \\
  return ((ssize_t (*)(int, const void *, size_t, off_t))dlsym(RTLD_NEXT, #name))(file, bytes, count, offset); }
REPLACE(pwrite)
REPLACE(pwrite64)
`;

const canCompile = process.platform === 'linux' && spawnSync('cc', ['--version']).status === 0;

test.skipIf(!canCompile)(
  'an index on a full disk can still be searched, and says that it cannot be written',
  async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'index.sqlite');
    const store = openSqliteStore(path);
    await fillLibrary(store);
    await store.close();
    const library = join(folder, 'refusing.so');
    const words = ['-shared', '-fPIC', '-x', 'c', '-o', library, '-', '-ldl'];
    expect(spawnSync('cc', words, { input: refusingWrites }).status).toBe(0);
    const script = `
    const { openSqliteStore } = await import(${JSON.stringify(storeUrl)});
    const store = openSqliteStore(${JSON.stringify(path)});
    const found = await store.searchText(['harbour'], { limit: 3 });
    const { code } = await store.commit({ facts: new Map([['name', 'value']]) }).catch((error) => error);
    await store.close();
    console.log(JSON.stringify([found.length, code]));`;
    const flags = ['--experimental-strip-types', '--no-warnings', '--input-type=module', '-e', script];
    const env = { ...process.env, LD_PRELOAD: library };
    const { stdout } = await promisify(execFile)(process.execPath, flags, { env });
    expect(JSON.parse(stdout)).toEqual([3, 'store-unusable']);
  },
);
