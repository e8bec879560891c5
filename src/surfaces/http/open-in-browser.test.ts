import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test, vi } from 'vitest';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { processEnvironment } from '../../platform/environment.ts';
import { openInBrowser } from './open-in-browser.ts';

const link = 'http://127.0.0.1:4774/#key=secret-key&to=%2Fdocs%2Fsearch';

afterEach(() => vi.unstubAllEnvs());

/** A desktop whose browser writes down what it was started with. */
async function desktop(browser: string): Promise<{ home: string; asked: () => Promise<string> }> {
  const home = await temporaryFolder({});
  const program = async (name: string, script: string) => {
    await writeFile(join(home, name), `#!/bin/sh\n${script}\n`);
    await chmod(join(home, name), 0o755);
  };
  await program(
    'xdg-open',
    `printf '%s' "$*" > "${join(home, 'asked.tmp')}" && mv "${join(home, 'asked.tmp')}" "${join(home, 'asked')}"`,
  );
  await program('xdg-settings', `echo ${browser}`);
  vi.stubEnv('PATH', `${home}${delimiter}${processEnvironment('PATH') ?? ''}`);
  vi.stubEnv('HOME', home);
  vi.stubEnv('DISPLAY', ':0');
  return { home, asked: () => vi.waitFor(() => readFile(join(home, 'asked'), 'utf8'), { timeout: 60_000 }) };
}

test.runIf(process.platform === 'linux')(
  'the words of the browser name a page that only the user can read, and not the key',
  async () => {
    const { home, asked } = await desktop('firefox.desktop');
    expect(await openInBrowser(link, processEnvironment, join(home, 'private'))).toBe(true);
    const words = await asked();
    expect(words).not.toContain('secret-key');
    const page = fileURLToPath(words);
    expect(page).toBe(join(home, 'private', 'quarry-open.html'));
    expect((await stat(page)).mode & 0o777).toBe(0o600);
    expect((await stat(join(home, 'private'))).mode & 0o777).toBe(0o700);
    expect(await readFile(page, 'utf8')).toContain('url=http://127.0.0.1:4774/#key=secret-key&amp;to=');
  },
);

test.runIf(process.platform === 'linux')('a browser that is a snap gets it where it may read', async () => {
  const { home, asked } = await desktop('firefox_firefox.desktop');
  await mkdir(join(home, 'snap/firefox/common'), { recursive: true });
  expect(await openInBrowser(link, processEnvironment, join(home, 'private'))).toBe(true);
  expect(fileURLToPath(await asked())).toBe(join(home, 'snap/firefox/common/quarry-open.html'));
});

test.runIf(process.platform === 'linux')('nothing is written where there is no screen', async () => {
  const { home } = await desktop('firefox.desktop');
  const without = (name: string) => (name === 'DISPLAY' ? undefined : processEnvironment(name));
  expect(await openInBrowser(link, without, join(home, 'private'))).toBe(false);
  await expect(stat(join(home, 'private'))).rejects.toMatchObject({ code: 'ENOENT' });
});
