import { spawn } from 'node:child_process';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { type LoggedCommand, type Run, runFiles } from './run-folder.ts';

/** Characters that an agent is shown of a command, as tools of agents do. */
const maxShown = 30_000;
/** Characters after which a command is ended: nobody reads more than the first of them. */
const maxRead = 16 * 2 ** 20;
const maxMilliseconds = 120_000;

/**
 * Refuses what is named by a path, so that only programs of the PATH are run: a fence against habit, none against malice.
 * Both streams are one, in the order in which they were written.
 */
const preamble = `
exec 2>&1
shopt -s extdebug
__named() {
  local words w
  read -r -a words <<< "$1"
  for w in "\${words[@]}"; do
    case $w in
      exec|command|builtin|!|time) ;;
      [A-Za-z_]*=*|[0-9\\&]*'<'*|[0-9\\&]*'>'*|'<'*|'>'*) ;;
      */*) echo "\${w}: not allowed: name a program without its path"; return 1 ;;
      *) return 0 ;;
    esac
  done
}
readonly PATH
trap '__named "$BASH_COMMAND"' DEBUG
eval "$1"
`;

/** Bounds of a command, for tests. */
export interface CommandBounds {
  readonly milliseconds?: number;
  readonly characters?: number;
}

/** What an agent sees of its command. */
export interface Counted {
  readonly shown: string;
  readonly logged: LoggedCommand;
}

/** Runs one command of an agent in the folder of the code, and appends what it cost to the log of the run. */
export async function countedCommand(
  runFolder: string,
  run: Run,
  command: string,
  { milliseconds = maxMilliseconds, characters = maxRead }: CommandBounds = {},
): Promise<Counted> {
  const at = new Date().toISOString();
  const started = performance.now();
  const { kept, whole, exit, ended } = await runInBash(run, command, { milliseconds, characters });
  const ms = Math.round(performance.now() - started);
  const shown = [
    kept,
    ...(whole > maxShown ? [`\n[cut: the first ${maxShown} of ${whole} characters]\n`] : []),
    ...(ended ? [`\n[ended: ${ended}]\n`] : []),
  ].join('');
  const logged = { at, command, ms, in: command.length, out: shown.length, whole, exit };
  await appendFile(join(runFolder, runFiles.log), `${JSON.stringify(logged)}\n`);
  return { shown, logged };
}

interface Outcome {
  readonly kept: string;
  readonly whole: number;
  readonly exit: number | null;
  /** Why it did not end by itself. */
  readonly ended?: string | undefined;
}

function runInBash(run: Run, command: string, bounds: Required<CommandBounds>): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn('/bin/bash', ['--noprofile', '--norc', '-c', preamble, 'do', command], {
      cwd: run.folder,
      env: { PATH: run.bin, HOME: run.home, LANG: 'C.UTF-8' },
      // A group of its own: what it starts is ended with it.
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const decoder = new StringDecoder('utf8');
    let kept = '';
    let whole = 0;
    let ended: string | undefined;
    const end = (why: string): void => {
      ended ??= why;
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      } catch {
        // It has just ended by itself.
      }
    };
    const take = (text: string): void => {
      if (kept.length < maxShown) kept += text.slice(0, maxShown - kept.length);
      whole += text.length;
      if (whole > bounds.characters) end(`more than ${bounds.characters} characters`);
    };
    const timer = setTimeout(() => end(`more than ${bounds.milliseconds} ms`), bounds.milliseconds);
    child.stdout.on('data', (bytes: Buffer) => take(decoder.write(bytes)));
    child.on('error', reject);
    child.on('close', (exit) => {
      clearTimeout(timer);
      take(decoder.end());
      resolve({ kept: kept.toWellFormed(), whole, exit, ended });
    });
  });
}
