import { win32 } from 'node:path';
import { QuarryError } from '../../core/errors.ts';

/** The part of `node:sqlite` that Quarry uses. */
export type Sqlite = typeof import('node:sqlite');

/** Loads `node:sqlite` without its experimental warning; throws `requirement-missing` where it is absent. */
export function loadSqlite(load: () => Sqlite | undefined = loadBuiltin): Sqlite {
  const sqlite = withoutSqliteNotice(load);
  if (sqlite) return sqlite;
  throw new QuarryError(
    'requirement-missing',
    `Node.js ${process.versions.node} has no built-in SQLite.`,
    'Install Node.js 22.16 or newer.',
  );
}

// Loading is synchronous, so no other warning can be filtered by mistake.
function loadBuiltin(): Sqlite | undefined {
  const sqlite = process.getBuiltinModule?.('node:sqlite');
  return sqlite && process.platform === 'win32' ? withLongPaths(sqlite) : sqlite;
}

/** The longest path that Windows opens under its usual name, less what SQLite adds for its files beside it. */
const maxDefaultPathLength = 248;

/** Files of Node.js may have paths of any length; those of SQLite only where the path is told in full. */
function withLongPaths(sqlite: Sqlite): Sqlite {
  class DatabaseSync extends sqlite.DatabaseSync {
    // Options that are undefined are not taken for absent ones.
    constructor(...[path, ...options]: ConstructorParameters<typeof sqlite.DatabaseSync>) {
      super(typeof path === 'string' ? fullPath(path) : path, ...options);
    }
  }
  return { ...sqlite, DatabaseSync };
}

/** A path as Windows opens it whatever its length. */
export function fullPath(path: string): string {
  return path.length > maxDefaultPathLength ? win32.toNamespacedPath(path) : path;
}

function withoutSqliteNotice<Result>(work: () => Result): Result {
  const emitWarning = process.emitWarning;
  process.emitWarning = ((...parameters: Parameters<typeof emitWarning>) => {
    if (!isSqliteNotice(parameters)) emitWarning.apply(process, parameters);
  }) as typeof emitWarning; // The overloads cannot be spelled by one arrow; the parameters pass through unchanged.
  try {
    return work();
  } finally {
    process.emitWarning = emitWarning;
  }
}

function isSqliteNotice([warning, kind]: readonly unknown[]): boolean {
  return kind === 'ExperimentalWarning' && String(warning).includes('SQLite');
}
