import { spawn } from 'node:child_process';
import type { Environment } from '../../platform/environment.ts';

/** The program that opens an address with the browser of the user, by platform. */
const openers: Readonly<Record<string, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
  linux: ['xdg-open'],
};

/** Asks the browser of the user to open an address; returns whether there is one to ask. */
export function openInBrowser(url: string, environment: Environment): Promise<boolean> {
  const opener = openers[process.platform];
  const hasScreen =
    process.platform !== 'linux' ||
    environment('DISPLAY') !== undefined ||
    environment('WAYLAND_DISPLAY') !== undefined;
  if (!opener || !hasScreen) return Promise.resolve(false);
  const [program, ...words] = opener;
  return new Promise((resolve) => {
    const child = spawn(program, [...words, url], { stdio: 'ignore', detached: true, windowsHide: true });
    child.on('error', () => resolve(false));
    child.on('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}
