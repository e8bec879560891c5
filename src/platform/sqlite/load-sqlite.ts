import { QuarryError } from '../../core/errors.ts';

/** The part of `node:sqlite` that Quarry uses. */
export type Sqlite = typeof import('node:sqlite');

/** Loads `node:sqlite` without its experimental warning; throws `runtime-unsupported` where it is absent. */
export function loadSqlite(load: () => Sqlite | undefined = loadBuiltin): Sqlite {
  const sqlite = withoutSqliteNotice(load);
  if (sqlite) return sqlite;
  throw new QuarryError(
    'runtime-unsupported',
    `Node.js ${process.versions.node} has no built-in SQLite.`,
    'Install Node.js 22.16 or newer.',
  );
}

// Loading is synchronous, so no other warning can be filtered by mistake.
function loadBuiltin(): Sqlite | undefined {
  return process.getBuiltinModule?.('node:sqlite');
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
