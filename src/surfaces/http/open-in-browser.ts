import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { Environment } from '../../platform/environment.ts';
import { makeFolder } from '../../platform/make-folder.ts';
import { writeDurably } from '../../platform/write-durably.ts';

/** The program that opens an address with the browser of the user, by platform. */
const openers: Readonly<Record<string, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
  linux: ['xdg-open'],
};

/**
 * Asks the browser of the user to open a link; returns whether there is one to ask. Every user of a machine sees the words
 * that programs are started with, so the browser is given a page that only this user can read, and that leads on to the link.
 */
export async function openInBrowser(
  url: string,
  environment: Environment,
  privateFolder: string,
): Promise<boolean> {
  const opener = openers[process.platform];
  const hasScreen =
    process.platform !== 'linux' ||
    environment('DISPLAY') !== undefined ||
    environment('WAYLAND_DISPLAY') !== undefined;
  if (!opener || !hasScreen) return false;
  const folder = (await folderOfSnap(environment)) ?? privateFolder;
  const page = join(folder, 'quarry-open.html');
  await makeFolder(folder, 0o700);
  await writeDurably(page, pageLeadingTo(url), 0o600);
  const [program, ...words] = opener;
  return new Promise((resolve) => {
    const child = spawn(program, [...words, pathToFileURL(page).href], {
      stdio: 'ignore',
      detached: true,
      windowsHide: true,
    });
    child.on('error', () => resolve(false));
    child.on('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}

/** A page without a script, for which a browser asks nobody. */
function pageLeadingTo(url: string): string {
  const quoted = url.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  return `<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url=${quoted}">
<title>Quarry</title>
<p><a href="${quoted}">Open Quarry</a></p>
`;
}

/** Where a browser that is a snap may read: it sees no hidden folder of its user. Undefined for other browsers. */
async function folderOfSnap(environment: Environment): Promise<string | undefined> {
  if (process.platform !== 'linux') return undefined;
  const asked = promisify(execFile)('xdg-settings', ['get', 'default-web-browser'], { timeout: 3000 });
  // No `xdg-settings`: then there are no snaps of browsers either.
  const { stdout } = await asked.catch(() => ({ stdout: '' }));
  const name = /^(?<name>[a-z0-9-]+)_[\w-]+\.desktop$/.exec(stdout.trim())?.groups?.name;
  if (name === undefined) return undefined;
  const folder = join(environment('HOME') ?? homedir(), 'snap', name, 'common');
  return existsSync(folder) ? folder : undefined;
}
