import { randomInt } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isBuilt } from '../scripts/source-hash.ts';

const prefix = 'quarry-tests-';
/** The number by which Linux knows a file system in memory. */
const tmpfs = 0x01021994;
/** Several times the bytes that a run writes. */
const plenty = 10 * 2 ** 30;
const root = fileURLToPath(new URL('..', import.meta.url));

/** Gives the whole test run one temporary folder and no shared cache, and removes what tests left behind. */
export default function setUp(): () => void {
  // Each group of tests calls this in the same process: the first call is enough.
  if (basename(tmpdir()).startsWith(prefix)) return () => undefined;
  const folder = realpathSync(mkdtempSync(join(inMemory() ?? tmpdir(), prefix)));
  // Servers and tests that run as another user have to get to their own folders in it.
  chmodSync(folder, 0o711);
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) process.env[name] = folder;
  // A cache that tests share would make one test's work depend on another's: those about it turn it on.
  process.env.QUARRY_CACHE_MAX_BYTES = '0';
  process.env.QUARRY_CACHE_FOLDER = join(folder, 'cache');
  process.env.QUARRY_DATA_FOLDER = join(folder, 'data');
  // Which cases this run samples; its end names it.
  process.env.TEST_TURN ??= String(randomInt(1000));
  // The command line is started hundreds of times, as it is shipped where that was built from this source: it starts twice as fast.
  process.env.TESTED_PROGRAM = join(
    root,
    isBuilt() ? 'dist/surfaces/cli/main.js' : 'src/surfaces/cli/main.ts',
  );
  // What one process compiled, the next one loads.
  process.env.NODE_COMPILE_CACHE = join(folder, 'compiled');
  // A project of a few files is read no faster by several threads, and each loads the parsers again.
  process.env.QUARRY_RESOURCES_THREADS = '1';
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}

/** A folder that is kept in memory, where there is plenty and programs run from it: thousands of small databases wait for no disk. */
function inMemory(): string | undefined {
  const place = '/dev/shm';
  if (process.platform !== 'linux' || !existsSync(place)) return undefined;
  const { type, bavail, bsize } = statfsSync(place);
  const [, , , options = ''] =
    readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .map((line) => line.split(' '))
      .find(([, folder]) => folder === place) ?? [];
  const isFit = type === tmpfs && !options.split(',').includes('noexec');
  return isFit && Math.min(bavail * bsize, freemem()) >= plenty ? place : undefined;
}
