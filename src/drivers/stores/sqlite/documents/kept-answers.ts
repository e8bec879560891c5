import type { ManifestEntry } from '../../../../contracts/store.ts';
import type { Connection } from '../file/connection.ts';
import { listPaths } from './documents.ts';
import { listManifest } from './manifest.ts';

/** Longer lists are read again each time: about 30 MiB of memory is the most that is held. */
const mostKept = 50_000;

/** Names a state of the file: changes of this connection move one number, those of all others the other. */
interface FileVersion {
  /** Both numbers start again with another file. */
  readonly opening: number;
  readonly revision: number;
  readonly dataVersion: number;
}

/**
 * Answers for which the whole file is gone through, kept in memory as long as nobody changes it: a process that looks
 * after an index asks for them again and again, and nearly always nothing has changed. The same state gives the same
 * array, which callers leave as it is. Answers are asked for within a transaction.
 */
export class KeptAnswers {
  readonly #connection: Connection;
  #state: FileVersion | undefined;
  /** The state in which the proofs of the manifest were looked at. */
  #checked: FileVersion | undefined;
  #manifest: readonly ManifestEntry[] | undefined;
  #paths: readonly string[] | undefined;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Everything noted, by path. */
  manifest(): readonly ManifestEntry[] {
    this.#follow();
    const manifest = this.#manifest ?? listManifest(this.#connection, this.#isChecked());
    this.#checked = this.#state;
    if (manifest.length <= mostKept) this.#manifest = manifest;
    return manifest;
  }

  /** All uris with a document, sorted. */
  paths(): readonly string[] {
    this.#follow();
    const paths = this.#paths ?? listPaths(this.#connection);
    if (paths.length <= mostKept) this.#paths = paths;
    return paths;
  }

  /** Makes a change that concerns no kept answer, so that all of them stay. */
  async changeApart(change: () => void): Promise<void> {
    const before = await this.#connection.write(() => {
      const state = this.#currentState();
      change();
      return state;
    });
    // Only once it is committed. Where others have changed the file since, the numbers show it at the next look.
    if (isSame(this.#state, before)) this.#state = { ...before, revision: before.revision + 1 };
  }

  /** Whether nobody but this connection has changed the file since every entry was found to be the user's own. */
  #isChecked(): boolean {
    const { opening, dataVersion } = this.#state ?? {};
    return opening === this.#checked?.opening && dataVersion === this.#checked?.dataVersion;
  }

  #follow(): void {
    const state = this.#currentState();
    if (isSame(this.#state, state)) return;
    this.#manifest = undefined;
    this.#paths = undefined;
    this.#state = state;
  }

  #currentState(): FileVersion {
    const row = this.#connection.get('SELECT value, data_version FROM revision, pragma_data_version');
    const { opening } = this.#connection;
    return { opening, revision: Number(row?.value), dataVersion: Number(row?.data_version) };
  }
}

function isSame(one: FileVersion | undefined, other: FileVersion): boolean {
  return (
    one?.opening === other.opening && one.revision === other.revision && one.dataVersion === other.dataVersion
  );
}
