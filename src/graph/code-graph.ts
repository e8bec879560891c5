import type { FileGraph } from '../core/code-graph.ts';
import { type CompiledRows, type CompiledState, compiledRows } from './compiled/compiled-rows.ts';
import type { CompiledIndex } from './compiled/pack-compiled.ts';
import { type GraphFile, graphFailure, hasGraphFile, isDamage, openGraphFile } from './file/graph-file.ts';
import { type GraphEntry, type GraphRows, type GraphVersion, graphRows } from './file/graph-rows.ts';
import { type GraphFiles, type GraphView, viewOf } from './resolve/view.ts';

/** Raised when more or other things are read from a tree: the graph of each file is then read again. */
const version = 1;
/** Files that are written together: a commit for each would cost more than its content. */
const filesAtOnce = 64;

/** What was read for earlier answers is kept up to so many files, definitions and names: some tens of megabytes at most. */
const maxKept = 20_000;

/** A file of code as the index holds it. */
export interface IndexedCode {
  readonly uri: string;
  readonly hash: string;
}

/** How far the graph is behind the index. */
export interface GraphLag {
  /** Files whose graph is there as the index has them. */
  readonly current: number;
  /** Those that are still to be read. */
  readonly missing: readonly IndexedCode[];
  /** What is kept of files that the index no longer has so. */
  readonly stale: readonly number[];
}

/** The graph of a project's code in its own file. It is never more than what the files say, so that losing it loses nothing. */
export interface CodeGraph {
  /** Keeps what a file defines and mentions; it is written with others, and at the latest by `flush`. */
  note(uri: string, hash: string, graph: FileGraph): void;
  flush(): void;
  /** Compares what is kept with the files of code that the index has. */
  lag(code: readonly IndexedCode[]): GraphLag;
  forget(ids: readonly number[]): void;
  /** Which index of a compiler is kept. */
  compiled(): CompiledState;
  /** Keeps an index of a compiler in place of another. */
  takeCompiled(state: CompiledState, index: CompiledIndex): void;
  /** What can be asked now: of files that have changed since, nothing, and of a compiler's index only of the one with this stamp. */
  view(lag: GraphLag, compiledStamp?: string): GraphView;
  close(): void;
}

/** Where a graph is kept and how it is read. */
export interface CodeGraphParts {
  readonly stateFolder: string;
  /** By it, a user's own file is recognised. */
  readonly key: Uint8Array;
  /** Names what decides the text that the graph is read from. */
  readonly recipe: string;
}

interface OpenedFile extends GraphFile {
  readonly rows: GraphRows;
  readonly compiled: CompiledRows;
}

/** Whether a graph was begun in this state folder. */
export { hasGraphFile as hasCodeGraph };

/** Nothing is opened yet. A file that is taken away or replaced meanwhile is opened again. */
export function createCodeGraph({ stateFolder, key, recipe: read }: CodeGraphParts): CodeGraph {
  const recipe = `${version} ${read}`;
  let file: OpenedFile | undefined;
  let waiting: GraphEntry[] = [];
  let compared:
    | {
        readonly code: readonly IndexedCode[];
        readonly version: string;
        readonly lag: GraphLag;
        readonly files: GraphFiles;
      }
    | undefined;
  let viewed: { lag: GraphLag; opened: number; compiledStamp: string; view: GraphView } | undefined;
  let writes = 0;
  let opened = 0;
  const close = (): void => {
    file?.database.close();
    file = undefined;
  };
  const open = (): OpenedFile => {
    if (file?.isInPlace()) return file;
    close();
    opened += 1;
    const made = openGraphFile(stateFolder, key);
    file = { ...made, rows: graphRows(made.database), compiled: compiledRows(made.database) };
    return file;
  };
  /** A file that turns out to be damaged is opened again, which makes another one. */
  const whole = <Result>(work: (file: OpenedFile) => Result): Result => {
    try {
      return work(open());
    } catch (thrown) {
      if (!isDamage(thrown)) throw graphFailure(thrown, stateFolder);
      close();
    }
    try {
      return work(open());
    } catch (thrown) {
      throw graphFailure(thrown, stateFolder);
    }
  };
  const flush = (): void => {
    const entries = waiting;
    waiting = [];
    if (entries.length === 0) return;
    writes += 1;
    whole(({ rows }) => rows.put(entries, recipe));
  };
  return {
    note(uri, hash, graph) {
      waiting.push({ uri, hash, graph });
      if (waiting.length >= filesAtOnce) flush();
    },
    flush,
    lag: (code) =>
      whole(({ rows }) => {
        // With twenty thousand files the comparison takes longer than the answer.
        const version = `${opened} ${rows.dataVersion()} ${writes}`;
        if (compared?.code !== code || compared.version !== version) {
          const kept = rows.versions();
          const lag = compare(kept, code, recipe);
          compared = { code, version, lag, files: filesOf(kept, lag.stale) };
        }
        return compared.lag;
      }),
    forget: (ids) => {
      if (ids.length === 0) return;
      writes += 1;
      whole(({ rows }) => rows.remove(ids));
    },
    compiled: () => whole(({ compiled }) => compiled.state()),
    takeCompiled(state, index) {
      viewed = undefined;
      whole(({ compiled }) => compiled.replace(state, index));
    },
    view: (lag, compiledStamp = '') =>
      whole(({ rows, compiled }) => {
        const isSame =
          viewed?.lag === lag && viewed.opened === opened && viewed.compiledStamp === compiledStamp;
        if (viewed && isSame && viewed.view.size() < maxKept) return viewed.view;
        const isTheOne = compiledStamp !== '' && compiled.state().stamp === compiledStamp;
        const files = compared?.lag === lag ? compared.files : filesOf(rows.versions(), lag.stale);
        const view = viewOf(rows, files, isTheOne ? compiled : undefined);
        viewed = { lag, opened, compiledStamp, view };
        return view;
      }),
    close,
  };
}

/** The files of before are left out. */
function filesOf(kept: ReadonlyMap<string, GraphVersion>, stale: readonly number[]): GraphFiles {
  const hidden = new Set(stale);
  const current = [...kept.values()].filter(({ id }) => !hidden.has(id));
  return {
    byId: new Map(current.map((file) => [file.id, file])),
    byUri: hidden.size === 0 ? kept : new Map(current.map((file) => [file.uri, file])),
  };
}

function compare(
  kept: ReadonlyMap<string, GraphVersion>,
  code: readonly IndexedCode[],
  recipe: string,
): GraphLag {
  const missing: IndexedCode[] = [];
  const stale = new Map([...kept].map(([uri, { id }]) => [uri, id]));
  for (const entry of code) {
    const known = kept.get(entry.uri);
    if (known?.hash === entry.hash && known.recipe === recipe) stale.delete(entry.uri);
    else missing.push(entry);
  }
  return { current: code.length - missing.length, missing, stale: [...stale.values()] };
}
