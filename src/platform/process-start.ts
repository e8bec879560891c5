import { readFileSync } from 'node:fs';

/**
 * When a process began, in the words of the system: with its number it names one process among all that ever had that
 * number. Undefined where there is no such process any more, or the system does not tell.
 */
export function startOfProcess(pid: number): string | undefined {
  if (process.platform === 'linux') return startOnLinux(pid);
  if (process.platform === 'win32') return undefined;
  // Its import costs more than most commands; only what starts and ends engines comes here.
  const { execFileSync } = process.getBuiltinModule('node:child_process');
  try {
    const words = ['-o', 'lstart=', '-p', String(pid)];
    // Every process must read the same words, whatever language and time zone it was started with.
    const env = { LC_ALL: 'C', TZ: 'UTC' };
    const text = execFileSync('/bin/ps', words, {
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return text.trim() || undefined;
  } catch {
    // No such process, or no `ps`.
    return undefined;
  }
}

function startOnLinux(pid: number): string | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program may hold any character; it ends with the last parenthesis.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    // One that has ended and was not yet collected by its parent does nothing any more.
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
    return `${fields[19]} ${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}`;
  } catch {
    // No such process.
    return undefined;
  }
}
