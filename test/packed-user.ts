import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { type PackedInstall, packedInstall, plainEnvironment } from './packed-install.ts';

/** What a command left behind. */
export interface Finished {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A user of the package as it is shipped, with folders and an engine of their own. */
export interface PackedUser {
  readonly packed: PackedInstall;
  /** The folder with all projects, which is the user's home too. */
  readonly root: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Runs a command in a project to its end. */
  quarry(folder: string, ...words: string[]): Promise<Finished>;
  /** Starts a server that anybody on this machine may ask, for one of the projects. */
  serve(folder: string): Promise<OpenServer>;
}

export interface OpenServer {
  readonly url: string;
  end(): Promise<void>;
}

/** A new user with these files. */
export async function packedUser(files: Readonly<Record<string, string | Uint8Array>>): Promise<PackedUser> {
  const packed = await packedInstall();
  const root = realpathSync(await packed.project(files));
  const environment = {
    ...plainEnvironment,
    HOME: root,
    QUARRY_DATA_FOLDER: join(root, 'data'),
    // Who has a cache of their own has an engine of their own.
    QUARRY_CACHE_FOLDER: join(root, 'cache'),
  };
  return {
    packed,
    root,
    environment,
    quarry: (folder, ...words) =>
      promisify(execFile)(process.execPath, [packed.program, ...words], {
        cwd: join(root, folder),
        env: environment,
      }).then(
        (printed) => ({ code: 0, ...printed }),
        ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
      ),
    async serve(folder) {
      const words = ['serve', '--port', '0', '--open', '--folder', folder, '--json'];
      const child = spawn(process.execPath, [packed.program, ...words], {
        cwd: root,
        env: { ...environment, QUARRY_EMBEDDER_DRIVER: 'hashing', QUARRY_GENERATOR_DRIVER: 'none' },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      for await (const line of createInterface({ input: child.stdout })) {
        const { type, addresses } = JSON.parse(line) as { type: string; addresses: string[] };
        if (type !== 'server-started') continue;
        child.stdout.resume();
        const url = addresses.find((address) => address.startsWith('http')) ?? '';
        return { url, end: () => ended(child) };
      }
      throw new Error('The server has ended.');
    },
  };
}

async function ended(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  await exit;
}
