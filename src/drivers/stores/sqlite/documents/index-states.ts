import type { IndexState, ManifestEntry } from '../../../../contracts/store.ts';
import type { Connection } from '../file/connection.ts';
import { textRows } from '../text/text-upkeep.ts';
import { listSpaces } from '../vectors/vectors.ts';
import { listFacts, listManifest } from './manifest.ts';

/** More changes than a file ever sees. */
const revisionsOfFile = 2 ** 32;

/** Names a state of the file: changes of this connection move one number, those of all others the other. */
interface FileVersion {
  /** Both numbers start again with another file. */
  readonly opening: number;
  readonly revision: number;
  readonly dataVersion: number;
}

/**
 * What is asked of the file as a whole. Its state is kept in memory as long as nobody changes it: every search asks for it, and nearly
 * always nothing has changed. Answers are asked for within a transaction.
 */
export class IndexStates {
  readonly #connection: Connection;
  #known: { readonly version: FileVersion; readonly state: IndexState } | undefined;
  /** The version in which the proofs of the manifest were looked at. */
  #checked: FileVersion | undefined;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  state(): IndexState {
    const version = this.#version();
    if (!this.#known || !isSame(this.#known.version, version))
      this.#known = { version, state: this.#read(version) };
    return this.#known.state;
  }

  /** Everything noted, by path. */
  manifest(): ManifestEntry[] {
    const { opening, dataVersion } = this.#version();
    // Where nobody but this connection has changed the file, every entry is still the user's own.
    const isChecked = opening === this.#checked?.opening && dataVersion === this.#checked.dataVersion;
    const manifest = listManifest(this.#connection, isChecked);
    this.#checked = { opening, dataVersion, revision: 0 };
    return manifest;
  }

  #read({ opening, revision }: FileVersion): IndexState {
    return {
      // A file that is only read may have been replaced by one that was changed as often.
      revision: (opening - 1) * revisionsOfFile + revision,
      isEmpty: this.#connection.get('SELECT 1 FROM documents LIMIT 1') === undefined,
      chunks: textRows(this.#connection),
      spaces: listSpaces(this.#connection),
      facts: listFacts(this.#connection),
    };
  }

  #version(): FileVersion {
    const row = this.#connection.get('SELECT value, data_version FROM revision, pragma_data_version');
    const { opening } = this.#connection;
    return { opening, revision: Number(row?.value), dataVersion: Number(row?.data_version) };
  }
}

function isSame(one: FileVersion, other: FileVersion): boolean {
  return (
    one.opening === other.opening && one.revision === other.revision && one.dataVersion === other.dataVersion
  );
}
