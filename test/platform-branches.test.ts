import { existsSync } from 'node:fs';
import { chmod, readdir, readFile, stat } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { residentAddress } from '../src/client/resident-address.ts';
import { reportsEveryChange } from '../src/drivers/sources/local/watch/local-mounts.ts';
import {
  processEnvironment,
  userCacheFolder,
  userConfigFolder,
  userDataFolder,
} from '../src/platform/environment.ts';
import { userListeningAt } from '../src/platform/listening-user.ts';
import { startOfProcess } from '../src/platform/process-start.ts';
import { fullPath } from '../src/platform/sqlite/load-sqlite.ts';
import { openInBrowser } from '../src/surfaces/http/open-in-browser.ts';
import { temporaryFolder } from './temporary-folder.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

interface Branch {
  readonly file: string;
  readonly code: string;
  readonly tested: string;
}

async function listedBranches(): Promise<Branch[]> {
  const page = await readFile(join(root, 'docs/decisions/0036-platforms.md'), 'utf8');
  const rows = page.matchAll(
    /^\| `(?<file>[^`]+\.(?:ts|mjs))` \| `(?<code>[^`]+)` \| .+ \| (?<tested>`.+) \|$/gm,
  );
  return [...rows].map(({ groups }) => ({ file: '', code: '', tested: '', ...groups }));
}

/** Every line of the program that asks which system it runs on. */
async function linesThatAsk(): Promise<{ file: string; line: string }[]> {
  const asks = /process\.platform|'(?:darwin|linux|win32)'|\b(?:darwin|linux|win32):/;
  const folders = ['src', 'scripts', 'web'];
  const files = folders.map(async (folder) =>
    (await readdir(join(root, folder), { recursive: true })).map((name) => `${folder}/${name}`),
  );
  const programs = (await Promise.all(files))
    .flat()
    .filter((file) => /\.(ts|tsx|mjs)$/.test(file) && !/\.(test|fixture)\.ts$|node_modules/.test(file));
  const lines = programs.map(async (file) => {
    const text = await readFile(join(root, file), 'utf8');
    return text.split('\n').flatMap((line) => (asks.test(line) ? [{ file, line: line.trim() }] : []));
  });
  return (await Promise.all(lines)).flat();
}

test('every place that asks for the platform is listed with what macOS gets there', async () => {
  const branches = await listedBranches();
  const lines = await linesThatAsk();
  const covers = (branch: Branch, { file, line }: { file: string; line: string }) =>
    branch.file === file && line.includes(branch.code);
  expect(lines.filter((line) => !branches.some((branch) => covers(branch, line)))).toEqual([]);
  expect(branches.filter((branch) => !lines.some((line) => covers(branch, line)))).toEqual([]);
});

test('every test that the list names is there', async () => {
  for (const { tested } of await listedBranches()) {
    const [, file = '', title = ''] = /^`([^`]+)`: (.+)$/.exec(tested) ?? [];
    const text = await readFile(join(root, file), 'utf8').catch(() => '');
    expect(text.includes(title), tested).toBe(true);
  }
});

test('a database of Windows is opened whatever the length of its path', () => {
  const folder = `C:\\${'long\\'.repeat(60)}`;
  expect(fullPath(`${folder}index.db`)).toBe(`\\\\?\\${folder}index.db`);
  expect(fullPath('C:\\work\\index.db')).toBe('C:\\work\\index.db');
  expect(fullPath(':memory:')).toBe(':memory:');
});

describe('where the platform is macOS, Quarry', () => {
  const own = process.platform;
  const name = (platform: string) => Object.defineProperty(process, 'platform', { value: platform });
  const home = (variable: string) => (variable === 'HOME' ? '/Users/me' : undefined);
  beforeEach(() => void name('darwin'));
  afterEach(() => {
    name(own);
    vi.unstubAllEnvs();
  });

  test("keeps what is the user's in the folders of macOS", () => {
    expect(userCacheFolder(home)).toBe('/Users/me/Library/Caches/quarry');
    expect(userConfigFolder(home)).toBe('/Users/me/Library/Application Support/quarry');
    expect(userDataFolder(home)).toBe('/Users/me/Library/Application Support/quarry/data');
  });

  test('has its engine at a socket in the cache folder', () => {
    expect(residentAddress(home).socket).toBe('/Users/me/Library/Caches/quarry/resident/socket');
  });

  test.skipIf(!existsSync('/bin/ps'))(
    'knows a process by the words of ps, in whatever language and time zone',
    () => {
      const start = startOfProcess(process.pid);
      expect(start).toMatch(/\d\d:\d\d:\d\d \d{4}$/);
      vi.stubEnv('TZ', 'Asia/Tokyo');
      vi.stubEnv('LC_ALL', 'de_DE.UTF-8');
      expect(startOfProcess(process.pid)).toBe(start);
      // No process has the highest number that there is.
      expect(startOfProcess(2 ** 31 - 1)).toBeUndefined();
    },
  );

  test('does not know whose a port is', async () => {
    expect(await userListeningAt(1)).toBe('unknown');
  });

  test('does not promise that every change is reported', async () => {
    expect(await reportsEveryChange([root])).toBe(false);
  });

  test('opens the page with open, on a screen that no variable names', async () => {
    const folder = await temporaryFolder({
      open: '#!/bin/sh\nprintf %s "$*" >"$0.tmp" && mv "$0.tmp" "$0.asked"\n',
    });
    await chmod(join(folder, 'open'), 0o755);
    vi.stubEnv('PATH', `${folder}${delimiter}${processEnvironment('PATH') ?? ''}`);
    expect(await openInBrowser('http://127.0.0.1:1/#key=secret', home, join(folder, 'own'))).toBe(true);
    const page = fileURLToPath(await vi.waitFor(() => readFile(join(folder, 'open.asked'), 'utf8')));
    expect(page).toBe(join(folder, 'own', 'quarry-open.html'));
    expect((await stat(page)).mode & 0o777).toBe(0o600);
  });
});
