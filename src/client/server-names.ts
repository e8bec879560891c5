import { realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { QuarryError } from '../core/errors.ts';
import { idOfFolder } from '../core/identity.ts';
import { type Environment, userDataFolder } from '../platform/environment.ts';
import { openUserRecord } from '../platform/user-record.ts';
import { distinctNames } from './distinct-names.ts';
import { projectNameOf } from './server-address.ts';

/** Under which name each folder was pushed: the folder by server and name. A name belongs to the folder that pushed last. */
const schema = z.record(z.string(), z.record(z.string(), z.string()));
type Pushed = z.output<typeof schema>;

/** What the folders of this machine are called on servers. A name that was given stays that of its folder. */
export interface ServerNames {
  /** The name of a folder's project where none is given; fails where it could be more than one, and says which. */
  nameOf(server: string, folder: string): Promise<string>;
  /** The names of folders that are open together: each has its own. Those in `given` keep theirs, and are in the result. */
  namesOf(
    server: string,
    folders: readonly string[],
    given?: ReadonlyMap<string, string>,
  ): Promise<ReadonlyMap<string, string>>;
  /** Notes that a folder was pushed under a name. */
  remember(server: string, folder: string, name: string): Promise<void>;
}

/** The names that a user's folders have. */
export function openServerNames(environment: Environment): ServerNames {
  const record = openUserRecord<Pushed>(join(userDataFolder(environment), 'pushed.json'), {
    name: 'The record of the folders that you have pushed',
    remedy: 'Remove the file: names are then those of the folders again.',
    empty: {},
    parse: (text) => schema.parse(JSON.parse(text)),
    write: (value) => `${JSON.stringify(value, undefined, 2)}\n`,
  });
  const read = async (server: string) => new Map(Object.entries((await record.read())[server] ?? {}));
  return {
    async nameOf(server, folder) {
      const pushed = await read(server);
      const real = realPath(folder);
      const names = namesIn(pushed, real);
      const own = projectNameOf(real);
      if (names.includes(own)) return own;
      const [only, ...others] = names;
      if (only !== undefined && others.length === 0) return only;
      if (only !== undefined) throw severalNames(real, names);
      const owner = ownerOf(pushed, own, real);
      if (owner === undefined) return own;
      throw nameTaken(own, owner, namesAmong(pushed, [real], new Map()).get(real) ?? own);
    },
    async namesOf(server, folders, given = new Map()) {
      const pushed = await read(server);
      const kept = new Map<string, string>();
      for (const folder of new Set([...folders, ...given.keys()])) {
        const names = namesIn(pushed, folder);
        const own = projectNameOf(folder);
        const name = names.includes(own) ? own : (names[0] ?? given.get(folder));
        if (name !== undefined && ownerOf(pushed, name, folder) === undefined) kept.set(folder, name);
      }
      return namesAmong(pushed, folders, kept);
    },
    async remember(server, folder, name) {
      const real = realPath(folder);
      await record.change((before) =>
        before[server]?.[name] === real
          ? before
          : { ...before, [server]: { ...before[server], [name]: real } },
      );
    },
  };
}

/** Names of folders that are told apart from each other, and from those that others have on the server. */
function namesAmong(
  pushed: ReadonlyMap<string, string>,
  folders: readonly string[],
  kept: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const others = [...pushed].filter(([, owner]) => !folders.includes(owner) && isFolder(owner));
  const given = new Map([...others.map(([name, owner]) => [owner, name] as const), ...kept]);
  return distinctNames([...folders, ...given.keys()], {
    given,
    otherwise: idOfFolder,
    taken: others.map(([name]) => name),
    nameOf: (end) => projectNameOf(end.replaceAll(/[\\/]/g, '-')),
  });
}

function namesIn(pushed: ReadonlyMap<string, string>, folder: string): string[] {
  return [...pushed].filter(([, owner]) => owner === folder).map(([name]) => name);
}

/** The other folder whose project has this name; one that is gone needs it no more. */
function ownerOf(pushed: ReadonlyMap<string, string>, name: string, folder: string): string | undefined {
  const owner = pushed.get(name);
  return owner !== undefined && owner !== folder && isFolder(owner) ? owner : undefined;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function realPath(folder: string): string {
  return realpathSync(folder);
}

function nameTaken(name: string, owner: string, free: string): QuarryError {
  return new QuarryError(
    'usage-invalid',
    `The project "${name}" on the server is that of ${owner}, whose folder has the same name.`,
    `Name this one with quarry push --name ${free}, or take the place of the other with --name ${name}.`,
  );
}

function severalNames(folder: string, names: readonly string[]): QuarryError {
  return new QuarryError(
    'usage-invalid',
    `${folder} is pushed under several names: ${names.join(', ')}.`,
    'Name one: with --name for a push, else with --project.',
  );
}
